/* SPDX-License-Identifier: MIT
 *
 * Each run has a source of its own, so that nothing is where the one before left it. On a GPU each run is done twice. First upload, steps and
 * download run one after the other, each between two events of the device. Then it runs as usual, for the host's clock.
 */
#include "core/run/comparison.h"

#include "core/base/error.h"
#include "core/run/execute.h"

#include <string.h>

/* What is measured of a run: these, and the steps behind them. */
enum { UP, DOWN, ALL, WALL, STEPS };

/* A device at its runs. */
typedef struct {
  const Recipe *recipe;
  Image *source; /* in host memory */
  Device *device;
  Progress *progress;
} Work;

/* ---- On the device's clock ---- */

typedef struct {
  const fv_device *fv;
  void *stream, *events[2];
} Clock;

static gboolean
clock_mark (Clock *clock, guint i, GError **error)
{
  const fv_device *fv = clock->fv;
  fv_error fault = FV_ERROR_INIT;
  if (!fv->event_new (fv, &clock->events[i], &fault) && !fv->event_record (fv, clock->stream, clock->events[i], &fault))
    return TRUE;
  step_error_set_from_plugin (error, fv->key, &fault);
  return FALSE;
}

static gboolean
clock_read (const Clock *clock, double *ms, GError **error)
{
  fv_error fault = FV_ERROR_INIT;
  if (!clock->fv->event_elapsed (clock->fv, clock->events[0], clock->events[1], ms, &fault))
    return TRUE;
  step_error_set_from_plugin (error, clock->fv->key, &fault);
  return FALSE;
}

static void
clock_clear (Clock *clock)
{
  for (guint i = 0; i < G_N_ELEMENTS (clock->events); i++)
    if (clock->events[i])
      clock->fv->event_free (clock->fv, clock->events[i]);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Clock, clock_clear)

/* ---- A run ---- */

static gboolean
has_source (const Work *w)
{
  return w->source != run_nothing () && link_takes_source (w->recipe);
}

/* The pixels of the source as a fresh image; for a GPU in pinned memory. */
static Image *
fresh_source (const Work *w, GError **error)
{
  const ImageInfo *info = image_info (w->source);
  Image *image;
  if (!has_source (w))
    return image_ref (w->source);
  if (!w->device->discrete)
    return image_with_info (w->source, info);
  if ((image = image_new_near (info, w->device, error)))
    memcpy (image_pixels (image), image_on_host (w->source, NULL, NULL), image_bytes (image));
  return image;
}

static gboolean
send (const Work *w, Image *source, double *ms, GError **error)
{
  g_auto (Clock) clock = {.fv = w->device->fv, .stream = w->device->up};
  if (!has_source (w))
    return TRUE;
  if (!clock_mark (&clock, 0, error) || !image_on_device (source, w->device, w->progress, error))
    return FALSE;
  image_off_device (source, w->device);
  return clock_mark (&clock, 1, error) && clock_read (&clock, ms, error);
}

/* All images that the run kept come to the host. */
static gboolean
fetch (const Work *w, const Run *run, GError **error)
{
  for (guint i = 0; i < run_length (run); i++)
    for (guint k = 0; k < run_result (run, i)->result.n_images; k++)
      if (run_image (run, i, k) && !image_on_host (run_image (run, i, k), w->progress, error))
        return FALSE;
  return TRUE;
}

static gboolean
fetch_by_clock (const Work *w, const Run *run, double *ms, GError **error)
{
  g_auto (Clock) clock = {.fv = w->device->fv, .stream = w->device->down};
  return clock_mark (&clock, 0, error) && fetch (w, run, error) && clock_mark (&clock, 1, error)
         && clock_read (&clock, ms, error);
}

static void
take_steps (const Run *run, double *ms)
{
  ms[ALL] = run_ms (run);
  for (guint i = 0; i < run_length (run); i++)
    ms[STEPS + i] = run_result (run, i)->result.ms;
}

/* The ways and the steps one after the other. */
static gboolean
run_apart (const Work *w, double *ms, GError **error)
{
  g_autoptr (Image) source = fresh_source (w, error);
  g_autoptr (Run) run = source ? run_new (w->recipe, source, RUN_KEEP_NAMED) : NULL;
  if (!run || !send (w, source, &ms[UP], error) || !run_execute (run, w->device, w->progress, error))
    return FALSE;
  take_steps (run, ms);
  return fetch_by_clock (w, run, &ms[DOWN], error);
}

/* As it is usually done; NULL with *error. */
static Run *
run_usually (const Work *w, double *ms, GError **error)
{
  g_autoptr (Image) source = fresh_source (w, error);
  g_autoptr (Run) run = source ? run_new (w->recipe, source, RUN_KEEP_NAMED) : NULL;
  gint64 start = g_get_monotonic_time ();
  if (!run)
    return NULL;
  run_fetch_last (run);
  if (!run_execute (run, w->device, w->progress, error) || !fetch (w, run, error))
    return NULL;
  ms[WALL] = (double) (g_get_monotonic_time () - start) / 1000;
  if (!w->device->discrete)
    take_steps (run, ms);
  return g_steal_pointer (&run);
}

/* Both, where that is not the same; NULL with *error. */
static Run *
run_both (const Work *w, double *ms, GError **error)
{
  g_autoptr (Run) run = NULL;
  if (w->device->discrete)
    g_mutex_lock (&w->device->turn);
  if (!w->device->discrete
      || run_apart (w, ms, error)) /* first, so that memory for both is there when it is measured */
    run = run_usually (w, ms, error);
  if (w->device->discrete)
    g_mutex_unlock (&w->device->turn);
  if (run && progress_is_stopped (w->progress)) {
    step_error_set (error, FV_CANCELLED, NULL, "Stopped.");
    return NULL;
  }
  return g_steal_pointer (&run);
}

/* ---- A device ---- */

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

/* Of so many values; sorts them. */
static double
median (double *values, guint n)
{
  qsort (values, n, sizeof *values, compare_doubles);
  return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* Figure i of every run. */
static double
median_of (const double *ms, guint i, guint n_times, guint repeat)
{
  g_autofree double *values = g_new (double, repeat);
  for (guint n = 0; n < repeat; n++)
    values[n] = ms[n * n_times + i];
  return median (values, repeat);
}

static void
settle (ComparisonDevice *to, const double *ms, guint steps, guint repeat)
{
  guint n_times = STEPS + steps;
  to->ms = (ComparisonTimes){.steps = g_new (double, steps),
                             .all = median_of (ms, ALL, n_times, repeat),
                             .up = median_of (ms, UP, n_times, repeat),
                             .down = median_of (ms, DOWN, n_times, repeat),
                             .wall = median_of (ms, WALL, n_times, repeat)};
  for (guint i = 0; i < steps; i++)
    to->ms.steps[i] = median_of (ms, STEPS + i, n_times, repeat);
}

/* The first run, which does not count; NULL with *error. */
static Run *
measure (const Work *w, ComparisonDevice *to, guint repeat, GError **error)
{
  guint steps = recipe_length (w->recipe), n_times = STEPS + steps;
  g_autofree double *ms = g_new0 (double, (gsize) n_times *(repeat + 1));
  g_autoptr (Run) first = run_both (w, ms, error);
  for (guint n = 0; first && n < repeat; n++) {
    guint64 up = w->device->uploaded, down = w->device->downloaded;
    g_autoptr (Run) run = run_both (w, ms + n_times * n, error);
    if (!run)
      return NULL;
    to->uploaded = (w->device->uploaded - up) / 2; /* it went twice */
    to->downloaded = (w->device->downloaded - down) / 2;
  }
  if (first)
    settle (to, ms, steps, repeat);
  return g_steal_pointer (&first);
}

/* ---- All devices ---- */

static void
comparison_device_free (gpointer data)
{
  ComparisonDevice *device = data;
  g_free (device->fault);
  g_free (device->ms.steps);
  g_clear_pointer (&device->agreements, g_array_unref);
  g_free (device);
}

void
comparison_free (Comparison *c)
{
  recipe_unref (c->recipe);
  g_ptr_array_unref (c->devices);
  g_free (c);
}

/* What a GPU fails of is its fault, unless the work shall stop; takes the error. */
static gboolean
put_down (ComparisonDevice *to, GError *fault, Progress *progress, GError **error)
{
  if (to->device->fv->kind == FV_CPU || progress_is_stopped (progress)) {
    g_propagate_error (error, fault);
    return FALSE;
  }
  to->fault = g_strdup (fault->message);
  g_error_free (fault);
  return TRUE;
}

/* *first: the run that others are compared with, of the first device that has one. */
static gboolean
add_device (Comparison *c, Device *device, Image *source, Run **first, Progress *progress, GError **error)
{
  ComparisonDevice *to = g_new0 (ComparisonDevice, 1);
  const Work work = {c->recipe, source, device, progress};
  GError *fault = NULL;
  g_autoptr (Run) run = NULL;
  to->device = device;
  g_ptr_array_add (c->devices, to);
  if (!device_ready (device, device->fv->key, &fault) || !(run = measure (&work, to, c->repeat, &fault))
      || (*first && !(to->agreements = agreement_find (*first, run, progress, &fault))))
    return put_down (to, fault, progress, error);
  if (!*first)
    *first = g_steal_pointer (&run);
  return TRUE;
}

Comparison *
comparison_make (Modules *modules, const Recipe *recipe, Image *source, guint repeat, Progress *progress,
                 GError **error)
{
  g_autoptr (Comparison) c = g_new0 (Comparison, 1);
  g_autoptr (Run) first = NULL;
  *c = (Comparison){.recipe = recipe_without_devices (recipe),
                    .repeat = repeat,
                    .devices = g_ptr_array_new_with_free_func (comparison_device_free)};
  if (!image_on_host (source, progress, error))
    return NULL;
  const GPtrArray *devices = modules_find_devices (modules);
  for (guint i = 0; i < devices->len; i++)
    if (!add_device (c, devices->pdata[i], source, &first, progress, error))
      return NULL;
  return g_steal_pointer (&c);
}
