/* fuzz_main.h: the two entries of a fuzz target: libFuzzer's, and under FUZZ_MAIN a main that runs
   a corpus made here. The corpus is always the same: valid files, truncated ones, ones with changed
   bytes, and noise. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Returns the live bytes of the context without the rows of the ledger, which it keeps. */
static uint64_t fuzz_live(const nn_context *nn) {
    return nn_context_memory(nn).live_bytes - sizeof(nn_ledger_entry) * (size_t)nn->ledger.capacity;
}

static bool fuzz_run(const uint8_t *data, size_t size) {
    memory_disk disk;
    nn_desc desc;
    nn_context *nn;
    uint64_t live;
    bool accepted;
    memset(&disk, 0, sizeof disk);
    memset(&desc, 0, sizeof desc);
    desc.threads = 1;
    desc.files = memory_files(&disk);
    nn = nn_open(&desc);
    if (!nn) return false;
    memory_put(&disk, "f", data, size);
    live = fuzz_live(nn);
    accepted = fuzz_one(nn);
    fuzz_ensure(accepted == (nn_error(nn) == NULL)); /* nothing fails without a word */
    nn__destroy_all(&nn->shells); /* memory of models and trainers that lives until nn_close */
    nn->shell_count = 0;
    fuzz_ensure(fuzz_live(nn) == live && disk.open_files == 0);
    nn_close(nn);
    memory_free(&disk);
    return accepted;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_run(data, size);
#ifdef FUZZ_PATCH
    /* Runs once more with a valid first field, without which few inputs pass the first check. */
    if (size >= 8 && size <= 65536) {
        uint8_t *patched = (uint8_t *)malloc(size);
        memcpy(patched, data, size);
        FUZZ_PATCH(patched, size);
        fuzz_run(patched, size);
        free(patched);
    }
#endif
    return 0;
}

#ifndef FUZZ_MAIN
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* libFuzzer does not find a file of these formats by itself, so now and then a seed replaces its
   input, and (FUZZ_WORDS) a word of the format is inserted. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    if (size < 2 || seed % 64 == 0) {
        unsigned char bytes[4096];
        size = fuzz_seed((int)(seed / 64 % 40), bytes);
        if (size > most) size = most;
        memcpy(data, bytes, size);
    }
#ifdef FUZZ_WORDS
    if (seed % 2 == 1) {
        static const char *const words[] = {FUZZ_WORDS};
        const char *word = words[seed / 2 % (sizeof words / sizeof words[0])];
        size_t length = strlen(word), at = seed / 64 % (size + 1);
        size_t over = seed % 4 == 1 && size - at >= length ? length : 0;
        if (size + length - over <= most) {
            memmove(data + at + length, data + at + over, size - at - over);
            memcpy(data + at, word, length);
            return size + length - over;
        }
    }
#endif
    return LLVMFuzzerMutate(data, size, most);
}
#endif

#ifdef FUZZ_MAIN
int main(void) {
    unsigned char bytes[4096];
    int accepted = 0, refused = 0;
    bool well;
    for (int i = 0; i < 200; i++) {
        uint32_t words[4];
        size_t size = fuzz_seed(i / 5, bytes);
        nn_random_words(2026, 7, (uint64_t)i, words);
        if (i % 5 == 1) size = words[0] % size; /* truncated */
        if (i % 5 == 2 && size > 0) bytes[words[0] % size] = (unsigned char)words[1];
        if (i % 5 == 3 && size > 0) bytes[words[0] % size] ^= (unsigned char)(1u << words[1] % 8);
        if (i % 5 == 4) {
            for (size_t j = words[2] % 16; j < size; j += 1 + words[3] % 7)
                bytes[j] = (unsigned char)(bytes[j] * 5 + words[1] % 251);
        }
        if (fuzz_run(bytes, size)) accepted++;
        else refused++;
    }
    printf("%s: %d files accepted, %d refused\n", FUZZ_NAME, accepted, refused);
    well = accepted >= 40 && refused >= 40; /* the corpus reaches both */
    printf("test_%s: %d passed, %d failed, 0 skipped\n", FUZZ_NAME, well ? 1 : 0, well ? 0 : 1);
    return well ? 0 : 1;
}
#endif
