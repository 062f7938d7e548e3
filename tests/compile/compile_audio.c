/* compile_audio.c - both implementations in one file, included twice, and every public function of
   nn_audio.h with NULL for every object. tools/compile_checks.sh compiles it as C and as C++, and
   runs it. COMPILE_HOSTILE: macros of other headers come first. */
#ifdef COMPILE_HOSTILE
#define min hostile -
#define max hostile -
#define near hostile -
#define far hostile -
#define small hostile -
#define interface hostile -
#define Bool hostile -
#define None hostile -
#define I hostile -
#endif
#define NN_IMPLEMENTATION
#define NN_AUDIO_IMPLEMENTATION
#include "nn_audio.h"
#include "nn_audio.h"

int main(void);
int main(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, (const nn_model_desc *)NULL);
    const nn_audio_desc *desc = NULL;
    int failed;
#ifdef __cplusplus
    (void)nn_nam_net(NULL, NULL, nn_audio_desc());
    (void)nn_rtneural_net(NULL, NULL, nn_audio_desc());
#endif
    failed = nn_nam_net(NULL, NULL, desc) || nn_rtneural_net(NULL, NULL, desc) || nn_error(nn);
    nn_nam_net(net, NULL, desc);
    nn_rtneural_net(net, NULL, desc);
    failed = failed || nn_fault_count(net) != 2 || !nn_error(nn);
    nn_clear_error(nn);
    nn_close(nn);
    return failed;
}
