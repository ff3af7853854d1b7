/* SPDX-License-Identifier: MIT
 *
 * A pixel has a size where CUNIT is a unit of length for both x and y; angles on the sky are none.
 */
#include "core/files/fits/info.h"

#include "core/base/file_name.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/files/fits/cards.h"

#include <math.h>
#include <string.h>

/* The size of a pixel along an axis, from 1, in the unit of the header; 0: not known. */
static double
axis_size (const char *cards, guint axis)
{
  double size = 0, length = 0, part;
  char name[16];
  if (files_fits_number (cards, "CDELT", axis, &size))
    return fabs (size);
  for (guint i = 1; i <= 3; i++) {
    g_snprintf (name, sizeof name, "CD%u_", i);
    if (files_fits_number (cards, name, axis, &part))
      length = hypot (length, part);
  }
  return length;
}

static void
set_calibration (const char *cards, ImageInfo *info)
{
  for (int axis = 0; axis < 3; axis++) {
    g_autofree char *unit = files_fits_text (cards, "CUNIT", 3 - (guint) axis);
    double size = axis_size (cards, 3 - (guint) axis);
    gboolean known = unit && units_factor (unit, "m") > 0 && size > 0 && isfinite (size);
    info->spacing[axis] = known ? size : 1;
    info->units[axis] = known ? units_normal (unit) : g_strdup ("");
  }
  if (!*info->units[1] || !*info->units[2])
    for (int axis = 0; axis < 3; axis++) {
      info->spacing[axis] = 1;
      g_free (info->units[axis]);
      info->units[axis] = g_strdup ("");
    }
  else if (info->depth == 1 && !*info->units[0]) {
    g_free (info->units[0]);
    info->units[0] = g_strdup (info->units[2]);
  }
}

/* The cards of the image itself: those of a compressed one are in a table, which has its own. */
static GRefString *
own_cards (const FilesFitsImage *image)
{
  const gint64 axes[] = {image->columns, image->rows, image->slices, image->channels, image->frames};
  g_autoptr (GString) own = g_string_new (NULL);
  guint n = G_N_ELEMENTS (axes);
  if (!image->tiles)
    return g_ref_string_new (image->cards);
  while (n > 2 && axes[n - 1] == 1)
    n--;
  files_fits_add (own, "XTENSION", 0, "'IMAGE   '", "");
  files_fits_add_integer (own, "BITPIX", 0, image->bits, "");
  files_fits_add_integer (own, "NAXIS", 0, n, "");
  for (guint i = 0; i < n; i++)
    files_fits_add_integer (own, "NAXIS", i + 1, axes[i], "");
  files_fits_add_others (own, image->cards, TRUE);
  return g_ref_string_new (own->str);
}

static gboolean
is_rgb (const FilesFitsImage *image, const FilesFitsValues *values)
{
  g_autofree char *kind = files_fits_text (image->cards, "CTYPE", 4);
  return values->type == FV_U8 && image->channels == 3 && kind && !strcmp (kind, "RGB");
}

void
files_fits_info (const FilesFitsLayout *layout, guint n, const FilesFitsValues *values, ImageInfo *info)
{
  const FilesFitsImage *image = layout->images->pdata[n];
  g_autofree char *file = file_name_short (layout->file->path);
  g_autofree char *name = files_fits_text (image->cards, "EXTNAME", 0), *lines = NULL, *made_by = NULL;
  *info = (ImageInfo){
    .type = values->type,
    .role = is_rgb (image, values) ? FV_RGB : FV_IMAGE,
    .number = n,
    .frames = image->frames,
    .channels = image->channels,
    .depth = image->slices,
    .rows = image->rows,
    .columns = image->columns,
    .source_type = g_strdup (values->source),
    .frame_unit = g_strdup (""),
    .fits_header = own_cards (image),
  };
  if ((made_by = files_fits_makers (info->fits_header))) {
    info->notes = image_notes_new (NULL);
    info->notes->made_by = text_visible (made_by, "\n");
  }
  lines = files_fits_lines (info->fits_header);
  info->description = g_ref_string_new (lines);
  if (layout->images->len == 1)
    info->name = g_steal_pointer (&file);
  else
    info->name = name ? g_strdup_printf ("%s: %s", file, name) : g_strdup_printf ("%s #%u", file, n + 1);
  set_calibration (image->cards, info);
}
