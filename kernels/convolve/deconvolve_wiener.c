/* SPDX-License-Identifier: MIT
 *
 * deconvolve, method=wiener: the response is computed in host memory. It is a kernel for convolve, which runs on any device.
 */
#include "kernels/convolve/deconvolve_wiener.h"
#include "kernels/common/inner_call.h"
#include "kernels/common/scratch_image.h"
#include "kernels/convolve/convolve_kernel.h"
#include "kernels/convolve/wiener.h"

extern const fv_op fv_op_convolve;

enum { TIMES = 4, LEAST_SIDE = 64 }; /* of the function, of the answer */

convolve_args
deconvolve_wiener_args (const deconvolve_args *a)
{
  return (convolve_args){.shape = CONVOLVE_IMAGE,
                         .size = 1,
                         .mode = CONVOLVE_SAME,
                         .boundary = a->boundary,
                         .output = a->output,
                         .volume = a->volume};
}

static int64_t
side_of (const deconvolve_args *a, int64_t pixels, int64_t values)
{
  const int64_t most = 2 * pixels > values ? 2 * pixels : values;
  const int64_t side = TIMES * values < LEAST_SIDE ? LEAST_SIDE : TIMES * values;
  return a->boundary == CONVOLVE_WRAP ? pixels : side < most ? side : most;
}

/* Of the answer. */
fv_grid
deconvolve_wiener_grid (const deconvolve_args *a, const fv_grid *image, const fv_grid *psf)
{
  const convolve_args c = deconvolve_psf (a, image, false);
  fv_grid g = *image;
  int64_t m[3];
  convolve_kernel_size (&c, psf, m);
  for (int axis = 0; axis < 3; axis++)
    g.shape[axis] = axis || a->volume ? side_of (a, image->shape[axis], m[axis]) : 1;
  g.type = convolve_working_type (image);
  g.role = FV_IMAGE;
  g.channels = g.frames = 1;
  return g;
}

static int64_t
pixels_of (const fv_grid *g)
{
  return g->shape[0] * g->shape[1] * g->shape[2];
}

int64_t
deconvolve_wiener_bytes (const deconvolve_args *a, const fv_grid *image, const fv_grid *psf)
{
  const convolve_args c = deconvolve_psf (a, image, false), with = deconvolve_wiener_args (a);
  const fv_grid answer = deconvolve_wiener_grid (a, image, psf);
  int64_t m[3];
  convolve_kernel_size (&c, psf, m);
  return (wiener_numbers (answer.shape) + convolve_kernel_values (m)) * (int64_t) sizeof (double)
         + pixels_of (&answer) * (int64_t) type_bytes (answer.type)
         + fv_op_convolve.scratch (&fv_op_convolve, &with, (const fv_grid *[]){image, &answer});
}

/* Memory of the host. */
static fv_status
take_here (const fv_call *call, fv_device_kind kind, int64_t bytes, void *memory, fv_error *error)
{
  return (kind == FV_CPU ? call->host->scratch : call->host->host_scratch) (call, (size_t) bytes, memory, error);
}

/* Pixels of the function's image, where it is one, in the host's memory. */
static fv_status
read_psf (const fv_call *call, fv_device_kind kind, const void **pixels, fv_error *error)
{
  const fv_array *psf = call->inputs[1];
  void *here;
  *pixels = psf ? psf->tensor.data : NULL;
  if (!psf || kind == FV_CPU)
    return FV_OK;
  const int64_t *n = psf->tensor.shape, *strides = psf->tensor.strides,
                bytes = ((n[0] - 1) * strides[0] + (n[1] - 1) * strides[1] + n[2]) * (psf->tensor.dtype.bits / 8);
  if (take_here (call, kind, bytes, &here, error))
    return error->code;
  *pixels = here;
  return call->host->read (call, here, psf->tensor.data, (size_t) bytes, error);
}

/* The function's values, in their order. */
static fv_status
find_psf (const fv_call *call, fv_device_kind kind, convolve_kernel *psf, fv_error *error)
{
  const fv_array *image = call->inputs[1];
  const convolve_args c = deconvolve_psf (call->args, call->inputs[0]->grid, false);
  const void *pixels;
  double *memory;
  int64_t m[3];
  convolve_kernel_size (&c, image ? image->grid : NULL, m);
  if (read_psf (call, kind, &pixels, error)
      || take_here (call, kind, convolve_kernel_values (m) * (int64_t) sizeof *memory, &memory, error)
      || convolve_kernel_make (psf, &c, image, pixels, FV_F64, memory, error))
    return error->code;
  const int64_t n = m[0] * m[1] * m[2];
  for (int64_t i = 0; i < n / 2; i++) {
    const double kept = psf->w[i];
    psf->w[i] = psf->w[n - 1 - i];
    psf->w[n - 1 - i] = kept;
  }
  return FV_OK;
}

/* As a kernel, whose middle is (n - 1) / 2. */
static void
lay_kernel (const double *answer, const fv_grid *grid, void *to)
{
  const int64_t *n = grid->shape;
  for (int64_t z = 0, i = 0; z < n[0]; z++)
    for (int64_t y = 0; y < n[1]; y++)
      for (int64_t x = 0; x < n[2]; x++, i++) {
        const double v = answer[(border_index (z - (n[0] - 1) / 2, n[0], BORDER_WRAP) * n[1]
                                 + border_index (y - (n[1] - 1) / 2, n[1], BORDER_WRAP))
                                  * n[2]
                                + border_index (x - (n[2] - 1) / 2, n[2], BORDER_WRAP)];
        if (grid->type == FV_F32)
          ((float *) to)[i] = (float) v;
        else
          ((double *) to)[i] = v;
      }
}

fv_status
deconvolve_wiener (const fv_call *call, fv_device_kind kind, fv_error *error)
{
  const deconvolve_args *a = call->args;
  const fv_array *image = call->inputs[0];
  const fv_grid grid = deconvolve_wiener_grid (a, image->grid, call->inputs[1] ? call->inputs[1]->grid : NULL);
  const size_t bytes = (size_t) pixels_of (&grid) * type_bytes (grid.type);
  const convolve_args with = deconvolve_wiener_args (a);
  scratch_image kernel;
  convolve_kernel psf;
  double *memory;
  void *here, *there;
  if (find_psf (call, kind, &psf, error)
      || take_here (call, kind, wiener_numbers (grid.shape) * (int64_t) sizeof *memory, &memory, error)
      || take_here (call, kind, (int64_t) bytes, &here, error))
    return error->code;
  const wiener_job job = {
    {grid.shape[0], grid.shape[1], grid.shape[2]}, {psf.n[0], psf.n[1], psf.n[2]}, psf.w, a->balance};
  wiener_answer (&job, memory);
  lay_kernel (memory, &grid, here);
  there = here;
  if (kind != FV_CPU
      && (call->host->scratch (call, bytes, &there, error)
          || call->device->copy (call->device, call->stream, there, bytes, here, bytes, bytes, 1, FV_TO_DEVICE, error)))
    return error->code;
  scratch_image_lay (&kernel, image, &grid, there);
  return run_inner (call, kind, &fv_op_convolve, &with, (const fv_array *[]){image, &kernel.array}, call->outputs, NULL,
                    error);
}
