/* SPDX-License-Identifier: MIT
 *
 * The properties of regionprops that need intensities, channel by channel. Means are taken first and deviations summed
 * about them in a second pass, as in NumPy; weighted moments likewise. NaN among an object's pixels propagates.
 */
#include "common_region_ranks.h"
#include "common_region_shape.h"
#include "common_region_values.h"

#include <float.h>

typedef struct channel_job {
  const region_job *j;
  const pieces *pieces;
  int64_t channel, channels;
  double *sums, *range, *centres; /* room for any sums of the pieces; for ranges; 3 numbers for each object */
  region_ranks *ranks;
} channel_job;

static inline void
put_channel (const channel_job *c, property p, int64_t i, int64_t k, double value)
{
  put (c->j, p, i, k * c->channels + c->channel, value);
}

static fv_status
sum (const channel_job *c, region_sum what, int width, double *to, fv_error *error)
{
  const region_job *j = c->j;
  return region_sums (j->call, c->pieces, what, width, j->intensity, c->channel * grid_depth (&j->intensity->grid),
                      c->centres, to, error);
}

static inline double *
sums_of (const channel_job *c, double *sums, int64_t i, int width)
{
  return sums + c->pieces->first[i] * width;
}

/* ---- Mean and spread ---- */

static fv_status
measure_mean (const channel_job *c, fv_error *error)
{
  const regions *r = &c->j->found;
  fv_status status = sum (c, REGION_SUM, 1, c->sums, error);
  if (status)
    return status;
  for (int64_t i = 0; i < r->n; i++) {
    double total = *sums_of (c, c->sums, i, 1), mean = total / (double) r->items[i].pixels;
    c->centres[i] = mean;
    put_channel (c, P_intensity_mean, i, 0, mean);
    put_channel (c, P_integrated_density, i, 0, total * pixel_size (c->j));
    put_channel (c, P_raw_integrated_density, i, 0, total);
  }
  return FV_OK;
}

static fv_status
measure_deviation (const channel_job *c, fv_error *error)
{
  const regions *r = &c->j->found;
  fv_status status = sum (c, REGION_POWERS, 3, c->sums, error);
  if (status)
    return status;
  for (int64_t i = 0; i < r->n; i++) {
    const double *d = sums_of (c, c->sums, i, 3);
    double n = (double) r->items[i].pixels, variance = d[0] / n, deviation = sqrt (variance);
    /* What is left of a constant by rounding has no shape. */
    double shape = deviation > 4 * DBL_EPSILON * fabs (c->centres[i]) ? 1 : NAN;
    put_channel (c, P_intensity_std, i, 0, deviation);
    put_channel (c, P_intensity_std_imagej, i, 0, n > 1 ? sqrt (d[0] / (n - 1)) : deviation);
    put_channel (c, P_intensity_skewness, i, 0, d[1] / n / (variance * deviation) * shape);
    put_channel (c, P_intensity_kurtosis, i, 0, (d[2] / n / (variance * variance) - 3) * shape);
  }
  return FV_OK;
}

/* ---- Range and ranks ---- */

static fv_status
measure_range (const channel_job *c, fv_error *error)
{
  const region_job *j = c->j;
  fv_status status = sum (c, REGION_RANGE, 2, c->range, error);
  for (int64_t i = 0; !status && i < j->found.n; i++) {
    const double *range = sums_of (c, c->range, i, 2);
    put_channel (c, P_intensity_min, i, 0, range[0]);
    put_channel (c, P_intensity_max, i, 0, range[1]);
  }
  if (status || !c->ranks)
    return status;
  status = region_ranks_of (j->call, &j->found, j->intensity, c->channel * grid_depth (&j->intensity->grid), c->range,
                            c->pieces->first, c->ranks, error);
  for (int64_t i = 0; !status && i < j->found.n; i++) {
    put_channel (c, P_intensity_median, i, 0, c->ranks[i].median);
    put_channel (c, P_intensity_median_imagej, i, 0, c->ranks[i].upper_median);
    put_channel (c, P_intensity_mode, i, 0, c->ranks[i].mode);
  }
  return status;
}

/* ---- Weighted moments ---- */

/* Puts the raw moments and centroids, and leaves the centroids as centres for the central moments. */
static void
put_weighted (const channel_job *c, int64_t i, double *m)
{
  const region_job *j = c->j;
  const region *o = j->found.items + i;
  double *centre = c->centres + 3 * i;
  int axes = j->volume ? 3 : 2;
  centre[0] = j->volume ? m[16] / m[0] : 0, centre[1] = m[4] / m[0], centre[2] = m[1] / m[0];
  for (int a = 3 - axes, k = 0; a < 3; a++, k++) {
    put_channel (c, P_centroid_weighted_local, i, k, centre[a] * j->spacing[a]);
    put_channel (c, P_centroid_weighted, i, k, (o->low[a] + centre[a]) * j->spacing[a]);
  }
  moments_scale (m, j->volume, j->spacing);
  for (int k = 0; k < (j->volume ? VOLUME_MOMENTS : PLANE_MOMENTS); k++)
    put_channel (c, P_moments_weighted, i, k, m[k]);
}

static void
put_weighted_central (const channel_job *c, int64_t i, double *mu)
{
  const region_job *j = c->j;
  double nu[VOLUME_MOMENTS], hu[7];
  moments_scale (mu, j->volume, j->spacing);
  moments_normalise (nu, mu, j->volume, j->spacing);
  for (int k = 0; k < (j->volume ? VOLUME_MOMENTS : PLANE_MOMENTS); k++) {
    put_channel (c, P_moments_weighted_central, i, k, mu[k]);
    put_channel (c, P_moments_weighted_normalized, i, k, nu[k]);
  }
  moments_hu (hu, nu);
  for (int k = 0; k < 7; k++)
    put_channel (c, P_moments_weighted_hu, i, k, hu[k]);
}

static fv_status
measure_weighted (const channel_job *c, fv_error *error)
{
  const region_job *j = c->j;
  int width = j->volume ? VOLUME_MOMENTS : PLANE_MOMENTS;
  memset (c->centres, 0, (size_t) j->found.n * 3 * sizeof *c->centres);
  fv_status status = sum (c, REGION_MOMENTS, width, c->sums, error);
  if (status)
    return status;
#pragma omp parallel for schedule(static, 64)
  for (int64_t i = 0; i < j->found.n; i++)
    put_weighted (c, i, sums_of (c, c->sums, i, width));
  if (!wants (j, P_moments_weighted_central) && !wants (j, P_moments_weighted_normalized)
      && !wants (j, P_moments_weighted_hu))
    return FV_OK;
  status = sum (c, REGION_MOMENTS, width, c->sums, error);
  if (status)
    return status;
#pragma omp parallel for schedule(static, 64)
  for (int64_t i = 0; i < j->found.n; i++)
    put_weighted_central (c, i, sums_of (c, c->sums, i, width));
  return FV_OK;
}

/* ---- All channels ---- */

fv_status
region_intensities (const region_job *j, fv_error *error)
{
  bool ranks = wants (j, P_intensity_median) || wants (j, P_intensity_median_imagej) || wants (j, P_intensity_mode);
  bool range = ranks || wants (j, P_intensity_min) || wants (j, P_intensity_max);
  bool deviation = wants (j, P_intensity_std) || wants (j, P_intensity_std_imagej) || wants (j, P_intensity_skewness)
                   || wants (j, P_intensity_kurtosis);
  bool mean =
    deviation || wants (j, P_intensity_mean) || wants (j, P_integrated_density) || wants (j, P_raw_integrated_density);
  bool weighted = wants (j, P_centroid_weighted) || wants (j, P_centroid_weighted_local)
                  || wants (j, P_moments_weighted) || wants (j, P_moments_weighted_central)
                  || wants (j, P_moments_weighted_hu) || wants (j, P_moments_weighted_normalized);
  int width = weighted ? (j->volume ? VOLUME_MOMENTS : PLANE_MOMENTS) : deviation ? 3 : 1;
  pieces cut;
  channel_job c = {.j = j, .pieces = &cut};
  if (!(range || mean || weighted))
    return FV_OK;
  fv_status status = pieces_make (j->call, &j->found, &cut, error);
  if (!status)
    status = scratch_items (j->call, cut.n * width, sizeof (double), &c.sums, error);
  if (!status && range)
    status = scratch_items (j->call, cut.n * 2, sizeof (double), &c.range, error);
  if (!status)
    status = scratch_items (j->call, j->found.n * 3, sizeof (double), &c.centres, error);
  if (!status && ranks)
    status = scratch_items (j->call, j->found.n, sizeof *c.ranks, &c.ranks, error);
  c.channels = j->intensity->grid.channels;
  for (; !status && c.channel < c.channels; c.channel++) {
    if (mean)
      status = measure_mean (&c, error);
    if (!status && deviation)
      status = measure_deviation (&c, error);
    if (!status && range)
      status = measure_range (&c, error);
    if (!status && weighted)
      status = measure_weighted (&c, error);
  }
  return status;
}
