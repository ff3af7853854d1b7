/* SPDX-License-Identifier: MIT
 *
 * What a picture is drawn from: the image itself, a smaller version of its slice, or of a large one the part that is seen.
 */
#ifndef UI_CANVAS_PAINT_INPUTS_H
#define UI_CANVAS_PAINT_INPUTS_H

#include "core/view/range.h"
#include "ui/canvas/paint_area.h"
#include "ui/view/view.h"

/* Used by one thread at a time. */
typedef struct PaintSources PaintSources;

PaintSources *paint_sources_new (void);
void paint_sources_free (PaintSources *sources);

/* What is asked for. */
typedef struct PaintWanted {
  Image *image, *labels; /* labels: of the same size, or NULL */
  gint64 slice, frame;
  gboolean numbers;     /* the image is seen as one of labels */
  const gboolean *seen; /* of each channel */
  PaintArea area;
  gboolean more; /* the rest of what was asked for before */
} PaintWanted;

typedef struct PaintInputs {
  Image *images[2]; /* slices, of which nothing else is seen; the second may be NULL */
  PaintArea area;   /* in pixels of them */
  gboolean partial; /* more can be read when it is asked for again */
  GError *fault;    /* NULL, or why something is missing in it */
} PaintInputs;

/* Inputs in host memory, for not much longer than a person notices. FALSE with *error. */
gboolean paint_inputs_find (PaintInputs *inputs, PaintSources *sources, const PaintWanted *wanted, GError **error);
/* The images as they are. */
void paint_inputs_whole (PaintInputs *inputs, const PaintWanted *wanted);
void paint_inputs_clear (PaintInputs *inputs);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PaintInputs, paint_inputs_clear)

/* Whether what was wanted last has the same type, role and channels. */
gboolean paint_sources_are_like (const PaintSources *sources, const ImageInfo *info);
/* The automatic display limits of a channel of the last requested slice. Large ones that are not in memory are
 * sampled. */
gboolean paint_sources_range (PaintSources *sources, gint64 channel, const ViewChannel *look, Range *range,
                              GError **error);

#endif
