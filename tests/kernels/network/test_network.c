/* SPDX-License-Identifier: MIT
 *
 * Networks against ONNX Runtime (tests/kernels/network/make.py), files that are damaged, and one image in parts.
 */
#include "kernels/network/network.h"
#include "tests/support/init.h"

static char *
data_path (const char *name, const char *end)
{
  return g_strconcat (g_getenv ("FOVEA_SOURCE"), "/", name, end, NULL);
}

static int
keep_on (const fv_call *call, int64_t done, int64_t total)
{
  (void) call, (void) done, (void) total;
  return 0;
}

/* A network with its weights. */
typedef struct Loaded {
  network net;
  float *weights;
} Loaded;

static void
load (const char *path, Loaded *to)
{
  g_autofree char *bytes = NULL;
  gsize n;
  fv_error error = FV_ERROR_INIT;
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  g_assert_cmpint (network_read (bytes, n, &to->net, NULL, &error), ==, FV_OK);
  to->weights = g_new (float, to->net.n_weights);
  g_assert_cmpint (network_read (bytes, n, &to->net, to->weights, &error), ==, FV_OK);
}

/* The output, channel by channel, for an image of that size; memory is full of NaN before. */
static float *
compute (const Loaded *l, const float *image, gint64 rows, gint64 columns)
{
  const fv_host host = {.size = sizeof host, .tick = keep_on};
  const fv_call call = {.size = sizeof call, .host = &host};
  const network_plan plan = network_plan_of (&l->net, rows, columns);
  g_autofree float *memory = g_new (float, plan.floats);
  fv_error error = FV_ERROR_INIT;
  memset (memory, 0xff, (gsize) plan.floats * sizeof *memory);
  const network_view in = network_view_of (&l->net, &plan, memory, l->net.input);
  for (gint64 y = 0; y < rows; y++)
    memcpy (network_row (&in, 0, y), image + y * columns, (gsize) columns * sizeof *image);
  progress p = {&call, .total = network_work (&l->net, &plan)};
  g_assert_cmpint (network_cpu (&call, &l->net, &plan, l->weights, memory, &p, &error), ==, FV_OK);
  g_assert_cmpint (p.done, ==, p.total);
  const network_view out = network_view_of (&l->net, &plan, memory, l->net.output);
  float *result = g_new (float, out.channels *out.rows *out.columns);
  for (gint64 c = 0; c < out.channels; c++)
    for (gint64 y = 0; y < out.rows; y++)
      memcpy (result + (c * out.rows + y) * out.columns, network_row (&out, c, y),
              (gsize) out.columns * sizeof *result);
  return result;
}

/* The 32-bit floats of a NumPy array of version 1. */
static float *
load_numbers (const char *name, const char *end, gsize *n)
{
  enum { HEAD = 10 };
  g_autofree char *path = data_path (name, end), *bytes = NULL;
  gsize size;
  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  const gsize start = HEAD + (guint8) bytes[8] + 256 * (guint8) bytes[9];
  *n = (size - start) / sizeof (float);
  return g_memdup2 (bytes + start, size - start);
}

typedef struct Case {
  const char *model, *data;
  gint64 rows, columns; /* of the image */
} Case;

static void
test_runtime (gconstpointer data)
{
  const Case *c = data;
  g_autofree char *file = data_path (c->model, ".onnx");
  gsize pixels, n;
  g_autofree float *image = load_numbers (c->data, "_image.npy", &pixels),
                   *expected = load_numbers (c->data, "_result.npy", &n);
  Loaded l;
  load (file, &l);
  g_assert_cmpint ((gint64) pixels, ==, c->rows * c->columns);
  g_autofree float *result = compute (&l, image, c->rows, c->columns);
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon (result[i], expected[i], 1e-4 * (1 + fabsf (expected[i])));
  g_free (l.weights);
}

static void
assert_refused (const char *bytes, gsize n, fv_status status, const char *pattern)
{
  network net;
  fv_error error = FV_ERROR_INIT;
  g_assert_cmpint (network_read (bytes, n, &net, NULL, &error), ==, status);
  g_assert_cmpstr (error.field, ==, "model");
  g_assert_true (g_pattern_match_simple (pattern, error.text));
}

static void
test_refused (void)
{
  g_autofree char *path = data_path ("tests/kernels/network/data/refused", ".onnx"), *bytes = NULL;
  gsize n;
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  assert_refused (bytes, n, FV_UNSUPPORTED, "*node AveragePool*max pooling*");
  assert_refused ("", 0, FV_BAD_ARGUMENT, "*damaged*");
  assert_refused ("GIF89a", 6, FV_BAD_ARGUMENT, "*damaged*");
}

/* Each is refused with a sentence, or is still a network. */
static void
test_damaged (void)
{
  g_autofree char *path = data_path ("tests/kernels/network/data/layers", ".onnx"), *bytes = NULL;
  gsize n;
  network net;
  fv_error error = FV_ERROR_INIT;
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  for (gsize i = 1; i < n; i++) {
    g_autofree char *part = g_memdup2 (bytes, i); /* of its own, so that sanitizers see what is read behind it */
    const fv_status status = network_read (part, i, &net, NULL, &error);
    g_assert_true (status == FV_OK || ((status == FV_BAD_ARGUMENT || status == FV_UNSUPPORTED) && *error.text));
  }
  for (gsize i = 0; i < n; i++) {
    const char was = bytes[i];
    bytes[i] = (char) (was ^ (1 << i % 8));
    const fv_status status = network_read (bytes, n, &net, NULL, &error);
    g_assert_true (status == FV_OK || ((status == FV_BAD_ARGUMENT || status == FV_UNSUPPORTED) && *error.text));
    bytes[i] = was;
  }
}

int
main (int argc, char **argv)
{
  static const Case layers = {"tests/kernels/network/data/layers", "tests/kernels/network/data/layers", 48, 80};
  static const Case nuclei = {"data/models/nuclei", "tests/kernels/network/data/nuclei", 64, 48};
  init_tests (&argc, &argv);
  g_test_add_data_func ("/network/layers", &layers, test_runtime);
  g_test_add_data_func ("/network/nuclei", &nuclei, test_runtime);
  g_test_add_func ("/network/refused", test_refused);
  g_test_add_func ("/network/damaged", test_damaged);
  return g_test_run ();
}
