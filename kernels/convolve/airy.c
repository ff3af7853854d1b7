/* SPDX-License-Identifier: MIT
 *
 * airy: a quarter is computed, the others mirror it.
 */
#include "kernels/convolve/airy.h"

enum { SAMPLES = 5 }; /* in a pixel, along an axis */

static const double fourth_dark_ring = 13.323691936314223; /* a zero of J1 */

double
airy_unit (const char *unit)
{
  static const struct {
    const char *unit;
    double length;
  } units[] = {{"nm", 1},   {"µm", 1e3}, {"um", 1e3},  {"micron", 1e3}, {"mm", 1e6},
               {"cm", 1e7}, {"m", 1e9},  {"pm", 1e-3}, {"Å", 0.1},      {"inch", 2.54e7}};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (!strcmp (unit, units[i].unit))
      return units[i].length;
  return 0;
}

/* Distances times this are x. */
static double
wave_number (const airy_disk *d)
{
  return 2 * M_PI * d->na / d->wavelength;
}

void
airy_reach (const airy_disk *d, int64_t reach[2])
{
  const double size[] = {d->height, d->width};
  for (int axis = 0; axis < 2; axis++) {
    const double pixels = floor (fourth_dark_ring / wave_number (d) / size[axis] + 0.5);
    reach[axis] = pixels <= AIRY_REACH ? (int64_t) pixels : AIRY_REACH + 1;
  }
}

static double
brightness (double x)
{
  const double a = x > 0 ? 2 * j1 (x) / x : 1;
  return x <= fourth_dark_ring ? a * a : 0;
}

static double
pixel (const airy_disk *d, int64_t row, int64_t column)
{
  double sum = 0;
  for (int i = 0; i < SAMPLES; i++)
    for (int k = 0; k < SAMPLES; k++) {
      const double y = (double) row + (double) (i - SAMPLES / 2) / SAMPLES,
                   x = (double) column + (double) (k - SAMPLES / 2) / SAMPLES;
      sum += brightness (wave_number (d) * hypot (y * d->height, x * d->width));
    }
  return sum / (SAMPLES * SAMPLES);
}

void
airy_fill (const airy_disk *d, double *to)
{
  int64_t reach[2];
  airy_reach (d, reach);
  const int64_t columns = 2 * reach[1] + 1;
  double *middle = to + reach[0] * columns + reach[1];
  for (int64_t y = 0; y <= reach[0]; y++)
    for (int64_t x = 0; x <= reach[1]; x++)
      middle[y * columns + x] = middle[y * columns - x] = middle[-y * columns + x] = middle[-y * columns - x] =
        pixel (d, y, x);
}
