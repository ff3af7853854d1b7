/* SPDX-License-Identifier: MIT
 *
 * What an image is, but for its pixels: dimensions, type, calibration, names.
 */
#ifndef CORE_DATA_IMAGE_INFO_H
#define CORE_DATA_IMAGE_INFO_H

#include "core/data/image_notes.h"
#include "fovea-plugin.h"

#include <glib.h>

/* How the objects of a label image were numbered: whether the same number in two slices is the same object. */
typedef enum ImageNumbering { NUMBERED_UNKNOWN, NUMBERED_BY_PLANE, NUMBERED_BY_VOLUME } ImageNumbering;

/* Pixels are numbers of colors in a map that is not gray. */
#define IMAGE_INFO_INDEXED "indexed colors"

typedef struct ImageInfo {
  fv_type type;
  fv_role role;
  gint64 frames, channels, depth, rows, columns; /* each at least 1 */
  double spacing[3];                             /* physical size of a pixel along z, y, x; 1 where unknown */
  char *units[3]; /* of z, y, x: "µm", ...; "" = pixels: the size of that axis is unknown. Never NULL in an Image */
  double origin
    [3]; /* the position, in pixels along z, y, x, of the origin of its coordinates; 0, 0, 0 unless the file has another */
  double frame_interval;    /* 0: unknown */
  char *frame_unit;         /* "s", ...; never NULL in an Image */
  char **channel_names;     /* NULL, or `channels` strings and a NULL */
  guint32 *channel_colors;  /* NULL, or `channels` times 0xRRGGBB */
  double *display_ranges;   /* NULL, or `channels` pairs low, high: contrast limits that the file asks for */
  gboolean inverted;        /* the file asks to be shown with white as zero; values are as stored */
  gboolean dense;           /* role FV_LABELS: no gaps from 1 to the largest */
  ImageNumbering numbering; /* role FV_LABELS: what the step that numbered the objects says; of files unknown */
  char *name;               /* for people: the file's name, or what a step made */
  guint number;             /* of the image in its file, from 0 */
  char
    *source_type; /* NULL, or the file's pixel type when it had to be widened exactly: "int64"; or IMAGE_INFO_INDEXED */
  GRefString *description; /* NULL, or the text that the file carries; all images of a file share it */
  /* NULL, or the header of the FITS image that it comes from: cards of 80 characters of ASCII, one behind the other, without END, which is
   * what wcspih() takes. In what steps make of it the world coordinates are those of the new pixels. Row 0 is the file's first: CRPIX counts
   * from 1 there. Types and scaling are as in the file, not as in the image. */
  GRefString *fits_header;
  ImageNotes *notes; /* NULL, or what else is known of it */
} ImageInfo;

/* Deep copy; texts that are NULL become "", and what a terminal would obey or is not UTF-8 in a name or unit is spelled out
 * (text_visible()). */
void image_info_copy (ImageInfo *to, const ImageInfo *from);
void image_info_clear (ImageInfo *info);
gint64 image_info_planes (const ImageInfo *info);
gsize image_info_row_bytes (const ImageInfo *info);
gsize image_info_plane_bytes (const ImageInfo *info);
/* Whether all products of sizes stay below 2^62 bytes; FALSE with *error, which has the name. */
gboolean image_info_check (const ImageInfo *info, GError **error);
/* Whether lengths in any direction of a plane, or of a volume, can be given in the unit of x. The pixel sizes of all axes must be known, or of none,
 * and their units must be of one kind. Otherwise the image is measured in pixels. */
gboolean image_info_has_scale (const ImageInfo *info, gboolean volume);
/* "0.2 × 0.2 × 1 µm"; "325.5 nm × 0.3255 µm" with different units, "0.5 µm × ?" where the size of an axis is unknown. NULL: all are. z is left out
 * of images of one slice. Free with g_free(). */
char *image_info_sizes (const ImageInfo *info);
/* "640×480 u8, 3 channels, 12 slices, 0.2 × 0.2 × 1 µm". Free with g_free(). */
char *image_info_text (const ImageInfo *info);

#endif
