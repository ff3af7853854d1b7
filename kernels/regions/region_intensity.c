/* SPDX-License-Identifier: MIT
 *
 * The properties of regionprops that need intensities, channel by channel. Means are taken first and deviations summed
 * about them in a second pass, as in NumPy; weighted moments likewise. NaN among an object's pixels propagates.
 */
#include "kernels/regions/region_ranks.h"
#include "kernels/regions/region_shape.h"
#include "kernels/regions/region_values.h"

typedef struct channel_job {
  const region_job *j;
  const pieces *pieces;
  region_channel channel;
  double *sums, *range, *centers; /* room for any sums of the pieces; for ranges; 3 numbers for each object */
  region_ranks *ranks;
} channel_job;

static fv_status
sum (const channel_job *c, region_sum what, int width, double *to, fv_error *error)
{
  const region_job *j = c->j;
  return region_sums (j->call, c->pieces, what, width, j->intensity,
                      c->channel.number * grid_depth (j->intensity->grid), c->centers, to, error);
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
    c->centers[i] = mean;
    put_mean (&c->j->t, c->channel, total, mean, i);
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
  for (int64_t i = 0; i < r->n; i++)
    put_deviation (&c->j->t, c->channel, r->items[i].pixels, c->centers[i], sums_of (c, c->sums, i, 3), i);
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
    put_channel (&j->t, c->channel, P_intensity_min, i, 0, range[0]);
    put_channel (&j->t, c->channel, P_intensity_max, i, 0, range[1]);
  }
  if (status || !c->ranks)
    return status;
  status = region_ranks_of (j->call, &j->found, j->intensity, c->channel.number * grid_depth (j->intensity->grid),
                            c->range, c->pieces->first, c->ranks, error);
  for (int64_t i = 0; !status && i < j->found.n; i++) {
    put_channel (&j->t, c->channel, P_intensity_median, i, 0, c->ranks[i].median);
    put_channel (&j->t, c->channel, P_intensity_median_imagej, i, 0, c->ranks[i].upper_median);
    put_channel (&j->t, c->channel, P_intensity_mode, i, 0, c->ranks[i].mode);
  }
  return status;
}

/* ---- Weighted moments ---- */

static fv_status
measure_weighted (const channel_job *c, bool central, fv_error *error)
{
  const region_job *j = c->j;
  int width = j->t.volume ? VOLUME_MOMENTS : PLANE_MOMENTS;
  memset (c->centers, 0, (size_t) j->found.n * 3 * sizeof *c->centers);
  fv_status status = sum (c, REGION_MOMENTS, width, c->sums, error);
  if (status)
    return status;
#pragma omp parallel for schedule(static, 64)
  for (int64_t i = 0; i < j->found.n; i++)
    put_weighted (&j->t, c->channel, j->found.items + i, sums_of (c, c->sums, i, width), c->centers + 3 * i, i);
  if (!central)
    return FV_OK;
  status = sum (c, REGION_MOMENTS, width, c->sums, error);
  if (status)
    return status;
#pragma omp parallel for schedule(static, 64)
  for (int64_t i = 0; i < j->found.n; i++)
    put_weighted_central (&j->t, c->channel, sums_of (c, c->sums, i, width), i);
  return FV_OK;
}

/* ---- All channels ---- */

fv_status
region_intensities (const region_job *j, fv_error *error)
{
  region_needs n = region_needs_of (&j->t);
  int width = n.weighted ? (j->t.volume ? VOLUME_MOMENTS : PLANE_MOMENTS) : n.deviation ? 3 : 1;
  pieces cut;
  channel_job c = {.j = j, .pieces = &cut};
  if (!(n.range || n.mean || n.weighted))
    return FV_OK;
  fv_status status = pieces_make (j->call, &j->found, &cut, error);
  if (!status)
    status = scratch_items (j->call, cut.n * width, sizeof (double), &c.sums, error);
  if (!status && n.range)
    status = scratch_items (j->call, cut.n * 2, sizeof (double), &c.range, error);
  if (!status)
    status = scratch_items (j->call, j->found.n * 3, sizeof (double), &c.centers, error);
  if (!status && n.ranks)
    status = scratch_items (j->call, j->found.n, sizeof *c.ranks, &c.ranks, error);
  c.channel.of = j->intensity->grid->channels;
  for (; !status && c.channel.number < c.channel.of; c.channel.number++) {
    if (n.mean)
      status = measure_mean (&c, error);
    if (!status && n.deviation)
      status = measure_deviation (&c, error);
    if (!status && n.range)
      status = measure_range (&c, error);
    if (!status && n.weighted)
      status = measure_weighted (&c, n.weighted_central, error);
  }
  return status;
}
