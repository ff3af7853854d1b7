/* SPDX-License-Identifier: MIT
 *
 * An image: five dimensions T, C, Z, Y, X of one pixel type, with its calibration; immutable once made and
 * reference-counted. Its pixels live in a host slot, loaded plane by plane on demand when the image comes from a file,
 * and in one slot per device. image_on_device() and image_plane() make pixels visible; only they move them.
 * Planes are numbered (t * channels + c) * depth + z, rows are dense.
 */
#ifndef CORE_DATA_IMAGE_H
#define CORE_DATA_IMAGE_H

#include "core/data/device.h"
#include "fovea-plugin.h"
#include "core/base/progress.h"

#include <glib.h>

typedef struct ImageInfo {
  fv_type type;
  fv_role role;
  gint64 frames, channels, depth, rows, columns; /* each at least 1 */
  double spacing[3];                             /* physical size of a pixel along z, y, x; 1 where unknown */
  char *units[3];                                /* of z, y, x: "µm", ...; "" = pixels. Never NULL in an Image */
  double frame_interval;                         /* 0: unknown */
  char *frame_unit;                              /* "s", ...; never NULL in an Image */
  char **channel_names;                          /* NULL, or `channels` strings and a NULL */
  guint32 *channel_colors;                       /* NULL, or `channels` times 0xRRGGBB */
  double *display_ranges;  /* NULL, or `channels` pairs low, high: contrast limits that the file asks for */
  gboolean inverted;       /* the file asks to be shown with white as zero; values are as stored */
  gboolean dense;          /* role FV_LABELS: no gaps from 1 to the largest */
  char *name;              /* for people: the file's name, or what a step made */
  char *source_type;       /* NULL, or the file's pixel type when it had to be widened exactly: "int16" */
  GRefString *description; /* NULL, or the text that the file carries; all images of a file share it */
} ImageInfo;

/* Deep copy; texts that are NULL become "", and what a terminal would obey or is not UTF-8 in a name or unit is spelled out
 * (text_visible()). */
void image_info_copy (ImageInfo *to, const ImageInfo *from);
void image_info_clear (ImageInfo *info);
gint64 image_info_planes (const ImageInfo *info);
gsize image_info_plane_bytes (const ImageInfo *info);
/* Whether all products of sizes stay below 2^62 bytes; *error names `name` otherwise. */
gboolean image_info_check (const ImageInfo *info, GError **error);
/* "u8", "u16", "i32", "f32" or "f64", for programs. */
const char *image_type_name (fv_type type);
/* "8-bit", "16-bit", "32-bit integer", "32-bit float" or "64-bit float", for people. */
const char *image_type_words (fv_type type);
/* "640×480 u8, 3 channels, 12 slices, 0.2 × 0.2 × 1 µm". Free with g_free(). */
char *image_info_text (const ImageInfo *info);

typedef struct Image Image;

/* Where the planes of a file's image come from. read_plane() is called for one plane at a time, never concurrently, with
 * room for rows * columns pixels; it returns FALSE with *error set when the plane cannot be had completely. */
typedef struct ImageSource {
  gboolean (*read_plane) (gpointer self, gint64 plane, void *pixels, GError **error);
  void (*free) (gpointer self);
} ImageSource;

/* An image whose host slot is allocated and whose pixels the caller writes, through image_pixels(), before it shares the
 * image. NULL with *error when there is not enough memory. */
Image *image_new (const ImageInfo *info, GError **error);
/* An image whose planes are read when they are needed; takes `self`. Memory is taken plane by plane. */
Image *image_new_from_source (const ImageInfo *info, const ImageSource *source, gpointer self, GError **error);
/* An image that is only what it would be, without pixels: for planning. */
Image *image_new_promised (const ImageInfo *info);
Image *image_ref (Image *image);
void image_unref (Image *image);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Image, image_unref)

const ImageInfo *image_info (const Image *image);
/* Bytes of all its pixels. */
gsize image_bytes (const Image *image);
/* Those of them that are not in host memory. */
gsize image_missing_bytes (Image *image);
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
/* An image that a step is about to make on a device, into *memory; in use there as if image_on_device() had been called. */
Image *image_new_on_device (const ImageInfo *info, Device *device, void **memory, GError **error);
/* All pixels on a device, moved there and counted when they are not there yet: device memory, valid until as many calls of
 * image_off_device(). The stream of the device orders its use. progress may be NULL. NULL with *error. */
void *image_on_device (Image *image, Device *device, Progress *progress, GError **error);
void image_off_device (Image *image, Device *device);
/* All pixels in host memory, valid as long as the image. NULL with *error. */
void *image_on_host (Image *image, Progress *progress, GError **error);
/* The same image under another name and calibration; shares nothing that can change. info must agree with the image in
 * type and in the number and size of planes. */
Image *image_with_info (Image *image, const ImageInfo *info);

/* What the image is when it is taken as labels or as a mask (role), once image_set_taken() has said it; a new reference, or NULL
 * while nobody has. It may be the image itself, and is kept as long as the image. See take.h. */
Image *image_taken (Image *image, fv_role role);
void image_set_taken (Image *image, fv_role role, Image *taken);

#endif
