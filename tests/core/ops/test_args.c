/* SPDX-License-Identifier: MIT
 *
 * Arguments as they are typed: ranges with one end or none, older keys, conditions on several others.
 */
#include "core/ops/args.h"

#include "core/base/error.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

typedef struct {
  double least, most, free, limit;
  int32_t count, method;
  bool volume;
  double weight;
} typed_args;

static fv_status
run (const fv_call *call, fv_error *error)
{
  (void) call, (void) error;
  return FV_OK;
}

static const fv_choice methods[] = {{"manual", "Manual", NULL}, {"otsu", "Otsu", NULL}, {"li", "Li", NULL}, {0}};

static const fv_op typed = {
  FV_OP (typed_args),
  .key = "typed",
  .aliases = "written,scribbled",
  .label = "Typed",
  .help = "Nothing.",
  .kind = FV_POINT,
  .inputs = (const fv_input[]){{"image", "Image", NULL, FV_U8, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Image"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (typed_args, least), .label = "L", .help = "L.", .min = 1, .max = INFINITY, .def = 2, .unit = "px"},
      {FV_FIELD (typed_args, most), .label = "M", .help = "M.", .min = -INFINITY, .max = -1, .def = -1},
      {FV_FIELD (typed_args, free), .label = "F", .help = "F."},
      {FV_FIELD (typed_args, limit), .label = "L", .help = "L.", .min = 0, .max = INFINITY, .def = INFINITY,
       .open = true},
      {FV_FIELD (typed_args, count), .aliases = "number,times", .label = "C", .help = "C.", .min = 1, .max = INFINITY,
       .def = 3},
      {FV_FIELD (typed_args, method), .label = "M", .help = "M.", .choices = methods},
      {FV_FIELD (typed_args, volume), .label = "V", .help = "V."},
      {FV_FIELD (typed_args, weight), .label = "W", .help = "W.", .enabled = "method=otsu|li & volume=yes"},
      {0}},
  .run = {[FV_CPU] = run},
};
static const fv_op *const ops[] = {&typed, NULL};
static const fv_plugin plugin = {
  .size = sizeof (fv_plugin), .abi = FV_ABI, .name = "typed", .version = "1.0", .ops = ops};

static const Op *
op_by (const char *key)
{
  g_autoptr (GError) error = NULL;
  static gboolean added;
  if (!added) {
    modules_add (test_modules (), &plugin, &error);
    g_assert_no_error (error);
    added = TRUE;
  }
  const Op *op = modules_op (test_modules (), key, &error);
  g_assert_no_error (error);
  return op;
}

/* wrong: a part of the sentence with which the value is refused; NULL: it is taken. */
static void
check (const char *key, const char *value, const char *wrong)
{
  const Op *op = op_by ("typed");
  g_autofree gpointer args = args_new (op, NULL);
  g_autoptr (GError) error = NULL;
  gboolean taken = args_set (op, args, key, value, &error);
  g_assert_cmpint (taken, ==, wrong == NULL);
  if (taken) {
    g_autofree char *again = args_get (args, args_param (op, key));
    g_assert_cmpstr (again, ==, value);
  } else if (!strstr (error->message, wrong))
    g_error ("'%s' lacks '%s'", error->message, wrong);
}

static void
test_ranges (void)
{
  check ("least", "1", NULL);
  check ("least", "1e+300", NULL);
  check ("least", "0.5", "least must be at least 1 px, not 0.5.");
  check ("least", "inf", "must be a number with a decimal point, not 'inf'");
  check ("most", "-1e+300", NULL);
  check ("most", "0", "most must be at most -1, not 0.");
  check ("free", "-1e+300", NULL);
  check ("free", "-inf", "must be a number");
  check ("limit", "inf", NULL);
  check ("limit", "0", NULL);
  check ("limit", "-inf", "limit must be at least 0, not -inf.");
  check ("limit", "nan", "a number with a decimal point, inf or -inf, not 'nan'");
  check ("limit", "1e999", "a number with a decimal point, inf or -inf, not '1e999'");
  check ("count", "2147483647", NULL);
  check ("count", "2147483648", "must be an integer");
  check ("count", "0", "count must be at least 1, not 0.");
}

static void
test_aliases (void)
{
  static const char *const once[] = {"times=5", "least=2", "volume=yes", "as=count", NULL};
  static const char *const twice[] = {"times=5", "least=2", "count=6", NULL}, *const same[] = {"least=2", "least=2",
                                                                                               NULL};
  const Op *op = op_by ("scribbled");
  g_autofree gpointer args = args_new (op, NULL);
  g_autoptr (GError) error = NULL;
  g_assert_true (op == op_by ("typed") && op == op_by ("written"));
  g_assert_true (args_set (op, args, "times", "5", NULL));
  g_autofree char *text = args_format (op, args, NULL);
  g_assert_cmpstr (text, ==, "count=5");
  g_assert_true (args_check_once (op, once, NULL));
  g_assert_false (args_check_once (op, twice, &error));
  g_assert_cmpstr (error->message, ==, "count is given twice, as 'times=5' and as 'count=6'.");
  g_assert_cmpstr (step_error_field (error), ==, "count");
  g_assert_false (args_check_once (op, same, NULL));
}

/* Where steps are read it is an error, too. */
static void
test_twice (void)
{
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 1, 1, 4, 4, 1);
  g_autoptr (GError) error = NULL;
  CallResult result;
  op_by ("typed");
  g_assert_false (
    run_step ("typed number=5 count=6", image, NULL, modules_device (test_modules (), "cpu", NULL), &result, &error));
  g_assert_nonnull (strstr (error->message, "count is given twice, as 'number=5' and as 'count=6'"));
}

static void
test_conditions (void)
{
  static const struct {
    const char *method, *volume;
    gboolean enabled;
  } cases[] = {{"otsu", "yes", TRUE}, {"li", "yes", TRUE}, {"manual", "yes", FALSE}, {"otsu", "no", FALSE}};
  const Op *op = op_by ("typed");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree gpointer args = args_new (op, NULL);
    g_assert_true (args_set (op, args, "method", cases[i].method, NULL));
    g_assert_true (args_set (op, args, "volume", cases[i].volume, NULL));
    g_assert_cmpint (args_enabled (op, args, args_param (op, "weight")), ==, cases[i].enabled);
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/args/ranges", test_ranges);
  g_test_add_func ("/args/aliases", test_aliases);
  g_test_add_func ("/args/twice", test_twice);
  g_test_add_func ("/args/conditions", test_conditions);
  return g_test_run ();
}
