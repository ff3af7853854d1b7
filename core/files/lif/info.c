/* SPDX-License-Identifier: MIT
 *
 * Leica gives lengths in m from the center of the first pixel to that of the last, and times in units of 100 ns since 1601 (FILETIME of Windows).
 */
#include "core/files/lif/info.h"

#include "core/base/file_name.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/data/pixel_type.h"

#include <math.h>
#include <string.h>

#define TICKS 1e7                                                            /* a second */
#define UNIX_EPOCH G_GUINT64_CONSTANT (116444736000000000)                   /* in ticks */
#define LAST_TIME (UNIX_EPOCH + G_GUINT64_CONSTANT (2534023008) * 100000000) /* the year 10000 */

/* ---- Calibration ---- */

static void
set_axis (ImageInfo *info, int axis, const FilesLifDimension *d)
{
  const double factor = d && d->n > 1 ? units_factor (d->unit, "µm") : 0;
  const double spacing = factor > 0 ? fabs (d->length) / (double) (d->n - 1) * factor : 0;
  const gboolean known = spacing > 0 && isfinite (spacing);
  info->spacing[axis] = known ? spacing : 1;
  info->units[axis] = g_strdup (known ? "µm" : "");
}

static void
set_calibration (const FilesLifImage *image, ImageInfo *info)
{
  const FilesLifDimension *axes[] = {image->slices, image->rows, image->columns}, *t = image->frames;
  const double factor = t && t->n > 1 ? units_factor (t->unit, "s") : 0;
  const double interval = factor > 0 ? fabs (t->length) / (double) (t->n - 1) * factor : 0;
  for (int axis = 0; axis < 3; axis++)
    set_axis (info, axis, axes[axis]);
  if (info->depth == 1 && !*info->units[0]) {
    g_free (info->units[0]);
    info->units[0] = g_strdup (info->units[2]);
  }
  info->frame_interval = isfinite (interval) ? interval : 0;
  info->frame_unit = g_strdup ("s");
}

/* ---- Channels ---- */

static const FilesLifChannel *
channel_of (const FilesLifImage *image, guint n)
{
  return &g_array_index (image->element->channels, FilesLifChannel, n);
}

/* -1: the color is not known. */
static gint64
color_of (const char *lut)
{
  static const struct {
    const char *lut;
    guint32 color;
  } luts[] = {{"Red", 0xff0000},    {"Green", 0x00ff00},  {"Blue", 0x0000ff}, {"Cyan", 0x00ffff}, {"Magenta", 0xff00ff},
              {"Yellow", 0xffff00}, {"Orange", 0xff8000}, {"Gray", 0xffffff}, {"Grey", 0xffffff}};
  for (guint i = 0; i < G_N_ELEMENTS (luts); i++)
    if (!g_ascii_strcasecmp (lut, luts[i].lut))
      return luts[i].color;
  return -1;
}

/* What is known of a channel, best first: its own dye, that of its detector, its look-up table. "": nothing. */
static const char *
name_of (const FilesLifImage *image, guint n)
{
  const FilesLifChannel *channel = channel_of (image, n);
  const guint channels = image->element->channels->len;
  if (*channel->dye)
    return channel->dye;
  for (int i = 1; i >= 0; i--) {
    const GPtrArray *dyes = image->element->dyes[i];
    if (dyes && dyes->len == channels && *(const char *) dyes->pdata[n])
      return dyes->pdata[n];
  }
  return color_of (channel->lut) == 0xffffff ? "" : channel->lut;
}

/* " 550 nm", " excited at 488 nm" of each wavelength. */
static void
append_waves (GString *name, const FilesLifImage *image, gint64 combination)
{
  gint64 at[FILES_LIF_DIMENSIONS];
  files_lif_combination (image->waves, combination, at);
  for (guint i = 0; image->waves[i]; i++) {
    const FilesLifDimension *d = image->waves[i];
    const double factor = units_factor (d->unit, "nm");
    const double value = d->origin + (d->n > 1 ? d->length * (double) at[i] / (double) (d->n - 1) : 0);
    g_string_append (name, name->len ? " " : "");
    if (d->id == FILES_LIF_EXCITATION)
      g_string_append (name, "excited at ");
    if (factor > 0)
      g_string_append_printf (name, "%.6g nm", value * factor);
    else
      g_string_append_printf (name, "wavelength %" G_GINT64_FORMAT, at[i] + 1);
  }
}

static void
set_channels (const FilesLifImage *image, ImageInfo *info)
{
  static const char *const rgb[] = {"red", "green", "blue"};
  const guint n = image->element->channels->len;
  const gint64 waves = files_lif_combinations (image->waves);
  g_autofree guint32 *colors = g_new (guint32, (gsize) info->channels);
  g_auto (GStrv) names = g_new0 (char *, (gsize) info->channels + 1);
  gboolean colored = waves == 1, named = FALSE;
  for (gint64 c = 0; c < info->channels; c++) {
    const guint own = (guint) (c / waves);
    GString *name = g_string_new (image->is_rgb ? rgb[own % 3] : n > 1 || waves == 1 ? name_of (image, own) : NULL);
    append_waves (name, image, c % waves);
    named = named || name->len;
    if (!name->len)
      g_string_printf (name, "channel %" G_GINT64_FORMAT, c + 1);
    const gint64 color = image->is_rgb ? 0xff0000 >> 8 * own : color_of (channel_of (image, own)->lut);
    colored = colored && color >= 0;
    colors[c] = (guint32) color;
    names[c] = g_string_free (name, FALSE);
  }
  if (named)
    info->channel_names = g_steal_pointer (&names);
  if (colored)
    info->channel_colors = g_steal_pointer (&colors);
}

static void
set_ranges (const FilesLifImage *image, ImageInfo *info)
{
  const GArray *ranges = image->element->ranges;
  const guint n = image->element->channels->len;
  const gint64 waves = files_lif_combinations (image->waves);
  if (!ranges || ranges->len != n || image->number.is_float)
    return;
  g_autofree double *all = g_new (double, (gsize) info->channels * 2);
  for (gint64 c = 0; c < info->channels; c++) {
    const double *range = &g_array_index (ranges, double, 2 * (c / waves));
    const double max = exp2 ((double) channel_of (image, (guint) (c / waves))->bits) - 1;
    if (!(range[0] >= 0 && range[0] < range[1] && range[1] <= 1))
      return;
    all[2 * c] = range[0] * max;
    all[2 * c + 1] = range[1] * max;
  }
  info->display_ranges = g_steal_pointer (&all);
}

/* ---- Times ---- */

/* An axis of planes, as they are one behind the other in memory. */
typedef struct {
  gint64 step, n;
  const FilesLifDimension *dimension; /* NULL: channels */
} Axis;

static gint
compare_axes (gconstpointer a, gconstpointer b)
{
  const Axis *one = a, *other = b;
  return one->step < other->step ? -1 : one->step > other->step;
}

/* All axes but columns and rows; their product is *n. */
static GArray *
axes_of (const FilesLifImage *image, gint64 *n)
{
  const GArray *dimensions = image->element->dimensions, *channels = image->element->channels;
  GArray *axes = g_array_new (FALSE, FALSE, sizeof (Axis));
  Axis axis = {0, channels->len, NULL};
  if (channels->len > 1 && !image->is_rgb) {
    axis.step = channel_of (image, 1)->at;
    g_array_append_val (axes, axis);
    *n *= axis.n;
  }
  for (guint i = 0; i < dimensions->len; i++) {
    const FilesLifDimension *d = &g_array_index (dimensions, FilesLifDimension, i);
    axis = (Axis){d->step, d->n, d};
    if (d == image->columns || d == image->rows || d->n == 1)
      continue;
    g_array_append_val (axes, axis);
    *n *= d->n;
  }
  g_array_sort (axes, compare_axes);
  return axes;
}

/* The element of each axis that a plane has: those of frames, slices, and of a combination of others. */
typedef struct {
  gint64 frame, channel, slice;
  gint64 waves[FILES_LIF_DIMENSIONS], others[FILES_LIF_DIMENSIONS];
} Position;

static gint64
element_of (const FilesLifImage *image, const FilesLifDimension *d, const Position *at)
{
  if (!d)
    return at->channel;
  if (d == image->frames)
    return at->frame;
  if (d == image->slices)
    return at->slice;
  for (guint i = 0; image->waves[i]; i++)
    if (image->waves[i] == d)
      return at->waves[i];
  for (guint i = 0; image->others[i]; i++)
    if (image->others[i] == d)
      return at->others[i];
  return 0;
}

/* The number of a plane among all times. */
static gint64
time_of (const FilesLifImage *image, const GArray *axes, const Position *at)
{
  gint64 n = 0;
  for (guint i = axes->len; i > 0; i--) {
    const Axis *axis = &g_array_index (axes, Axis, i - 1);
    n = n * axis->n + element_of (image, axis->dimension, at);
  }
  return n;
}

/* The times of all planes that have labels, in their order; NULL: they are not known. */
static guint64 *
times_of (const FilesLifImage *image, guint n, const ImageInfo *info, gsize *planes)
{
  const GArray *times = image->element->times;
  const gint64 waves = files_lif_combinations (image->waves), channels = image->is_rgb ? 1 : info->channels;
  gint64 all = 1;
  g_autoptr (GArray) axes = axes_of (image, &all);
  Position at;
  if (!times || times->len != all)
    return NULL;
  guint64 *own = g_new (guint64, (gsize) (info->frames * channels * info->depth));
  *planes = 0;
  files_lif_combination (image->others, n - image->first, at.others);
  for (at.frame = 0; at.frame < info->frames; at.frame++)
    for (at.slice = 0; at.slice < info->depth; at.slice++)
      for (gint64 c = 0; c < channels; c++) {
        at.channel = c / waves;
        files_lif_combination (image->waves, c % waves, at.waves);
        own[(at.frame * channels + c) * info->depth + at.slice] =
          g_array_index (times, guint64, time_of (image, axes, &at));
        (*planes)++;
      }
  return own;
}

/* ---- Notes ---- */

/* The time of each plane since the first, as its label. */
static char **
labels_of (const guint64 *times, gsize n)
{
  char **labels = g_new0 (char *, n + 1);
  for (gsize i = 0; i < n; i++)
    labels[i] = g_strdup_printf ("%.4f s", ((double) times[i] - (double) times[0]) / TICKS);
  return labels;
}

static void
append_time (GString *facts, guint64 time)
{
  if (time < UNIX_EPOCH || time >= LAST_TIME)
    return;
  g_autoptr (GDateTime) date = g_date_time_new_from_unix_utc ((gint64) ((time - UNIX_EPOCH) / (guint64) TICKS));
  g_autofree char *text = g_date_time_format (date, "%FT%TZ");
  g_string_append_printf (facts, "Acquired: %s\n", text);
}

static void
append_scan (GString *facts, const FilesLifImage *image)
{
  static const char *const names[] = {
    [FILES_LIF_X] = "x", [FILES_LIF_Y] = "y", [FILES_LIF_Z] = "z", [FILES_LIF_T] = "t"};
  const FilesLifDimension *axes[] = {image->columns, image->rows, image->slices};
  const char *const along[] = {"Columns", "Rows", "Slices"};
  for (guint i = 0; i < G_N_ELEMENTS (axes); i++)
    if (axes[i] && axes[i]->id != i + 1 && axes[i]->id >= FILES_LIF_X && axes[i]->id <= FILES_LIF_T)
      g_string_append_printf (facts, "%s along: %s\n", along[i], names[axes[i]->id]);
}

/* Which of the element's images it is: "tile 3". */
static void
append_others (GString *to, const FilesLifImage *image, guint n)
{
  gint64 at[FILES_LIF_DIMENSIONS];
  files_lif_combination (image->others, n - image->first, at);
  for (guint i = 0; image->others[i]; i++) {
    const FilesLifDimension *d = image->others[i];
    const char *name = d->id == FILES_LIF_TILES      ? "tile"
                       : d->id == FILES_LIF_ROTATION ? "rotation"
                       : d->id == FILES_LIF_LOOP     ? "loop"
                                                     : "part";
    if (d->n > 1)
      g_string_append_printf (to, "%s%s %" G_GINT64_FORMAT, to->len ? ", " : "", name, at[i] + 1);
  }
}

/* Where the tile is on the stage. */
static void
append_position (GString *facts, const FilesLifImage *image, guint n)
{
  const GArray *tiles = image->element->tiles;
  gint64 at[FILES_LIF_DIMENSIONS];
  files_lif_combination (image->others, n - image->first, at);
  for (guint i = 0; image->others[i]; i++)
    if (tiles && image->others[i]->id == FILES_LIF_TILES && tiles->len == image->others[i]->n) {
      const double *position = &g_array_index (tiles, double, 3 * at[i]);
      for (guint axis = 0; axis < 3; axis++) {
        g_autofree char *value = text_from_number (text_round (position[axis] * 1e6, 10));
        g_string_append_printf (facts, "Tile %c (µm): %s\n", "xyz"[axis], value);
      }
    }
}

static void
set_notes (const FilesLifImage *image, guint n, ImageInfo *info)
{
  GString *facts = g_string_new (NULL);
  gsize planes = 0;
  g_autofree guint64 *times = times_of (image, n, info, &planes);
  g_autofree char *name = text_visible (image->path, "");
  g_string_append_printf (facts, "Image: %s\n", name);
  if (times)
    append_time (facts, times[0]);
  append_scan (facts, image);
  append_position (facts, image, n);
  if (image->element->facts)
    g_string_append (facts, image->element->facts->str);
  info->description = g_ref_string_new (facts->str);
  info->notes = image_notes_new (NULL);
  info->notes->info = g_string_free (facts, FALSE);
  if (planes > 1)
    info->notes->labels = labels_of (times, planes);
}

/* ---- The whole ---- */

static char *
name_of_image (const FilesLifLayout *layout, const FilesLifImage *image, guint n)
{
  g_autofree char *file = file_name_short (((FilesLifFile *) layout->files->pdata[0])->bytes->path);
  g_autoptr (GString) which = g_string_new (NULL);
  append_others (which, image, n);
  return files_lif_layout_count (layout) == 1
           ? g_strdup (file)
           : g_strdup_printf ("%s: %s%s%s", file, image->path, which->len ? ", " : "", which->str);
}

void
files_lif_info (const FilesLifLayout *layout, guint n, ImageInfo *info)
{
  const FilesLifImage *image = files_lif_layout_image (layout, n);
  *info = (ImageInfo){
    .type = files_number_type (&image->number),
    .number = n,
    .frames = files_lif_length (image->frames),
    .channels = image->element->channels->len * files_lif_combinations (image->waves),
    .depth = files_lif_length (image->slices),
    .rows = files_lif_length (image->rows),
    .columns = files_lif_length (image->columns),
    .source_type = g_strdup (files_number_source (&image->number)),
    .name = name_of_image (layout, image, n),
  };
  if (image->is_rgb && info->type == FV_U8 && info->channels == 3)
    info->role = FV_RGB;
  else
    set_channels (image, info);
  set_calibration (image, info);
  if (info->role != FV_RGB)
    set_ranges (image, info);
  set_notes (image, n, info);
}
