/* SPDX-License-Identifier: MIT
 *
 * ImageJ's own methods, for the CPU and the GPU alike: on 256 bins, with ImageJ's ways of making them of other types than u8 and
 * of turning a bin into a value. Its bin t separates what is at or below t from what is above; -1: there is none.
 * Integers: bin = floor ((v - low) * 256 / (high - low + 1) + 1/2), at most 255.
 * Floats: bin = floor ((v - low) * 255 / (high - low) + 1/2).
 * Foreground is v >= low + (t + 1) / 255 * (high - low), or v <= low + t / 255 * (high - low) on a light background; these limits are
 * rounded for integers.
 * Definition: ImageJ 1.53t, which is in the public domain; sums are exact where its 32-bit ones would run over.
 */
#ifndef KERNELS_THRESHOLD_METHODS_IMAGEJ_H
#define KERNELS_THRESHOLD_METHODS_IMAGEJ_H

#include "kernels/common/defined.h"
#include "kernels/common/histogram.h"
#include "kernels/threshold/threshold_args.h"

/* Floats are counted in bins of half the width, of which two make one of ImageJ's, but for the first and the last. */
enum { IMAGEJ_BINS = 256, IMAGEJ_HALF_BINS = 2 * (IMAGEJ_BINS - 1), IMAGEJ_STEPS = 1000, IMAGEJ_SMOOTHINGS = 10000 };

INLINE bool
threshold_is_imagej (int method)
{
  return method >= THRESHOLD_IMAGEJ_DEFAULT && method <= THRESHOLD_IMAGEJ_YEN;
}

/* a * b, never fused with a sum. */
INLINE double
imagej_product (double a, double b)
{
#ifdef __CUDA_ARCH__
  return __dmul_rn (a, b);
#else
  return a * b;
#endif
}

/* ImageJ's bin of bin i of a histogram; low, high: of its pixels. */
INLINE int
imagej_bin (fv_type type, bool exact, double low, double high, int64_t i)
{
  if (type == FV_U8)
    return (int) low + (int) i;
  int bin = exact ? (int) (imagej_product ((double) i, 256 / (high - low + 1)) + 0.5) : (int) (i + 1) / 2;
  return bin < IMAGEJ_BINS ? bin : IMAGEJ_BINS - 1;
}

/* The largest value of the type at or below which a pixel is background or, where that is light, foreground. */
INLINE double
imagej_threshold (fv_type type, double low, double high, int bin, bool dark)
{
  double part = (bin + (dark ? 1 : 0)) / 255.0, span = high - low;
  if (bin < 0)
    return NAN;
  if (type == FV_U8)
    return bin;
  double first = isfinite (span) ? low + imagej_product (part, span) : (low / 2 + part * (high / 2 - low / 2)) * 2;
  if (type & FV_INTEGERS)
    return floor (first + 0.5) - (dark ? 1 : 0);
  if (!dark)
    return type == FV_F64 ? first : (double) (float) first;
  if (type == FV_F64)
    return nextafter (first, -HUGE_VAL);
  float single = (float) first;
  return (double) single < first ? (double) single : (double) nextafterf (single, -HUGE_VALF);
}

/* ---- Methods ---- */

/* Pixels and their bins added up, of bins 0 ... i. */
typedef struct imagej_sums {
  int64_t n, sum;
} imagej_sums;

INLINE imagej_sums
imagej_sum (const int64_t *counts, int first, int end)
{
  imagej_sums s = {0, 0};
  for (int i = first; i < end; i++) {
    s.n += counts[i];
    s.sum += counts[i] * i;
  }
  return s;
}

/* The first and the last bin count as empty. */
INLINE int
imagej_ij_isodata (const int64_t *counts)
{
  int low = 1, high = IMAGEJ_BINS - 2, t;
  double middle;
  while (low < IMAGEJ_BINS - 1 && !counts[low])
    low++;
  while (high > 0 && !counts[high])
    high--;
  if (low >= high)
    return IMAGEJ_BINS / 2;
  imagej_sums below = {0, 0}, all = imagej_sum (counts, low, high + 1);
  t = low;
  do {
    below.n += counts[t];
    below.sum += counts[t] * t;
    middle = ((double) below.sum / (double) below.n + (double) (all.sum - below.sum) / (double) (all.n - below.n)) / 2;
    t++;
  } while (t + 1 <= middle && t < high - 1);
  return (int) floor (middle + 0.5);
}

/* A peak that is more than twice as high as any other bin counts as one and a half times that. counts: changed. */
INLINE int
imagej_default (int64_t *counts)
{
  int peak = 0;
  int64_t second = 0;
  for (int i = 1; i < IMAGEJ_BINS; i++)
    if (counts[i] > counts[peak])
      peak = i;
  for (int i = 0; i < IMAGEJ_BINS; i++)
    if (i != peak && counts[i] > second)
      second = counts[i];
  if (second && counts[peak] > 2 * second)
    counts[peak] = (int64_t) (1.5 * (double) second);
  return imagej_ij_isodata (counts);
}

/* The pixels of bin t belong to neither class, and the mean of the lower one is cut to an integer. */
INLINE int
imagej_isodata (const int64_t *counts)
{
  imagej_sums below = {0, 0}, all = imagej_sum (counts, 0, IMAGEJ_BINS);
  int t = 1;
  while (t < IMAGEJ_BINS && !counts[t])
    t++;
  t = t < IMAGEJ_BINS ? t + 1 : 0;
  for (below = imagej_sum (counts, 0, t); t < IMAGEJ_BINS; t++) {
    int64_t above = all.n - below.n - counts[t];
    if (below.n > 0 && above > 0) {
      double mean = (double) (all.sum - below.sum - counts[t] * t) / (double) above;
      if (t == (int) floor (((double) (below.sum / below.n) + mean) / 2 + 0.5))
        return t;
    }
    if (t >= IMAGEJ_BINS - 2)
      break;
    below.n += counts[t];
    below.sum += counts[t] * t;
  }
  return -1;
}

INLINE int
imagej_li (const int64_t *counts)
{
  imagej_sums all = imagej_sum (counts, 0, IMAGEJ_BINS);
  double next = (double) all.sum / (double) all.n, before;
  int t = 0, steps = 0;
  do {
    before = next;
    t = (int) (before + 0.5);
    imagej_sums below = imagej_sum (counts, 0, t < IMAGEJ_BINS ? t + 1 : IMAGEJ_BINS);
    int64_t above = all.n - below.n;
    double lower = below.n ? (double) below.sum / (double) below.n : 0;
    double upper = above ? (double) (all.sum - below.sum) / (double) above : 0;
    double middle = (lower - upper) / (defined_log (lower) - defined_log (upper));
    next = isnan (middle) ? 0 : middle < -2.220446049250313e-16 ? trunc (middle - 0.5) : trunc (middle + 0.5);
  } while (fabs (next - before) > 0.5 && ++steps < IMAGEJ_STEPS);
  return t;
}

/* Farthest from the line between the peak and the first empty bin behind the longer tail. */
INLINE int
imagej_triangle (const int64_t *counts)
{
  const int last = IMAGEJ_BINS - 1;
  int first = 0, end = last, peak = 0;
  while (first < last && !counts[first])
    first++;
  while (end > 0 && !counts[end])
    end--;
  first -= first > 0;
  end += end < last;
  for (int i = 1; i <= last; i++)
    if (counts[i] > counts[peak])
      peak = i;
  bool flip = peak - first < end - peak;
  int from = flip ? last - end : first, to = flip ? last - peak : peak, best = from;
  if (from == to)
    return from;
  double height = (double) counts[peak], width = from - to, most = 0;
  double norm = sqrt (imagej_product (height, height) + imagej_product (width, width));
  height /= norm;
  width /= norm;
  double start = imagej_product (height, from) + imagej_product (width, (double) counts[flip ? last - from : from]);
  for (int i = from + 1; i <= to; i++) {
    double count = (double) counts[flip ? last - i : i];
    double distance = imagej_product (height, i) + imagej_product (width, count) - start;
    if (distance > most) {
      most = distance;
      best = i;
    }
  }
  return flip ? last - (best - 1) : best - 1;
}

/* One bin of the smoothed histogram: the mean of three, with nothing outside. */
INLINE double
imagej_smooth (const double *v, int i)
{
  if (i == 0)
    return (v[0] + v[1]) / 3;
  return (v[i - 1] + v[i] + (i < IMAGEJ_BINS - 1 ? v[i + 1] : 0)) / 3;
}

INLINE bool
imagej_is_peak (const double *v, int i)
{
  return i > 0 && i < IMAGEJ_BINS - 1 && v[i - 1] < v[i] && v[i + 1] < v[i];
}

INLINE bool
imagej_is_valley (const double *v, int i)
{
  return i > 0 && i < IMAGEJ_BINS - 1 && v[i - 1] > v[i] && v[i + 1] >= v[i];
}

/* ---- Methods that take the bin that is worth most ---- */

INLINE bool
imagej_takes_best (int method)
{
  return method == THRESHOLD_IMAGEJ_OTSU || method == THRESHOLD_IMAGEJ_HUANG || method == THRESHOLD_IMAGEJ_MAX_ENTROPY
         || method == THRESHOLD_IMAGEJ_YEN;
}

/* The variance between the classes. */
INLINE double
imagej_variance_between (const int64_t *counts, int t)
{
  const imagej_sums all = imagej_sum (counts, 0, IMAGEJ_BINS), below = imagej_sum (counts, 0, t + 1);
  const double part = (double) below.n * (double) (all.n - below.n);
  const double number = (double) below.n / (double) all.n * (double) all.sum - (double) below.sum;
  return part != 0 ? number * number / part : 0;
}

/* sum, less the fuzziness of the class of bins first ... end - 1, which methods_huang.h defines. */
INLINE double
imagej_less_fuzziness (double sum, const int64_t *counts, int first, int end, double term)
{
  const imagej_sums own = imagej_sum (counts, first, end);
  const double mean = own.n ? (double) own.sum / (double) own.n : 0;
  for (int i = first; i < end; i++) {
    const double m = 1 / (1 + term * fabs (i - mean));
    if (!(m < 1e-06 || m > 0.999999))
      sum -= (double) counts[i] * (-m * defined_log (m) - (1 - m) * defined_log (1 - m));
  }
  return sum;
}

/* The fuzziness with the other sign. */
INLINE double
imagej_crispness_at (const int64_t *counts, int t)
{
  int first = 0, last = IMAGEJ_BINS - 1;
  while (first < IMAGEJ_BINS - 1 && !counts[first])
    first++;
  while (last > first && !counts[last])
    last--;
  const double term = 1 / (double) (last - first);
  const double below = imagej_less_fuzziness (0, counts, 0, t + 1, term);
  return imagej_less_fuzziness (below, counts, t + 1, IMAGEJ_BINS, term);
}

/* The entropy of the bins first ... end - 1, which are so large a part of all n pixels. */
INLINE double
imagej_entropy (const int64_t *counts, int first, int end, double n, double part)
{
  double entropy = 0;
  for (int i = first; i < end; i++)
    if (counts[i]) {
      const double p = (double) counts[i] / n / part;
      entropy -= p * defined_log (p);
    }
  return entropy;
}

/* -1: one of the classes is empty. */
INLINE double
imagej_entropy_at (const int64_t *counts, int t)
{
  const double n = (double) imagej_sum (counts, 0, IMAGEJ_BINS).n;
  double part = 0;
  for (int i = 0; i <= t; i++)
    part += (double) counts[i] / n;
  if (part < 2.220446049250313e-16 || 1 - part < 2.220446049250313e-16)
    return -1;
  return imagej_entropy (counts, 0, t + 1, n, part) + imagej_entropy (counts, t + 1, IMAGEJ_BINS, n, 1 - part);
}

INLINE double
imagej_correlation_at (const int64_t *counts, int t)
{
  const double n = (double) imagej_sum (counts, 0, IMAGEJ_BINS).n;
  double part = 0, below = 0, above = 0;
  for (int i = 0; i <= t; i++) {
    const double p = (double) counts[i] / n;
    part += p;
    below += p * p;
  }
  for (int i = IMAGEJ_BINS - 1; i > t; i--) {
    const double p = (double) counts[i] / n;
    above += p * p;
  }
  const double squares = below * above, parts = part * (1 - part);
  return -1.0 * (squares > 0 ? defined_log (squares) : 0) + 2 * (parts > 0 ? defined_log (parts) : 0);
}

/* What bin t is worth as a threshold. */
INLINE double
imagej_worth (int method, const int64_t *counts, int t)
{
  switch (method) {
  case THRESHOLD_IMAGEJ_OTSU: return imagej_variance_between (counts, t);
  case THRESHOLD_IMAGEJ_HUANG: return imagej_crispness_at (counts, t);
  case THRESHOLD_IMAGEJ_MAX_ENTROPY: return imagej_entropy_at (counts, t);
  default: return imagej_correlation_at (counts, t);
  }
}

/* The first bin of the largest worth, of Otsu's the last one. */
INLINE int
imagej_best (int method, const double *worth)
{
  const bool otsu = method == THRESHOLD_IMAGEJ_OTSU;
  double most = method == THRESHOLD_IMAGEJ_HUANG ? -HUGE_VAL : 0;
  int best = 0;
  for (int t = otsu; t < IMAGEJ_BINS - otsu; t++)
    if (worth[t] > most || (otsu && worth[t] == most)) {
      most = worth[t];
      best = t;
    }
  return best;
}

INLINE int
imagej_mean (const int64_t *counts)
{
  const imagej_sums all = imagej_sum (counts, 0, IMAGEJ_BINS);
  return (int) floor ((double) all.sum / (double) all.n);
}

/* All but `minimum` and those that take the best bin. counts: may be changed. */
INLINE int
imagej_method (int method, int64_t *counts)
{
  switch (method) {
  case THRESHOLD_IMAGEJ_DEFAULT: return imagej_default (counts);
  case THRESHOLD_IMAGEJ_IJ_ISODATA: return imagej_ij_isodata (counts);
  case THRESHOLD_IMAGEJ_ISODATA: return imagej_isodata (counts);
  case THRESHOLD_IMAGEJ_LI: return imagej_li (counts);
  case THRESHOLD_IMAGEJ_MEAN: return imagej_mean (counts);
  default: return imagej_triangle (counts);
  }
}

#ifdef __cplusplus
extern "C" {
#endif

/* The threshold. */
double threshold_imagej (const histogram *h, int method, bool dark);

#ifdef __cplusplus
}
#endif

#endif
