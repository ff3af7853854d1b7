/* SPDX-License-Identifier: MIT
 *
 * A picture of some megabytes is much less than the image: a GPU draws it before the image would be in host memory.
 */
#include "ui/canvas/paint_device.h"

#include "core/view/look_limits.h"
#include "core/view/shown_range.h"

/* A run that may take longer has the device for so long that the host is faster. */
static const double short_run_ms = 50;

/* `display` finds the limits of all channels itself, which are those of the plane that is seen, or of none. */
static gboolean
knows_limits (const ImageInfo *info, const ViewChannel *settings)
{
  gint64 found = 0, given = 0;
  Range known;
  for (gint64 c = 0; c < info->channels; c++) {
    const ViewChannel *look = &settings[c];
    const gboolean of_all = look_limits_are_of_all (look, info);
    found += !of_all && look->automatic && !look->zscale && look->gamma == 1 && look->a == 0 && !look->hidden;
    given += of_all || !look->automatic || shown_range_known (info->type, &known);
  }
  return info->role != FV_IMAGE || given == info->channels || found == info->channels;
}

static gboolean
is_free_soon (const Document *document)
{
  const Recipe *recipe = document_recipe (document);
  const Run *run = document_run (document);
  return !document_busy (document) || (run_length (run) == recipe_length (recipe) && run_ms (run) < short_run_ms);
}

Device *
paint_device (const Op *display, Image *image, Image *labels, const ViewChannel *settings, const Document *document)
{
  Device *device = image_device (image);
  if (!device || !display->fv.run[device->fv->kind] || (labels && image_device (labels) != device)
      || image_info (image)->frames > 1 || !knows_limits (image_info (image), settings) || !is_free_soon (document))
    return NULL;
  return device;
}
