/* SPDX-License-Identifier: MIT
 *
 * The hidden operations check_labels and interpret do the work.
 */
#include "core/call/take.h"

#include "core/ops/args.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/data/pixel_type.h"
#include "core/data/value_calibration.h"
#include "core/data/widen.h"
#include "core/call/call.h"
#include "core/call/wants.h"

/* Runs a step without other inputs. */
static gboolean
run (const Modules *modules, const char *key, const char *role, Image *image, Device *device, Progress *progress,
     CallResult *result, GError **error)
{
  const Op *op = modules_op (modules, key, error);
  g_autofree gpointer args = op ? args_new (op, error) : NULL;
  Image *inputs[] = {image};
  return args && (!role || args_set (op, args, "role", role, error))
         && call_start (op, args, &(CallInputs){inputs, NULL}, device, NULL, progress, result, error)
         && call_settle (op, result, error);
}

static void
say_where (const fv_input *input, const ImageInfo *info, gint64 plane, gint64 pixel, double value, GError **error)
{
  g_autofree char *number = text_from_number (value);
  GString *where = g_string_new (NULL);
  g_string_append_printf (where, "x = %" G_GINT64_FORMAT ", y = %" G_GINT64_FORMAT, pixel % info->columns,
                          pixel / info->columns);
  if (info->depth > 1)
    g_string_append_printf (where, ", slice %" G_GINT64_FORMAT, plane % info->depth);
  if (info->channels > 1)
    g_string_append_printf (where, ", channel %" G_GINT64_FORMAT, plane / info->depth % info->channels);
  if (info->frames > 1)
    g_string_append_printf (where, ", frame %" G_GINT64_FORMAT, plane / info->depth / info->channels);
  step_error_set (error, FV_BAD_INPUT, input->key,
                  "'%s' is %s at %s (counted from 0), which is not a label: labels are integers from 0 to "
                  "2147483647. To find objects by brightness, threshold the image and label the mask first.",
                  info->name, number, where->str);
  g_string_free (where, TRUE);
}

static gboolean
are_labels (const fv_input *input, Image *image, const Modules *modules, Device *device, Progress *progress,
            GError **error)
{
  CallResult result;
  gboolean are = TRUE;
  if (!run (modules, "check_labels", NULL, image, device, progress, &result, error))
    return FALSE;
  for (gint64 plane = 0; plane < result.scalar_rows && are; plane++) {
    const double *found = result.scalars + 2 * plane;
    if (!(are = found[0] < 0))
      say_where (input, image_info (image), plane, (gint64) found[0], found[1], error);
  }
  call_result_clear (&result);
  return are;
}

/* The image as labels or as a mask. What is done for that is done to one of the usual types. */
static Image *
take_role (const fv_input *input, Image *image, const Modules *modules, Device *device, Progress *progress,
           GError **error)
{
  const ImageInfo *info = image_info (image);
  fv_type usual = pixel_type_holding (info->type, FV_ANY_TYPE);
  g_autoptr (Image) from = usual == info->type ? image_ref (image) : widen_image (image, usual, progress, error);
  CallResult result;
  Image *taken;
  if (!from || (wants_checked (input, info) && !are_labels (input, from, modules, device, progress, error)))
    return NULL;
  if (!wants_made (input, info))
    return image_ref (image);
  if (!run (modules, "interpret", wants_role (input) == FV_MASK ? "mask" : "labels", from, device, progress, &result,
            error))
    return NULL;
  taken = image_ref (result.images[0]);
  call_result_clear (&result);
  return taken;
}

Image *
take_image (const fv_input *input, Image *image, const Modules *modules, Device *device, Progress *progress,
            GError **error)
{
  const ImageInfo *info = image_info (image);
  const ImageTaken as = wants_taken (input, info);
  const fv_type type = wants_type (input, info);
  g_autoptr (Image) before = NULL;
  Image *taken;
  if (!wants_made (input, info) && !wants_checked (input, info))
    return image_ref (image);
  before = image_taken (image, as);
  if (before && image_info (before)->type == type)
    return g_steal_pointer (&before);
  switch (as) {
  case IMAGE_CALIBRATED: taken = value_calibrated_image (image, progress, error); break;
  case IMAGE_WIDENED: taken = widen_image (image, type, progress, error); break;
  default: taken = take_role (input, image, modules, device, progress, error);
  }
  if (taken)
    image_set_taken (image, as, taken);
  return taken;
}
