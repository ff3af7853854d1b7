/* SPDX-License-Identifier: MIT
 *
 * The values of a plane: all of them or, if that would read a large file only for display, samples all over it and a
 * small level of its pyramid.
 */
#ifndef CORE_VIEW_PLANE_SAMPLE_H
#define CORE_VIEW_PLANE_SAMPLE_H

#include "core/data/image.h"

typedef struct PlaneSample {
  ImageInfo info;     /* of the image, borrowed from it, but with the rows and columns of the sample */
  const void *pixels; /* dense */
  gboolean exact;     /* all values of the plane, each once */
  GBytes *memory;     /* that has them, or NULL */
} PlaneSample;

/* Reads what is not there. Any thread but the main one. FALSE with *error. */
gboolean plane_sample_take (PlaneSample *sample, Image *image, gint64 plane, GError **error);
void plane_sample_clear (PlaneSample *sample);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlaneSample, plane_sample_clear)

/* At most so many values from all over the plane, for the main thread: of a plane that is in memory, or of one of the samples
 * that were taken of the image. NULL when nothing is at hand; free with g_free(). */
double *plane_glimpse (Image *image, gint64 plane, gint64 max, gint64 *n);

#endif
