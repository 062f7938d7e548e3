/* train/augment.h - random changes of images, made on the device that trains.

   There are two halves: nn_draw_augment draws one row of numbers for each sample on the host, and
   nn_augment applies the rows on any device. A draw depends on the seed, the epoch and the sample's
   number in the dataset, not on the batch, threads or the device. Only the partner of a mixup is
   taken from the batch. Equal rows give equal pixels on every device, within 1e-5. nn_augment_args
   tells what is computed, and in which order. */
#pragma once

#include "kernels/augment/choices.h"
#include "tensor/tensor.h"

/* Zero: off. Names and meanings are those of torchvision's transforms, unless stated otherwise. */
typedef struct nn_augment_desc {
    /* only for loaders. default: the first f32 field with three axes (C, H, W) */
    const char *field;
    float pixel_scale;  /* default: 1 / 255 from u8 to f32 (ToTensor), else 1; in a loader: the
                           field's scale and offset. v = x * pixel_scale + pixel_offset */
    float pixel_offset; /* default: 0 */
    float mean[4];      /* default: 0. Normalize for up to 4 channels: (v - mean) / std */
    float std[4];       /* default: 1 */
    /* default: none. Replaces mean and std, for any number of channels: (2, C) f32 on the device of
       the images, the means and then the stds */
    const nn_tensor *normalize;

    int crop; /* RandomCrop's height and width; default: those of x, which moves images only with
                 padding */
    int crop_w;  /* default: crop */
    int padding; /* zeros around x before the crop */
    float flip;  /* RandomHorizontalFlip's p */

    float degrees;      /* RandomAffine: the angle is drawn from (-degrees, degrees) */
    float translate[2]; /* at most this part of the width and of the height, in whole pixels */
    float zoom[2];      /* RandomAffine's scale: the factor is drawn from [low, high); zeros: 1 */
    float shear;        /* degrees along x, drawn from (-shear, shear) */
    float shear_y;      /* the same along y. RandomAffine is bilinear here; torchvision's default is
                           NEAREST */

    float brightness; /* ColorJitter: a factor from [max(0, 1 - brightness), 1 + brightness) */
    float contrast;   /* the same; always after brightness, while torchvision draws the order */

    int cutout; /* side of a square around a random pixel (Cutout of DeVries and Taylor, 2017) */
    float fill; /* the value in the square, after Normalize */

    /* alpha: y = lambda x + (1 - lambda) partner, lambda drawn from Beta(alpha, alpha) for each
       sample (Zhang et al., "mixup", 2017, draw one for a batch). The loss of the sample is lambda
       loss(its label) + (1 - lambda) loss(the partner's label): see below */
    float mixup;
} nn_augment_desc;

/* The loss of mixed images. nn_cross_entropy takes one label for each sample. The mean of two
   cross entropies, weighted by lambda, is the cross entropy of a target (N, C) with lambda at one
   label and 1 - lambda at the other (torch.nn.CrossEntropyLoss with probabilities):

     target = nn_input(net, "target", NN_F32, NN_SHAPE(NN_BATCH, C));
     each = nn_reduce(net, NN_SUM, nn_multiply(net, nn_log_softmax(net, logits), target),
                      NN_AXES(1), false);
     loss = nn_negate(net, nn_mean(net, each));

   The host fills the target in a loop of your own, because nn_fit and nn_train_step bind only
   fields of the dataset. Here plan is nn_trainer_plan(trainer):

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
         nn_train_on_inputs(trainer);
     }

   On a GPU the two downloads wait for the previous step. This code trusts the labels. nn_evaluate
   needs a dataset with a one-hot field "target". */

/* Returns the shape of y for images x (N, C, H, W); its rank is 0 if x has another shape or desc
   does not fit it. */
NN_API nn_shape nn_augment_shape(const nn_augment_desc *desc, nn_shape x);

/* Draws the table (count, NN_AUGMENT_COLUMNS) for a batch of these samples, given by their numbers
   in the dataset, from 0. Their images are (C, H, W) or (N, C, H, W). Upload the table as a
   tensor of that shape. */
NN_API nn_result nn_draw_augment_at(nn_site site, nn_context *nn, const nn_augment_desc *desc,
                                    nn_shape picture, uint64_t seed, int32_t epoch,
                                    const int32_t *samples, int32_t count, float *table);
#define nn_draw_augment(...) nn_draw_augment_at(NN_HERE, __VA_ARGS__)

/* Computes y, the augmented x, at once; all tensors are on one device. x: (N, C, H, W) u8 or f32.
   y: nn_augment_shape, f32. table: (N, NN_AUGMENT_COLUMNS) f32. desc NULL: all defaults. table
   NULL: nothing is random, and x and y have one shape. Only pixel_scale, pixel_offset, mean and std
   apply, for evaluation. x may then have any rank, and y may be i32 labels if x is u8. */
NN_API nn_result nn_augment_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                               const nn_tensor *table, const nn_augment_desc *desc);
#define nn_augment(...) nn_augment_at(NN_HERE, __VA_ARGS__)
