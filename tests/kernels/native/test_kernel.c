/* SPDX-License-Identifier: MIT
 *
 * kernel: declarations, positions of errors in the user's own lines, indices outside, sizes, endless loops.
 */
#include "core/base/error.h"
#include "core/ops/native.h"
#include "core/recipe/steps_text.h"
#include "tests/support/support.h"

#include <string.h>

#define KERNEL "kernel in_params='T x, raw T y' out_params='T z' "

/* What is wrong, the parameter that is named, and what the message says. */
static const char *const wrong[][3] = {
  {"kernel in_params='T'", "in_params", "'T' needs a name"},
  {"kernel in_params='float x'", "in_params", "'float' is not a type"},
  {"kernel in_params='T x,'", "in_params", "'' is not a declaration"},
  {"kernel in_params='T x y'", "in_params", "continues after its name"},
  {"kernel in_params='T i'", "in_params", "is not i"},
  {"kernel in_params='T _x'", "in_params", "begins with a letter"},
  {"kernel in_params='T x, raw U x'", "in_params", "Two parameters are called x"},
  {"kernel in_params='T x, float32 k='", "in_params", "k has no value"},
  {"kernel in_params='T x, float32 k=t'", "in_params", "k cannot be 't'"},
  {"kernel in_params='T x, raw T k=1'", "in_params", "k is raw, an array"},
  {"kernel in_params='raw uint16 x'", "in_params", "write raw float32 x"},
  {"kernel in_params='T x, T y, T w'", "c", "w, image 3 of in_params, is not given"},
  {"kernel out_params=''", "out_params", "There are 0 outputs"},
  {"kernel out_params='T a, T b, T c, T d, T e'", "out_params", "There are 5 outputs"},
  {"kernel out_params='U z'", "out_params", "U, the type of z, is the type of no input"},
  {"kernel out_params='int64 z'", "out_params", "no image is"},
  {"kernel out_params='T x'", "out_params", "x is an input already"},
  {"kernel out_params='T z=1'", "out_params", "has no value"},
  {"kernel size=20", "size", "leave size empty"},
  {"kernel in_params='raw T x' operation='z = 1;' size=20,x", "size", "'20,x' is not a size"},
  {"kernel in_params='raw T x' operation='z = 1;' size=0", "size", "is not a size"},
  {"kernel operation='z = x +'", "operation", "line 2, column 1: "},
  {"kernel operation='z = x +;'", "operation", "line 1, column "},
  {"kernel operation=\"z = 1;\n  z = foo + x;\"", "operation", "line 2, column 7: "},
  {"kernel operation='x = 1; z = x;'", "operation", "line 1, column "},
  {KERNEL "operation='y[3] = 1; z = x;'", "operation", "line 1, column "},
  {"kernel preamble=\"\nfloat f (float v)\n{\n  return w;\n}\" operation='z = f (x);'", "preamble", "line 4, column "},
  {KERNEL "operation='z = y[_ind.size ()];'", "operation", "Index 6 of y is outside at i = "},
  {KERNEL "operation='z = i == 4 ? y[-1] : x;'", "operation", "Index -1 of y is outside at i = 4: it has 6 elements"},
  {KERNEL "operation='int at[] = {1, 3}; z = y[at];'", "operation", "Index 3 of y is outside at i = "},
  {"kernel out_params='raw T z' operation='z[i + 1] = x;'", "operation", "Index 6 of z is outside at i = 5"},
};

/* Functions of the preamble that take a raw array of another type or dimension, write to one, or use an index outside. */
static const char *const wrong_arrays[][3] = {
  {KERNEL "preamble='__device__ float f (CArray<short, 3> &a) { return a[0]; }' operation='z = x + f (y);'",
   "in_params", "A function takes y (raw float32, 3 dimensions) as CArray<float, 3> &."},
  {KERNEL "preamble='__device__ float f (const CArray<float, 2> &a) { int at[] = {0, 0}; return a[at]; }' "
          "operation='z = x + f (y);'",
   "in_params", "A function takes y (raw float32, 3 dimensions) as CArray<float, 3> &."},
  {"kernel in_params='raw T x, raw U y' out_params='raw T z' "
   "preamble='__device__ U f (CArray<T, 3> a) { return a[0]; }' "
   "operation='z[i] = f (y);'",
   "in_params", "A function takes y (raw uint8, 3 dimensions) as CArray<uint8_t, 3> &."},
  {"kernel in_params='raw T x, raw U y' out_params='raw T z' "
   "preamble='__device__ U f (CArray<U, 3> a) { return a[0]; }' "
   "operation='z[i] = f (z);'",
   "in_params", "A function takes x, z (raw float32, 3 dimensions) as CArray<float, 3> &."},
  {"kernel in_params='T x' out_params='raw T z' preamble='__device__ T f (CArray<double, 3> &a) { return a[0]; }' "
   "operation='z[i] = f (z);'",
   "out_params", "A function takes z (raw float32, 3 dimensions) as CArray<float, 3> &."},
  {KERNEL "preamble=\"\n__device__ void f (CArray<float, 3> &a) { a[0] = 1; }\" operation='f (y); z = x;'", "preamble",
   "line 2, column "},
  {KERNEL "preamble='__device__ float f (CArray<float, 3> &a, int k) { return a[k]; }' operation='z = f (y, i + 2);'",
   "operation", " of y is outside at i = "},
};

static Image *
six (void)
{
  return image_of (FV_F32, FV_IMAGE, 2, 3, (const double[]){1, 2, 3, 4, 5, 6});
}

static void
test_wrong (Device *device)
{
  g_autoptr (Image) a = six (), b = six ();
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (GError) error = NULL;
    CallResult result = {0};
    g_assert_false (run_step (wrong[i][0], a, b, device, &result, &error));
    g_test_message ("%s: %s", step_error_field (error), error->message);
    g_assert_cmpstr (step_error_field (error), ==, wrong[i][1]);
    g_assert_nonnull (strstr (error->message, wrong[i][2]));
  }
}

static void
test_wrong_arrays (Device *device)
{
  g_autoptr (Image) a = six (), b = six ();
  g_autoptr (Image) bytes = image_of (FV_U8, FV_IMAGE, 2, 3, (const double[]){1, 2, 3, 4, 5, 6});
  for (guint i = 0; i < G_N_ELEMENTS (wrong_arrays); i++) {
    g_autoptr (GError) error = NULL;
    CallResult result = {0};
    Image *y = strstr (wrong_arrays[i][0], "U y") ? bytes : b;
    g_assert_false (run_step (wrong_arrays[i][0], a, y, device, &result, &error));
    g_test_message ("%s: %s", step_error_field (error), error->message);
    g_assert_cmpstr (step_error_field (error), ==, wrong_arrays[i][1]);
    g_assert_nonnull (strstr (error->message, wrong_arrays[i][2]));
  }
}

/* Types that differ are told apart, and sizes that do not go together named. */
static void
test_images (Device *device)
{
  g_autoptr (Image) a = six (), narrow = image_of (FV_F32, FV_IMAGE, 2, 2, (const double[]){1, 2, 3, 4});
  g_autoptr (Image) bytes = image_of (FV_U8, FV_IMAGE, 2, 3, (const double[]){1, 2, 3, 4, 5, 6});
  g_autoptr (GError) mixed = NULL;
  g_autoptr (GError) sizes = NULL;
  CallResult result = {0};
  g_assert_false (run_step ("kernel in_params='T x, T y'", a, bytes, device, &result, &mixed));
  g_assert_nonnull (strstr (mixed->message, "T is float32 and uint8 too"));
  g_assert_false (run_step ("kernel in_params='T x, T y'", a, narrow, device, &result, &sizes));
  g_assert_nonnull (strstr (sizes->message, "y has 2 columns, which do not broadcast to 3"));
  /* A type that is written is converted to, as C does. */
  g_assert_true (
    run_step ("kernel in_params='T x, float64 y' operation='z = y / 4;'", a, bytes, device, &result, NULL));
  g_assert_cmpfloat (image_value (result.images[0], 0, 1, 0), ==, 1);
  call_result_clear (&result);
}

/* One source changed in its numbers alone is the same kernel; quotes, bars and lines are kept by the text of steps. */
static void
test_text (Device *device)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Image) a = six ();
  g_autoptr (Recipe) recipe = recipe_parse (test_modules (),
                                            "kernel preamble=\"// a 'b' \\\"c\\\" | d \\\\ e\n#define HALF 0.5f\n\" "
                                            "operation=\"z = x > 2 || x < 0\n  ? HALF : 2;\"",
                                            &error);
  g_assert_no_error (error);
  g_autofree char *text = recipe_format (recipe);
  g_autoptr (Recipe) again = recipe_parse (test_modules (), text, &error);
  g_assert_no_error (error);
  g_assert_true (recipe_equal (recipe, again));
  g_autofree char *lines = steps_text_lines (recipe), *read = steps_text_read (lines, strlen (lines), "lines", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (read, ==, text);
  g_autoptr (Run) run = run_new (again, a, RUN_KEEP_ALL);
  g_assert_true (run_execute (run, device, NULL, &error));
  g_assert_cmpfloat (image_value (run_last_image (run), 0, 0, 1), ==, 2);
  g_assert_cmpfloat (image_value (run_last_image (run), 0, 0, 2), ==, 0.5);
}

/* What NumPy says of a / b, a % b, a << b and a >> b, worked by hand. */
static gint32
by_hand (char operator, gint32 a, gint32 b)
{
  const gint64 width = b < 0 || b > 31 ? 32 : b;
  switch (operator) {
  case '/': return b == 0 ? 0 : (gint32) ((gint64) a / b);
  case '%': return b == 0 ? 0 : (gint32) ((gint64) a % b);
  case '<': return (gint32) (guint32) ((guint64) (gint64) a << width);
  default: return (gint32) ((gint64) a >> width);
  }
}

/* Integers have a result for all operands, the same on every device, also in assignments, macros and functions. */
static void
test_arithmetic (Device *device)
{
  static const double operands[] = {0, 1, -1, 2, -2, 7, -7, 31, 32, 33, -32, 100, -100, G_MAXINT32, G_MININT32, 64};
  enum { N = G_N_ELEMENTS (operands) };
  static const struct {
    char operator;
    const char *code;
  } cases[] = {{'/', "z = x / y;"},           {'%', "z = x % y;"},      {'<', "z = x << y;"},
               {'>', "z = x >> y;"},          {'/', "z = x; z /= y;"},  {'%', "z = x; z %= y;"},
               {'<', "z = x; z <<= y;"},      {'>', "z = x; z >>= y;"}, {'/', "z = OVER (x, y) /* a / b */;"},
               {'%', "z = rest<int> (x, y);"}};
  g_autoptr (Image) a = image_of (FV_I32, FV_IMAGE, 1, N, operands), b = image_of (FV_I32, FV_IMAGE, N, 1, operands);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    CallResult result = {0};
    g_autofree char *step = g_strdup_printf ("kernel in_params='T x, T y' preamble=\"#define OVER(a, b) ((a) / \\\\\n "
                                             "(b))\ntemplate <class T> __device__ T rest (T a, T b) { "
                                             "return a %% b; }\" operation='%s'",
                                             cases[i].code);
    g_assert_true (run_step (step, a, b, device, &result, NULL));
    for (int y = 0; y < N; y++)
      for (int x = 0; x < N; x++)
        g_assert_cmpint ((gint32) image_value (result.images[0], 0, y, x), ==,
                         by_hand (cases[i].operator, (gint32) operands[x], (gint32) operands[y]));
    call_result_clear (&result);
  }
}

/* Where these operators mean something else they are as they were: types of the user's, templates, floats, constants. */
static void
test_operators (Device *device)
{
  g_autoptr (Image) a = six ();
  CallResult result = {0};
  run_step ("kernel preamble=\"struct pair { float a; };\n"
            "__device__ pair operator/ (pair x, pair y) { return {x.a - y.a}; }\n"
            "template <int N> struct numbers { int at[N / 2]; };\n"
            "template <class A> struct box { A a; };\n"
            "enum { FOUR = 1 << 2 };\n\" "
            "operation='box<box<float>> k = {{x / 4}}; static_assert (sizeof (numbers<(9 / 2) << 1>) == 16, \"\"); "
            "switch (FOUR) { case 8 / 2: z = (pair {x} / pair {1}).a + k.a.a + (1 / (x * 0) > 1e9); }'",
            a, NULL, device, &result, NULL);
  for (int i = 0; i < 6; i++)
    g_assert_cmpfloat (image_value (result.images[0], 0, i / 3, i % 3), ==, i + (i + 1) / 4.0 + 1);
  call_result_clear (&result);
}

/* Loops without an end, in the operation, nested, in a function and by goto. */
static const char *const endless[] = {
  "kernel operation='volatile int q = 1; while (q) q = 1; z = x;' time_limit=%g",
  "kernel operation='volatile int q = 1; do { for (int k = 0; k < 100; k++) q = k | 1; } while (q); z = x;' "
  "time_limit=%g",
  "kernel preamble='__device__ float f (volatile float v) { for (;;) if (v < -1) return v; }' operation='z = f (x);' "
  "time_limit=%g",
  "kernel operation='volatile int q = 1; again: q = 1; if (q) goto again; z = x;' time_limit=%g",
};

static void
check_computes (Image *image, Device *device)
{
  CallResult result = {0};
  g_assert_true (run_step ("kernel operation='z = x + 1;'", image, NULL, device, &result, NULL));
  g_assert_cmpfloat (image_value (result.images[0], 0, 1, 2), ==, 7);
  call_result_clear (&result);
}

/* A kernel that does not end is stopped by its time limit, and the device keeps working. */
static void
test_time_limit (Device *device)
{
  g_autoptr (Image) a = six ();
  for (guint i = 0; i < G_N_ELEMENTS (endless); i++) {
    g_autofree char *step = g_strdup_printf (endless[i], 0.5);
    g_autoptr (GError) error = NULL;
    CallResult result = {0};
    g_assert_false (run_step (step, a, NULL, device, &result, &error));
    g_assert_cmpstr (step_error_field (error), ==, "time_limit");
    g_assert_nonnull (strstr (error->message, "was ended after 0.5 s, its time limit"));
    check_computes (a, device);
  }
}

typedef struct Stop {
  Progress progress;
  gint64 at;
} Stop;

static gpointer
stop_soon (gpointer data)
{
  Stop *stop = data;
  g_usleep (500000);
  stop->at = g_get_monotonic_time ();
  progress_stop (&stop->progress);
  return NULL;
}

/* Stop ends it at once, also without a limit. */
static void
test_stop (Device *device)
{
  g_autoptr (Image) a = six ();
  for (guint i = 0; i < G_N_ELEMENTS (endless); i++) {
    g_autofree char *text = g_strdup_printf (endless[i], 0.0);
    g_autoptr (Recipe) recipe = recipe_parse (test_modules (), text, NULL);
    g_autoptr (GError) error = NULL;
    Image *inputs[OP_MAX_ARRAYS] = {a};
    CallResult result = {0};
    Stop stop = {0};
    const Step *step = recipe_step (recipe, 0);
    GThread *other = g_thread_new (NULL, stop_soon, &stop);
    g_assert_false (call_op (step->op, step->args, inputs, device, &stop.progress, &result, &error));
    const gint64 end = g_get_monotonic_time ();
    g_thread_join (other);
    g_assert_true (step_error_is_cancelled (error));
    g_assert_cmpint (end - stop.at, <, 200000);
    check_computes (a, device);
  }
}

/* Only what was allowed runs, and what the operation itself declares. */
static void
test_consent (void)
{
  g_autoptr (Modules) modules = modules_new_shipped ();
  g_autoptr (Image) a = six ();
  const char *const steps[] = {"kernel", "kernel operation='z = x + 1;'", "kernel operation='z = x + 2;'"};
  for (guint allowed = 0; allowed < 3; allowed++)
    for (guint i = 0; i < 3; i++) {
      g_autoptr (GError) error = NULL;
      g_autoptr (Recipe) recipe = recipe_parse (modules, steps[i], &error);
      g_autoptr (Run) run = run_new (recipe, a, RUN_KEEP_ALL);
      gboolean ran = run_execute (run, modules_device (modules, "cpu", NULL), NULL, &error);
      g_assert_cmpint (ran, ==, i <= allowed);
      g_assert_true (ran || strstr (error->message, "has not been allowed"));
      g_autofree char *code = native_code (recipe_step (recipe, 0)->op, recipe_step (recipe, 0)->args);
      if (i == allowed + 1) {
        native_allow (modules, code);
        break;
      }
    }
}

/* What is kept is allowed in later programs that want it so, and as the text that it was. */
static void
test_kept (void)
{
  g_autofree char *path = g_build_filename (g_get_user_config_dir (), "fovea", "allowed-code", NULL), *text = NULL,
                  *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, "some code", -1), *line = NULL;
  g_autoptr (Modules) one = modules_new_shipped (), other = modules_new_shipped ();
  g_autoptr (GError) error = NULL;
  g_assert_true (native_keep (one, "some code", "Custom\nKernel", &error));
  g_assert_true (native_text_is_allowed (one, "some code"));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  line = g_strdup_printf ("%s Custom Kernel\n", sum);
  g_assert_cmpstr (text, ==, line);
  g_assert_false (native_text_is_allowed (other, "some code"));
  native_allow_kept (other);
  g_assert_true (native_text_is_allowed (other, "some code"));
  g_assert_false (native_text_is_allowed (other, "some  code"));
  g_assert_cmpuint (native_kept (other), ==, 1);
  native_allow (other, "more code");
  g_assert_true (native_forget (other, &error));
  g_assert_false (native_text_is_allowed (other, "some code"));
  g_assert_true (native_text_is_allowed (other, "more code"));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_true (native_forget (other, &error));
  g_assert_cmpuint (native_kept (other), ==, 0);
  g_assert_no_error (error);
}

static void
test_macros (void)
{
  static const char *const with[] = {"run('Custom Kernel...', 'operation=[z = 1;]')",
                                     "run ( \"Custom Kernel\" )",
                                     "run[[kernel]]",
                                     "local r = recipe(\"gaussian | kernel operation='z = 1;'\")",
                                     "recipe 'kernel'",
                                     "recipe('kernel | otsu')",
                                     "run(\"Set Steps...\", \"steps=[kernel p=2]\")"};
  static const char *const without[] = {
    "run('Convolve...', 'kernel=laplacian mode=full')", "recipe('convolve kernel=[1 2 1]')",
    "print('the kernel is large')", "-- run('Custom Kernel...', 'operation=[z = 1;]')\nprint(1)", "local kernel = 3"};
  g_autoptr (Modules) modules = modules_new_shipped ();
  g_autoptr (GError) error = NULL;
  guint line;
  for (guint i = 0; i < G_N_ELEMENTS (with); i++)
    if (!native_in_macro (modules, with[i], &line))
      g_error ("%s", with[i]);
  for (guint i = 0; i < G_N_ELEMENTS (without); i++)
    if (native_in_macro (modules, without[i], &line))
      g_error ("%s", without[i]);
  g_assert_false (native_check_macro (modules, "print(1) -- 2\n\nrun('Custom Kernel')", "m.lua", &error));
  g_assert_nonnull (strstr (error->message, "m.lua:3: Custom Kernel runs code with your permissions"));
  g_assert_nonnull (strstr (error->message, "--allow-native"));
  native_allow (modules, NULL);
  g_assert_true (native_check_macro (modules, with[0], "m.lua", NULL));
}

int
main (int argc, char **argv)
{
  char *folder = g_dir_make_tmp ("fovea-kernel-XXXXXX", NULL);
  init_tests (&argc, &argv);
  g_setenv ("XDG_CONFIG_HOME", folder, TRUE);
  add_device_test ("/kernel/wrong", test_wrong);
  add_device_test ("/kernel/wrong-arrays", test_wrong_arrays);
  add_device_test ("/kernel/images", test_images);
  add_device_test ("/kernel/text", test_text);
  add_device_test ("/kernel/arithmetic", test_arithmetic);
  add_device_test ("/kernel/operators", test_operators);
  add_device_test ("/kernel/time-limit", test_time_limit);
  add_device_test ("/kernel/stop", test_stop);
  g_test_add_func ("/kernel/consent", test_consent);
  g_test_add_func ("/kernel/kept", test_kept);
  g_test_add_func ("/kernel/macros", test_macros);
  return run_tests_in (folder);
}
