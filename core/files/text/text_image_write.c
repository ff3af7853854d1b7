/* SPDX-License-Identifier: MIT
 */
#include "core/files/text/text_image_write.h"

#include "core/base/file_target.h"
#include "core/base/parallel.h"
#include "core/base/text.h"
#include "core/data/pixel_type.h"

#include <math.h>
#include <string.h>

enum { PIXELS = 1 << 14 /* of a piece, about */ };

typedef struct {
  FileTarget *target;
  const ImageInfo *info;
  const void *pixels;
  gint64 rows; /* of a piece */
  char separator;
} Writing;

/* Six to nine digits, by which it is read as the same f32. */
static void
add_float (GString *to, float value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  for (int digits = 6; digits <= 9; digits++) {
    const char format[] = {'%', '.', (char) ('0' + digits), 'g', 0};
    g_ascii_formatd (text, sizeof text, format, (double) value);
    if ((float) g_ascii_strtod (text, NULL) == value)
      break;
  }
  g_string_append (to, text);
}

/* Ten digits or more where f32 does not hold the value: by them it is read as f64. */
static void
add_double (GString *to, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd (text, sizeof text, "%.9e", value);
  if ((double) (float) value != value && g_ascii_strtod (text, NULL) == value)
    g_string_append (to, text);
  else
    text_add_number (to, value);
}

static void
add_value (GString *to, fv_type type, double value)
{
  if (value == floor (value) && fabs (value) < 1e15 && !(value == 0 && signbit (value)))
    text_add_integer (to, (gint64) value);
  else if ((type == FV_F32 || type == FV_F16) && isfinite (value))
    add_float (to, (float) value);
  else
    add_double (to, value);
}

static gboolean
make_rows (gpointer data, guint64 piece, GByteArray *bytes, GError **error)
{
  const Writing *w = data;
  const gint64 columns = w->info->columns, first = (gint64) piece * w->rows, end = MIN (first + w->rows, w->info->rows);
  g_autoptr (GString) text = g_string_new (NULL);
  (void) error;
  for (gint64 i = first * columns; i < end * columns; i++) {
    add_value (text, w->info->type, pixel_type_value (w->info->type, w->pixels, i));
    g_string_append_c (text, (i + 1) % columns ? w->separator : '\n');
  }
  g_byte_array_append (bytes, (const guint8 *) text->str, (guint) text->len);
  return TRUE;
}

static gboolean
write_rows (gpointer data, guint64 piece, const GByteArray *bytes, GError **error)
{
  (void) piece;
  return file_target_write (((Writing *) data)->target, bytes->data, bytes->len, error);
}

gboolean
files_text_image_save (Image *image, const char *path, gconstpointer options, GError **error)
{
  const ImageInfo *info = image_info (image);
  const gint64 planes = image_info_planes (info);
  const char *dot = strrchr (path, '.');
  Writing w = {.info = info, .separator = dot && !g_ascii_strcasecmp (dot, ".csv") ? ',' : '\t'};
  g_autoptr (FileTarget) target = NULL;
  (void) options;
  if (planes != 1)
    return file_fail (error, FILE_ERROR_WRITE, path,
                      "cannot be written: text holds one plane and '%s' has %" G_GINT64_FORMAT
                      "; save it as .tif, or take one plane first.",
                      info->name, planes);
  if (!(w.pixels = image_plane (image, 0, error)) || !(target = w.target = file_target_new (path, error)))
    return FALSE;
  w.rows = PIXELS / info->columns + 1;
  return parallel_make ((guint64) ((info->rows - 1) / w.rows + 1), make_rows, write_rows, &w, error)
         && file_target_commit (g_steal_pointer (&target), error);
}
