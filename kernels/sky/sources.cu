/* SPDX-License-Identifier: MIT
 *
 * sources on the GPU. detect_kernel has 256 threads, grid-stride, a thread a pixel: reads it and those under the filter, mostly from the
 * cache, and writes a byte. Then come the kernels of label, those that find the runs of labels (region_runs.cuh), and source_kernel, a warp
 * for each source. No barriers but those of warps. Reads back what region_runs.cuh does, and the table.
 */
#include "kernels/sky/sources.h"
#include "kernels/regions/region_runs.cuh"
#include "kernels/sky/sigma_clip.h"

enum { SOURCE_THREADS = 256 };

template <bool MATCHED>
__global__ void
__launch_bounds__ (SOURCE_THREADS) detect_kernel (source_image m, double threshold, uint8_t *to)
{
  const int64_t n = m.rows * m.columns;
  for (int64_t p = (int64_t) blockIdx.x * SOURCE_THREADS + threadIdx.x; p < n;
       p += (int64_t) gridDim.x * SOURCE_THREADS) {
    const int64_t y = n >> 31 ? p / m.columns : (int64_t) ((uint32_t) p / (uint32_t) m.columns), x = p - y * m.columns;
    const bool found =
      MATCHED ? source_matches (&m, y, x, threshold) : source_filtered (&m, y, x) > threshold * source_sigma (&m, y, x);
    to[p] = found ? 255 : 0;
  }
}

/* values: [columns][sources]; the first `first` columns are the label and, before it, the plane. */
__global__ void
__launch_bounds__ (SOURCE_THREADS)
  source_kernel (region_set s, const source_image *planes, source_needs needs, int first, double *values)
{
  const int64_t i = ((int64_t) blockIdx.x * SOURCE_THREADS + threadIdx.x) / 32;
  const source_team warp = {(int) threadIdx.x & 31, 32};
  if (i >= s.n)
    return;
  const run *runs = s.runs + s.first[i];
  if (warp.lane == 0) {
    values[i] = runs->z + 1;
    values[(first - 1) * s.n + i] = runs->label;
  }
  source_measure (planes + runs->z, &needs, runs, region_end (s, i) - s.first[i], warp, values + first * s.n + i, s.n);
}

/* What is put together on the host and used on the device. */
struct sources_plan {
  const fv_call *call;
  source_image *planes, *d_planes; /* [planes] */
  double *results;                 /* of sigma_clip, or sigma */
  double *counts;                  /* [planes] */
  uint8_t *detected;
};

static fv_status
copy_to_device (const fv_call *call, void *to, const void *from, size_t bytes, fv_error *error)
{
  return call->device->copy (call->device, call->stream, to, bytes, from, bytes, bytes, 1, FV_TO_DEVICE, error);
}

/* Memory, and planes without what they have to do with sigma. */
static fv_status
make_plan (sources_plan *p, fv_error *error)
{
  const fv_call *call = p->call;
  const sources_args *a = (const sources_args *) call->args;
  const fv_array *in = call->inputs[SOURCES_IMAGE];
  const size_t planes = (size_t) array_planes (in);
  static const sigma_clip_args clip = {3, 0};
  const bool given = a->sigma > 0 || call->inputs[SOURCES_RMS];
  sources_weights *weights;
  double *d_weights, *sigma;
  fv_status status = cuda_scratch (call, planes * (size_t) (array_rows (in) * array_columns (in)), &p->detected, error);
  if (!status)
    status = cuda_scratch (call, planes * (1 + SIGMA_CLIP_RESULTS), &p->counts, error);
  if (!status)
    status = cuda_scratch (call, FV_MATRIX_MAX, &d_weights, error);
  if (!status)
    status = cuda_scratch (call, planes, &p->d_planes, error);
  if (!status)
    status = call->host->host_scratch (call, planes * sizeof *p->planes, (void **) &p->planes, error);
  if (!status)
    status = call->host->host_scratch (call, sizeof *weights + sizeof *sigma, (void **) &weights, error);
  if (status)
    return status;
  p->results = p->counts + planes;
  sources_weights_of (a, weights);
  sigma = (double *) (weights + 1);
  *sigma = a->sigma;
  for (size_t z = 0; z < planes; z++)
    p->planes[z] =
      sources_plane (call, weights, (int64_t) z,
                     given ? p->results : p->results + z * SIGMA_CLIP_RESULTS + SIGMA_CLIP_SIGMA, d_weights);
  status = copy_to_device (call, d_weights, weights->v, sizeof weights->v, error);
  if (!status)
    status = copy_to_device (call, p->d_planes, p->planes, planes * sizeof *p->planes, error);
  if (status)
    return status;
  return given ? copy_to_device (call, p->results, sigma, sizeof *sigma, error)
               : sigma_clip_measure_cuda (call, in, &clip, p->results, error);
}

static fv_status
detect (const sources_plan *p, fv_error *error)
{
  const fv_call *call = p->call;
  const sources_args *a = (const sources_args *) call->args;
  const fv_array *in = call->inputs[SOURCES_IMAGE];
  const int64_t n = array_rows (in) * array_columns (in), most = 32 * (int64_t) multiprocessors ();
  const int64_t blocks = blocks_for (n, SOURCE_THREADS);
  void (*kernel) (source_image, double, uint8_t *) =
    a->filter_type == SOURCES_MATCHED ? detect_kernel<true> : detect_kernel<false>;
  for (int64_t z = 0; z < array_planes (in); z++)
    kernel<<<(unsigned) (blocks < most ? blocks : most), SOURCE_THREADS, 0, cuda_stream (call)>>> (
      p->planes[z], a->threshold, p->detected + z * n);
  fv_status status = cuda_status (cudaGetLastError (), "Detecting sources", error);
  return status ? status : sources_label (call, FV_CUDA, p->detected, p->counts, error);
}

extern "C" fv_status
sources_cuda (const fv_call *call, fv_error *error)
{
  const sources_args *a = (const sources_args *) call->args;
  const int first = sources_first_column (call);
  sources_plan p = {};
  region_set s;
  double *values, *d_values;
  p.call = call;
  fv_status status = make_plan (&p, error);
  if (!status)
    status = detect (&p, error);
  if (!status)
    status = region_set_find (call, call->outputs[0], false, &s, error);
  if (!status)
    status = sources_table (call, s.n, &values, error);
  if (status || !s.n)
    return status;
  const size_t numbers = (size_t) s.n * (size_t) (first + SOURCE_FLUXES + 2 * a->apertures.columns);
  if ((status = cuda_scratch (call, numbers, &d_values, error)))
    return status;
  source_kernel<<<(unsigned) blocks_for (s.n * 32, SOURCE_THREADS), SOURCE_THREADS, 0, cuda_stream (call)>>> (
    s, p.d_planes, sources_needs_of (a), first, d_values);
  status = cuda_status (cudaGetLastError (), "Measuring sources", error);
  return status ? status : call->host->read (call, values, d_values, numbers * sizeof *values, error);
}
