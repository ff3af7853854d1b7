/* SPDX-License-Identifier: MIT
 */
#include "core/files/zarr/image.h"

#include "core/base/file_name.h"
#include "core/base/json_read.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/files/zarr/node.h"

#include <math.h>
#include <string.h>

/* What is being read. */
typedef struct {
  ZarrImage *image;
  ZarrStore *store;
  const ZarrEntry *entry;
  const ZarrNode *node;
  const char *path; /* of its group, for errors */
  guint n;          /* axes */
  char *units[ZARR_AXES];
  gboolean is_known; /* the sizes */
  double scale[ZARR_AXES], translation[ZARR_AXES];
} Reading;

static gboolean
damaged (const Reading *r, const char *what, GError **error)
{
  return file_fail (error, FILE_ERROR_DAMAGED, r->path, "is damaged: %s.", what);
}

gint64
zarr_image_size (const ZarrImage *image, guint n, ZarrDimension dimension)
{
  return image->axis[dimension] < 0 ? 1 : image->levels[n]->shape[image->axis[dimension]];
}

/* ---- Axes ---- */

/* By its name or, with another one, by its type. */
static int
dimension_of (const char *name, const char *type)
{
  static const char *const names = "tczyx", *const types[] = {"time", "channel"};
  for (int d = 0; d < ZARR_DIMENSIONS; d++)
    if (g_ascii_tolower (*name) == names[d] && !name[1])
      return d;
  for (int d = 0; d < 2; d++)
    if (!strcmp (type, types[d]) || !g_ascii_strcasecmp (name, types[d]))
      return d;
  return -1;
}

/* Axes of another kind may have one pixel. */
static gboolean
set_axis (Reading *r, guint i, const char *name, const char *type, GError **error)
{
  const int dimension = dimension_of (name, type);
  if (dimension >= 0 && r->image->axis[dimension] >= 0)
    return damaged (r, "two of its axes are the same", error);
  if (dimension >= 0)
    r->image->axis[dimension] = (int) i;
  else if (r->image->levels[0]->shape[i] > 1)
    return file_fail (error, FILE_ERROR_UNSUPPORTED, r->path,
                      "has an axis '%.40s', which images do not have here: t, c, z, y and x can be.", name);
  return TRUE;
}

/* Without names they are the last ones of t, c, z, y, x. */
static gboolean
set_unnamed (Reading *r, GError **error)
{
  if (r->n > ZARR_DIMENSIONS)
    return file_fail (error, FILE_ERROR_UNSUPPORTED, r->path,
                      "has %u axes without names; up to five can be, t, c, z, y and x.", r->n);
  for (guint i = 0; i < r->n; i++)
    r->image->axis[ZARR_DIMENSIONS - r->n + i] = (int) i;
  return TRUE;
}

static gboolean
set_named (Reading *r, JsonArray *axes, GError **error)
{
  if (json_array_get_length (axes) != r->n)
    return damaged (r, "it has another number of axes than its array", error);
  for (guint i = 0; i < r->n; i++) {
    JsonNode *node = json_array_get_element (axes, i);
    JsonObject *axis = json_read_element (axes, i);
    const gboolean is_text = JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING;
    const char *name = is_text ? json_node_get_string (node) : json_read_string (axis, "name"),
               *type = json_read_string (axis, "type"), *unit = json_read_string (axis, "unit");
    if (!set_axis (r, i, name, type, error))
      return FALSE;
    r->units[i] = units_normal (unit);
  }
  return r->image->axis[ZARR_X] >= 0 || damaged (r, "it has no axis x", error);
}

/* Of an array alone, which may name its axes: version 3 does, and xarray in version 2. NULL: it does not. */
static const char *
own_name (const Reading *r, guint i)
{
  JsonArray *names = json_read_array (r->node->attributes, "_ARRAY_DIMENSIONS");
  JsonNode *name = names && i < json_array_get_length (names) ? json_array_get_element (names, i) : NULL;
  return name && JSON_NODE_HOLDS_VALUE (name) ? json_node_get_string (name) : r->image->levels[0]->names[i];
}

/* Names that are not those of images mean nothing. */
static gboolean
set_own (Reading *r, GError **error)
{
  gboolean named = TRUE;
  for (guint i = 0; named && i < r->n; i++) {
    const char *name = own_name (r, i);
    named = name && set_axis (r, i, name, "", NULL);
  }
  if (named && r->image->axis[ZARR_X] >= 0)
    return TRUE;
  for (int d = 0; d < ZARR_DIMENSIONS; d++)
    r->image->axis[d] = -1;
  return set_unnamed (r, error);
}

/* ---- Levels ---- */

/* Whether the array shows all of level 0 in fewer pixels. */
static gboolean
is_level (const ZarrImage *image, const ZarrArray *a)
{
  const ZarrArray *first = image->levels[0], *last = image->levels[image->n_levels - 1];
  const FilesNumber *f = &first->number, *g = &a->number;
  gboolean smaller = FALSE;
  if (a->n != first->n || f->bytes != g->bytes || f->is_float != g->is_float || f->is_signed != g->is_signed
      || f->is_mask != g->is_mask)
    return FALSE;
  for (int d = 0; d < ZARR_DIMENSIONS; d++) {
    const int axis = image->axis[d];
    if (axis < 0)
      continue;
    if (a->shape[axis] > last->shape[axis] || (d < ZARR_Z && a->shape[axis] != first->shape[axis]))
      return FALSE;
    smaller = smaller || (d > ZARR_Z && a->shape[axis] < last->shape[axis]);
  }
  return smaller;
}

static ZarrArray *
read_array (const Reading *r, JsonObject *dataset, GError **error)
{
  const char *name = json_read_string (dataset, "path");
  if (!zarr_store_is_name (name)) {
    damaged (r, "a level has no path, or one that leads elsewhere", error);
    return NULL;
  }
  g_autofree char *key = zarr_store_key (r->entry->key, name), *path = zarr_store_path_of (r->store, key);
  g_autoptr (ZarrNode) node = zarr_node_read (r->store, key, r->node->version, error);
  if (node && node->is_array)
    return zarr_array_new (r->store, key, node->version, node->metadata, error);
  if (node)
    file_fail (error, FILE_ERROR_DAMAGED, path, "is damaged: it is a group, and not the array of a level.");
  return NULL;
}

/* Levels behind the first one that cannot be used are not needed. */
static void
add_levels (Reading *r, JsonArray *datasets)
{
  ZarrImage *image = r->image;
  for (guint i = 1; i < json_array_get_length (datasets) && image->n_levels < ZARR_LEVELS; i++) {
    g_autoptr (ZarrArray) a = read_array (r, json_read_element (datasets, i), NULL);
    if (!a || !is_level (image, a))
      return;
    image->levels[image->n_levels++] = g_steal_pointer (&a);
  }
}

/* ---- Transformations ---- */

/* A number for each axis; FALSE: these are not there. */
static gboolean
read_vector (const Reading *r, JsonArray *numbers, double to[ZARR_AXES])
{
  gboolean right = numbers && json_array_get_length (numbers) == r->n;
  for (guint i = 0; right && i < r->n; i++)
    right = json_read_number (json_array_get_element (numbers, i), &to[i]);
  return right;
}

/* One after the other. What is none of them makes sizes unknown. */
static void
transform (Reading *r, JsonObject *object)
{
  JsonArray *list = json_read_array (object, "coordinateTransformations");
  for (guint k = 0; list && k < json_array_get_length (list); k++) {
    JsonObject *one = json_read_element (list, k);
    const char *type = json_read_string (one, "type");
    double vector[ZARR_AXES] = {0};
    const gboolean is_scale = !strcmp (type, "scale");
    if (!strcmp (type, "identity"))
      continue;
    if ((!is_scale && strcmp (type, "translation")) || !read_vector (r, json_read_array (one, type), vector))
      r->is_known = FALSE;
    for (guint i = 0; i < r->n && r->is_known; i++) {
      r->scale[i] *= is_scale ? vector[i] : 1;
      r->translation[i] = is_scale ? r->translation[i] * vector[i] : r->translation[i] + vector[i];
    }
  }
}

/* The unit of an axis whose size is known; NULL: it is not. */
static const char *
unit_of (const Reading *r, int axis)
{
  return axis >= 0 && r->is_known && r->units[axis] && *r->units[axis] && r->scale[axis] > 0
             && isfinite (r->scale[axis])
           ? r->units[axis]
           : NULL;
}

static void
set_sizes (Reading *r)
{
  ImageInfo *info = &r->image->info;
  for (int i = 0; i < 3; i++) {
    const int axis = r->image->axis[ZARR_Z + i];
    const char *unit = unit_of (r, axis);
    info->spacing[i] = unit ? r->scale[axis] : 1;
    info->units[i] = g_strdup (unit ? unit : "");
    const double origin = unit ? -r->translation[axis] / r->scale[axis] : 0;
    info->origin[i] = isfinite (origin) ? origin + 0.0 : 0; /* no -0 */
  }
  if (info->depth == 1 && !*info->units[0]) {
    g_free (info->units[0]);
    info->units[0] = g_strdup (info->units[2]);
  }
  const int time = r->image->axis[ZARR_T];
  const char *unit = info->frames > 1 ? unit_of (r, time) : NULL;
  info->frame_interval = unit ? r->scale[time] : 0;
  info->frame_unit = g_strdup (unit ? unit : "");
}

/* ---- Channels ---- */

/* "00FF00" */
static gboolean
read_color (JsonObject *channel, guint32 *color)
{
  const char *text = json_read_string (channel, "color");
  char *end;
  text += *text == '#';
  *color = (guint32) g_ascii_strtoull (text, &end, 16);
  return end == text + 6 && g_ascii_isxdigit (*text);
}

/* The values of black and white. All that can be chosen, or that the type has, are the same as none. */
static gboolean
read_window (JsonObject *channel, fv_type type, double range[2])
{
  JsonObject *window = json_read_object (channel, "window");
  double low = 0, high = type == FV_U8 ? G_MAXUINT8 : G_MAXUINT16;
  if (!window || !json_read_number (json_object_get_member (window, "start"), &range[0])
      || !json_read_number (json_object_get_member (window, "end"), &range[1]) || !(range[0] < range[1])
      || ((type == FV_U8 || type == FV_U16) && range[0] == low && range[1] == high))
    return FALSE;
  return !json_read_number (json_object_get_member (window, "min"), &low)
         || !json_read_number (json_object_get_member (window, "max"), &high) || range[0] > low || range[1] < high;
}

static gboolean
is_rgb (const ImageInfo *info)
{
  static const char *const names[] = {"red", "green", "blue"};
  gboolean is = info->type == FV_U8 && info->channels == 3 && info->channel_names && info->role == FV_IMAGE;
  for (guint c = 0; c < 3 && is; c++)
    is = !g_ascii_strcasecmp (info->channel_names[c], names[c]);
  return is;
}

/* Of the members named omero. metadata: what the program says that wrote it; NULL: nothing. */
static void
set_channels (Reading *r, JsonObject *metadata)
{
  ImageInfo *info = &r->image->info;
  JsonArray *channels = json_read_array (json_read_object (r->node->ome, "omero"), "channels");
  if (!channels || json_array_get_length (channels) != (gsize) info->channels)
    return;
  const double most = info->type == FV_U8 ? G_MAXUINT8 : G_MAXUINT16;
  gboolean named = FALSE, colored = TRUE, ranged = FALSE, all_ranged = TRUE;
  char **names = g_new0 (char *, info->channels + 1);
  guint32 *colors = g_new0 (guint32, info->channels);
  double *ranges = g_new0 (double, 2 * info->channels);
  for (guint c = 0; c < info->channels; c++) {
    JsonObject *channel = json_read_element (channels, c);
    const char *label = json_read_string (channel, "label");
    named = named || *label;
    names[c] = *label ? g_strdup (label) : g_strdup_printf ("channel %u", c + 1);
    colored = read_color (channel, &colors[c]) && colored;
    if (read_window (channel, info->type, &ranges[2 * c]))
      ranged = TRUE;
    else {
      all_ranged = FALSE;
      ranges[2 * c] = 0;
      ranges[2 * c + 1] = most;
    }
  }
  if (ranged && (all_ranged || info->type == FV_U8 || info->type == FV_U16))
    info->display_ranges = g_steal_pointer (&ranges);
  if (named)
    info->channel_names = g_steal_pointer (&names);
  if (colored)
    info->channel_colors = g_steal_pointer (&colors);
  g_free (ranges);
  g_free (colors);
  g_strfreev (names);
  if (!is_rgb (info) || !strcmp (json_read_string (metadata, "role"), "channels"))
    return;
  info->role = FV_RGB;
  g_clear_pointer (&info->channel_names, g_strfreev);
  g_clear_pointer (&info->channel_colors, g_free);
}

/* ---- All of it ---- */

static char *
name_of (const Reading *r)
{
  g_autofree char *file = file_name_short (zarr_store_path (r->store));
  return r->entry->title ? g_strdup_printf ("%s: %s", file, r->entry->title) : g_strdup (file);
}

static void
add_sizes (GString *text, const char *title, const ZarrArray *a, const gint64 *sizes)
{
  g_string_append (text, title);
  for (guint i = 0; i < a->n; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i ? " × " : "", sizes[i]);
  g_string_append_c (text, '\n');
}

/* Lines of text for people. */
static GRefString *
describe (const Reading *r, JsonObject *multiscale)
{
  static const char *const packings[] = {[ZARR_PLAIN] = "none",  [ZARR_DEFLATE] = "Deflate", [ZARR_ZSTD] = "Zstandard",
                                         [ZARR_BLOSC] = "Blosc", [ZARR_LZ4] = "LZ4",         [ZARR_BZIP2] = "bzip2"};
  const ZarrArray *a = r->image->levels[0];
  const char *name = json_read_string (multiscale, "name");
  g_autoptr (GString) text = g_string_new (NULL);
  if (*name)
    g_string_append_printf (text, "Name: %s\n", name);
  g_string_append_printf (text, "Zarr: version %u\n", r->node->version);
  if (a->is_sharded)
    add_sizes (text, "Shards: ", a, a->stored);
  add_sizes (text, "Chunks: ", a, a->chunk);
  g_string_append_printf (text, "Compression: %s\nLevels: %u\n", packings[a->codecs.packing], r->image->n_levels);
  g_autofree char *visible = text_visible (text->str, "\n");
  return g_ref_string_new (visible);
}

static void
set_type (Reading *r)
{
  const FilesNumber *number = &r->image->levels[0]->number;
  ImageInfo *info = &r->image->info;
  const gboolean is_labels =
    (r->entry->is_labels || json_read_object (r->node->ome, "image-label")) && !number->is_float && !number->is_mask;
  info->type = is_labels ? FV_I32 : files_number_type (number);
  info->role = is_labels ? FV_LABELS : number->is_mask ? FV_MASK : FV_IMAGE;
  info->source_type = is_labels ? NULL : g_strdup (files_number_source (number));
}

static gboolean
set_info (Reading *r, JsonObject *multiscale, guint number, GError **error)
{
  ImageInfo *info = &r->image->info;
  set_type (r);
  info->frames = zarr_image_size (r->image, 0, ZARR_T);
  info->channels = zarr_image_size (r->image, 0, ZARR_C);
  info->depth = zarr_image_size (r->image, 0, ZARR_Z);
  info->rows = zarr_image_size (r->image, 0, ZARR_Y);
  info->columns = zarr_image_size (r->image, 0, ZARR_X);
  info->number = number;
  info->name = name_of (r);
  if (!image_info_check (info, error))
    return FALSE;
  set_sizes (r);
  JsonObject *metadata = json_read_object (multiscale, "metadata");
  set_channels (r, metadata);
  info->description = describe (r, multiscale);
  const char *made_by = json_read_string (metadata, "made_by");
  if (*made_by) {
    info->notes = image_notes_new (NULL);
    info->notes->made_by = text_visible (made_by, "\n");
  }
  return TRUE;
}

static gboolean
read_multiscale (Reading *r, guint number, GError **error)
{
  JsonObject *multiscale = json_read_element (json_read_array (r->node->ome, "multiscales"), r->entry->multiscale);
  JsonArray *axes = json_read_array (multiscale, "axes"), *datasets = json_read_array (multiscale, "datasets");
  JsonObject *first = json_read_element (datasets, 0);
  if (multiscale && json_read_array (multiscale, "coordinateSystems"))
    return file_fail (error, FILE_ERROR_UNSUPPORTED, r->path,
                      "has coordinate systems, as OME-Zarr has from version 0.6 on; 0.1 to 0.5 can be read.");
  if (!first)
    return damaged (r, "its multiscales have no datasets", error);
  if (!(r->image->levels[0] = read_array (r, first, error)))
    return FALSE;
  r->image->n_levels = 1;
  r->n = r->image->levels[0]->n;
  if (!(axes ? set_named (r, axes, error) : set_unnamed (r, error)))
    return FALSE;
  add_levels (r, datasets);
  transform (r, first);
  transform (r, multiscale);
  return set_info (r, multiscale, number, error);
}

static gboolean
read_plain (Reading *r, guint number, GError **error)
{
  if (!(r->image->levels[0] = zarr_array_new (r->store, r->entry->key, r->node->version, r->node->metadata, error)))
    return FALSE;
  r->image->n_levels = 1;
  r->n = r->image->levels[0]->n;
  return set_own (r, error) && set_info (r, NULL, number, error);
}

ZarrImage *
zarr_image_new (ZarrStore *store, guint version, const ZarrEntry *entry, guint number, GError **error)
{
  g_autoptr (ZarrImage) image = g_new0 (ZarrImage, 1);
  g_autoptr (ZarrNode) node = zarr_node_read (store, entry->key, version, error);
  g_autofree char *path = zarr_store_path_of (store, entry->key);
  Reading r = {.image = image, .store = store, .entry = entry, .node = node, .path = path, .is_known = TRUE};
  for (int d = 0; d < ZARR_DIMENSIONS; d++)
    image->axis[d] = -1;
  for (guint i = 0; i < ZARR_AXES; i++)
    r.scale[i] = 1;
  const gboolean read = node && (node->is_array ? read_plain : read_multiscale) (&r, number, error);
  for (guint i = 0; i < ZARR_AXES; i++)
    g_free (r.units[i]);
  return read ? g_steal_pointer (&image) : NULL;
}

void
zarr_image_free (ZarrImage *image)
{
  for (guint i = 0; i < image->n_levels; i++)
    zarr_array_free (image->levels[i]);
  image_info_clear (&image->info);
  g_free (image);
}
