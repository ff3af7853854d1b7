/* SPDX-License-Identifier: MIT
 *
 * One operation being run: the host services that it sees, and arrays over memory.
 */
#ifndef CORE_CALL_CONTEXT_H
#define CORE_CALL_CONTEXT_H

#include "core/call/result.h"
#include "core/call/grid.h"
#include "core/call/target.h"
#include "core/call/rows.h"

typedef struct CallContext {
  fv_call call; /* first: host services get a pointer to it */
  const Op *op;
  Device *device;
  Progress *progress;
  Image *const *inputs;
  Table *const *tables; /* for each input one, or NULL; NULL: none at all */
  CallResult *result;
  Image *downloading; /* the output whose finished rows are downloaded during the call, or NULL */
  Arrival arrival;    /* of the first input, when it comes while the operation runs */
  fv_grid in[OP_MAX_ARRAYS], out[OP_MAX_ARRAYS]; /* of one group */
  GArray *scratch;                               /* device memory */
  CallRows rows;                                 /* of the table that it makes */
  CallTarget target;
  gint64 group, groups, stacks; /* stacks: groups of one frame */
  gint64 part, parts;           /* of the work, for progress */
  gpointer own_args;            /* of the group, see each.h; NULL: those of the call */
  gboolean by_plane;            /* each plane is a group although its operation takes any number of them */
} CallContext;

/* An array and what its DLTensor points to. */
typedef struct CallArray {
  fv_array array;
  fv_grid grid;
  int64_t strides[3];
} CallArray;

void call_context_init (CallContext *c);
void call_context_clear (CallContext *c);

/* Marks where the work of the call begins (0) and ends (1) in the stream. */
gboolean call_context_mark (CallContext *c, int which, GError **error);

/* Points an array at dense pixels on the device. */
void call_array_set (CallArray *a, const fv_grid *grid, const Device *device, void *memory);
gsize call_grid_bytes (const fv_grid *grid);
/* Which group of an input goes with group c->group; one with a single frame, or channel, goes with all. */
gint64 call_input_group (const CallContext *c, guint input);
/* Calls the plugin. A NULL array's data: the input is not given. */
fv_status call_context_run (CallContext *c, CallArray *in, CallArray *out, double *scalars, fv_error *error);

#endif
