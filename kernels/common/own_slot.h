/* SPDX-License-Identifier: MIT
 *
 * The argument struct of an operation that was made of a text: a slot for each of its parameters, which are numbers.
 */
#ifndef KERNELS_COMMON_OWN_SLOT_H
#define KERNELS_COMMON_OWN_SLOT_H

#include "kernels/common/common.h"

typedef union own_slot {
  double number;
  int32_t integer;
  bool truth;
} own_slot;

/* Parameter i of the operation as a number. */
static inline double
own_number (const fv_op *op, const void *args, int i)
{
  const own_slot *slot = (const own_slot *) args + i;
  switch (op->params[i].type) {
  case FV_INT: return slot->integer;
  case FV_BOOL: return slot->truth;
  default: return slot->number;
  }
}

#endif
