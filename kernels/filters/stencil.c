/* SPDX-License-Identifier: MIT
 *
 * stencil on the CPU: bands of rows for threads, each row read once into a ring of lines, in a volume one for each of three planes.
 */
#include "kernels/filters/stencil.h"

#include "kernels/common/row.h"

enum { BAND = 64, ALIGNED = 16 /* numbers: lines begin at multiples of them */ };

const fv_input stencil_inputs[] = {{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}};

fv_grain
stencil_grain (const fv_op *op, const void *args)
{
  (void) op;
  return ((const stencil_args *) args)->volume ? FV_STACK : FV_PLANES;
}

void
stencil_halo (const fv_op *op, const void *args, const fv_grid *input, int64_t halo[3])
{
  const stencil_args *a = args;
  (void) op;
  for (int axis = 0; axis < 3; axis++) /* wrapped, the other end is next to this one */
    halo[axis] = axis == 0 && !a->volume ? 0 : a->border == BORDER_WRAP ? input->shape[axis] : 1;
}

static void
put (const stencil *s, void *line, int64_t i, double v)
{
  if (s->type == FV_F32)
    ((float *) line)[i] = (float) v;
  else
    ((double *) line)[i] = v;
}

static int64_t
planes_of (const stencil *s)
{
  return s->args->volume ? 3 : 1;
}

/* Pixel 0 of a line of this thread. */
static void *
line_at (const stencil *s, int64_t line)
{
  return s->memory + ((thread_index () * s->each + line) * s->pitch + s->lead) * s->bytes;
}

/* The line for row y >= -reach of plane k of those that are held. */
static void *
ring_at (const stencil *s, int64_t k, int64_t y)
{
  return line_at (s, k * s->side + (y + s->reach) % s->side);
}

static void
load_line (const stencil *s, const fv_array *in, int64_t z, int64_t y, void *line)
{
  border edge = (border) s->args->border;
  int64_t n = array_columns (in);
  z = border_index (z, array_planes (in), edge);
  y = border_index (y, array_rows (in), edge);
  if (z < 0 || y < 0) {
    for (int64_t x = -s->reach; x < n + s->reach; x++)
      put (s, line, x, s->args->value);
    return;
  }
  (s->type == FV_F32 ? row_to_f32 : row_to_f64) (line, array_row (in, z, y), in->grid->type, n);
  for (int64_t i = 0; i < 2 * s->reach; i++) {
    int64_t outside = i < s->reach ? -1 - i : n + i - s->reach, x = border_index (outside, n, edge);
    put (s, line, outside, x < 0 ? s->args->value : pixel_get (line, s->type, x));
  }
}

static void
write_row (const stencil *s, const fv_array *out, int64_t z, int64_t y)
{
  int64_t n = array_columns (out);
  bool direct = out->grid->type == s->type;
  void *row = array_row (out, z, y), *to = direct ? row : line_at (s, s->each - 1);
  const void *lines[2 * STENCIL_REACH_MAX + 1];
  for (int64_t k = 0; k < planes_of (s); k++)
    for (int64_t i = 0; i < s->side; i++)
      lines[k * s->side + i] = ring_at (s, k, y + i - s->reach);
  (s->type == FV_F32 ? s->f32 : s->f64) (to, lines, n, s->rule);
  if (!direct)
    (s->type == FV_F32 ? row_from_f32 : row_from_f64) (row, out->grid->type, to, n);
}

static void
run_band (stencil *s, const fv_array *in, const fv_array *out, int64_t z, int64_t y0, int64_t y1)
{
  for (int64_t y = y0 - s->reach; y < y1 + s->reach && !progress_stopped (&s->progress); y++) {
    for (int64_t k = 0; k < planes_of (s); k++)
      load_line (s, in, z + k - planes_of (s) / 2, y, ring_at (s, k, y));
    if (y >= y0 + s->reach) {
      write_row (s, out, z, y - s->reach);
      progress_step (&s->progress, 1);
    }
  }
}

fv_status
stencil_prepare (stencil *s, fv_error *error)
{
  s->progress.call = s->call;
  s->bytes = (int64_t) type_bytes (s->type);
  s->side = 2 * s->reach + 1;
  s->each = planes_of (s) * s->side + 1;
  s->lead = (s->reach + ALIGNED - 1) / ALIGNED * ALIGNED;
  s->pitch = 2 * s->lead + (array_columns (s->call->inputs[0]) + ALIGNED - 1) / ALIGNED * ALIGNED;
  return s->call->host->scratch (s->call, (size_t) (threads_at_most () * s->each * s->pitch * s->bytes),
                                 (void **) &s->memory, error);
}

void
stencil_pass (stencil *s, const fv_array *in, const fv_array *out)
{
  int64_t planes = array_planes (in), rows = array_rows (in);
  progress_step (&s->progress, 0); /* other threads may take all bands */
#pragma omp parallel for collapse(2) schedule(dynamic, 1)
  for (int64_t z = 0; z < planes; z++)
    for (int64_t y = 0; y < rows; y += BAND)
      if (!progress_stopped (&s->progress))
        run_band (s, in, out, z, y, y + BAND < rows ? y + BAND : rows);
}
