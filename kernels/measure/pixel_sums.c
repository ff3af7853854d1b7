/* SPDX-License-Identifier: MIT
 */
#include "kernels/measure/pixel_sums.h"

#include "kernels/common/row.h"

VECTORISED static void
hide_outside (double *v, const uint8_t *mask, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    v[i] = mask[i] ? v[i] : NAN;
}

VECTORISED static void
hide_infinite (double *v, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    v[i] = fabs (v[i]) <= DBL_MAX ? v[i] : NAN;
}

void
stack_read (const stack_view *s, int64_t z, int64_t y, int64_t x, int64_t n, double *to)
{
  row_to_f64 (to, (const char *) s->pixels + stack_offset (s, z, y, x) * (int64_t) type_bytes (s->type), s->type, n);
  if (s->type & FV_FLOATS)
    hide_infinite (to, n);
}

void
stack_hide (const stack_view *mask, int64_t z, int64_t y, int64_t x, int64_t n, double *v)
{
  if (mask->pixels)
    hide_outside (v, (const uint8_t *) mask->pixels + stack_offset (mask, z, y, x), n);
}

masked_stack
masked_stack_of (const fv_array *image, const fv_array *mask)
{
  masked_stack m = {.pixels = stack_view_of (image, 0, 1), .mask = stack_view_of (mask, 0, 1)};
  m.depth = grid_depth (image->grid);
  m.mask_depth = mask ? grid_depth (mask->grid) : 1;
  m.mask_channels = mask ? mask->grid->channels : 1;
  return m;
}

void
masked_read (const masked_stack *m, int64_t plane, int64_t y, int64_t x, int64_t n, double *to)
{
  stack_read (&m->pixels, plane, y, x, n, to);
  stack_hide (&m->mask, masked_plane (m, plane), y, x, n, to);
}

/* ---- Sums ---- */

void
pixel_lanes_clear (pixel_lanes *lanes)
{
  const pixel_sums none = pixel_sums_none ();
  memset (lanes->v, 0, sizeof lanes->v);
  memcpy (lanes->low, none.low, sizeof lanes->low);
  memcpy (lanes->high, none.high, sizeof lanes->high);
}

pixel_sums
pixel_lanes_join (pixel_lanes *lanes)
{
  pixel_sums sums = pixel_sums_none ();
  for (int k = 0; k < PIXEL_SUMS; k++)
    sums.v[k] = join_halves (lanes->v[k], LANES);
  memcpy (sums.low, lanes->low, sizeof sums.low);
  memcpy (sums.high, lanes->high, sizeof sums.high);
  return sums;
}

pixel_sums
pixel_bands_join (const pixel_sums *bands, int64_t n)
{
  pixel_sums slots[SUMS_SLOTS];
  for (int i = 0; i < SUMS_SLOTS; i++)
    slots[i] = pixel_sums_none ();
  for (int64_t i = 0; i < n; i++)
    slots[i % SUMS_SLOTS] = pixel_sums_join (slots[i % SUMS_SLOTS], bands[i]);
  for (int half = LANES / 2; half; half /= 2)
    for (int i = 0; i < SUMS_SLOTS; i += LANES)
      for (int k = i; k < i + half; k++)
        slots[k] = pixel_sums_join (slots[k], slots[k + half]);
  for (int half = SUMS_SLOTS / 2; half >= LANES; half /= 2)
    for (int i = 0; i < half; i += LANES)
      slots[i] = pixel_sums_join (slots[i], slots[i + half]);
  return slots[0];
}
