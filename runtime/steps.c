/* SPDX-License-Identifier: MIT
 */
#include "runtime/steps.h"

#include "runtime/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EPS 1e-6 /* of the format */

/* A list of steps that is being read. */
typedef struct Reader {
  Tree *tree;
  TreeNode *settings; /* of the step */
  const char *id;
  model_head *head;
  model_step *steps;
  gint32 *n;
  gboolean output;
} Reader;

typedef gboolean (*StepFunction) (Reader *r, GError **error);

static gboolean
refuse (const Reader *r, const char *why, GError **error)
{
  return model_error (error, "Its %s '%.40s' %s.", r->output ? "postprocessing" : "preprocessing", r->id, why);
}

static gboolean
add (Reader *r, model_step_kind kind, double a, double b, GError **error)
{
  if (*r->n == MODEL_STEPS)
    return refuse (r, "is one too many: 8 are possible", error);
  r->steps[(*r->n)++] = (model_step){kind, (float) a, (float) b};
  return TRUE;
}

/* Of a setting that may be a list of one number. */
static gboolean
has_number (const Reader *r, const char *key, double *number)
{
  TreeNode *node = tree_get (r->tree, r->settings, key);
  return tree_length (node) == 1 && tree_number (tree_item (r->tree, node, 0), number);
}

/* Not given: stays. FALSE: it is given, and no number. */
static gboolean
take_number (const Reader *r, const char *key, double *number)
{
  return !tree_get (r->tree, r->settings, key)
         || !tree_text (tree_item (r->tree, tree_get (r->tree, r->settings, key), 0)) || has_number (r, key, number);
}

/* Whether a statistic is that of whole planes: rows and columns together. */
static gboolean
takes_planes (const Reader *r)
{
  TreeNode *axes = tree_get (r->tree, r->settings, "axes");
  gboolean rows = FALSE, columns = FALSE;
  const char *letters = tree_text (axes);
  if (!axes || (!letters && !tree_is_list (axes)))
    return TRUE;
  for (guint i = 0; i < tree_length (axes) && !letters; i++) {
    const char *axis = tree_text (tree_item (r->tree, axes, i));
    rows |= !g_strcmp0 (axis, "y");
    columns |= !g_strcmp0 (axis, "x");
  }
  return letters ? strchr (letters, 'y') && strchr (letters, 'x') : rows && columns;
}

/* Earlier factors and statistics do not change what follows on a statistic. */
static gboolean
set_statistic (Reader *r, model_statistic statistic, double low, double high, GError **error)
{
  if (r->output)
    return refuse (r, "needs the whole result, which comes in tiles", error);
  if (!takes_planes (r))
    return refuse (r, "does not take whole planes", error);
  for (gint32 i = 0; i < *r->n; i++)
    if (r->steps[i].kind != MODEL_LINEAR || !(r->steps[i].a > 0))
      return refuse (r, "follows on a step that is not a positive factor", error);
  *r->n = 0;
  r->head->statistic = statistic;
  r->head->low = low;
  r->head->high = high;
  return TRUE;
}

/* ---- The steps of the format ---- */

static gboolean
do_nothing (Reader *r, GError **error)
{
  const char *type = tree_text (tree_get (r->tree, r->settings, "dtype"));
  return (type && g_str_has_prefix (type, "float"))
         || refuse (r, "makes integers; possible is float32 or float64", error);
}

static gboolean
binarize (Reader *r, GError **error)
{
  double threshold;
  return has_number (r, "threshold", &threshold) ? add (r, MODEL_BINARIZE, threshold, 0, error)
                                                 : refuse (r, "has no single threshold", error);
}

static gboolean
clip (Reader *r, GError **error)
{
  double low = -INFINITY, high = INFINITY;
  if (!take_number (r, "min", &low) || !take_number (r, "max", &high) || !(low <= high)
      || tree_text (tree_get (r->tree, r->settings, "min_percentile"))
      || tree_text (tree_get (r->tree, r->settings, "max_percentile")))
    return refuse (r, "has no numbers for its limits", error);
  return add (r, MODEL_CLIP, low, high, error);
}

static gboolean
scale_linear (Reader *r, GError **error)
{
  double gain = 1, offset = 0;
  if (!take_number (r, "gain", &gain) || !take_number (r, "offset", &offset))
    return refuse (r, "has several factors; one is possible", error);
  return add (r, MODEL_LINEAR, gain, offset, error);
}

static gboolean
sigmoid (Reader *r, GError **error)
{
  return add (r, MODEL_SIGMOID, 0, 0, error);
}

static gboolean
fixed_variance (Reader *r, GError **error)
{
  double mean, deviation;
  if (!has_number (r, "mean", &mean) || !has_number (r, "std", &deviation) || !(deviation > 0))
    return refuse (r, "has no single mean and standard deviation", error);
  return add (r, MODEL_LINEAR, 1 / (deviation + EPS), -mean / (deviation + EPS), error);
}

static gboolean
unit_variance (Reader *r, GError **error)
{
  if (!g_strcmp0 (tree_text (tree_get (r->tree, r->settings, "mode")), "fixed"))
    return fixed_variance (r, error);
  return set_statistic (r, MODEL_ZSCORE, 0, 0, error);
}

static gboolean
scale_range (Reader *r, GError **error)
{
  double low = 0, high = 100;
  if (tree_text (tree_get (r->tree, r->settings, "reference_tensor")))
    return refuse (r, "takes its range from another tensor", error);
  if (!take_number (r, "min_percentile", &low) || !take_number (r, "max_percentile", &high) || !(low >= 0)
      || !(low < high) || !(high <= 100))
    return refuse (r, "has percentiles that are not between 0 and 100", error);
  return set_statistic (r, MODEL_PERCENTILES, low, high, error);
}

static const struct {
  const char *id;
  StepFunction read;
} known[] = {{"ensure_dtype", do_nothing},
             {"binarize", binarize},
             {"clip", clip},
             {"scale_linear", scale_linear},
             {"sigmoid", sigmoid},
             {"fixed_zero_mean_unit_variance", fixed_variance},
             {"zero_mean_unit_variance", unit_variance},
             {"scale_range", scale_range}};

static gboolean
read_one (Reader *r, TreeNode *step, GError **error)
{
  const char *id = tree_text (tree_get (r->tree, step, "id")), *name = tree_text (tree_get (r->tree, step, "name"));
  r->id = id ? id : name ? name : "";
  r->settings = tree_get (r->tree, step, "kwargs");
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (!strcmp (r->id, known[i].id))
      return known[i].read (r, error);
  return refuse (r,
                 "is not known. Known are ensure_dtype, binarize, clip, scale_linear, sigmoid, scale_range, "
                 "zero_mean_unit_variance and fixed_zero_mean_unit_variance",
                 error);
}

static gboolean
read_list (Reader *r, TreeNode *list, GError **error)
{
  *r->n = 0;
  for (guint i = 0; i < tree_length (list); i++)
    if (tree_is_mapping (tree_item (r->tree, list, i)) && !read_one (r, tree_item (r->tree, list, i), error))
      return FALSE;
  return TRUE;
}

gboolean
steps_read_before (Tree *tree, TreeNode *list, model_head *head, GError **error)
{
  Reader r = {.tree = tree, .head = head, .steps = head->before, .n = &head->n_before};
  head->statistic = MODEL_AS_IS;
  return read_list (&r, list, error);
}

gboolean
steps_read_after (Tree *tree, TreeNode *list, model_head *head, GError **error)
{
  Reader r = {.tree = tree, .head = head, .steps = head->after, .n = &head->n_after, .output = TRUE};
  return read_list (&r, list, error);
}

/* ---- Doing them ---- */

static float
changed (const model_step *step, float v)
{
  switch ((model_step_kind) step->kind) {
  case MODEL_LINEAR: return step->a * v + step->b;
  case MODEL_CLIP: return v < step->a ? step->a : v > step->b ? step->b : v;
  case MODEL_BINARIZE: return v > step->a;
  case MODEL_SIGMOID: return 1 / (1 + expf (-v));
  }
  return v;
}

void
steps_do (const model_step *steps, gint32 n_steps, float *numbers, gint64 n)
{
  for (gint32 k = 0; k < n_steps; k++)
    for (gint64 i = 0; i < n; i++)
      numbers[i] = changed (&steps[k], numbers[i]);
}

static int
by_value (gconstpointer one, gconstpointer other)
{
  const float a = *(const float *) one, b = *(const float *) other;
  return (a > b) - (a < b);
}

/* Linear between the sorted numbers, as numpy.percentile() has it. */
static double
percentile (const float *sorted, gint64 n, double percent)
{
  const double at = percent / 100 * (double) (n - 1);
  const gint64 below = (gint64) at, above = below + 1 < n ? below + 1 : below;
  return sorted[below] + (at - (double) below) * (sorted[above] - (double) sorted[below]);
}

static void
find_limits (const model_head *head, const float *pixels, gint64 n, double *zero, double *width)
{
  double sum = 0, squares = 0;
  g_autofree float *finite = g_new (float, n + 1);
  gint64 m = 0;
  for (gint64 i = 0; i < n; i++)
    if (isfinite (pixels[i]))
      finite[m++] = pixels[i];
  *zero = 0;
  *width = 1;
  if (!m)
    return;
  if (head->statistic == MODEL_PERCENTILES) {
    qsort (finite, (size_t) m, sizeof *finite, by_value);
    *zero = percentile (finite, m, head->low);
    *width = percentile (finite, m, head->high) - *zero + EPS;
    return;
  }
  for (gint64 i = 0; i < m; i++)
    sum += finite[i];
  *zero = sum / (double) m;
  for (gint64 i = 0; i < m; i++)
    squares += (finite[i] - *zero) * (finite[i] - *zero);
  *width = sqrt (squares / (double) m) + EPS;
}

void
steps_do_before (const model_head *head, float *pixels, gint64 n)
{
  double zero = 0, width = 1;
  if (head->statistic != MODEL_AS_IS)
    find_limits (head, pixels, n, &zero, &width);
  for (gint64 i = 0; i < n; i++)
    pixels[i] = (float) ((pixels[i] - zero) / width);
  steps_do (head->before, head->n_before, pixels, n);
}
