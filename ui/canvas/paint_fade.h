/* SPDX-License-Identifier: MIT
 *
 * Objects that the results' filter drops, faint in the picture: their outlines a quarter as strong, or their colors where the
 * image is the one of labels, or made of them.
 */
#ifndef UI_CANVAS_PAINT_FADE_H
#define UI_CANVAS_PAINT_FADE_H

#include "core/call/op.h"
#include "ui/canvas/paint_area.h"

typedef struct PaintFade {
  const Op *op; /* display, its arguments and inputs: what made the picture */
  gconstpointer args;
  Image *const *inputs;
  Device *device;  /* of host memory */
  PaintArea area;  /* in pixels of the inputs */
  GBytes *kept;    /* as view_kept() gives it */
  gboolean colors; /* the picture shows the objects themselves */
} PaintFade;

/* Changes the picture, a new one. FALSE with *error. */
gboolean paint_fade (const PaintFade *fade, Image *picture, Progress *progress, GError **error);

#endif
