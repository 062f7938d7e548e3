/* nn_audio.h - nets of RTNeural and Neural Amp Modeler for nn.h. This is the list of its parts. */
#ifndef NN_AUDIO_H
#define NN_AUDIO_H

/* CONTENTS */

#include "nn.h"
#include "nn_sequence.h"

/* ---- AUDIO: describes nets from .json and .nam files, with their weights ---- */
#include "audio/audio.h"
#include "audio/overloads.h"

#endif /* NN_AUDIO_H: stop here if you only want the API. */

#if defined(NN_AUDIO_IMPLEMENTATION) && !defined(NN_AUDIO_IMPLEMENTED)
#define NN_AUDIO_IMPLEMENTED
#if defined(__GNUC__) && !defined(__TINYC__)
#pragma GCC diagnostic push
#ifdef NN__OWN_API
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
#endif
/* ---- IMPLEMENTATION: files, JSON, layers, the two formats ---- */
#include "audio/file.c"
#include "audio/json.c"
#include "audio/layers.c"
#include "audio/activation.c"
#include "audio/rtneural.c"
#include "audio/nam.c"
#include "audio/wavenet.c"
#if defined(__GNUC__) && !defined(__TINYC__)
#pragma GCC diagnostic pop
#endif
#endif /* NN_AUDIO_IMPLEMENTATION */
