/* self_test/self_test.h - tests whether a device computes correctly. */
#pragma once

#include "base/result.h"
#include "base/writer.h"
#include "device/context.h"

/* Runs every kernel of the device on small odd shapes (forward, backward, accumulating, with
   epilogues, whole and in slices) and compares the results with plain C on the CPU. Writes a table
   of the kernels that are right, wrong (with the case and its worst number) or absent. A wrong
   kernel is refused from then on: nn_make_plan and immediate calls fail with "failed the self-test:
   ..."; existing plans continue. A later self-test that finds it right allows it again.

   Returns NN_OK if all kernels that the device has are right; NN_ERROR_UNSUPPORTED if some are
   wrong (nn_error names them), and always under NN_NO_REPORTS; NN_ERROR_DEVICE if the device is not
   open. Other errors mean that the test could not run (memory, a failing transfer); then nothing
   more is refused. Takes about 1 MB while it runs, and a second or two on a GPU whose programs are
   not cached. Its transfers are in the ledger as "self-test". An empty writer discards the
   table. */
NN_API nn_result nn_self_test_at(nn_site site, nn_context *nn, nn_device device, nn_writer writer);
#define nn_self_test(...) nn_self_test_at(NN_HERE, __VA_ARGS__)
