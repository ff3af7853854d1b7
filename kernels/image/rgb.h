/* SPDX-License-Identifier: MIT
 *
 * rgb: red, green and blue, as shares of the full value of the type (of floats 1), become:
 * - grey: w . (r, g, b), in the type of the image.
 * - hsb: hue, saturation and brightness, each from 0 to 1.
 * - lab: CIE L*a*b* of sRGB under D65, seen at 2 degrees.
 * - stains: log (max (rgb, 1e-6)) / log (1e-6) times the inverse of the colors of the stains in absorbance; values below 0 become 0.
 * A stain that is not named is the cross product of the other two. An image of one channel is one whose channels are alike. NaN spreads.
 * References: scikit-image's rgb2gray, rgb2hsv, rgb2lab and separate_stains; A. C. Ruifrok and D. A. Johnston, Quantification of histochemical
 * staining by color deconvolution, Anal. Quant. Cytol. Histol. 23 (2001), 291.
 */
#ifndef KERNELS_IMAGE_RGB_H
#define KERNELS_IMAGE_RGB_H

#include "kernels/common/common.h"
#include "kernels/common/defined.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rgb_to { RGB_GRAY, RGB_HSB, RGB_LAB, RGB_STAINS } rgb_to;

typedef struct rgb_args {
  int32_t to, weights, stains; /* the last two: of the choices */
} rgb_args;

typedef struct rgb_rule {
  int32_t to;
  double full; /* the value that counts as 1 */
  double matrix[3]
               [3]; /* grey: the weights, in the first row; stains: by which absorbances are multiplied from the left */
} rgb_rule;

rgb_rule rgb_rule_of (const rgb_args *args, fv_type type);
fv_status rgb_cuda (const fv_call *call, fv_error *error);

INLINE void
rgb_hsb (const double v[3], double to[3])
{
  const double most = v[0] > v[1] ? (v[0] > v[2] ? v[0] : v[2]) : (v[1] > v[2] ? v[1] : v[2]),
               least = v[0] < v[1] ? (v[0] < v[2] ? v[0] : v[2]) : (v[1] < v[2] ? v[1] : v[2]), range = most - least;
  double hue = 0;
  if (range > 0)
    hue = (v[2] == most   ? 4 + (v[0] - v[1]) / range
           : v[1] == most ? 2 + (v[2] - v[0]) / range
                          : (v[1] - v[2]) / range)
          / 6;
  const double nan = (v[0] - v[0]) + (v[1] - v[1]) + (v[2] - v[2]); /* or 0 */
  to[0] = hue - floor (hue) + nan;
  to[1] = (range > 0 ? range / most : 0) + nan;
  to[2] = most + nan;
}

INLINE double
rgb_lab_curve (double t)
{
  return t > 0.008856 ? defined_cbrt (t) : 7.787 * t + 16 / 116.0;
}

INLINE void
rgb_lab (const double v[3], double to[3])
{
  double c[3];
  for (int i = 0; i < 3; i++)
    c[i] = v[i] > 0.04045 ? defined_pow ((v[i] + 0.055) / 1.055, 2.4) : v[i] / 12.92;
  const double x = rgb_lab_curve ((0.412453 * c[0] + 0.357580 * c[1] + 0.180423 * c[2]) / 0.95047),
               y = rgb_lab_curve (0.212671 * c[0] + 0.715160 * c[1] + 0.072169 * c[2]),
               z = rgb_lab_curve ((0.019334 * c[0] + 0.119193 * c[1] + 0.950227 * c[2]) / 1.08883);
  to[0] = 116 * y - 16;
  to[1] = 500 * (x - y);
  to[2] = 200 * (y - z);
}

/* The channels that a pixel becomes: one of gray, else three. v: red, green and blue, as they are stored. */
INLINE void
rgb_pixel (const rgb_rule *r, const double stored[3], double to[3])
{
  double v[3];
  for (int i = 0; i < 3; i++)
    v[i] = stored[i] / r->full;
  if (r->to == RGB_GRAY)
    to[0] = stored[0] * r->matrix[0][0] + stored[1] * r->matrix[0][1] + stored[2] * r->matrix[0][2];
  else if (r->to == RGB_HSB)
    rgb_hsb (v, to);
  else if (r->to == RGB_LAB)
    rgb_lab (v, to);
  else {
    for (int i = 0; i < 3; i++)
      v[i] = defined_log (v[i] < 1e-6 ? 1e-6 : v[i]) / -13.815510557964274;
    for (int j = 0; j < 3; j++) {
      to[j] = v[0] * r->matrix[0][j] + v[1] * r->matrix[1][j] + v[2] * r->matrix[2][j];
      to[j] = to[j] < 0 ? 0 : to[j];
    }
  }
}

#ifdef __cplusplus
}
#endif

#endif
