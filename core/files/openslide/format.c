/* SPDX-License-Identifier: MIT
 */
#include "core/files/openslide/format.h"

#include "core/base/file_read.h"
#include "core/files/openslide/library.h"
#include "core/files/openslide/slide.h"
#include "core/files/openslide/vendor.h"

#include <unistd.h>

static gboolean
is (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  const OpenslideVendor *vendor = openslide_vendor_of (path, head, n);
  (void) self;
  return vendor && (!vendor->has_pages || openslide_calls ());
}

static gpointer
layout_new (const FileFormat *self, const char *path, GError **error)
{
  guint8 head[FORMAT_HEAD];
  struct stat about;
  const int fd = file_open_regular (path, 0, &about, error);
  (void) self;
  if (fd < 0)
    return NULL;
  const gssize n = pread (fd, head, sizeof head, 0);
  close (fd);
  const OpenslideVendor *vendor = openslide_vendor_of (path, head, (gsize) MAX (n, 0));
  return files_slide_open (path, vendor ? vendor->name : "a slide", error);
}

static guint
count (gconstpointer layout)
{
  return files_slide_count (layout);
}

static const GPtrArray *
others (gconstpointer layout)
{
  return files_slide_others (layout);
}

static Image *
open_image (gpointer layout, guint n, GError **error)
{
  return files_slide_image (layout, n, error);
}

const FileFormat format_openslide = {
  .key = "openslide",
  .label = "OpenSlide",
  .endings = (const char *const[]){"ndpi", "mrxs", "scn", "bif", "vms", "vmu", "svslide", NULL},
  .mime =
    (const char *const[]){"image/x-hamamatsu-ndpi", "image/x-mirax-mrxs", "image/x-leica-scn", "image/x-ventana-bif",
                          "image/x-hamamatsu-vms", "image/x-hamamatsu-vmu", "image/x-sakura-svslide", NULL},
  .first = TRUE,
  .is = is,
  .layout = layout_new,
  .free = (GDestroyNotify) files_slide_unref,
  .count = count,
  .others = others,
  .open = open_image,
};
