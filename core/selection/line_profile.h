/* SPDX-License-Identifier: MIT
 *
 * The values along a line, as ImageJ samples them: one for each pixel of its length and its end, bilinear between pixel centers.
 */
#ifndef CORE_SELECTION_LINE_PROFILE_H
#define CORE_SELECTION_LINE_PROFILE_H

#include "core/data/plane.h"
#include "core/selection/selection.h"

typedef struct LineProfile {
  guint n;
  double *values;   /* NaN outside of the image */
  double length;    /* of the line */
  char *unit;       /* of its length */
  char *value_unit; /* of calibrated values; "": they have none */
} LineProfile;

/* Of one plane, of which only what is around the line is read. NULL with *error. In any thread. */
LineProfile *line_profile_new (Image *image, PlanePosition position, const Selection *line, GError **error);
void line_profile_free (LineProfile *profile);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LineProfile, line_profile_free)
/* How far from the beginning of the line value i is, in its unit. */
double line_profile_distance (const LineProfile *profile, guint i);
/* Two columns with a header, for other programs. Free with g_free(). */
char *line_profile_text (const LineProfile *profile, char separator);

#endif
