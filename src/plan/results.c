/* plan/results.c - the results of a run: views of them, and copies for the host. */
#include "plan/private.h"

/* True if the plan still has the node's value at the end of a run. */
static bool nn__results_holds(const nn__value *value) {
    return value->place == NN__PLACE_TENSOR || value->place == NN__PLACE_INPUT || value->kept;
}

NN_API nn_view nn_plan_view(nn_plan *plan, const nn_node *node) {
    nn_view none;
    memset(&none, 0, sizeof none);
    if (nn__plan_gone(plan, nn__no_site(), "nn_plan_view") || nn__plan_is_dry(plan)) return none;
    int i = node && plan->generation == plan->net->generation ? nn__find_value(plan, node) : -1;
    if (i < 0 || !nn__results_holds(&plan->values[i])) return none;
    nn__value *root = nn__root(plan, i);
    if (root->bound && !root->checked && !nn__bound_fits(plan, root)) return none;
    if (!plan->lowered) nn__resolve_views(plan);
    if (root->place == NN__PLACE_TENSOR) nn__reach_tensor(root->node->tensor);
    return plan->values[i].view;
}

static nn_result nn__inside_download(nn_site site, nn_plan *plan, const nn_node *node, void *to,
                                     size_t bytes) {
    char shape[NN__SHAPE_TEXT], at[NN__EXTENTS_TEXT];
    nn_result result = nn__check_plan(plan, site, "nn_download");
    if (result < 0) return result;
    nn_context *nn = plan->nn;
    int i = node ? nn__find_value(plan, node) : -1;
    if (!node || !to)
        return nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "nn_download: %s is NULL",
                           node ? "to" : "node");
    const nn__value *value = i < 0 ? NULL : &plan->values[i];
    if (!value || !nn__results_holds(value))
        return nn__fail_at(
            nn, site, NN_ERROR_ARGUMENT,
            "nn_download: this plan does not keep \"%s\"; make it an output, or call "
            "nn_keep(node) before nn_make_plan",
            node->name);
    if (plan->running || !plan->ran)
        return nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "nn_download: \"%s\" has no value yet; %s",
                           node->name,
                           plan->running ? "the run in slices is not done" : "call nn_run first");
    if (nn__root(plan, i)->anew)
        return nn__fail_at(
            nn, site, NN_ERROR_ARGUMENT,
            "nn_download: the last run did not read what \"%s\" was given since; call nn_run first",
            nn__root(plan, i)->node->name);
    if (bytes != nn__bytes(&value->view))
        return nn__fail_at(nn, site, NN_ERROR_SHAPE,
                           "nn_download: \"%s\" %s has %llu bytes in %s; got room for %zu",
                           node->name, nn__format_shape(value->view.shape, shape, sizeof shape),
                           (unsigned long long)nn__bytes(&value->view),
                           nn__format_extents(plan, plan->run.batch, plan->run.time, at, sizeof at),
                           bytes);
    result = nn__download(nn, node->device, &value->view, to, bytes, node->name, site);
    return result < 0 ? result : nn__read_status(plan, site, "nn_download");
}

NN_API nn_result nn_download_at(nn_site site, nn_plan *plan, const nn_node *node, void *to,
                                size_t bytes) {
    return NN__ALONE(plan ? plan->nn : NULL, "nn_download", site,
                     nn__inside_download(site, plan, node, to, bytes));
}
