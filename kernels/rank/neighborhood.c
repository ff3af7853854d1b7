/* SPDX-License-Identifier: MIT
 *
 * neighborhood: the shared part of the declarations, and tiles with their surroundings.
 */
#include "kernels/rank/neighborhood.h"

/* ---- Declarations ---- */

const fv_input neighborhood_inputs[] = {{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}};
const fv_choice neighborhood_footprints[] = {
  FOOTPRINT_CHOICES,
  {"imagej", "Circle as in ImageJ", "ImageJ's circle, which is a little rounder: 3 x 3 pixels with radius 1."},
  {0}};
const fv_choice neighborhood_borders[] = {BORDER_CHOICES, {0}};

fv_grain
neighborhood_grain (const fv_op *op, const void *args)
{
  (void) op;
  return ((const neighborhood_args *) args)->volume ? FV_STACK : FV_PLANES;
}

void
neighborhood_halo (const fv_op *op, const void *args, const fv_grid *input, int64_t halo[3])
{
  const neighborhood_args *a = args;
  footprint_spec spec = neighborhood_spec (a);
  int32_t low[3], high[3];
  (void) op;
  footprint_reach (&spec, low, high);
  for (int i = 0; i < 3; i++) /* wrapped, the other end is next to this one */
    halo[i] = a->border == BORDER_WRAP ? input->shape[i] : -low[i] > high[i] ? -low[i] : high[i];
}

/* ---- The footprint ---- */

int64_t
neighborhood_runs (const neighborhood_args *a, neighborhood_run *runs)
{
  footprint_spec spec = neighborhood_spec (a);
  int32_t low[3], high[3];
  int64_t n = 0;
  footprint_reach (&spec, low, high);
  for (int32_t dz = low[0]; dz <= high[0]; dz++)
    for (int32_t dy = low[1]; dy <= high[1]; dy++)
      for (footprint_run r = {0, low[2] - 1}; footprint_next_run (&spec, dz, dy, &r); n++)
        if (runs)
          runs[n] = (neighborhood_run){dz, dy, r.first, r.last};
  return n;
}

int64_t
neighborhood_count (const neighborhood_args *a)
{
  footprint_spec spec = neighborhood_spec (a);
  int32_t low[3], high[3];
  int64_t n = 0;
  footprint_reach (&spec, low, high);
  for (int32_t dz = low[0]; dz <= high[0]; dz++)
    for (int32_t dy = low[1]; dy <= high[1]; dy++)
      for (footprint_run r = {0, low[2] - 1}; footprint_next_run (&spec, dz, dy, &r);)
        n += r.last - r.first + 1;
  return n;
}

void
neighborhood_outside (const neighborhood_args *a, fv_type type, void *pixel)
{
  switch (type) {
  case FV_U8: *(uint8_t *) pixel = round_to_u8 (a->value); break;
  case FV_U16: *(uint16_t *) pixel = round_to_u16 (a->value); break;
  case FV_I32: *(int32_t *) pixel = round_to_i32 (a->value); break;
  case FV_F32: *(float *) pixel = (float) a->value; break;
  default: *(double *) pixel = a->value; break;
  }
}

/* ---- Tiles ---- */

static int64_t
least (int64_t a, int64_t b)
{
  return a < b ? a : b;
}

void
neighborhood_cut (neighborhood *b, const fv_call *call, int64_t side, int64_t behind)
{
  const neighborhood_args *a = call->args;
  footprint_spec spec = neighborhood_spec (a);
  b->in = call->inputs[0];
  b->edge = (border) a->border;
  neighborhood_outside (a, b->in->grid->type, &b->outside);
  footprint_reach (&spec, b->low, b->high);
  b->height = least (side, array_rows (b->in));
  b->width = least (side, array_columns (b->in));
  b->down = (array_rows (b->in) + b->height - 1) / b->height;
  b->across = (array_columns (b->in) + b->width - 1) / b->width;
  b->pitch = b->width + b->high[2] - b->low[2] + behind;
  b->slice = b->pitch * (b->height + b->high[1] - b->low[1] + 1); /* none touches the next */
  b->all = b->slice * (b->high[0] - b->low[0] + 1) + behind;
}

neighborhood_tile
neighborhood_tile_at (const neighborhood *b, int64_t i)
{
  int64_t y = i / b->across % b->down * b->height, x = i % b->across * b->width;
  return (neighborhood_tile){i / b->across / b->down, y, x, least (b->height, array_rows (b->in) - y),
                             least (b->width, array_columns (b->in) - x)};
}

int64_t
neighborhood_offset (const neighborhood *b, int32_t dz, int32_t dy, int32_t dx)
{
  return (dz - b->low[0]) * b->slice + (dy - b->low[1]) * b->pitch + dx - b->low[2];
}

static void
fill (char *to, const void *pixel, int64_t bytes, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    memcpy (to + i * bytes, pixel, (size_t) bytes);
}

/* Pixels x0 ... x1 - 1 of a row, some of them outside. */
static void
gather (const neighborhood *b, char *to, const char *row, int64_t bytes, int64_t x0, int64_t x1)
{
  for (int64_t x = x0; x < x1; x++, to += bytes) {
    int64_t i = border_index (x, array_columns (b->in), b->edge);
    memcpy (to, i < 0 ? b->outside.pixel : row + i * bytes, (size_t) bytes);
  }
}

void
neighborhood_load_row (const neighborhood *b, const neighborhood_tile *t, int32_t dz, int64_t row, void *to)
{
  int64_t bytes = (int64_t) type_bytes (b->in->grid->type), columns = array_columns (b->in);
  int64_t z = border_index (t->z + dz, array_planes (b->in), b->edge);
  int64_t y = border_index (t->y + b->low[1] + row, array_rows (b->in), b->edge);
  int64_t x0 = t->x + b->low[2], x1 = t->x + t->width + b->high[2];
  int64_t from = x0 < 0 ? 0 : x0, end = least (x1, columns);
  if (z < 0 || y < 0) {
    fill (to, b->outside.pixel, bytes, x1 - x0);
    return;
  }
  const char *pixels = array_row (b->in, z, y);
  gather (b, to, pixels, bytes, x0, from);
  memcpy ((char *) to + (from - x0) * bytes, pixels + from * bytes, (size_t) ((end - from) * bytes));
  gather (b, (char *) to + (end - x0) * bytes, pixels, bytes, end, x1);
}
