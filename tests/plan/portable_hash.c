/* portable_hash.c - trains the six nets of portable_nets.h, or only the one whose name it is given,
   and prints one hash of all their bytes, for `make test-targets`. Fails if a net has other bytes
   than on x86-64 with gcc. */
#define NN_STATIC
#ifndef NN_WITH_PORTABLE
#define NN_WITH_PORTABLE
#endif
#include "nn.h"

#include "portable_nets.h"

static void complain(void *user, const char *text, size_t length) {
    (void)user;
    printf("%.*s", (int)length, text);
}

int main(int count, char **names) {
    uint32_t all = 2166136261u;
    int wrong = 0;
    for (int i = 0; i < PORTABLE_NETS; i++) {
        if (count > 1 && strcmp(names[1], portable_nets[i].name) != 0) continue;
        nn_context *nn = nn_open(&(nn_desc){.threads = 1,
                                            .arithmetic = NN_ARITHMETIC_PORTABLE,
                                            .log.function = complain});
        const uint32_t hash = portable_train(nn, i);
        if (hash != portable_nets[i].hash)
            wrong++, printf("%s has 0x%08x\n", portable_nets[i].name, (unsigned)hash);
        all = hash_word(all, hash);
        nn_close(nn);
    }
    printf("hash %08x\n", (unsigned)all);
    return wrong != 0;
}
