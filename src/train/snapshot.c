/* train/snapshot.c - saves the state of a trainer in memory. nn_fit uses it to go back to the best
   epoch if no file is written. */
#include "train/private.h"

#ifndef NN__NO_TRAINER

/* Lists the tensors that steps change: parameters and buffers, moments, averages. Returns their
   number. to: NULL, or room for them. */
static int nn__snapshot_list(const nn_trainer *trainer, nn_tensor **to) {
    int count = 0;
    for (const nn_node *node = trainer->net->graph.first; node; node = node->next) {
        if (node->kind != NN__PARAMETER && node->kind != NN__BUFFER) continue;
        if (to) to[count] = node->tensor;
        count++;
    }
    for (int i = 0; i < trainer->moment_count; i++) {
        if (!trainer->moments[i].state) continue; /* it is on another rank */
        if (to) to[count] = trainer->moments[i].state->tensor;
        count++;
    }
    for (int i = 0; i < trainer->trained_count && trainer->averages; i++) {
        if (!trainer->averages[i]) continue;
        if (to) to[count] = trainer->averages[i]->tensor;
        count++;
    }
    return count;
}

/* Allocates two lists of `count`: the tensors and their copies. */
static bool nn__snapshot_begin(const nn_trainer *trainer, nn__snapshot *kept) {
    const int count = nn__snapshot_list(trainer, NULL);
    const size_t bytes = 2 * sizeof(nn_tensor *) * (size_t)count;
    if (kept->tensors) return true;
    kept->tensors = (nn_tensor **)nn__allocate_for(trainer->nn, "nn_fit: stop.restore_best", bytes);
    if (!kept->tensors) return false;
    memset(kept->tensors, 0, bytes);
    kept->copies = kept->tensors + count;
    kept->count = nn__snapshot_list(trainer, kept->tensors);
    return true;
}

NN_PRIVATE nn_result nn__snapshot_trainer(const nn_trainer *trainer, nn__snapshot *kept,
                                          nn_site site) {
    if (!nn__snapshot_begin(trainer, kept)) return NN_ERROR_MEMORY;
    for (int i = 0; i < kept->count; i++) {
        const nn_tensor *tensor = kept->tensors[i];
        nn_tensor *copy = kept->copies[i];
        if (copy && nn_same_device(copy->device, tensor->device)) {
            const nn_result result = nn_copy_at(site, copy, tensor);
            if (result != NN_OK) return result;
            continue;
        }
        nn_free_tensor(copy); /* NULL, or on the device from which the trainer was moved */
        kept->copies[i] = nn_copy_to_at(site, tensor, tensor->device);
        if (!kept->copies[i]) return trainer->nn->last_code;
    }
    kept->step = trainer->step;
    kept->averaged = trainer->averaged;
    kept->learning_rate = trainer->desc.learning_rate;
    kept->there = true;
    return NN_OK;
}

NN_PRIVATE nn_result nn__restore_trainer(nn_trainer *trainer, const nn__snapshot *kept,
                                         nn_site site) {
    if (!kept->there) return NN_OK;
    for (int i = 0; i < kept->count; i++) {
        const nn_result result = nn_copy_at(site, kept->tensors[i], kept->copies[i]);
        if (result != NN_OK) return result;
    }
    nn__forget_rests(trainer);
    trainer->torn = false;
    trainer->step = kept->step;
    trainer->averaged = kept->averaged;
    trainer->desc.learning_rate = kept->learning_rate;
    trainer->plan->ran = false; /* There is no loss to read yet. */
    return NN_OK;
}

NN_PRIVATE void nn__drop_snapshot(nn_trainer *trainer, nn__snapshot *kept) {
    for (int i = 0; i < kept->count; i++) nn_free_tensor(kept->copies[i]);
    nn__release(&trainer->nn->memory, kept->tensors, 2 * sizeof(nn_tensor *) * (size_t)kept->count);
    memset(kept, 0, sizeof *kept);
}

#endif /* NN__NO_TRAINER */

typedef int nn__snapshot_part; /* a part must not be empty under NN__NO_TRAINER */
