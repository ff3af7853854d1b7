/* SPDX-License-Identifier: MIT
 *
 * Parts of an image, on every device: away from its halo, a part of the input of a point or local operation gives that part of its output, to the
 * bit. So does one that gets the statistics of the whole. Planes that an operation takes one by one come out the same, whichever others come with
 * them.
 */
#include "core/data/pixel_type.h"
#include "core/ops/args.h"
#include "core/call/grid.h"
#include "core/call/op.h"
#include "tests/support/op_inputs.h"
#include "tests/support/raw_call.h"
#include "tests/support/same.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

enum { PLANES = 3, ROWS = 83, COLUMNS = 131 };

typedef struct {
  gint64 plane, top, left, planes, rows, columns;
} Part;

/* Inside, at corners, along edges, at offsets that are multiples of tiles and at others. */
static const Part parts[] = {{0, 17, 29, PLANES, 49, 71}, {0, 0, 0, PLANES, 50, 64},  {0, 34, 60, PLANES, 49, 71},
                             {0, 16, 32, PLANES, 64, 96}, {0, 1, 1, PLANES, 81, 129}, {0, 29, 0, PLANES, 54, COLUMNS},
                             {0, 0, 67, PLANES, ROWS, 61}},
                  planes = {1, 0, 0, 2, ROWS, COLUMNS};

static Image *
part_of (Image *whole, const Part *part)
{
  ImageInfo info = *image_info (whole);
  info.depth = part->planes;
  info.rows = part->rows;
  info.columns = part->columns;
  Image *image = image_new (&info, NULL);
  const gsize bytes = image_info_plane_bytes (&info), stride = bytes / (gsize) part->rows;
  for (gint64 p = 0; p < part->planes; p++)
    g_assert_true (image_read (whole, 0, part->plane + p,
                               &(ImageRegion){part->top, part->left, part->rows, part->columns},
                               (char *) image_pixels (image) + (gsize) p * bytes, stride, NULL));
  return image;
}

/* An operation with arguments on a device, on images of a type. */
typedef struct {
  const Op *op;
  gconstpointer args;
  const char *set; /* what was set of them, for messages */
  Device *device;
  fv_type type;
} Case;

/* Pixels that far from those edges of the part that are no edges of the whole are those of the whole. */
static void
assert_part (const Case *c, Image *made, Image *whole, const Part *part, const gint64 halo[3], double tolerance)
{
  const gint64 top = part->top ? halo[1] : 0, left = part->left ? halo[2] : 0,
               bottom = part->rows - (part->top + part->rows < ROWS ? halo[1] : 0),
               right = part->columns - (part->left + part->columns < COLUMNS ? halo[2] : 0);
  for (gint64 p = 0; p < part->planes; p++) {
    const double limit = same_pixel_limit (whole, part->plane + p, tolerance);
    for (gint64 y = top; y < bottom; y++)
      for (gint64 x = left; x < right; x++) {
        double v = image_value (made, p, y, x), w = image_value (whole, part->plane + p, part->top + y, part->left + x);
        if (!same_number (v, w, limit))
          g_error (
            "%s%s on %s, %s, row %d, column %d of the part of %d x %d at %d, %d, %d: %.17g, and %.17g in the whole",
            c->op->fv.key, c->set, c->device->fv->key, pixel_type (c->type)->name, (int) y, (int) x, (int) part->rows,
            (int) part->columns, (int) part->plane, (int) part->top, (int) part->left, v, w);
      }
  }
}

static void
run (const Op *op, gconstpointer args, Image *const *inputs, const double *given, Device *device, CallResult *result)
{
  g_autoptr (GError) error = NULL;
  call_with_tables (op, args, inputs, device, &(CallTarget){.given = given}, result, &error);
  g_assert_no_error (error);
}

static void
check_part (const Case *c, Image *const *inputs, const CallResult *whole, const Part *part, const gint64 halo[3])
{
  const Op *op = c->op;
  const gboolean given = op->fv.part == FV_PART_GIVEN;
  const gint64 rows = whole->scalar_rows == PLANES ? part->planes : whole->scalar_rows;
  const double *scalars =
    whole->scalars ? whole->scalars + (whole->scalar_rows == PLANES ? part->plane * op->n_scalars : 0) : NULL;
  Image *cut[OP_INPUTS] = {NULL};
  CallResult made;
  for (guint i = 0; i < op->n_inputs; i++)
    cut[i] = inputs[i] ? part_of (inputs[i], part) : NULL;
  run (op, c->args, cut, given && part != &planes ? scalars : NULL, c->device, &made);
  for (guint i = 0; i < op->n_outputs; i++)
    assert_part (c, made.images[i], whole->images[i], part, halo, whole->tolerance);
  if (given || part == &planes) {
    g_autofree char *difference = same_scalars (op, (guint) rows, made.scalars, scalars, whole->tolerance);
    if (difference)
      g_error ("%s%s on %s, %s: %s in the whole", op->fv.key, c->set, c->device->fv->key, pixel_type (c->type)->name,
               difference);
  }
  op_inputs_free (op, cut);
  call_result_clear (&made);
}

static gboolean
has_parts (const Op *op)
{
  return op->fv.kind == FV_POINT || op->fv.kind == FV_LOCAL || op->fv.part == FV_PART_GIVEN;
}

/* Whether all outputs have as many planes, rows and columns as the first input. */
static gboolean
keeps_size (const Op *op, const fv_grid *in, const fv_grid *out)
{
  gboolean keeps = TRUE;
  for (guint i = 0; i < op->n_outputs; i++)
    keeps = keeps && !memcmp (out[i].shape, in[0].shape, sizeof in[0].shape);
  return keeps;
}

static void
check (const Case *c)
{
  const Op *op = c->op;
  Image *inputs[OP_INPUTS] = {NULL};
  fv_grid in[OP_MAX_ARRAYS], out[OP_MAX_ARRAYS];
  gint64 halo[3] = {0, 0, 0};
  CallResult whole;
  op_inputs_make (op, c->type, (Size){1, PLANES, ROWS, COLUMNS}, 5, inputs);
  const gboolean fits =
    call_grids (op, c->args, inputs, in, out, NULL) && keeps_size (op, in, out) && !op_is_long (op, c->args, inputs);
  const gboolean one_by_one = fits && call_grain (op, c->args) == FV_PLANES;
  const guint n_parts = *c->set ? 2 : G_N_ELEMENTS (parts);
  if (fits && (has_parts (op) || one_by_one)) {
    run (op, c->args, inputs, NULL, c->device, &whole);
    if (op->fv.kind == FV_LOCAL)
      op->fv.halo (op->declared, c->args, &in[0], halo);
    for (guint i = 0; i < n_parts && has_parts (op) && halo[1] <= ROWS; i++)
      check_part (c, inputs, &whole, &parts[i], halo);
    if (one_by_one)
      check_part (c, inputs, &whole, &planes, (const gint64[3]){0, 0, 0});
    call_result_clear (&whole);
  }
  op_inputs_free (op, inputs);
}

/* With the default arguments, or with one of them set. */
static void
check_types (const Op *op, const char *key, const char *value, Device *device)
{
  g_autofree gpointer args = args_new (op, NULL);
  g_autofree char *set = key ? g_strdup_printf (" %s=%s", key, value) : g_strdup ("");
  if (key && !args_set (op, args, key, value, NULL))
    return;
  for (guint type = FV_U8; type <= FV_F64; type <<= 1)
    if (op->fv.inputs[0].types & type)
      check (&(Case){op, args, set, device, type});
}

typedef struct {
  const Op *op;
  Device *device;
} Pair;

static void
test_parts (gconstpointer data)
{
  const Pair *pair = data;
  const Op *op = pair->op;
  check_types (op, NULL, NULL, pair->device);
  for (guint i = 0; i < op->n_params; i++) {
    const fv_param *p = &op->fv.params[i];
    for (const fv_choice *choice = p->choices; choice && choice->key; choice++)
      check_types (op, p->key, choice->key, pair->device);
    if (p->type == FV_BOOL)
      check_types (op, p->key, p->def ? "no" : "yes", pair->device);
  }
}

static void
add_parts_tests (void)
{
  const GPtrArray *ops = modules_ops (test_modules ()), *devices = modules_find_devices (test_modules ());
  for (guint i = 0; i < ops->len; i++)
    for (guint d = 0; d < devices->len; d++) {
      const Op *op = ops->pdata[i];
      Device *device = devices->pdata[d];
      if (device->fv->fault || !op->fv.run[device->fv->kind] || !op->n_inputs)
        continue;
      g_autofree char *path = g_strdup_printf ("/parts/%s/%s", op->fv.key, device->fv->key);
      Pair *pair = g_new (Pair, 1);
      *pair = (Pair){op, modules_device (test_modules (), device->fv->key, NULL)};
      g_test_add_data_func_full (path, pair, test_parts, g_free);
    }
}

/* Given values have precedence over the pixels, for each plane or for all; NaN, of an image without any threshold, selects nothing. */
static void
test_given (Device *device)
{
  static const double values[] = {1, 2, 3, 4, 5, 6, 7, 8};
  const Op *op = modules_op (test_modules (), "threshold", NULL);
  g_autoptr (Image) image = image_of_planes (FV_F32, FV_IMAGE, 1, 2, 2, 2, values);
  const struct {
    const char *key, *value;
    double given[2];
    const char *mask;
  } cases[] = {{"method", "otsu", {2.5, 7}, "00110001"},
               {"method", "mean", {NAN, 0}, "00001111"},
               {"volume", "yes", {4, 0}, "00001111"},
               {"dark_background", "no", {2.5, 7}, "11001110"}};
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree gpointer args = args_new (op, NULL);
    CallResult result;
    g_assert_true (args_set (op, args, cases[i].key, cases[i].value, NULL));
    run (op, args, &image, cases[i].given, device, &result);
    for (int k = 0; k < 8; k++)
      g_assert_cmpint ((int) image_value (result.images[0], k / 4, k / 2 % 2, k % 2), ==,
                       cases[i].mask[k] == '1' ? 255 : 0);
    g_assert_cmpfloat (result.scalars[0] == cases[i].given[0] || isnan (cases[i].given[0]), ==, 1);
    call_result_clear (&result);
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_parts_tests ();
  add_device_test ("/given", test_given);
  return g_test_run ();
}
