/* SPDX-License-Identifier: MIT
 *
 * What an image is, without its pixels.
 */
#include "core/data/image_info.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/data/pixel_type.h"

void
image_info_clear (ImageInfo *info)
{
  for (int i = 0; i < 3; i++)
    g_free (info->units[i]);
  g_free (info->frame_unit);
  g_strfreev (info->channel_names);
  g_free (info->channel_colors);
  g_free (info->display_ranges);
  g_free (info->name);
  g_free (info->source_type);
  g_clear_pointer (&info->description, g_ref_string_release);
  g_clear_pointer (&info->fits_header, g_ref_string_release);
  image_notes_unref (info->notes);
  *info = (ImageInfo){0};
}

/* Files may hold anything; what is shown, handed to plugins and written into tables is text. */
static char *
clean (const char *text)
{
  return text ? text_visible (text, "") : g_strdup ("");
}

static char **
clean_all (char *const *texts)
{
  g_autoptr (GStrvBuilder) cleaned = g_strv_builder_new ();
  for (; texts && *texts; texts++) {
    g_autofree char *text = clean (*texts);
    g_strv_builder_add (cleaned, text);
  }
  return g_strv_builder_end (cleaned);
}

void
image_info_copy (ImageInfo *to, const ImageInfo *from)
{
  *to = *from;
  for (int i = 0; i < 3; i++)
    to->units[i] = clean (from->units[i]);
  to->frame_unit = clean (from->frame_unit);
  to->channel_names = from->channel_names ? clean_all (from->channel_names) : NULL;
  to->channel_colors = g_memdup2 (from->channel_colors, (gsize) from->channels * sizeof *from->channel_colors);
  to->display_ranges = g_memdup2 (from->display_ranges, (gsize) from->channels * 2 * sizeof *from->display_ranges);
  to->name = clean (from->name);
  to->source_type = g_strdup (from->source_type);
  to->description = from->description ? g_ref_string_acquire (from->description) : NULL;
  to->fits_header = from->fits_header ? g_ref_string_acquire (from->fits_header) : NULL;
  to->notes = from->notes ? image_notes_ref (from->notes) : NULL;
}

gint64
image_info_planes (const ImageInfo *info)
{
  return info->frames * info->channels * info->depth;
}

gsize
image_info_row_bytes (const ImageInfo *info)
{
  return (gsize) info->columns * pixel_type_bytes (info->type);
}

gsize
image_info_plane_bytes (const ImageInfo *info)
{
  return (gsize) info->rows * image_info_row_bytes (info);
}

gboolean
image_info_check (const ImageInfo *info, GError **error)
{
  const gint64 sizes[] = {info->frames, info->channels, info->depth, info->rows, info->columns};
  gint64 limit = G_GINT64_CONSTANT (1) << 59; /* pixels: bytes stay below 2^62 */
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    if (sizes[i] < 1 || sizes[i] > limit) {
      step_error_set (
        error, FV_BAD_INPUT, NULL,
        "'%s' has an impossible size: %" G_GINT64_FORMAT " × %" G_GINT64_FORMAT " pixels, %" G_GINT64_FORMAT
        " channels, %" G_GINT64_FORMAT " slices, %" G_GINT64_FORMAT " frames.",
        info->name ? info->name : "image", info->columns, info->rows, info->channels, info->depth, info->frames);
      return FALSE;
    }
    limit /= sizes[i];
  }
  return TRUE;
}

/* ", 3 channels" when there is more than one. */
static void
append_count (GString *s, gint64 n, const char *noun)
{
  if (n > 1)
    g_string_append_printf (s, ", %" G_GINT64_FORMAT " %ss", n, noun);
}

/* "" where it is unknown. */
static const char *
unit_of (const ImageInfo *info, int axis)
{
  return info->units[axis] ? info->units[axis] : "";
}

gboolean
image_info_has_scale (const ImageInfo *info, gboolean volume)
{
  for (int axis = volume ? 0 : 1; axis < 2; axis++)
    if (!(units_factor (unit_of (info, axis), unit_of (info, 2)) > 0))
      return FALSE;
  return TRUE;
}

char *
image_info_sizes (const ImageInfo *info)
{
  const int last = info->depth > 1 ? 0 : 1;
  gboolean known = FALSE, same = TRUE;
  GString *s = g_string_new (NULL);
  for (int axis = 2; axis >= last; axis--) {
    known = known || *unit_of (info, axis);
    same = same && !strcmp (unit_of (info, axis), unit_of (info, 2));
  }
  for (int axis = 2; axis >= last; axis--) {
    g_string_append (s, axis < 2 ? " × " : "");
    if (!*unit_of (info, axis))
      g_string_append (s, "?");
    else if (same && axis > last)
      g_string_append_printf (s, "%g", info->spacing[axis]);
    else
      g_string_append_printf (s, "%g %s", info->spacing[axis], unit_of (info, axis));
  }
  return g_string_free (s, !known);
}

char *
image_info_text (const ImageInfo *info)
{
  GString *s = g_string_new (NULL);
  g_autofree char *sizes = image_info_sizes (info);
  g_string_append_printf (s, "%" G_GINT64_FORMAT "×%" G_GINT64_FORMAT " %s", info->columns, info->rows,
                          pixel_type (info->type)->words);
  append_count (s, info->channels, "channel");
  append_count (s, info->depth, "slice");
  append_count (s, info->frames, "frame");
  if (sizes)
    g_string_append_printf (s, ", %s", sizes);
  return g_string_free (s, FALSE);
}
