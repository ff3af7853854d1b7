/* SPDX-License-Identifier: MIT
 *
 * An image: five dimensions T, C, Z, Y, X of one pixel type, with its calibration; immutable once made and
 * reference-counted. Its pixels live in a host slot, loaded plane by plane on demand when the image comes from a file,
 * and in one slot per device. Only image_on_device() and image_plane() move pixels and make them visible.
 * Planes are numbered (t * channels + c) * depth + z, rows are dense.
 */
#ifndef CORE_DATA_IMAGE_H
#define CORE_DATA_IMAGE_H

#include "core/data/arrival.h"
#include "core/data/image_info.h"
#include "core/data/source.h"
#include "core/base/progress.h"

typedef struct Image Image;

/* An image whose host slot is allocated and whose pixels the caller writes, through image_pixels(), before it shares the
 * image. NULL with *error when there is not enough memory. */
Image *image_new (const ImageInfo *info, GError **error);
/* The same in memory from which copies to the device are fast, unless it is too large for that. */
Image *image_new_near (const ImageInfo *info, Device *device, GError **error);
/* An image of borrowed pixels, dense and aligned to 64 bytes, which the lender does not change before give_back
 * (lender) is called, on any thread. NULL with *error, and give_back is not called. */
Image *image_new_lent (const ImageInfo *info, void *pixels, GDestroyNotify give_back, gpointer lender, GError **error);
/* The same of pixels in the memory of a device that is ready; what was done with them comes before what is asked of its stream from now on. */
Image *image_new_lent_on (const ImageInfo *info, Device *device, void *pixels, GDestroyNotify give_back,
                          gpointer lender, GError **error);
/* An image whose planes are read when they are needed, each by one thread; takes `self`. Memory is taken plane by plane. */
Image *image_new_from_source (const ImageInfo *info, const ImageSource *source, gpointer self, GError **error);
/* An image without pixels, with the description that it would have: for planning. */
Image *image_new_promised (const ImageInfo *info);
Image *image_ref (Image *image);
void image_unref (Image *image);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Image, image_unref)

const ImageInfo *image_info (const Image *image);
/* Bytes of all its pixels. */
gsize image_bytes (const Image *image);
/* Those of them that are not in host memory. */
gsize image_missing_bytes (Image *image);
/* Bytes of them that are on disk. */
gsize image_on_disk (Image *image);
/* An image from a file: its pixels, when they are read, go to the disk. */
void image_set_on_disk (Image *image);
/* Whether its pixels are read from a file when they are needed; and whether none of them is in memory yet. */
gboolean image_comes_from_file (Image *image);
gboolean image_can_stream (Image *image);
/* Whether its pixels are in the memory of the device. Never waits for long. */
gboolean image_is_on (Image *image, const Device *device);
/* The device with memory of its own on which a step made it; NULL: none. */
Device *image_device (const Image *image);
/* Host pixels of a new image, to be written. */
void *image_pixels (Image *image);
/* Host pixels of one plane, read from the file or brought from a device first when needed; valid as long as the image.
 * NULL with *error when that fails. */
const void *image_plane (Image *image, gint64 plane, GError **error);
/* The same when it is there without waiting, reading or moving; else NULL. */
const void *image_plane_now (Image *image, gint64 plane);
/* Level n of the pyramid that the image's file holds; FALSE: there is none. Every image has level 0. Never waits. */
gboolean image_level (Image *image, guint n, ImageLevel *level);
/* A region of one plane of a level, into rows `stride` bytes apart. What is not in memory is read from the file, no more than the
 * tiles that the region touches, or brought from a device, that region alone, and not kept. Any thread. FALSE with *error. */
gboolean image_read (Image *image, guint level, gint64 plane, const ImageRegion *region, void *to, gsize stride,
                     GError **error);
/* An image that a step is about to make on a device, into *memory. It is in use there as if image_on_device() had been called. If the device is the
 * CPU, on_disk bytes of its pixels go to the disk even if memory is free now. */
Image *image_new_on_device (const ImageInfo *info, Device *device, gsize on_disk, void **memory, GError **error);
/* All pixels on a device, moved there and counted when they are not there yet: device memory, valid until as many calls of
 * image_off_device(). The stream of the device orders its use. progress may be NULL. NULL with *error. */
void *image_on_device (Image *image, Device *device, Progress *progress, GError **error);
void image_off_device (Image *image, Device *device);
/* The same, but pixels that are not there yet are transferred only by arrival_advance(), except that those of a file
 * are uploaded while others are read. Then all of its memory is allocated, and image_end_arrival() must be called.
 * Until then others do not find the image there. */
void *image_begin_arrival (Image *image, Device *device, Progress *progress, Arrival *arrival, GError **error);
/* Waits for the rest of the pixels. The image then stays in use as after image_on_device(). If that failed (FALSE with *error),
 * or the image is not wanted any more, it is not on the device. */
gboolean image_end_arrival (Image *image, Arrival *arrival, gboolean wanted, GError **error);
/* Starts to download the rows before `end` of all planes that a step has made, or is making, on a device, to shorten
 * a later wait. No-op if they are there or the image is too large to be pinned. */
void image_start_download (Image *image, gint64 end);
/* An image of a file of which nothing is read yet will be read into pinned memory of the device, from which uploads are fast, if the device has
 * some. Any thread. */
void image_near (Image *image, Device *device);
/* All pixels in host memory, valid as long as the image. NULL with *error. */
void *image_on_host (Image *image, Progress *progress, GError **error);
/* The same image under another name and calibration; shares nothing that can change. info must agree with the image in
 * type and in the number and size of planes. */
Image *image_with_info (Image *image, const ImageInfo *info);

/* What an image can become for an input. */
typedef enum ImageTaken { IMAGE_WIDENED, IMAGE_AS_MASK, IMAGE_AS_LABELS, IMAGE_CALIBRATED, IMAGE_TAKEN } ImageTaken;
/* The image converted to that, once image_set_taken() has set it; a new
 * reference, or NULL before. It may be the image itself, and is kept as long as the image. See take.h. */
Image *image_taken (Image *image, ImageTaken as);
void image_set_taken (Image *image, ImageTaken as, Image *taken);

/* Data attached to the image, freed with it; NULL: none. Any thread. */
gpointer image_kept (Image *image, GQuark key);
/* FALSE, and `data` is still the caller's, when there is something already. */
gboolean image_keep (Image *image, GQuark key, gpointer data, GDestroyNotify free);

#endif
