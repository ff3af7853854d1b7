/* SPDX-License-Identifier: MIT
 *
 * Lengths are in µm, times in ms, dates as Julian days, colors as 0xBBGGRR.
 */
#include "core/files/nd2/info.h"

#include "core/base/file_name.h"
#include "core/base/text.h"

#include <math.h>
#include <string.h>

#define UNIX_EPOCH 2440587.5 /* as a Julian day */
#define LAST_DAY 5373484.5   /* the year 10000 */

/* ---- Channels ---- */

/* Plane i of the description of a frame's channels; NULL: there is none. */
static const FilesNd2Node *
plane_of (const FilesNd2Layout *l, guint i)
{
  const FilesNd2Node *planes = files_nd2_child (l->picture, "sPicturePlanes"), *list;
  list = files_nd2_child (planes, "sPlaneNew");
  list = list ? list : files_nd2_child (planes, "sPlane");
  g_autofree char *name = g_strdup_printf ("a%u", i);
  return files_nd2_child (list, name);
}

gboolean
files_nd2_is_rgb (const FilesNd2Layout *l)
{
  return l->components == 3 && files_nd2_integer (plane_of (l, 0), "uiCompCount") == 3 && !plane_of (l, 1);
}

static void
set_rgb (ImageInfo *info)
{
  static const char *const names[] = {"red", "green", "blue", NULL};
  static const guint32 colors[] = {0xff0000, 0x00ff00, 0x0000ff};
  if (info->type == FV_U8) {
    info->role = FV_RGB;
    return;
  }
  info->channel_names = g_strdupv ((char **) names);
  info->channel_colors = g_memdup2 (colors, sizeof colors);
}

static void
set_channels (const FilesNd2Layout *l, ImageInfo *info)
{
  g_auto (GStrv) names = g_new0 (char *, (gsize) l->components + 1);
  g_autofree guint32 *colors = g_new (guint32, (gsize) l->components);
  gboolean named = FALSE, colored = TRUE;
  for (guint c = 0; c < l->components; c++) {
    const FilesNd2Node *plane = plane_of (l, c);
    const gint64 color = files_nd2_integer (plane, "uiColor");
    const char *name = files_nd2_text (plane, "sDescription");
    if (plane && files_nd2_integer (plane, "uiCompCount") > 1)
      return;
    named = named || name;
    colored = colored && color >= 0 && color <= 0xffffff;
    colors[c] = (guint32) ((color & 0xff) << 16 | (color & 0xff00) | (color >> 16 & 0xff));
    names[c] = name ? g_strdup (name) : g_strdup_printf ("channel %u", c + 1);
  }
  if (named)
    info->channel_names = g_steal_pointer (&names);
  if (colored)
    info->channel_colors = g_steal_pointer (&colors);
}

/* ---- Calibration ---- */

static void
set_axis (ImageInfo *info, int axis, double spacing)
{
  const gboolean known = spacing > 0 && isfinite (spacing);
  info->spacing[axis] = known ? spacing : 1;
  info->units[axis] = g_strdup (known ? "µm" : "");
}

static double
pixel_size (const FilesNd2Layout *l)
{
  if (files_nd2_number (l->picture, "bCalibrated", 0) != 0)
    return files_nd2_number (l->picture, "dCalibration", 0);
  return files_nd2_number (l->calibration, "bValid", 0) != 0 ? files_nd2_number (l->calibration, "dCalibration", 0) : 0;
}

static double
slice_distance (const FilesNd2Layout *l)
{
  if (!l->slices)
    return 0;
  const double step = fabs (files_nd2_number (l->slices->at, "dZStep", 0));
  const double range =
    fabs (files_nd2_number (l->slices->at, "dZHigh", 0) - files_nd2_number (l->slices->at, "dZLow", 0));
  return step > 0 ? step : range / (double) (l->slices->n - 1);
}

static void
set_calibration (const FilesNd2Layout *l, ImageInfo *info)
{
  const double size = pixel_size (l), aspect = files_nd2_number (l->picture, "dAspect", 1);
  set_axis (info, 2, size);
  set_axis (info, 1, aspect > 0 ? size * aspect : size);
  set_axis (info, 0, slice_distance (l));
  if (info->depth == 1) {
    g_free (info->units[0]);
    info->units[0] = g_strdup (info->units[2]);
  }
}

/* ---- Times ---- */

/* When each frame of the file was acquired, in s, as many as it has; NULL: not known. */
static double *
times_of (const FilesNd2Layout *l)
{
  gsize n = 0;
  g_autofree guint8 *bytes = files_nd2_read (l->file, "CustomData|AcqTimesCache!", &n);
  g_autofree double *times = g_new (double, l->chunks->len);
  for (guint i = 0; i < l->chunks->len; i++) {
    times[i] = files_nd2_double (bytes, n, i) / 1000;
    if (!isfinite (times[i]))
      return NULL;
  }
  return g_steal_pointer (&times);
}

static void
set_interval (const FilesNd2Layout *l, const double *times, guint n, ImageInfo *info)
{
  info->frame_unit = g_strdup ("s");
  if (!l->frames || l->frames->n < 2)
    return;
  const double period = files_nd2_number (l->frames->at, "dPeriod", 0) / 1000;
  const double measured =
    times ? (times[files_nd2_layout_frame (l, n, l->frames->n - 1, 0)] - times[files_nd2_layout_frame (l, n, 0, 0)])
              / (double) (l->frames->n - 1)
          : 0;
  const double interval = measured > 0 ? measured : period;
  info->frame_interval = interval > 0 && isfinite (interval) ? interval : 0;
}

/* The time of each plane since the first of the image, as its label. */
static char **
labels_of (const FilesNd2Layout *l, const double *times, guint n, const ImageInfo *info)
{
  const double first = times[files_nd2_layout_frame (l, n, 0, 0)];
  const gint64 channels = files_nd2_is_rgb (l) ? 1 : info->channels, planes = info->frames * channels * info->depth;
  char **labels = g_new0 (char *, (gsize) planes + 1);
  for (gint64 i = 0; i < planes; i++)
    labels[i] = g_strdup_printf (
      "%.4f s", times[files_nd2_layout_frame (l, n, i / info->depth / channels, i % info->depth)] - first);
  return labels;
}

/* ---- Texts ---- */

static void
append_text (GString *facts, const char *label, const char *value)
{
  if (!value)
    return;
  g_autofree char *shown = text_visible (value, "");
  g_string_append_printf (facts, "%s: %s\n", label, shown);
}

static void
append_number (GString *facts, const char *label, double value)
{
  g_string_append_printf (facts, "%s: ", label);
  text_add_number (facts, text_round (value, 10));
  g_string_append_c (facts, '\n');
}

static void
append_positive (GString *facts, const char *label, double value)
{
  if (value > 0)
    append_number (facts, label, value);
}

static void
append_date (const FilesNd2Layout *l, GString *facts)
{
  const double day = files_nd2_number (l->picture, "dTimeAbsolute", 0);
  if (!(day >= UNIX_EPOCH && day < LAST_DAY))
    return;
  g_autoptr (GDateTime) date = g_date_time_new_from_unix_utc ((gint64) llround ((day - UNIX_EPOCH) * 86400));
  g_autofree char *text = g_date_time_format (date, "%FT%TZ");
  append_text (facts, "Acquired", text);
}

/* The i-th of those positions that are used; NULL: nothing is known of it. */
static const FilesNd2Node *
point_of (const FilesNd2Loop *loop, gint64 i)
{
  const FilesNd2Node *points = files_nd2_child (loop->at, "Points"),
                     *valid = files_nd2_child (loop->experiment, "pItemValid");
  for (guint at = 0; at < files_nd2_count (points); at++)
    if (files_nd2_is_used (valid, at) && i-- == 0)
      return files_nd2_nth (points, at);
  return NULL;
}

/* "position 3", or the name of the position. */
static void
append_which (const FilesNd2Layout *l, guint n, GString *to)
{
  for (guint i = 0; i < l->n_loops; i++) {
    const FilesNd2Loop *loop = &l->loops[i];
    if (loop == l->frames || loop == l->slices)
      continue;
    const gint64 element = files_nd2_layout_element (l, loop, n);
    const FilesNd2Node *point = loop->type == FILES_ND2_POSITIONS ? point_of (loop, element) : NULL;
    const char *name = files_nd2_text (point, "dPosName");
    name = name ? name : files_nd2_text (point, "pPosName");
    g_string_append (to, to->len ? ", " : "");
    if (name)
      g_string_append (to, name);
    else
      g_string_append_printf (to, "%s %" G_GINT64_FORMAT, loop->type == FILES_ND2_POSITIONS ? "position" : "part",
                              element + 1);
  }
}

/* Where the first plane of the image is on the stage, in µm. */
static void
append_position (const FilesNd2Layout *l, guint n, GString *facts)
{
  static const char *const chunks[] = {"CustomData|X!", "CustomData|Y!", "CustomData|Z!"};
  static const char *const names[] = {"dXPos", "dYPos", "dZPos"};
  static const char *const labels[] = {"Stage x (µm)", "Stage y (µm)", "Stage z (µm)"};
  const gsize frame = (gsize) files_nd2_layout_frame (l, n, 0, 0);
  for (guint axis = 0; axis < G_N_ELEMENTS (chunks); axis++) {
    gsize size = 0;
    g_autofree guint8 *bytes = files_nd2_read (l->file, chunks[axis], &size);
    const double own = files_nd2_double (bytes, size, frame);
    const double value = isfinite (own) || frame > 0 ? own : files_nd2_number (l->picture, names[axis], NAN);
    if (isfinite (value))
      append_number (facts, labels[axis], value);
  }
}

static char *
facts_of (const FilesNd2Layout *l, guint n)
{
  GString *facts = g_string_new (NULL);
  g_autoptr (GString) which = g_string_new (NULL);
  const char *description = files_nd2_text (l->texts, "TextInfoItem_5"),
             *objective = files_nd2_text (l->picture, "wsObjectiveName");
  append_which (l, n, which);
  append_text (facts, "Image", which->len ? which->str : NULL);
  append_date (l, facts);
  append_text (facts, "Date", files_nd2_text (l->texts, "TextInfoItem_9"));
  append_text (facts, "Objective", objective ? objective : files_nd2_text (l->texts, "TextInfoItem_13"));
  append_positive (facts, "Magnification", files_nd2_number (l->picture, "dObjectiveMag", 0));
  append_positive (facts, "Numerical aperture", files_nd2_number (l->picture, "dObjectiveNA", 0));
  append_positive (facts, "Refractive index", files_nd2_number (l->picture, "dRefractIndex1", 0));
  append_positive (facts, "Zoom", files_nd2_number (l->picture, "dZoom", 0));
  append_position (l, n, facts);
  if (description) {
    g_autofree char *lines = text_visible (description, "\t\r\n");
    g_string_append_printf (facts, "%s\n", g_strchomp (g_strdelimit (lines, "\r", ' ')));
  }
  return g_string_free (facts, FALSE);
}

/* ---- The whole ---- */

static char *
name_of (const FilesNd2Layout *l, guint n)
{
  g_autofree char *file = file_name_short (l->file->bytes->path);
  g_autoptr (GString) which = g_string_new (NULL);
  append_which (l, n, which);
  return files_nd2_layout_count (l) > 1 ? g_strdup_printf ("%s: %s", file, which->str) : g_strdup (file);
}

void
files_nd2_info (const FilesNd2Layout *l, guint n, ImageInfo *info)
{
  g_autofree double *times = times_of (l);
  *info = (ImageInfo){
    .type = files_number_type (&l->number),
    .number = n,
    .frames = l->frames ? l->frames->n : 1,
    .channels = l->components,
    .depth = l->slices ? l->slices->n : 1,
    .rows = l->rows,
    .columns = l->columns,
    .name = name_of (l, n),
  };
  if (files_nd2_is_rgb (l))
    set_rgb (info);
  else
    set_channels (l, info);
  set_calibration (l, info);
  set_interval (l, times, n, info);
  info->notes = image_notes_new (NULL);
  info->notes->info = facts_of (l, n);
  info->description = g_ref_string_new (info->notes->info);
  if (times && info->frames * info->depth > 1)
    info->notes->labels = labels_of (l, times, n, info);
}
