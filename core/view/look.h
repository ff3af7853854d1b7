/* SPDX-License-Identifier: MIT
 *
 * How the values of a channel become colors, and that as text, to be kept.
 */
#ifndef CORE_VIEW_LOOK_H
#define CORE_VIEW_LOOK_H

#include "core/data/image.h"
#include "core/view/luts.h"
#include "core/view/stretch.h"

typedef struct ViewChannel {
  gboolean automatic;      /* low and high follow the image, */
  gboolean zscale;         /* and are those of zscale where it finds some: see look_limits.h */
  gboolean by_plane;       /* each plane has its own; else all have those of one */
  double low, high, gamma; /* contrast limits in image values */
  gboolean hidden;         /* not drawn in a composite or color image */
  Stretch stretch;
  double a;           /* of the stretch; 0: the usual one */
  char lut[LUT_NAME]; /* of luts.h; "" = chosen by the program */
} ViewChannel;

/* Whether all settings are the defaults. */
#define LOOK_USUAL ((ViewChannel){.automatic = TRUE, .gamma = 1})

/* The most channels that are drawn together: `display` takes so many limits. */
#define LOOK_COMPOSITE (FV_MATRIX_MAX / 4)

/* The look-up table in which values are numbers of objects. */
#define LOOK_LABELS "labels"

/* The initial display settings of a channel: those of the file, else the default. For the sky (FITS images of more than 8 bits) and for channels that
 * look_examine() found nearly black the default has zscale limits, and for labels their colors. */
ViewChannel look_of_image (Image *image, gint64 channel);
/* With which an image keeps what look_examine() found out. */
typedef struct LookFound {
  guint dark, labels; /* bit c: channel c is nearly black, has labels */
} LookFound;
GQuark look_found_quark (void);

gboolean look_equal (const ViewChannel *a, const ViewChannel *b);

/* Whether what is seen are labels, each in a color of its own: LOOK_LABELS is the look-up table of all channels that are drawn, of a composite or
 * of the one that is shown. As `display` does. */
gboolean look_is_labels (const ViewChannel *channels, const ImageInfo *info, gboolean composite, gint64 channel);

/* Channels as "low=0 high=900 stretch=log; limits=automatic gamma=0.5; limits=zscale": what is not said is as usual. Free with g_free(). */
char *look_format (const ViewChannel *channels, guint n);
/* The reverse: an array of ViewChannel, or NULL if the string is invalid. Look-up tables are stored by name. */
GArray *look_parse (const char *text);

#endif
