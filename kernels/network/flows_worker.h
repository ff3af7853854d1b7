/* SPDX-License-Identifier: MIT
 *
 * A run of flows on the host: the job of a plane, its objects, and how a pass is started.
 */
#ifndef KERNELS_NETWORK_FLOWS_WORKER_H
#define KERNELS_NETWORK_FLOWS_WORKER_H

#include "kernels/network/flows_passes.h"

typedef struct flows_worker {
  const fv_call *call;
  const flows_passes *passes;
  const flows_args *args;
  flows_job job;
  char *shared;          /* FLOWS_SHARED bytes a pixel: counts, owners and seeds, then heat, then bits */
  flows_object *objects; /* job.objects on the host */
  uint64_t *order;       /* of objects by their first pixels: these, and their numbers */
  flows_box *boxes, *boxes_there;
  int64_t n, size;     /* objects, and how many fit */
  int32_t *flag;       /* of the device: how many seeds, or whether to sweep again */
  flows_share share;   /* done and total are those of all planes */
  int64_t n_kept, all; /* objects of the plane, and of all */
} flows_worker;

enum { FLOWS_SHARED = 16 };

/* A pass over n items, of which each takes `work` pixels or steps. */
fv_status flows_each (const flows_worker *w, flows_pass pass, int64_t n, int64_t work, fv_error *error);
/* The objects to the device, and from it. */
fv_status flows_tell (const flows_worker *w, fv_error *error);
fv_status flows_ask (const flows_worker *w, fv_error *error);
/* Sets the flag to 0, and reads it. */
fv_status flows_reset (const flows_worker *w, fv_error *error);
fv_status flows_read (const flows_worker *w, int32_t *flag, fv_error *error);
/* Sorts the objects that have a label; returns how many. */
int64_t flows_sort (flows_worker *w);
/* The number of the object at that position. */
static inline int32_t
flows_at (const flows_worker *w, int64_t i)
{
  return (int32_t) (uint32_t) w->order[i];
}

#endif
