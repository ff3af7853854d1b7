/* SPDX-License-Identifier: MIT
 *
 * All images have the five axes t, c, z, y, x, which every program reads.
 */
#include "core/files/zarr/writer.h"

#include "core/base/text.h"
#include "core/data/pixel_type.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

/* JSON-GLib writes 1e-05 as 1e-05.0, which no program reads. */
static void
add_number (GString *to, double number)
{
  text_add_number (to, isfinite (number) ? number : 0);
}

static void
add_text (GString *to, const char *text)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_VALUE);
  g_autofree char *valid = g_utf8_make_valid (text, -1), *json = NULL;
  json_node_set_string (node, valid);
  json = json_to_string (node, FALSE);
  g_string_append (to, json);
}

/* ---- Axes ---- */

/* The names of units in OME-Zarr, which are those of UDUNITS. What has none there is written as it is. */
static const char *
unit_name (const char *unit)
{
  static const char *const names[][2] = {
    {"µm", "micrometer"}, {"nm", "nanometer"},   {"mm", "millimeter"},  {"cm", "centimeter"}, {"dm", "decimeter"},
    {"m", "meter"},       {"km", "kilometer"},   {"pm", "picometer"},   {"Å", "angstrom"},    {"ft", "foot"},
    {"s", "second"},      {"ms", "millisecond"}, {"µs", "microsecond"}, {"ns", "nanosecond"}, {"min", "minute"},
    {"h", "hour"},        {"d", "day"},
  };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (!strcmp (names[i][0], unit))
      return names[i][1];
  return unit;
}

static void
add_axis (GString *to, const char *name, const char *type, const char *unit)
{
  g_string_append_printf (to, "%s{\"name\": \"%s\", \"type\": \"%s\"", *name == 't' ? "" : ", ", name, type);
  if (*unit) {
    g_string_append (to, ", \"unit\": ");
    add_text (to, unit_name (unit));
  }
  g_string_append_c (to, '}');
}

static void
add_axes (GString *to, const ImageInfo *info)
{
  static const char *const names[] = {"z", "y", "x"};
  g_string_append (to, "\"axes\": [");
  add_axis (to, "t", "time", info->frame_interval > 0 ? info->frame_unit : "");
  add_axis (to, "c", "channel", "");
  for (int i = 0; i < 3; i++)
    add_axis (to, names[i], "space", info->units[i]);
  g_string_append (to, "]");
}

static void
add_vector (GString *to, const char *type, const double numbers[ZARR_DIMENSIONS])
{
  g_string_append_printf (to, "{\"type\": \"%s\", \"%s\": [", type, type);
  for (int i = 0; i < ZARR_DIMENSIONS; i++) {
    g_string_append (to, i ? ", " : "");
    add_number (to, numbers[i]);
  }
  g_string_append (to, "]}");
}

/* A pixel of a smaller level is in the middle of those that it shows. */
static void
add_dataset (GString *to, const ImageInfo *info, guint level)
{
  const double factor = ldexp (1, (int) level);
  double scale[ZARR_DIMENSIONS] = {info->frame_interval > 0 ? info->frame_interval : 1, 1},
         translation[ZARR_DIMENSIONS] = {0};
  gboolean moved = FALSE;
  for (int i = 0; i < 3; i++) {
    const double own = i ? factor : 1;
    scale[ZARR_Z + i] = info->spacing[i] * own;
    translation[ZARR_Z + i] = ((own - 1) / 2 - info->origin[i]) * info->spacing[i];
    moved = moved || translation[ZARR_Z + i] != 0;
  }
  g_string_append_printf (to, "%s{\"path\": \"%u\", \"coordinateTransformations\": [", level ? ", " : "", level);
  add_vector (to, "scale", scale);
  if (moved) {
    g_string_append (to, ", ");
    add_vector (to, "translation", translation);
  }
  g_string_append (to, "]}");
}

/* ---- Channels ---- */

/* All values that the type has; of floats 0 ... 1, since their limits say nothing. */
static void
limits_of (fv_type type, double limits[2])
{
  const PixelType *t = pixel_type (type);
  const int bits = t->dl.bits;
  limits[0] = t->is_float || !t->is_signed ? 0 : -ldexp (1, bits - 1);
  limits[1] = t->is_float ? 1 : ldexp (1, bits - t->is_signed) - 1;
}

static void
add_channel (GString *to, const ImageInfo *info, gint64 c)
{
  static const char *const names[] = {"red", "green", "blue"};
  static const guint32 colors[] = {0xff0000, 0x00ff00, 0x0000ff};
  const gboolean is_rgb = info->role == FV_RGB;
  double limits[2];
  limits_of (info->type, limits);
  const double *range = info->display_ranges ? info->display_ranges + 2 * c : limits;
  const char *name = is_rgb ? names[c] : info->channel_names ? info->channel_names[c] : NULL;
  const guint32 color = is_rgb ? colors[c] : info->channel_colors ? info->channel_colors[c] : 0xffffff;
  g_string_append_printf (to, "%s{\"active\": true, \"color\": \"%06X\", ", c ? ", " : "", color);
  if (name) {
    g_string_append (to, "\"label\": ");
    add_text (to, name);
    g_string_append (to, ", ");
  }
  const double window[] = {MIN (limits[0], range[0]), MAX (limits[1], range[1]), range[0], range[1]};
  static const char *const members[] = {"min", "max", "start", "end"};
  g_string_append (to, "\"window\": {");
  for (guint i = 0; i < G_N_ELEMENTS (window); i++) {
    g_string_append_printf (to, "%s\"%s\": ", i ? ", " : "", members[i]);
    add_number (to, window[i]);
  }
  g_string_append (to, "}}");
}

/* Nothing where nothing is known of them. */
static void
add_channels (GString *to, const ImageInfo *info)
{
  if (!info->channel_names && !info->channel_colors && !info->display_ranges && info->role != FV_RGB)
    return;
  g_string_append (to, ", \"omero\": {\"channels\": [");
  for (gint64 c = 0; c < info->channels; c++)
    add_channel (to, info, c);
  g_string_append_printf (to, "], \"rdefs\": {\"model\": \"%s\"}}",
                          info->channel_colors || info->role == FV_RGB ? "color" : "greyscale");
}

/* ---- Documents ---- */

/* The members of OME-Zarr. */
static void
add_ome (GString *to, const ZarrWriter *w)
{
  const gboolean is_04 = w->choices->zarr == ZARR_WRITE_04;
  g_string_append (to, is_04 ? "" : "\"version\": \"0.5\", ");
  g_string_append (to, "\"multiscales\": [{\"name\": ");
  add_text (to, w->info->name);
  g_string_append (to, is_04 ? ", \"version\": \"0.4\", " : ", ");
  add_axes (to, w->info);
  g_string_append (to, ", \"datasets\": [");
  for (guint i = 0; i < w->n_levels; i++)
    add_dataset (to, w->info, i);
  g_string_append_printf (to, "], \"type\": \"%s\", \"metadata\": {\"method\": \"Fovea\", \"version\": \"%s\"",
                          w->nearest ? "nearest" : "mean", FOVEA_VERSION);
  if (w->info->notes && w->info->notes->made_by) {
    g_string_append (to, ", \"made_by\": ");
    add_text (to, w->info->notes->made_by);
  }
  /* Channels that are named red, green and blue are colors otherwise. */
  if (w->info->type == FV_U8 && w->info->channels == 3 && w->info->role != FV_RGB)
    g_string_append (to, ", \"role\": \"channels\"");
  g_string_append (to, "}}]");
  add_channels (to, w->info);
  if (w->info->role == FV_LABELS)
    g_string_append (to, is_04 ? ", \"image-label\": {\"version\": \"0.4\"}" : ", \"image-label\": {}");
}

static void
add_sizes (GString *to, const char *member, gint64 frames, gint64 channels, gint64 depth, gint64 rows, gint64 columns)
{
  g_string_append_printf (to,
                          "\"%s\": [%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
                          ", %" G_GINT64_FORMAT "]",
                          member, frames, channels, depth, rows, columns);
}

/* Of .zarray. */
static void
add_array_2 (GString *to, const ZarrWriter *w, const ZarrWriterLevel *l)
{
  const FilesNumber *f = &w->number;
  const char order = f->bytes == 1 ? '|' : G_BYTE_ORDER == G_LITTLE_ENDIAN ? '<' : '>';
  g_string_append (to, "{\"zarr_format\": 2, ");
  add_sizes (to, "shape", w->info->frames, w->info->channels, w->info->depth, l->rows, l->columns);
  g_string_append (to, ", ");
  add_sizes (to, "chunks", 1, 1, 1, l->chunk_rows, l->chunk_columns);
  g_string_append_printf (to, ", \"dtype\": \"%c%c%u\", \"compressor\": ", order,
                          f->is_float    ? 'f'
                          : f->is_signed ? 'i'
                                         : 'u',
                          f->bytes);
  if (w->choices->compression == ZARR_WRITE_PLAIN)
    g_string_append (to, "null");
  else
    g_string_append_printf (to, "{\"id\": \"%s\", \"level\": %d}",
                            w->choices->compression == ZARR_WRITE_ZSTD ? "zstd" : "gzip", w->choices->level);
  g_string_append (to, ", \"fill_value\": 0, \"order\": \"C\", \"filters\": null, \"dimension_separator\": \"/\"}\n");
}

/* What makes bytes of a chunk. */
static void
add_codecs (GString *to, const ZarrWriter *w)
{
  g_string_append (to, "[{\"name\": \"bytes\"");
  if (w->number.bytes > 1)
    g_string_append_printf (to, ", \"configuration\": {\"endian\": \"%s\"}",
                            G_BYTE_ORDER == G_LITTLE_ENDIAN ? "little" : "big");
  g_string_append (to, "}");
  if (w->choices->compression == ZARR_WRITE_ZSTD)
    g_string_append_printf (to, ", {\"name\": \"zstd\", \"configuration\": {\"level\": %d, \"checksum\": false}}",
                            w->choices->level);
  else if (w->choices->compression == ZARR_WRITE_DEFLATE)
    g_string_append_printf (to, ", {\"name\": \"gzip\", \"configuration\": {\"level\": %d}}", w->choices->level);
  g_string_append (to, "]");
}

/* Of zarr.json. */
static void
add_array_3 (GString *to, const ZarrWriter *w, const ZarrWriterLevel *l)
{
  const FilesNumber *f = &w->number;
  const char *kind = f->is_float ? "float" : f->is_signed ? "int" : "uint";
  g_string_append (to, "{\"zarr_format\": 3, \"node_type\": \"array\", ");
  add_sizes (to, "shape", w->info->frames, w->info->channels, w->info->depth, l->rows, l->columns);
  g_string_append_printf (to,
                          ", \"data_type\": \"%s%u\", \"fill_value\": %s, \"chunk_grid\": {\"name\": \"regular\", "
                          "\"configuration\": {",
                          kind, 8 * f->bytes, f->is_float ? "0.0" : "0");
  add_sizes (to, "chunk_shape", 1, 1, 1, l->stored_rows, l->stored_columns);
  g_string_append (to,
                   "}}, \"chunk_key_encoding\": {\"name\": \"default\", \"configuration\": {\"separator\": \"/\"}}, "
                   "\"codecs\": ");
  if (w->choices->sharding) {
    g_string_append (to, "[{\"name\": \"sharding_indexed\", \"configuration\": {");
    add_sizes (to, "chunk_shape", 1, 1, 1, l->chunk_rows, l->chunk_columns);
    g_string_append (to, ", \"codecs\": ");
  }
  add_codecs (to, w);
  if (w->choices->sharding)
    g_string_append (to, ", \"index_codecs\": [{\"name\": \"bytes\", \"configuration\": {\"endian\": \"little\"}}, "
                         "{\"name\": \"crc32c\"}], \"index_location\": \"end\"}}]");
  g_string_append (to, ", \"dimension_names\": [\"t\", \"c\", \"z\", \"y\", \"x\"], \"attributes\": {}}\n");
}

static gboolean
add_document (const ZarrWriter *w, const char *name, const GString *text, GError **error)
{
  return file_target_add (w->target, name, text->str, text->len, error);
}

static gboolean
describe_group (const ZarrWriter *w, GError **error)
{
  const gboolean is_04 = w->choices->zarr == ZARR_WRITE_04;
  g_autoptr (GString) text = g_string_new (NULL), group = g_string_new ("{\"zarr_format\": 2}\n");
  g_string_append (text, is_04 ? "{" : "{\"zarr_format\": 3, \"node_type\": \"group\", \"attributes\": {\"ome\": {");
  add_ome (text, w);
  g_string_append (text, is_04 ? "}\n" : "}}}\n");
  return add_document (w, is_04 ? ".zattrs" : "zarr.json", text, error)
         && (!is_04 || add_document (w, ".zgroup", group, error));
}

gboolean
zarr_writer_describe (const ZarrWriter *w, GError **error)
{
  const gboolean is_04 = w->choices->zarr == ZARR_WRITE_04;
  for (guint i = 0; i < w->n_levels; i++) {
    g_autofree char *name = g_strdup_printf ("%u/%s", i, is_04 ? ".zarray" : "zarr.json");
    g_autoptr (GString) text = g_string_new (NULL);
    (is_04 ? add_array_2 : add_array_3) (text, w, &w->levels[i]);
    if (!add_document (w, name, text, error))
      return FALSE;
  }
  return describe_group (w, error);
}
