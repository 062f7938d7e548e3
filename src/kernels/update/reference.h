/* kernels/update/reference.h - an optimizer's step and gradient clipping, as plain loops in
   double. */
#pragma once

static TEST_UNUSED void reference_clip(const nn_clip_args *c, reference_array scale,
                                       reference_array norm) {
    double sum = 0, factor;
    int64_t j;
    int i;
    for (i = 0; i < c->count; i++)
        for (j = 0; j < reference_count(&c->items[i].gradient); j++) {
            double g = (double)view_f32(&c->items[i].gradient)[j];
            sum += g * g;
        }
    factor = (double)c->max_norm / (sqrt(sum) + 1e-6);
    reference_set(scale, 0, factor < 1 || factor != factor ? factor : 1, 0);
    if (c->norm.dtype) reference_set(norm, 0, sqrt(sum), 0);
}

/* Returns the number that the user wrote. PyTorch computes with 0.999 in double; 1 - 0.999f would
   differ in the fifth digit. */
static double reference_decimal(float number) {
    double decimal = floor((double)number * 1e7 + 0.5) / 1e7;
    return (float)decimal == number ? decimal : (double)number;
}

/* Updates item i; m1 and m2 may be absent. */
static TEST_UNUSED void reference_update_item(const nn_update_args *u, int i, reference_array p,
                                              reference_array m1, reference_array m2) {
    const nn_update_item *item = &u->items[i];
    const float *parameter = view_f32(&item->parameter), *gradient = view_f32(&item->gradient);
    const float *moment1 = view_f32(&item->moment1), *moment2 = view_f32(&item->moment2);
    bool stopped = u->status.dtype && view_i32(&u->status)[0] != 0;
    double factor = u->gradient_scale.dtype ? (double)view_f32(&u->gradient_scale)[0] : 1;
    double lr = reference_decimal(u->learning_rate), decay = reference_decimal(u->weight_decay);
    double b1 = reference_decimal(u->beta1), b2 = reference_decimal(u->beta2);
    int64_t j;
    for (j = 0; j < reference_count(&item->parameter); j++) {
        double w = (double)parameter[j], g = (double)gradient[j] * factor, step, scale;
        if (stopped) {
            p.value[j] = w; p.scale[j] = 0;
            if (moment1) { m1.value[j] = (double)moment1[j]; m1.scale[j] = 0; }
            if (moment2) { m2.value[j] = (double)moment2[j]; m2.scale[j] = 0; }
            continue;
        }
        scale = fabs(w) + fabs(g);
        if (u->optimizer == NN_ADAMW) w *= 1 - lr * decay;
        else if (decay != 0) g += decay * w; /* 0 * infinity would be NaN */
        if (u->optimizer == NN_ADAM || u->optimizer == NN_ADAMW) {
            double m = b1 * (double)moment1[j] + (1 - b1) * g,
                   v = b2 * (double)moment2[j] + (1 - b2) * g * g;
            double unit = 1 / (1 - pow(b1, (double)u->step));
            double root = sqrt(v) / sqrt(1 - pow(b2, (double)u->step)) + (double)u->epsilon;
            step = lr * unit * m / root;
            /* m may be a difference of nearly equal numbers: its error, divided by root, is part of
               the scale */
            scale += lr * unit *
                     (b1 * fabs((double)moment1[j]) +
                      (1 - b1) * (fabs(g) + (decay != 0 ? fabs(decay * w) : 0))) /
                     root;
            reference_set(m1, j, m,
                          fabs((double)moment1[j]) + fabs(g) + (decay != 0 ? fabs(decay * w) : 0));
            reference_set(m2, j, v, 0);
        } else {
            if (moment1) {
                double m = u->step == 1 ? g
                                        : (double)u->momentum * (double)moment1[j] +
                                              (1 - (double)u->dampening) * g;
                reference_set(m1, j, m, fabs((double)u->momentum * (double)moment1[j]) + fabs(g));
                g = u->nesterov ? g + (double)u->momentum * m : m;
            }
            step = lr * g;
        }
        reference_set(p, j, w - step, scale + fabs(step));
    }
}

static TEST_UNUSED void reference_case_clip(const nn_clip_args *a, const reference_outputs *out) {
    reference_clip(a, reference_at(out, &a->scale), reference_at(out, &a->norm));
}

static TEST_UNUSED void reference_case_update(const nn_update_args *a,
                                              const reference_outputs *out) {
    for (int i = 0; i < a->count; i++)
        reference_update_item(a, i, reference_at(out, &a->items[i].parameter),
                              reference_at(out, &a->items[i].moment1),
                              reference_at(out, &a->items[i].moment2));
}
