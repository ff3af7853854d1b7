/* SPDX-License-Identifier: MIT
 *
 * h_maxima: 255 on the tops of peaks that rise by at least h over the highest saddle to a higher one, else 0. These are where in - R (in - h) >= h,
 * with R the reconstruction by dilation under the image. Of integers in - h ends at the least value of the type, and h is rounded up; of floats it is
 * in - h - 2 e |in|, e = 10^-6 or 10^-15, since in - (in - h) may come out below h. No peak of a plane, or of the volume, whose values span less than
 * h. NaN and infinity are no peaks. Reference: skimage.morphology.h_maxima.
 */
#ifndef KERNELS_MORPHOLOGY_H_MAXIMA_H
#define KERNELS_MORPHOLOGY_H_MAXIMA_H

#include "kernels/common/scratch_image.h"
#include "kernels/morphology/reconstruct_grey.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct h_maxima_args {
  double h;
  int32_t connectivity; /* label_connectivity */
  bool volume;
} h_maxima_args;

/* How many planes have peaks of their own: all, or one volume. */
int64_t h_maxima_groups (const fv_call *call);
/* Takes scratch for the image below the image, which becomes its reconstruction, and behind it for two numbers of 8 bytes for each group. */
fv_status h_maxima_room (const fv_call *call, scratch_image *below, void **spans, fv_error *error);
/* Reconstructs it under the image on a device of that kind. */
fv_status h_maxima_reconstruct (const fv_call *call, fv_device_kind kind, const scratch_image *below, fv_error *error);

/* v - h as above, and whether what is left of `below` makes v a top. */
#define H_MAXIMA_INTEGER(NAME, T, LEAST)                                                                               \
  INLINE T h_maxima_lower_##NAME (T v, double h)                                                                       \
  {                                                                                                                    \
    return h >= (double) v - (LEAST) ? (T) (LEAST) : (T) ((int64_t) v - (int64_t) ceil (h));                           \
  }                                                                                                                    \
  INLINE bool h_maxima_is_top_##NAME (T v, T below, double h)                                                          \
  {                                                                                                                    \
    return (double) v - (double) below >= h;                                                                           \
  }
H_MAXIMA_INTEGER (u8, uint8_t, 0)
H_MAXIMA_INTEGER (u16, uint16_t, 0)
H_MAXIMA_INTEGER (i32, int32_t, INT32_MIN)

/* Never fused with the subtraction, so that every device gives the same. */
#ifdef __CUDA_ARCH__
#define H_MAXIMA_PRODUCT(NAME, A, B) h_maxima_product_##NAME (A, B)
INLINE float
h_maxima_product_f32 (float a, float b)
{
  return __fmul_rn (a, b);
}
INLINE double
h_maxima_product_f64 (double a, double b)
{
  return __dmul_rn (a, b);
}
#else
#define H_MAXIMA_PRODUCT(NAME, A, B) ((A) * (B))
#endif

#define H_MAXIMA_FLOAT(NAME, T, TWICE)                                                                                 \
  INLINE T h_maxima_lower_##NAME (T v, double h)                                                                       \
  {                                                                                                                    \
    return v - (T) h - H_MAXIMA_PRODUCT (NAME, TWICE, v < 0 ? -v : v);                                                 \
  }                                                                                                                    \
  INLINE bool h_maxima_is_top_##NAME (T v, T below, double h)                                                          \
  {                                                                                                                    \
    return v - below >= (T) h;                                                                                         \
  }
H_MAXIMA_FLOAT (f32, float, 2e-6f)
H_MAXIMA_FLOAT (f64, double, 2e-15)

/* Whether all values from least to most span less than h. */
INLINE bool
h_maxima_is_flat (fv_type type, double least, double most, double h)
{
  return type == FV_F32 ? (float) h > (float) (most - least) : h > most - least;
}

fv_status h_maxima_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
