/* SPDX-License-Identifier: MIT
 *
 * The process in which kernels run on the CPU: crashes as errors that name the element, the time limit, Stop, and what is left of it all.
 */
#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/recipe/recipe.h"
#include "tests/support/support.h"

#include <string.h>
#include <unistd.h>

#define INTEGERS "kernel in_params='int32 x' out_params='int32 z' "

/* Code that ends its process, and the error about it. The images have 40 rows of 50 columns in two planes. */
static const struct {
  const char *code, *how;
} crashes[] = {
  {"if (BAD) abort (); z = x;", "crashed with SIGABRT (abort), at plane 1, row 30, column 20, from 0"},
  {"if (BAD) __builtin_trap (); z = x;", "crashed with SIG"},
  {"if (BAD) __builtin_trap (); z = x;", "at plane 1, row 30, column 20, from 0"},
  {"if (BAD) *(volatile int *) 8 = 1; z = x;",
   "crashed with SIGSEGV (invalid memory access), at plane 1, row 30, column 20"},
  {"if (BAD) exit (3); z = x;", "ended its process with exit status 3, at plane 1, row 30, column 20"},
  {"if (BAD) _exit (0); z = x;", "ended its process with exit status 0, at plane 1, row 30, column 20"},
  {"if (BAD) raise (SIGKILL); z = x;", "crashed with SIGKILL (killed from outside, perhaps because memory was short)"},
  {"if (BAD) { volatile int none = 0; z = std_div (1, none); } else z = x;",
   "crashed with SIGFPE (integer division that has no result), at plane 1, row 30, column 20"},
  {"z = BAD ? deep (1) : x;", "crashed with SIGSEGV (stack overflow), at plane 1, row 30, column 20"},
  {"z = BAD ? wide (x) : x;", "crashed with SIGSEGV (stack overflow), at plane 1, row 30, column 20"},
};

static Image *
two_planes (void)
{
  g_autofree double *values = g_new (double, 2 * 40 * 50);
  for (guint i = 0; i < 2 * 40 * 50; i++)
    values[i] = i;
  return image_of_planes (FV_I32, FV_IMAGE, 1, 2, 40, 50, values);
}

static Device *
cpu (void)
{
  return modules_device (test_modules (), "cpu", NULL);
}

static gboolean
run_code (const char *preamble, const char *code, const char *more, CallResult *result, GError **error)
{
  g_autoptr (Image) image = two_planes ();
  g_autofree char *step = g_strdup_printf (INTEGERS "preamble=\"%s\" operation=\"%s\" %s", preamble, code, more);
  return run_step (step, image, NULL, cpu (), result, error);
}

static const char preamble[] =
  "#include <signal.h>\n#include <unistd.h>\n"
  "#define BAD (x >= 3520)\n" /* 40 * 50 + 30 * 50 + 20 */
  "extern int (*volatile deeper) (int);\n"
  "static int deep (int n) { volatile int k = n; return n ? deeper (n + 1) + k : 0; }\n"
  "int (*volatile deeper) (int) = deep;\n"
  "__attribute__ ((noinline)) static int wide (int n) { volatile char at[64 << 20]; at[n] = 1; return at[n / 2]; }\n"
  "static int std_div (int a, int b) { return div (a, b).quot; }\n";

static void
test_crashes (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (crashes); i++) {
    g_autoptr (GError) error = NULL;
    CallResult result = {0};
    g_assert_false (run_code (preamble, crashes[i].code, "", &result, &error));
    g_test_message ("%s", error->message);
    g_assert_cmpstr (step_error_field (error), ==, "operation");
    g_assert_nonnull (strstr (error->message, crashes[i].how));
  }
}

/* Before any element: there is none to name. */
static void
test_crash_while_loading (void)
{
  g_autoptr (GError) error = NULL;
  CallResult result = {0};
  g_assert_false (run_code ("static int early () { abort (); }\nint now = early ();", "z = now;", "", &result, &error));
  g_assert_nonnull (strstr (error->message, "The kernel crashed with SIGABRT (abort)."));
}

static guint
entries (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;
  while (g_dir_read_name (dir))
    n++;
  return n;
}

static guint
children (void)
{
  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents ("/proc/thread-self/children", &text, NULL, NULL));
  g_auto (GStrv) words = g_strsplit_set (g_strstrip (text), " ", -1);
  return *text ? g_strv_length (words) : 0;
}

/* A crash leaves no process, no zombie and no open file. */
static void
test_nothing_is_left (void)
{
  g_autoptr (GError) first = NULL;
  CallResult result = {0};
  g_assert_false (run_code (preamble, crashes[0].code, "", &result, &first));
  const guint files = entries ("/proc/self/fd"), before = children ();
  for (guint i = 0; i < 10; i++) {
    g_autoptr (GError) error = NULL;
    g_assert_false (run_code (preamble, crashes[i % G_N_ELEMENTS (crashes)].code, "", &result, &error));
  }
  g_assert_cmpuint (entries ("/proc/self/fd"), ==, files);
  g_assert_cmpuint (children (), ==, before);
}

/* The process is another one, and is kept. */
static void
test_kept (void)
{
  double process[2];
  for (guint i = 0; i < 2; i++) {
    CallResult result = {0};
    g_assert_true (run_code ("#include <unistd.h>", "z = getpid ();", i ? "p=2" : "", &result, NULL));
    process[i] = image_value (result.images[0], 0, 0, 0);
    call_result_clear (&result);
  }
  g_assert_cmpfloat (process[0], ==, process[1]);
  g_assert_cmpfloat (process[0], !=, getpid ());
}

static void
test_time_limit (void)
{
  g_autoptr (GError) error = NULL;
  CallResult result = {0};
  const gint64 begin = g_get_monotonic_time ();
  g_assert_false (run_code ("", "volatile int q = 1; while (q) q = 1; z = x;", "time_limit=0.5", &result, &error));
  g_assert_cmpint (g_get_monotonic_time () - begin, >=, 500000);
  g_assert_cmpstr (step_error_field (error), ==, "time_limit");
  g_assert_nonnull (strstr (error->message, "after 0.5 s, its time limit"));
  g_assert_nonnull (strstr (error->message, "0 for no limit"));
}

static gpointer
stop_soon (gpointer data)
{
  g_usleep (300000);
  progress_stop (data);
  return NULL;
}

/* An element that never ends is stopped, too. */
static void
test_stop (void)
{
  g_autoptr (Image) image = two_planes ();
  g_autoptr (Recipe) recipe = recipe_parse (
    test_modules (), INTEGERS "operation='volatile int q = 1; while (q) q = 1; z = x;' time_limit=0", NULL);
  g_autoptr (GError) error = NULL;
  Image *inputs[OP_MAX_ARRAYS] = {image};
  CallResult result = {0};
  Progress progress = {0};
  const Step *step = recipe_step (recipe, 0);
  GThread *other = g_thread_new (NULL, stop_soon, &progress);
  g_assert_false (call_op (step->op, step->args, inputs, cpu (), &progress, &result, &error));
  g_assert_true (step_error_is_cancelled (error));
  g_thread_join (other);
}

/* Images that broadcast, larger than what goes through at once, against the same said by hand. */
static void
test_pieces (void)
{
  enum { PLANES = 2, ROWS = 300, COLUMNS = 1100 };
  static const char *const shapes[] = {"x + 2 * y", "x - y"};
  static const gint64 sizes[][3] = {{PLANES, ROWS, COLUMNS}, {1, 1, COLUMNS}, {1, ROWS, 1}, {PLANES, 1, 1}, {1, 1, 1}};
  g_autoptr (Image) a = image_random (FV_F32, FV_IMAGE, 1, PLANES, ROWS, COLUMNS, 1);
  for (guint i = 0; i < G_N_ELEMENTS (sizes) * 2; i++) {
    const gint64 *size = sizes[i / 2];
    g_autoptr (Image) b = image_random (FV_U16, FV_IMAGE, 1, size[0], size[1], size[2], 2);
    g_autofree char *step = g_strdup_printf ("kernel in_params='float32 x, uint16 y, raw T w' out_params='float64 z, "
                                             "int32 n' operation='z = %s; n = w[i] == y;'",
                                             shapes[i % 2]);
    CallResult result = {0};
    Image *inputs[OP_MAX_ARRAYS] = {a, b, a};
    g_autoptr (Recipe) recipe = recipe_parse (test_modules (), step, NULL);
    g_assert_true (
      call_op (recipe_step (recipe, 0)->op, recipe_step (recipe, 0)->args, inputs, cpu (), NULL, &result, NULL));
    for (gint64 n = 0; n < PLANES * ROWS * COLUMNS; n += 7) {
      const gint64 z = n / (ROWS * COLUMNS), y = n / COLUMNS % ROWS, x = n % COLUMNS;
      const float from = (float) image_value (a, z, y, x);
      const double with = image_value (b, z % size[0], y % size[1], x % size[2]);
      /* int * uint16_t is int, and with a float a float. */
      const float expected = i % 2 ? from - (float) with : from + (float) (2 * with);
      g_assert_cmpfloat (image_value (result.images[0], z, y, x), ==, expected);
      g_assert_cmpfloat (image_value (result.images[1], z, y, x), ==, from == (float) with);
    }
    call_result_clear (&result);
  }
}

/* Memory for what is copied as a whole is asked for before the run. */
static void
test_memory (void)
{
  static const struct {
    const char *params;
    gint64 bytes;
  } cases[] = {{"in_params='T x' out_params='T z'", 0},
               {"in_params='raw T x' out_params='T z'", 2 * 40 * 50 * 4},
               {"in_params='raw T x, float64 k=p' out_params='raw float64 z, raw uint8 n'", 2 * 40 * 50 * (4 + 8 + 1)}};
  const fv_grid image = {.size = sizeof image, .type = FV_I32, .channels = 1, .frames = 1, .shape = {2, 40, 50}};
  const fv_grid *const inputs[OP_MAX_ARRAYS] = {&image};
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *text = g_strdup_printf ("kernel %s", cases[i].params);
    g_autoptr (Recipe) recipe = recipe_parse (test_modules (), text, NULL);
    const Step *step = recipe_step (recipe, 0);
    g_assert_cmpint (step->op->fv.scratch (step->op->declared, step->args, inputs), ==, cases[i].bytes);
  }
}

static gpointer
run_many (gpointer data)
{
  for (int i = 0; i < 5; i++) {
    g_autofree char *code = g_strdup_printf ("z = x * 3 + %d + %d * int (p);", GPOINTER_TO_INT (data), i % 2);
    CallResult result = {0};
    g_assert_true (run_code ("#define p 0", code, "", &result, NULL));
    g_assert_cmpfloat (image_value (result.images[0], 1, 39, 49), ==, 3999 * 3 + GPOINTER_TO_INT (data));
    call_result_clear (&result);
  }
  return NULL;
}

static void
test_at_the_same_time (void)
{
  GThread *threads[4];
  for (int i = 0; i < 4; i++)
    threads[i] = g_thread_new (NULL, run_many, GINT_TO_POINTER (i));
  for (int i = 0; i < 4; i++)
    g_thread_join (threads[i]);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/kernel-worker/crashes", test_crashes);
  g_test_add_func ("/kernel-worker/crash-while-loading", test_crash_while_loading);
  g_test_add_func ("/kernel-worker/nothing-is-left", test_nothing_is_left);
  g_test_add_func ("/kernel-worker/kept", test_kept);
  g_test_add_func ("/kernel-worker/time-limit", test_time_limit);
  g_test_add_func ("/kernel-worker/stop", test_stop);
  g_test_add_func ("/kernel-worker/pieces", test_pieces);
  g_test_add_func ("/kernel-worker/memory", test_memory);
  g_test_add_func ("/kernel-worker/at-the-same-time", test_at_the_same_time);
  return g_test_run ();
}
