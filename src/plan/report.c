/* plan/report.c - writes a plan as a table and as a graph for Graphviz. */
#include "plan/private.h"

#ifndef NN_NO_REPORTS

#define NN__REPORT_INPUTS 4 /* most inputs of a convolution */

static const char *nn__report_flops(char *text, size_t size, double flops) {
    if (flops >= 1e9)
        nn__format(text, size, "%.2f G", flops / 1e9);
    else if (flops >= 1e6)
        nn__format(text, size, "%.2f M", flops / 1e6);
    else
        nn__format(text, size, "%.1f k", flops / 1e3);
    return text;
}

static const char *nn__report_storage(const nn_plan *plan, const nn__value *value) {
    static const char *const leaf[] = {"activation", "input", "parameter",  "constant",
                                       "state",      "yours", "activation", "buffer"};
    if (value->place == NN__PLACE_ALIAS)
        return nn__root(plan, (int)(value - plan->values))->place == NN__PLACE_ARENA ? "shared"
                                                                                     : "alias";
    if (value->node->remembers) return leaf[NN__STATE];
    return value->kept && value->place == NN__PLACE_ARENA ? "output" : leaf[value->node->kind];
}

NN_PRIVATE const char *nn__format_extents(const nn_plan *plan, int32_t batch, int32_t time,
                                          char *text, size_t size) {
    size_t used = nn__format(text, size, "a batch of %d", (int)batch);
    if (plan->desc.time > 1 && used < size)
        nn__format(text + used, size - used, " and a time of %d", (int)time);
    return text;
}

static void nn__report_head(const nn_plan *plan, const nn_writer *writer) {
    char device[16];
    nn__print(writer, "plan of \"%s\": %s, batch up to %d, ", plan->net->name,
              plan->training ? "training" : "inference", plan->desc.batch);
    if (plan->desc.time > 1) nn__print(writer, "time up to %d, ", plan->desc.time);
    nn__print(writer, "%d steps\n", plan->step_count);
    for (int i = 0; i < plan->device_count; i++) {
        const nn__open_device *open = nn__find_device(plan->nn, plan->devices[i].device);
        bool is_default = plan->net->device_is_default &&
                          nn_same_device(plan->net->device, plan->devices[i].device);
        nn__print(writer, "  on %s%s%s%s%s\n",
                  nn_format_device(plan->devices[i].device, device, sizeof device),
                  is_default ? " (default)" : "", open && !open->limits.host_memory ? " (" : "",
                  open && !open->limits.host_memory ? open->limits.name : "",
                  open && !open->limits.host_memory ? ")" : "");
    }
    for (int i = 0; i < nn_device_count(plan->nn); i++)
        if (nn__find_plan_device(plan, nn_device_at(plan->nn, i)) < 0)
            nn__print(writer, "  %s is open and unused\n",
                      nn_format_device(nn_device_at(plan->nn, i), device, sizeof device));
}

/* Writes the steps: operation with its fused activation ("conv2d+relu"), and result. */
static void nn__report_steps(const nn_plan *plan, const nn_writer *writer) {
    double total = 0;
    nn__print(writer, "\nsteps\n    # %-26s %-28s %-26s %-10s %10s\n", "operation", "result",
              "shape", "device", "flops");
    for (int i = 0; i < plan->step_count; i++) {
        const nn__step *step = &plan->steps[i];
        const nn_node *result = step->output >= 0 ? plan->values[step->output].node : step->node;
        char shape[NN__SHAPE_TEXT], device[16], flops[32], operation[64];
        nn__format(operation, sizeof operation, "%s%s%s", step->node->rule->name,
                   step->fused ? "+" : "", step->fused ? step->fused->rule->name : "");
        nn__print(writer, "  %3d %-26s %-28s %-26s %-10s %10s\n", i + 1, operation, result->name,
                  step->output >= 0 ? nn__format_shape(result->shape, shape, sizeof shape) : "",
                  nn_format_device(step->node->device, device, sizeof device),
                  nn__report_flops(flops, sizeof flops, step->flops));
        total += step->flops;
    }
    char flops[32];
    nn__print(writer, "  %d steps, %sflop a run\n", plan->step_count,
              nn__report_flops(flops, sizeof flops, total));
}

/* Writes which steps run as one, and why others do not. */
static void nn__report_chains(const nn_plan *plan, const nn_writer *writer) {
    char device[16];
    for (int s = 0; s < plan->step_count; s++) {
        const nn__step *step = &plan->steps[s];
        if (step->chain && !step->behind)
            nn__print(writer, "  steps %d to %d run as one on %s\n", s + 1, s + step->chain,
                      nn_format_device(step->node->device, device, sizeof device));
    }
    if (plan->apart)
        nn__print(writer, "  step %d runs alone: %s\n", plan->apart_at + 1, plan->apart);
    if (plan->desc.separate_steps)
        nn__print(writer, "  each step is alone: %s\n",
                  plan->separate ? plan->separate : ".separate_steps");
}

static void nn__report_tensors(const nn_plan *plan, const nn_writer *writer) {
    nn__print(writer, "\ntensors\n      %-28s %-26s %-5s %-10s %-11s %10s\n", "name", "shape",
              "dtype", "device", "kind", "bytes");
    for (int i = 0; i < plan->value_count; i++) {
        const nn__value *value = &plan->values[i];
        const nn_node *node = value->node;
        char shape[NN__SHAPE_TEXT], device[16];
        if ((value->place == NN__PLACE_ARENA && value->first < 0) ||
            nn__has_effect(node))
            continue;
        const size_t bytes = nn__node_bytes(node, plan->desc.batch, plan->desc.time);
        nn__print(writer, "      %-28s %-26s %-5s %-10s %-11s %10llu\n", node->name,
                  nn__format_shape(node->shape, shape, sizeof shape), nn_dtype_name(node->dtype),
                  nn_format_device(node->device, device, sizeof device),
                  nn__report_storage(plan, value),
                  value->place == NN__PLACE_ALIAS ? 0ull : (unsigned long long)bytes);
    }
}

/* True if neither end of the transfer is in host memory. Then the bytes move twice. */
static bool nn__report_staged(const nn_plan *plan, const nn_node *node) {
    const nn__open_device *to = nn__find_device(plan->nn, node->device),
                          *from = nn__find_device(plan->nn, node->inputs[0]->device);
    return to && from && to != from && !to->limits.host_memory && !from->limits.host_memory;
}

static void nn__report_transfers(const nn_plan *plan, const nn_writer *writer) {
    int count = 0;
    nn__print(writer, "\ntransfers inside a run\n");
    for (int i = 0; i < plan->step_count; i++) {
        const nn__step *step = &plan->steps[i];
        char from[16], to[16], site[96];
        if (!(step->node->rule->flags & NN__TRANSFER)) continue;
        count++;
        const size_t bytes = nn__node_bytes(step->node, plan->desc.batch, plan->desc.time);
        nn__print(
            writer, "      %-28s %s -> %s, %llu bytes%s, described at %s%s%s\n", step->node->name,
            nn_format_device(step->node->inputs[0]->device, from, sizeof from),
            nn_format_device(step->node->device, to, sizeof to), (unsigned long long)bytes,
            nn__report_staged(plan, step->node) ? " staged over the host (down, then up)" : "",
            nn__format_site(step->node->site, site, sizeof site), step->via ? ": " : "",
            step->via ? step->via : "");
    }
    if (!count) nn__print(writer, "      none\n");
}

/* Returns the algorithm of a convolution, or of a step that contains convolutions, at the plan's
   largest batch. NULL: it is no convolution, or its device does not tell. */
static const char *nn__report_way(const nn_plan *plan, const nn__step *step) {
    const nn_kernel kernel = step->node->rule->kernel;
    nn__args args;
    nn__lowering lowering;
    nn_view views[NN__REPORT_INPUTS];
    if (!step->args) return NULL;
    if (kernel == NN_KERNEL_CONV_POOL_FORWARD || kernel == NN_KERNEL_CONV_POOL_BACKWARD_INPUT ||
        kernel == NN_KERNEL_CONV_POOL_BACKWARD_WEIGHT)
        return "one block with its relu and maximum, of which the places are kept";
    if (kernel == NN_KERNEL_SEPARABLE)
        return "depth first: the values between its convolutions are never whole in memory";
    if (!plan->nn->way || step->output < 0 || step->node->input_count > NN__REPORT_INPUTS ||
        (kernel != NN_KERNEL_CONV2D_FORWARD && kernel != NN_KERNEL_CONV2D_BACKWARD_INPUT &&
         kernel != NN_KERNEL_CONV2D_BACKWARD_WEIGHT))
        return NULL;
    memset(&args, 0, sizeof args);
    memset(&lowering, 0, sizeof lowering);
    for (int i = 0; i <= step->node->input_count; i++) {
        const bool output = i == step->node->input_count;
        const nn__value *value = &plan->values[output ? step->output : step->inputs[i]];
        nn_view *view = output ? &lowering.output : &views[i];
        *view = value->view;
        view->dtype = value->node->dtype;
        nn__resolve_shape(&view->shape, &value->node->shape, plan->desc.batch, plan->desc.time);
    }
    for (int k = 0; k < NN__MAX_OUTPUTS - 1; k++)
        if (step->more[k] >= 0) lowering.more[k] = plan->values[step->more[k]].view;
    lowering.inputs = views;
    lowering.activation = step->activation;
    lowering.values = &plan->run;
    step->node->rule->lower(step->node, &lowering, &args);
    args.conv2d_forward.direct = plan->desc.direct_convolutions;
    if (step->keeps) args.conv2d_forward.keep = NN_KEEP_USES;
    return plan->nn->way(plan->nn, step->node->device, kernel, &args);
}

static void nn__report_convolutions(const nn_plan *plan, const nn_writer *writer) {
    char at[NN__EXTENTS_TEXT];
    int count = 0;
    for (int i = 0; i < plan->step_count; i++) {
        const nn__step *step = &plan->steps[i];
        const char *way = nn__report_way(plan, step);
        if (!way) continue;
        if (count++ == 0)
            nn__print(writer, "\nconvolutions, at %s\n",
                      nn__format_extents(plan, plan->desc.batch, plan->desc.time, at, sizeof at));
        nn__print(writer, "  %3d %-26s %-28s %s\n", i + 1, step->node->rule->name,
                  step->node->name, way);
    }
}

/* Writes the tiles that devices choose for steps, and whether they were measured. */
static void nn__report_ways(const nn_plan *plan, const nn_writer *writer) {
    char text[128], at[NN__EXTENTS_TEXT];
    int count = 0;
    for (int i = 0; i < plan->step_count; i++) {
        const nn__step *step = &plan->steps[i];
        const nn__open_device *open = nn__find_device(plan->nn, step->node->device);
        const char *way = NULL;
        if (!open || !open->backend->way || !step->args) continue;
        /* Before the first run, the arguments are those of the last batch tried for the scratch
           size. */
        nn__lower_step((nn_plan *)plan, &plan->steps[i]);
        way = open->backend->way(open->state, step->node->rule->kernel, step->args, text,
                                 sizeof text);
        if (!way) continue;
        if (count++ == 0)
            nn__print(writer, "\ntiles, at %s\n",
                      nn__format_extents(plan, plan->run.batch, plan->run.time, at, sizeof at));
        nn__print(writer, "  %3d %-26s %-28s %s\n", i + 1, step->node->rule->name,
                  step->node->name, way);
    }
}

static void nn__report_memory(const nn_plan *plan, const nn_writer *writer) {
    static const char *const names[] = {"parameters",  "constants", "state",           "inputs",
                                        "activations", "scratch",   "prepared weights"};
    for (int i = 0; i < plan->device_count; i++) {
        nn_device device = plan->devices[i].device;
        char text[16], amount[32];
        uint64_t total = 0;
        nn__print(writer, "\nmemory on %s\n", nn_format_device(device, text, sizeof text));
        for (int c = 0; c < NN_MEMORY_CATEGORY_COUNT; c++) {
            uint64_t bytes = nn_plan_bytes(plan, device, (nn_memory_category)c);
            total += bytes;
            nn__print(writer, "      %-28s %12llu\n", names[c], (unsigned long long)bytes);
        }
        nn__print(writer, "      %-28s %12llu  (%s)\n", "together", (unsigned long long)total,
                  nn__format_bytes(amount, sizeof amount, total));
        nn__print(writer, "      %-28s %12llu\n", "least possible activations",
                  (unsigned long long)plan->devices[i].lower_bound);
    }
}

#ifndef NN_NO_TRAINING
/* Writes which steps run twice because of nn_recompute_begin, and how many bytes this saves. */
static void nn__report_repeated(const nn_plan *plan, const nn_writer *writer) {
    char flops[32], bytes[32];
    uint64_t saved = 0;
    double work = 0;
    int count = 0;
    for (int s = 0; s < plan->step_count; s++) {
        count += plan->steps[s].node->repeats;
        if (plan->steps[s].node->repeats) work += plan->steps[s].flops;
    }
    if (count == 0) return;
    for (int i = 0; i < plan->value_count; i++) {
        const nn_node *node = plan->values[i].node;
        if (!node->repeats || plan->values[i].place == NN__PLACE_ALIAS) continue;
        for (int k = 0; k < plan->value_count; k++)
            if (plan->values[k].node == node->again &&
                nn__root(plan, k)->last < nn__root(plan, i)->first)
                saved += nn__node_bytes(node, plan->desc.batch, plan->desc.time);
    }
    nn__print(writer,
              "\ncomputed again in the backward pass: %d steps, %sflop; %llu bytes (%s) of their "
              "results are not kept from the forward pass\n",
              count, nn__report_flops(flops, sizeof flops, work), (unsigned long long)saved,
              nn__format_bytes(bytes, sizeof bytes, saved));
}
#else
#define nn__report_repeated(plan, writer) ((void)0)
#endif

static void nn__report_warnings(const nn_plan *plan, const nn_writer *writer) {
    const nn__warning *warning = plan->net->warnings;
    if (warning) nn__print(writer, "\nwarnings\n");
    for (; warning; warning = warning->next) nn__print(writer, "      %s\n", warning->text);
}

NN_API void nn_write_plan(const nn_plan *plan, nn_writer writer) {
    if (nn__plan_gone(plan, nn__no_site(), "nn_write_plan")) return;
    nn__report_head(plan, &writer);
    nn__report_steps(plan, &writer);
    nn__report_chains(plan, &writer);
    nn__report_convolutions(plan, &writer);
    nn__report_ways(plan, &writer);
    nn__report_precision(plan, &writer);
    nn__report_tensors(plan, &writer);
    nn__report_transfers(plan, &writer);
    nn__report_memory(plan, &writer);
    nn__report_repeated(plan, &writer);
    if (plan->tells) plan->tells(plan->teller, &writer);
    if (plan->note) nn__print(&writer, "\n%s\n", plan->note);
    nn__report_warnings(plan, &writer);
}

/* ---- Graphviz -------------------------------------------------------------------------------- */

/* Writes a name inside a quoted label, with quotes and backslashes escaped. */
static void nn__report_label(const nn_writer *writer, const char *text) {
    for (; *text; text++) nn__print(writer, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
}

/* True if the value is an output of the step. */
static bool nn__report_makes(const nn__step *step, int value) {
    bool makes = step->output == value;
    for (int k = 0; k < NN__MAX_OUTPUTS - 1; k++) makes = makes || step->more[k] == value;
    return makes;
}

NN_API void nn_write_dot(const nn_plan *plan, nn_writer writer) {
    if (nn__plan_gone(plan, nn__no_site(), "nn_write_dot")) return;
    nn__print(&writer,
              "digraph plan {\n  rankdir=TB;\n  node [fontname=\"sans-serif\", fontsize=10];\n");
    for (int i = 0; i < plan->value_count; i++) {
        const nn__value *value = &plan->values[i];
        char shape[NN__SHAPE_TEXT];
        if (value->node->kind == NN__OPERATION || value->node->kind == NN__OUTPUT) continue;
        nn__print(&writer, "  v%d [shape=ellipse, label=\"", i);
        nn__report_label(&writer, value->node->name);
        nn__print(&writer, "\\n%s\"];\n",
                  nn__format_shape(value->node->shape, shape, sizeof shape));
    }
    for (int i = 0; i < plan->step_count; i++) {
        const nn__step *step = &plan->steps[i];
        char shape[NN__SHAPE_TEXT], device[16];
        const nn_node *result = step->output >= 0 ? plan->values[step->output].node : step->node;
        nn__print(&writer, "  s%d [shape=box, label=\"%s%s%s ", i, step->node->rule->name,
                  step->fused ? "+" : "", step->fused ? step->fused->rule->name : "");
        nn__report_label(&writer, result->name);
        nn__print(&writer, "\\n%s on %s\"];\n",
                  nn__format_shape(result->shape, shape, sizeof shape),
                  nn_format_device(step->node->device, device, sizeof device));
        for (int j = 0; j < step->node->input_count; j++) {
            int made = -1, root = (int)(nn__root(plan, step->inputs[j]) - plan->values);
            for (int k = 0; k < i; k++)
                if (nn__report_makes(&plan->steps[k], step->inputs[j]) ||
                    plan->steps[k].output == root)
                    made = k;
            if (made >= 0)
                nn__print(&writer, "  s%d -> s%d;\n", made, i);
            else
                nn__print(&writer, "  v%d -> s%d;\n", root, i);
        }
    }
    nn__print(&writer, "}\n");
}

#else

NN_API void nn_write_plan(const nn_plan *plan, nn_writer writer) {
    (void)plan;
    (void)writer;
}
NN_API void nn_write_dot(const nn_plan *plan, nn_writer writer) {
    (void)plan;
    (void)writer;
}

#endif
