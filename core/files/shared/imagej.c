/* SPDX-License-Identifier: MIT
 *
 * ImageJ's metadata. Numbers are written and read with a point in every locale.
 */
#include "core/files/shared/imagej.h"

#include "core/base/text.h"
#include "core/base/units.h"

#include <math.h>
#include <string.h>

#define VERSION "1.53t" /* whose form of the text this is */

/* ---- Reading the text ---- */

gboolean
files_imagej_is (const char *text)
{
  return g_str_has_prefix (text, "ImageJ");
}

/* A value without its escapes. */
static char *
unescape (const char *p)
{
  GString *s = g_string_new (NULL);
  while (*p) {
    if (*p != '\\' || !p[1]) {
      g_string_append_c (s, *p++);
    } else if (p[1] == 'u' && strspn (p + 2, "0123456789abcdefABCDEF") >= 4) {
      const char hex[] = {p[2], p[3], p[4], p[5], 0};
      gunichar c = (gunichar) g_ascii_strtoull (hex, NULL, 16);
      if (c && g_unichar_validate (c))
        g_string_append_unichar (s, c);
      p += 6;
    } else {
      g_string_append_c (s, p[1] == 'n' ? '\n' : p[1] == 't' ? '\t' : p[1]);
      p += 2;
    }
  }
  return g_string_free (s, FALSE);
}

static gint
compare_keys (gconstpointer a, gconstpointer b, gpointer data)
{
  (void) data;
  return strcmp (a, b);
}

/* The last value of each key. A tree, since a file can have keys that all hash alike. */
static GTree *
properties (const char *text)
{
  GTree *table = g_tree_new_full (compare_keys, NULL, g_free, g_free);
  g_auto (GStrv) lines = g_strsplit_set (text, "\r\n", -1);
  for (char **line = lines; *line; line++) {
    char *equals = strchr (*line, '=');
    if (!equals)
      continue;
    *equals = 0;
    g_tree_replace (table, g_strdup (g_strstrip (*line)), unescape (g_strchug (equals + 1)));
  }
  return table;
}

static double
number (GTree *table, const char *key, double otherwise)
{
  const char *text = g_tree_lookup (table, key);
  char *end;
  double value = text ? g_ascii_strtod (text, &end) : otherwise;
  return text && (end == text || !isfinite (value)) ? otherwise : value;
}

static gint64
count (GTree *table, const char *key)
{
  double value = number (table, key, 1);
  return value >= 1 && value <= G_MAXINT32 ? (gint64) value : 1;
}

static char *
unit (GTree *table, const char *key, const char *otherwise)
{
  const char *text = g_tree_lookup (table, key);
  return text ? units_normal (text) : g_strdup (otherwise);
}

static gboolean
is (GTree *table, const char *key, const char *value)
{
  return !g_strcmp0 (g_tree_lookup (table, key), value);
}

/* Each of c, z and t once, or as ImageJ has it. */
static void
take_order (GTree *table, char order[4])
{
  const char *text = g_tree_lookup (table, "order");
  g_strlcpy (order, "czt", 4);
  if (text && strlen (text) == 3 && strspn (text, "cztCZT") == 3) {
    g_autofree char *lower = g_ascii_strdown (text, 3);
    if (strchr (lower, 'c') && strchr (lower, 'z') && strchr (lower, 't'))
      g_strlcpy (order, lower, 4);
  }
}

/* Calibrated values: a function by number, its coefficients, and a unit. A signed 16-bit image is not one of these. */
static void
take_values (GTree *table, ImageNotes *notes)
{
  const double function = number (table, "cf", -1);
  const char *unit_of = g_tree_lookup (table, "vunit");
  if (!(function >= 0 && function <= 100))
    return;
  notes->function = (int) function;
  for (int i = 0; i < IMAGE_NOTES_COEFFICIENTS; i++) {
    const char key[] = {'c', (char) ('0' + i), 0};
    if (!g_tree_lookup (table, key))
      break;
    notes->coefficients[notes->n_coefficients++] = number (table, key, 0);
  }
  notes->zero_clip = is (table, "zeroclip", "true");
  notes->value_unit = unit_of ? text_visible (unit_of, "") : NULL;
  image_notes_describe_values (notes);
}

static void
take_notes (GTree *table, FilesImagej *ij)
{
  g_autoptr (ImageNotes) notes = image_notes_new (NULL);
  const char *steps = g_tree_lookup (table, "steps"), *names = g_tree_lookup (table, "channel_names");
  if (ij->offset == 0)
    take_values (table, notes);
  notes->made_by = steps ? text_visible (steps, "\n") : NULL;
  ij->notes = image_notes_is_empty (notes) ? NULL : g_steal_pointer (&notes);
  ij->names = names ? g_strsplit (names, "\t", -1) : NULL;
  ij->origin[0] = number (table, "zorigin", 0);
  ij->origin[1] = number (table, "yorigin", 0);
  ij->origin[2] = number (table, "xorigin", 0);
}

FilesImagej *
files_imagej_parse (const char *text)
{
  FilesImagej *ij = g_new0 (FilesImagej, 1);
  g_autoptr (GTree) table = properties (text);
  double fps = number (table, "fps", 0);

  ij->images = count (table, "images");
  ij->channels = count (table, "channels");
  ij->slices = count (table, "slices");
  ij->frames = count (table, "frames");
  ij->grayscale = is (table, "mode", "grayscale") || is (table, "mode", "gray");
  ij->role = is (table, "role", "mask") ? FV_MASK : is (table, "role", "labels") ? FV_LABELS : FV_IMAGE;
  ij->units[2] = unit (table, "unit", "");
  ij->units[1] = unit (table, "yunit", ij->units[2]);
  ij->units[0] = unit (table, "zunit", ij->units[2]);
  ij->spacing = fabs (number (table, "spacing", 1));
  if (ij->spacing == 0)
    ij->spacing = 1;
  if (is (table, "cf", "0") && number (table, "c0", 0) == -32768 && number (table, "c1", 0) == 1)
    ij->offset = -32768;
  ij->frame_interval = MAX (0, number (table, "finterval", fps > 0 && ij->frames > 1 ? 1 / fps : 0));
  ij->frame_unit = unit (table, "tunit", "s");
  ij->has_range = g_tree_lookup (table, "min") && g_tree_lookup (table, "max");
  ij->range[0] = number (table, "min", 0);
  ij->range[1] = number (table, "max", 0);
  ij->has_range = ij->has_range && ij->range[0] < ij->range[1];
  take_order (table, ij->order);
  take_notes (table, ij);
  return ij;
}

void
files_imagej_free (FilesImagej *ij)
{
  for (int i = 0; i < 3; i++)
    g_free (ij->units[i]);
  g_free (ij->frame_unit);
  g_strfreev (ij->names);
  image_notes_unref (ij->notes);
  g_free (ij);
}

gint64
files_imagej_plane (const char *order, const gint64 sizes[3], const gint64 position[3])
{
  gint64 plane = 0;
  for (int i = 2; i >= 0; i--) {
    const int axis = order[i] == 'c' ? 0 : order[i] == 'z' ? 1 : 2;
    plane = plane * sizes[axis] + position[axis];
  }
  return plane;
}

/* ---- Reading the private tags ---- */

typedef struct {
  ImageInfo *info;
  const char *order;
  gboolean swapped;
  GPtrArray *labels, *properties;
  GArray *colors;
  ImageNotes *notes;
} Extras;

static void
take_ranges (Extras *e, const guint8 *data, gsize size)
{
  gsize n = (gsize) e->info->channels * 2;
  if (size / sizeof (double) < n || e->info->display_ranges)
    return;
  g_autofree double *ranges = g_new (double, n);
  for (gsize i = 0; i < n; i++) {
    guint64 bits;
    memcpy (&bits, data + i * sizeof bits, sizeof bits);
    if (e->swapped)
      bits = GUINT64_SWAP_LE_BE (bits);
    memcpy (&ranges[i], &bits, sizeof bits);
    if (!isfinite (ranges[i]) || (i % 2 && !(ranges[i - 1] < ranges[i])))
      return;
  }
  e->info->display_ranges = g_steal_pointer (&ranges);
}

static void
take_color (Extras *e, const guint8 *lut, gsize size)
{
  gboolean inverted;
  gint64 color = size >= 768 ? files_imagej_ramp_color (lut, lut + 256, lut + 512, &inverted) : -1;
  guint32 rgb = color > 0 ? (guint32) color : 0xffffff;
  g_array_append_val (e->colors, rgb);
}

/* UTF-16 in the file's byte order. */
static char *
take_text (const Extras *e, const guint8 *data, gsize size)
{
  gboolean big = (G_BYTE_ORDER == G_BIG_ENDIAN) != e->swapped;
  char *text = g_convert ((const char *) data, (gssize) (size & ~(gsize) 1), "UTF-8", big ? "UTF-16BE" : "UTF-16LE",
                          NULL, NULL, NULL);
  return text ? text : g_strdup ("");
}

/* The planes of a file, which may be channels, in their order there. */
static void
sizes_of (const ImageInfo *info, gint64 sizes[3])
{
  sizes[0] = info->role == FV_RGB ? 1 : info->channels;
  sizes[1] = info->depth;
  sizes[2] = info->frames;
}

/* A channel has a name when all its planes are labeled with it; only the first line of a label is meant for people. FALSE: they have not. */
static gboolean
name_channels (Extras *e, char *const *labels)
{
  gsize channels = (gsize) e->info->channels, depth = (gsize) e->info->depth, n = (gsize) image_info_planes (e->info);
  gboolean whole = TRUE;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  if (channels < 2 || e->info->role == FV_RGB)
    return FALSE;
  for (gsize i = 0; i < n; i++) {
    const gsize channel = i / depth % channels, length = strcspn (labels[i], "\n");
    whole = whole && !labels[i][length];
    if (i / depth == channel && i % depth == 0)
      g_ptr_array_add (names, g_strndup (labels[i], length));
    const char *name = channel < names->len ? names->pdata[channel] : "";
    if (!length || strlen (name) != length || strncmp (labels[i], name, length))
      return FALSE;
  }
  g_ptr_array_add (names, NULL);
  g_strfreev (e->info->channel_names);
  e->info->channel_names = (char **) g_ptr_array_free (g_steal_pointer (&names), FALSE);
  return whole;
}

/* Labels as they are in the file, into the order of planes here. */
static void
sort_labels (Extras *e)
{
  gint64 sizes[3], position[3];
  gboolean any = FALSE;
  sizes_of (e->info, sizes);
  const gint64 n = sizes[0] * sizes[1] * sizes[2];
  if (e->labels->len < n)
    return;
  g_auto (GStrv) labels = g_new0 (char *, n + 1);
  for (gint64 i = 0; i < n; i++) {
    position[1] = i % sizes[1];
    position[0] = i / sizes[1] % sizes[0];
    position[2] = i / sizes[1] / sizes[0];
    labels[i] = g_strdup (e->labels->pdata[files_imagej_plane (e->order, sizes, position)]);
    any = any || *labels[i];
  }
  if (any && !name_channels (e, labels))
    e->notes->labels = g_steal_pointer (&labels);
}

static guint32
read_u32 (const guint8 *p, gboolean swapped)
{
  guint32 v;
  memcpy (&v, p, sizeof v);
  return swapped ? GUINT32_SWAP_LE_BE (v) : v;
}

/* The header of the data is "IJIJ" and, for each kind of part, its name and the number of parts of that kind. All are in the file's byte order, which
 * "IJIJ" read as a number does not depend on. counts[0] is the header's size. */
static void
take_part (Extras *e, guint32 name, const guint8 *data, gsize size)
{
  ImageNotes *notes = e->notes;
  switch (name) {
  case 0x72616e67: take_ranges (e, data, size); break;                                /* rang */
  case 0x6c757473: take_color (e, data, size); break;                                 /* luts */
  case 0x6c61626c: g_ptr_array_add (e->labels, take_text (e, data, size)); break;     /* labl */
  case 0x70726f70: g_ptr_array_add (e->properties, take_text (e, data, size)); break; /* prop */
  case 0x696e666f:                                                                    /* info */
    g_free (notes->info);
    notes->info = take_text (e, data, size);
    break;
  case 0x726f6920: /* roi */
    g_clear_pointer (&notes->roi, g_bytes_unref);
    notes->roi = g_bytes_new (data, size);
    break;
  case 0x6f766572: /* over */
    if (!notes->overlay)
      notes->overlay = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
    g_ptr_array_add (notes->overlay, g_bytes_new (data, size));
    break;
  default: break;
  }
}

void
files_imagej_extras (ImageInfo *info, const char *order, const guint64 *counts, gsize n_counts, const guint8 *data,
                     gsize size, gboolean swapped)
{
  g_autoptr (GPtrArray) labels = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) properties = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) colors = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (ImageNotes) notes = image_notes_new (info->notes);
  Extras e = {info, order, swapped, labels, properties, colors, notes};
  gsize at, part = 1;
  if (n_counts < 1 || counts[0] < 12 || counts[0] > size || read_u32 (data, swapped) != 0x494a494a)
    return;
  at = counts[0];
  for (gsize kind = 4; kind + 8 <= counts[0]; kind += 8) {
    guint32 name = read_u32 (data + kind, swapped), n = read_u32 (data + kind + 4, swapped);
    for (; n > 0 && part < n_counts && counts[part] <= size - at; n--, at += counts[part++])
      take_part (&e, name, data + at, counts[part]);
  }
  sort_labels (&e);
  if (properties->len) {
    g_strfreev (notes->properties);
    g_ptr_array_add (properties, NULL);
    notes->properties = g_strdupv ((char **) properties->pdata);
  }
  if (colors->len >= info->channels && info->channels > 1 && info->role != FV_RGB) {
    g_free (info->channel_colors);
    info->channel_colors = (guint32 *) (void *) g_array_free (g_steal_pointer (&colors), FALSE);
  }
  image_notes_unref (info->notes);
  info->notes = image_notes_is_empty (notes) ? NULL : g_steal_pointer (&notes);
}

gint64
files_imagej_ramp_color (const guint8 *red, const guint8 *green, const guint8 *blue, gboolean *inverted)
{
  const guint8 *maps[] = {red, green, blue};
  gint64 color = 0;
  *inverted = red[0] == 255 && green[0] == 255 && blue[0] == 255 && red[255] == 0 && green[255] == 0 && blue[255] == 0;
  for (int c = 0; c < 3; c++) {
    int top = *inverted ? 255 : maps[c][255];
    for (int i = 0; i < 256; i++)
      if (abs (maps[c][i] * 255 - top * (*inverted ? 255 - i : i)) > 255)
        return -1;
    color = color << 8 | top;
  }
  return color;
}

/* ---- Writing the text ---- */

static void
append_number (GString *s, const char *key, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  g_string_append_printf (s, "%s=%s\n", key, g_ascii_dtostr (text, sizeof text, value));
}

static void
append_count (GString *s, const char *key, gint64 n)
{
  if (n > 1)
    g_string_append_printf (s, "%s=%" G_GINT64_FORMAT "\n", key, n);
}

/* Everything that is not plain ASCII as \uXXXX. */
static void
append_text (GString *s, const char *key, const char *text)
{
  g_autofree gunichar2 *utf16 = g_utf8_to_utf16 (text, -1, NULL, NULL, NULL);
  g_string_append_printf (s, "%s=", key);
  for (const gunichar2 *p = utf16; p && *p; p++)
    if (*p == '\\')
      g_string_append (s, "\\\\");
    else if (*p >= ' ' && *p < 127)
      g_string_append_c (s, (char) *p);
    else
      g_string_append_printf (s, "\\u%04X", *p);
  g_string_append_c (s, '\n');
}

static void
append_units (GString *s, const ImageInfo *info)
{
  const gboolean has_z = info->depth > 1 && *info->units[0];
  if (!*info->units[2] && !*info->units[1] && !has_z)
    return;
  append_text (s, "unit", *info->units[2] ? info->units[2] : "pixel");
  if (strcmp (info->units[1], info->units[2]))
    append_text (s, "yunit", *info->units[1] ? info->units[1] : "pixel");
  if (info->depth > 1 && strcmp (info->units[0], info->units[2]))
    append_text (s, "zunit", *info->units[0] ? info->units[0] : "pixel");
}

/* Names of channels are the labels of planes, unless these have other information. */
static void
append_names (GString *s, const ImageInfo *info)
{
  g_autofree char *names = info->channel_names ? g_strjoinv ("\t", info->channel_names) : NULL;
  if (names && info->role != FV_RGB && (files_imagej_has_labels (info) || info->channels == 1)
      && names[strspn (names, "\t")])
    append_text (s, "channel_names", names);
}

gboolean
files_imagej_has_labels (const ImageInfo *info)
{
  return info->notes && info->notes->labels;
}

static void
append_notes (GString *s, const ImageInfo *info)
{
  static const char *const origins[] = {"zorigin", "yorigin", "xorigin"};
  const ImageNotes *notes = info->notes;
  for (int axis = 2; axis >= 0; axis--)
    if (info->origin[axis] != 0)
      append_number (s, origins[axis], info->origin[axis]);
  if (notes && notes->function >= 0 && info->role == FV_IMAGE) {
    g_string_append_printf (s, "cf=%d\n", notes->function);
    for (int i = 0; i < notes->n_coefficients; i++) {
      const char key[] = {'c', (char) ('0' + i), 0};
      append_number (s, key, notes->coefficients[i]);
    }
    if (notes->value_unit)
      append_text (s, "vunit", notes->value_unit);
    if (notes->zero_clip)
      append_text (s, "zeroclip", "true");
  }
  append_names (s, info);
  if (notes && notes->made_by)
    append_text (s, "steps", notes->made_by);
}

char *
files_imagej_description (const ImageInfo *info)
{
  GString *s = g_string_new ("ImageJ=" VERSION "\n");
  gint64 channels = info->role == FV_RGB ? 1 : info->channels, images = channels * info->depth * info->frames;
  append_count (s, "images", images);
  append_count (s, "channels", channels);
  append_count (s, "slices", info->depth);
  append_count (s, "frames", info->frames);
  if (channels > 1 || info->frames > 1)
    g_string_append (s, "hyperstack=true\n");
  if (channels > 1)
    g_string_append (s, "mode=composite\n");
  if (info->role == FV_MASK || info->role == FV_LABELS)
    g_string_append_printf (s, "role=%s\n", info->role == FV_MASK ? "mask" : "labels");
  append_units (s, info);
  if (info->frame_interval > 0) {
    append_number (s, "finterval", info->frame_interval);
    if (*info->frame_unit && strcmp (info->frame_unit, "s"))
      append_text (s, "tunit", info->frame_unit);
  }
  if (info->depth > 1)
    append_number (s, "spacing", info->spacing[0]);
  if (images > 1)
    g_string_append (s, "loop=false\n");
  if (info->display_ranges && info->role != FV_RGB) {
    append_number (s, "min", info->display_ranges[0]);
    append_number (s, "max", info->display_ranges[1]);
  }
  append_notes (s, info);
  return g_string_free (s, FALSE);
}
