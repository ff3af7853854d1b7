/* SPDX-License-Identifier: MIT
 *
 * What a device does for flows.
 */
#ifndef KERNELS_NETWORK_FLOWS_PASSES_H
#define KERNELS_NETWORK_FLOWS_PASSES_H

#include "kernels/network/flows_pixels.h"

typedef struct flows_args {
  double probability;
  int32_t steps;
  double flow_error;
  int32_t min_size;
} flows_args;

/* What a pass has of the progress, and what was done before. */
typedef struct flows_share {
  int64_t done, share, total;
} flows_share;

/* Reports that `done` of n items of a pass are done; whether to stop. */
static inline int
flows_tick (const fv_call *call, const flows_share *s, int64_t done, int64_t n)
{
  return call->host->tick (call, s->done + s->share * done / n, s->total);
}

/* Counts n more items as done. p.total is not used. */
static inline void
flows_step (progress *p, const flows_share *s, int64_t n, int64_t all)
{
  const int64_t done = __atomic_add_fetch (&p->done, n, __ATOMIC_RELAXED);
  if (is_calling_thread () && flows_tick (p->call, s, done < all ? done : all, all))
    __atomic_store_n (&p->stop, 1, __ATOMIC_RELAXED);
}

/* What the two devices do; FV_CPU or FV_CUDA. Pointers of a job are of the device, and n is at least 1. */
typedef struct flows_passes {
  fv_device_kind kind;
  size_t room; /* bytes that heat() needs at job.room */
  /* A pass over n items, of which each takes `work` pixels or steps. */
  fv_status (*each) (const fv_call *call, flows_pass pass, const flows_job *job, int64_t n, int64_t work,
                     const flows_share *share, fv_error *error);
  /* All rounds of heat of those of n objects that have a label, from heat[0], which is 0, to heat[0]. objects: job.objects on the host. */
  fv_status (*heat) (const fv_call *call, const flows_job *job, const flows_object *objects, int64_t n,
                     const flows_share *share, fv_error *error);
} flows_passes;

#endif
