/* SPDX-License-Identifier: MIT
 *
 * What an image is, but for its pixels: dimensions, type, calibration, names.
 */
#ifndef CORE_DATA_IMAGE_INFO_H
#define CORE_DATA_IMAGE_INFO_H

#include "fovea-plugin.h"

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
  guint number;            /* of the image in its file, from 0 */
  char *source_type;       /* NULL, or the file's pixel type when it had to be widened exactly: "int64" */
  GRefString *description; /* NULL, or the text that the file carries; all images of a file share it */
  /* NULL, or the header of the FITS image that it comes from: cards of 80 characters of ASCII, one behind the other, without END, which is
   * what wcspih() takes. What steps make of it keeps it while it has as many rows and columns. Row 0 is the file's first: CRPIX counts
   * from 1 there. Types and scaling are as in the file, not as in the image. */
  GRefString *fits_header;
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
/* "640×480 u8, 3 channels, 12 slices, 0.2 × 0.2 × 1 µm". Free with g_free(). */
char *image_info_text (const ImageInfo *info);

#endif
