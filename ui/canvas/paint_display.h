/* SPDX-License-Identifier: MIT
 *
 * The arguments of `display` for a picture.
 */
#ifndef UI_CANVAS_PAINT_DISPLAY_H
#define UI_CANVAS_PAINT_DISPLAY_H

#include "core/view/range.h"
#include "ui/canvas/paint_area.h"
#include "ui/view/view.h"

typedef struct PaintDisplay {
  const Op *op;          /* display */
  const ImageInfo *info; /* of what is drawn */
  const PaintArea *area; /* in pixels of that */
  gint64 channel, slice; /* of that */
  gboolean composite;
  double overlay;           /* opacity of outlines */
  const ViewChannel *looks; /* of each channel, as is: */
  const Range *limits;      /* darkest and brightest; NULL: it finds them itself, or there are none */
} PaintDisplay;

/* Free with g_free(). NULL with *error. */
gpointer paint_display_args (const PaintDisplay *display, GError **error);

#endif
