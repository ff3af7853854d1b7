/* SPDX-License-Identifier: MIT
 *
 * Borders and rounding in the CUDA text of a formula are those of the CPU. The text is compiled as C++, and its threads run one by one.
 */
#include "kernels/expression/expression_source.h"
#include "tests/support/init.h"

#include <dlfcn.h>
#include <glib.h>
#include <glib/gstdio.h>

static const char before[] = "#include <cmath>\n#include <cstdint>\n#include <cstring>\n"
                             "using std::rint;\n"
                             "#define __device__\n#define __global__\n#define __forceinline__ inline\n"
                             "#define __launch_bounds__(n)\n"
                             "static struct { unsigned x; } blockIdx, threadIdx, gridDim;\n";
/* One plane. */
static const char after[] =
  "void run (const void *in, void *out, int rows, int columns, double outside)\n"
  "{\n"
  "  gridDim.x = rows * ((columns - 1) / 256 + 1);\n"
  "  for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++)\n"
  "    for (threadIdx.x = 0; threadIdx.x < 256; threadIdx.x++)\n"
  "      expression ((const P0 *) in, 0, 0, columns, (R *) out, 0, 0, columns, 1, rows, columns, rows,"
  " outside);\n"
  "}\n";

typedef void (*function) (const void *in, void *out, int rows, int columns, double outside);

/* What a formula of `a` is on a GPU. */
static function
compile (const char *formula, fv_type in, fv_type out, border b)
{
  static const expression_names names = {1, 0, {"a"}, {NULL}};
  static char text[EXPRESSION_SOURCE];
  static expression_job j;
  fv_error error = FV_ERROR_INIT;
  memset (&j, 0, sizeof j);
  g_assert_cmpint (expression_parse (formula, &names, "expression", &j.program, &error), ==, FV_OK);
  j.working = in;
  j.settings.border = b;
  j.inputs[0].data = text, j.inputs[0].type = in;
  j.out.type = out;
  g_assert_true (expression_source (&j, 0, text, sizeof text));

  g_autofree char *folder = g_dir_make_tmp ("fovea-source-XXXXXX", NULL);
  g_autofree char *source = g_build_filename (folder, "source.cpp", NULL),
                  *made = g_build_filename (folder, "source.so", NULL);
  g_autofree char *all = g_strconcat (before, text, "extern \"C\" ", after, NULL);
  g_autofree char *command =
    g_strdup_printf ("c++ -std=c++17 -w -O0 -ffp-contract=off -shared -fPIC -o %s %s", made, source);
  int status;
  g_assert_true (g_file_set_contents (source, all, -1, NULL));
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, &status, NULL));
  g_assert_true (g_spawn_check_wait_status (status, NULL));
  void *library = dlopen (made, RTLD_NOW | RTLD_LOCAL);
  g_assert_nonnull (library);
  function run;
  *(void **) &run = dlsym (library, "run");
  g_remove (source), g_remove (made), g_remove (folder);
  return run;
}

static void
test_borders (void)
{
  static const int sizes[][2] = {{4, 5}, {1, 3}, {3, 1}, {1, 1}, {2, 300}};
  static float image[600], result[600];
  for (int i = 0; i < 600; i++)
    image[i] = (float) i;
  for (border b = BORDER_NEAREST; b <= BORDER_CONSTANT; b++) {
    function run = compile ("a[7,-11]", FV_F32, FV_F32, b);
    for (gsize s = 0; s < G_N_ELEMENTS (sizes); s++) {
      const int rows = sizes[s][0], columns = sizes[s][1];
      run (image, result, rows, columns, -3);
      for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
          const int64_t up = border_index (y - 11, rows, b), at = border_index (x + 7, columns, b);
          g_assert_cmpfloat (result[y * columns + x], ==, up < 0 || at < 0 ? -3 : image[up * columns + at]);
        }
    }
  }
}

static const double values[] = {0,          -0.0,         0.5,        1.5,         2.5,      -0.5,     -0.51,     254.5,
                                255,        255.5,        256,        -1,          65534.5,  65535.5,  1e9,       -1e9,
                                2147483647, 2147483646.5, 2147483648, -2147483648, -2.5e9,   INFINITY, -INFINITY, NAN,
                                1e300,      -1e300,       0.49999997, 3.5,         1048576.5};
enum { N = G_N_ELEMENTS (values) };

static void
test_rounding (void)
{
  float singles[N];
  uint8_t u8[N];
  uint16_t u16[N];
  int32_t i32[N];
  for (int i = 0; i < N; i++)
    singles[i] = (float) values[i];
  for (int wide = 0; wide < 2; wide++) {
    const fv_type in = wide ? FV_F64 : FV_F32;
    const void *from = wide ? (const void *) values : singles;
    compile ("a", in, FV_U8, BORDER_NEAREST) (from, u8, 1, N, 0);
    compile ("a", in, FV_U16, BORDER_NEAREST) (from, u16, 1, N, 0);
    for (int i = 0; i < N; i++) {
      g_assert_cmpint (u8[i], ==, round_to_u8 (wide ? values[i] : singles[i]));
      g_assert_cmpint (u16[i], ==, round_to_u16 (wide ? values[i] : singles[i]));
    }
  }
  compile ("a", FV_F64, FV_I32, BORDER_NEAREST) (values, i32, 1, N, 0);
  for (int i = 0; i < N; i++)
    g_assert_cmpint (i32[i], ==, round_to_i32 (values[i]));
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/expression-source/borders", test_borders);
  g_test_add_func ("/expression-source/rounding", test_rounding);
  return g_test_run ();
}
