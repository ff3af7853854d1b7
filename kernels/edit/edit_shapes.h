/* SPDX-License-Identifier: MIT
 *
 * What edit draws and follows in a view: lines, polygons, what hangs together.
 */
#ifndef KERNELS_EDIT_EDIT_SHAPES_H
#define KERNELS_EDIT_EDIT_SHAPES_H

#include "kernels/edit/edit_job.h"
#include "kernels/edit/edit_text.h"

/* Told of the pixels of a line, perhaps more than once of one. */
typedef struct edit_pen edit_pen;
struct edit_pen {
  fv_status (*touch) (edit_pen *, int64_t y, int64_t x, fv_error *);
  edit_job *job;
  const edit_view *view;
};

/* The pixels in the view of the pen of the line, or closed line, through the positions. With `apart` it adds a pixel between those that touch only
 * at a corner, at the row or column that comes later along the longer axis. */
fv_status edit_lines (edit_pen *pen, const edit_position *positions, int64_t n, bool closed, bool apart,
                      fv_error *error);

/* The pixels whose middle lies inside the polygon, by the even-odd rule. */
fv_status edit_inside (edit_pen *pen, const edit_position *positions, int64_t n, fv_error *error);

/* Pixels that hang together; `first` in the order of the view. */
typedef struct edit_part {
  int32_t label; /* for those who keep it */
  int64_t seed, first, size;
} edit_part;

/* A pixel of a view by its index. */
int64_t edit_order (const edit_view *v, int64_t z, int64_t y, int64_t x);
int32_t *edit_ordered (const edit_view *v, int64_t order);

/* Gives the pixels of one value that hang together with part->seed, of that value, another one, and fills the rest of *part. corners: by
 * corners and edges, too. */
fv_status edit_flood (edit_job *job, const edit_view *v, int32_t to, bool corners, edit_part *part, fv_error *error);

#endif
