/* SPDX-License-Identifier: MIT
 *
 * gaussian with method=imagej on the GPU: plane by plane, in float; 256 threads a block, a number each, which run along rows. What they read
 * again comes from L1. Nothing waits.
 *
 * imagej_load and imagej_store: a pixel and a number. imagej_pass: as many numbers read as the step has taps, one written; three such steps
 * along an axis that is shrunk, else one.
 */
#include "kernels/common/row.cuh"
#include "kernels/gaussian/gaussian_imagej.h"

/* Numbers of lines: `along` from one to the next in a line, `across` from line to line. */
struct imagej_lines {
  float *numbers;
  int64_t along, across;
};

enum imagej_step { IMAGEJ_SHRINK, IMAGEJ_CONVOLVE, IMAGEJ_ENLARGE };

template <typename In>
__global__ static void __launch_bounds__ (256) imagej_load (view<const In> in, int64_t z, float *to)
{
  const int64_t x = (int64_t) blockIdx.x * 256 + threadIdx.x;
  if (x >= in.columns)
    return;
  for (int64_t y = blockIdx.y; y < in.rows; y += gridDim.y)
    to[y * in.columns + x] = (float) in.row (z, y)[x];
}

template <typename Out>
__global__ static void __launch_bounds__ (256) imagej_store (const float *from, view<Out> out, int64_t z)
{
  const int64_t x = (int64_t) blockIdx.x * 256 + threadIdx.x;
  if (x >= out.columns)
    return;
  for (int64_t y = blockIdx.y; y < out.rows; y += gridDim.y) {
    float v = from[y * out.columns + x];
    if constexpr (sizeof (Out) < 4)
      v = gaussian_imagej_rounded (v, sizeof (Out) == 1 ? 255.f : 65535.f);
    out.row (z, y)[x] = pixel_from<Out> (v);
  }
}

/* A step of lines of n numbers; across: whether threads run from line to line. */
template <imagej_step STEP>
__global__ static void __launch_bounds__ (256)
  imagej_pass (const __grid_constant__ gaussian_imagej_axis axis, imagej_lines from, imagej_lines to, int64_t n,
               int64_t lines, bool across)
{
  const int64_t index = (int64_t) blockIdx.x * 256 + threadIdx.x;
  if (index >= (across ? lines : n))
    return;
  for (int64_t other = blockIdx.y; other < (across ? n : lines); other += gridDim.y) {
    const int64_t line = across ? index : other, i = across ? other : index;
    const float *own = from.numbers + line * from.across;
    to.numbers[line * to.across + i * to.along] =
      STEP == IMAGEJ_SHRINK     ? gaussian_imagej_shrunk (&axis, own, from.along, i)
      : STEP == IMAGEJ_CONVOLVE ? gaussian_imagej_sum (&axis, own, from.along, i)
                                : gaussian_imagej_enlarged (&axis, own, from.along, i);
  }
}

struct imagej_job {
  const fv_call *call;
  fv_error *error;
  gaussian_imagej_axis axes[3];
  int64_t rows, columns;
  float *plane, *other, *more; /* *other: of the plane or of shrunk lines, *more: of these */
};

static dim3
imagej_grid (int64_t across, int64_t down)
{
  return grid_of_rows (1, down, blocks_for (across, 256));
}

template <imagej_step STEP>
static void
take_step (const imagej_job *j, int number, const imagej_lines &from, const imagej_lines &to, int64_t n)
{
  const bool across = number == 1;
  const int64_t lines = across ? j->columns : j->rows;
  imagej_pass<STEP><<<across ? imagej_grid (lines, n) : imagej_grid (n, lines), 256, 0, cuda_stream (j->call)>>> (
    j->axes[number], from, to, n, lines, across);
}

/* The plane along an axis; *plane and *other are swapped where the lines are not shrunk. */
static void
blur_axis (imagej_job *j, int number)
{
  const gaussian_imagej_axis *a = &j->axes[number];
  const bool rows = number == 2;
  if (!a->radius)
    return;
  auto lines = [&] (float *numbers, int64_t n) {
    return rows ? imagej_lines{numbers, 1, n} : imagej_lines{numbers, j->columns, 1};
  };
  if (a->shrinks) {
    take_step<IMAGEJ_SHRINK> (j, number, lines (j->plane, a->n), lines (j->other, a->small), a->small);
    take_step<IMAGEJ_CONVOLVE> (j, number, lines (j->other, a->small), lines (j->more, a->small), a->small);
    take_step<IMAGEJ_ENLARGE> (j, number, lines (j->more, a->small), lines (j->plane, a->n), a->n);
    return;
  }
  take_step<IMAGEJ_CONVOLVE> (j, number, lines (j->plane, a->n), lines (j->other, a->n), a->n);
  float *made = j->other;
  j->other = j->plane;
  j->plane = made;
}

/* The tables of an axis on the GPU. */
static fv_status
send_tables (imagej_job *j, int number)
{
  const gaussian_args *a = (const gaussian_args *) j->call->args;
  const fv_grid *in = j->call->inputs[0]->grid;
  gaussian_imagej_axis *axis = &j->axes[number];
  *axis = gaussian_imagej_axis_of (a, in, number);
  const size_t n = (size_t) gaussian_imagej_tables (axis);
  float *host, *device;
  if (j->call->host->host_scratch (j->call, n * sizeof (float), (void **) &host, j->error)
      || cuda_scratch (j->call, n, &device, j->error))
    return j->error->code;
  gaussian_imagej_lay_out (axis, host);
  gaussian_imagej_fill (axis, a, in, number);
  gaussian_imagej_lay_out (axis, device);
  return cuda_status (cudaMemcpyAsync (device, host, n * sizeof (float), cudaMemcpyHostToDevice, cuda_stream (j->call)),
                      "gaussian", j->error);
}

/* Numbers of the plane, of its shrunk rows and of its shrunk columns. */
static fv_status
take_room (imagej_job *j)
{
  const int64_t whole = j->rows * j->columns, flat = j->rows * j->axes[2].small, narrow = j->columns * j->axes[1].small;
  const int64_t small = flat > narrow ? flat : narrow;
  if (cuda_scratch (j->call, (size_t) whole, &j->plane, j->error)
      || cuda_scratch (j->call, (size_t) (small > whole ? small : whole), &j->other, j->error)
      || cuda_scratch (j->call, (size_t) small, &j->more, j->error))
    return j->error->code;
  return FV_OK;
}

template <typename In, typename Out>
static fv_status
blur_planes_imagej (imagej_job *j)
{
  const view<const In> in = view_of<const In> (j->call->inputs[0]);
  const view<Out> out = view_of<Out> (j->call->outputs[0]);
  const dim3 grid = imagej_grid (j->columns, j->rows);
  for (int64_t z = 0; z < in.planes; z++) {
    if (j->call->host->tick (j->call, z, in.planes))
      return cancelled (j->error);
    imagej_load<In><<<grid, 256, 0, cuda_stream (j->call)>>> (in, z, j->plane);
    blur_axis (j, 2);
    blur_axis (j, 1);
    imagej_store<Out><<<grid, 256, 0, cuda_stream (j->call)>>> (j->plane, out, z);
  }
  return cuda_status (cudaGetLastError (), "gaussian", j->error);
}

extern "C" fv_status
gaussian_imagej_cuda (const fv_call *call, fv_error *error)
{
  imagej_job j = {};
  int64_t end;
  j.call = call;
  j.error = error;
  j.rows = array_rows (call->inputs[0]);
  j.columns = array_columns (call->inputs[0]);
  if (call->host->rows_in (call, 0, j.rows, &end, error) || send_tables (&j, 1) || send_tables (&j, 2)
      || take_room (&j))
    return error->code;
  const bool same = call->outputs[0]->grid->type == call->inputs[0]->grid->type;
  return with_type (call->inputs[0]->grid->type, [&] (auto zero) {
    using In = decltype (zero);
    return same ? blur_planes_imagej<In, In> (&j) : blur_planes_imagej<In, float> (&j);
  });
}
