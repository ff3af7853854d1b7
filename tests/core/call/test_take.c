/* SPDX-License-Identifier: MIT
 *
 * Images of any type where labels or a mask are wanted. What comes out of them is compared with scikit-image in tests/golden.
 */
#include "core/base/error.h"
#include "core/run/plan.h"
#include "tests/support/calibrated.h"
#include "tests/support/support.h"
#include "core/data/pixel_type.h"
#include "core/call/take.h"
#include "core/call/wants.h"

#include <math.h>

static const fv_input labels_wanted = {.key = "cells", .types = FV_INTEGERS | FV_WANTS_LABELS};
static const fv_input mask_wanted = {.key = "inside", .types = FV_U8 | FV_WANTS_MASK};

static Image *
take (const fv_input *input, Image *image, Device *device)
{
  g_autoptr (GError) error = NULL;
  Image *taken = take_image (input, image, test_modules (), device, NULL, &error);
  g_assert_no_error (error);
  return taken;
}

static void
check_row (Image *image, fv_type type, fv_role role, const double *values)
{
  g_assert_cmpint (image_info (image)->type, ==, type);
  g_assert_cmpint (image_info (image)->role, ==, role);
  for (gint64 i = 0; i < image_info (image)->columns; i++)
    g_assert_cmpfloat (image_value (image, 0, 0, i), ==, values[i]);
}

static void
test_types (Device *device)
{
  static const double values[] = {0, 7, 127, 3};
  for (guint i = 0; i < PIXEL_TYPES; i++) {
    fv_type type = pixel_types[i].type;
    gboolean as_is = (type & FV_INTEGERS) != 0;
    g_autoptr (Image) image = image_of (type, FV_IMAGE, 1, 4, values);
    g_autoptr (Image) taken = take (&labels_wanted, image, device), again = take (&labels_wanted, image, device);
    g_assert_true ((taken == image) == as_is); /* no copy without need */
    g_assert_true (again == taken);            /* done once */
    check_row (taken, as_is ? type : FV_I32, as_is ? FV_IMAGE : FV_LABELS, values);
  }
}

static void
test_ends (Device *device)
{
  static const double values[] = {2147483647.0, 0, -0.0, 16777217};
  g_autoptr (Image) image = image_of (FV_F64, FV_IMAGE, 1, 4, values);
  g_autoptr (Image) taken = take (&labels_wanted, image, device);
  check_row (taken, FV_I32, FV_LABELS, values);
}

/* All of a mask is one object; a u8 image that is not marked as a mask has the labels in its pixels. */
static void
test_mask_as_labels (Device *device)
{
  static const double values[] = {0, 255, 255, 0}, ones[] = {0, 1, 1, 0};
  g_autoptr (Image) mask = image_of (FV_U8, FV_MASK, 1, 4, values);
  g_autoptr (Image) taken = take (&labels_wanted, mask, device);
  check_row (taken, FV_I32, FV_LABELS, ones);
  g_assert_true (image_info (taken)->dense);
}

static void
test_as_mask (Device *device)
{
  const double values[] = {0, 0.5, -3, NAN}, inside[] = {0, 255, 255, 0};
  static const fv_type types[] = {FV_F16, FV_F32, FV_F64};
  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    g_autoptr (Image) image = image_of (types[i], FV_IMAGE, 1, 4, values);
    g_autoptr (Image) taken = take (&mask_wanted, image, device);
    check_row (taken, FV_U8, FV_MASK, inside);
  }
}

/* The narrowest type that holds every value of the image. */
static void
test_widened (Device *device)
{
  static const struct {
    fv_type from;
    guint types;
    fv_type to; /* 0: refused */
  } cases[] = {
    {FV_I8, FV_ANY_TYPE, FV_I32},
    {FV_I16, FV_ANY_TYPE, FV_I32},
    {FV_U32, FV_ANY_TYPE, FV_F64},
    {FV_F16, FV_ANY_TYPE, FV_F32},
    {FV_U8, FV_ALL_TYPES, FV_U8},
    {FV_F16, FV_ALL_TYPES, FV_F16},
    {FV_I8, FV_I16 | FV_I32, FV_I16},
    {FV_U8, FV_I8 | FV_I16 | FV_U16, FV_U16},
    {FV_U8, FV_I8 | FV_F16, FV_F16},
    {FV_U16, FV_F16 | FV_I16 | FV_F32, FV_F32},
    {FV_U16, FV_I32 | FV_U32 | FV_F32, FV_U32},
    {FV_I32, FV_F32 | FV_U32, 0},
    {FV_I32, FV_FLOATS, FV_F64},
    {FV_F64, FV_ALL_TYPES & ~FV_F64, 0},
    {FV_F32, FV_INTEGERS, 0},
    {FV_I8, FV_U8 | FV_U16 | FV_U32, 0},
    {FV_U32, FV_I32 | FV_F32, 0},
    {FV_F32, FV_F64, FV_F64},
  };
  static const double values[] = {0, 1, 127, 3};
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const fv_input input = {.key = "image", .types = cases[i].types};
    const ImageInfo from = {.type = cases[i].from};
    g_assert_cmpint (wants_type (&input, &from), ==, cases[i].to);
    if (!cases[i].to)
      continue;
    g_autoptr (Image) image = image_of (cases[i].from, FV_IMAGE, 1, 4, values);
    g_autoptr (Image) taken = take (&input, image, device), again = take (&input, image, device);
    g_assert_true ((taken == image) == (cases[i].from == cases[i].to));
    g_assert_true (again == taken);
    check_row (taken, cases[i].to, FV_IMAGE, values);
  }
}

/* Calibrated values are made once, beside the image in a wider type; other images come as they are. */
static void
test_calibrated (Device *device)
{
  static const double stored[] = {0, 1, 200, 3}, hounsfield[] = {-1000, -998, -600, -994};
  const fv_input input = {.key = "image", .types = FV_ANY_TYPE | FV_WANTS_CALIBRATED},
                 wide = {.key = "image", .types = FV_FLOATS};
  g_autoptr (Image) plain = image_of (FV_U16, FV_IMAGE, 1, 4, stored);
  g_autoptr (Image) image = image_calibrated (plain, -1000, 2, "HU");
  g_autoptr (Image) taken = take (&input, image, device), again = take (&input, image, device),
                    widened = take (&wide, image, device), same = take (&input, plain, device);
  check_row (taken, FV_F32, FV_IMAGE, hounsfield);
  check_row (widened, FV_F32, FV_IMAGE, stored);
  g_assert_true (again == taken && same == plain);
  g_assert_cmpstr (wants_unit (&input, image_info (taken)), ==, "HU");
  g_assert_null (wants_unit (&wide, image_info (image)));
  g_assert_null (wants_unit (&input, image_info (plain)));
  g_assert_cmpuint (wants_bytes (&input, plain), ==, 0);
}

static void
refuse (fv_type type, fv_role role, double odd, const char *text, Device *device)
{
  const double values[] = {1, 2, 3, 4, odd, 5, odd, 6};
  g_autoptr (Image) image = image_of (type, role, 2, 4, values);
  g_autoptr (GError) error = NULL;
  g_assert_null (take_image (&labels_wanted, image, test_modules (), device, NULL, &error));
  g_assert_error (error, STEP_ERROR, FV_BAD_INPUT);
  g_assert_cmpstr (step_error_field (error), ==, "cells");
  g_assert_nonnull (strstr (error->message, text));
  g_assert_nonnull (strstr (error->message, "x = 0, y = 1"));
}

static void
test_no_labels (Device *device)
{
  refuse (FV_I32, FV_IMAGE, -3, "is -3 at", device);
  refuse (FV_I8, FV_IMAGE, -3, "is -3 at", device);
  refuse (FV_I16, FV_IMAGE, -32768, "is -32768 at", device);
  refuse (FV_U32, FV_IMAGE, 2147483648.0, "is 2147483648 at", device);
  refuse (FV_F16, FV_IMAGE, 0.5, "is 0.5 at", device);
  refuse (FV_F32, FV_IMAGE, -1, "is -1 at", device);
  refuse (FV_F32, FV_LABELS, 1.5, "is 1.5 at", device);
  refuse (FV_F32, FV_IMAGE, 2147483648.0, "is 2147483648 at", device);
  refuse (FV_F64, FV_IMAGE, 2147483648.0, "is 2147483648 at", device);
  refuse (FV_F64, FV_IMAGE, 0.1, "is 0.1 at", device);
  refuse (FV_F64, FV_IMAGE, NAN, "is NaN at", device);
  refuse (FV_F64, FV_IMAGE, -INFINITY, "is -inf at", device);
}

/* The position is that in the whole image, whether the operation gets planes or volumes. */
static void
test_position_in_stack (Device *device)
{
  g_autoptr (Image) image = image_random (FV_F32, FV_LABELS, 2, 3, 5, 7, 1);
  g_autoptr (GError) error = NULL;
  CallResult result;
  ((float *) image_pixels (image))[((1 * 3 + 2) * 5 + 4) * 7 + 6] = 0.25f;
  g_assert_false (run_step ("display", image, image, device, &result, &error));
  g_clear_error (&error);
  g_assert_null (take_image (&labels_wanted, image, test_modules (), device, NULL, &error));
  g_assert_nonnull (strstr (error->message, "is 0.25 at x = 6, y = 4, slice 2, channel 1"));
}

/* Through a step: the error says which step and which input. */
static void
test_step (Device *device)
{
  const double values[] = {0, 1, 1.5, 2};
  g_autoptr (Image) image = image_of (FV_F32, FV_IMAGE, 1, 4, values);
  g_autoptr (GError) error = NULL;
  CallResult result;
  g_assert_false (run_step ("regionprops properties=label,area", image, NULL, device, &result, &error));
  g_assert_true (g_str_has_prefix (error->message, "regionprops: image: "));
  g_assert_nonnull (strstr (error->message, "x = 2, y = 0"));
  g_assert_cmpstr (step_error_field (error), ==, "image");
}

/* A mask may be thrown at regionprops: the table has one row, of the object 1. */
static void
test_measured_mask (Device *device)
{
  static const double values[] = {0, 255, 255, 0};
  g_autoptr (Image) mask = image_of (FV_U8, FV_MASK, 1, 4, values);
  CallResult result;
  run_step ("regionprops properties=label,area", mask, NULL, device, &result, NULL);
  g_assert_cmpint (table_rows (result.table), ==, 1);
  g_assert_cmpfloat (table_find (result.table, "label")->values[0], ==, 1);
  g_assert_cmpfloat (table_find (result.table, "area")->values[0], ==, 2);
  call_result_clear (&result);
}

static gsize
planned (const char *steps, Image *image)
{
  g_autoptr (Run) run = run_of (steps, image);
  g_autoptr (Plan) plan = plan_new (run, NULL);
  gsize bytes = 0;
  for (guint i = 0; i < plan->steps->len; i++)
    bytes += g_array_index (plan->steps, PlanStep, i).made;
  return bytes;
}

/* What an image becomes counts as memory of the run, once, and no longer when it is there. */
static void
test_planned_memory (Device *device)
{
  static const char steps[] = "regionprops properties=label | regionprops properties=area";
  g_autoptr (Image) floats = image_random (FV_F64, FV_LABELS, 1, 2, 30, 40, 1);
  g_autoptr (Image) integers = image_random (FV_I32, FV_LABELS, 1, 2, 30, 40, 1), taken = NULL;
  g_assert_cmpint (planned (steps, integers), ==, 0);
  g_assert_cmpint (planned (steps, floats), ==, 4 * 2 * 30 * 40);
  taken = take (&labels_wanted, floats, device);
  g_assert_cmpint (planned (steps, floats), ==, 0);
}

/* It is let go with the result that it was made of; what is made of the source stays. */
static void
test_planned_to_be_let_go (void)
{
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 1, 2, 30, 40, 1),
                    labels = image_random (FV_F64, FV_LABELS, 1, 2, 30, 40, 1);
  static const char *const steps[] = {"otsu | regionprops properties=area | gaussian sigma=1 from=source",
                                      "regionprops properties=area | zoom order=0"};
  for (guint i = 0; i < 2; i++) {
    g_autoptr (Recipe) recipe = recipe_parse (test_modules (), steps[i], NULL);
    g_autoptr (Run) run = run_new (recipe, i ? labels : image, RUN_KEEP_NAMED);
    g_autoptr (Plan) plan = plan_new (run, NULL);
    gsize gone = 0;
    for (guint k = 0; k < plan->steps->len; k++)
      gone += g_array_index (plan->steps, PlanStep, k).gone;
    g_assert_cmpuint (plan->steps->len, ==, 3 - i);
    g_assert_cmpuint (gone, ==, i ? 0 : (1 + 4) * 2 * 30 * 40); /* the mask, and its labels */
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/take/types", test_types);
  add_device_test ("/take/ends", test_ends);
  add_device_test ("/take/mask-as-labels", test_mask_as_labels);
  add_device_test ("/take/as-mask", test_as_mask);
  add_device_test ("/take/widened", test_widened);
  add_device_test ("/take/calibrated", test_calibrated);
  add_device_test ("/take/no-labels", test_no_labels);
  add_device_test ("/take/position-in-stack", test_position_in_stack);
  add_device_test ("/take/step", test_step);
  add_device_test ("/take/measured-mask", test_measured_mask);
  add_device_test ("/take/planned-memory", test_planned_memory);
  g_test_add_func ("/take/planned-to-be-let-go", test_planned_to_be_let_go);
  return g_test_run ();
}
