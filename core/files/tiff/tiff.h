/* SPDX-License-Identifier: MIT
 *
 * Reading TIFF: classic and BigTIFF, any layout, type and compression that libtiff knows, and JPEG 2000; ImageJ hyperstacks, OME-TIFF also in
 * several files, MetaMorph stacks, slides of Aperio. Planes are read when they are needed. 8-bit RGB has the role FV_RGB, wider RGB is three
 * channels; alpha is left out where it is opaque, else it is the last channel. Palettes stay indices, values
 * of white-is-zero images stay as they are. Pages of different size or type are images of their own; reduced pages and
 * sub-images are none, but the levels of an image's pyramid where they show all of it.
 */
#ifndef CORE_FILES_TIFF_TIFF_H
#define CORE_FILES_TIFF_TIFF_H

#include "core/files/tiff/layout.h"
#include "core/data/image.h"

/* head: the first n bytes of a file. */
gboolean files_tiff_is (const guint8 *head, gsize n);
/* One of the series of a FilesTiffLayout. */
Image *files_tiff_open (gpointer layout, guint series, GError **error);

#endif
