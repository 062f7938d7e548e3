/* plan/placement.c - finds every mistake of placement, with its cause and its fix: a device that is
   not open, operands on different devices, an operation that a device does not support. It changes
   nothing in the plan but the marks for plan/via.c. */
#include "plan/private.h"

static bool nn__placement_open(const nn_plan *plan, nn_device device) {
#ifdef NN__ONE_PIECE /* the one device of the plan */
    if (!nn_same_device(device, plan->devices->device)) return false;
#endif
    return nn__find_device(plan->nn, device) != NULL;
}

/* ---- a device that is not open: one fault for the model, one for each nn_device_begin -------- */

static bool nn__placement_reported(const nn__faults *faults, nn__fault_kind kind, nn_site site,
                                   const char *operation) {
#ifdef NN_NO_REPORTS
    (void)faults, (void)kind, (void)site, (void)operation; /* faults are only counted */
#else
    for (const nn__fault *fault = faults->first; fault; fault = fault->next)
        if (fault->kind == kind && fault->site.line == site.line && fault->site.file == site.file &&
            (!operation || strcmp(fault->operation, operation) == 0))
            return true;
#endif
    return false;
}

static void nn__placement_not_open(nn_plan *plan, nn__faults *faults, const nn_node *node) {
    char device[16], open[200];
    size_t length = 0;
    const char *operation = node->scope ? "nn_device_begin" : "model";
    nn_site site = node->scope ? node->scope->site : plan->net->site;
    if (nn__placement_reported(faults, NN__FAULT_NOT_OPEN, site, operation)) return;
    nn__fault *fault = nn__add_fault(faults, NN__FAULT_NOT_OPEN, operation,
                                     node->scope ? NULL : plan->net->name, site);
#ifndef NN_NO_REPORTS
    if (fault) fault->order = node->scope ? node->order : -1;
#endif
    open[0] = 0;
    for (int i = 0; i < nn_device_count(plan->nn) && length + 32 < sizeof open; i++) {
        char name[16];
        length += nn__explain(open + length, sizeof open - length, "%s%s", i ? ", " : "",
                             nn_format_device(nn_device_at(plan->nn, i), name, sizeof name));
    }
    nn__fault_cause(faults, fault, NN__TEXT("%s is not open; open devices: %s"),
                    nn_format_device(node->device, device, sizeof device), open);
    nn__fault_fix(faults, fault, "%s", nn__how_to_open(node->device.kind));
}

#ifndef NN__ONE_PIECE
/* ---- operands on different devices ----------------------------------------------------------- */

/* States why `node` is on its device, if an nn_device_begin put it there. */
static void nn__placement_scope_cause(nn__faults *faults, nn__fault *fault, const nn_node *node,
                                      const nn_node *operand, nn_device target) {
    char device[16], call[48], site[96];
    nn__fault_cause(faults, fault,
                    NN__TEXT("\"%s\" was described inside nn_device_begin(net, %s) at %s%s"),
                    node->name, nn_format_device(node->scope->device, device, sizeof device),
                    nn__format_site(node->scope->site, site, sizeof site),
                    node->scope->ended ? "" : NN__TEXT(", which was never ended"));
    nn__format_device_call(target, call, sizeof call);
    if (node->scope->ended)
        nn__fault_fix(faults, fault, NN__TEXT("cross on purpose: nn_transfer(net, %s, %s)"),
                      operand->name, call);
    else
        nn__fault_fix(
            faults, fault,
            NN__TEXT("end it before \"%s\", or cross on purpose: nn_transfer(net, x, %s)"),
            node->name, call);
}

/* A move takes everything along except nn_transfer, whose target device stays. */
static void nn__placement_moved(const nn_plan *plan, nn__faults *faults, nn__fault *fault,
                                const nn_node *transfer) {
    const nn_model *net = plan->net;
    char from[16], to[16], call[48], moved[96], site[96];
    nn__fault_cause(faults, fault,
                    NN__TEXT("%s at %s took the model to %s, but \"%s\" at %s still crosses to %s"),
                    net->mover, nn__format_site(net->moved, moved, sizeof moved),
                    nn_format_device(net->device, to, sizeof to), transfer->name,
                    nn__format_site(transfer->site, site, sizeof site),
                    nn_format_device(transfer->device, from, sizeof from));
    nn__format_device_call(net->device, call, sizeof call);
    nn__fault_fix(faults, fault,
                  NN__TEXT("describe the net for %s, with nn_transfer(net, %s, %s) in that place "
                           "or without it"),
                  nn_format_device(net->device, to, sizeof to), transfer->inputs[0]->name, call);
}

static void nn__placement_explain(nn_plan *plan, nn__faults *faults, nn__fault *fault,
                                  const nn_node *node, const nn_node *wrong) {
    char device[16], call[48];
    if (wrong->kind == NN__BORROWED) {
        if (plan->net->generation)
            nn__fault_cause(
                faults, fault,
                NN__TEXT("a tensor of yours, not registered with the model, so nn_move_model did "
                         "not take it along"));
        else
            nn__fault_cause(faults, fault,
                            NN__TEXT("a tensor of yours, not registered with the model, so it "
                                     "stays where you made it"));
        nn__fault_fix(faults, fault,
                      NN__TEXT("nn_constant(net, \"%s\", tensor) once, or nn_copy_to(tensor, %s)"),
                      wrong->name, nn_format_device(node->device, device, sizeof device));
    } else if (node->scope) {
        nn__placement_scope_cause(faults, fault, node, wrong, node->device);
    } else if (wrong->scope) {
        nn__placement_scope_cause(faults, fault, wrong, wrong, node->device);
    } else if (plan->net->generation && node->moves && !wrong->moves && wrong->input_count == 1) {
        nn__placement_moved(plan, faults, fault, wrong);
    } else {
        nn__format_device_call(node->device, call, sizeof call);
        nn__fault_cause(
            faults, fault,
            NN__TEXT("a value from nn_transfer is used by an operation that stayed on %s"),
            nn_format_device(node->device, device, sizeof device));
        nn__fault_fix(faults, fault, NN__TEXT("transfer it back: nn_transfer(net, %s, %s)"),
                      wrong->name, call);
    }
}

static void nn__placement_operands(nn_plan *plan, nn__faults *faults, const nn_node *node) {
    const nn_node *wrong = NULL, *right = NULL;
    for (int i = 0; i < node->input_count; i++) {
        const nn_node *input = node->inputs[i];
        if (!nn__placement_open(plan, input->device)) return; /* has its own fault */
        if (!nn_same_device(input->device, node->device))
            wrong = wrong ? wrong : input;
        else
            right = right ? right : input;
    }
    /* A gradient has the line of its forward operation, so one fault explains them all. If the
       forward operation has a fault, its gradients are not reported. */
    bool gradient = node->graph != &plan->net->graph;
    if (!wrong || (gradient && faults->count)) return;
    if (nn__placement_reported(faults, NN__FAULT_DEVICE, node->site,
                               gradient ? NULL : nn__operation(node)))
        return;
    nn__fault *fault = nn__add_node_fault(faults, NN__FAULT_DEVICE, node);
    for (int i = 0; i < node->input_count; i++) {
        const nn_node *input = node->inputs[i];
        bool differs = !nn_same_device(input->device, node->device);
        if (differs || input == right)
            nn__fault_operand(fault, nn__role(node, i), input, true);
        if (input == right) right = NULL;
    }
    bool alone = true;
    for (int i = 0; i < node->input_count; i++)
        alone = alone && !nn_same_device(node->inputs[i]->device, node->device);
    if (alone) nn__fault_operand(fault, "output", node, true);
    nn__placement_explain(plan, faults, fault, node, wrong);
}
#endif

/* ---- operations that a device cannot do ------------------------------------------------------ */

/* True if the device can do the step. Else writes the reason. */
static bool nn__placement_can(nn_plan *plan, nn__step *step, const nn__open_device *open,
                              char *reason, size_t size) {
    const nn_kernel kernel = step->node->rule->kernel;
    reason[0] = 0;
    if (kernel == NN_KERNEL_NONE) return true;
    if (!nn__has_kernel(open->backend, kernel)) {
        nn__explain(reason, size, "it has no kernel %s", nn_kernel_name(kernel));
        return false;
    }
    nn__lower_step(plan, step);
    return nn__supports(open, kernel, step->args, reason, size);
}

/* Marks the step for plan/via.c if the plan asks for that and the CPU can do it. If the CPU cannot
   do it either, adds the CPU's reason. */
static bool nn__placement_via(nn_plan *plan, nn__step *step, char *reason, size_t size) {
#ifdef NN_NO_REPORTS
    (void)plan, (void)step, (void)reason, (void)size;
    return false;
#else
    const nn_node *node = step->node;
    char device[16], name[NN_NAME_BYTES + 4], why_not[160], text[400];
    size_t length = strlen(reason);
    if (!nn__asks_detour(plan->desc.on_unsupported) || nn_same_device(node->device, nn__detour()) ||
        node->remembers || nn__continues(node)) /* a state stays on its device */
        return false;
    if (!nn__placement_can(plan, step, nn__find_device(plan->nn, nn__detour()), why_not,
                           sizeof why_not)) {
        nn__format(reason + length, size - length, "; nor can %s: %s",
                   nn_format_device(nn__detour(), device, sizeof device), why_not);
        return false;
    }
    nn__format(name, sizeof name, " \"%s\"", node->name);
    nn__format(text, sizeof text, "%s cannot do %s%s: %s",
               nn_format_device(node->device, device, sizeof device), node->operation,
               strcmp(node->name, node->operation) ? name : "", reason);
    const char *why = nn__arena_text(&plan->arena, text);
    step->via = why ? why : node->operation; /* without memory, plan/via.c reports that */
    return true;
#endif
}

static void nn__placement_support(nn_plan *plan, nn__faults *faults, nn__step *step) {
    const nn_node *node = step->node;
    const nn__open_device *open = nn__find_device(plan->nn, node->device);
    char reason[200], device[16];
    if (!open || nn__placement_can(plan, step, open, reason, sizeof reason)) return;
    if (nn__placement_via(plan, step, reason, sizeof reason)) return;
    nn__fault *fault = nn__add_node_fault(faults, NN__FAULT_UNSUPPORTED, node);
    for (int i = 0; i < nn__mini(node->input_count, 3); i++)
        nn__fault_operand(fault, nn__role(node, i), node->inputs[i], true);
    nn__fault_cause(faults, fault, NN__TEXT("%s cannot do it: %s"),
                    nn_format_device(node->device, device, sizeof device), reason);
    nn__fault_fix(faults, fault,
                  NN__TEXT("describe it inside nn_device_begin on another device, with nn_transfer "
                           "before and after%s"),
                  nn__asks_detour(plan->desc.on_unsupported) ||
                          nn_same_device(node->device, nn__detour())
                      ? ""
                      : NN__TEXT(", or " NN__DETOUR_HINT));
}

/* Adds a fault if even the largest batch has only one number for each channel. */
static void nn__placement_spread(nn_plan *plan, nn__faults *faults, const nn__step *step) {
    const nn_node *node = step->node;
    char at[NN__EXTENTS_TEXT];
    if (nn__step_has_spread(plan, step)) return;
    nn__fault *fault = nn__add_node_fault(faults, NN__FAULT_SHAPE, node);
    nn__fault_operand(fault, nn__role(node, 0), node->inputs[0], false);
    nn__fault_cause(faults, fault,
                    NN__TEXT("one number for each channel at %s, and training normalises by the "
                             "variance of the batch"),
                    nn__format_extents(plan, plan->desc.batch, plan->desc.time, at, sizeof at));
    nn__fault_fix(faults, fault, NN__TEXT("a larger .batch, or .frozen of the layer"));
}

/* True if all operands are on the node's device, and it is open. Otherwise the fault of the
   operands also explains their gradients. */
static bool nn__placement_same_place(const nn_plan *plan, const nn_node *node) {
#ifdef NN__ONE_PIECE
    (void)plan, (void)node;
    return true; /* or there is a fault already */
#else
    for (int i = 0; i < node->input_count; i++)
        if (!nn_same_device(node->inputs[i]->device, node->device)) return false;
    return nn__placement_open(plan, node->device);
#endif
}

NN_PRIVATE void nn__place(nn_plan *plan, nn__faults *faults) {
    nn__resolve_views(plan);
    for (int i = 0; i < plan->value_count; i++) {
        nn_node *node = plan->values[i].node;
        if (node->kind == NN__BORROWED) {
            node->device = node->tensor->device; /* the tensor may have moved */
#ifndef NN__ONE_PIECE
            plan->values[i].planned = node->device;
            plan->borrows = true;
#endif
        }
        if (!nn__placement_open(plan, node->device))
            nn__placement_not_open(plan, faults, node);
#ifndef NN__ONE_PIECE /* there all of them are on one device */
        else if (node->kind == NN__OPERATION && !(node->rule->flags & NN__TRANSFER))
            nn__placement_operands(plan, faults, node);
#endif
    }
    for (int i = 0; i < plan->step_count; i++) {
        nn__step *step = &plan->steps[i];
        if ((step->node->rule->flags & NN__TRANSFER) || !nn__placement_same_place(plan, step->node))
            continue;
        nn__placement_support(plan, faults, step);
        nn__placement_spread(plan, faults, step);
    }
    nn__sort_faults(faults);
}
