/* train/private.h - the room's headers, public ones first, private ones by subject. */
#pragma once

#include "model/private.h"
#ifndef NN__NO_TRAINER
#include "train/dataset.h"
#include "train/dataset_files.h"
#include "train/augment.h"
#include "train/loader.h"
#include "train/schedule.h"
#include "train/trainer.h"
#include "train/metrics.h"
#include "train/history.h"
#include "train/checkpoint.h"
#include "train/fit.h"
#include "train/data.h"
#include "train/optimizer.h"
#include "train/step.h"
#include "train/record.h"
#elif !defined(NN_NO_TRAINING)
#include "train/small.h"
#endif
