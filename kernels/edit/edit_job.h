/* SPDX-License-Identifier: MIT
 *
 * The arguments of edit, the plane or volume at work, and what a device does for it.
 */
#ifndef KERNELS_EDIT_EDIT_JOB_H
#define KERNELS_EDIT_EDIT_JOB_H

#include "kernels/common/common.h"

enum { EDIT_CAPACITY = 65536 };

typedef struct edit_args {
  char commands[EDIT_CAPACITY];
  bool volume;
} edit_args;

/* Pixels from ... to-1 along z, y, x. */
typedef struct edit_box {
  int64_t from[3], to[3];
} edit_box;

/* Labels of a box, in host memory. Strides in pixels. */
typedef struct edit_view {
  edit_box box;
  int32_t *pixels;
  int64_t plane, row;
} edit_view;

/* A number that pixels have, and the one that they are to have. */
typedef struct edit_change {
  int32_t from, to;
} edit_change;

/* Host memory that grows, or memory of the device. */
typedef struct edit_memory {
  void *at;
  size_t bytes;
} edit_memory;

typedef struct edit_passes edit_passes;

/* The plane, or the volume, that is worked on. */
typedef struct edit_job {
  const fv_call *call;
  const edit_passes *passes;
  edit_box all;
  int32_t highest;      /* number there is; -1: not known yet */
  edit_change *changes; /* still to be made, by `from`; in `changed` */
  int64_t n_changes;
  int64_t commands, edits, missed; /* in all; that changed something; that found nothing to change */
  edit_memory changed, pixels, map, stack, hits, cuts, parts;
  edit_memory device_pixels, device_changes;
} edit_job;

/* What a device does. */
struct edit_passes {
  bool in_place; /* pixels are in host memory: fetch() returns those of the output, for any box */
  /* The largest number of the input in job->all. */
  fv_status (*highest) (edit_job *, int32_t *, fv_error *);
  /* Makes `box`, a part of job->all, as small as holds the pixels of this number; empty: there are none. */
  fv_status (*bounds) (edit_job *, int32_t label, edit_box *box, fv_error *);
  /* Changes all pixels of job->all as job->changes say. */
  fv_status (*replace) (edit_job *, fv_error *);
  /* Fills the view of view->box; what was put on its way by store() before has arrived. */
  fv_status (*fetch) (edit_job *, edit_view *, fv_error *);
  fv_status (*store) (edit_job *, const edit_view *, fv_error *);
  fv_status (*scalars) (const fv_call *, const edit_job *, fv_error *);
};

/* Of the box. */
INLINE int64_t
edit_extent (const edit_box *box, int axis)
{
  return box->to[axis] - box->from[axis];
}

static inline int32_t *
edit_pixel (const edit_view *v, int64_t z, int64_t y, int64_t x)
{
  return v->pixels + (z - v->box.from[0]) * v->plane + (y - v->box.from[1]) * v->row + (x - v->box.from[2]);
}

#ifdef __cplusplus
extern "C" {
#endif

/* Host memory of at least so many bytes, of which the first `used` stay what they were. */
fv_status edit_grow (const edit_job *job, edit_memory *memory, size_t bytes, size_t used, fv_error *error);
/* Says how far it is; FV_CANCELLED when it is to stop. */
fv_status edit_tick (const edit_job *job, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
