/* SPDX-License-Identifier: MIT
 *
 * Numbers are [frame][channel][slice], and an axis along which a step finds one number has the length 1.
 */
#include "core/run/derive.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/call/call.h"
#include "core/call/grid.h"
#include "core/ops/args.h"

#include <math.h>
#include <string.h>

typedef struct {
  gint64 length[3];
} Planes;

/* A number of an earlier step. */
typedef struct {
  const Op *op;
  const fv_scalar *scalar;
  const double *values; /* `step` apart */
  guint step;
  Planes planes;
} Numbers;

/* Of step i. */
typedef struct {
  const Step *step;
  Planes planes;
  Numbers *numbers; /* in the order of run_founds() */
  RunDerived *derived;
  GError **error;
} Work;

static gint64
count (const Planes *p)
{
  return p->length[0] * p->length[1] * p->length[2];
}

static gint64
index_of (const Planes *all, gint64 plane, const Planes *mine)
{
  const gint64 slice = plane % all->length[2], channel = plane / all->length[2] % all->length[1],
               frame = plane / all->length[2] / all->length[1];
  const gint64 at[] = {frame, channel, slice};
  gint64 index = 0;
  for (int axis = 0; axis < 3; axis++)
    index = index * mine->length[axis] + (mine->length[axis] == 1 ? 0 : at[axis]);
  return index;
}

/* ---- Errors ---- */

static gboolean fail (const Work *w, const fv_param *param, const char *format, ...) G_GNUC_PRINTF (3, 4);

static gboolean
fail (const Work *w, const fv_param *param, const char *format, ...)
{
  g_autofree char *why = NULL;
  va_list ap;
  va_start (ap, format);
  why = g_strdup_vprintf (format, ap);
  va_end (ap);
  step_error_set (w->error, FV_BAD_ARGUMENT, param->key, "%s: %s=%s: %s", w->step->op->fv.key, param->key,
                  derived_text (step_derived (w->step, param)), why);
  return FALSE;
}

/* " in slice 3 of frame 1", or "" of one plane. */
static char *
where_of (const Planes *planes, gint64 plane)
{
  static const char *const axes[] = {"frame", "channel", "slice"};
  g_autoptr (GString) s = g_string_new (NULL);
  for (int axis = 3; axis--; plane /= planes->length[axis])
    if (planes->length[axis] > 1)
      g_string_append_printf (s, "%s%s %" G_GINT64_FORMAT, s->len ? " of " : " in ", axes[axis],
                              plane % planes->length[axis] + (axis != 1)); /* channels count from 0 */
  return g_strdup (s->str);
}

/* ---- What earlier steps have found ---- */

static gboolean
is_constant (const Numbers *n, gint64 rows)
{
  for (gint64 i = 1; i < rows; i++)
    if (n->values[i * n->step] != n->values[0])
      return FALSE;
  return TRUE;
}

static void
find_numbers (const Run *run, const FoundLink *link, Numbers *n)
{
  const RunStep *from = run_result (run, link->step);
  const CallResult *r = &from->result;
  n->op = from->step->op;
  n->scalar = &n->op->fv.scalars[link->scalar];
  n->step = n->op->n_scalars;
  n->values = r->scalars ? r->scalars + link->scalar : NULL;
  memcpy (n->planes.length, r->scalar_shape, sizeof n->planes.length);
  if (n->values && is_constant (n, r->scalar_rows))
    n->planes = (Planes){{1, 1, 1}};
}

/* ---- Values ---- */

static gboolean
fits (const Work *w, const fv_param *param, const Numbers *n)
{
  if (!n->values)
    return fail (w, param, "%s has found no numbers in this run.", n->op->fv.key);
  for (int axis = 0; axis < 3; axis++)
    if (n->planes.length[axis] != 1 && n->planes.length[axis] != w->planes.length[axis])
      return fail (w, param,
                   "%s finds different values of %s in %" G_GINT64_FORMAT " frames, %" G_GINT64_FORMAT
                   " channels and %" G_GINT64_FORMAT " slices, which do not match the %" G_GINT64_FORMAT
                   ", %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT
                   " of the image here. Put it on an image like this one.",
                   n->op->fv.key, n->scalar->key, n->planes.length[0], n->planes.length[1], n->planes.length[2],
                   w->planes.length[0], w->planes.length[1], w->planes.length[2]);
  return TRUE;
}

static gboolean
compute (const Work *w, const fv_param *param, const Numbers *numbers, gint64 plane, double *value)
{
  const Derived *derived = step_derived (w->step, param);
  g_autofree double *found = g_new (double, derived_length (derived));
  g_autofree char *where = where_of (&w->planes, plane), *text = NULL;
  g_autoptr (GError) wrong = NULL;
  for (guint i = 0; i < derived_length (derived); i++) {
    const Numbers *n = &numbers[i];
    found[i] = n->values[index_of (&w->planes, plane, &n->planes) * n->step];
    if (isnan (found[i]))
      return fail (w, param, "%s has found no %s%s: it is NaN. Give a number instead, or change %s.", n->op->fv.key,
                   n->scalar->key, where, n->op->fv.key);
  }
  *value = step_derived_number (param, derived_value (derived, found));
  text = text_from_number (*value);
  if (!isfinite (*value))
    return fail (w, param, "it is %s%s, which is not a finite number.", text, where);
  if (!args_put_number (w->derived->args, param, *value, &wrong))
    return fail (w, param, "it is %s%s. %c%s", text, where, g_ascii_toupper (*wrong->message), wrong->message + 1);
  return TRUE;
}

/* For all planes, one parameter. */
static gboolean
compute_all (const Work *w, guint k, const Numbers *numbers)
{
  CallEach *each = &w->derived->each;
  const fv_param *param = each->params[k];
  for (guint i = 0; i < derived_length (step_derived (w->step, param)); i++)
    if (!fits (w, param, &numbers[i]))
      return FALSE;
  for (gint64 plane = 0; plane < each->planes; plane++)
    if (!compute (w, param, numbers, plane, &each->values[plane * each->n + k]))
      return FALSE;
  return TRUE;
}

/* ---- One for all planes, or one for each ---- */

static const char *
taken_together (fv_grain grain)
{
  return grain == FV_STACK   ? "all slices of a stack"
         : grain == FV_FRAME ? "all channels and slices of a frame"
                             : "all planes";
}

/* Whether planes that the step takes together have one value of each parameter. */
static gboolean
goes_with_grain (const Work *w, Image *first)
{
  const Op *op = w->step->op;
  const CallEach *each = &w->derived->each;
  const fv_grain grain = call_grain (op, w->derived->args);
  const gboolean alone = grain == FV_PLANES && op->fv.kind != FV_TABLE; /* each plane is a call */
  const gint64 together = alone ? 1 : each->planes / call_groups (grain, image_info (first));
  for (gint64 plane = 0; plane < each->planes; plane++)
    for (guint k = 0; k < each->n; k++) {
      const gint64 begin = plane / together * together;
      const double value = each->values[plane * each->n + k], other = each->values[begin * each->n + k];
      if (value == other)
        continue;
      g_autofree char *a = text_from_number (other), *b = text_from_number (value);
      return fail (w, each->params[k],
                   "it is %s and %s in two planes, but %s takes %s together and needs one value. Set volume= of both "
                   "steps to the same, where they have it.",
                   a, b, op->fv.key, taken_together (grain));
    }
  return TRUE;
}

/* Keeps one value of each parameter where all planes have the same. */
static void
reduce (CallEach *each)
{
  for (gint64 plane = 1; plane < each->planes; plane++)
    if (memcmp (each->values, each->values + plane * each->n, each->n * sizeof *each->values))
      return;
  each->planes = 1;
}

static RunDerived *
derived_new (const Step *step, gint64 planes)
{
  RunDerived *derived = g_atomic_rc_box_new0 (RunDerived);
  CallEach *each = &derived->each;
  derived->args = args_copy (step->op, step->args);
  each->params = g_new (const fv_param *, step->op->n_params);
  for (guint p = 0; p < step->op->n_params; p++)
    if (step->derived[p])
      each->params[each->n++] = &step->op->fv.params[p];
  each->planes = planes;
  each->values = g_new (double, planes *(gsize) each->n);
  return derived;
}

static gboolean
compute_step (Work *w, Image *first)
{
  CallEach *each = &w->derived->each;
  const Numbers *next = w->numbers;
  for (guint k = 0; k < each->n; k++) {
    if (!compute_all (w, k, next))
      return FALSE;
    next += derived_length (step_derived (w->step, each->params[k]));
  }
  reduce (each);
  for (guint k = 0; k < each->n; k++)
    args_put_number (w->derived->args, each->params[k], each->values[k], NULL);
  return each->planes == 1 || goes_with_grain (w, first);
}

RunDerived *
run_derived_from (const Run *run, guint i, Image *first, GError **error)
{
  const Step *step = run_result (run, i)->step;
  const guint n = step_founds (step);
  const ImageInfo *info = first ? image_info (first) : NULL;
  Work w = {.step = step, .planes = {{1, 1, 1}}, .error = error};
  g_autofree FoundLink *links = recipe_founds (run_recipe (run), i, error);
  g_autofree Numbers *numbers = w.numbers = g_new0 (Numbers, n);
  if (!links)
    return NULL;
  if (info)
    w.planes = (Planes){{info->frames, info->channels, info->depth}};
  for (guint k = 0; k < n; k++)
    find_numbers (run, &links[k], &numbers[k]);
  w.derived = derived_new (step, count (&w.planes));
  if (compute_step (&w, first))
    return w.derived;
  run_derived_unref (w.derived);
  return NULL;
}

/* The numbers that step i takes come from the device. */
static gboolean
settle_numbers (Run *run, guint i, GError **error)
{
  g_autofree FoundLink *links = recipe_founds (run_recipe (run), i, error);
  for (guint k = 0; links && k < step_founds (run_result (run, i)->step); k++) {
    RunStep *from = run_step_at (run, links[k].step);
    if (call_settle (from->step->op, &from->result, error))
      continue;
    run_step_forget (from);
    return FALSE;
  }
  return links != NULL;
}

gboolean
run_derive (Run *run, guint i, Image *first, GError **error)
{
  RunDerived *derived = settle_numbers (run, i, error) ? run_derived_from (run, i, first, error) : NULL;
  RunStep *to = run_step_at (run, i);
  if (!derived)
    return FALSE;
  g_clear_pointer (&to->derived, run_derived_unref);
  to->derived = derived;
  return TRUE;
}
