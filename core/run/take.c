/* SPDX-License-Identifier: MIT
 *
 * The hidden operations check_labels and interpret do the work.
 */
#include "core/run/take.h"

#include "core/ops/args.h"
#include "core/run/call.h"
#include "core/base/error.h"
#include "core/base/text.h"

static fv_role
wanted (const fv_input *input)
{
  return input->types & FV_WANTS_LABELS ? FV_LABELS : input->types & FV_WANTS_MASK ? FV_MASK : FV_IMAGE;
}

gboolean
take_any_type (const fv_input *input)
{
  return wanted (input) != FV_IMAGE;
}

/* Whether an image of that type and role has to become another one. */
static gboolean
must_be_made (const fv_input *input, fv_type type, fv_role role)
{
  return take_any_type (input) && (!(input->types & type) || (wanted (input) == FV_LABELS && role == FV_MASK));
}

/* Other types may hold what is no label; what steps have made as labels, or files call so, are labels. */
static gboolean
must_be_checked (const fv_input *input, fv_type type, fv_role role)
{
  return wanted (input) == FV_LABELS && ((type == FV_I32 && role != FV_LABELS) || type & FV_FLOATS);
}

void
take_grid (const fv_input *input, fv_grid *grid)
{
  if (!must_be_made (input, grid->type, grid->role))
    return;
  grid->dense = wanted (input) == FV_LABELS && grid->role == FV_MASK;
  grid->role = wanted (input);
  grid->type = grid->role == FV_LABELS ? FV_I32 : FV_U8;
}

gsize
take_bytes (const fv_input *input, Image *image)
{
  const ImageInfo *info = image_info (image);
  g_autoptr (Image) taken = NULL;
  if (!must_be_made (input, info->type, info->role) || (taken = image_taken (image, wanted (input))))
    return 0;
  return (gsize) (image_info_planes (info) * info->rows * info->columns) * (wanted (input) == FV_LABELS ? 4 : 1);
}

/* Runs a step without other inputs. */
static gboolean
run (const Modules *modules, const char *key, const char *role, Image *image, Device *device, Progress *progress,
     CallResult *result, GError **error)
{
  const Op *op = modules_op (modules, key, error);
  g_autofree gpointer args = op ? args_new (op, error) : NULL;
  Image *inputs[] = {image};
  return args && (!role || args_set (op, args, "role", role, error))
         && call_op (op, args, inputs, device, progress, result, error);
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
                  "'%s' is %s at %s (counted from 0), which is no label: labels are whole numbers from 0 to "
                  "2147483647. To find objects by "
                  "their brightness, threshold the image and label the mask first.",
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

Image *
take_image (const fv_input *input, Image *image, const Modules *modules, Device *device, Progress *progress,
            GError **error)
{
  const ImageInfo *info = image_info (image);
  fv_role role = wanted (input);
  gboolean made = must_be_made (input, info->type, info->role);
  gboolean checked = must_be_checked (input, info->type, info->role);
  Image *taken = made || checked ? image_taken (image, role) : image_ref (image);
  CallResult result;
  if (taken)
    return taken;
  if (checked && !are_labels (input, image, modules, device, progress, error))
    return NULL;
  if (!made) {
    taken = image_ref (image);
  } else if (run (modules, "interpret", role == FV_MASK ? "mask" : "labels", image, device, progress, &result, error)) {
    taken = image_ref (result.images[0]);
    call_result_clear (&result);
  }
  if (taken)
    image_set_taken (image, role, taken);
  return taken;
}
