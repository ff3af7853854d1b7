/* SPDX-License-Identifier: MIT
 *
 * The method `huang` on the CPU. To sum the logarithms of all bins for every threshold would take minutes for 65536 bins. But the
 * entropy is a concave function of the distance: between two whole distances it lies above the straight line, and no further
 * above it than its curvature allows. Sums of products with tables of both bound the fuzziness of each threshold, and only
 * those that may be the least one are summed with logarithms.
 */
#include "kernels/threshold/methods_huang.h"
#include "kernels/common/defined.h"

typedef struct fuzzy {
  int64_t n;
  double *counts, *weight, *sum; /* [n]: of the bin; of all bins up to it, and their positions */
  double *entropy;               /* by distance, -n ... n - 1 */
  double *slack;                 /* -n + 1 ... n - 1: how far it may be above the line from distance i to i - 1 */
  double *lower, *upper;         /* [n]: bounds of the fuzziness, then the fuzziness in `upper` */
  double term;
} fuzzy;

static void
prepare (fuzzy *f, const histogram *h, double *work)
{
  int64_t n = h->bins;
  *f = (fuzzy){
    n, work, work + n, work + 2 * n, work + 4 * n, work + 6 * n, work + 7 * n, work + 8 * n, 1 / (double) (n - 1)};
  for (int64_t d = 0; d < n; d++) {
    double x = (double) d * f->term, log_x = d ? defined_log (x) : 0;
    double bent = d ? (1 / x - 2 * log_x / (1 + x)) / ((1 + x) * (1 + x)) * f->term * f->term / 8 : 0;
    f->entropy[d] = f->entropy[-d] = defined_log (1 + x) - x / (1 + x) * log_x;
    f->slack[-d] = bent;
    if (d + 1 < n)
      f->slack[d + 1] = bent;
  }
  f->entropy[-n] = 0; /* only ever multiplied by 0 */
  f->slack[0] = f->slack[1] = f->entropy[1];
  for (int64_t i = 0; i < n; i++) {
    f->counts[i] = (double) h->counts[i];
    f->weight[i] = f->counts[i] + (i ? f->weight[i - 1] : 0);
    f->sum[i] = f->counts[i] * (double) i + (i ? f->sum[i - 1] : 0);
  }
}

static double
mean_below (const fuzzy *f, int64_t t)
{
  return f->sum[t] / f->weight[t];
}

static double
mean_above (const fuzzy *f, int64_t t)
{
  return (f->sum[f->n - 1] - f->sum[t]) / (f->weight[f->n - 1] - f->weight[t]);
}

VECTORISED static void
three_sums (const double *counts, const double *entropy, const double *slack, int64_t n, double *near, double *far,
            double *above)
{
  double a = 0, b = 0, c = 0;
#pragma omp simd reduction(+ : a, b, c)
  for (int64_t i = 0; i < n; i++) {
    a += counts[i] * entropy[i];
    b += counts[i] * entropy[i - 1];
    c += counts[i] * slack[i];
  }
  *near = a;
  *far = b;
  *above = c;
}

/* Adds the bounds of one class, the bins from `first` to `end`. */
static void
add_bounds (const fuzzy *f, int64_t first, int64_t end, double mean, double *lower, double *upper)
{
  const double none = 1.6e-5; /* more than the entropy where m is 0.999999 */
  int64_t k = (int64_t) mean;
  double part = mean - (double) k, near, far, above;
  three_sums (f->counts + first, f->entropy + first - k, f->slack + first - k, end - first, &near, &far, &above);
  double line = (1 - part) * near + part * far;
  *lower += line - none * (f->counts[k] + (k + 1 < f->n ? f->counts[k + 1] : 0));
  *upper += line + above;
}

static double
sum_class (const fuzzy *f, int64_t first, int64_t end, double mean)
{
  double sum = 0;
  for (int64_t i = first; i < end; i++)
    if (f->counts[i] > 0)
      sum += f->counts[i] * huang_entropy ((double) i - mean, f->term);
  return sum;
}

static double
least_of (const double *v, int64_t n)
{
  double least = v[0];
  for (int64_t i = 1; i < n; i++)
    least = v[i] < least ? v[i] : least;
  return least;
}

int64_t
threshold_huang (const histogram *h, double *work, progress *progress)
{
  fuzzy f;
  int64_t n = h->bins, best = 0;
  prepare (&f, h, work);
#pragma omp parallel for schedule(dynamic, 16) if (n > 256)
  for (int64_t t = 0; t < n - 1; t++) {
    f.lower[t] = f.upper[t] = HUGE_VAL; /* an empty bin makes the same classes as the one before */
    if (progress_stopped (progress) || f.counts[t] == 0)
      continue;
    f.lower[t] = f.upper[t] = 0;
    add_bounds (&f, 0, t + 1, mean_below (&f, t), &f.lower[t], &f.upper[t]);
    add_bounds (&f, t + 1, n, mean_above (&f, t), &f.lower[t], &f.upper[t]);
    if (n > 256)
      progress_step (progress, 0);
  }
  double least = least_of (f.upper, n - 1) * (1 + 1e-9); /* and what rounding may have done */
#pragma omp parallel for schedule(dynamic, 1) if (n > 256)
  for (int64_t t = 0; t < n - 1; t++) {
    if (progress_stopped (progress) || f.lower[t] > least) {
      f.upper[t] = HUGE_VAL;
      continue;
    }
    f.upper[t] = sum_class (&f, 0, t + 1, mean_below (&f, t)) + sum_class (&f, t + 1, n, mean_above (&f, t));
    if (n > 256)
      progress_step (progress, 0);
  }
  least = least_of (f.upper, n - 1) * HUANG_SAME;
  while (best + 1 < n - 1 && f.upper[best] > least)
    best++;
  return best;
}
