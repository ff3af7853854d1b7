/* SPDX-License-Identifier: MIT
 *
 * maxima by prominence on the GPU. With g the next number below v - prominence, and R the reconstruction by dilation of g under the heights v, the
 * connected pieces of v > R are the areas. Those with g = R somewhere are maxima: these pixels are their highest. Operations reconstruct_grey and
 * label; between them passes over all pixels, in blocks of 256 threads:
 * - hill_heights_kernel: a row for each block in turn, two joins, an atomic minimum and maximum.
 * - by items.cuh, the mask of areas, and hill_pixels with the bodies find_tops, find_means, find_nearest, find_ties and paint. Each reads the label
 *   and, where there is one, up to 16 bytes, with atomics for the highest pixels of areas.
 * - hill_rows: a thread for each area. Of several pixels that are equally near to the mean hill_order_kernel, a block for each such area,
 *   finds that which a breadth-first search finds first; some barriers for 256 neighbors of each ring of it. Waits for the device for the numbers of
 *   areas, and for the rows.
 */
#include "kernels/common/inner_call.h"
#include "kernels/label/label.h"
#include "kernels/morphology/reconstruct_grey.h"
#include "kernels/maxima/maxima_extremes.h"
#include "kernels/maxima/maxima_keys.cuh"
#include "kernels/maxima/maxima_prominent.h"
#include "kernels/maxima/maxima_table.cuh"

/* Of an area. */
struct hill {
  long long top;                          /* key of the height; NO_TOP: not a maximum */
  unsigned long long sum_y, sum_x, count; /* of the highest pixels */
  unsigned long long nearest, ties; /* bits of the least square of a distance to their mean, and how many have it */
  long long last, last_near;        /* the last of the highest, and of those */
  int edge;                         /* touches it */
};

#define NO_TOP ((long long) 0x8000000000000000ull)

enum {
  HILL_TIED = 2 /* in the mask: one of the nearest */,
  HILL_UNCLEAR = -1 /* number of a row: which of them is not known yet */
};

template <typename F> struct hill_field {
  maxima_args args;
  F prominence;
  int64_t planes, rows, columns;
  F *height, *below;    /* [pixels] */
  uint8_t *mask;        /* [pixels] */
  long long *spans;     /* [planes][2]: keys of the least and the greatest height */
  view<int32_t> labels; /* of areas */
  const int64_t *first; /* [planes]: areas before each */
  hill *hills;
};

__device__ static inline float
next_below (float v)
{
  return nextafterf (v, -INFINITY);
}

__device__ static inline double
next_below (double v)
{
  return nextafter (v, (double) -INFINITY);
}

/* The highest number that no pixel of the area of a maximum has. */
template <typename F>
__device__ static F
hill_floor (F height, F prominence)
{
  return next_below (height - prominence);
}

template <typename T, typename F>
__global__ static void
__launch_bounds__ (MAXIMA_THREADS) hill_heights_kernel (view<const T> in, hill_field<F> f)
{
  __shared__ long long shared[32];
  for (int64_t line = blockIdx.x; line < f.planes * f.rows; line += gridDim.x) {
    const int64_t z = line / f.rows;
    const T *row = in.row (z, line - z * f.rows);
    double least = INFINITY, most = -INFINITY;
    for (int64_t x = threadIdx.x; x < f.columns; x += MAXIMA_THREADS) {
      const F own = (F) row[x], v = f.args.light ? -own : own, height = v == v ? v : (F) -INFINITY;
      least = (double) v < least ? (double) v : least;
      most = (double) v > most ? (double) v : most;
      f.height[line * f.columns + x] = height;
      f.below[line * f.columns + x] = hill_floor (height, f.prominence);
    }
    long long low = join_block (maxima_key (least), shared, [] (long long a, long long b) { return a < b ? a : b; });
    long long high = join_block (maxima_key (most), shared, [] (long long a, long long b) { return a > b ? a : b; });
    if (threadIdx.x == 0) {
      atomicMin (f.spans + 2 * z, low);
      atomicMax (f.spans + 2 * z + 1, high);
    }
  }
}

/* ---- The pixels of areas ---- */

template <typename F, typename BODY> struct hill_pixels {
  hill_field<F> f;
  BODY body;

  __device__ void operator() (int64_t i) const
  {
    const pixel_position p = position_of (f.labels, i);
    int32_t *label = f.labels.row (p.z, p.y) + p.x;
    if (*label > 0)
      body (f, i, p, f.hills + f.first[p.z] + *label - 1, label);
  }
};

/* Pixels as high as the top are the highest of their area when this is a maximum. */
struct find_tops {
  template <typename F>
  __device__ void operator() (const hill_field<F> &f, int64_t i, const pixel_position &, hill *h, int32_t *) const
  {
    const long long key = maxima_key ((double) f.height[i]);
    if (f.below[i] == hill_floor (f.height[i], f.prominence) && key > *(volatile long long *) &h->top)
      atomicMax (&h->top, key);
  }
};

template <typename F>
__device__ static bool
is_highest (const hill_field<F> &f, int64_t i, const hill *h)
{
  return maxima_key ((double) f.height[i]) == h->top;
}

struct find_means {
  template <typename F>
  __device__ void operator() (const hill_field<F> &f, int64_t i, const pixel_position &p, hill *h, int32_t *) const
  {
    const bool highest = is_highest (f, i, h);
    if (highest) {
      atomicAdd (&h->sum_y, (unsigned long long) p.y);
      atomicAdd (&h->sum_x, (unsigned long long) p.x);
      atomicAdd (&h->count, 1ull);
      atomicMax (&h->last, (long long) i);
    }
    if ((highest || f.args.strict) && (p.y == 0 || p.y == f.rows - 1 || p.x == 0 || p.x == f.columns - 1))
      atomicExch (&h->edge, 1);
  }
};

/* Bits of the square of the distance to the mean, rounded as on the CPU; they are in the order of the numbers. */
__device__ static unsigned long long
hill_nearness (const pixel_position &p, const hill *h)
{
  const double y = __dsub_rn ((double) h->sum_y / (double) h->count, (double) p.y);
  const double x = __dsub_rn ((double) h->sum_x / (double) h->count, (double) p.x);
  return (unsigned long long) __double_as_longlong (__dadd_rn (__dmul_rn (x, x), __dmul_rn (y, y)));
}

struct find_nearest {
  template <typename F>
  __device__ void operator() (const hill_field<F> &f, int64_t i, const pixel_position &p, hill *h, int32_t *) const
  {
    if (is_highest (f, i, h))
      atomicMin (&h->nearest, hill_nearness (p, h));
  }
};

struct find_ties {
  template <typename F>
  __device__ void operator() (const hill_field<F> &f, int64_t i, const pixel_position &p, hill *h, int32_t *) const
  {
    if (!is_highest (f, i, h) || hill_nearness (p, h) != h->nearest)
      return;
    f.mask[i] = HILL_TIED;
    atomicAdd (&h->ties, 1ull);
    atomicMax (&h->last_near, (long long) i);
  }
};

/* Rows have the numbers of areas, 0: not a maximum. */
struct paint {
  const maxima_row *rows;

  template <typename F>
  __device__ void operator() (const hill_field<F> &f, int64_t i, const pixel_position &, hill *h, int32_t *label) const
  {
    const maxima_row row = rows[h - f.hills];
    *label = f.args.output == MAXIMA_AREAS || row.at == i ? (int32_t) row.number : 0;
  }
};

/* ---- The areas ---- */

template <typename F> struct hill_rows {
  hill_field<F> f;
  maxima_row *rows;

  __device__ void operator() (int64_t i) const
  {
    const hill h = f.hills[i];
    const double height = maxima_of_key (h.top);
    int64_t number = 0;
    if (h.top != NO_TOP && !(f.args.exclude_edges && h.edge) && maxima_is_high (&f.args, height)
        && height > maxima_of_key (f.spans[2 * (h.last / (f.rows * f.columns))]))
      number = h.ties == 1 || h.last_near == h.last ? 1 : HILL_UNCLEAR;
    rows[i] = {(int64_t) h.last_near, number, f.args.light ? -height : height};
  }
};

/* ---- The order of a breadth-first search ---- */

struct hill_search {
  unsigned *claims; /* [pixels]: 0: listed; 1 + the index among the neighbors of a ring that lists it; at first ~0 */
  int64_t *list;    /* [pixels]: rings of all areas */
  unsigned long long *taken; /* of the list */
};

/* Pixel of neighbor k of a ring, in its order, or -1 where it is not in the area. */
template <typename F>
__device__ static int64_t
hill_neighbor (const hill_field<F> &f, const int64_t *ring, int64_t k, int32_t label)
{
  const int around_x[] = MAXIMA_AROUND_X, around_y[] = MAXIMA_AROUND_Y;
  const pixel_position p = position_of (f.labels, ring[k / 8]);
  const int64_t y = p.y + around_y[k % 8], x = p.x + around_x[k % 8];
  if (y < 0 || y >= f.rows || x < 0 || x >= f.columns || f.labels.row (p.z, y)[x] != label)
    return -1;
  return (p.z * f.rows + y) * f.columns + x;
}

/* The ring after one of n pixels, which it lists; returns its length and gives in *near the first of the nearest pixels in it, or -1. All
 * threads of the block call. */
template <typename F>
__device__ static int64_t
next_ring (const hill_field<F> &f, const hill_search &s, int64_t *ring, int64_t n, int32_t label, int64_t **next,
           int64_t *near)
{
  __shared__ long long shared[32];
  __shared__ unsigned long long begin;
  volatile unsigned *claims = s.claims;
  const auto add = [] (long long a, long long b) { return a + b; };
  const auto least = [] (long long a, long long b) { return a < b ? a : b; };
  long long own = 0, first = INT64_MAX;
  for (int64_t k = threadIdx.x; k < 8 * n; k += MAXIMA_THREADS) {
    const int64_t to = hill_neighbor (f, ring, k, label);
    if (to >= 0)
      atomicMin (s.claims + to, (unsigned) k + 1);
  }
  __syncthreads ();
  for (int64_t k = threadIdx.x; k < 8 * n; k += MAXIMA_THREADS) {
    const int64_t to = hill_neighbor (f, ring, k, label);
    if (to < 0 || claims[to] != (unsigned) k + 1)
      continue;
    own++;
    first = f.mask[to] == HILL_TIED && k < first ? k : first;
  }
  const int64_t count = join_block (own, shared, add);
  first = join_block (first, shared, least);
  *near = first == INT64_MAX ? -1 : hill_neighbor (f, ring, first, label);
  if (threadIdx.x == 0)
    begin = atomicAdd (s.taken, (unsigned long long) count);
  __syncthreads ();
  *next = s.list + begin;
  for (int64_t from = 0, before = 0; from < 8 * n && *near < 0; from += MAXIMA_THREADS) {
    __shared__ int warps[MAXIMA_THREADS / 32];
    const int64_t k = from + threadIdx.x, to = k < 8 * n ? hill_neighbor (f, ring, k, label) : -1;
    const bool listed = to >= 0 && claims[to] == (unsigned) k + 1;
    const unsigned bits = __ballot_sync (~0u, listed);
    const int warp = (int) threadIdx.x / 32;
    if ((threadIdx.x & 31) == 0)
      warps[warp] = __popc (bits);
    __syncthreads ();
    int64_t index = before + __popc (bits & ((1u << (threadIdx.x & 31)) - 1));
    for (int w = 0; w < MAXIMA_THREADS / 32; w++) {
      index += w < warp ? warps[w] : 0;
      before += warps[w];
    }
    if (listed) {
      (*next)[index] = to;
      claims[to] = 0;
    }
    __syncthreads ();
  }
  return count;
}

/* A block for each area. A ring has less than 2^29 pixels. */
template <typename F>
__global__ static void
__launch_bounds__ (MAXIMA_THREADS) hill_order_kernel (hill_field<F> f, hill_search s, maxima_row *rows)
{
  if (rows[blockIdx.x].number != HILL_UNCLEAR)
    return;
  __shared__ int64_t start;
  const pixel_position p = position_of (f.labels, (int64_t) f.hills[blockIdx.x].last);
  const int32_t label = f.labels.row (p.z, p.y)[p.x];
  int64_t *ring = &start, n = 1, near = -1;
  if (threadIdx.x == 0) {
    start = (int64_t) f.hills[blockIdx.x].last;
    s.claims[start] = 0;
  }
  __syncthreads ();
  while (near < 0 && n > 0) {
    int64_t *next;
    n = next_ring (f, s, ring, n, label, &next, &near);
    ring = next;
  }
  if (threadIdx.x == 0)
    rows[blockIdx.x].at = near;
}

/* ---- Host ---- */

/* Areas of all planes in the output, and how many there are before each plane; the last: of all. */
template <typename F>
static fv_status
find_areas (const fv_call *call, hill_field<F> *f, scratch_image *height, scratch_image *below, int64_t *first,
            fv_error *error)
{
  const fv_array *in = call->inputs[0];
  const int64_t lines = f->planes * f->rows, most = 32 * (int64_t) multiprocessors ();
  const unsigned blocks = (unsigned) (lines < most ? lines : most);
  const reconstruct_grey_args under = {RECONSTRUCT_BY_DILATION, LABEL_8, false};
  label_args number = {};
  double *counts, *here;
  cudaStream_t stream = cuda_stream (call);
  fv_status status = cuda_scratch (call, f->planes, &counts, error);
  if (!status)
    status = call->host->host_scratch (call, f->planes * sizeof *here, (void **) &here, error);
  if (status)
    return status;
  items_launch (call, f->planes, [spans = f->spans] __device__ (int64_t z) {
    spans[2 * z] = maxima_key (INFINITY);
    spans[2 * z + 1] = maxima_key (-INFINITY);
  });
  with_type (in->grid->type, [&] (auto zero) {
    typedef decltype (zero) T;
    hill_heights_kernel<T, F><<<blocks, MAXIMA_THREADS, 0, stream>>> (view_of<const T> (in), *f);
  });
  status = cuda_status (cudaGetLastError (), "Finding maxima", error);
  const fv_array *raised[] = {&below->array, &height->array};
  if (!status)
    status = run_inner (call, FV_CUDA, &fv_op_reconstruct_grey, &under, raised, raised, NULL, error);
  if (status)
    return status;
  items_launch (call, lines * f->columns, [f = *f] __device__ (int64_t i) {
    const int64_t z = i / (f.rows * f.columns);
    const double least = maxima_of_key (f.spans[2 * z]), most = maxima_of_key (f.spans[2 * z + 1]);
    const double range = (double) ((F) most - (F) least);
    const bool possible = most > least && !(f.args.strict && range <= f.args.prominence);
    f.mask[i] = possible && f.height[i] > f.below[i] ? 255 : 0;
  });
  status = cuda_status (cudaGetLastError (), "Finding maxima", error);
  scratch_image mask;
  scratch_image_like (&mask, in, FV_U8, FV_IMAGE, f->mask);
  const fv_array *labeled = &mask.array;
  number.connectivity = LABEL_8;
  if (!status)
    status = run_inner (call, FV_CUDA, &fv_op_label, &number, &labeled, call->outputs, counts, error);
  if (!status)
    status = call->host->read (call, here, counts, f->planes * sizeof *counts, error);
  first[0] = 0;
  for (int64_t z = 0; z < f->planes && !status; z++)
    first[z + 1] = first[z] + (int64_t) here[z];
  return status;
}

/* Rows of all areas, on the device and here. */
template <typename F>
static fv_status
find_rows (const fv_call *call, const hill_field<F> &f, int64_t n, maxima_row *rows, maxima_row *here, fv_error *error)
{
  const int64_t pixels = f.planes * f.rows * f.columns;
  bool unclear = false;
  cudaStream_t stream = cuda_stream (call);
  hill_search s;
  items_launch (call, n,
                [hills = f.hills] __device__ (int64_t i) { hills[i] = {NO_TOP, 0, 0, 0, ~0ull, 0, -1, -1, 0}; });
  items_launch (call, pixels, hill_pixels<F, find_tops>{f, {}});
  items_launch (call, pixels, hill_pixels<F, find_means>{f, {}});
  items_launch (call, pixels, hill_pixels<F, find_nearest>{f, {}});
  items_launch (call, pixels, hill_pixels<F, find_ties>{f, {}});
  items_launch (call, n, hill_rows<F>{f, rows});
  fv_status status = cuda_status (cudaGetLastError (), "Finding maxima", error);
  if (!status)
    status = call->host->read (call, here, rows, n * sizeof *rows, error);
  for (int64_t i = 0; i < n && !status; i++)
    unclear |= here[i].number == HILL_UNCLEAR;
  if (status || !unclear)
    return status;
  status = cuda_scratch (call, pixels, &s.claims, error);
  if (!status)
    status = cuda_scratch (call, pixels, &s.list, error);
  if (!status)
    status = cuda_scratch (call, 1, &s.taken, error);
  if (!status)
    status = cuda_status (cudaMemsetAsync (s.claims, 255, (size_t) pixels * sizeof *s.claims, stream), "Finding maxima",
                          error);
  if (!status)
    status = cuda_status (cudaMemsetAsync (s.taken, 0, sizeof *s.taken, stream), "Finding maxima", error);
  if (status)
    return status;
  hill_order_kernel<F><<<(unsigned) n, MAXIMA_THREADS, 0, stream>>> (f, s, rows);
  status = cuda_status (cudaGetLastError (), "Finding maxima", error);
  return status ? status : call->host->read (call, here, rows, n * sizeof *rows, error);
}

/* Maxima get their numbers, plane by plane. */
static void
number_rows (maxima_row *rows, const int64_t *first, int64_t planes)
{
  for (int64_t z = 0; z < planes; z++) {
    int64_t number = 0;
    for (int64_t i = first[z]; i < first[z + 1]; i++)
      if (rows[i].number)
        rows[i].number = ++number;
  }
}

static fv_status
maxima_send (const fv_call *call, void *to, const void *from, size_t bytes, fv_error *error)
{
  return call->device->copy (call->device, call->stream, to, bytes, from, bytes, bytes, 1, FV_TO_DEVICE, error);
}

template <typename F>
static fv_status
find_and_paint (const fv_call *call, hill_field<F> f, const int64_t *first, fv_error *error)
{
  const int64_t n = first[f.planes];
  int64_t *d_first;
  maxima_row *rows, *here = NULL;
  if (!n)
    return maxima_table_cuda (call, here, 0, error); /* the output is 0 */
  fv_status status = cuda_scratch (call, f.planes, &d_first, error);
  if (!status)
    status = cuda_scratch (call, n, &f.hills, error);
  if (!status)
    status = cuda_scratch (call, n, &rows, error);
  if (!status)
    status = call->host->host_scratch (call, n * sizeof *here, (void **) &here, error);
  if (!status)
    status = maxima_send (call, d_first, first, f.planes * sizeof *first, error);
  f.first = d_first;
  if (!status)
    status = find_rows (call, f, n, rows, here, error);
  if (status)
    return status;
  number_rows (here, first, f.planes);
  if ((status = maxima_send (call, rows, here, n * sizeof *here, error)))
    return status;
  items_launch (call, f.planes * f.rows * f.columns, hill_pixels<F, paint>{f, {rows}});
  status = cuda_status (cudaGetLastError (), "Finding maxima", error);
  return status ? status : maxima_table_cuda (call, here, n, error);
}

template <typename F>
static fv_status
find_prominent (const fv_call *call, fv_type working, fv_error *error)
{
  const maxima_args *a = (const maxima_args *) call->args;
  const fv_array *in = call->inputs[0];
  const int64_t pixels = array_planes (in) * array_rows (in) * array_columns (in);
  int64_t *first;
  scratch_image height, below;
  hill_field<F> f = {};
  f.args = *a;
  f.prominence = (F) a->prominence;
  f.planes = array_planes (in);
  f.rows = array_rows (in);
  f.columns = array_columns (in);
  f.labels = view_of<int32_t> (call->outputs[0]);
  fv_status status = cuda_scratch (call, pixels, &f.height, error);
  if (!status)
    status = cuda_scratch (call, pixels, &f.below, error);
  if (!status)
    status = cuda_scratch (call, pixels, &f.mask, error);
  if (!status)
    status = cuda_scratch (call, 2 * f.planes, &f.spans, error);
  if (!status)
    status = call->host->host_scratch (call, (f.planes + 1) * sizeof *first, (void **) &first, error);
  if (status)
    return status;
  scratch_image_like (&height, in, working, FV_IMAGE, f.height);
  scratch_image_like (&below, in, working, FV_IMAGE, f.below);
  status = find_areas (call, &f, &height, &below, first, error);
  return status ? status : find_and_paint (call, f, first, error);
}

extern "C" fv_status
maxima_prominent_cuda (const fv_call *call, fv_error *error)
{
  return maxima_in_f32 (call->inputs[0]->grid->type) ? find_prominent<float> (call, FV_F32, error)
                                                     : find_prominent<double> (call, FV_F64, error);
}
