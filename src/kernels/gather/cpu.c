/* kernels/gather/cpu.c - rows of one tensor by their numbers: how batches are made of a data set
   that lies on the device. Rows are copied as they are; kernels/augment converts them. */
#include "cpu/private.h"

#define NN__GATHER_UNIT 65536 /* bytes of a unit, about */

static uint64_t nn__gather_row_bytes(const nn_gather_args *args) {
    return nn__bytes(&args->y) / (uint64_t)args->y.shape.extent[0];
}

static int64_t nn__gather_rows(const nn_gather_args *args) {
    return nn__max64(1, NN__GATHER_UNIT / (int64_t)nn__gather_row_bytes(args));
}
#undef NN__GATHER_UNIT

static int nn__gather_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_gather_args *args = (const nn_gather_args *)arguments;
    int64_t rows = nn__gather_rows(args);
    (void)cpu;
    return phase == 0 ? (int)((args->y.shape.extent[0] + rows - 1) / rows) : 0;
}

static void nn__gather_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                            void *shared, void *own) {
    const nn_gather_args *args = (const nn_gather_args *)arguments;
    size_t bytes = (size_t)nn__gather_row_bytes(args);
    int64_t rows = nn__gather_rows(args),
            end = nn__min64((unit + 1) * rows, args->y.shape.extent[0]);
    char *y = (char *)args->y.handle + args->y.offset;
    const char *x = (const char *)args->x.handle + args->x.offset;
    (void)cpu, (void)phase, (void)shared, (void)own;
    for (int64_t i = unit * rows; i < end; i++) {
        int32_t from = nn__i32(&args->index)[i];
        if (from >= 0 && from < args->x.shape.extent[0])
            memcpy(y + (size_t)i * bytes, x + (size_t)from * bytes, bytes);
        else
            memset(y + (size_t)i * bytes, 0, bytes);
    }
}

static const nn__cpu_kernel nn__gather_kernel = {nn__gather_units, nn__gather_unit, NULL, NULL,
                                                 NULL};

NN_PRIVATE void nn__install_gather(nn_context *nn) {
    NN__CPU_INSTALL(nn, GATHER, gather, &nn__gather_kernel);
}
