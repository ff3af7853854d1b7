/* SPDX-License-Identifier: MIT
 *
 * What a picture is asked to show, complete in itself, and what has been drawn of it.
 */
#ifndef UI_CANVAS_PAINT_REQUEST_H
#define UI_CANVAS_PAINT_REQUEST_H

#include "ui/canvas/paint.h"
#include "ui/canvas/paint_inputs.h"
#include "ui/canvas/paint_preview.h"
#include "ui/view/view.h"

typedef struct PaintRequest {
  const Op *op;          /* display */
  PaintSources *sources; /* the painter's */
  Device *device;
  gboolean whole; /* the image is drawn where it was made, not a smaller version of its slice in host memory */
  gint64 asked;
  PaintArea area;
  Image *image, *labels;
  gint64 channel, slice, frame;
  gboolean composite;
  ViewChannel *settings;
  GBytes *kept;            /* objects that do not fade; NULL: no object fades */
  gboolean colors;         /* it is their colors that fade */
  gboolean masked;         /* the labels are the mask of a threshold, */
  ViewThreshold threshold; /* which is seen so */
  double upper;            /* and takes nothing above that */
  double overlay;
  Image *objects; /* of which some are picked, or NULL */
  Table *table;   /* of them, or NULL */
  int object;     /* that is picked first */
  GArray *chosen; /* all, (element-type int) */
  gboolean seek;  /* in other slices, too */
  PaintPart part; /* the result of a preview, instead of the images */
  Paint *paint;
  gboolean partial; /* more of it can be read */
  gboolean more;    /* and is being read */
  GError *fault;    /* NULL, or why something is missing in it */
} PaintRequest;

/* The part of what the view shows; where to draw it is not said yet. Free with paint_request_clear(). */
PaintRequest paint_request_shown (const View *view, const PaintArea *area);
/* The same of view_before(), which there must be, with the same contrast where the types are the same. */
PaintRequest paint_request_before (const View *view, const PaintArea *area);
/* The images are those of the part from now on. overlay: opacity of outlines. */
void paint_request_take_part (PaintRequest *request, double overlay);
void paint_request_clear (PaintRequest *request);

#endif
