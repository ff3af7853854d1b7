/* SPDX-License-Identifier: MIT
 *
 * Thresholds on the GPU, see methods.h. Kernels in turn, all on the call's stream, none waited for by the host: range (not for u8 and u16),
 * count (histogram_count.cuh), choose (choosing.cuh and methods_*.cuh), mask. The kernel choose finds the bin, the threshold, and the band
 * of values that are foreground. Bytes for each pixel: the type's size for range, for count and for mask, and one written. What a kernel
 * finds the next one takes from device memory.
 */
#include "kernels/threshold/methods.h"
#include "kernels/threshold/methods_huang.cuh"
#include "kernels/threshold/methods_imagej.cuh"
#include "kernels/threshold/methods_minimum.cuh"
#include "kernels/threshold/methods_pixels.cuh"

/* ---- The mask ---- */

template <typename T> struct mask_job {
  lines<T> in;
  lines<uint8_t> out; /* lines as those of `in`; data of `in` and `out` are aligned, or neither counts as such */
  int parts;
  const band *bands; /* [problems], or NULL: `fixed` */
  band fixed;
  double *scalars; /* [problems], with `fixed` */
  double threshold;
};

enum { MASK_DEEP = 4 };

/* problems x parts blocks of 256; reads each pixel and writes one byte: MASK_DEEP vectors of 16 bytes a lane at a time, from the
 * front, where the pass before ended. */
template <typename T> __global__ void __launch_bounds__ (256) mask_kernel (mask_job<T> job)
{
  constexpr int each = 16 / (int) sizeof (T), size = piece_pixels<T, MASK_DEEP>;
  int64_t problem = blockIdx.x / job.parts;
  int part = (int) (blockIdx.x % job.parts), lane = (int) threadIdx.x & 31;
  wait_for_kernel_before ();
  band b = job.bands ? job.bands[problem] : job.fixed;
  const T low = (T) b.low, high = (T) b.high;
  int64_t across = (job.in.columns + size - 1) / size, pieces = job.in.count * across;
  if (!job.bands && part == 0 && threadIdx.x == 0)
    job.scalars[problem] = job.threshold;
  for (int64_t s = (int64_t) part * 8 + threadIdx.x / 32; s < pieces; s += (int64_t) job.parts * 8) {
    int64_t line = 0, x = s;
    if (job.in.count > 1) {
      line = (s | across) >> 31 ? s / across : (int64_t) ((uint32_t) s / (uint32_t) across);
      x = s - line * across;
    }
    x *= size;
    const T *from = line_at (job.in, problem, line) + x;
    uint8_t *to = (uint8_t *) line_at (job.out, problem, line) + x;
    int64_t left = job.in.columns - x;
    if (job.in.aligned && left >= size) {
      union {
        uint4 vector;
        T pixel[each];
      } v[MASK_DEEP];
#pragma unroll
      for (int k = 0; k < MASK_DEEP; k++)
        v[k].vector = __ldg ((const uint4 *) from + k * 32 + lane);
#pragma unroll
      for (int k = 0; k < MASK_DEEP; k++) {
        struct __align__ (each)
        {
          uint8_t pixel[each];
        }
        out;
#pragma unroll
        for (int i = 0; i < each; i++)
          out.pixel[i] = v[k].pixel[i] >= low && v[k].pixel[i] <= high ? 255 : 0;
        memcpy (__builtin_assume_aligned (to + (k * 32 + lane) * each, each), &out, each);
      }
    } else {
      int n = left < size ? (int) left : size;
      for (int i = lane; i < n; i += 32)
        to[i] = from[i] >= low && from[i] <= high ? 255 : 0;
    }
  }
}

/* ---- The host's side ---- */

template <typename T>
static fv_status
launch_mask (const threshold_args *a, const fv_call *call, int64_t first, int64_t problems, int64_t together,
             const band *bands, fv_error *error)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  mask_job<T> job = {};
  for (int join = 1; join >= 0; join--) {
    job.in = lines_of<T> (in, first, problems, together, join);
    job.out = lines_of<uint8_t> (out, first, problems, together, join);
    if (job.in.count == job.out.count && job.in.columns == job.out.columns)
      break; /* not when one of them has gaps where the other has none */
  }
  job.in.aligned = job.in.aligned && job.out.aligned;
  job.bands = bands;
  if (!bands) {
    job.fixed = threshold_band (a, in->grid->type, a->lower);
    job.scalars = call->scalars + first / together;
    job.threshold = a->lower;
  }
  int64_t parts = blocks_for (pieces_of<T, MASK_DEEP> (job.in), 8), most = ((int64_t) 1 << 30) / problems;
  job.parts = (int) (parts < most ? parts : most);
  return cuda_status (launch_after (mask_kernel<T>, (unsigned) (job.parts * problems), 256, 0, cuda_stream (call), job),
                      "Making the mask", error);
}

/* Pieces of scratch memory, all from one request. */
struct carver {
  char *at;
  size_t bytes;

  template <typename R> R *take (size_t n)
  {
    char *here = at ? at + bytes : NULL;
    bytes += (n * sizeof (R) + 255) / 256 * 256;
    return (R *) here;
  }
};

template <typename T> struct finding {
  const threshold_args *args;
  const fv_call *call;
  int64_t problems, together;
  lines<T> pixels;
  bool counted, summed, spread; /* a histogram is needed; moments are; several blocks choose */
  int64_t capacity, limit;
  int arrays, parts; /* of 8 bytes a bin; blocks that choose */
  counting_job<T> count;
  moments_job<T> moments;
  choosing c;
  band *bands;
  uint4 *clear; /* from here on n_clear are cleared first */
  int64_t n_clear;
};

/* How many blocks of moments_kernel can be resident. */
template <typename T>
static int
resident_blocks (void)
{
  int each = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor (&each, moments_kernel<T>, MOMENTS_THREADS, 0);
  return (each < 1 ? 1 : each) * multiprocessors ();
}

/* Lays out the scratch memory from `at`, or only measures it where that is NULL. */
template <typename T>
static size_t
lay_out_finding (finding<T> *f, char *at)
{
  carver c = {at, 0};
  size_t n = (size_t) f->problems, wide = f->count.counts.wide ? 8 : 4;
  f->bands = c.take<band> (n);
  f->count.keep = c.take<gpu_bins> (n);
  f->count.extents = f->moments.extents = c.take<extent<T>> (n * (size_t) f->count.extent_parts);
  if (f->summed) {
    size_t groups = (size_t) f->moments.groups, parts = (size_t) f->moments.parts;
    f->moments.partial = c.take<moments_part> (groups * 2 * parts);
    f->moments.gaps = c.take<double> (groups * parts * 3);
    f->moments.buckets = f->args->method == THRESHOLD_LI ? c.take<double> (groups * GAP_BUCKETS) : NULL;
  }
  f->c.work_bytes =
    (int64_t) ((sizeof (state) + 63) / 64 * 64 + (size_t) f->arrays * 8 * (size_t) f->capacity + 63) / 64 * 64;
  f->c.work = c.take<char> (f->counted ? n * (size_t) f->c.work_bytes : 0);
  f->c.parts = f->parts;
  f->c.surveys = c.take<survey> (f->parts > 1 ? n * (size_t) f->parts : 0);
  f->c.bests = c.take<best> (f->parts > 1 ? n * (size_t) f->parts : 0);
  size_t start = c.bytes;
  f->clear = c.take<uint4> (0);
  f->c.tickets = c.take<unsigned> (f->parts > 1 ? n : 0);
  f->c.queue = c.take<unsigned> (f->args->method == THRESHOLD_MINIMUM ? 1 : 0);
  f->moments.arrived = c.take<unsigned> (f->summed ? (size_t) f->moments.groups : 0);
  f->moments.clash = c.take<unsigned> (f->summed ? (size_t) f->moments.groups : 0);
  if (sizeof (T) == 4 && std::is_integral<T>::value)
    f->n_clear = (int64_t) (c.bytes - start) / 16;
  f->count.counts.data = c.take<char> (f->counted ? n * wide * (size_t) f->capacity : 0);
  if (!(sizeof (T) == 4 && std::is_integral<T>::value))
    f->n_clear = (int64_t) (c.bytes - start) / 16;
  return c.bytes;
}

template <typename T>
static fv_status
launch_range (finding<T> *f, fv_error *error)
{
  cudaStream_t stream = cuda_stream (f->call);
  if (sizeof (T) >= 4)
    range_kernel<T><<<(unsigned) (f->problems * f->count.extent_parts), RANGE_THREADS, 0, stream>>> (
      f->pixels, f->count.extent_parts, (extent<T> *) f->count.extents, f->clear, f->n_clear);
  else if (f->n_clear)
    return cuda_status (cudaMemsetAsync (f->clear, 0, (size_t) f->n_clear * 16, stream), "Clearing the histogram",
                        error);
  return cuda_status (cudaGetLastError (), "Finding the range", error);
}

static size_t
shared_limit (void)
{
  int device = 0, bytes = 0;
  cudaGetDevice (&device);
  cudaDeviceGetAttribute (&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  return (size_t) bytes;
}

template <typename T>
static fv_status
launch_count (finding<T> *f, fv_error *error)
{
  cudaStream_t stream = cuda_stream (f->call);
  counting_job<T> job = f->count;
  constexpr bool integer = std::is_integral<T>::value, many_only = integer && sizeof (T) > 1;
  if constexpr (!many_only)
    if (integer || job.bins <= 256) {
      int64_t parts = blocks_for (pieces_of<T, few_deep<T>> (job.pixels), FEW_WARPS), most = 3 * multiprocessors ();
      job.parts = (int) (parts < 1 ? 1 : parts < most ? parts : most);
      cudaFuncSetAttribute (few_kernel<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, FEW_BYTES);
      return cuda_status (
        launch_after (few_kernel<T>, (unsigned) (f->problems * job.parts), FEW_THREADS, FEW_BYTES, stream, job),
        "Counting", error);
    }
  if constexpr (sizeof (T) > 1) {
    int64_t parts = blocks_for (pieces_of<T, many_deep<T>> (job.pixels), MANY_WARPS), most = multiprocessors ();
    job.parts = (int) (parts < 1 ? 1 : parts < most ? parts : most);
    size_t room = shared_limit () - 4096, want = (size_t) (integer ? 65536 : job.bins + 16) * 2;
    job.room = (int64_t) (want <= room ? want : room) / 2 - 8;
    if (integer && want <= room)
      job.room = 65536;
    if (want > room)
      want = room / 16 * 16;
    if (sizeof (T) == 4 && integer) {
      clear_kernel<T><<<(unsigned) (f->problems * job.parts), 512, 0, stream>>> (job);
      fv_status status = cuda_status (cudaGetLastError (), "Clearing the histogram", error);
      if (status)
        return status;
    }
    cudaFuncSetAttribute (many_kernel<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int) want);
    many_kernel<T><<<(unsigned) (f->problems * job.parts), MANY_THREADS, want, stream>>> (job);
  }
  return cuda_status (cudaGetLastError (), "Counting", error);
}

template <typename T>
static fv_status
launch_minimum (finding<T> *f, fv_error *error)
{
  int relays = f->capacity > 4096 || f->problems * STAGES < 16384 ? STAGES : 1;
  minimum_kernel<<<(unsigned) (f->problems * relays), 32, 0, cuda_stream (f->call)>>> (f->c, relays);
  return cuda_status (cudaGetLastError (), "Smoothing the histogram", error);
}

template <int EACH, int MODE>
static cudaError_t
choose (int method, unsigned blocks, unsigned threads, cudaStream_t stream, const choosing &c)
{
  constexpr int any = EITHER; /* for methods that do not care */
  switch (method) {
  case THRESHOLD_OTSU: return launch_after (choose_kernel<THRESHOLD_OTSU, EACH, MODE>, blocks, threads, 0, stream, c);
  case THRESHOLD_ISODATA:
    return launch_after (choose_kernel<THRESHOLD_ISODATA, EACH, MODE>, blocks, threads, 0, stream, c);
  case THRESHOLD_LI: return launch_after (choose_kernel<THRESHOLD_LI, EACH, any>, blocks, threads, 0, stream, c);
  case THRESHOLD_YEN: return launch_after (choose_kernel<THRESHOLD_YEN, EACH, any>, blocks, threads, 0, stream, c);
  case THRESHOLD_TRIANGLE:
    return launch_after (choose_kernel<THRESHOLD_TRIANGLE, EACH, any>, blocks, threads, 0, stream, c);
  case THRESHOLD_MINIMUM:
    return launch_after (choose_kernel<THRESHOLD_MINIMUM, EACH, any>, blocks, threads, 0, stream, c);
  case THRESHOLD_HUANG: return launch_after (choose_kernel<THRESHOLD_HUANG, EACH, any>, blocks, threads, 0, stream, c);
  default: return launch_after (choose_kernel<THRESHOLD_MAX_ENTROPY, EACH, any>, blocks, threads, 0, stream, c);
  }
}

template <typename T>
static fv_status
launch_choose (finding<T> *f, fv_error *error)
{
  cudaStream_t stream = cuda_stream (f->call);
  constexpr int mode = sizeof (T) < 4 ? EXACT : std::is_same<T, float>::value ? SINGLE : EITHER;
  unsigned n = (unsigned) f->problems, blocks = n * (unsigned) f->parts;
  cudaError_t code = cudaSuccess;
  if (threshold_is_imagej (f->args->method))
    return cuda_status (launch_after (imagej_kernel, n, IMAGEJ_BINS, 0, stream, f->c), "Choosing the threshold", error);
  if (f->parts > 1)
    code = launch_after (survey_kernel, blocks, CHOOSE_SMALL, 0, stream, f->c);
  if (!code && f->capacity <= 1024)
    code = choose<1, mode> (f->args->method, blocks, CHOOSE_SMALL, stream, f->c);
  else if (!code)
    code = choose<4, mode> (f->args->method, blocks, f->parts > 1 ? CHOOSE_SMALL : CHOOSE_LARGE, stream, f->c);
  fv_status status = cuda_status (code, "Choosing the threshold", error);
  if (!status && f->args->method == THRESHOLD_MINIMUM)
    status = launch_minimum (f, error);
  if (!status && f->args->method == THRESHOLD_HUANG) {
    int64_t blocks = blocks_for (f->capacity, 8);
    huang_kernel<<<dim3 ((unsigned) blocks, n), 256, 0, stream>>> (f->c);
    huang_end_kernel<<<n, 256, 0, stream>>> (f->c);
    status = cuda_status (cudaGetLastError (), "Choosing the threshold", error);
  }
  return status;
}

template <typename T>
static fv_status
launch_moments (finding<T> *f, fv_error *error)
{
  moments_job<T> job = f->moments;
  job.pixels = f->pixels;
  job.c = f->c;
  void *args[] = {&job};
  return cuda_status (cudaLaunchCooperativeKernel ((const void *) moments_kernel<T>,
                                                   dim3 ((unsigned) (job.parts * job.groups)), dim3 (MOMENTS_THREADS),
                                                   args, 0, cuda_stream (f->call)),
                      "Summing the pixels", error);
}

/* A thread for each problem; the bands of thresholds that are there. */
__global__ void
given_kernel (choosing c, int64_t problems)
{
  int64_t problem = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
  if (problem < problems)
    finish (c, problem, c.scalars[problem]);
}

template <typename T>
static fv_status
launch_given (finding<T> *f, fv_error *error)
{
  given_kernel<<<(unsigned) blocks_for (f->problems, 256), 256, 0, cuda_stream (f->call)>>> (f->c, f->problems);
  return cuda_status (cudaGetLastError (), "Taking the threshold", error);
}

template <typename T>
static fv_status
find_bands (finding<T> *f, fv_error *error)
{
  fv_status status;
  if (f->call->given)
    return launch_given (f, error);
  if ((status = launch_range (f, error)) || (f->counted && (status = launch_count (f, error)))
      || (f->counted && (status = launch_choose (f, error))))
    return status;
  return f->summed ? launch_moments (f, error) : FV_OK;
}

/* Everything that does not depend on which planes they are. */
template <typename T>
static void
prepare_finding (finding<T> *f)
{
  const threshold_args *a = f->args;
  constexpr bool integer = std::is_integral<T>::value;
  bool li = a->method == THRESHOLD_LI;
  f->limit = a->method == THRESHOLD_HUANG ? 65536 : HISTOGRAM_EXACT_LIMIT;
  f->summed = a->method == THRESHOLD_MEAN || (li && sizeof (T) >= 4);
  f->counted = a->method != THRESHOLD_MEAN && !(li && !integer);
  int64_t bins = (a->bins + 3) / 4 * 4;
  f->capacity = sizeof (T) == 1 ? 256 : sizeof (T) == 2 ? 65536 : !integer || bins > f->limit ? bins : f->limit;
  bool none = a->method == THRESHOLD_TRIANGLE || threshold_is_imagej (a->method)
              || (sizeof (T) < 4 && (a->method == THRESHOLD_OTSU || a->method == THRESHOLD_ISODATA));
  f->arrays = none ? 0 : a->method == THRESHOLD_HUANG ? 4 : a->method == THRESHOLD_MINIMUM ? 1 : 2;
  bool spread = a->method == THRESHOLD_OTSU || a->method == THRESHOLD_ISODATA || a->method == THRESHOLD_TRIANGLE || li;
  f->spread = integer && f->capacity > 4096 && spread;
  f->c.type = f->call->inputs[0]->grid->type;
  f->c.method = a->method;
  f->c.dark = a->dark_background;
  f->count.bins = a->bins;
  f->count.limit = f->moments.limit = f->limit;
  f->count.counts.capacity = f->capacity;
  f->count.counts.wide =
    (double) f->together * (double) array_rows (f->call->inputs[0]) * (double) array_columns (f->call->inputs[0])
    >= 4294967296.0;
}

template <typename T>
static void
prepare_planes (finding<T> *f, int64_t first, int64_t problems)
{
  f->problems = f->moments.problems = problems;
  f->parts = f->spread ? (int) (problems < 4 ? 64 : problems < 256 ? 256 / problems : 1) : 1;
  f->pixels = f->count.pixels = lines_of<T> (f->call->inputs[0], first, problems, f->together);
  f->count.extent_parts = f->moments.extent_parts = range_parts (f->pixels);
  int64_t resident = f->summed ? resident_blocks<T> () : 1;
  int64_t parts = blocks_for (pieces_of<T, MOMENTS_DEEP> (f->pixels), MOMENTS_THREADS / 32 * 2);
  parts = parts < 1 ? 1 : parts < resident ? parts : resident;
  f->moments.parts = (int) parts;
  f->moments.groups = (int) (resident / parts < problems ? resident / parts : problems);
  if (f->args->method == THRESHOLD_LI && f->moments.groups > 32)
    f->moments.groups = 32; /* buckets of 8 MiB each */
}

template <typename T>
static fv_status
run_methods (const threshold_args *a, const fv_call *call, int64_t together, fv_error *error)
{
  const size_t room = (size_t) 1 << 28;
  int64_t planes = array_planes (call->inputs[0]), all = planes / together;
  finding<T> f = {};
  f.args = a;
  f.call = call;
  f.together = together;
  prepare_finding (&f);
  prepare_planes (&f, 0, 1);
  int64_t each = (int64_t) (room / lay_out_finding (&f, NULL));
  each = each < 1 ? 1 : each < all ? each : all;
  each = each < 65535 ? each : 65535;
  prepare_planes (&f, 0, each);
  char *memory;
  fv_status status = cuda_scratch (call, lay_out_finding (&f, NULL), &memory, error);
  for (int64_t first = 0; first < all && !status; first += each) {
    if (call->host->tick (call, first, all))
      return cancelled (error);
    prepare_planes (&f, first * together, each < all - first ? each : all - first);
    lay_out_finding (&f, memory);
    f.c.bins = f.count.keep;
    f.c.counts = f.count.counts;
    f.c.bands = f.bands;
    f.c.scalars = call->scalars + first;
    if (!(status = find_bands (&f, error)))
      status = launch_mask<T> (a, call, first * together, f.problems, together, f.bands, error);
  }
  return status;
}

fv_status
threshold_cuda (const fv_call *call, fv_error *error)
{
  const threshold_args args = threshold_arguments (call), *a = &args;
  const fv_array *in = call->inputs[0];
  int64_t planes = array_planes (in), together = a->volume ? planes : 1;
  const threshold_args counted = threshold_counted (a);
  return with_type (in->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    if (a->method != THRESHOLD_MANUAL)
      return run_methods<T> (&counted, call, together, error);
    fv_status status = FV_OK;
    const int64_t each = 1024;
    for (int64_t first = 0; first < planes / together && !status; first += each) {
      if (call->host->tick (call, first, planes / together))
        return cancelled (error);
      int64_t n = planes / together - first;
      status = launch_mask<T> (a, call, first * together, n < each ? n : each, together, NULL, error);
    }
    return status;
  });
}
