/* SPDX-License-Identifier: MIT
 *
 * Only the box around a selection is read.
 */
#include "core/measure/measurements.h"

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/data/value_calibration.h"
#include "core/measure/statistics.h"
#include "core/selection/line_profile.h"

#include <math.h>
#include <string.h>

enum { NUMBER, AREA, MEAN, STD, MINIMUM, MAXIMUM, LENGTH, ANGLE, X, Y, WIDTH, HEIGHT, CHANNEL, SLICE, FRAME, COLUMNS };

/* imagej: as TableColumn has it. power: of the unit of length; VALUE: the unit of values. */
enum { VALUE = -1 };

static const struct {
  const char *key, *imagej, *help;
  int power;
} columns[COLUMNS] = {
  [NUMBER] = {"number", NULL, "Number of the measurement", 0},
  [AREA] = {"area", "Area", "Area of the selected pixels", 2},
  [MEAN] = {"mean", "Mean", "Mean value; for a point, its value", VALUE},
  [STD] = {"std", "StdDev", "Standard deviation of the values, with n - 1", VALUE},
  [MINIMUM] = {"min", "Min", "Minimum value", VALUE},
  [MAXIMUM] = {"max", "Max", "Greatest value", VALUE},
  [LENGTH] = {"length", "Length", "Length of a line", 1},
  [ANGLE] = {"angle", "Angle", "Angle of an angle selection", 0},
  [X] = {"x", NULL, "Left edge of the selection, or x of the point", 1},
  [Y] = {"y", NULL, "Top edge of the selection, or y of the point", 1},
  [WIDTH] = {"width", NULL, "Width of the selection", 1},
  [HEIGHT] = {"height", NULL, "Height of the selection", 1},
  [CHANNEL] = {"channel", "Ch", "Channel, from 1", 0},
  [SLICE] = {"slice", "Slice", "Slice, from 1", 0},
  [FRAME] = {"frame", "Frame", "Frame, from 1", 0},
};

static gboolean
is_whole (int column)
{
  return column == NUMBER || column >= CHANNEL;
}

/* ---- Rows ---- */

typedef struct {
  Image *image;
  PlaneScale scale;
  GArray *rows; /* COLUMNS doubles each */
} Measuring;

static void
begin_row (const Measuring *m, const Selection *s, PlanePosition position, double *row)
{
  SelectionPoint low, high;
  selection_bounds (s, &low, &high);
  for (int i = 0; i < COLUMNS; i++)
    row[i] = NAN;
  row[X] = low.x * m->scale.width;
  row[Y] = low.y * m->scale.height;
  row[WIDTH] = (high.x - low.x) * m->scale.width;
  row[HEIGHT] = (high.y - low.y) * m->scale.height;
  row[CHANNEL] = (double) position.channel + 1;
  row[SLICE] = (double) position.slice + 1;
  row[FRAME] = (double) position.frame + 1;
}

/* Of n values, or those of them that the mask selects. */
static void
describe (const Measuring *m, double *row, const double *values, const guint8 *mask, gint64 n)
{
  Statistics s = statistics_of (values, mask, n);
  gint64 selected = 0;
  for (gint64 i = 0; i < n; i++)
    selected += !mask || mask[i];
  row[AREA] = (double) selected * (m->scale.width * m->scale.height);
  row[MEAN] = s.mean;
  row[STD] = s.sd;
  row[MINIMUM] = s.min;
  row[MAXIMUM] = s.max;
}

static gboolean
measure_area (const Measuring *m, const Selection *s, PlanePosition position, double *row, GError **error)
{
  PlanePart part = selection_part (s, image_info (m->image), 0);
  g_autoptr (Selection) moved = selection_copy (s);
  selection_move (moved, -(double) part.x, -(double) part.y);
  g_autofree double *values = plane_values (m->image, position, &part, error);
  g_autoptr (Image) mask = values ? selection_mask (moved, part.width, part.height) : NULL;
  if (values && !mask)
    step_error_set (error, FV_NO_MEMORY, NULL, "Not enough memory for a selection of %" G_GINT64_FORMAT " pixels.",
                    part.width * part.height);
  if (!mask)
    return FALSE;
  value_calibrate (m->image, values, (gsize) (part.width * part.height));
  describe (m, row, values, image_pixels (mask), part.width * part.height);
  return TRUE;
}

static gboolean
measure_line (const Measuring *m, const Selection *s, PlanePosition position, double *row, GError **error)
{
  g_autoptr (LineProfile) profile = line_profile_new (m->image, position, s, error);
  if (!profile)
    return FALSE;
  describe (m, row, profile->values, NULL, profile->n);
  row[LENGTH] = profile->length;
  return TRUE;
}

/* An angle has no pixels. */
static gboolean
measure_angle (const Measuring *m, const Selection *s, PlanePosition position, double *row, GError **error)
{
  (void) position, (void) error;
  row[ANGLE] = selection_angle (s, m->scale.width, m->scale.height);
  return TRUE;
}

/* One row for each point. */
static gboolean
measure_points (const Measuring *m, const Selection *s, PlanePosition position, double *row, GError **error)
{
  const ImageInfo *info = image_info (m->image);
  row[AREA] = row[WIDTH] = row[HEIGHT] = 0;
  for (guint i = 0; i < s->n_points; i++) {
    double x = floor (s->points[i].x), y = floor (s->points[i].y); /* maybe further away than integers reach */
    row[MEAN] = row[MINIMUM] = row[MAXIMUM] = NAN;
    row[X] = s->points[i].x * m->scale.width;
    row[Y] = s->points[i].y * m->scale.height;
    if (x >= 0 && y >= 0 && x < (double) info->columns && y < (double) info->rows) {
      PlanePart pixel = {(gint64) x, (gint64) y, 1, 1};
      g_autofree double *value = plane_values (m->image, position, &pixel, error);
      if (!value)
        return FALSE;
      value_calibrate (m->image, value, 1);
      row[MEAN] = row[MINIMUM] = row[MAXIMUM] = *value;
    }
    g_array_append_vals (m->rows, row, COLUMNS);
  }
  return TRUE;
}

/* Its own plane if this image has it, otherwise the requested one. */
static PlanePosition
position_of (const Selection *s, const ImageInfo *info, PlanePosition position)
{
  if (s->channel >= 0 && s->channel < info->channels)
    position.channel = s->channel;
  if (s->slice >= 0 && s->slice < info->depth)
    position.slice = s->slice;
  if (s->frame >= 0 && s->frame < info->frames)
    position.frame = s->frame;
  return position;
}

static gboolean
measure (const Measuring *m, const Selection *s, PlanePosition position, GError **error)
{
  double row[COLUMNS];
  position = position_of (s, image_info (m->image), position);
  begin_row (m, s, position, row);
  if (s->shape == SELECTION_POINT)
    return measure_points (m, s, position, row, error);
  if (!(selection_is_area (s)   ? measure_area
        : selection_is_line (s) ? measure_line
                                : measure_angle) (m, s, position, row, error))
    return FALSE;
  g_array_append_vals (m->rows, row, COLUMNS);
  return TRUE;
}

/* ---- The table ---- */

typedef struct {
  const char *length, *value;
} Units;

static Units
units_of (const Table *table)
{
  return (Units){table_column (table, X)->unit, table_column (table, MEAN)->unit};
}

/* Rows of `before`, which may be NULL, and then n more of COLUMNS doubles each. factor: of their unit of length. */
static Table *
table_of (const Table *before, const double *rows, gint64 n, Units units, double factor)
{
  gint64 old = before ? table_rows (before) : 0, all = old + n;
  double *values = g_new (double, all *COLUMNS);
  Table *table = table_new ();
  g_autofree char *square = g_strdup_printf ("%s²", units.length);
  const char *const of[] = {"", units.length, square};
  for (guint j = 0; j < COLUMNS; j++) {
    const int power = columns[j].power;
    table_add_column (table, columns[j].key,
                      j == ANGLE       ? "°"
                      : power == VALUE ? units.value
                                       : of[power],
                      columns[j].help, is_whole ((int) j) ? FV_COLUMN_INTEGER : FV_COLUMN_FLOAT);
    table_name_imagej (table, columns[j].imagej);
    for (gint64 i = 0; i < old; i++)
      values[j * all + i] = table_value (before, j, i);
    for (gint64 i = 0; i < n; i++)
      values[j * all + old + i] =
        j == NUMBER ? (double) (old + i + 1) : rows[i * COLUMNS + j] * pow (factor, MAX (0, power));
  }
  table_take_rows (table, values, all);
  return table;
}

Table *
measurements_make (Image *image, PlanePosition position, const GPtrArray *selections, Progress *progress,
                   GError **error)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (double));
  Measuring m = {image, plane_scale (image_info (image)), rows};
  for (guint i = 0; i < selections->len; i++) {
    if (progress_report (progress, i, selections->len)) {
      step_error_set (error, FV_CANCELLED, NULL, "Stopped.");
      return NULL;
    }
    if (!measure (&m, selections->pdata[i], position, error))
      return NULL;
  }
  const char *of_values = value_unit (image_info (image));
  return table_of (NULL, (const double *) (gpointer) rows->data, rows->len / COLUMNS,
                   (Units){m.scale.unit, of_values ? of_values : ""}, 1);
}

Table *
measurements_join (const Table *before, Table *more, GError **error)
{
  const Units from = units_of (more), to = before ? units_of (before) : from;
  double factor = units_factor (from.length, to.length);
  gint64 n = table_rows (more);
  if (!before)
    return table_ref (more);
  if (factor == 0 || strcmp (from.value, to.value)) {
    const char *const *name =
      factor == 0 ? (const char *[]){from.length, to.length} : (const char *[]){from.value, to.value};
    step_error_set (error, FV_BAD_INPUT, NULL,
                    "This image is measured in %s, the table in %s: export and clear the measurements first.",
                    *name[0] ? name[0] : "stored values", *name[1] ? name[1] : "stored values");
    return NULL;
  }
  g_autofree double *rows = g_new (double, n *COLUMNS);
  for (gint64 i = 0; i < n * COLUMNS; i++)
    rows[i] = table_value (more, (guint) (i % COLUMNS), i / COLUMNS);
  return table_of (before, rows, n, to, factor);
}

/* ---- As text: the units of length and of values in a line, then a line for each row, without the number that counts them ---- */

char *
measurements_format (const Table *table)
{
  const Units units = units_of (table);
  GString *text = g_string_new (NULL);
  g_string_printf (text, "%s\t%s", units.length, units.value);
  for (gint64 i = 0; i < table_rows (table); i++)
    for (guint j = NUMBER + 1; j < COLUMNS; j++) {
      char number[G_ASCII_DTOSTR_BUF_SIZE];
      g_string_append_c (text, j == NUMBER + 1 ? '\n' : ' ');
      g_string_append (text, g_ascii_dtostr (number, sizeof number, table_value (table, j, i)));
    }
  return g_string_free (text, FALSE);
}

static gboolean
parse_row (const char *line, double *row)
{
  for (int j = NUMBER + 1; j < COLUMNS; j++) {
    char *end;
    row[j] = g_ascii_strtod (line, &end);
    if (end == line || *end != (j + 1 < COLUMNS ? ' ' : 0))
      return FALSE;
    line = end + 1;
  }
  return TRUE;
}

Table *
measurements_parse (const char *text, GError **error)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  const guint n = g_strv_length (lines);
  g_autofree double *rows = g_new0 (double, MAX (1, n) * COLUMNS);
  for (guint i = 1; i < n; i++)
    if (!parse_row (lines[i], rows + (i - 1) * COLUMNS)) {
      step_error_set (error, FV_BAD_INPUT, NULL, "Measurement %u is damaged.", i);
      return NULL;
    }
  if (n < 2) {
    step_error_set (error, FV_BAD_INPUT, NULL, "There are no measurements.");
    return NULL;
  }
  g_auto (GStrv) units = g_strsplit (lines[0], "\t", 2);
  return table_of (NULL, rows, n - 1, (Units){units[0], units[1] ? units[1] : ""}, 1);
}
