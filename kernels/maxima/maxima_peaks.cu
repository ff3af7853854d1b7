/* SPDX-License-Identifier: MIT
 *
 * maxima, peaks, on the GPU. The operations dilation and erosion find the extremes, and CUB lists candidates in raster order.
 * - peak_base_kernel reads the image for the value that no peak has.
 * - peak_flags_kernel reads image and extremes and writes a byte of state and a label of 0.
 * - peak_spacing_kernel, where the distance is above 1: a warp for each candidate, in the order of tickets, waits for those before it in its window.
 *   Warps with earlier tickets decide these, so that it never waits for one that has not begun.
 * - peak_rows: a thread a peak. Blocks of 256. Waits for the device for the numbers of candidates and of peaks, and for the rows.
 */
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

#include "kernels/maxima/maxima_extremes.h"
#include "kernels/maxima/maxima_keys.cuh"
#include "kernels/maxima/maxima_peaks.h"
#include "kernels/maxima/maxima_table.cuh"

enum peak_state : uint8_t { PEAK_NONE, PEAK_CANDIDATE, PEAK_KEPT, PEAK_DROPPED };

struct peak_field {
  maxima_args args;
  int64_t planes, rows, columns; /* of a group, which is a plane or the volume */
  long long *bases;              /* [groups]: keys */
  uint8_t *state;                /* [pixels] */
};

/* A row for each block in turn, with a join of two barriers. */
template <typename T>
__global__ static void
__launch_bounds__ (MAXIMA_THREADS) peak_base_kernel (view<const T> in, peak_field f)
{
  __shared__ long long shared[32];
  const bool light = f.args.light;
  for (int64_t line = blockIdx.x; line < in.planes * in.rows; line += gridDim.x) {
    int64_t plane = line / in.rows;
    const T *row = in.row (plane, line - plane * in.rows);
    double base = light ? -INFINITY : INFINITY;
    for (int64_t x = threadIdx.x; x < in.columns; x += MAXIMA_THREADS) {
      double v = (double) row[x];
      base = (light ? v > base : v < base) ? v : base;
    }
    long long key = join_block (maxima_key (base), shared,
                                [=] (long long a, long long b) { return (light ? a > b : a < b) ? a : b; });
    if (threadIdx.x == 0 && light)
      atomicMax (f.bases + plane / f.planes, key);
    else if (threadIdx.x == 0)
      atomicMin (f.bases + plane / f.planes, key);
  }
}

__device__ static bool
in_peak_margin (int64_t i, int64_t n, int64_t margin)
{
  return i < margin || i >= n - margin;
}

template <typename T>
__global__ static void
__launch_bounds__ (MAXIMA_THREADS)
  peak_flags_kernel (view<const T> in, const T *extremes, view<int32_t> labels, peak_field f)
{
  const maxima_args a = f.args;
  for (int64_t line = blockIdx.x; line < in.planes * in.rows; line += gridDim.x) {
    int64_t plane = line / in.rows, y = line - plane * in.rows;
    const double base = maxima_of_key (f.bases[plane / f.planes]);
    const bool edge = a.exclude_edges
                      && (in_peak_margin (y, f.rows, a.distance)
                          || (a.volume && in_peak_margin (plane % f.planes, f.planes, a.distance)));
    const T *row = in.row (plane, y), *most = extremes + line * in.columns;
    int32_t *label = labels.row (plane, y);
    uint8_t *state = f.state + line * in.columns;
    for (int64_t x = threadIdx.x; x < in.columns; x += MAXIMA_THREADS) {
      const double v = (double) row[x];
      const bool out = edge || (a.exclude_edges && in_peak_margin (x, f.columns, a.distance));
      const bool is = row[x] == most[x] && v != base && !out && maxima_is_high (&a, a.light ? -v : v);
      state[x] = is ? PEAK_CANDIDATE : PEAK_NONE;
      label[x] = 0;
    }
  }
}

/* Whether a peak is in the window of the candidate, before it; for all lanes. */
__device__ static bool
is_peak_taken (const peak_field &f, int64_t at)
{
  const volatile uint8_t *state = f.state;
  const int64_t line = at / f.columns, x = at - line * f.columns, plane = line / f.rows, y = line - plane * f.rows;
  const int64_t z = plane % f.planes, reach = f.args.distance - 1, side = 2 * reach + 1;
  const int64_t deep = f.args.volume ? reach : 0, before = (deep * side + reach) * side + reach;
  for (int64_t first = 0; first < before; first += 32) {
    int64_t k = first + (threadIdx.x & 31), of_row = k / side, of_plane = of_row / side;
    int64_t dz = of_plane - deep, dy = of_row - of_plane * side - reach, dx = k - of_row * side - reach;
    bool inside = k < before && z + dz >= 0 && y + dy >= 0 && y + dy < f.rows && x + dx >= 0 && x + dx < f.columns;
    uint8_t found = PEAK_NONE;
    if (inside)
      do
        found = state[at + (dz * f.rows + dy) * f.columns + dx];
      while (found == PEAK_CANDIDATE);
    if (__any_sync (~0u, found == PEAK_KEPT))
      return true;
  }
  return false;
}

__global__ static void
__launch_bounds__ (MAXIMA_THREADS)
  peak_spacing_kernel (peak_field f, const int64_t *candidates, int64_t n, unsigned long long *ticket)
{
  for (;;) {
    unsigned long long i = 0;
    if ((threadIdx.x & 31) == 0)
      i = atomicAdd (ticket, 1ull);
    i = __shfl_sync (~0u, i, 0);
    if (i >= (unsigned long long) n)
      return;
    const bool taken = is_peak_taken (f, candidates[i]);
    if ((threadIdx.x & 31) == 0)
      ((volatile uint8_t *) f.state)[candidates[i]] = taken ? PEAK_DROPPED : PEAK_KEPT;
    __syncwarp ();
  }
}

struct is_peak_kept {
  const uint8_t *state;

  __device__ bool operator() (int64_t at) const
  {
    return state[at] == PEAK_KEPT;
  }
};

/* peaks: in raster order; those of a group are numbered from its first. */
template <typename T> struct peak_rows {
  view<const T> in;
  view<int32_t> labels;
  int64_t pixels; /* of a group */
  const int64_t *peaks;
  maxima_row *rows;

  __device__ void operator() (int64_t i) const
  {
    const pixel_position p = position_of (in, peaks[i]);
    const int64_t begin = peaks[i] / pixels * pixels;
    int64_t low = 0, high = i;
    while (low < high) {
      int64_t middle = (low + high) / 2;
      if (peaks[middle] < begin)
        low = middle + 1;
      else
        high = middle;
    }
    rows[i] = {peaks[i], i - low + 1, (double) in.row (p.z, p.y)[p.x]};
    labels.row (p.z, p.y)[p.x] = (int32_t) (i - low + 1);
  }
};

/* ---- Host ---- */

/* Selects of n items: SELECT (temporary, bytes, found) is a call of CUB, asked for the bytes first. Gives the list and its length. */
template <typename SELECT>
static fv_status
select_peaks (const fv_call *call, int64_t room, int64_t **list, int64_t *n, SELECT select, fv_error *error)
{
  size_t bytes = 0;
  char *temporary;
  int64_t *found;
  fv_status status = cuda_status (select (nullptr, bytes, nullptr, nullptr), "Listing peaks", error);
  if (!status)
    status = cuda_scratch (call, room, list, error);
  if (!status)
    status = cuda_scratch (call, 1, &found, error);
  if (!status)
    status = cuda_scratch (call, bytes, &temporary, error);
  if (!status)
    status = cuda_status (select (temporary, bytes, *list, found), "Listing peaks", error);
  return status ? status : call->host->read (call, n, found, sizeof *n, error);
}

/* The kept of n candidates; their list and number. */
static fv_status
space_peaks (const fv_call *call, const peak_field &f, int64_t **list, int64_t *n, fv_error *error)
{
  const int64_t candidates = *n, *from = *list;
  const int64_t warps = 8 * MAXIMA_THREADS / 32 * (int64_t) multiprocessors (),
                needed = candidates < warps ? candidates : warps;
  cudaStream_t stream = cuda_stream (call);
  unsigned long long *ticket;
  fv_status status = cuda_scratch (call, 1, &ticket, error);
  if (!status)
    status = cuda_status (cudaMemsetAsync (ticket, 0, sizeof *ticket, stream), "Listing peaks", error);
  if (status)
    return status;
  peak_spacing_kernel<<<(unsigned) blocks_for (needed * 32, MAXIMA_THREADS), MAXIMA_THREADS, 0, stream>>> (
    f, from, candidates, ticket);
  status = cuda_status (cudaGetLastError (), "Spacing peaks", error);
  if (status)
    return status;
  return select_peaks (
    call, candidates, list, n,
    [&] (void *temporary, size_t &bytes, int64_t *to, int64_t *found) {
      return cub::DeviceSelect::If (temporary, bytes, from, to, found, candidates, is_peak_kept{f.state}, stream);
    },
    error);
}

static fv_status
flag_peaks (const fv_call *call, peak_field *f, int64_t groups, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  const int64_t lines = array_planes (in) * array_rows (in), most = 32 * (int64_t) multiprocessors ();
  const unsigned blocks = (unsigned) (lines < most ? lines : most);
  cudaStream_t stream = cuda_stream (call);
  scratch_image extremes;
  fv_status status = cuda_scratch (call, lines * array_columns (in), &f->state, error);
  if (!status)
    status = cuda_scratch (call, groups, &f->bases, error);
  if (!status)
    status = maxima_extremes (call, FV_CUDA, &extremes, error);
  if (status)
    return status;
  items_launch (call, groups, [bases = f->bases, light = f->args.light] __device__ (int64_t i) {
    bases[i] = maxima_key (light ? -INFINITY : INFINITY);
  });
  with_type (in->grid->type, [&] (auto zero) {
    typedef decltype (zero) T;
    const view<const T> pixels = view_of<const T> (in);
    peak_base_kernel<T><<<blocks, MAXIMA_THREADS, 0, stream>>> (pixels, *f);
    peak_flags_kernel<T><<<blocks, MAXIMA_THREADS, 0, stream>>> (pixels, (const T *) extremes.array.tensor.data,
                                                                 view_of<int32_t> (call->outputs[0]), *f);
  });
  return cuda_status (cudaGetLastError (), "Finding peaks", error);
}

static fv_status
list_peaks (const fv_call *call, const peak_field &f, const int64_t *peaks, int64_t n, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  maxima_row *rows, *here;
  fv_status status = cuda_scratch (call, n, &rows, error);
  if (!status)
    status = call->host->host_scratch (call, (n + 1) * sizeof *here, (void **) &here, error);
  if (!status && n > 0) {
    with_type (in->grid->type, [&] (auto zero) {
      typedef decltype (zero) T;
      items_launch (call, n,
                    peak_rows<T>{view_of<const T> (in), view_of<int32_t> (call->outputs[0]),
                                 f.planes * f.rows * f.columns, peaks, rows});
    });
    status = cuda_status (cudaGetLastError (), "Listing peaks", error);
    if (!status)
      status = call->host->read (call, here, rows, n * sizeof *rows, error);
  }
  return status ? status : maxima_table_cuda (call, here, n, error);
}

extern "C" fv_status
maxima_peaks_cuda (const fv_call *call, fv_error *error)
{
  const maxima_args *a = (const maxima_args *) call->args;
  const fv_array *in = call->inputs[0];
  const int64_t planes = array_planes (in), pixels = planes * array_rows (in) * array_columns (in);
  int64_t *list, n;
  peak_field f = {*a, a->volume ? planes : 1, array_rows (in), array_columns (in), nullptr, nullptr};
  fv_status status = flag_peaks (call, &f, planes / f.planes, error);
  if (!status)
    status = select_peaks (
      call, pixels, &list, &n,
      [&] (void *temporary, size_t &bytes, int64_t *to, int64_t *found) {
        return cub::DeviceSelect::Flagged (temporary, bytes, thrust::counting_iterator<int64_t> (0), f.state, to, found,
                                           pixels, cuda_stream (call));
      },
      error);
  if (!status && a->distance > 1 && n > 0)
    status = space_peaks (call, f, &list, &n, error);
  return status ? status : list_peaks (call, f, list, n, error);
}
