/* onnx/write_plan.c - nn_write_plan_c: checks the call, lists, lays out and prints. */
#include "onnx/planned.h"

static bool nn__planned_check(nn__onnx_call *call, nn_model *net, const nn_plan_c_desc *desc) {
    if (!desc || desc->outputs.count == 0)
        return nn__onnx_fail(call, NN_ERROR_ARGUMENT,
                             "no output is given; name the nodes that the plan computes in "
                             ".outputs");
    if (!nn__onnx_check_ends(call, desc->outputs, desc->output_names)) return false;
    if (!desc->writer.function)
        return nn__onnx_fail(
            call, NN_ERROR_ARGUMENT,
            "no writer is given; .writer = {nn_write_file, file} writes to a file");
    if (desc->name && !nn__c_is_identifier(desc->name))
        return nn__onnx_fail(call, NN_ERROR_ARGUMENT,
                             ".name is %q; wanted a C identifier of fewer than 64 characters",
                             desc->name);
    if (desc->batch < 0 || desc->time < 0)
        return nn__onnx_fail(call, NN_ERROR_ARGUMENT,
                             ".batch is %d and .time is %d; wanted numbers from 1 on, or 0 for 1",
                             (int64_t)desc->batch, (int64_t)desc->time);
    return nn__onnx_check_outputs(call, net, desc->outputs);
}

/* Opens a context with all plain kernels. NULL: no memory. */
static nn_context *nn__planned_open(const nn_context *nn) {
    nn_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.allocator = nn_context_desc(nn)->allocator;
    desc.threads = 1;
    desc.instructions = NN_INSTRUCTIONS_PLAIN;
    nn_context *plain = nn_open(&desc);
    nn_use_all_kernels(plain);
    nn_use_more_kernels(plain);
    nn_use_sequence_kernels(plain);
    nn_use_quantize_kernels(plain);
    return plain;
}

static void nn__planned_free(nn_context *nn, nn__planned *p) {
    nn__onnx_forget(&p->w.args);
    nn__onnx_free_arena(&p->w.e.arena);
    nn_close(p->plain);
    nn_give_memory(nn, p, sizeof *p);
}

NN_API nn_result nn_write_plan_c_at(nn_site site, nn_model *net, const nn_plan_c_desc *desc) {
    nn_context *nn = nn_model_context(net);
    nn__onnx_call call = nn__onnx_begin(nn, site, "nn_write_plan_c");
    nn_c_desc shared; /* what the functions of nn_write_c read */
    nn__planned *p;
    if (!net) {
        nn__onnx_fail(&call, NN_ERROR_ARGUMENT, "net is NULL");
        return NN_ERROR_ARGUMENT;
    }
    if (!nn__planned_check(&call, net, desc)) return call.code;
    p = (nn__planned *)nn_take_memory(nn, sizeof *p);
    if (!p) {
        nn__onnx_fail(&call, NN_ERROR_MEMORY, "no memory for %d bytes", (int64_t)sizeof *p);
        return NN_ERROR_MEMORY;
    }
    memset(&shared, 0, sizeof shared);
    shared.writer = desc->writer;
    p->desc = desc;
    p->w.desc = &shared;
    p->w.name = desc->name ? desc->name : "net";
    p->w.e.call = &call;
    p->w.e.net = net;
    p->w.e.arena.nn = p->w.args.nn = nn;
    p->w.arrays.arena = &p->w.e.arena;
    p->plain = nn__planned_open(nn);
    if (!p->plain)
        nn__onnx_fail(&call, NN_ERROR_MEMORY, "no memory for a context");
    else if (nn__planned_list(p) && nn__planned_pack(p) && nn__planned_lay_out(p))
        nn__planned_print(p);
    nn__planned_free(nn, p);
    return call.code;
}
