/* SPDX-License-Identifier: MIT
 */
#include "ui/view/objects.h"

#include "core/run/take.h"

Image *
objects_labels (Image *image, const Modules *modules, Device *device, Progress *progress, GError **error)
{
  static const fv_input labels = {.key = "labels", .types = FV_I32 | FV_WANTS_LABELS};
  return take_image (&labels, image, modules, device, progress, error);
}
