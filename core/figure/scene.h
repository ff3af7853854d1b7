/* SPDX-License-Identifier: MIT
 *
 * All that a figure is drawn of, read once: then it draws itself on any surface. Lengths are in dots, from the image's upper left corner.
 */
#ifndef CORE_FIGURE_SCENE_H
#define CORE_FIGURE_SCENE_H

#include "core/base/progress.h"
#include "core/data/plane.h"
#include "core/figure/display_args.h"
#include "core/figure/inputs.h"

#include <cairo.h>

typedef struct FigureScene {
  FigureChoices choices;
  Modules *modules;
  Image *image;
  PlanePosition position;
  PlanePart part;        /* of the plane */
  gboolean vector;       /* it can be drawn larger: nothing is rounded to dots */
  double zoom;           /* dots for each pixel of the image */
  double point;          /* dots for each point */
  double width, height;  /* of the part */
  ViewChannel *settings; /* of each channel, as is: */
  Range *limits;         /* darkest and brightest; NULL: the image is of labels, or a mask */
  cairo_surface_t *pixels;
  double pixel_zoom;  /* dots for each of its pixels */
  PlanePart outlined; /* the part with what lines reach beyond it */
  gint32 *labels;     /* of each of its pixels; NULL: none are outlined */
  gboolean red;       /* they are a mask */
} FigureScene;

/* vector: for a surface that can be drawn larger. NULL with *error, whose field is the choice at fault. */
FigureScene *figure_scene_new (const FigureInputs *inputs, const FigureChoices *choices, gboolean vector,
                               Progress *progress, GError **error);
void figure_scene_free (FigureScene *scene);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FigureScene, figure_scene_free)

/* The size of the image in a figure, in dots, without annotations beside it. FALSE with *error. */
gboolean figure_scene_size (Image *image, const FigureChoices *choices, double *width, double *height, GError **error);
/* Whether something of a channel is to be seen. */
gboolean figure_scene_shows (const FigureScene *scene, gint64 channel);
/* The area of an image, of one slice, as it is drawn with these looks. overlay: labels to fill, or NULL. NULL with *error. */
cairo_surface_t *figure_scene_display (const FigureScene *scene, Image *image, Image *overlay,
                                       const ViewChannel *settings, const Range *limits, const DisplayArea *area,
                                       Progress *progress, GError **error);

#endif
