/* group/agree_loader.c - the comparison of the ranks' loaders. */
#include "group/private.h"

#ifndef NN__NO_TRAINER

static void nn__loader_write_numbers(const nn_writer *writer, const char *key, const float *values,
                                     int count) {
    nn__print(writer, "%s\t", key);
    for (int i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        nn__print(writer, "%s%g (%08x)", i ? ", " : "", (double)values[i], (unsigned)bits);
    }
    nn__print(writer, "\n");
}

static void nn__loader_write_augment(const nn_writer *writer, const nn_augment_desc *d) {
    const float jitter[] = {d->brightness, d->contrast, d->fill, d->mixup, d->flip};
    const float affine[] = {d->degrees, d->translate[0], d->translate[1], d->zoom[0],
                            d->zoom[1], d->shear,        d->shear_y};
    const float pixel[] = {d->pixel_scale, d->pixel_offset};
    nn__print(writer, "augment crop, padding, cutout\t%d x %d, %d, %d\n", d->crop, d->crop_w,
              d->padding, d->cutout);
    nn__loader_write_numbers(writer, "augment pixel_scale, pixel_offset", pixel, 2);
    nn__loader_write_numbers(writer, "augment mean", d->mean, 4);
    nn__loader_write_numbers(writer, "augment std", d->std, 4);
    nn__loader_write_numbers(writer, "augment degrees, translate, zoom, shear, shear_y", affine, 7);
    nn__loader_write_numbers(writer, "augment brightness, contrast, fill, mixup, flip", jitter, 5);
}

static void nn__loader_write(const void *user, const nn_writer *writer) {
    const nn_loader *loader = (const nn_loader *)user;
    nn__print(writer, "samples\t%d\n", (int)loader->count);
    nn__print(writer, "batch\t%d\n", (int)loader->whole);
    nn__print(writer, "shards\t%d\n", (int)loader->shards);
    nn__print(writer, "seed\t%llu\n", (unsigned long long)loader->seed);
    nn__print(writer, "shuffle\t%s\n", loader->ring->order ? "true" : "false");
    nn__print(writer, "drop_last\t%s\n", loader->drop_last ? "true" : "false");
    for (int f = 0; f < loader->field_count; f++) {
        const nn_field *field = &loader->dataset->fields[f];
        const float numbers[] = {field->scale, field->offset};
        char shape[NN__SHAPE_TEXT], key[NN_NAME_BYTES + 32];
        nn__format(key, sizeof key, "field \"%s\" scale, offset", loader->dataset->names[f]);
        nn__loader_write_numbers(writer, key, numbers, 2);
        nn__print(writer, "field \"%s\"\t%s %s\n", loader->dataset->names[f],
                  nn__format_shape(field->shape, shape, sizeof shape),
                  nn_dtype_name(field->dtype));
    }
    if (loader->draws.on)
        nn__loader_write_augment(writer, &loader->fields[loader->draws.field].desc);
}

NN_PRIVATE nn_result nn__loader_compare(nn_group *group, const nn_loader *loader, nn_site site) {
    const char *const who = "nn_make_loader";
    nn__agree_text text;
    nn_result result;
    if (nn_group_size(group) < 2) return loader ? NN_OK : NN_ERROR_ARGUMENT;
    result = nn__group_agree(group, loader ? NN_OK : nn__group_fault(group->head.nn), NULL, site,
                             who);
    text.write = nn__loader_write;
    text.user = loader;
    text.what = "what their loaders deliver";
    return result == NN_OK ? nn__agree_compare(group, &text, site, who) : result;
}

#endif /* NN__NO_TRAINER */

typedef int nn__agree_loader_part; /* a part must not be empty under NN__NO_TRAINER */
