/* SPDX-License-Identifier: MIT
 *
 * What is drawn while results of changed steps are on their way: what these steps make of the part that is looked at.
 */
#ifndef UI_CANVAS_PAINT_PREVIEW_H
#define UI_CANVAS_PAINT_PREVIEW_H

#include "core/preview/preview.h"
#include "ui/canvas/paint_area.h"
#include "ui/view/view.h"

/* The steps as they are now, and how they are looked at; complete in itself. */
typedef struct PaintPreview {
  Run *run; /* continues the last one; not executed */
  int index;
  gboolean over; /* a threshold is seen on the image that it is of */
  double upper;  /* and takes nothing above that */
  gint64 slice, frame;
  double overlay; /* opacity of outlines */
  gboolean late;  /* the run has already taken long, regardless of the estimate */
} PaintPreview;

PaintPreview *paint_preview_new (const View *view);
void paint_preview_free (PaintPreview *preview);

/* Images of a part; both are the preview's. */
typedef struct PaintPart {
  Preview *preview;       /* NULL: there is none */
  Image *image, *labels;  /* labels: or the mask of a threshold, or NULL */
  gboolean mask, objects; /* the labels are a mask; the image is of objects itself */
  double upper;           /* above which the mask takes nothing */
  PaintArea area;         /* in pixels of these */
} PaintPart;

/* FALSE when the whole is likely to be there soon, or the part cannot be had. On a worker's thread. */
gboolean paint_preview_make (const PaintPreview *preview, PreviewCache *cache, const PaintArea *area, Device *cpu,
                             PaintPart *part);
void paint_part_clear (PaintPart *part);
/* Makes ready what a preview begins with when the step that is looked at is changed. On a worker's thread. */
void paint_preview_prepare (const PaintPreview *preview, PreviewCache *cache, const PaintArea *area);

#endif
