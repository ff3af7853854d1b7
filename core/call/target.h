/* SPDX-License-Identifier: MIT
 *
 * Options of a call: where its pixels go, whether memory is short, whether the result is awaited, and which numbers
 * can be omitted.
 */
#ifndef CORE_CALL_TARGET_H
#define CORE_CALL_TARGET_H

#include "core/ops/args.h"

/* Parameters whose numbers differ from plane to plane of the first input, in the order of its planes. */
typedef struct CallEach {
  const fv_param **params;
  double *values; /* [planes][n] */
  guint n;
  gint64 planes;
} CallEach;

typedef struct CallTarget {
  gsize on_disk[OP_MAX_ARRAYS]; /* bytes of each of its images that go to the disk even if there is memory */
  gboolean to_host;       /* the first image is needed in host memory: its download begins while the rest is computed */
  gsize strip;            /* bytes of a part, when it goes part by part and reads of a file no more than that; or 0 */
  const char *made_by;    /* NULL, or what is noted of how its images came to be: see ImageNotes */
  const ArgsAsked *asked; /* NULL, or in which order columns of its table are wanted */
  const CallEach *each;   /* NULL: all planes have the arguments of the call */
  const double *given;    /* NULL, or the scalars of an operation of FV_PART_GIVEN, as many as the call has */
} CallTarget;

#endif
