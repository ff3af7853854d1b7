/* SPDX-License-Identifier: MIT
 *
 * edit on the GPU: what commands look at is copied to the host, some kilobytes each time, and what they change is copied back; so the
 * commands are those of the CPU. What goes over all pixels runs here, in blocks of 256 threads, a row for each block in turn:
 *
 * - edit_highest_kernel: reads each label; two barriers, an atomic for a block.
 * - edit_bounds_kernel: reads each label; twelve barriers, six atomics for a block in which the object is.
 * - edit_replace_kernel: reads each label, and for those of objects the changes, which stay in the cache; writes those that change.
 * - edit_scalars_kernel: one thread, two numbers.
 */
#include "kernels/edit/edit.h"
#include "kernels/common/blocks.cuh"
#include "kernels/edit/edit_commands.h"

enum { THREADS = 256 };

/* Planes of an array that are worked on; their rows are counted together. */
struct edit_sheet {
  view<int32_t> pixels;
  int64_t first, lines; /* the first plane; rows */
};

struct edit_line {
  int32_t *row;
  int64_t z, y;
};

__device__ __forceinline__ edit_line
edit_line_of (const edit_sheet &s, int64_t i)
{
  int64_t plane = i / s.pixels.rows, z = s.first + plane, y = i - plane * s.pixels.rows;
  return {s.pixels.row (z, y), z, y};
}

__global__ static void
__launch_bounds__ (THREADS) edit_highest_kernel (edit_sheet s, int *highest)
{
  __shared__ int shared[32];
  int most = 0;
  for (int64_t i = blockIdx.x; i < s.lines; i += gridDim.x) {
    const edit_line line = edit_line_of (s, i);
    for (int64_t x = threadIdx.x; x < s.pixels.columns; x += THREADS)
      most = max (most, line.row[x]);
  }
  most = join_block (most, shared, [] (int a, int b) { return a > b ? a : b; });
  if (threadIdx.x == 0)
    atomicMax (highest, most);
}

/* least: of z, y, x, -z, -y, -x. */
__global__ static void
__launch_bounds__ (THREADS) edit_bounds_kernel (edit_sheet s, int32_t label, long long *least)
{
  __shared__ long long shared[32];
  const long long none = 0x7f7f7f7f7f7f7f7fll;
  long long own[6] = {none, none, none, none, none, none};
  for (int64_t i = blockIdx.x; i < s.lines; i += gridDim.x) {
    const edit_line line = edit_line_of (s, i);
    for (int64_t x = threadIdx.x; x < s.pixels.columns; x += THREADS) {
      const long long at[6] = {line.z, line.y, x, -line.z, -line.y, -x};
      for (int k = 0; k < 6 && line.row[x] == label; k++)
        own[k] = at[k] < own[k] ? at[k] : own[k];
    }
  }
  for (int k = 0; k < 6; k++) {
    const long long all = join_block (own[k], shared, [] (long long a, long long b) { return a < b ? a : b; });
    if (threadIdx.x == 0 && all != none)
      atomicMin (least + k, all);
  }
}

/* The number that a pixel is to have: n changes by `from`. */
__device__ __forceinline__ int32_t
edit_changed (const edit_change *changes, int64_t n, int32_t label)
{
  int64_t low = 0, high = n;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (changes[middle].from < label)
      low = middle + 1;
    else
      high = middle;
  }
  return low < n && changes[low].from == label ? changes[low].to : label;
}

__global__ static void
__launch_bounds__ (THREADS) edit_replace_kernel (edit_sheet s, const edit_change *changes, int64_t n)
{
  for (int64_t i = blockIdx.x; i < s.lines; i += gridDim.x) {
    const edit_line line = edit_line_of (s, i);
    for (int64_t x = threadIdx.x; x < s.pixels.columns; x += THREADS) {
      const int32_t label = line.row[x], now = label ? edit_changed (changes, n, label) : 0;
      if (now != label)
        line.row[x] = now;
    }
  }
}

__global__ static void
edit_scalars_kernel (double *scalars, double edits, double missed)
{
  scalars[0] = edits;
  scalars[1] = missed;
}

/* ---- The passes ---- */

static edit_sheet
sheet_of_edit (const edit_job *job, const fv_array *array)
{
  return {view_of<int32_t> (array), job->all.from[0], edit_extent (&job->all, 0) * array_rows (array)};
}

static unsigned
edit_blocks (const edit_sheet &s)
{
  const int64_t most = 16 * (int64_t) multiprocessors ();
  return (unsigned) (s.lines < most ? s.lines : most);
}

/* Device memory of at least so many bytes, kept from command to command. */
static fv_status
edit_device_grow (const edit_job *job, edit_memory *memory, size_t bytes, fv_error *error)
{
  size_t more = bytes > 2 * memory->bytes ? bytes : 2 * memory->bytes;
  if (bytes <= memory->bytes)
    return FV_OK;
  memory->bytes = 0;
  if (job->call->host->scratch (job->call, more, &memory->at, error))
    return error->code;
  memory->bytes = more;
  return FV_OK;
}

static fv_status
edit_highest_cuda (edit_job *job, int32_t *highest, fv_error *error)
{
  const edit_sheet s = sheet_of_edit (job, job->call->inputs[0]);
  if (edit_device_grow (job, &job->device_changes, sizeof *highest, error))
    return error->code;
  int *memory = (int *) job->device_changes.at;
  cudaMemsetAsync (memory, 0, sizeof *memory, cuda_stream (job->call));
  edit_highest_kernel<<<edit_blocks (s), THREADS, 0, cuda_stream (job->call)>>> (s, memory);
  if (cuda_status (cudaGetLastError (), "Finding the highest label", error))
    return error->code;
  return job->call->host->read (job->call, highest, memory, sizeof *highest, error);
}

static fv_status
edit_bounds_cuda (edit_job *job, int32_t label, edit_box *box, fv_error *error)
{
  const edit_sheet s = sheet_of_edit (job, job->call->outputs[0]);
  long long least[6];
  if (edit_device_grow (job, &job->device_changes, sizeof least, error))
    return error->code;
  long long *memory = (long long *) job->device_changes.at;
  cudaMemsetAsync (memory, 0x7f, sizeof least, cuda_stream (job->call));
  edit_bounds_kernel<<<edit_blocks (s), THREADS, 0, cuda_stream (job->call)>>> (s, label, memory);
  if (cuda_status (cudaGetLastError (), "Finding an object", error)
      || job->call->host->read (job->call, least, memory, sizeof least, error))
    return error->code;
  for (int a = 0; a < 3; a++) {
    box->from[a] = least[a];
    box->to[a] = 1 - least[3 + a];
  }
  return FV_OK;
}

static fv_status
edit_replace_cuda (edit_job *job, fv_error *error)
{
  const edit_sheet s = sheet_of_edit (job, job->call->outputs[0]);
  const size_t bytes = (size_t) job->n_changes * sizeof *job->changes;
  if (edit_device_grow (job, &job->device_changes, bytes, error)
      || job->call->device->copy (job->call->device, job->call->stream, job->device_changes.at, bytes, job->changes,
                                  bytes, bytes, 1, FV_TO_DEVICE, error))
    return error->code;
  edit_replace_kernel<<<edit_blocks (s), THREADS, 0, cuda_stream (job->call)>>> (
    s, (const edit_change *) job->device_changes.at, job->n_changes);
  return cuda_status (cudaGetLastError (), "Renumbering objects", error);
}

/* The first pixel of the box in a plane of it. */
static int32_t *
edit_corner (const edit_job *job, const edit_box *box, int64_t plane)
{
  return (int32_t *) array_row (job->call->outputs[0], box->from[0] + plane, box->from[1]) + box->from[2];
}

/* Plane by plane into memory of the device without gaps, and from there to the host. */
static fv_status
edit_fetch_cuda (edit_job *job, edit_view *v, fv_error *error)
{
  const fv_device *device = job->call->device;
  const size_t pixel = sizeof *v->pixels, row = (size_t) edit_extent (&v->box, 2) * pixel;
  const size_t rows = (size_t) edit_extent (&v->box, 1), bytes = row * rows * (size_t) edit_extent (&v->box, 0);
  const size_t pitch = (size_t) job->call->outputs[0]->tensor.strides[1] * pixel;
  if (edit_device_grow (job, &job->device_pixels, bytes, error) || edit_grow (job, &job->pixels, bytes, 0, error))
    return error->code;
  for (int64_t z = 0; z < edit_extent (&v->box, 0); z++)
    if (device->copy (device, job->call->stream, (char *) job->device_pixels.at + (size_t) z * row * rows, row,
                      edit_corner (job, &v->box, z), pitch, row, rows, FV_ON_DEVICE, error))
      return error->code;
  v->pixels = (int32_t *) job->pixels.at;
  v->row = edit_extent (&v->box, 2);
  v->plane = v->row * (int64_t) rows;
  return job->call->host->read (job->call, v->pixels, job->device_pixels.at, bytes, error);
}

static fv_status
edit_store_cuda (edit_job *job, const edit_view *v, fv_error *error)
{
  const fv_device *device = job->call->device;
  const size_t pixel = sizeof *v->pixels, row = (size_t) v->row * pixel, rows = (size_t) edit_extent (&v->box, 1);
  const size_t pitch = (size_t) job->call->outputs[0]->tensor.strides[1] * pixel;
  for (int64_t z = 0; z < edit_extent (&v->box, 0); z++)
    if (device->copy (device, job->call->stream, edit_corner (job, &v->box, z), pitch, v->pixels + z * v->plane, row,
                      row, rows, FV_TO_DEVICE, error))
      return error->code;
  return FV_OK;
}

static fv_status
edit_scalars_cuda (const fv_call *call, const edit_job *job, fv_error *error)
{
  edit_scalars_kernel<<<1, 1, 0, cuda_stream (call)>>> (call->scalars, (double) job->edits, (double) job->missed);
  return cuda_status (cudaGetLastError (), "Counting edits", error);
}

extern "C" fv_status
edit_cuda (const fv_call *call, fv_error *error)
{
  const edit_passes passes = {false,           edit_highest_cuda, edit_bounds_cuda, edit_replace_cuda,
                              edit_fetch_cuda, edit_store_cuda,   edit_scalars_cuda};
  return edit_run (call, &passes, error);
}
