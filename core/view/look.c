/* SPDX-License-Identifier: MIT
 */
#include "core/view/look.h"

#include "core/base/text.h"
#include "core/view/shown_range.h"

#include <string.h>

enum { MAX_CHANNELS = 4096 };

G_DEFINE_QUARK (look - found, look_found)

static gboolean
has_bit (guint bits, gint64 channel)
{
  return channel < 32 && bits >> channel & 1;
}

static gboolean
wants_zscale (Image *image, gint64 channel)
{
  const ImageInfo *info = image_info (image);
  const LookFound *found = image_kept (image, look_found_quark ());
  Range known;
  return info->role == FV_IMAGE && !shown_range_known (info->type, &known)
         && (info->fits_header || (found && has_bit (found->dark, channel)));
}

ViewChannel
look_of_image (Image *image, gint64 channel)
{
  const ImageInfo *info = image_info (image);
  ViewChannel look = LOOK_USUAL;
  const LookFound *found = image_kept (image, look_found_quark ());
  look.zscale = wants_zscale (image, channel);
  if (found && has_bit (found->labels, channel))
    strcpy (look.lut, LOOK_LABELS);
  if (info->display_ranges && channel < info->channels) {
    look.automatic = look.zscale = FALSE;
    look.low = info->display_ranges[2 * channel];
    look.high = info->display_ranges[2 * channel + 1];
  }
  return look;
}

gboolean
look_equal (const ViewChannel *a, const ViewChannel *b)
{
  return a->automatic == b->automatic && a->zscale == b->zscale && a->by_plane == b->by_plane && a->low == b->low
         && a->high == b->high && a->gamma == b->gamma && a->stretch == b->stretch && a->a == b->a
         && a->hidden == b->hidden && !strcmp (a->lut, b->lut);
}

gboolean
look_is_labels (const ViewChannel *channels, const ImageInfo *info, gboolean composite, gint64 channel)
{
  const gint64 first = composite ? 0 : channel, end = composite ? info->channels : channel + 1;
  for (gint64 c = first; c < end; c++)
    if (strcmp (channels[c].lut, LOOK_LABELS))
      return FALSE;
  return info->role != FV_RGB;
}

/* ---- As text ---- */

static void
add_word (GString *text, const char *key, const char *value)
{
  g_string_append_printf (text, " %s=%s", key, value);
}

static void
add_number (GString *text, const char *key, double value)
{
  g_autofree char *number = text_from_number (value);
  add_word (text, key, number);
}

static void
add_channel (GString *text, const ViewChannel *look)
{
  if (look->automatic)
    add_word (text, "limits", look->zscale ? "zscale" : "automatic");
  else {
    add_number (text, "low", look->low);
    add_number (text, "high", look->high);
  }
  if (look->automatic && look->by_plane)
    add_word (text, "each", "plane");
  if (look->gamma != 1)
    add_number (text, "gamma", look->gamma);
  if (look->stretch != STRETCH_LINEAR)
    add_word (text, "stretch", stretch_word (look->stretch));
  if (look->a > 0)
    add_number (text, "a", look->a);
  if (*look->lut)
    add_word (text, "lut", look->lut);
  if (look->hidden)
    add_word (text, "hidden", "yes");
}

char *
look_format (const ViewChannel *channels, guint n)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < n; i++) {
    if (i)
      g_string_append_c (text, ';');
    add_channel (text, &channels[i]);
  }
  return g_strchug (g_string_free (text, FALSE));
}

/* ---- From text ---- */

static gboolean
take_number (const char *key, const char *value, ViewChannel *look)
{
  double number;
  if (!text_to_number (value, &number))
    return FALSE;
  if (!strcmp (key, "low"))
    look->low = number;
  else if (!strcmp (key, "high"))
    look->high = number;
  else if (number <= 0)
    return FALSE;
  else if (!strcmp (key, "gamma"))
    look->gamma = number;
  else if (!strcmp (key, "a"))
    look->a = number;
  else
    return FALSE;
  return TRUE;
}

static gboolean
take_word (const char *key, const char *value, ViewChannel *look)
{
  if (!strcmp (key, "each"))
    return look->by_plane = TRUE, !strcmp (value, "plane");
  if (!strcmp (key, "limits"))
    return look->automatic = TRUE, (look->zscale = !strcmp (value, "zscale")) || !strcmp (value, "automatic");
  if (!strcmp (key, "stretch"))
    return stretch_of_word (value, &look->stretch);
  if (!strcmp (key, "lut"))
    return g_strlcpy (look->lut, value, sizeof look->lut) < sizeof look->lut;
  if (!strcmp (key, "hidden"))
    return look->hidden = TRUE, !strcmp (value, "yes");
  return take_number (key, value, look);
}

static gboolean
take_channel (const char *text, ViewChannel *look)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  *look = LOOK_USUAL;
  look->automatic = FALSE;
  for (char **word = words; *word; word++) {
    char *value = strchr (*word, '=');
    if (value)
      *value++ = 0;
    if (**word && (!value || !take_word (*word, value, look)))
      return FALSE;
  }
  return look->automatic || look->high > look->low;
}

GArray *
look_parse (const char *text)
{
  g_autoptr (GArray) channels = g_array_new (FALSE, FALSE, sizeof (ViewChannel));
  g_auto (GStrv) parts = g_strsplit (text, ";", MAX_CHANNELS);
  for (char **part = parts; *part; part++) {
    ViewChannel look;
    if (!take_channel (*part, &look))
      return NULL;
    g_array_append_val (channels, look);
  }
  return g_steal_pointer (&channels);
}
