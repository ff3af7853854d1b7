/* SPDX-License-Identifier: MIT
 *
 * Thresholds, see methods.h. A method gives the position of a bin, or -1 where it finds none.
 */
#include "kernels/threshold/methods.h"
#include "kernels/common/defined.h"
#include "kernels/common/histogram.h"
#include "kernels/threshold/methods_huang.h"
#include "kernels/threshold/methods_imagej.h"

#include <float.h>

#define LI_STEPS 1000
#define SMOOTHINGS 10000

/* ---- Methods on the histogram; it has at least two bins and the first and the last one are not empty ---- */

/* Rounds to single where the oracle computes in single; +, -, * and / of floats in double come out right so. */
INLINE double
rounded (double v, bool single)
{
  return single ? (double) (float) v : v;
}

INLINE int64_t
otsu_in (const histogram *h, double *mean_above, bool single)
{
  int64_t n = h->bins, above = 0, below = 0, best = 0;
  double sum = 0, mean = 0, most = -1;
  for (int64_t i = n - 1; i > 0; i--) {
    if (h->counts[i]) {
      above += h->counts[i];
      sum = rounded (sum + rounded ((double) h->counts[i] * histogram_center (h, i), single), single);
      mean = rounded (sum / (double) above, single);
    }
    mean_above[i] = mean;
  }
  sum = 0;
  for (int64_t i = 0; i + 1 < n; i++) {
    if (!h->counts[i])
      continue;
    below += h->counts[i];
    sum = rounded (sum + rounded ((double) h->counts[i] * histogram_center (h, i), single), single);
    double d = rounded (rounded (sum / (double) below, single) - mean_above[i + 1], single);
    float weight = (float) below * (float) (h->total - below);
    double variance = rounded ((double) weight * rounded (d * d, single), single);
    if (variance > most) {
      most = variance;
      best = i;
    }
  }
  return best;
}

static int64_t
otsu (const histogram *h, double *work)
{
  return h->type == FV_F32 ? otsu_in (h, work, true) : otsu_in (h, work, false);
}

static int64_t
yen (const histogram *h, double *work)
{
  float *squares_above = (float *) work, sum = 0, below = 0, squares_below = 0, most = -HUGE_VALF;
  int64_t n = h->bins, best = 0;
  for (int64_t i = n - 1; i > 0; i--) {
    float p = (float) h->counts[i] / (float) h->total;
    squares_above[i] = sum += p * p;
  }
  for (int64_t i = 0; i + 1 < n; i++) {
    float p = (float) h->counts[i] / (float) h->total;
    below += p;
    squares_below += p * p;
    float spread = below * (1 - below);
    float criterion = 1 / (squares_below * squares_above[i + 1]) * (spread * spread);
    criterion = (float) defined_log ((double) criterion);
    if (criterion > most) {
      most = criterion;
      best = i;
    }
  }
  return best;
}

static int64_t
triangle (const histogram *h)
{
  int64_t n = h->bins, peak = 0, best = 0;
  for (int64_t i = 1; i < n; i++)
    if (h->counts[i] > h->counts[peak])
      peak = i;
  bool flip = peak < n - 1 - peak;
  double height = (double) h->counts[peak], width = (double) (flip ? n - 1 - peak : peak), most = -HUGE_VAL;
  double norm = sqrt (height * height + width * width);
  for (int64_t x = 0; (double) x < width; x++) {
    double y = (double) h->counts[flip ? n - 1 - x : x], length = height / norm * (double) x - width / norm * y;
    if (length > most) {
      most = length;
      best = x;
    }
  }
  return flip ? n - 1 - best : best;
}

/* The first bin that reaches up to the middle of the two means; else the last one before they fall behind. */
static int64_t
isodata (const histogram *h, double *work)
{
  bool single = h->type == FV_F32;
  int64_t n = h->bins, below = 0;
  double sum = 0, width = rounded (histogram_center (h, 1) - histogram_center (h, 0), single);
  for (int64_t i = 0; i < n; i++)
    work[i] = sum = rounded (sum + rounded ((double) h->counts[i] * histogram_center (h, i), single), single);
  for (int64_t i = 0; i + 1 < n; i++) {
    below += h->counts[i];
    double lower = rounded (work[i] / (double) below, single);
    double higher = rounded (rounded (sum - work[i], single) / (double) (h->total - below), single);
    double middle = rounded (rounded (lower + higher, single) / 2, single);
    double distance = rounded (middle - histogram_center (h, i), single);
    if (distance < width)
      return distance >= 0 || i == 0 ? i : i - 1;
  }
  return n - 2;
}

/* Mean of three, the first and last bin repeated, as a running sum. */
static void
smooth (const float *from, float *to, int64_t n)
{
  double sum = (double) from[0] + from[0] + from[1];
  to[0] = (float) (sum / 3);
  for (int64_t i = 1; i < n; i++) {
    sum += (double) from[i + 1 < n ? i + 1 : n - 1] - from[i > 1 ? i - 2 : 0];
    to[i] = (float) (sum / 3);
  }
}

/* Number of peaks, at most 3, and where the first two are (the last bin of a flat one). */
static int
find_peaks (const float *v, int64_t n, int64_t at[2])
{
  int found = 0;
  bool rising = true;
  for (int64_t i = 0; i + 1 < n && found < 3; i++)
    if (rising && v[i + 1] < v[i]) {
      rising = false;
      if (found < 2)
        at[found] = i;
      found++;
    } else if (v[i + 1] > v[i])
      rising = true;
  return found;
}

static int64_t
minimum (const histogram *h, double *work, progress *progress)
{
  float *now = (float *) work, *next = now + h->bins;
  int64_t peaks[2], best, since = 0;
  for (int64_t i = 0; i < h->bins; i++)
    now[i] = (float) h->counts[i];
  for (int k = 0; k < SMOOTHINGS - 1; k++) {
    float *smoothed = next;
    smooth (now, smoothed, h->bins);
    next = now;
    now = smoothed;
    int found = find_peaks (now, h->bins, peaks);
    if (found < 2)
      return -1;
    if (found == 2) {
      best = peaks[0];
      for (int64_t i = peaks[0]; i <= peaks[1]; i++)
        if (now[i] < now[best])
          best = i;
      return best;
    }
    if ((since += h->bins) > 1000000) {
      since = 0;
      progress_step (progress, 0);
      if (progress->stop)
        return -1;
    }
  }
  return -1;
}

/* Of optima that differ by rounding alone the first counts. */
static int64_t
max_entropy (const histogram *h, double *work)
{
  int64_t n = h->bins, below = 0, best = 0;
  double sum = 0, most = -HUGE_VAL;
  for (int64_t i = 0; i < n; i++)
    work[i] = sum += h->counts[i] ? (double) h->counts[i] * defined_log ((double) h->counts[i]) : 0;
  for (int64_t i = 0; i + 1 < n; i++) {
    below += h->counts[i];
    double b = (double) below, a = (double) (h->total - below);
    double entropy = defined_log (b) - work[i] / b + defined_log (a) - (sum - work[i]) / a;
    if (entropy > most + 1e-12) {
      most = entropy;
      best = i;
    }
  }
  return best;
}

/* ---- Li ---- */

INLINE double
li_next (const moments *m)
{
  double below = m->sum[0] / m->n[0], above = m->sum[1] / m->n[1];
  return below > 0 ? (below - above) / (defined_log (below) - defined_log (above)) : -1;
}

/* On values from 0, the smallest pixel; integers end when t moves by at most a half. */
static double
li_histogram (const histogram *h)
{
  int64_t all = 0;
  for (int64_t i = 0; i < h->bins; i++)
    all += h->counts[i] * i;
  double t = (double) all / (double) h->total;
  for (int k = 0; k < LI_STEPS; k++) {
    int64_t n = 0, sum = 0;
    for (int64_t i = 0; i < h->bins && (double) i <= t; i++) {
      n += h->counts[i];
      sum += h->counts[i] * i;
    }
    const moments m = {{(double) n, (double) h->total - (double) n}, {(double) sum, (double) all - (double) sum}};
    const double before = t, next = li_next (&m);
    if (next < 0)
      break;
    t = next;
    if (fabs (t - before) <= 0.5)
      break;
  }
  return h->low + t;
}

typedef struct finder {
  const threshold_args *args;
  histogram_buffers buffers;
  buffer work;
} finder;

/* Floats end when t moves by at most half the smallest difference of two pixels. That is rarely known beforehand and
 * rarely matters: iterate until nothing moves, then see whether an earlier step was already that small. */
static fv_status
li_pixels (const pixels *p, double low, double high, finder *f, progress *progress, double *threshold, fv_error *error)
{
  fv_status status;
  moments m;
  double t[LI_STEPS + 1], gap = 1, smallest = HUGE_VAL;
  bool integer = p->array->grid->type == FV_I32;
  int n = 0, last = 0;
  moments_rule rule = moments_rule_of (p->array->grid->type, low, high, low, HUGE_VAL);
  if ((status = pixels_moments (p, &rule, &f->buffers.partial, progress, &m, error)))
    return status;
  t[0] = m.sum[0] / m.n[0];
  while (n < LI_STEPS) {
    rule = moments_rule_of (p->array->grid->type, low, high, low, t[n]);
    if ((status = pixels_moments (p, &rule, &f->buffers.partial, progress, &m, error)))
      return status;
    double next = li_next (&m);
    if (!(next > 0) || next == t[n])
      break;
    t[++n] = next;
    smallest = fmin (smallest, fabs (t[n] - t[n - 1]));
  }
  if (n && !integer && (status = pixels_smallest_gap (p, low, high, 2 * smallest, &f->work, progress, &gap, error)))
    return status;
  while (last < n && !(last && fabs (t[last] - t[last - 1]) <= gap / 2))
    last++;
  *threshold = rounded (t[last] + low, p->array->grid->type == FV_F32);
  return FV_OK;
}

/* ---- The threshold of a plane or volume ---- */

/* Sums of integers are exact; floats are summed from `low`, which loses least. */
static fv_status
mean (const pixels *p, double low, double high, finder *f, progress *progress, double *threshold, fv_error *error)
{
  moments m;
  fv_type type = p->array->grid->type;
  double start = type & FV_FLOATS ? low : 0;
  const moments_rule rule = moments_rule_of (type, low, high, start, HUGE_VAL);
  fv_status status = pixels_moments (p, &rule, &f->buffers.partial, progress, &m, error);
  if (!status)
    *threshold = rounded (start + m.sum[0] / m.n[0], type == FV_F32);
  return status;
}

static fv_status
by_histogram (const histogram *h, finder *f, progress *progress, double *threshold, fv_error *error)
{
  int method = f->args->method;
  size_t arrays = method == THRESHOLD_HUANG ? 9 : 1;
  int64_t bin = 0;
  fv_status status = buffer_need (&f->work, progress->call, arrays * (size_t) h->bins * sizeof (double), error);
  if (status)
    return status;
  double *work = f->work.data;
  switch (method) {
  case THRESHOLD_OTSU: bin = otsu (h, work); break;
  case THRESHOLD_YEN: bin = yen (h, work); break;
  case THRESHOLD_TRIANGLE: bin = triangle (h); break;
  case THRESHOLD_ISODATA: bin = isodata (h, work); break;
  case THRESHOLD_MINIMUM: bin = minimum (h, work, progress); break;
  case THRESHOLD_HUANG: bin = threshold_huang (h, work, progress); break;
  default: bin = max_entropy (h, work);
  }
  *threshold = bin < 0 ? NAN : histogram_center (h, bin) / h->scale;
  return progress->stop ? cancelled (error) : FV_OK;
}

static fv_status
find_threshold (const pixels *p, finder *f, progress *progress, double *threshold, fv_error *error)
{
  const threshold_args *a = f->args;
  fv_type type = p->array->grid->type;
  bool on_pixels = a->method == THRESHOLD_MEAN || (a->method == THRESHOLD_LI && (type & FV_FLOATS));
  int64_t limit = a->method == THRESHOLD_HUANG ? 65536 : HISTOGRAM_EXACT_LIMIT;
  histogram h = {0};
  fv_status status = on_pixels ? pixels_range (p, &f->buffers.partial, progress, &h.low, &h.high, error)
                               : histogram_make (p, a->bins, limit, &f->buffers, progress, &h, error);
  *threshold = h.low;
  if (status || !(h.low < h.high))
    return status;
  if (a->method == THRESHOLD_MEAN)
    return mean (p, h.low, h.high, f, progress, threshold, error);
  if (a->method == THRESHOLD_LI && h.exact) {
    *threshold = li_histogram (&h);
    return FV_OK;
  }
  if (a->method == THRESHOLD_LI)
    return li_pixels (p, h.low, h.high, f, progress, threshold, error);
  if (threshold_is_imagej (a->method)) {
    *threshold = threshold_imagej (&h, a->method, a->dark_background);
    return FV_OK;
  }
  return by_histogram (&h, f, progress, threshold, error);
}

/* ---- The mask ---- */

static double
type_low (fv_type type)
{
  return type == FV_I32 ? -2147483648.0 : type & FV_INTEGERS ? 0 : -HUGE_VAL;
}

static double
type_high (fv_type type)
{
  return type == FV_U8 ? 255 : type == FV_U16 ? 65535 : type == FV_I32 ? 2147483647.0 : HUGE_VAL;
}

/* The smallest value of the type that is at least v, and the largest that is at most v. */
static double
type_ceil (fv_type type, double v)
{
  float f = (float) v;
  if (type == FV_F32)
    return (double) f < v ? (double) nextafterf (f, HUGE_VALF) : (double) f;
  return type == FV_F64 ? v : fmax (ceil (v), type_low (type));
}

static double
type_floor (fv_type type, double v)
{
  return -type_ceil (type == FV_F32 ? FV_F32 : FV_F64, -v);
}

band
threshold_band (const threshold_args *a, fv_type type, double threshold)
{
  band b = {1, 0};
  double above = type == FV_F32 ? (double) nextafterf ((float) threshold, HUGE_VALF) : nextafter (threshold, HUGE_VAL);
  if (a->method == THRESHOLD_MANUAL) {
    b.low = type_ceil (type, a->lower);
    b.high = type_floor (type, a->upper);
  } else if (!isnan (threshold)) {
    b.low = a->dark_background ? type_ceil (type, above) : type_low (type);
    b.high = a->dark_background ? type_high (type) : threshold;
  }
  if (type & FV_INTEGERS) {
    b.low = ceil (b.low);
    b.high = fmin (floor (b.high), type_high (type));
  }
  return b.low <= b.high ? b : (band){1, 0};
}

#define DEFINE_MASK(NAME, T)                                                                                           \
  VECTORISED static void mask_##NAME (const void *row, int64_t n, band b, uint8_t *out)                                \
  {                                                                                                                    \
    const T *v = row, low = (T) b.low, high = (T) b.high;                                                              \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      out[i] = ((v[i] >= low) & (v[i] <= high)) ? 255 : 0;                                                             \
  }
DEFINE_MASK (u8, uint8_t)
DEFINE_MASK (u16, uint16_t)
DEFINE_MASK (i32, int32_t)
DEFINE_MASK (f32, float)
DEFINE_MASK (f64, double)

static void
write_mask (const pixels *p, const fv_array *out, band b, progress *progress)
{
#pragma omp parallel for schedule(dynamic) if (p->pieces > 1)
  for (int64_t i = 0; i < p->pieces; i++) {
    piece s = pixels_piece (p, i);
    if (progress_stopped (progress))
      continue;
    for (int64_t y = 0; y < s.rows; y++)
      WITH_TYPE (p->array->grid->type, mask, pixels_row (p, &s, y), s.columns, b,
                 (uint8_t *) array_row (out, s.plane, s.row + y) + s.column)
    progress_step (progress, 1);
  }
}

threshold_args
threshold_counted (const threshold_args *args)
{
  threshold_args a = *args;
  if (threshold_is_imagej (a.method))
    a.bins = IMAGEJ_HALF_BINS;
  return a;
}

fv_status
threshold_cpu (const fv_call *call, fv_error *error)
{
  const threshold_args given = threshold_arguments (call), counted = threshold_counted (&given), *a = &counted;
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  int64_t planes = array_planes (in), together = a->volume ? planes : 1;
  bool finds = a->method != THRESHOLD_MANUAL && !call->given;
  int passes = finds ? 1 + histogram_passes (in->grid->type) : 1;
  progress progress = {call, .total = planes * pixels_of (in, 0, 1).pieces * passes};
  finder f = {.args = a};

  for (int64_t first = 0; first < planes; first += together) {
    pixels p = pixels_of (in, first, together);
    double *threshold = &call->scalars[first / together];
    fv_status status = finds ? find_threshold (&p, &f, &progress, threshold, error) : FV_OK;
    if (status)
      return status;
    if (a->method == THRESHOLD_MANUAL)
      *threshold = a->lower;
    write_mask (&p, out, threshold_band (a, in->grid->type, *threshold), &progress);
    if (progress.stop)
      return cancelled (error);
  }
  return FV_OK;
}
