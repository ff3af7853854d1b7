/* SPDX-License-Identifier: MIT
 *
 * Internals of an image, for image.c and image_residency.c only.
 */
#ifndef CORE_DATA_IMAGE_PRIVATE_H
#define CORE_DATA_IMAGE_PRIVATE_H

#include "core/data/host_slot.h"
#include "core/data/image_info.h"
#include "core/data/loader.h"
#include "core/data/slot.h"
#include "core/data/transfer.h"

#define IMAGE_PINNED ((gsize) 1 << 30) /* bytes: for more, to pin memory would take longer than the copy */

typedef struct Image Image;

struct Image {
  gint references;
  ImageInfo info;
  Image *pixels;  /* another image that has the pixels, or NULL */
  Device *maker;  /* with memory of its own, on which it was made; or NULL */
  Loader *loader; /* has the host slot of an image that comes from a source; else NULL */
  GMutex lock;    /* guards all below */
  HostSlot host;
  gboolean away;          /* it was made on a device and is not in the host slot yet */
  Transfer download;      /* to the host */
  gint64 rows_downloaded; /* of each plane; so many are on their way or there */
  GSList *slots;          /* Slot *: one per device where it is */
  Image *taken[4];        /* by ImageTaken, or NULL; no reference to itself */
  GData *kept;            /* guards itself */
};

/* Without memory for pixels. NULL with *error when its size is impossible. */
Image *image_make (const ImageInfo *info, GError **error);
/* A host slot to which and from which the device copies fast; NULL: any. FALSE with *error. */
gboolean image_make_host (Image *image, Device *device, GError **error);

/* The one that has its pixels, which may be the image itself. */
static inline Image *
image_with_pixels (Image *image)
{
  return image->pixels ? image->pixels : image;
}

#endif
