/* SPDX-License-Identifier: MIT
 *
 * Operations that users write. The operation has and does what the file declares, errors name file and line, and a rewritten one replaces the one
 * before.
 */
#include "core/ops/args.h"
#include "core/ops/native.h"
#include "core/ops/operation_file.h"
#include "core/ops/operation_text.h"
#include "tests/support/support.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static char *folder;

static char *
write_file (const char *name, const char *text)
{
  char *path = g_build_filename (folder, name, NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static const Op *
load (Modules *modules, const char *name, const char *text)
{
  g_autofree char *path = write_file (name, text), *key = g_strndup (name, strlen (name) - strlen (OPERATION_SUFFIX));
  g_autoptr (GError) error = NULL;
  modules_load_operation (modules, path, &error);
  g_assert_no_error (error);
  return modules_op (modules, key, NULL);
}

static const char flat_field[] =
  "# A comment, and blanks\n"
  "[operation]\n"
  "label = Flat Field...\n"
  "menu=Process/Own\n"
  "help=Divides by the flat image = corrects it.\n"
  "expression = where(strict, (image - dark) / (flat - dark), image / flat) * gain + steps\r\n"
  "\n"
  "[input image]\n"
  "[ input flat ]\n"
  "label=Flat\n"
  "[input dark]\n"
  "optional=yes\n"
  "[parameter gain]\n"
  "label=Gain\n"
  "unit=%\n"
  "default=2.5\n"
  "min=0\n"
  "max=100\n"
  "slider_min=.5\n"
  "slider_max=50\n"
  "scale=log\n"
  "[parameter steps]\n"
  "type=int\n"
  "default=3\n"
  "max=9\n"
  "[parameter strict]\n"
  "type=bool\n"
  "default=1";

static void
test_declaration (void)
{
  g_autoptr (Modules) modules = modules_new_shipped ();
  const Op *op = load (modules, "flat_field.operation", flat_field);
  const fv_param *p = op->fv.params;
  g_assert_true (op->made);
  g_assert_cmpstr (op->fv.label, ==, "Flat Field...");
  g_assert_cmpstr (op->fv.menu, ==, "Process/Own");
  g_assert_cmpstr (op->fv.help, ==, "Divides by the flat image = corrects it.");
  g_assert_cmpuint (op->n_inputs, ==, 3);
  g_assert_cmpstr (op->fv.inputs[1].key, ==, "flat");
  g_assert_cmpstr (op->fv.inputs[1].label, ==, "Flat");
  g_assert_false (op->fv.inputs[1].optional);
  g_assert_true (op->fv.inputs[2].optional);
  g_assert_cmpuint (op->n_params, ==, 3);
  g_assert_cmpstr (p[0].key, ==, "gain");
  g_assert_cmpstr (p[0].unit, ==, "%");
  g_assert_cmpfloat (p[0].def, ==, 2.5);
  g_assert_cmpfloat (p[0].min, ==, 0);
  g_assert_cmpfloat (p[0].max, ==, 100);
  g_assert_cmpfloat (p[0].soft_min, ==, .5);
  g_assert_cmpfloat (p[0].soft_max, ==, 50);
  g_assert_cmpint (p[0].scale, ==, FV_LOG);
  g_assert_cmpint (p[1].type, ==, FV_INT);
  g_assert_cmpfloat (p[1].max, ==, 9);
  g_assert_cmpint (p[2].type, ==, FV_BOOL);
}

/* (image - dark) / (flat - dark) * gain + steps, by hand. */
static void
test_values (void)
{
  g_autoptr (Modules) modules = modules_new_shipped ();
  const Op *op = load (modules, "flat_field.operation", flat_field);
  g_autoptr (Image) image = image_of (FV_F32, FV_IMAGE, 1, 2, (double[]){9, 4});
  g_autoptr (Image) flat = image_of (FV_F32, FV_IMAGE, 1, 2, (double[]){5, 8});
  g_autoptr (Image) dark = image_of (FV_F32, FV_IMAGE, 1, 2, (double[]){1, 2});
  g_autoptr (GError) error = NULL;
  g_autofree gpointer args = args_new (op, &error);
  Image *inputs[] = {image, flat, dark};
  CallResult result;
  for (int strict = 1; strict >= 0; strict--) {
    g_assert_true (args_set (op, args, "strict", strict ? "yes" : "no", &error));
    g_assert_true (args_set (op, args, "steps", "-2", &error));
    call_op (op, args, inputs, modules_device (modules, "cpu", NULL), NULL, &result, &error);
    g_assert_no_error (error);
    g_assert_cmpfloat_with_epsilon (image_value (result.images[0], 0, 0, 0),
                                    strict ? 8 / 4. * 2.5 - 2 : 9 / 5. * 2.5 - 2, 1e-6);
    g_assert_cmpfloat_with_epsilon (image_value (result.images[0], 0, 0, 1),
                                    strict ? 2 / 6. * 2.5 - 2 : 4 / 8. * 2.5 - 2, 1e-6);
    call_result_clear (&result);
  }
}

/* ---- Kernels ---- */

/* A roll by columns, and what is above a limit. The function begins in line 9; the body has lines 12 to 14. */
static const char rolled[] = "[operation]\n"
                             "label=Roll...\n"
                             "in_params = raw T x, int32 w=width, int32 n=columns, float32 k=gain, bool on=strict\n"
                             "out_params=T z, bool high\n"
                             "preamble=\n"
                             "  // b is never 0\n"
                             "\n"
                             "  template <class T>\n"
                             "  T modulo (T a, T b) { return (a % b + b) % b; }\n"
                             "# No code\n"
                             "\n"
                             "kernel= int r = i / w, c = i % w;   \n"
                             "\tz = x[r * w + modulo (c - n, w)] * k;\n"
                             "  high = on ? z > 10 : z >= 10;\n"
                             "[parameter columns]\n"
                             "type=int\n"
                             "default=1\n"
                             "[parameter gain]\n"
                             "default=2\n"
                             "[parameter strict]\n"
                             "type=bool\n";

static void
test_kernel (void)
{
  g_autoptr (Modules) modules = modules_new_shipped ();
  const Op *op = load (modules, "roll.operation", rolled);
  g_autoptr (Image) image = image_of (FV_F32, FV_IMAGE, 2, 3, (const double[]){1, 2, 3, 4, 5, 6});
  static const double expected[2][6] = {{6, 2, 4, 12, 8, 10}, {4, 6, 2, 10, 12, 8}};
  static const double high[2][6] = {{0, 0, 0, 255, 0, 0}, {0, 0, 0, 255, 255, 0}};
  static const char *const values[][2] = {{"1", "yes"}, {"-1", "no"}};
  g_autoptr (GError) error = NULL;
  g_autofree gpointer args = args_new (op, &error);
  CallResult result;
  g_assert_cmpuint (op->n_inputs, ==, 1);
  g_assert_cmpstr (op->fv.inputs[0].label, ==, "x");
  g_assert_cmpuint (op->n_outputs, ==, 2);
  g_assert_cmpstr (op->fv.outputs[1].label, ==, "high");
  g_assert_false (call_op (op, args, &image, modules_device (modules, "cpu", NULL), NULL, &result, &error));
  g_assert_nonnull (strstr (error->message, "has not been allowed"));
  g_clear_error (&error);
  native_allow (modules, rolled);
  for (int n = 0; n < 2; n++) {
    g_assert_true (args_set (op, args, "columns", values[n][0], &error));
    g_assert_true (args_set (op, args, "strict", values[n][1], &error));
    call_op (op, args, &image, modules_device (modules, "cpu", NULL), NULL, &result, &error);
    g_assert_no_error (error);
    for (guint i = 0; i < 6; i++) {
      g_assert_cmpfloat (image_value (result.images[0], 0, i / 3, i % 3), ==, expected[n][i]);
      g_assert_cmpfloat (image_value (result.images[1], 0, i / 3, i % 3), ==, high[n][i]);
    }
    call_result_clear (&result);
  }
}

/* Two images, named in their order, whose type stays; a changed text must be allowed again. */
static void
test_kernel_images (void)
{
  static const char difference[] =
    "[operation]\nin_params=T x, raw int16 y\nkernel=z = x - y[i];\n[input image]\n[input dark]\n";
  g_autoptr (Modules) modules = modules_new_shipped ();
  const Op *op = load (modules, "difference.operation", difference), *other;
  g_autoptr (Image) image = image_of (FV_I16, FV_IMAGE, 1, 2, (const double[]){9, 4});
  g_autoptr (Image) dark = image_of (FV_I16, FV_IMAGE, 1, 2, (const double[]){-1, 4});
  g_autoptr (GError) error = NULL;
  g_autofree gpointer args = args_new (op, &error);
  Image *inputs[] = {image, dark};
  CallResult result;
  g_assert_cmpstr (op->fv.inputs[1].key, ==, "dark");
  g_assert_cmpstr (op->fv.help, ==, "Runs the kernel of difference.operation.");
  native_allow (modules, difference);
  call_op (op, args, inputs, modules_device (modules, "cpu", NULL), NULL, &result, &error);
  g_assert_no_error (error);
  g_assert_cmpint (image_info (result.images[0])->type, ==, FV_I16);
  g_assert_cmpfloat (image_value (result.images[0], 0, 0, 0), ==, 10);
  g_assert_cmpfloat (image_value (result.images[0], 0, 0, 1), ==, 0);
  call_result_clear (&result);
  g_assert_true (native_is_allowed (op, args));
  other = load (modules, "difference.operation",
                "[operation]\nin_params=T x, T y\nkernel=z = x + y;\n[input image]\n[input dark]\n");
  g_assert_false (native_is_allowed (other, args));
}

/* Lines and columns are those of the file. */
static void
test_kernel_errors (void)
{
  static const char *const wrong[][2] = {
    {"[operation]\nkernel=z = x + y;\n", "In a.operation: line 2, column 16: 'y' was not declared"},
    {"[operation]\nkernel =\n  z = x;\n\n    z = x + y;\n", "In a.operation: line 5, column 13: 'y' was not declared"},
    {"[operation]\nkernel=z = f (x);\npreamble=\n\n  float f (float v) { return w; }\n",
     "In a.operation: line 5, column 30: 'w' was not declared"},
    {"[operation]\nin_params=raw T x\nkernel=z = x[9];\n", "In a.operation: Index 9 of x is outside"},
    {"[operation]\nin_params=raw T x\nsize=,\nkernel=z = x[0];\n", "In a.operation: ',' is not a size"},
    {"[operation]\nin_params=raw uint16 x\nkernel=z = 1;\nout_params=uint8 z\n", "write raw float32 x"},
  };
  g_autoptr (Modules) modules = modules_new_shipped ();
  g_autoptr (Image) image = image_of (FV_F32, FV_IMAGE, 1, 2, (const double[]){9, 4});
  native_allow (modules, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    const Op *op = load (modules, "a.operation", wrong[i][0]);
    g_autoptr (GError) error = NULL;
    g_autofree gpointer args = args_new (op, &error);
    CallResult result;
    g_assert_false (call_op (op, args, &image, modules_device (modules, "cpu", NULL), NULL, &result, &error));
    if (!strstr (error->message, wrong[i][1]))
      g_error ("%s: '%s' and not '%s'", wrong[i][0], error->message, wrong[i][1]);
  }
}

/* ---- What is wrong ---- */

static void
test_wrong (void)
{
  static const struct {
    const char *name, *text, *message;
  } wrong[] = {
    {"a.operation", "", "[operation] needs a line expression= or kernel=."},
    {"a.operation", "expression=a", "Line 1: [operation] comes first."},
    {"a.operation", "[operation]\nnonsense\n", "Line 2: a line is KEY=VALUE"},
    {"a.operation", "[operation]\nlabel=\n", "Line 2: label has no value."},
    {"a.operation", "[operation]\nlabl=x\n", "Line 2: unknown key 'labl' of an operation; use label,"},
    {"a.operation", "[operation\n", "Line 1: a section is written"},
    {"a.operation", "[operations]\n", "Line 1: unknown section [operations]"},
    {"a.operation", "[operation]\nborder=none\n", "Line 2: border cannot be 'none'."},
    {"a.operation", "[operation]\nexpression=a + k\n", "Line 2: Column 5: unknown name 'k'; known are a, x, y,"},
    {"a.operation", "\n\n[operation]\n\nexpression=(a\n", "Line 5: Column 3: a ')' is missing."},
    {"a.operation", "[input 2a]\n", "Line 1: a name has small letters"},
    {"a.operation", "[input x]\n[operation]\nexpression=1\n", "Line 1: x means something else in a formula."},
    {"a.operation", "[parameter sqrt]\n[operation]\nexpression=1\n", "Line 1: sqrt means something else"},
    {"a.operation", "[parameter and]\n[operation]\nexpression=1\n", "Line 1: and means something else"},
    {"a.operation", "[input i]\n[parameter i]\n", "Line 2: there are two sections of i."},
    {"a.operation", "[parameter k]\ndefault=1,5\n", "Line 2: default is a number, not '1,5'."},
    {"a.operation", "[parameter k]\ntype=double\n", "Line 2: type cannot be 'double'."},
    {"a.operation", "[operation]\nexpression=a*k\n[parameter k]\nmin=3\nmax=2\n", "parameter 'k': its range is empty"},
    {"a.operation", "[operation]\nexpression=a\nlabel=a\001b\n", "operation 'a'"},
    {"a b.operation", "[operation]\nexpression=a\n", "does not name an operation"},
    {"from.operation", "[operation]\nexpression=a\n", "does not name an operation"},
    {"otsu.operation", "[operation]\nexpression=a\n", "the operation otsu already exists"},
    {"a.operation", "[operation]\nkernel=\n  \n[input x]\n", "Line 2: kernel has no value."},
    {"a.operation", "[operation]\npreamble=int a;\n", "[operation] needs a line expression= or kernel=."},
    {"a.operation", "[operation]\nkernel=z = x;\nexpression=a\n", "Line 3: expression and kernel are two operations"},
    {"a.operation", "[operation]\nkernel=z = x;\nborder=wrap\n", "Line 3: this is of a formula"},
    {"a.operation", "[operation]\nexpression=a\nsize=3\n", "Line 3: this is of a kernel"},
    {"a.operation", "[operation]\nkernel=z = x;\ncheck=maybe\n", "Line 3: check cannot be 'maybe'."},
    {"a.operation", "[operation]\nkernel=z = x;\nin_params=float x\n", "Line 3: 'float' is not a type"},
    {"a.operation", "[operation]\nkernel=z = x;\n\nout_params=\n", "Line 4: out_params has no value."},
    {"a.operation", "[operation]\nkernel=z = x;\n\nout_params=T x\n", "Line 4: x is an input already."},
    {"a.operation", "[operation]\nin_params=T x, int8 k=p\nkernel=z = x;\n[parameter gain]\n",
     "Line 2: k cannot be 'p': write a number, or gain, width, height"},
    {"a.operation", "[operation]\nkernel=z = x;\n[parameter width]\n",
     "Line 3: width means something else in in_params."},
    {"a.operation", "[operation]\nkernel=z = x;\n[input a]\n[input b]\n",
     "Line 2: there are 2 sections [input NAME], and 1 images in in_params."},
    {"a.operation", "[operation]\nin_params=T x, T y\nkernel=z = x;\n[input a]\n[input b]\noptional=yes\n",
     "Line 5: an image of a kernel cannot be left out"},
    {"a.operation", "[operation]\nin_params=int8 k=1\nkernel=z = k;\n", "Line 2: a kernel has an image in in_params"},
    {"a.operation", "[operation]\nexpression=\xff\n", "is not UTF-8 text"},
  };
  g_autoptr (Modules) modules = modules_new_shipped ();
  guint n = modules_ops (modules)->len;
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autofree char *path = write_file (wrong[i].name, wrong[i].text);
    g_autoptr (GError) error = NULL;
    g_assert_false (modules_load_operation (modules, path, &error));
    if (!strstr (error->message, wrong[i].message) || !strstr (error->message, path))
      g_error ("%s: '%s' and not '%s'", wrong[i].text, error->message, wrong[i].message);
    g_assert_cmpuint (modules_ops (modules)->len, ==, n);
    g_remove (path);
  }
}

static void
test_many (void)
{
  g_autoptr (Modules) modules = modules_new_shipped ();
  g_autoptr (GString) text = g_string_new ("[operation]\nexpression=1\n");
  for (int i = 0; i < 17; i++)
    g_string_append_printf (text, "[parameter k%d]\n", i);
  g_autofree char *path = write_file ("many.operation", text->str);
  g_autoptr (GError) error = NULL;
  g_assert_false (modules_load_operation (modules, path, &error));
  g_assert_nonnull (strstr (error->message, "Line 19: there can be 16 parameters."));
  g_remove (path);
}

/* Steps that hold the previous one keep using it. */
static void
test_reload (void)
{
  g_autoptr (Modules) modules = modules_new_shipped ();
  const GPtrArray *ops = modules_ops (modules);
  guint n = ops->len;
  const Op *first = load (modules, "twice.operation", "[operation]\nexpression=a*2\n");
  const Op *second = load (modules, "twice.operation", "[operation]\nexpression=a*k\n[parameter k]\ndefault=2\n");
  g_assert_cmpuint (ops->len, ==, n);
  g_assert_cmpuint (modules_ops (modules)->len, ==, n + 1);
  g_assert_true (first != second);
  g_assert_cmpuint (first->n_params, ==, 0);
  g_assert_cmpstr (first->fv.help, ==, "Computes a*2.");
  g_assert_cmpuint (second->n_params, ==, 1);
}

/* One wrong file is named, the others are there. */
static void
test_folder (void)
{
  g_autofree char *wrong = write_file ("wrong.operation", "[operation]\nexpression=a +\n");
  g_autofree char *good = write_file ("good.operation", "[operation]\nexpression=a + 1\n");
  g_autofree char *other = write_file ("readme.txt", "nothing");
  g_setenv ("FOVEA_OPERATION_PATH", folder, TRUE);
  g_autoptr (Modules) modules = modules_new (), shipped = modules_new_shipped ();
  g_unsetenv ("FOVEA_OPERATION_PATH");
  g_assert_nonnull (modules_op (modules, "good", NULL));
  g_assert_null (modules_op (modules, "wrong", NULL));
  g_assert_null (modules_op (shipped, "good", NULL));
  g_assert_cmpuint (g_strv_length ((char **) modules_refused (modules)), ==, 1);
  g_assert_nonnull (strstr (modules_refused (modules)[0], "wrong.operation' defines no operation: Line 2: Column 4:"));
}

/* What is made of a formula reads back as one, with its numbers under their new names and the images that it uses. */
static void
test_text (void)
{
  static const OperationNumber numbers[] = {{"p", "Q", 2.5, 0, 10}, {"q", "Dark Level", -1, -5, 1e-3}};
  g_autoptr (Modules) modules = modules_new_shipped ();
  const Op *formula = modules_op (modules, "expression", NULL), *op;
  g_autofree gpointer args = args_new (formula, NULL);
  g_autoptr (GError) error = NULL;
  g_assert_true (args_set (formula, args, "expression", "exp(a)*p + q*d - 1e3 +\nsqrt(q)", &error));
  g_assert_true (args_set (formula, args, "border", "wrap", &error));
  g_autofree char *text = operation_text (formula, args, "Some \"Name\" = 2...", numbers, 2);
  g_assert_cmpstr (
    text, ==,
    "[operation]\nlabel=Some \"Name\" = 2...\nexpression=exp(a)*q + dark_level*d - 1e3 + sqrt(dark_level)\n"
    "border=wrap\n\n[input a]\nlabel=Image a\n\n[input d]\nlabel=Image d\n"
    "\n[parameter q]\nlabel=Q\ndefault=2.5\nslider_min=0\nslider_max=10\n"
    "\n[parameter dark_level]\nlabel=Dark Level\ndefault=-1\nslider_min=-5\nslider_max=0.001\n");
  g_autofree char *path = NULL, *kept = NULL, *again = NULL, *key = operation_text_key ("2 Levels: µm...");
  g_assert_cmpstr (key, ==, "n2_levels_m");
  g_assert_true (modules_save_operation (modules, key, text, &path, &error));
  g_assert_true (g_file_get_contents (path, &kept, NULL, NULL));
  g_assert_cmpstr (kept, ==, text);
  op = modules_op (modules, key, NULL);
  g_assert_cmpuint (op->n_inputs, ==, 2);
  g_assert_cmpuint (op->n_params, ==, 2);
  g_assert_cmpfloat (op->fv.params[1].soft_max, ==, 1e-3);
  g_assert_false (
    modules_save_operation (modules, key, "[operation]\nexpression=b\n", &again, &error)); /* the good one stays */
  g_assert_nonnull (strstr (error->message, "Line 2: Column 1: unknown name 'b'"));
  g_assert_true (modules_op (modules, key, NULL) == op);
  g_clear_error (&error);
  g_assert_false (modules_save_operation (modules, "otsu", text, &again, &error));
  g_assert_nonnull (strstr (error->message, "the operation otsu already exists"));
}

/* A kernel's numbers get new names where it declares them, and its code stays as it is. */
static void
test_kernel_text (void)
{
  static const OperationNumber numbers[] = {{"q", "P", 3, 0, 9}, {"p", "Gain", 2, 1, 4}};
  g_autoptr (Modules) modules = modules_new_shipped ();
  const Op *kernel = modules_op (modules, "kernel", NULL), *op;
  g_autofree gpointer args = args_new (kernel, NULL), own = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (Image) image = image_of (FV_F32, FV_IMAGE, 1, 2, (const double[]){9, 4});
  CallResult result;
  g_assert_true (args_set (kernel, args, "in_params", "T x,\nraw T p , float32 k= p,int32 n =q, float32 h=.5", &error));
  g_assert_true (args_set (kernel, args, "preamble", "\tfloat\nf (float p)\n\n{ return p; }", &error));
  g_assert_true (args_set (kernel, args, "operation", "z = f (x) * k\n  + p[0] * n + h;", &error));
  g_autofree char *k = operation_text_number (kernel, args, "p"), *n = operation_text_number (kernel, args, "q"),
                  *none = operation_text_number (kernel, args, "r");
  g_assert_cmpstr (k, ==, "k");
  g_assert_cmpstr (n, ==, "n");
  g_assert_null (none);
  g_autofree char *text = operation_text (kernel, args, "Own Gain...", numbers, 2), *path = NULL;
  g_assert_cmpstr (text, ==,
                   "[operation]\nlabel=Own Gain...\n"
                   "in_params=T x, raw T p , float32 k= gain,int32 n =p, float32 h=.5\n"
                   "preamble=\n  \tfloat\n  f (float p)\n  \n  { return p; }\n"
                   "kernel=\n  z = f (x) * k\n    + p[0] * n + h;\n"
                   "\n[parameter p]\nlabel=P\ndefault=3\nslider_min=0\nslider_max=9\n"
                   "\n[parameter gain]\nlabel=Gain\ndefault=2\nslider_min=1\nslider_max=4\n");
  g_assert_true (modules_save_operation (modules, "own_gain", text, &path, &error));
  op = modules_op (modules, "own_gain", NULL);
  g_assert_cmpstr (op->path, ==, path);
  own = args_new (op, &error);
  native_allow (modules, text);
  call_op (op, own, (Image *[]){image, image}, modules_device (modules, "cpu", NULL), NULL, &result, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (image_value (result.images[0], 0, 0, 1), ==, 4 * 2 + 9 * 3 + .5);
  call_result_clear (&result);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  folder = g_dir_make_tmp ("fovea-operations-XXXXXX", NULL);
  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  g_test_add_func ("/operations/declaration", test_declaration);
  g_test_add_func ("/operations/values", test_values);
  g_test_add_func ("/operations/kernel", test_kernel);
  g_test_add_func ("/operations/kernel/images", test_kernel_images);
  g_test_add_func ("/operations/kernel/errors", test_kernel_errors);
  g_test_add_func ("/operations/wrong", test_wrong);
  g_test_add_func ("/operations/many", test_many);
  g_test_add_func ("/operations/reload", test_reload);
  g_test_add_func ("/operations/folder", test_folder);
  g_test_add_func ("/operations/text", test_text);
  g_test_add_func ("/operations/kernel/text", test_kernel_text);
  return run_tests_in (folder);
}
