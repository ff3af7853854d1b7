/* SPDX-License-Identifier: MIT
 *
 * Which files are slides that OpenSlide reads and no other format does, or not as slides. They are recognized without the library.
 */
#ifndef CORE_FILES_OPENSLIDE_VENDOR_H
#define CORE_FILES_OPENSLIDE_VENDOR_H

#include <glib.h>

typedef struct OpenslideVendor {
  const char *name;   /* "a slide of Hamamatsu (NDPI)" */
  gboolean has_pages; /* without OpenSlide its pages can be opened as those of any TIFF file */
} OpenslideVendor;

/* NULL: it is none of them. head: the first n bytes. */
const OpenslideVendor *openslide_vendor_of (const char *path, const guint8 *head, gsize n);
/* Paths of the other files that a slide is read from. Free with g_ptr_array_unref(). */
GPtrArray *openslide_vendor_others (const char *path);

#endif
