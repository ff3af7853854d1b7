/* SPDX-License-Identifier: MIT
 *
 * What every operation must keep, from its declaration alone: ranges, help, sizes, types, NaN, ends of every parameter, errors that name the field,
 * cancelling, untouched inputs, no write outside the pixels, reproducibility. test_devices.c compares devices.
 */
#include "core/ops/args.h"
#include "core/base/error.h"
#include "tests/support/op_inputs.h"
#include "tests/support/raw_call.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

static const Size sizes[] = {{1, 1, 1, 1}, {1, 1, 1, 37}, {1, 1, 41, 1}, {1, 1, 31, 67}, {1, 3, 13, 17}};

/* ---- The declaration ---- */

static void
check_sentence (const char *where, const char *text)
{
  if (!text || !*text || !g_str_has_suffix (text, ".") || strstr (text, ".."))
    g_error ("%s: help is not a sentence: %s", where, text ? text : "(none)");
}

static void
test_declaration (gconstpointer data)
{
  const Op *op = data;
  check_sentence (op->fv.key, op->fv.help);
  for (guint i = 0; i < op->n_scalars; i++)
    check_sentence (op->fv.scalars[i].key, op->fv.scalars[i].help);
  for (guint i = 0; i < op->n_params; i++) {
    const fv_param *p = &op->fv.params[i];
    g_autofree char *where = g_strdup_printf ("%s %s", op->fv.key, p->key);
    gboolean limited = p->min != 0 || p->max != 0, soft = p->soft_min != 0 || p->soft_max != 0;
    check_sentence (where, p->help);
    if (p->type == FV_INT && !p->choices)
      g_assert_true (limited);
    if (soft && (p->type == FV_INT || p->type == FV_FLOAT) && !p->choices) {
      g_assert_cmpfloat (p->def, >=, limited ? p->min : p->def);
      g_assert_cmpfloat (p->def, <=, limited ? p->max : p->def);
    }
    for (const fv_choice *c = p->choices; c && c->key; c++) {
      g_assert_nonnull (c->label);
      check_sentence (where, c->help);
    }
    if (p->enabled) {
      g_auto (GStrv) parts = g_strsplit (p->enabled, "=", 2);
      g_assert_nonnull (args_param (op, parts[0]));
    }
  }
}

/* ---- Arguments ---- */

static void
test_arguments (gconstpointer data)
{
  const Op *op = data;
  g_autofree gpointer args = args_new (op, NULL);
  for (guint i = 0; i < op->n_params; i++) {
    const fv_param *p = &op->fv.params[i];
    g_autoptr (GError) error = NULL;
    g_autofree char *value = args_get (args, p), *above = NULL;
    /* text -> arguments -> text is a fixed point */
    g_assert_true (args_set (op, args, p->key, value, &error));
    g_autofree char *again = args_get (args, p);
    g_assert_cmpstr (value, ==, again);
    if (p->type != FV_TEXT) {
      g_assert_false (args_set (op, args, p->key, "nonsense!", &error));
      g_assert_cmpstr (step_error_field (error), ==, p->key);
      g_assert_nonnull (strstr (error->message, p->key));
      g_clear_error (&error);
    }
    if ((p->min != 0 || p->max != 0) && isfinite (p->max) && !p->choices && p->type != FV_BOOL) {
      above = g_strdup_printf ("%.17g", p->max + MAX (1, fabs (p->max)));
      g_assert_false (args_set (op, args, p->key, above, &error));
      g_assert_cmpstr (step_error_field (error), ==, p->key);
    }
  }
}

/* Runs with the arguments: done, or an error that names a parameter or an input. */
static void
run_or_named_error (const Op *op, gconstpointer args, Image **inputs, const char *what)
{
  Device *cpu = modules_device (test_modules (), "cpu", NULL);
  g_autoptr (GError) error = NULL;
  CallResult result;
  if (op_output_is_huge (op, args, inputs))
    return;
  if (call_with_tables (op, args, inputs, cpu, NULL, &result, &error))
    call_result_clear (&result);
  else if (!*step_error_field (error))
    g_error ("%s %s: an error without a field: %s", op->fv.key, what, error->message);
}

static void
try_value (const Op *op, const fv_param *p, const char *text, Image **inputs)
{
  g_autofree gpointer args = args_new (op, NULL);
  g_autofree char *what = g_strdup_printf ("%s=%s", p->key, text);
  if (args_set (op, args, p->key, text, NULL))
    run_or_named_error (op, args, inputs, what);
}

static void
test_parameter_ends (gconstpointer data)
{
  const Op *op = data;
  for (guint s = 3; s < G_N_ELEMENTS (sizes); s++) {
    Image *inputs[OP_INPUTS] = {NULL};
    op_inputs_make (op, op->fv.inputs[0].types & FV_U8 ? FV_U8 : FV_I32, sizes[s], 7, inputs);
    for (guint i = 0; i < op->n_params; i++) {
      const fv_param *p = &op->fv.params[i];
      const double ends[] = {p->min, p->max, p->soft_min, p->soft_max};
      for (guint k = 0; k < G_N_ELEMENTS (ends) && !p->choices && p->type != FV_BOOL; k++) {
        g_autofree char *text = g_strdup_printf ("%.17g", ends[k]);
        try_value (op, p, text, inputs);
      }
      for (const fv_choice *c = p->choices; c && c->key; c++)
        try_value (op, p, c->key, inputs);
      if (p->type == FV_BOOL) {
        try_value (op, p, "yes", inputs);
        try_value (op, p, "no", inputs);
      }
    }
    op_inputs_free (op, inputs);
  }
}

/* ---- Pixels ---- */

static gboolean
is_shipped (const Op *op)
{
  static Modules *shipped;
  if (!shipped)
    shipped = modules_new_shipped ();
  return modules_op (shipped, op->fv.key, NULL) != NULL;
}

/* The same as a call with padded rows and poison; inputs and everything around the outputs untouched; twice the same. */
static void
check_raw (const Op *op, gconstpointer args, Image **inputs)
{
  Device *cpu = modules_device (test_modules (), "cpu", NULL);
  g_autoptr (GError) error = NULL;
  CallResult dense;
  RawResult raw;

  call_with_tables (op, args, inputs, cpu, NULL, &dense, &error);
  /* A user's operation may reject its default for so small an image; built-in ones take any. */
  if (error && *step_error_field (error) && !is_shipped (op))
    return;
  g_assert_no_error (error);
  raw_call (op, args, inputs, NULL, 0, &raw);
  g_assert_cmpint (raw.status, ==, FV_OK);
  for (guint i = 0; i < op->n_outputs; i++) {
    gsize plane = image_info_plane_bytes (image_info (dense.images[i]));
    for (gint64 p = 0; p < image_info_planes (image_info (dense.images[i])); p++)
      g_assert_true (!memcmp (raw.outputs[i] + (gsize) p * plane, image_plane (dense.images[i], p, NULL), plane));
  }
  g_assert_true (!op->n_scalars || !memcmp (raw.scalars, dense.scalars, raw.n_scalars * sizeof (double)));
  raw_result_clear (&raw);
  call_result_clear (&dense);
}

static void
test_types_and_sizes (gconstpointer data)
{
  const Op *op = data;
  g_autofree gpointer args = args_new (op, NULL);
  for (guint type = FV_U8; type <= FV_F64; type <<= 1)
    for (guint s = 0; s < G_N_ELEMENTS (sizes) && op->fv.inputs[0].types & type; s++) {
      Image *inputs[OP_INPUTS] = {NULL};
      fv_grain grain = op->fv.grain ? op->fv.grain (op->declared, args) : FV_PLANES;
      op_inputs_make (op, type, sizes[s], type + s, inputs);
      if (grain != FV_STACK || sizes[s].depth == 1)
        check_raw (op, args, inputs);
      /* optional inputs left out */
      for (guint i = 1; i < op->n_inputs; i++)
        if (op->fv.inputs[i].optional)
          g_clear_pointer (&inputs[i], image_unref);
      run_or_named_error (op, args, inputs, "without optional inputs");
      op_inputs_free (op, inputs);
    }
}

/* A request to stop at the first tick is heard, and there are ticks. */
static void
test_cancel (gconstpointer data)
{
  const Op *op = data;
  g_autofree gpointer args = args_new (op, NULL);
  Image *inputs[OP_INPUTS] = {NULL};
  RawResult result;
  op_inputs_make (op, op->fv.inputs[0].types & FV_U8 ? FV_U8 : FV_I32, (Size){1, 1, 700, 600}, 1, inputs);
  raw_call (op, args, inputs, NULL, 1, &result);
  /* With several threads the one that may tick can come too late for all parts of so small an image. */
  if (!g_strcmp0 (g_getenv ("OMP_NUM_THREADS"), "1"))
    g_assert_cmpint (result.ticks, >, 0);
  if (result.asked_early)
    g_assert_cmpint (result.status, ==, FV_CANCELLED);
  raw_result_clear (&result);
  op_inputs_free (op, inputs);
}

static void
test_nan_and_infinity (gconstpointer data)
{
  static const double odd[] = {NAN, INFINITY, -INFINITY, 0, -0.0, 1e-310, 1e38, -1e38};
  const Op *op = data;
  g_autofree gpointer args = args_new (op, NULL);
  for (guint type = FV_F32; type <= FV_F64; type <<= 1)
    for (guint all = 0; all <= 1; all++) {
      Image *inputs[OP_INPUTS] = {NULL};
      if (!(op->fv.inputs[0].types & type))
        continue;
      op_inputs_make (op, type, (Size){1, 1, 19, 23}, 3, inputs);
      for (gint64 i = 0; i < 19 * 23; i += all ? 1 : 7) {
        double value = all ? NAN : odd[i % G_N_ELEMENTS (odd)];
        if (type == FV_F32)
          ((float *) image_pixels (inputs[0]))[i] = (float) value;
        else
          ((double *) image_pixels (inputs[0]))[i] = value;
      }
      run_or_named_error (op, args, inputs, "with NaN");
      op_inputs_free (op, inputs);
    }
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *name;
    void (*test) (gconstpointer op);
  } tests[] = {
    {"declaration", test_declaration},         {"arguments", test_arguments}, {"parameter-ends", test_parameter_ends},
    {"types-and-sizes", test_types_and_sizes}, {"cancel", test_cancel},       {"nan", test_nan_and_infinity},
  };
  const GPtrArray *ops = modules_ops (test_modules ());
  init_tests (&argc, &argv);
  g_assert_cmpint (ops->len, >, 0);
  for (guint i = 0; i < ops->len; i++)
    for (guint t = 0; t < G_N_ELEMENTS (tests); t++) {
      const Op *op = ops->pdata[i];
      g_autofree char *path = g_strdup_printf ("/all-ops/%s/%s", op->fv.key, tests[t].name);
      g_test_add_data_func (path, op, tests[t].test);
    }
  return g_test_run ();
}
