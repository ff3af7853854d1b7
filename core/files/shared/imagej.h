/* SPDX-License-Identifier: MIT
 *
 * What ImageJ puts into a TIFF file beside the pixels: the text of tag 270 and the private tags 50838 and 50839.
 * The text is lines of key=value, escaped as in Java's property files, after a first line "ImageJ=version".
 */
#ifndef CORE_FILES_SHARED_IMAGEJ_H
#define CORE_FILES_SHARED_IMAGEJ_H

#include "core/data/image.h"

typedef struct FilesImagej {
  gint64 images, channels, slices, frames; /* each at least 1 */
  char order
    [4]; /* which of c, z and t runs first, second and last from plane to plane: "czt" unless the text says otherwise */
  gboolean grayscale; /* the color maps are not meant to be seen */
  fv_role role;       /* FV_MASK or FV_LABELS when Fovea wrote that */
  char *units[3];     /* of z, y, x in their one spelling; "" when not given */
  double spacing;     /* of slices; 1 when not given */
  double offset;      /* to be added to unsigned 16-bit values: -32768 in ImageJ's form of signed 16-bit images, or 0 */
  double frame_interval; /* 0: unknown */
  char *frame_unit;      /* "s" when not given */
  gboolean has_range;
  double range[2];   /* display range of the channel that was shown, in values as stored */
  double origin[3];  /* of z, y, x, in pixels */
  char **names;      /* of channels, when Fovea wrote them; NULL: none */
  ImageNotes *notes; /* what values mean, and what made the image; NULL: nothing */
} FilesImagej;

gboolean files_imagej_is (const char *text);
/* Free with files_imagej_free(); never NULL. */
FilesImagej *files_imagej_parse (const char *text);
void files_imagej_free (FilesImagej *imagej);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesImagej, files_imagej_free)

/* Takes from the data of tag 50839, whose parts' sizes are in tag 50838, display ranges, colors of the color maps, and labels of the planes as names
 * of the channels. Each is taken only when it is there for all channels of info. All else goes into its notes: Show Info's text, properties,
 * selection, overlay, and labels that are no names. Planes run as `order` says, see above. `swapped`: the file's byte order is not this machine's. */
void files_imagej_extras (ImageInfo *info, const char *order, const guint64 *counts, gsize n_counts, const guint8 *data,
                          gsize size, gboolean swapped);
/* Which plane of the file, from 0, is that one of an image of so many channels, slices and frames. */
gint64 files_imagej_plane (const char *order, const gint64 sizes[3], const gint64 position[3]);
/* Whether slices have labels of their own, and not the names of channels. */
gboolean files_imagej_has_labels (const ImageInfo *info);

/* The color 0xRRGGBB that a color map runs to from black, or from white when it is `inverted`; -1 when it is not such a ramp. red, green, blue: 256
 * entries each. */
gint64 files_imagej_ramp_color (const guint8 *red, const guint8 *green, const guint8 *blue, gboolean *inverted);

/* The text of tag 270 with which ImageJ opens an image as what `info` says it is; free with g_free(). It counts an RGB image
 * as one plane for each z and t, all others as one for each channel, too. The pixel sizes along x and y are not in it: they
 * belong into XResolution and YResolution, as pixels per unit, with ResolutionUnit 1. */
char *files_imagej_description (const ImageInfo *info);

#endif
