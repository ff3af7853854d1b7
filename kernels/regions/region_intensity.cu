/* SPDX-License-Identifier: MIT
 *
 * Intensities of objects on the GPU: each run is summed by lanes of a warp, then the runs of each object are
 * (region_sums.cuh, in the order of regions.h). Sums of integers are exact. Deviations are taken about the mean and central moments about
 * the weighted centroid, in a second pass.
 *
 * - scan_runs: 1, 8 or 32 lanes a run; the bytes of pixels read, 16 to 24 bytes written a run.
 * - put_scans: a sum over runs reads these.
 * - add_powers: lanes of a run as above; the bytes of pixels read, 24 written a run; put_powers reads these.
 * - add_weights: lanes of a run as above; the bytes of pixels read, 32 written a run; put_weights reads these.
 * No synchronization but within teams.
 */
#include "kernels/regions/region_measure.cuh"
#include "kernels/regions/region_sums.cuh"

#include <type_traits>

template <typename T> using sum_of = std::conditional_t<std::is_integral_v<T>, int64_t, double>;

template <typename T> struct channel_pixels {
  view<const T> image;
  int64_t first_plane;

  __device__ const T *row (const run &r) const
  {
    return image.row (first_plane + r.z, r.y);
  }
};

/* ---- Sum and range ---- */

struct takes_least_or_nan {
  template <typename T> __device__ T operator() (T a, T b) const
  {
    return b < a || b != b ? b : a;
  }
};

struct takes_most_or_nan {
  template <typename T> __device__ T operator() (T a, T b) const
  {
    return b > a || b != b ? b : a;
  }
};

/* A number of a type that shuffles can carry. */
template <typename T> using carried = std::conditional_t<(sizeof (T) < 4), int32_t, T>;

template <typename T> struct run_scans {
  sum_of<T> *sum;         /* NULL: not asked */
  carried<T> *low, *high; /* NULL: not asked */
};

template <typename T> struct scan_runs {
  channel_pixels<T> pixels;
  const run *runs;
  run_scans<T> to;

  template <typename TEAM> __device__ void operator() (TEAM &t, int64_t i) const
  {
    run r = runs[i];
    const T *row = pixels.row (r);
    sum_of<T> sum = 0;
    carried<T> low = row[r.x0], high = low;
    if constexpr (std::is_integral_v<T>) {
#pragma unroll 4
      for (int64_t x = r.x0 + t.rank; x < r.x1; x += TEAM::size) {
        carried<T> v = row[x];
        sum += v;
        low = takes_least_or_nan () (low, v), high = takes_most_or_nan () (high, v);
      }
      sum = team_sum (t, sum);
    } else {
      double all[1] = {};
      sum_run (t, r, all, [&] (int64_t x, double *n) {
        carried<T> v = row[x];
        n[0] += v;
        low = takes_least_or_nan () (low, v), high = takes_most_or_nan () (high, v);
      });
      sum = all[0];
    }
    if (to.sum && t.rank == 0)
      to.sum[i] = sum;
    if (to.low) {
      low = t.reduce (low, takes_least_or_nan ()), high = t.reduce (high, takes_most_or_nan ());
      if (t.rank == 0)
        to.low[i] = low, to.high[i] = high;
    }
  }
};

template <typename T> struct put_scans {
  region_set s;
  region_table t;
  region_channel channel;
  run_scans<T> from;
  double *mean, *range; /* of each object, 1 and 2 numbers; NULL: not needed further */

  struct sum {
    sum_of<T> all;
    carried<T> low, high;
  };

  __device__ static sum none ()
  {
    if constexpr (std::is_integral_v<T>)
      return {0, INT32_MAX, INT32_MIN};
    else
      return {0, (T) INFINITY, (T) -INFINITY};
  }

  __device__ int begin (int64_t) const
  {
    return 0;
  }

  __device__ void add (sum *n, int, int64_t k) const
  {
    if (from.sum)
      n->all += from.sum[k];
    if (from.low) {
      n->low = takes_least_or_nan () (n->low, from.low[k]);
      n->high = takes_most_or_nan () (n->high, from.high[k]);
    }
  }

  __device__ static void join (sum *n, const sum &other)
  {
    n->all += other.all;
    n->low = takes_least_or_nan () (n->low, other.low), n->high = takes_most_or_nan () (n->high, other.high);
  }

  __device__ void finish (int64_t i, int, const sum &n) const
  {
    if (from.sum) {
      double total = (double) n.all, of_pixel = total / (double) s.items[i].pixels;
      put_mean (&t, channel, total, of_pixel, i);
      if (mean)
        mean[i] = of_pixel;
    }
    if (from.low) {
      bool nan = n.low != n.low || n.high != n.high;
      double least = nan ? NAN : (double) n.low, most = nan ? NAN : (double) n.high;
      put_channel (&t, channel, P_intensity_min, i, 0, least);
      put_channel (&t, channel, P_intensity_max, i, 0, most);
      if (range)
        range[2 * i] = least, range[2 * i + 1] = most;
    }
  }
};

/* ---- Deviations ---- */

typedef struct run_powers {
  double d2, d3, d4;
} run_powers;

template <typename T> struct add_powers {
  region_set s;
  channel_pixels<T> pixels;
  const double *mean;
  run_powers *to;

  template <typename TEAM> __device__ void operator() (TEAM &t, int64_t i) const
  {
    run r = s.runs[i];
    const T *row = pixels.row (r);
    double about = mean[s.owner[i]], sum[3] = {};
    sum_run (t, r, sum, [&] (int64_t x, double *v) {
      double d = (double) row[x] - about, square = d * d;
      v[0] += square, v[1] += square * d, v[2] += square * square;
    });
    if (t.rank == 0)
      to[i] = {sum[0], sum[1], sum[2]};
  }
};

struct put_powers {
  region_set s;
  region_table t;
  region_channel channel;
  const double *mean;
  const run_powers *from;

  using sum = run_powers;

  __device__ static sum none ()
  {
    return {0, 0, 0};
  }

  __device__ int begin (int64_t) const
  {
    return 0;
  }

  __device__ void add (sum *n, int, int64_t k) const
  {
    join (n, from[k]);
  }

  __device__ static void join (sum *n, const sum &other)
  {
    n->d2 += other.d2, n->d3 += other.d3, n->d4 += other.d4;
  }

  __device__ void finish (int64_t i, int, const sum &n) const
  {
    double d[3] = {n.d2, n.d3, n.d4};
    put_deviation (&t, channel, s.items[i].pixels, mean[i], d, i);
  }
};

/* ---- Weighted moments ---- */

typedef struct run_weights {
  double along[4];
} run_weights;

typedef struct region_center {
  double at[3];
} region_center;

template <typename T> struct add_weights {
  region_set s;
  channel_pixels<T> pixels;
  const region_center *centers; /* NULL: the corners of the boxes */
  run_weights *to;

  template <typename TEAM> __device__ void operator() (TEAM &t, int64_t i) const
  {
    run r = s.runs[i];
    const T *row = pixels.row (r);
    int32_t object = s.owner[i];
    double left = s.items[object].low[2] + (centers ? centers[object].at[2] : 0), sum[4] = {};
    sum_run (t, r, sum, [&] (int64_t x, double *n) {
      double v = (double) row[x], d = (double) x - left, square = d * d;
      n[0] += v, n[1] += v * d, n[2] += v * square, n[3] += v * square * d;
    });
    for (int k = 0; k < 4 && t.rank == 0; k++)
      to[i].along[k] = sum[k];
  }
};

/* Where moments are taken about, from the corner of the box. */
struct weights_center {
  int32_t low_z, low_y;
  double z, y;
};

template <bool VOLUME> struct put_weights {
  region_set s;
  region_table t;
  region_channel channel;
  region_center *centers;
  bool central; /* centers are read; else they are written */
  const run_weights *from;

  enum { N = VOLUME ? VOLUME_MOMENTS : PLANE_MOMENTS };
  struct sum {
    double m[N];
  };

  __device__ static sum none ()
  {
    return {{0}};
  }

  __device__ weights_center begin (int64_t i) const
  {
    const int32_t *low = s.items[i].low;
    return {low[0], low[1], central ? centers[i].at[0] : 0, central ? centers[i].at[1] : 0};
  }

  __device__ void add (sum *m, const weights_center &c, int64_t k) const
  {
    run r = s.runs[k];
    run_weights w = from[k];
    moments_add_row (m->m, VOLUME, r.z - c.low_z - c.z, r.y - c.low_y - c.y, w.along);
  }

  __device__ static void join (sum *m, const sum &other)
  {
    for (int k = 0; k < N; k++)
      m->m[k] += other.m[k];
  }

  __device__ void finish (int64_t i, const weights_center &, sum m) const
  {
    if (central) {
      put_weighted_central (&t, channel, m.m, i);
      return;
    }
    region o = s.items[i];
    put_weighted (&t, channel, &o, m.m, centers[i].at, i);
  }
};

/* ---- One channel ---- */

typedef struct intensity_scratch {
  char *runs; /* 32 bytes of each */
  double *mean, *range;
  region_center *centers;
} intensity_scratch;

template <typename T>
static fv_status
measure_weighted (region_measure *m, const channel_pixels<T> &pixels, region_channel channel,
                  const intensity_scratch &w, bool central, fv_error *error)
{
  const fv_call *call = m->call;
  region_set *s = &m->s;
  run_weights *runs = (run_weights *) w.runs;
  const region_center *about = central ? w.centers : nullptr;
  fv_status status = for_each_run (call, s, add_weights<T>{*s, pixels, about, runs}, error);
  if (status)
    return status;
  if (m->t.volume)
    return for_each_sum (call, s, put_weights<true>{*s, m->t, channel, w.centers, central, runs}, error);
  return for_each_sum (call, s, put_weights<false>{*s, m->t, channel, w.centers, central, runs}, error);
}

template <typename T>
static fv_status
measure_channel (region_measure *m, region_channel channel, const intensity_scratch &w, fv_error *error)
{
  const fv_call *call = m->call;
  const region_needs *need = &m->need;
  region_set *s = &m->s;
  channel_pixels<T> pixels = {view_of<const T> (m->intensity), channel.number * grid_depth (m->intensity->grid)};
  run_scans<T> scans = {};
  fv_status status = FV_OK;
  if (need->mean)
    scans.sum = (sum_of<T> *) w.runs;
  if (need->range)
    scans.low = (carried<T> *) (w.runs + 8 * s->n_runs), scans.high = (carried<T> *) (w.runs + 16 * s->n_runs);
  if (need->mean || need->range) {
    status = for_each_run (call, s, scan_runs<T>{pixels, s->runs, scans}, error);
    if (!status)
      status = for_each_sum (call, s, put_scans<T>{*s, m->t, channel, scans, w.mean, w.range}, error);
  }
  if (!status && need->ranks)
    status = region_measure_ranks (m, channel, w.range, error);
  if (!status && need->deviation) {
    status = for_each_run (call, s, add_powers<T>{*s, pixels, w.mean, (run_powers *) w.runs}, error);
    if (!status)
      status = for_each_sum (call, s, put_powers{*s, m->t, channel, w.mean, (run_powers *) w.runs}, error);
  }
  if (!status && need->weighted)
    status = measure_weighted (m, pixels, channel, w, false, error);
  if (!status && need->weighted_central)
    status = measure_weighted (m, pixels, channel, w, true, error);
  return status;
}

fv_status
region_measure_intensities (region_measure *m, fv_error *error)
{
  const fv_call *call = m->call;
  const region_needs *need = &m->need;
  intensity_scratch w = {};
  if (!(need->mean || need->range || need->weighted))
    return FV_OK;
  fv_status status = cuda_scratch (call, 32 * m->s.n_runs, &w.runs, error);
  if (!status && need->deviation)
    status = cuda_scratch (call, m->s.n, &w.mean, error);
  if (!status && need->ranks)
    status = cuda_scratch (call, 2 * m->s.n, &w.range, error);
  if (!status && need->weighted)
    status = cuda_scratch (call, m->s.n, &w.centers, error);
  region_channel channel = {0, m->intensity->grid->channels};
  for (; !status && channel.number < channel.of; channel.number++) {
    if (call->host->tick (call, channel.number, channel.of))
      return cancelled (error);
    switch (m->intensity->grid->type) {
    case FV_U8: status = measure_channel<uint8_t> (m, channel, w, error); break;
    case FV_U16: status = measure_channel<uint16_t> (m, channel, w, error); break;
    case FV_I32: status = measure_channel<int32_t> (m, channel, w, error); break;
    case FV_F32: status = measure_channel<float> (m, channel, w, error); break;
    default: status = measure_channel<double> (m, channel, w, error); break;
    }
  }
  return status;
}
