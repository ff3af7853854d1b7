/* SPDX-License-Identifier: MIT
 *
 * The arguments of the operation `display` for a picture, on a screen or on paper.
 */
#ifndef CORE_FIGURE_DISPLAY_ARGS_H
#define CORE_FIGURE_DISPLAY_ARGS_H

#include "core/data/image_info.h"
#include "core/ops/op.h"
#include "core/view/look.h"
#include "core/view/range.h"

/* Which part of an image: so many screen pixels from image position x, y. */
typedef struct DisplayArea {
  double x, y, zoom;
  int width, height;
} DisplayArea;

typedef struct DisplayLook {
  const Op *op;            /* display */
  const ImageInfo *info;   /* of what is drawn */
  const DisplayArea *area; /* in pixels of that */
  gint64 channel, slice;   /* of that */
  gboolean composite;
  gboolean fill;               /* labels over it are filled, not outlined */
  double overlay;              /* their opacity */
  const ViewChannel *settings; /* of each channel, as is: */
  const Range *limits;         /* darkest and brightest; NULL: it finds them itself, or there are none */
} DisplayLook;

/* The limits of a channel that is not to be seen in a composite: all its values are below, so that it adds nothing. */
#define DISPLAY_HIDDEN ((Range){1e300, 2e300})

/* Free with g_free(). NULL with *error. */
gpointer display_args_new (const DisplayLook *look, GError **error);

#endif
