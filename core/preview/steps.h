/* SPDX-License-Identifier: MIT
 *
 * How a preview handles the steps of a run on a part of the image: which are computed there, which are cropped from existing results, and how far
 * around the part they look.
 */
#ifndef CORE_PREVIEW_STEPS_H
#define CORE_PREVIEW_STEPS_H

#include "core/preview/part.h"
#include "core/run/run.h"

typedef enum PreviewUse {
  PREVIEW_SKIPPED, /* nothing is needed of it, or it cannot be had */
  PREVIEW_CUT,     /* its images are there: their part is cut out */
  PREVIEW_MADE,    /* it is computed on the part */
} PreviewUse;

typedef struct PreviewSteps PreviewSteps;

/* Where the results are that the run continues; NULL: there are none. */
const Device *preview_device (const Run *run);
/* As preview_make() wants it; refers to the run. NULL with *error. */
PreviewSteps *preview_steps_new (const Run *run, int index, GError **error);
void preview_steps_free (PreviewSteps *steps);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PreviewSteps, preview_steps_free)

/* The whole of the image that is looked at, which may be still to come. */
const ImageInfo *preview_steps_shown (const PreviewSteps *steps);
PreviewUse preview_steps_use (const PreviewSteps *steps, guint i);
/* Whether the source is needed. */
gboolean preview_steps_use_source (const PreviewSteps *steps);
/* How many slices, rows and columns around a pixel what is needed of it depends on, on an image halved `level` times. */
void preview_steps_halo (const PreviewSteps *steps, guint level, gint64 halo[3]);
/* The steps for the part, with its parts of their files. NULL with *error. */
Recipe *preview_steps_recipe (const PreviewSteps *steps, PreviewCache *cache, const PreviewPart *part, GError **error);
/* What a step that takes scalars has found in the whole, in the rows that a call on the part has, or NULL when it is not known. Free
 * with g_free(). */
double *preview_steps_given (const PreviewSteps *steps, guint i, const PreviewPart *part);

#endif
