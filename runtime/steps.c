/* SPDX-License-Identifier: MIT
 */
#include "runtime/steps.h"

#include "runtime/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the format, and of bioimageio.core, which makes test outputs, even where a step names another. */
#define EPS 1e-6

/* A list of steps that is being read. */
typedef struct Reader {
  Tree *tree;
  TreeNode *settings; /* of the step */
  const char *id;
  model_head *head;
  model_step *steps;
  gint32 *n;
  gboolean output;
  gboolean one_channel; /* a statistic follows on one of each channel, and would be that of all */
} Reader;

typedef gboolean (*StepFunction) (Reader *r, GError **error);

static gboolean
refuse (const Reader *r, const char *why, GError **error)
{
  return model_error (error, "Its %s '%.40s' %s.", r->output ? "postprocessing" : "preprocessing", r->id, why);
}

static gboolean
add (Reader *r, model_step_kind kind, const double a[MODEL_INPUTS], const double b[MODEL_INPUTS], GError **error)
{
  if (*r->n == MODEL_STEPS)
    return refuse (r, "is one too many: 8 are possible", error);
  model_step *step = &r->steps[(*r->n)++];
  step->kind = kind;
  for (guint i = 0; i < MODEL_INPUTS; i++) {
    step->a[i] = (float) a[i];
    step->b[i] = (float) b[i];
  }
  return TRUE;
}

/* A step with the same numbers for all channels. */
static gboolean
add_same (Reader *r, model_step_kind kind, double a, double b, GError **error)
{
  double all_a[MODEL_INPUTS], all_b[MODEL_INPUTS];
  for (guint i = 0; i < MODEL_INPUTS; i++) {
    all_a[i] = a;
    all_b[i] = b;
  }
  return add (r, kind, all_a, all_b, error);
}

/* Of a setting that may be a list of one number. */
static gboolean
has_number (const Reader *r, const char *key, double *number)
{
  TreeNode *node = tree_get (r->tree, r->settings, key);
  return tree_length (node) == 1 && tree_number (tree_item (r->tree, node, 0), number);
}

/* One number for all channels, or one for each. Not given: they stay. FALSE: they are given, and are others. */
static gboolean
take_numbers (Reader *r, const char *key, double numbers[MODEL_INPUTS])
{
  TreeNode *node = tree_get (r->tree, r->settings, key);
  const guint n = tree_length (node);
  if (!node || !tree_text (tree_item (r->tree, node, 0)))
    return TRUE;
  if (n > (r->output ? 1 : MODEL_INPUTS) || (n > 1 && r->head->factors > 1 && n != (guint) r->head->factors))
    return FALSE;
  for (guint i = 0; i < MODEL_INPUTS; i++)
    if (!tree_number (tree_item (r->tree, node, i < n ? i : 0), &numbers[i]))
      return FALSE;
  r->head->factors = MAX (r->head->factors, (gint32) n);
  return TRUE;
}

/* Not given: stays. FALSE: it is given, and no number. */
static gboolean
take_number (const Reader *r, const char *key, double *number)
{
  return !tree_get (r->tree, r->settings, key)
         || !tree_text (tree_item (r->tree, tree_get (r->tree, r->settings, key), 0)) || has_number (r, key, number);
}

/* Whether a statistic is that of all positions along an axis together. Where no axes are named it is that of all. */
static gboolean
is_over (const Reader *r, const char *axis)
{
  TreeNode *axes = tree_get (r->tree, r->settings, "axes");
  const char *letters = tree_text (axes);
  if (letters || !tree_is_list (axes))
    return !letters || strchr (letters, *axis);
  for (guint i = 0; i < tree_length (axes); i++)
    if (!g_strcmp0 (tree_text (tree_item (r->tree, axes, i)), axis))
      return TRUE;
  return FALSE;
}

static gboolean
is_positive_factor (const model_step *step)
{
  gboolean positive = step->kind == MODEL_LINEAR;
  for (guint i = 0; i < MODEL_INPUTS; i++)
    positive &= step->a[i] > 0;
  return positive;
}

/* Earlier factors and statistics do not change what follows on a statistic, unless they are of each channel and it is of all. */
static gboolean
set_statistic (Reader *r, model_statistic statistic, double low, double high, GError **error)
{
  if (r->output)
    return refuse (r, "needs the whole result, which comes in tiles", error);
  if (!is_over (r, "y") || !is_over (r, "x"))
    return refuse (r, "does not take whole planes", error);
  if (is_over (r, "channel") && r->head->factors > 1)
    return refuse (r, "follows on a step with a factor for each channel", error);
  for (gint32 i = 0; i < *r->n; i++)
    if (!is_positive_factor (&r->steps[i]))
      return refuse (r, "follows on a step that is not a positive factor", error);
  if (is_over (r, "channel"))
    r->one_channel |= r->head->statistic != MODEL_AS_IS && !r->head->together;
  *r->n = 0;
  r->head->factors = 1;
  r->head->together = is_over (r, "channel");
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
  return has_number (r, "threshold", &threshold) ? add_same (r, MODEL_BINARIZE, threshold, 0, error)
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
  return add_same (r, MODEL_CLIP, low, high, error);
}

static gboolean
scale_linear (Reader *r, GError **error)
{
  double gain[MODEL_INPUTS] = {1, 1, 1, 1, 1, 1, 1, 1}, offset[MODEL_INPUTS] = {0};
  if (!take_numbers (r, "gain", gain) || !take_numbers (r, "offset", offset))
    return refuse (r, "needs one number, or one for each channel of the input", error);
  return add (r, MODEL_LINEAR, gain, offset, error);
}

static gboolean
sigmoid (Reader *r, GError **error)
{
  return add_same (r, MODEL_SIGMOID, 0, 0, error);
}

static gboolean
fixed_variance (Reader *r, GError **error)
{
  double mean[MODEL_INPUTS] = {NAN}, deviation[MODEL_INPUTS] = {NAN};
  if (!take_numbers (r, "mean", mean) || !take_numbers (r, "std", deviation))
    return refuse (r, "needs one mean and standard deviation, or one for each channel of the input", error);
  for (guint i = 0; i < MODEL_INPUTS; i++) {
    if (!isfinite (mean[i]) || !(deviation[i] > 0))
      return refuse (r, "has no mean, or no standard deviation above 0", error);
    mean[i] /= -(deviation[i] + EPS);
    deviation[i] = 1 / (deviation[i] + EPS);
  }
  return add (r, MODEL_LINEAR, deviation, mean, error);
}

static gboolean
unit_variance (Reader *r, GError **error)
{
  const char *mode = tree_text (tree_get (r->tree, r->settings, "mode"));
  if (mode ? !strcmp (mode, "fixed") : tree_get (r->tree, r->settings, "mean") != NULL) /* 0.4 may leave it out */
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
steps_read_before (Tree *tree, TreeNode *list, model_head *head, gboolean *one_channel, GError **error)
{
  Reader r = {.tree = tree, .head = head, .steps = head->before, .n = &head->n_before};
  head->statistic = MODEL_AS_IS;
  head->factors = 1;
  const gboolean done = read_list (&r, list, error);
  *one_channel = r.one_channel;
  return done;
}

gboolean
steps_read_after (Tree *tree, TreeNode *list, model_head *head, GError **error)
{
  Reader r = {.tree = tree, .head = head, .steps = head->after, .n = &head->n_after, .output = TRUE};
  return read_list (&r, list, error);
}

/* ---- Doing them ---- */

static float
changed (const model_step *step, gint32 channel, float v)
{
  const float a = step->a[channel], b = step->b[channel];
  switch ((model_step_kind) step->kind) {
  case MODEL_LINEAR: return a * v + b;
  case MODEL_CLIP: return v < a ? a : v > b ? b : v;
  case MODEL_BINARIZE: return v > a;
  case MODEL_SIGMOID: return 1 / (1 + expf (-v));
  }
  return v;
}

static void
do_steps (const model_step *steps, gint32 n_steps, gint32 channel, float *numbers, gint64 n)
{
  for (gint32 k = 0; k < n_steps; k++)
    for (gint64 i = 0; i < n; i++)
      numbers[i] = changed (&steps[k], channel, numbers[i]);
}

void
steps_do_after (const model_head *head, float *numbers, gint64 n)
{
  do_steps (head->after, head->n_after, 0, numbers, n);
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

/* Of n pixels that have the same limits. */
static void
normalize (const model_head *head, float *pixels, gint64 n)
{
  double zero = 0, width = 1;
  if (head->statistic != MODEL_AS_IS)
    find_limits (head, pixels, n, &zero, &width);
  for (gint64 i = 0; i < n; i++)
    pixels[i] = (float) ((pixels[i] - zero) / width);
}

void
steps_do_before (const model_head *head, float *pixels, gint64 n)
{
  for (gint32 channel = 0; channel < head->inputs && !head->together; channel++)
    normalize (head, pixels + channel * n, n);
  if (head->together)
    normalize (head, pixels, head->inputs * n);
  for (gint32 channel = 0; channel < head->inputs; channel++)
    do_steps (head->before, head->n_before, channel, pixels + channel * n, n);
}
