/* SPDX-License-Identifier: MIT
 *
 * A preview: what steps make of the part of an image that is looked at, before they are run on all of it. Point and local operations give the pixels
 * of the whole at full size. For operations that need the whole, numbers are those of the last run, and all else is of the part alone.
 */
#ifndef CORE_PREVIEW_PREVIEW_H
#define CORE_PREVIEW_PREVIEW_H

#include "core/preview/part.h"
#include "core/run/run.h"

/* What is looked at, in pixels of the image. */
typedef struct PreviewArea {
  double x, y, columns, rows;
  double zoom; /* screen pixels for each of its pixels */
  gint64 slice, frame;
} PreviewArea;

typedef struct Preview {
  Run *run;           /* of the same steps on the part; those that nothing is needed of are skipped, tables always */
  ImageRegion region; /* the part, in pixels of the image at half its size `level` times */
  guint level;
  gint64 slice; /* of the part's slices the one that is looked at */
} Preview;

void preview_free (Preview *preview);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Preview, preview_free)

/* Whether a run that continues the last one is likely to take so long that a preview is wanted. cpu: the processor. */
gboolean preview_pays (const Run *run, const Device *cpu);
/* After how many milliseconds a run like the last one is reported as unfinished and gets a preview after all. It is later if the last one took a
 * little longer than that, since a preview would be there no sooner, and slow it down. */
guint preview_wait_ms (const Run *last);
/* For a run that is not executed itself: the image of step `index` (-1: the source), or of the nearest step before
 * it that has one. With it come the image that a threshold was applied to, and labels of any step. Computed on the CPU. Stops
 * when the thread's work is cancelled. NULL with *error then, and when the part cannot be computed alone: a step
 * moves pixels, or the part is too large. */
Preview *preview_make (PreviewCache *cache, const Run *run, int index, const PreviewArea *area, Device *cpu,
                       GError **error);
/* Prefetches into the cache what a preview of another change of step `index` starts from, as far as it is in memory.
 * Stops when the thread's work is cancelled. */
void preview_prepare (PreviewCache *cache, const Run *run, int index, const PreviewArea *area);

#endif
