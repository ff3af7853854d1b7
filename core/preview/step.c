/* SPDX-License-Identifier: MIT
 */
#include "core/preview/step.h"

#include "core/ops/args.h"
#include "core/selection/selection.h"

#include <math.h>
#include <string.h>

/* A value that would be out of its range stays. Slices are never halved. */
static void
shrink (gpointer args, const fv_param *p, double factor)
{
  const guint8 *at = (const guint8 *) args + p->offset;
  fv_axes axes;
  gint32 whole;
  double number;
  switch (p->type) {
  case FV_INT:
    memcpy (&whole, at, sizeof whole);
    whole = (gint32) lrint (whole * factor);
    args_put (args, p, &whole, NULL);
    return;
  case FV_FLOAT:
    memcpy (&number, at, sizeof number);
    number *= factor;
    args_put (args, p, &number, NULL);
    return;
  case FV_AXES:
    memcpy (&axes, at, sizeof axes);
    for (int i = axes.n == 3; i < axes.n; i++)
      axes.v[i] *= factor;
    args_put (args, p, &axes, NULL);
    return;
  default: return;
  }
}

/* A nonzero number of pixels never becomes 0, which may mean unlimited. */
static void
shrink_count (gpointer args, const fv_param *p, double factor)
{
  gint32 before, after;
  memcpy (&before, (const guint8 *) args + p->offset, sizeof before);
  shrink (args, p, factor);
  memcpy (&after, (const guint8 *) args + p->offset, sizeof after);
  if (p->type == FV_INT && before > 0 && after == 0)
    args_put (args, p, &(gint32){1}, NULL);
}

/* Of an operation that looks around several times first the times are fewer; the factor that is left for its lengths. */
static double
shrink_times (const Op *op, gpointer args, double factor)
{
  gint32 before, after;
  for (guint i = 0; i < op->n_params && op->fv.kind == FV_LOCAL; i++) {
    const fv_param *p = &op->fv.params[i];
    if (p->type != FV_INT || strcmp (p->key, "iterations"))
      continue;
    memcpy (&before, (const guint8 *) args + p->offset, sizeof before);
    after = MAX (1, (gint32) lrint (before * factor));
    if (args_put (args, p, &after, NULL))
      return factor * before / after;
  }
  return factor;
}

static char *
move_selection (const char *text, double factor, const ImageRegion *region)
{
  g_autoptr (Selection) selection = selection_parse (text, NULL);
  if (!selection)
    return g_strdup (text);
  for (guint i = 0; i < selection->n_points; i++) {
    SelectionPoint *p = &selection->points[i];
    *p = (SelectionPoint){p->x * factor - (double) region->column, p->y * factor - (double) region->row};
  }
  return selection_format (selection);
}

Step *
preview_step (const Step *from, guint level, const ImageRegion *region)
{
  Step *step = step_copy (from);
  const double factor = ldexp (1, -(int) level), left = shrink_times (step->op, step->args, factor);
  for (guint i = 0; i < step->op->n_params && level; i++) {
    const fv_param *p = &step->op->fv.params[i];
    if (!g_strcmp0 (p->unit, FV_PIXELS))
      shrink (step->args, p, left);
    else if (!g_strcmp0 (p->unit, FV_PIXEL_COUNT))
      shrink_count (step->args, p, factor * factor);
  }
  for (guint k = 0; k < step->op->n_inputs; k++)
    if (step_input_is_selection (step->inputs[k])) {
      char *moved = move_selection (step->inputs[k], factor, region);
      g_free (step->inputs[k]);
      step->inputs[k] = moved;
    }
  return step;
}
