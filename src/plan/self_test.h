/* plan/self_test.h - a test of whether a device computes right. */
#pragma once

#include "base/result.h"
#include "base/writer.h"
#include "device/context.h"

/* Runs every kernel that the device has on small odd shapes (forward, backward, accumulating, with
   epilogues, whole and in slices), compares with the CPU in plain C, and writes a table: which
   kernels are right, wrong (the case and its worst number) or absent. A kernel that is wrong is
   refused from then on: nn_make_plan and immediate calls answer "failed the self-test: ..."; plans
   made before go on. A later self-test that finds it right takes that back.

   NN_OK: all that is there is right. NN_ERROR_UNSUPPORTED: some kernel is wrong; nn_error names
   them. NN_ERROR_DEVICE: not open. Others: the test could not be made (memory, a failing transfer);
   nothing is refused that was not before. Takes about 1 MB while it runs, a second or two on a GPU
   whose programs are not in the cache; its transfers are in the ledger as "self-test". An empty
   writer swallows the table. NN_ERROR_UNSUPPORTED at once under NN_NO_REPORTS. */
NN_API nn_result nn_self_test_at(nn_site site, nn_context *nn, nn_device device, nn_writer writer);
#define nn_self_test(...) nn_self_test_at(NN_HERE, __VA_ARGS__)
