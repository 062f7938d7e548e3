/* plan/precision.c - what the products of a plan do to their f32 operands: lines of the report, and
   the check of nn_plan_desc.require_precision. Devices answer by nn_backend.rounds. */
#include "plan/passes.h"

#ifndef NN__LEAN

/* True if the step has products whose operands may be rounded. Then *format is the name of the
   format to which the device rounds them, or NULL: it does not, for the reason in why. */
static bool nn__precision_of_step(nn_plan *plan, int s, const char **format, char *why,
                                  size_t why_bytes) {
    static const char no_units[] = "this device has no matrix units";
    nn__step *step = &plan->steps[s];
    const nn_kernel kernel = step->node->rule->kernel;
    const nn__open_device *open = nn__find_device(plan->nn, step->node->device);
    *format = NULL;
    if (!step->args || !open || !nn__kernel_precision(kernel, step->args) ||
        nn__step_precision(plan, step->node) <= NN_PRECISION_HIGHEST)
        return false;
    /* Before the first run, the arguments are those of the last batch tried for the scratch size.
       Those of nn_run_on have addresses of the caller and must stay. nn__args_bytes rounds up to 16
       bytes, so it may exceed the size of nn__args. */
    unsigned char before[(sizeof(nn__args) + 15) / 16 * 16];
    memcpy(before, step->args, nn__args_bytes(kernel));
    nn__lower_step(plan, step);
    why[0] = 0;
    if (open->backend->rounds)
        *format = open->backend->rounds(open->state, kernel, step->args, why, why_bytes);
    memcpy(step->args, before, nn__args_bytes(kernel));
    if (*format && nn__in_chain(step)) { /* joined kernels compute in f32 */
        *format = NULL;
        nn__copy_text(why, why_bytes,
                      "it runs as one with other steps; .separate_steps lets it run alone");
    }
    if (!*format && !why[0]) nn__copy_text(why, why_bytes, no_units);
    return true;
}

NN_PRIVATE nn_result nn__plan_require(nn_plan *plan) {
    const char *const who = plan->training ? "nn_make_trainer" : "nn_make_plan";
    for (int d = 0; d < plan->device_count && plan->desc.require_precision; d++) {
        char why[200], reason[200], device[16];
        int products = 0, rounded = 0;
        for (int s = 0; s < plan->step_count; s++) {
            const char *format;
            if (plan->steps[s].device != d ||
                !nn__precision_of_step(plan, s, &format, why, sizeof why))
                continue;
            if (products++ == 0) memcpy(reason, why, sizeof reason);
            rounded += format != NULL;
        }
        if (products == 0 || rounded > 0) continue;
        return nn__fail_at(
            plan->nn, plan->site, NN_ERROR_UNSUPPORTED,
            "%s: .require_precision is set, and %s computes all %d products of \"%s\" in f32: %s; "
            "leave .require_precision out to take f32, or name another device",
            who, nn_format_device(plan->devices[d].device, device, sizeof device), products,
            plan->net->name, reason);
    }
    return NN_OK;
}

#ifndef NN_NO_REPORTS
/* Returns the half dtype in which both operands of a step's product are stored; 0: there is
   none. */
static nn_dtype nn__precision_stored(const nn__step *step) {
    const nn_gemm_args *product = &step->args->gemm;
    const bool both = step->node->rule->kernel == NN_KERNEL_GEMM &&
                      product->a.dtype == product->b.dtype && nn__is_half(product->a.dtype);
    return both ? product->a.dtype : NN_DTYPE_DEFAULT;
}

NN_PRIVATE void nn__report_precision(const nn_plan *plan, const nn_writer *writer) {
    static const char *const asked[] = {"", "HIGHEST", "HIGH", "MEDIUM"};
    int count = 0;
    bool autocast = false;
    for (int s = 0; s < plan->step_count; s++) autocast |= plan->steps[s].node->autocast != 0;
    for (int s = 0; s < plan->step_count; s++) {
        const nn_node *node = plan->steps[s].node;
        const char *format;
        char why[200];
        if (!nn__precision_of_step((nn_plan *)plan, s, &format, why, sizeof why)) continue;
        if (count++ == 0)
            nn__print(writer,
                      "\nproducts, and what their operands are rounded to: NN_PRECISION_%s%s\n",
                      asked[plan->desc.precision], autocast ? ", nn_autocast_begin" : "");
        const nn_dtype stored = nn__precision_stored(&plan->steps[s]);
        nn__print(writer, "  %3d %-26s %-28s %s%s\n", s + 1, node->rule->name, node->name,
                  stored   ? nn_dtype_name(stored)
                  : format ? format
                           : "f32: ",
                  stored   ? ", as they are stored"
                  : format ? ""
                           : why);
    }
}
#endif

#endif /* NN__LEAN */

typedef int nn__plan_precision_part; /* a part must not be empty under NN__LEAN */
