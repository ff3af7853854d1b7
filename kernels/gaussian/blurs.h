/* SPDX-License-Identifier: MIT
 *
 * blurs: what operations share that are made of several Gaussian blurs of an image, or of derivatives of them: arguments, form, and weighted
 * sums. Each blur is as gaussian makes it, in float, or in double of 64-bit images.
 */
#ifndef KERNELS_GAUSSIAN_BLURS_H
#define KERNELS_GAUSSIAN_BLURS_H

#include "kernels/common/scratch_image.h"
#include "kernels/gaussian/gaussian_args.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Parameters of operations whose arguments begin with gaussian_args. */
#define BLURS_SIGMA(LABEL, DEFAULT, LEAST, HELP)                                                                       \
  {                                                                                                                    \
    FV_FIELD (gaussian_args, sigma), .label = (LABEL), .unit = FV_PIXELS, .def_text = (DEFAULT), .min = (LEAST),       \
                                     .max = 1000, .soft_min = 0.3, .soft_max = 50, .scale = FV_LOG, .help = (HELP)     \
  }
#define BLURS_MORE                                                                                                     \
  {FV_FIELD (gaussian_args, units), .label = "Units of sigma", .advanced = true, .choices = blurs_units,               \
   .help = "Whether sigma counts pixels or is a length in the image's unit."},                                         \
    {FV_FIELD (gaussian_args, truncate),                                                                               \
     .label = "Truncate",                                                                                              \
     .advanced = true,                                                                                                 \
     .def = 4,                                                                                                         \
     .max = 20,                                                                                                        \
     .soft_min = 2,                                                                                                    \
     .soft_max = 6,                                                                                                    \
     .help = "How many standard deviations the kernel reaches."},                                                      \
    {FV_FIELD (gaussian_args, border), .label = "Border", .advanced = true,                                            \
     .choices = (const fv_choice[]){BORDER_CHOICES, {0}}, .help = "Values outside the image."},                        \
    {FV_FIELD (gaussian_args, value), .label = "Value outside", .advanced = true, .enabled = "border=constant",        \
     .help = "The constant outside the image."},                                                                       \
  {                                                                                                                    \
    FV_FIELD (gaussian_args, volume), .label = "3-D (whole stack)",                                                    \
                                      .help = "Blurs along z too, taking the planes as one volume."                    \
  }

extern const fv_op fv_op_gaussian;
extern const fv_input blurs_inputs[];
extern const fv_choice blurs_units[];

fv_grain blurs_grain (const fv_op *op, const void *args);
void blurs_halo (const fv_op *op, const void *args, const fv_grid *input, int64_t halo[3]);

/* The output is a blur; errors are those of gaussian. */
fv_status blurs_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out,
                       fv_error *error);

/* A blur times a weight. */
typedef struct blurs_term {
  gaussian_args blur;
  double weight;
} blurs_term;

enum { BLURS_TERMS = 6 };

/* Memory for a blur. */
fv_status blurs_room (const fv_call *call, scratch_image *to, fv_error *error);
fv_status blurs_make (const fv_call *call, fv_device_kind kind, const gaussian_args *blur, const fv_array *to,
                      fv_error *error);

/* The output is the weighted sum; the weight of the first term is 1. */
fv_status blurs_sum_cpu (const fv_call *call, const blurs_term *terms, int n, fv_error *error);
fv_status blurs_sum_cuda (const fv_call *call, const blurs_term *terms, int n, fv_error *error);

/* Bytes of scratch for blurs one after the other while `kept` of them are kept, and products for a pixel. */
int64_t blurs_scratch (const blurs_term *terms, int n, int kept, const fv_grid *const *in);
double blurs_arithmetic (const blurs_term *terms, int n, const fv_grid *const *in);

#ifdef __cplusplus
}
#endif

#endif
