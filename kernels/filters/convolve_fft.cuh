/* SPDX-License-Identifier: MIT
 *
 * convolve on the GPU by cuFFT, in tiles that are read with all that the kernel reaches around them.
 * - fill_tiles: 256 threads, one number each. Reads one pixel, writes one number. None.
 * - place_kernel: 256 threads, one number each, of a tile that is zero. None.
 * - multiply_spectra: 256 threads, one complex number of the result each. Reads two for each plane of the kernel, writes one. None.
 * - take_tiles: 256 threads, one pixel each. Reads one number, writes one pixel. None.
 * Sums of a spectrum mix all pixels of a tile: fill_tiles marks those with pixels that are not finite, or so large that sums would not stay
 * so, take_tiles leaves them out, and sum_windows (convolve_sums.cuh) makes them.
 */
#ifndef KERNELS_FILTERS_CONVOLVE_FFT_CUH
#define KERNELS_FILTERS_CONVOLVE_FFT_CUH

#include "kernels/common/cufft.h"
#include "kernels/filters/convolve_sums.cuh"

#include <stdlib.h>

enum { PIXELS = 256 };

/* What all tiles have in common. One is `planes` planes of rows x columns numbers, of which in the end deep x high x wide are pixels. */
struct tiles {
  int64_t planes, rows, columns;
  int64_t deep, high, wide;
  int64_t down, across, count;
  int64_t each; /* tiles at a time */

  __host__ __device__ int64_t half () const /* numbers of a row's spectrum */
  {
    return columns / 2 + 1;
  }
};

template <typename T> struct complex_number {
  T re, im;
};

template <typename In, typename T> struct fill_job {
  view<const In> in;
  around outside;
  tiles all;
  int64_t first;
  T *to;
  T most;
  int *marked;
};

/* blockIdx.y: row; blockIdx.z: plane of one of the tiles. */
template <typename In, typename T>
__global__ void
fill_tiles (const __grid_constant__ fill_job<In, T> job)
{
  const tiles &all = job.all;
  const int64_t c = (int64_t) blockIdx.x * PIXELS + threadIdx.x, r = blockIdx.y;
  const int64_t tile = job.first + blockIdx.z / all.planes, p = blockIdx.z % all.planes;
  if (c >= all.columns)
    return;
  T v = 0;
  if (tile < all.count) {
    const int64_t z = tile / (all.down * all.across) * all.deep + job.outside.start[0] + p;
    const int64_t y = tile / all.across % all.down * all.high + job.outside.start[1] + r;
    const int64_t x = tile % all.across * all.wide + job.outside.start[2] + c;
    const int64_t iz = border_index (z, job.in.planes, job.outside.outside);
    const int64_t iy = border_index (y, job.in.rows, job.outside.outside);
    const int64_t ix = border_index (x, job.in.columns, job.outside.outside);
    v = iz < 0 || iy < 0 || ix < 0 ? (T) job.outside.value : (T) job.in.row (iz, iy)[ix];
    if (!(v <= job.most && v >= -job.most))
      job.marked[tile] = 1;
  }
  job.to[(blockIdx.z * all.rows + r) * all.columns + c] = v;
}

template <typename T> struct place_job {
  const T *weights;
  int64_t n[3];
  tiles all;
  T *to; /* zeros */
};

/* w(j, i) stands at -j, -i, which is what it is convolved with; and divided by what the way there and back multiplies with. */
template <typename T>
__global__ void
place_kernel (const __grid_constant__ place_job<T> job)
{
  const int64_t at = (int64_t) blockIdx.x * PIXELS + threadIdx.x, rows = job.all.rows, columns = job.all.columns;
  if (at >= job.n[0] * job.n[1] * job.n[2])
    return;
  const int64_t i = at % job.n[2], j = at / job.n[2] % job.n[1], k = at / (job.n[1] * job.n[2]);
  job.to[(k * rows + (j ? rows - j : 0)) * columns + (i ? columns - i : 0)] =
    (T) ((double) job.weights[at] / ((double) rows * (double) columns));
}

template <typename T> struct multiply_job {
  const complex_number<T> *tiles, *kernel;
  complex_number<T> *to; /* the tiles themselves where the kernel has one plane */
  int64_t numbers, depth, planes, deep;
};

/* blockIdx.y: plane of one of the results. */
template <typename T>
__global__ void
multiply_spectra (const __grid_constant__ multiply_job<T> job)
{
  const int64_t at = (int64_t) blockIdx.x * PIXELS + threadIdx.x;
  const int64_t from = blockIdx.y / job.deep * job.planes + blockIdx.y % job.deep;
  if (at >= job.numbers)
    return;
  complex_number<T> sum = {0, 0};
  for (int64_t k = 0; k < job.depth; k++) {
    const complex_number<T> a = job.tiles[(from + k) * job.numbers + at], b = job.kernel[k * job.numbers + at];
    sum.re += a.re * b.re - a.im * b.im;
    sum.im += a.re * b.im + a.im * b.re;
  }
  job.to[blockIdx.y * job.numbers + at] = sum;
}

template <typename Out, typename T> struct take_job {
  const T *from;
  tiles all;
  int64_t first;
  view<Out> out;
  const int *marked;
};

/* blockIdx.y: row; blockIdx.z: plane of one of the tiles. */
template <typename Out, typename T>
__global__ void
take_tiles (const __grid_constant__ take_job<Out, T> job)
{
  const tiles &all = job.all;
  const int64_t c = (int64_t) blockIdx.x * PIXELS + threadIdx.x, r = blockIdx.y;
  const int64_t tile = job.first + blockIdx.z / all.deep;
  if (c >= all.wide || tile >= all.count || job.marked[tile])
    return;
  const int64_t z = tile / (all.down * all.across) * all.deep + blockIdx.z % all.deep;
  const int64_t y = tile / all.across % all.down * all.high + r, x = tile % all.across * all.wide + c;
  if (z < job.out.planes && y < job.out.rows && x < job.out.columns)
    job.out.row (z, y)[x] = pixel_from<Out> (job.from[(blockIdx.z * all.rows + r) * all.columns + c]);
}

/* ---- Plans ---- */

/* NULL: it is not installed. */
static inline const cufft *
find_cufft (void)
{
  int driver = 0;
  cudaDriverGetVersion (&driver);
  return cufft_open (driver / 1000);
}

/* Stays from call to call. */
struct plans {
  tiles all;
  int64_t depth;
  int there, back, kernel; /* of cuFFT */
  size_t bytes;            /* that they work in */
};

static inline fv_status
cufft_status (int code, fv_error *error)
{
  const int no_memory = 2;
  return code ? fail (error, code == no_memory ? FV_NO_MEMORY : FV_DEVICE_FAULT, "", "cuFFT failed with the error %d.",
                      code)
              : FV_OK;
}

static inline void
free_plans (const fv_device *, void *state)
{
  plans *p = (plans *) state;
  const int all[] = {p->there, p->back, p->kernel};
  for (int plan : all)
    if (plan >= 0)
      find_cufft ()->destroy (plan);
  free (p);
}

/* A plan for so many planes of tiles. */
static inline int
plan_for (const tiles &t, int64_t planes, int type, bool forward, int *plan, size_t *bytes)
{
  const cufft *fft = find_cufft ();
  long long n[2] = {t.rows, t.columns}, half[2] = {t.rows, t.half ()};
  const long long real = t.rows * t.columns, spectrum = t.rows * t.half ();
  const int rank = t.rows > 1 ? 2 : 1;
  long long *size = n + 2 - rank, *inside = half + 2 - rank;
  size_t needed = 0;
  int code = fft->create (plan);
  if (!code)
    code = fft->set_auto_allocation (*plan, 0);
  if (!code)
    code = fft->make_plan_many (*plan, rank, size, forward ? size : inside, 1, forward ? real : spectrum,
                                forward ? inside : size, 1, forward ? spectrum : real, type, planes, &needed);
  *bytes = needed > *bytes ? needed : *bytes;
  return code;
}

/* Those for the tiles; the ones of the call before where they are the same. */
template <typename T>
static fv_status
take_plans (const fv_call *call, const char *key, const tiles &t, int64_t depth, plans **taken, fv_error *error)
{
  plans *p = (plans *) call->host->take_state (call, key);
  if (p && !memcmp (&p->all, &t, sizeof t) && p->depth == depth) {
    *taken = p;
    return FV_OK;
  }
  if (p)
    free_plans (call->device, p);
  p = (plans *) malloc (sizeof *p);
  if (!p)
    return fail (error, FV_NO_MEMORY, "", "There is no memory for plans of cuFFT.");
  *p = {t, depth, -1, -1, -1, 0};
  const bool wide = sizeof (T) == 8;
  const int forward = wide ? CUFFT_DOUBLE_TO_COMPLEX : CUFFT_REAL_TO_COMPLEX;
  int code = plan_for (t, t.each * t.planes, forward, true, &p->there, &p->bytes);
  if (!code)
    code = plan_for (t, depth, forward, true, &p->kernel, &p->bytes);
  if (!code)
    code =
      plan_for (t, t.each * t.deep, wide ? CUFFT_COMPLEX_TO_DOUBLE : CUFFT_COMPLEX_TO_REAL, false, &p->back, &p->bytes);
  *taken = p;
  if (code)
    free_plans (call->device, p);
  return cufft_status (code, error);
}

/* ---- Tiles ---- */

/* The least multiple of 16 from n on without a prime factor above 5. */
static inline int64_t
smooth (int64_t n)
{
  const int64_t primes[] = {2, 3, 5};
  for (n = blocks_for (n, 16) * 16;; n += 16) {
    int64_t rest = n;
    for (int64_t prime : primes)
      while (rest % prime == 0)
        rest /= prime;
    if (rest == 1)
      return n;
  }
}

/* Of a tile, so that transforming the kernel is little work; at a time, so that they stay in the L2. */
enum { SIDE = 1024, NUMBERS = 1 << 23 };

static inline int64_t
side_of (int64_t out, int64_t n)
{
  const int64_t side = n > SIDE / 2 ? 2 * n : (int64_t) SIDE;
  return blocks_for (out, blocks_for (out, side));
}

static inline tiles
choose_tiles (const int64_t out[3], const int64_t n[3])
{
  tiles t = {};
  t.deep = n[0] > 1 ? (out[0] < 4 * n[0] ? out[0] : 4 * n[0]) : 1;
  t.planes = t.deep + n[0] - 1;
  t.high = side_of (out[1], n[1]);
  t.wide = side_of (out[2], n[2]);
  t.rows = t.high + n[1] - 1 > 1 ? smooth (t.high + n[1] - 1) : 1;
  t.columns = smooth (t.wide + n[2] - 1);
  t.down = blocks_for (out[1], t.high);
  t.across = blocks_for (out[2], t.wide);
  t.count = blocks_for (out[0], t.deep) * t.down * t.across;
  t.each = NUMBERS / (t.planes * t.rows * t.columns);
  const int64_t grid = 65535 / t.planes; /* what a launch can count */
  t.each = t.each < 1 ? 1 : t.each > grid ? grid : t.each;
  t.each = blocks_for (t.count, blocks_for (t.count, t.each));
  return t;
}

#endif
