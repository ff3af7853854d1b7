/* SPDX-License-Identifier: MIT
 *
 * An operation that another one uses: a call within a call, whose memory and progress are the outer one's.
 */
#ifndef KERNELS_COMMON_INNER_CALL_H
#define KERNELS_COMMON_INNER_CALL_H

#include "kernels/common/common.h"

typedef struct inner_call {
  fv_call call; /* first: services get a pointer to it */
  fv_host host;
  const fv_call *outer;
} inner_call;

static inline const fv_call *
outer_call (const fv_call *call)
{
  return ((const inner_call *) call)->outer;
}

static inline fv_status
inner_scratch (const fv_call *call, size_t bytes, void **memory, fv_error *error)
{
  return outer_call (call)->host->scratch (outer_call (call), bytes, memory, error);
}

static inline fv_status
inner_host_scratch (const fv_call *call, size_t bytes, void **memory, fv_error *error)
{
  return outer_call (call)->host->host_scratch (outer_call (call), bytes, memory, error);
}

static inline int
inner_tick (const fv_call *call, int64_t done, int64_t total)
{
  return outer_call (call)->host->tick (outer_call (call), done, total);
}

static inline fv_status
inner_read (const fv_call *call, void *to, const void *from, size_t bytes, fv_error *error)
{
  return outer_call (call)->host->read (outer_call (call), to, from, bytes, error);
}

/* Nothing that an inner call reads is still on its way. */
static inline fv_status
inner_rows_in (const fv_call *call, uint32_t input, int64_t end_needed, int64_t *end, fv_error *error)
{
  (void) end_needed;
  (void) error;
  *end = array_rows (call->inputs[input]);
  return FV_OK;
}

/* Runs an operation that needs no other services on the device of `outer`, of that kind; arrays and scalars are in its memory. The outer
 * operation says .reads_back where the inner one does, and not .by_rows. */
static inline fv_status
run_inner (const fv_call *outer, fv_device_kind kind, const fv_op *op, const void *args, const fv_array *const *inputs,
           const fv_array *const *outputs, double *scalars, fv_error *error)
{
  inner_call inner = {*outer, *outer->host, outer};
  inner.call.op = op;
  inner.call.args = args;
  inner.call.inputs = inputs;
  inner.call.outputs = outputs;
  inner.call.scalars = scalars;
  inner.call.host = &inner.host;
  inner.call.tables = NULL;
  inner.host.scratch = inner_scratch;
  inner.host.host_scratch = inner_host_scratch;
  inner.host.tick = inner_tick;
  inner.host.read = inner_read;
  inner.host.rows_in = inner_rows_in;
  return op->run[kind](&inner.call, error);
}

#endif
