/* SPDX-License-Identifier: MIT
 */
#include "core/files/shared/resolution.h"

#include <math.h>

/* Whether it is a number of dots per inch. */
static gboolean
is_usual (const FilesResolution *resolution)
{
  static const int usual[] = {72,  75,  90,  96,  100, 120, 144, 150,  180, 192,
                              200, 240, 300, 360, 400, 600, 720, 1200, 2400};
  for (guint i = 0; i < G_N_ELEMENTS (usual); i++)
    if (fabs (resolution->per_meter - usual[i] / 0.0254) <= MAX (1, resolution->within))
      return TRUE;
  return FALSE;
}

static double
micrometers (const FilesResolution *resolution)
{
  double size = 1e6 / resolution->per_meter;
  for (int digits = 1; digits < 17; digits++) {
    char text[G_ASCII_DTOSTR_BUF_SIZE], format[] = {'%', '.', '0', '0', 'e', 0};
    format[2] = (char) ('0' + digits / 10);
    format[3] = (char) ('0' + digits % 10);
    size = g_ascii_strtod (g_ascii_formatd (text, sizeof text, format, 1e6 / resolution->per_meter), NULL);
    if (fabs (1e6 / size - resolution->per_meter) < resolution->within)
      break;
  }
  return size;
}

void
files_resolution_set (ImageInfo *info, const FilesResolution *x, const FilesResolution *y)
{
  if (!(x->per_meter > 0) || !(y->per_meter > 0) || !isfinite (1e6 / x->per_meter) || !isfinite (1e6 / y->per_meter)
      || (is_usual (x) && is_usual (y)))
    return;
  info->spacing[1] = micrometers (y);
  info->spacing[2] = micrometers (x);
  for (int i = 0; i < 3; i++)
    info->units[i] = g_strdup ("µm");
}
