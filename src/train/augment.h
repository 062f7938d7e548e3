/* train/augment.h - pictures changed at random on their way to the model, on the device that
   trains.

   Two halves: nn_draw_augment draws, on the host, one row of numbers per sample; nn_augment applies
   the rows on any device. A draw depends on the seed, the epoch and the sample's number in the data
   set, never on the batch, a thread or the device (but for the partner of a mix, which is one of
   the batch). Equal rows give equal pixels on every device, within 1e-5. What exactly is computed,
   and in which order: nn_augment_args. */
#pragma once

#include "kernels/augment/args.h"
#include "tensor/tensor.h"

/* Zero: off. Names and meanings are those of torchvision's transforms; where one differs, it says
   so. */
typedef struct nn_augment_desc {
    /* of loaders only. default: the first f32 field of three extents (C, H, W) */
    const char *field;
    float pixel_scale;  /* default: 1 / 255 from u8 to f32 (ToTensor), else 1; in a loader: the
                           field's scale and  offset. v = x * pixel_scale + pixel_offset */
    float pixel_offset; /* default: 0 */
    float mean[4];      /* default: 0. Normalize of up to 4 channels: (v - mean) / std */
    float std[4];       /* default: 1 */
    /* default: none. Instead of mean and std, for any number of channels: (2, C) f32 on the device
       of the pictures, the means and then the stds */
    const nn_tensor *normalize;

    int crop; /* RandomCrop's height and width; default: x's, which moves pictures only with
    padding */
    int crop_w;  /* default: crop */
    int padding; /* zeros around x before the crop */
    float flip;  /* RandomHorizontalFlip's p */

    float degrees;      /* RandomAffine: the angle is one of (-degrees, degrees) */
    float translate[2]; /* of the width and of the height: at most that part, in whole pixels */
    float zoom[2];      /* RandomAffine's scale: a factor of [low, high); zeros: 1 */
    float shear;        /* degrees along x, one of (-shear, shear) */
    float shear_y;      /* the same along y. Bilinear, where torchvision's default is NEAREST */

    float brightness; /* ColorJitter: a factor of [max(0, 1 - brightness), 1 + brightness) */
    float contrast;   /* the same; always after brightness, where torchvision draws the order */

    int cutout; /* side of a square around a random pixel (Cutout of DeVries and Taylor, 2017) */
    float fill; /* what stands in it, after Normalize */

    float mixup; /* alpha: y = lambda a + (1 - lambda) partner, lambda of Beta(alpha, alpha) for
                    each sample (Zhang et al., "mixup", 2017, draws one for a batch). The loss of
                    the sample is lambda loss(label) + (1 - lambda) loss(label of the partner): see
                    below */
} nn_augment_desc;

/* The loss of mixed pictures. nn_cross_entropy takes one label a sample; the mean of two of them,
   weighted by lambda, is the cross entropy of a target (N, C) with lambda at the one label and 1 -
   lambda at the other (what torch.nn.CrossEntropyLoss does with probabilities):

     target = nn_input(net, "target", NN_F32, NN_SHAPE(NN_BATCH, C));
     each = nn_reduce(net, NN_SUM, nn_multiply(net, nn_log_softmax(net, logits), target),
   NN_AXES(1), false); loss = nn_negate(net, nn_mean(net, each));

   The host fills the target, in a loop of your own (nn_fit and nn_train_step give only fields of
   the data set):

     while (nn_next_batch(loader)) {
         size_t batch = (size_t)nn_loader_batch(loader);
         nn_download_tensor(nn_batch_augment(loader), table, batch * sizeof table[0]);
         nn_download_tensor(nn_batch_tensor(loader, "label"), label, batch * sizeof label[0]);
         memset(mixed, 0, batch * sizeof mixed[0]);
         for (size_t n = 0; n < batch; n++) {
             mixed[n][label[n]] += table[n][NN_AUGMENT_LAMBDA];
             mixed[n][label[(int)table[n][NN_AUGMENT_PARTNER]]] += 1 - table[n][NN_AUGMENT_LAMBDA];
         }
         nn_bind(plan, image, nn_batch_tensor(loader, "image"));
         nn_upload(plan, target, mixed, batch * sizeof mixed[0]);
         nn_step(trainer);
     }

   where plan is nn_trainer_plan(trainer). Its price: on a GPU the two downloads wait for the step
   before, and labels are trusted. nn_evaluate wants a data set with a field "target", one-hot. */

/* The extents of y for pictures x (N, C, H, W); rank 0 when x is none or desc does not fit it. */
NN_API nn_shape nn_augment_shape(const nn_augment_desc *desc, nn_shape x);

/* Fills table (count, NN_AUGMENT_COLUMNS) for these samples of the data set (numbers of at least
   0), which make a batch of pictures (C, H, W) or (N, C, H, W). Upload it as a tensor of that
   shape. */
NN_API nn_result nn_draw_augment_at(nn_site site, nn_context *nn, const nn_augment_desc *desc,
                                    nn_shape picture, uint64_t seed, int32_t epoch,
                                    const int32_t *samples, int32_t count, float *table);
#define nn_draw_augment(...) nn_draw_augment_at(NN_HERE, __VA_ARGS__)

/* y = augmented x, at once, all on one device. x: (N, C, H, W) u8 or f32; y: nn_augment_shape, f32;
   table: (N, NN_AUGMENT_COLUMNS) f32. table NULL: nothing random, x and y of one shape: only
   pixel_scale, pixel_offset, mean and std, for evaluating; then any rank does, and y may be i32
   when x is u8: labels. desc NULL: all defaults. */
NN_API nn_result nn_augment_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                               const nn_tensor *table, const nn_augment_desc *desc);
#define nn_augment(...) nn_augment_at(NN_HERE, __VA_ARGS__)

#ifdef __cplusplus
extern "C++" {
inline nn_shape nn_augment_shape(const nn_augment_desc &desc, nn_shape x) {
    return nn_augment_shape(&desc, x);
}
inline nn_result nn_draw_augment_at(nn_site site, nn_context *nn, const nn_augment_desc &desc,
                                    nn_shape picture, uint64_t seed, int32_t epoch,
                                    const int32_t *samples, int32_t count, float *table) {
    return nn_draw_augment_at(site, nn, &desc, picture, seed, epoch, samples, count, table);
}
inline nn_result nn_augment_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                               const nn_tensor *table, const nn_augment_desc &desc) {
    return nn_augment_at(site, y, x, table, &desc);
}
}
#endif
