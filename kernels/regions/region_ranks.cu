/* SPDX-License-Identifier: MIT
 *
 * Medians and modes of the intensities of each object on the GPU. All pixels of objects become keys (object, value) and are ordered by one radix
 * sort, which costs the same for one large object as for a million small ones. Values of 64 bits take two sorts, by value and then by object.
 *
 * - measure_runs: a thread a run; its length.
 * - write_keys: 1, 8 or 32 lanes a run; the bytes of pixels read, 4 to 12 written.
 * - put_ranks: a team an object; looks up the middle values, searches for the longest stretch of one value, or counts 256 bins by binary search.
 * Between them CUB's scan and radix sort. No synchronization but within teams.
 */
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "kernels/common/keys.cuh"
#include "kernels/regions/region_measure.cuh"

enum { FLOAT_BINS = 256 };

__global__ static void
__launch_bounds__ (TEAM_BLOCK) measure_runs (const run *runs, int64_t n, int64_t *length)
{
  int64_t i = (int64_t) blockIdx.x * TEAM_BLOCK + threadIdx.x;
  if (i <= n)
    length[i] = i < n ? runs[i].x1 - runs[i].x0 : 0;
}

template <typename T, typename KEY> struct write_keys {
  region_set s;
  view<const T> image;
  int64_t first_plane;
  const int64_t *offset; /* of each run among all pixels */
  KEY *keys;
  uint32_t *objects; /* NULL: the object is in the key, above value_bits */
  int value_bits;

  template <typename TEAM> __device__ void operator() (TEAM &t, int64_t i) const
  {
    run r = s.runs[i];
    const T *row = image.row (first_plane + r.z, r.y);
    uint32_t object = (uint32_t) s.owner[i];
    for (int64_t x = r.x0 + t.rank; x < r.x1; x += TEAM::size) {
      int64_t at = offset[i] + (x - r.x0);
      KEY key = (KEY) key_of ((T) (row[x] + T (0))) /* -0 becomes 0 */;
      if (objects) {
        objects[at] = object;
        keys[at] = key;
      } else
        keys[at] = (KEY) object << value_bits | key;
    }
  }
};

/* ---- Ranks of sorted keys ---- */

template <typename KEY> struct sorted_values {
  const KEY *keys;
  KEY mask;
  fv_type type;

  __device__ double at (int64_t i) const
  {
    return key_value (type, (uint64_t) (keys[i] & mask));
  }
};

/* One past the last of the keys from i on, below n, that equal key i. */
template <typename KEY>
__device__ static inline int64_t
end_of_equals (const KEY *keys, int64_t i, int64_t n)
{
  int64_t step = 1, low = i, high;
  while (i + step < n && keys[i + step] == keys[i])
    low = i + step, step *= 2;
  high = i + step < n ? i + step : n;
  while (high - low > 1) {
    int64_t middle = (low + high) / 2;
    if (keys[middle] == keys[i])
      low = middle;
    else
      high = middle;
  }
  return high;
}

/* The most frequent value, the smallest of several: position of its first key. */
template <typename TEAM, typename KEY>
__device__ static inline int64_t
find_mode (TEAM &t, const KEY *keys, int64_t n)
{
  int64_t share = (n + TEAM::size - 1) / TEAM::size, i = share * t.rank, end = i + share < n ? i + share : n;
  int64_t most = 0, best = INT64_MAX;
  if (i > 0 && i < end && keys[i] == keys[i - 1])
    i = end_of_equals (keys, i, n);
  while (i < end) {
    int64_t next = end_of_equals (keys, i, n);
    if (next - i > most)
      most = next - i, best = i;
    i = next;
  }
  int64_t all = team_most (t, most);
  return team_least (t, most == all ? best : INT64_MAX);
}

/* Middle of the fullest of 256 bins over the range. */
template <typename TEAM, typename KEY>
__device__ static inline double
find_binned_mode (TEAM &t, const sorted_values<KEY> &v, int64_t n, double low, double high)
{
  double width = (high - low) / FLOAT_BINS, scale = 1 / width;
  if (!(width > 0) || isinf (width))
    return width == 0 ? low : NAN;
  int64_t most = -1, fullest = INT64_MAX;
  for (int64_t b = t.rank; b < FLOAT_BINS; b += TEAM::size) {
    int64_t ends[2];
    for (int k = 0; k < 2; k++) {
      int64_t from = 0, to = b + k == FLOAT_BINS ? 0 : n;
      while (from < to) {
        int64_t middle = (from + to) / 2;
        int bin = min ((int) ((v.at (middle) - low) * scale), FLOAT_BINS - 1);
        if (bin < b + k)
          from = middle + 1;
        else
          to = middle;
      }
      ends[k] = b + k == FLOAT_BINS ? n : from;
    }
    if (ends[1] - ends[0] > most)
      most = ends[1] - ends[0], fullest = b;
  }
  int64_t all = team_most (t, most);
  fullest = team_least (t, most == all ? fullest : INT64_MAX);
  return low + ((double) fullest + 0.5) * width;
}

template <typename KEY> struct put_ranks {
  region_set s;
  region_table t;
  region_channel channel;
  const int64_t *offset;
  const double *range;
  KEY *keys, mask;
  fv_type type;

  template <typename TEAM> __device__ void operator() (TEAM &team, int64_t i, int64_t) const
  {
    int64_t n = s.items[i].pixels;
    sorted_values<KEY> v = {keys + offset[s.items[i].first_run], mask, type};
    double low = range[2 * i], median = NAN, upper = NAN, mode = NAN;
    if (!isnan (low)) {
      upper = v.at (n / 2);
      median = n % 2 ? upper : 0.5 * (v.at (n / 2 - 1) + upper);
      if (type & FV_FLOATS)
        upper = median;
      if (wants (&t, P_intensity_mode))
        mode =
          type & FV_FLOATS ? find_binned_mode (team, v, n, low, range[2 * i + 1]) : v.at (find_mode (team, v.keys, n));
    }
    if (team.rank == 0) {
      put_channel (&t, channel, P_intensity_median, i, 0, median);
      put_channel (&t, channel, P_intensity_median_imagej, i, 0, upper);
      put_channel (&t, channel, P_intensity_mode, i, 0, mode);
    }
  }
};

/* ---- One channel ---- */

static int
bits_for (uint64_t v)
{
  return v ? 64 - __builtin_clzll (v) : 0;
}

typedef struct rank_job {
  region_measure *m;
  region_channel channel;
  const double *range;
  int64_t *offset;
  int value_bits, object_bits;
} rank_job;

template <typename T, typename KEY>
static fv_status
keys_of (const rank_job &j, KEY *keys, uint32_t *objects, fv_error *error)
{
  region_measure *m = j.m;
  int64_t first_plane = j.channel.number * grid_depth (m->intensity->grid);
  return for_each_run (
    m->call, &m->s,
    write_keys<T, KEY>{m->s, view_of<const T> (m->intensity), first_plane, j.offset, keys, objects, j.value_bits},
    error);
}

template <typename KEY>
static fv_status
ranks_of (const rank_job &j, KEY *keys, KEY mask, fv_error *error)
{
  region_measure *m = j.m;
  return for_each_object (
    m->call, &m->s, INT64_MAX,
    put_ranks<KEY>{m->s, m->t, j.channel, j.offset, j.range, keys, mask, m->intensity->grid->type}, error);
}

/* Object and value in one key. */
template <typename T, typename KEY>
static fv_status
rank_joined (const rank_job &j, fv_error *error)
{
  const fv_call *call = j.m->call;
  int64_t n = j.m->s.pixels;
  KEY *from, *other;
  char *temporary;
  size_t bytes = 0;
  cub::DoubleBuffer<KEY> keys;
  cub::DeviceRadixSort::SortKeys (nullptr, bytes, keys, n, 0, j.value_bits + j.object_bits, cuda_stream (call));
  fv_status status = cuda_scratch (call, n, &from, error);
  if (!status)
    status = cuda_scratch (call, n, &other, error);
  if (!status)
    status = cuda_scratch (call, bytes, &temporary, error);
  if (!status)
    status = keys_of<T, KEY> (j, from, nullptr, error);
  if (status)
    return status;
  keys = cub::DoubleBuffer<KEY> (from, other);
  status = cuda_status (
    cub::DeviceRadixSort::SortKeys (temporary, bytes, keys, n, 0, j.value_bits + j.object_bits, cuda_stream (call)),
    "Sorting intensities", error);
  return status ? status : ranks_of<KEY> (j, keys.Current (), (KEY) (((uint64_t) 1 << j.value_bits) - 1), error);
}

/* Values that fill a key: sorts by value, then by object. */
static fv_status
rank_apart (const rank_job &j, fv_error *error)
{
  const fv_call *call = j.m->call;
  cudaStream_t stream = cuda_stream (call);
  int64_t n = j.m->s.pixels;
  uint64_t *key[2];
  uint32_t *object[2];
  char *temporary;
  size_t bytes = 0, more = 0;
  cub::DoubleBuffer<uint64_t> keys;
  cub::DoubleBuffer<uint32_t> objects;
  cub::DeviceRadixSort::SortPairs (nullptr, bytes, keys, objects, n, 0, 64, stream);
  cub::DeviceRadixSort::SortPairs (nullptr, more, objects, keys, n, 0, j.object_bits, stream);
  fv_status status = cuda_scratch (call, bytes > more ? bytes : more, &temporary, error);
  for (int k = 0; k < 2 && !status; k++) {
    status = cuda_scratch (call, n, &key[k], error);
    if (!status)
      status = cuda_scratch (call, n, &object[k], error);
  }
  if (!status)
    status = keys_of<double, uint64_t> (j, key[0], object[0], error);
  if (status)
    return status;
  keys = cub::DoubleBuffer<uint64_t> (key[0], key[1]);
  objects = cub::DoubleBuffer<uint32_t> (object[0], object[1]);
  cudaError_t code = cub::DeviceRadixSort::SortPairs (temporary, bytes, keys, objects, n, 0, 64, stream);
  if (!code && j.object_bits)
    code = cub::DeviceRadixSort::SortPairs (temporary, more, objects, keys, n, 0, j.object_bits, stream);
  status = cuda_status (code, "Sorting intensities", error);
  return status ? status : ranks_of<uint64_t> (j, keys.Current (), ~(uint64_t) 0, error);
}

template <typename T>
static fv_status
rank_narrow (const rank_job &j, fv_error *error)
{
  return j.value_bits + j.object_bits <= 32 ? rank_joined<T, uint32_t> (j, error) : rank_joined<T, uint64_t> (j, error);
}

fv_status
region_measure_ranks (region_measure *m, region_channel channel, const double *range, fv_error *error)
{
  const fv_call *call = m->call;
  fv_type type = m->intensity->grid->type;
  rank_job j = {m, channel, range, nullptr, (int) (8 * type_bytes (type)), bits_for ((uint64_t) m->s.n - 1)};
  size_t bytes = 0;
  char *temporary;
  cub::DeviceScan::ExclusiveSum (nullptr, bytes, j.offset, j.offset, m->s.n_runs + 1, cuda_stream (call));
  fv_status status = cuda_scratch (call, m->s.n_runs + 1, &j.offset, error);
  if (!status)
    status = cuda_scratch (call, bytes, &temporary, error);
  if (status)
    return status;
  measure_runs<<<(unsigned) blocks_for (m->s.n_runs + 1, TEAM_BLOCK), TEAM_BLOCK, 0, cuda_stream (call)>>> (
    m->s.runs, m->s.n_runs, j.offset);
  cudaError_t code = cudaGetLastError ();
  if (!code)
    code = cub::DeviceScan::ExclusiveSum (temporary, bytes, j.offset, j.offset, m->s.n_runs + 1, cuda_stream (call));
  if (code)
    return cuda_status (code, "Counting pixels", error);
  switch (type) {
  case FV_U8: return rank_narrow<uint8_t> (j, error);
  case FV_U16: return rank_narrow<uint16_t> (j, error);
  case FV_I32: return rank_narrow<int32_t> (j, error);
  case FV_F32: return rank_narrow<float> (j, error);
  default: return rank_apart (j, error);
  }
}
