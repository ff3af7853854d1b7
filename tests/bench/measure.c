/* SPDX-License-Identifier: MIT
 *
 * Inputs are used in turn in four sets: the image as it is, and flipped along one axis or both. So no run finds its input in a cache, while all sets
 * have the same objects. Times on the device are of the operations alone, by the device's own clock; wall times begin with the inputs in place and
 * end when the outputs are complete.
 */
#include "tests/bench/measure.h"

#include "core/run/execute.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

enum { SETS = 4, CALL_INPUTS = 8, FEWEST_WARM_UPS = 2, FEWEST_REPEATS = 5 };

/* Inputs larger than this are past every cache by themselves. */
static const gsize enough_bytes = 256 << 20;

typedef struct {
  Image *images[SETS][LINE_INPUTS];
  guint n;
} Sets;

typedef struct {
  double device_ms, wall_ms;
  guint64 bytes, uploaded, downloaded;
} Sample;

void
measurement_clear (Measurement *m)
{
  g_array_unref (m->device_ms);
  g_array_unref (m->wall_ms);
  json_object_unref (m->facts);
}

char *
measure_obstacle (const Bench *bench, const Line *line)
{
  g_auto (GStrv) steps = g_strsplit (line->steps, "|", -1);
  for (char **step = steps; *step; step++) {
    const char *word = g_strchug (*step);
    g_autofree char *key = g_strndup (word, strcspn (word, " "));
    const Op *op = modules_op (bench->modules, key, NULL);
    if (!op)
      return g_strdup_printf ("the operation '%s' does not exist yet", key);
    if (!op->fv.run[bench->device->fv->kind])
      return g_strdup_printf ("%s cannot run on %s yet", key, bench->device->fv->key);
  }
  return NULL;
}

/* ---- Inputs ---- */

static gsize
pixel_bytes (const ImageInfo *info)
{
  return image_info_plane_bytes (info) / (gsize) (info->rows * info->columns);
}

/* Bit 0 of flips turns the rows upside down, bit 1 turns each row round. */
static void
flip_plane (char *to, const char *from, const ImageInfo *info, guint flips)
{
  gsize size = pixel_bytes (info), pitch = size * (gsize) info->columns;
  for (gint64 y = 0; y < info->rows; y++, to += pitch) {
    const char *row = from + (gsize) (flips & 1 ? info->rows - 1 - y : y) * pitch;
    if (!(flips & 2))
      memcpy (to, row, pitch);
    for (gsize x = 0; flips & 2 && x < pitch; x += size)
      memcpy (to + x, row + pitch - size - x, size);
  }
}

/* A copy, in host memory of the kind into which a file is read that is opened for the device. */
static Image *
image_flipped (Image *image, Device *device, guint flips, GError **error)
{
  const ImageInfo *info = image_info (image);
  Image *flipped = image_new_near (info, device, error);
  for (gint64 plane = 0; flipped && plane < image_info_planes (info); plane++)
    flip_plane ((char *) image_pixels (flipped) + (gsize) plane * image_info_plane_bytes (info),
                image_plane (image, plane, NULL), info, flips);
  return flipped;
}

static Image *
load_input (const Bench *bench, const char *input, GError **error)
{
  g_autofree char *file = g_strconcat (input, ".npy", NULL);
  g_autofree char *path = g_build_filename (bench->data, file, NULL);
  Npy npy;
  Image *image;
  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR)) {
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "The input %s is missing; run.py makes it.", path);
    return NULL;
  }
  npy_load (&npy, path);
  image = image_from_npy (&npy, line_input_role (input));
  npy_clear (&npy);
  return image;
}

static void
sets_clear (Sets *sets)
{
  for (guint set = 0; set < SETS; set++)
    for (guint i = 0; i < LINE_INPUTS; i++)
      image_unref (sets->images[set][i]);
}

/* The image stays there while there is room. */
static gboolean
upload (Image *image, Device *device, GError **error)
{
  if (!image_on_device (image, device, NULL, error))
    return FALSE;
  image_off_device (image, device);
  return TRUE;
}

/* On FALSE what was loaded so far is in *sets too. */
static gboolean
sets_load (const Bench *bench, const Line *line, Sets *sets, GError **error)
{
  guint n = g_strv_length (line->inputs);
  gsize bytes = 0;
  for (guint i = 0; i < n; i++) {
    if (!(sets->images[0][i] = load_input (bench, line->inputs[i], error)))
      return FALSE;
    bytes += image_bytes (sets->images[0][i]);
  }
  sets->n = bytes < enough_bytes ? SETS : 1;
  for (guint set = 1; set < sets->n; set++)
    for (guint i = 0; i < n; i++)
      if (!(sets->images[set][i] = image_flipped (sets->images[0][i], bench->device, set, error)))
        return FALSE;
  for (guint set = 0; line->mode != LINE_ROUND_TRIP && set < sets->n; set++)
    for (guint i = 0; i < n; i++)
      if (!upload (sets->images[set][i], bench->device, error))
        return FALSE;
  return TRUE;
}

/* ---- Facts ---- */

static void
add_fact (JsonObject *facts, const char *op, const char *what, double value)
{
  g_autofree char *name = g_strconcat (op, ".", what, NULL);
  if (isfinite (value))
    json_object_set_double_member (facts, name, value);
}

static inline double
pixel_at (gconstpointer pixels, fv_type type, gint64 i)
{
  switch (type) {
  case FV_U8: return ((const guint8 *) pixels)[i];
  case FV_U16: return ((const guint16 *) pixels)[i];
  case FV_I32: return ((const gint32 *) pixels)[i];
  case FV_F32: return (double) ((const float *) pixels)[i];
  default: return ((const double *) pixels)[i];
  }
}

static gboolean
add_image_facts (JsonObject *facts, const char *op, Image *image, GError **error)
{
  const ImageInfo *info = image_info (image);
  gint64 planes = image_info_planes (info), pixels = info->rows * info->columns;
  double sum = 0, max = -INFINITY;
  for (gint64 plane = 0; plane < planes; plane++) {
    gconstpointer at = image_plane (image, plane, error);
    if (!at)
      return FALSE;
    for (gint64 i = 0; i < pixels; i++) {
      double value = pixel_at (at, info->type, i);
      sum += value;
      max = MAX (max, value);
    }
  }
  add_fact (facts, op, "mean", sum / (double) (planes * pixels));
  add_fact (facts, op, info->role == FV_LABELS ? "objects" : "max", max);
  return TRUE;
}

/* Of magnitudes, because an orientation of plus or minus a quarter turn is the same axis. */
static void
add_table_facts (JsonObject *facts, const char *op, const Table *table)
{
  gint64 rows = table_rows (table);
  add_fact (facts, op, "rows", (double) rows);
  for (guint j = 0; j < table_columns (table); j++) {
    g_autofree char *what = g_strconcat ("mean ", table_column (table, j)->key, NULL);
    double sum = 0;
    for (gint64 row = 0; row < rows; row++)
      sum += fabs (table_value (table, j, row));
    add_fact (facts, op, what, sum / (double) rows);
  }
}

/* Scalars, and rows and means of tables. */
static void
add_numbers (JsonObject *facts, const Op *op, const CallResult *r)
{
  for (guint j = 0; j < op->n_scalars; j++)
    add_fact (facts, op->fv.key, op->fv.scalars[j].key, r->scalars[j]);
  if (r->table)
    add_table_facts (facts, op->fv.key, r->table);
}

/* Means and maxima of images too, by the names of the outputs where there are several. */
static gboolean
add_facts (JsonObject *facts, const Op *op, const CallResult *r, GError **error)
{
  for (guint i = 0; i < r->n_images; i++) {
    g_autofree char *name =
      r->n_images == 1 ? g_strdup (op->fv.key) : g_strconcat (op->fv.key, ".", op->fv.outputs[i].key, NULL);
    if (!add_image_facts (facts, name, r->images[i], error))
      return FALSE;
  }
  add_numbers (facts, op, r);
  return TRUE;
}

/* ---- Runs ---- */

static void
add_bytes (Sample *sample, const Op *op, Image *const *inputs, const CallResult *r)
{
  for (guint i = 0; i < op->n_inputs; i++)
    sample->bytes += inputs[i] ? image_bytes (inputs[i]) : 0;
  for (guint i = 0; i < r->n_images; i++)
    sample->bytes += image_bytes (r->images[i]);
  if (r->table)
    sample->bytes += (guint64) table_rows (r->table) * table_columns (r->table) * sizeof (double);
}

static double
ms_since (gint64 start)
{
  return (double) (g_get_monotonic_time () - start) / 1e3;
}

/* facts may be NULL, here and below. */
static gboolean
step_once (const Bench *bench, const Line *line, Image *const *images, Sample *sample, JsonObject *facts,
           GError **error)
{
  g_autoptr (Recipe) recipe = recipe_parse (bench->modules, line->steps, error);
  const Step *step = recipe ? recipe_step (recipe, 0) : NULL;
  Image *inputs[CALL_INPUTS] = {images[0], images[1], images[2]};
  CallResult result = {0};
  gboolean well;
  gint64 start = g_get_monotonic_time ();
  if (!step || !call_op (step->op, step->args, inputs, bench->device, NULL, &result, error))
    return FALSE;
  sample->wall_ms = ms_since (start);
  sample->device_ms = result.ms;
  add_bytes (sample, step->op, inputs, &result);
  well = !facts || add_facts (facts, step->op, &result, error);
  call_result_clear (&result);
  return well;
}

/* Brings all planes to the host. */
static gboolean
fetch (Image *image, GError **error)
{
  for (gint64 plane = 0; plane < image_info_planes (image_info (image)); plane++)
    if (!image_plane (image, plane, error))
      return FALSE;
  return TRUE;
}

static gboolean
recipe_once (const Bench *bench, const Line *line, Image *const *images, Sample *sample, JsonObject *facts,
             GError **error)
{
  gboolean round_trip = line->mode == LINE_ROUND_TRIP;
  g_autoptr (Recipe) recipe = recipe_parse (bench->modules, line->steps, error);
  g_autoptr (Image) source = round_trip ? image_flipped (images[0], bench->device, 0, error) : image_ref (images[0]);
  g_autoptr (Run) run = NULL;
  gint64 start = g_get_monotonic_time ();
  if (!recipe || !source)
    return FALSE;
  run = run_new (recipe, source, RUN_KEEP_ALL);
  if (round_trip)
    run_fetch_last (run);
  if (!run_execute (run, bench->device, NULL, error) || (round_trip && !fetch (run_last_image (run), error)))
    return FALSE;
  sample->wall_ms = ms_since (start);
  for (guint i = 0; i < run_length (run); i++) {
    const RunStep *step = run_result (run, i);
    Image *inputs[CALL_INPUTS] = {run_input (run, i, 0), run_input (run, i, 1)};
    sample->device_ms += step->result.ms;
    add_bytes (sample, step->step->op, inputs, &step->result);
    if (facts)
      add_numbers (facts, step->step->op, &step->result);
  }
  return TRUE;
}

static gboolean
run_once (const Bench *bench, const Line *line, Image *const *images, Sample *sample, JsonObject *facts, GError **error)
{
  const Device *device = bench->device;
  guint64 uploaded = device->uploaded, downloaded = device->downloaded;
  *sample = (Sample){0};
  if (!(line->mode == LINE_STEP ? step_once : recipe_once) (bench, line, images, sample, facts, error))
    return FALSE;
  sample->uploaded = device->uploaded - uploaded;
  sample->downloaded = device->downloaded - downloaded;
  return TRUE;
}

/* Runs the line on each set to warm up, then as often as asked if there is time. The first run gives the facts. */
static gboolean
run_all (const Bench *bench, const Line *line, const Sets *sets, Measurement *m, GError **error)
{
  guint warm_ups = MAX (sets->n, FEWEST_WARM_UPS);
  gint64 start = 0;
  Sample sample;
  for (guint run = 0; run < warm_ups + bench->repeats; run++) {
    if (run == warm_ups)
      start = g_get_monotonic_time ();
    if (run >= warm_ups + FEWEST_REPEATS && ms_since (start) > bench->seconds * 1e3)
      break;
    if (!run_once (bench, line, sets->images[run % sets->n], &sample, run ? NULL : m->facts, error))
      return FALSE;
    if (run < warm_ups)
      continue;
    g_array_append_val (m->device_ms, sample.device_ms);
    g_array_append_val (m->wall_ms, sample.wall_ms);
  }
  m->bytes = sample.bytes;
  m->uploaded = sample.uploaded;
  m->downloaded = sample.downloaded;
  return TRUE;
}

gboolean
measure_line (const Bench *bench, const Line *line, Measurement *m, GError **error)
{
  Sets sets = {0};
  gboolean well;
  *m = (Measurement){
    .device_ms = g_array_new (FALSE, FALSE, sizeof (double)),
    .wall_ms = g_array_new (FALSE, FALSE, sizeof (double)),
    .facts = json_object_new (),
  };
  well = sets_load (bench, line, &sets, error) && run_all (bench, line, &sets, m, error);
  sets_clear (&sets);
  if (!well)
    measurement_clear (m);
  return well;
}
