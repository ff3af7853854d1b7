/* SPDX-License-Identifier: MIT
 *
 * expression: what is wrong in a formula and at which column, its limits, inputs that do not go together, and what parameters and
 * neighbors give; numbers by hand.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

#include <locale.h>
#include <math.h>

static gboolean
run (const char *formula, const char *options, Image *a, Image *b, Device *device, CallResult *result, GError **error)
{
  g_autofree char *text = g_strdup_printf ("expression expression=\"%s\" %s", formula, options);
  return run_step (text, a, b, device, result, error);
}

static void
test_wrong (void)
{
  static const struct {
    const char *formula, *message;
  } wrong[] = {
    {"a +", "Column 4: a value is missing at the end."},
    {"a + * 2", "Column 5: expected a value here, not '*'."},
    {"a + f(a)", "Column 5: unknown function f()."},
    {"a + width2", "Column 5: unknown name 'width2'; known are a, b, c, d, p, q, r, s, x, y,"},
    {"time * 2", "Column 1: unknown name 'time'"},
    {"(a + 1", "Column 7: a ')' is missing."},
    {"a + 1)", "Column 6: expected an operator here."},
    {"a 2", "Column 3: expected an operator here."},
    {"2a", "Column 2: '2a' is not a number."},
    {"1e5e", "Column 4: '1e5e' is not a number."},
    {"sqrt(a, b)", "Column 1: sqrt() takes 1 value, not 2."},
    {"where(a > 1, 2)", "Column 1: where() takes 3 values, not 2."},
    {"clip(a, 1, 2, 3)", "clip() does not take as many values."},
    {"sqrt(a", "Column 7: a ')' is missing for sqrt(."},
    {"1 + sqrt", "Column 5: sqrt is a function"},
    {"a > 1 & b > 2", "Column 7: & is for truth values"},
    {"a | 1", "Column 3: | is for truth values"},
    {"a ^ 2", "Column 3: ^ is for truth values; a power is written a ** 2."},
    {"~a", "Column 1: ~ is for truth values"},
    {"a && b", "Column 3: it is written 'and' or &."},
    {"a || b", "Column 3: it is written 'or' or |."},
    {"!a", "Column 1: expected a value here, not '!'."},
    {"a = 2", "Column 3: the expression is the result itself"},
    {"a[1]", "Column 4: a neighbor has two numbers: a[dx,dy]."},
    {"a[1,2", "Column 6: a ']' is missing for a[."},
    {"a[0.5,0]", "Column 3: a neighbor is given by integers from -1024 to 1024."},
    {"a[p,0]", "Column 3: a neighbor is given by integers"},
    {"a[1025,0]", "Column 3: a neighbor is given by integers"},
    {"a + µ", "Column 5: expected a value here, not 'µ'."},
    {"a * 'µm'", "Column 5: expected a value here"},
    {"   ", "The expression is empty"},
  };
  Device *cpu = modules_device (test_modules (), "cpu", NULL);
  g_autoptr (Image) a = image_random (FV_F32, FV_IMAGE, 1, 1, 3, 4, 1),
                    b = image_random (FV_F32, FV_IMAGE, 1, 1, 3, 4, 2);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (GError) error = NULL;
    CallResult result;
    g_assert_false (run (wrong[i].formula, "", a, b, cpu, &result, &error));
    if (!strstr (error->message, wrong[i].message))
      g_error ("%s: '%s' and not '%s'", wrong[i].formula, error->message, wrong[i].message);
    g_assert_cmpstr (step_error_field (error), ==, "expression");
  }
}

/* What no stack and no table can hold is refused before it is tried. */
static void
test_limits (void)
{
  Device *cpu = modules_device (test_modules (), "cpu", NULL);
  g_autoptr (Image) a = image_random (FV_F32, FV_IMAGE, 1, 1, 3, 4, 1);
  static const char *const deep[] = {"(", "-", "sqrt(", "2**", "not ", "~", "a[0,", "where(1,2,"};
  for (guint i = 0; i < G_N_ELEMENTS (deep); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (GString) formula = g_string_new (NULL);
    CallResult result;
    while (formula->len + strlen (deep[i]) < 2000)
      g_string_append (formula, deep[i]);
    g_assert_false (run (formula->str, "", a, NULL, cpu, &result, &error));
    g_assert_cmpstr (step_error_field (error), ==, "expression");
    g_assert_nonnull (strstr (error->message, "nested deeper than 64 levels"));
  }
  g_autoptr (GString) many = g_string_new ("a");
  g_autoptr (GError) error = NULL;
  CallResult result;
  for (int i = 0; i < 450; i++)
    g_string_append_printf (many, "*%d", i % 10 + 1);
  run (many->str, "", a, NULL, cpu, &result, &error); /* equal numbers are one value */
  g_assert_no_error (error);
  call_result_clear (&result);
  g_string_assign (many, "a");
  for (int i = 0; i < 400; i++)
    g_string_append_printf (many, "*%d", i);
  g_assert_false (run (many->str, "", a, NULL, cpu, &result, &error));
  g_assert_nonnull (strstr (error->message, "more than 512 different values"));
}

static void
test_inputs (void)
{
  Device *cpu = modules_device (test_modules (), "cpu", NULL);
  g_autoptr (Image) a = image_random (FV_F32, FV_IMAGE, 1, 1, 3, 4, 1),
                    b = image_random (FV_F32, FV_IMAGE, 1, 1, 4, 3, 2);
  g_autoptr (GError) error = NULL;
  CallResult result;
  g_assert_false (run ("a + b", "", a, NULL, cpu, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "b");
  g_assert_nonnull (strstr (error->message, "The expression uses b, which is not given."));
  g_clear_error (&error);
  g_assert_false (run ("a + b", "", a, b, cpu, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "b");
  g_assert_nonnull (
    strstr (error->message, "b: It is 3 x 4 x 1 x 1, the first image 4 x 3 x 1 x 1; columns and rows must be equal"));
  g_clear_error (&error);
  g_assert_true (run ("a + 0 * p", "", a, b, cpu, &result, &error)); /* it is not asked for */
  call_result_clear (&result);
}

/* Bits are of whole numbers of the image's type, and stay in it. */
static void
test_bits (Device *device)
{
  const double pixels[] = {0, 1, 2, 254, 255, 6}, both[] = {0, 0, 2, 2, 2, 2};
  g_autoptr (Image) a = image_of (FV_U8, FV_IMAGE, 2, 3, pixels), floats = image_of (FV_F32, FV_IMAGE, 2, 3, pixels),
                    masked = image_of (FV_U8, FV_IMAGE, 2, 3, both);
  g_autoptr (GError) error = NULL;
  CallResult result;
  g_assert_true (run_step ("arithmetic function=and value=2", a, NULL, device, &result, NULL));
  assert_images_equal (result.images[0], masked);
  call_result_clear (&result);
  g_assert_false (run_step ("arithmetic function=xor value=2", floats, NULL, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "function");
  g_assert_nonnull (strstr (error->message, "convert type=u16"));
  g_clear_error (&error);
  for (const char *const *value = (const char *const[]){"256", "-1", "1.5", NULL}; *value; value++) {
    g_autofree char *step = g_strdup_printf ("arithmetic function=or value=%s", *value);
    g_assert_false (run_step (step, a, NULL, device, &result, &error));
    g_assert_cmpstr (step_error_field (error), ==, "value");
    g_assert_nonnull (strstr (error->message, "an integer from 0 to 255 here"));
    g_clear_error (&error);
  }
}

static void
assert_values (Device *device, const char *formula, const char *options, fv_type type, fv_role role,
               const double *expected)
{
  const double pixels[] = {1, -2, 3.5, 4, 5, 6};
  g_autoptr (Image) a = image_of (FV_F32, FV_IMAGE, 2, 3, pixels);
  g_autoptr (GError) error = NULL;
  CallResult result;
  run (formula, options, a, NULL, device, &result, &error);
  g_assert_no_error (error);
  g_assert_cmpint (image_info (result.images[0])->type, ==, type);
  g_assert_cmpint (image_info (result.images[0])->role, ==, role);
  for (int i = 0; i < 6; i++)
    if (fabs (image_value (result.images[0], 0, i / 3, i % 3) - expected[i]) > 1e-6)
      g_error ("%s: pixel %d is %g, not %g", formula, i, image_value (result.images[0], 0, i / 3, i % 3), expected[i]);
  call_result_clear (&result);
}

static void
test_values (Device *device)
{
  assert_values (device, "a * p + q", "p=2 q=0.5", FV_F32, FV_IMAGE, (double[]){2.5, -3.5, 7.5, 8.5, 10.5, 12.5});
  assert_values (device, "a > 1 and not a > 5", "", FV_U8, FV_MASK, (double[]){0, 0, 255, 255, 255, 0});
  assert_values (device, "1 < a <= 5", "", FV_U8, FV_MASK, (double[]){0, 0, 255, 255, 255, 0});
  assert_values (device, "a[1,0]", "", FV_F32, FV_IMAGE, (double[]){-2, 3.5, 3.5, 5, 6, 6});
  assert_values (device, "a[0,-1]", "border=constant value=9", FV_F32, FV_IMAGE, (double[]){9, 9, 9, 1, -2, 3.5});
  assert_values (device, "x + 10 * y + 100 * width + 1000 * height", "", FV_F32, FV_IMAGE,
                 (double[]){2300, 2301, 2302, 2310, 2311, 2312});
  assert_values (device, "-2**2 + 2**3**2", "", FV_F32, FV_IMAGE, (double[]){508, 508, 508, 508, 508, 508});
  assert_values (device, "a * 100", "output=u8", FV_U8, FV_IMAGE, (double[]){100, 0, 255, 255, 255, 255});
  assert_values (device, "a / 2", "output=i32", FV_I32, FV_IMAGE, (double[]){0, -1, 2, 2, 2, 3});
  assert_values (device, "a / 3", "output=f64", FV_F64, FV_IMAGE,
                 (double[]){1 / 3., -2 / 3., 3.5 / 3, 4 / 3., 5 / 3., 2});
}

/* Each time point knows which it is, and of how many. */
static void
test_time (Device *device)
{
  g_autoptr (Image) a = NULL;
  g_autoptr (GError) error = NULL;
  CallResult result;
  a = image_new (
    &(ImageInfo){.type = FV_U8, .role = FV_IMAGE, .frames = 3, .channels = 2, .depth = 2, .rows = 4, .columns = 5},
    &error);
  g_assert_no_error (error);
  run ("t + 10 * frames + 100 * ch + 1000 * z", "", a, NULL, device, &result, &error);
  g_assert_no_error (error);
  for (int plane = 0; plane < 12; plane++)
    g_assert_cmpfloat (image_value (result.images[0], plane, 3, 4), ==,
                       plane / 4 + 30 + 100 * (plane / 2 % 2) + 1000 * (plane % 2));
  call_result_clear (&result);
}

/* Numbers have a point, wherever the program runs. */
static void
test_locale (Device *device)
{
  g_autofree char *was = g_strdup (setlocale (LC_NUMERIC, NULL));
  if (setlocale (LC_NUMERIC, "de_DE.UTF-8") || setlocale (LC_NUMERIC, "de_DE.utf8"))
    assert_values (device, "a * 0 + 1.5", "", FV_F32, FV_IMAGE, (double[]){1.5, 1.5, 1.5, 1.5, 1.5, 1.5});
  else
    g_test_skip ("no German locale");
  setlocale (LC_NUMERIC, was);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/expression/wrong", test_wrong);
  g_test_add_func ("/expression/limits", test_limits);
  g_test_add_func ("/expression/inputs", test_inputs);
  add_device_test ("/expression/bits", test_bits);
  add_device_test ("/expression/values", test_values);
  add_device_test ("/expression/time", test_time);
  add_device_test ("/expression/locale", test_locale);
  return g_test_run ();
}
