/* SPDX-License-Identifier: MIT
 *
 * A job measures all its selections, of which only the box is read.
 */
#include "ui/results/measurements.h"

#include "core/base/error.h"
#include "ui/view/plane_values.h"
#include "core/base/units.h"

#include <math.h>

struct _Measurements {
  GObject parent;
  Worker *worker;
  Table *table; /* NULL: empty */
  char *unit;   /* of its lengths */
};

G_DEFINE_FINAL_TYPE (Measurements, measurements, G_TYPE_OBJECT)

enum { CHANGED, FAILED, SIGNALS };
static guint signals[SIGNALS];

enum { NUMBER, AREA, MEAN, STD, LEAST, MOST, LENGTH, X, Y, WIDTH, HEIGHT, CHANNEL, SLICE, FRAME, COLUMNS };

/* power: of the unit of length. */
static const struct {
  const char *key, *help;
  int power;
} columns[COLUMNS] = {
  [NUMBER] = {"number", "Number of the measurement", 0},
  [AREA] = {"area", "Area of the selected pixels", 2},
  [MEAN] = {"mean", "Mean value; of a point its value", 0},
  [STD] = {"std", "Standard deviation of the values, with n - 1", 0},
  [LEAST] = {"min", "Least value", 0},
  [MOST] = {"max", "Greatest value", 0},
  [LENGTH] = {"length", "Length of a line", 1},
  [X] = {"x", "Left edge of the selection, or where the point is", 1},
  [Y] = {"y", "Upper edge of the selection, or where the point is", 1},
  [WIDTH] = {"width", "Width of the selection", 1},
  [HEIGHT] = {"height", "Height of the selection", 1},
  [CHANNEL] = {"channel", "Channel, from 1", 0},
  [SLICE] = {"slice", "Slice, from 1", 0},
  [FRAME] = {"frame", "Frame, from 1", 0},
};

static gboolean
is_whole (int column)
{
  return column == NUMBER || column >= CHANNEL;
}

/* ---- Measuring, on the worker's thread ---- */

typedef struct {
  Measurements *owner;
  Image *image;
  PlanePlace place; /* looked at */
  GPtrArray *selections;
  double width, height; /* of a pixel, in units */
  char *unit;
  GArray *rows; /* COLUMNS doubles each */
} Job;

/* The box around a selection with so much room, as far as it lies in the image. */
static PlanePart
part_around (const Selection *s, const ImageInfo *info, int room)
{
  SelectionPoint low, high;
  selection_bounds (s, &low, &high);
  gint64 left = (gint64) CLAMP (floor (low.x) - room, 0, (double) info->columns);
  gint64 top = (gint64) CLAMP (floor (low.y) - room, 0, (double) info->rows);
  gint64 right = (gint64) CLAMP (ceil (high.x) + room, 0, (double) info->columns);
  gint64 bottom = (gint64) CLAMP (ceil (high.y) + room, 0, (double) info->rows);
  return (PlanePart){left, top, MAX (0, right - left), MAX (0, bottom - top)};
}

/* mask: NULL for all; n: how many values there are. */
static void
describe (double *row, const double *values, const guint8 *mask, gint64 n, double pixel)
{
  gint64 selected = 0, count = 0;
  double sum = 0, squares = 0, least = NAN, most = NAN;
  for (gint64 i = 0; i < n; i++) {
    selected += !mask || mask[i];
    if ((mask && !mask[i]) || isnan (values[i]))
      continue;
    count++;
    sum += values[i];
    least = fmin (least, values[i]);
    most = fmax (most, values[i]);
  }
  double mean = sum / (double) count;
  for (gint64 i = 0; i < n; i++)
    if ((!mask || mask[i]) && !isnan (values[i]))
      squares += (values[i] - mean) * (values[i] - mean);
  row[AREA] = (double) selected * pixel;
  row[MEAN] = count ? mean : NAN;
  row[STD] = count > 1 ? sqrt (squares / (double) (count - 1)) : NAN;
  row[LEAST] = least;
  row[MOST] = most;
}

static void
begin_row (const Job *job, const Selection *s, PlanePlace place, double *row)
{
  SelectionPoint low, high;
  selection_bounds (s, &low, &high);
  for (int i = 0; i < COLUMNS; i++)
    row[i] = NAN;
  row[X] = low.x * job->width;
  row[Y] = low.y * job->height;
  row[WIDTH] = (high.x - low.x) * job->width;
  row[HEIGHT] = (high.y - low.y) * job->height;
  row[CHANNEL] = (double) place.channel + 1;
  row[SLICE] = (double) place.slice + 1;
  row[FRAME] = (double) place.frame + 1;
}

static gboolean
measure_area (const Job *job, const Selection *s, PlanePlace place, double *row, GError **error)
{
  PlanePart part = part_around (s, image_info (job->image), 0);
  g_autoptr (Selection) moved = selection_copy (s);
  g_autoptr (Image) mask = NULL;
  g_autofree double *values = NULL;
  if (!part.width || !part.height) {
    describe (row, NULL, NULL, 0, 0);
    return TRUE;
  }
  selection_move (moved, -(double) part.x, -(double) part.y);
  if (!(mask = selection_mask (moved, part.width, part.height))
      || !(values = plane_values (job->image, &place, &part, error)))
    return FALSE;
  describe (row, values, image_pixels (mask), part.width * part.height, job->width * job->height);
  return TRUE;
}

static gboolean
measure_line (const Job *job, const Selection *s, PlanePlace place, double *row, GError **error)
{
  PlanePart part = part_around (s, image_info (job->image), 2);
  g_autoptr (Selection) moved = selection_copy (s);
  g_autofree double *values = NULL, *profile = NULL;
  guint n = 0;
  row[LENGTH] = selection_length (s, job->width, job->height);
  if (!part.width || !part.height)
    return TRUE;
  selection_move (moved, -(double) part.x, -(double) part.y);
  if (!(values = plane_values (job->image, &place, &part, error)))
    return FALSE;
  profile = selection_profile (moved, values, part.width, part.height, &n);
  describe (row, profile, NULL, n, job->width * job->height);
  return TRUE;
}

/* One row for each point. */
static gboolean
measure_points (const Job *job, const Selection *s, PlanePlace place, double *row, GError **error)
{
  const ImageInfo *info = image_info (job->image);
  for (guint i = 0; i < s->n_points; i++) {
    double x = floor (s->points[i].x), y = floor (s->points[i].y); /* maybe further away than integers reach */
    row[MEAN] = row[LEAST] = row[MOST] = NAN;
    row[AREA] = row[WIDTH] = row[HEIGHT] = 0;
    row[X] = s->points[i].x * job->width;
    row[Y] = s->points[i].y * job->height;
    if (x >= 0 && y >= 0 && x < (double) info->columns && y < (double) info->rows) {
      PlanePart pixel = {(gint64) x, (gint64) y, 1, 1};
      g_autofree double *value = plane_values (job->image, &place, &pixel, error);
      if (!value)
        return FALSE;
      row[MEAN] = row[LEAST] = row[MOST] = *value;
    }
    g_array_append_vals (job->rows, row, COLUMNS);
  }
  return TRUE;
}

/* Where it was drawn, when this image has such a plane; else what is looked at. */
static PlanePlace
place_of (const Job *job, const Selection *s)
{
  const ImageInfo *info = image_info (job->image);
  PlanePlace place = job->place;
  if (s->channel >= 0 && s->channel < info->channels)
    place.channel = s->channel;
  if (s->slice >= 0 && s->slice < info->depth)
    place.slice = s->slice;
  if (s->frame >= 0 && s->frame < info->frames)
    place.frame = s->frame;
  return place;
}

static gboolean
measure_in_worker (gpointer data, Progress *progress, GError **error)
{
  Job *job = data;
  for (guint i = 0; i < job->selections->len && !progress_report (progress, i, job->selections->len); i++) {
    const Selection *s = job->selections->pdata[i];
    PlanePlace place = place_of (job, s);
    double row[COLUMNS];
    begin_row (job, s, place, row);
    if (s->shape == SELECTION_POINT) {
      if (!measure_points (job, s, place, row, error))
        return FALSE;
      continue;
    }
    if (!(selection_is_area (s) ? measure_area : measure_line) (job, s, place, row, error))
      return FALSE;
    g_array_append_vals (job->rows, row, COLUMNS);
  }
  return TRUE;
}

/* ---- The table ---- */

static Table *
new_table (const char *unit)
{
  Table *table = table_new ();
  g_autofree char *square = g_strdup_printf ("%s²", unit);
  for (int i = 0; i < COLUMNS; i++)
    table_add_column (table, columns[i].key,
                      columns[i].power == 2   ? square
                      : columns[i].power == 1 ? unit
                                              : "",
                      columns[i].help, is_whole (i) ? FV_COLUMN_INTEGER : FV_COLUMN_FLOAT);
  return table;
}

/* Rows of the table before, and then those of the job: others may be reading the one before. */
static Table *
extended (const Table *before, const Job *job, const char *unit, double factor)
{
  gint64 old = before ? table_rows (before) : 0, more = job->rows->len / COLUMNS, all = old + more;
  double *values = g_new (double, all *COLUMNS);
  Table *table = new_table (unit);
  for (guint j = 0; j < COLUMNS; j++) {
    for (gint64 i = 0; i < old; i++)
      values[j * all + i] = table_value (before, j, i);
    for (gint64 i = 0; i < more; i++)
      values[j * all + old + i] =
        j == NUMBER ? (double) (old + i + 1)
                    : g_array_index (job->rows, double, i *COLUMNS + j) * pow (factor, columns[j].power);
  }
  table_take_rows (table, values, all);
  return table;
}

static void
measured (gpointer data, const GError *error)
{
  Job *job = data;
  Measurements *m = job->owner;
  const char *unit = m->table ? m->unit : job->unit;
  double factor = units_factor (job->unit, unit);
  if (error && !step_error_is_cancelled (error))
    g_signal_emit (m, signals[FAILED], 0, error->message);
  else if (!error && factor == 0) {
    g_autofree char *text = g_strdup_printf (
      "This image is measured in %s, the table in %s: export and clear the measurements first.", job->unit, unit);
    g_signal_emit (m, signals[FAILED], 0, text);
  } else if (!error) {
    Table *before = m->table;
    m->table = extended (before, job, unit, factor);
    if (!before) {
      g_free (m->unit);
      m->unit = g_strdup (job->unit);
    }
    table_unref (before);
    g_signal_emit (m, signals[CHANGED], 0);
  }
  image_unref (job->image);
  g_ptr_array_unref (job->selections);
  g_array_unref (job->rows);
  g_free (job->unit);
  g_object_unref (m);
  g_free (job);
}

Table *
measurements_table (const Measurements *m)
{
  return m->table;
}

void
measurements_add (Measurements *m, const View *view, GPtrArray *selections)
{
  const ImageInfo *info = image_info (view_image (view));
  double same = units_factor (info->units[1], info->units[2]);
  Job *job = g_new0 (Job, 1);
  job->owner = g_object_ref (m);
  job->image = image_ref (view_image (view));
  job->place = plane_place (view);
  job->selections = selections;
  job->width = info->spacing[2];
  job->height = info->spacing[1] * (same > 0 ? same : 1);
  job->unit = g_strdup (*info->units[2] ? info->units[2] : "px");
  job->rows = g_array_new (FALSE, FALSE, sizeof (double));
  worker_push (m->worker, &(WorkerJob){measure_in_worker, measured, job, NULL});
}

void
measurements_clear (Measurements *m)
{
  if (!m->table)
    return;
  g_clear_pointer (&m->table, table_unref);
  g_signal_emit (m, signals[CHANGED], 0);
}

/* ---- The object ---- */

static void
measurements_finalize (GObject *object)
{
  Measurements *m = FOVEA_MEASUREMENTS (object);
  table_unref (m->table);
  g_free (m->unit);
  G_OBJECT_CLASS (measurements_parent_class)->finalize (object);
}

static void
measurements_class_init (MeasurementsClass *class)
{
  G_OBJECT_CLASS (class)->finalize = measurements_finalize;
  signals[CHANGED] =
    g_signal_new ("changed", MEASUREMENTS_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[FAILED] =
    g_signal_new ("failed", MEASUREMENTS_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
measurements_init (Measurements *m)
{
  (void) m;
}

Measurements *
measurements_new (Worker *worker)
{
  Measurements *m = g_object_new (MEASUREMENTS_TYPE, NULL);
  m->worker = worker;
  return m;
}
