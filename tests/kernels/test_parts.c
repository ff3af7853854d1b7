/* SPDX-License-Identifier: MIT
 *
 * What operations say of parts of an image, on every device: away from its halo a part of what a point or local operation takes gives
 * that part of what it makes; and so does one that is given what it finds in the whole.
 */
#include "core/data/pixel_type.h"
#include "core/ops/args.h"
#include "core/run/call_grid.h"
#include "core/run/call_op.h"
#include "tests/support/op_inputs.h"
#include "tests/support/raw_call.h"
#include "tests/support/support.h"

#include <math.h>

enum { PLANES = 3, ROWS = 83, COLUMNS = 131, TOP = 17, LEFT = 29, HIGH = 49, WIDE = 71 };

static Image *
part_of (Image *whole)
{
  const ImageInfo *info = image_info (whole);
  ImageInfo part = *info;
  part.rows = HIGH;
  part.columns = WIDE;
  Image *image = image_new (&part, NULL);
  const gsize bytes = image_info_plane_bytes (&part), stride = bytes / HIGH;
  for (gint64 p = 0; p < PLANES; p++)
    g_assert_true (image_read (whole, 0, p, &(ImageRegion){TOP, LEFT, HIGH, WIDE},
                               (char *) image_pixels (image) + (gsize) p * bytes, stride, NULL));
  return image;
}

/* What sums in another order may make of a pixel: on a GPU the tiles of a part lie elsewhere than those of the whole. The CPU sums in
 * one order, whatever the part. */
static double
most_off (Image *whole, const Device *device)
{
  const ImageInfo *info = image_info (whole);
  double largest = 0;
  if (device->fv->kind == FV_CPU || info->role == FV_MASK || info->role == FV_LABELS)
    return 0;
  if (!(info->type & FV_FLOATS))
    return 1; /* rounded */
  for (gint64 p = 0; p < image_info_planes (info); p++)
    for (gint64 i = 0; i < ROWS * COLUMNS; i++) {
      double v = fabs (image_value (whole, p, i / COLUMNS, i % COLUMNS));
      largest = isfinite (v) ? fmax (largest, v) : largest;
    }
  return largest * (info->type == FV_F32 ? 1e-5 : 1e-12);
}

/* Pixels that far from the edges of the part are those of the whole. */
static void
assert_part (const Op *op, Image *part, Image *whole, const gint64 halo[3], const Device *device)
{
  const double most = most_off (whole, device);
  for (gint64 p = 0; p < image_info_planes (image_info (part)); p++)
    for (gint64 y = halo[1]; y < HIGH - halo[1]; y++)
      for (gint64 x = halo[2]; x < WIDE - halo[2]; x++) {
        double v = image_value (part, p, y, x), w = image_value (whole, p, y + TOP, x + LEFT);
        if (v != w && !(isnan (v) && isnan (w)) && !(fabs (v - w) <= most))
          g_error ("%s on %s, %s, plane %d, row %d, column %d of the part: %.17g, and %.17g in the whole", op->fv.key,
                   device->fv->key, pixel_type (image_info (whole)->type)->name, (int) p, (int) y, (int) x, v, w);
      }
}

static void
run (const Op *op, gconstpointer args, Image *const *inputs, const double *given, Device *device, CallResult *result)
{
  g_autoptr (GError) error = NULL;
  call_with_tables (op, args, inputs, device, &(CallPlace){.given = given}, result, &error);
  g_assert_no_error (error);
}

static void
check (const Op *op, fv_type type, Device *device)
{
  g_autofree gpointer args = args_new (op, NULL);
  Image *inputs[OP_INPUTS] = {NULL}, *parts[OP_INPUTS] = {NULL};
  fv_grid in[OP_MAX_ARRAYS], out[OP_MAX_ARRAYS];
  gint64 halo[3] = {0, 0, 0};
  CallResult whole, part;
  op_inputs_make (op, type, (Size){1, PLANES, ROWS, COLUMNS}, 5, inputs);
  for (guint i = 0; i < op->n_inputs; i++)
    parts[i] = inputs[i] ? part_of (inputs[i]) : NULL;
  run (op, args, inputs, NULL, device, &whole);
  run (op, args, parts, op->fv.part == FV_PART_GIVEN ? whole.scalars : NULL, device, &part);
  g_assert_true (call_grids (op, args, inputs, in, out, NULL));
  if (op->fv.kind == FV_LOCAL)
    op->fv.halo (op->declared, args, &in[0], halo);
  for (guint i = 0; i < op->n_outputs; i++)
    assert_part (op, part.images[i], whole.images[i], halo, device);
  if (op->fv.part == FV_PART_GIVEN)
    g_assert_cmpmem (part.scalars, part.scalar_bytes, whole.scalars, whole.scalar_bytes);
  op_inputs_free (op, inputs);
  op_inputs_free (op, parts);
  call_result_clear (&whole);
  call_result_clear (&part);
}

static void
test_parts (Device *device)
{
  const GPtrArray *ops = modules_ops (test_modules ());
  guint given = 0;
  for (guint i = 0; i < ops->len; i++) {
    const Op *op = ops->pdata[i];
    const gboolean same = op->fv.kind == FV_POINT || op->fv.kind == FV_LOCAL || op->fv.part == FV_PART_GIVEN;
    given += op->fv.part == FV_PART_GIVEN;
    for (guint type = FV_U8; same && type <= FV_F64 && op->fv.run[device->fv->kind]; type <<= 1)
      if (op->fv.inputs[0].types & type)
        check (op, type, device);
  }
  g_assert_cmpuint (given, >=, 2);
}

/* What is given counts, whatever the pixels are, for each plane or for all; NaN, of an image without any threshold, takes nothing. */
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
  g_test_init (&argc, &argv, NULL);
  add_device_test ("/parts/of-all", test_parts);
  add_device_test ("/parts/given", test_given);
  return g_test_run ();
}
