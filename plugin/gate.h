/* SPDX-License-Identifier: MIT
 *
 * A number that threads wait for. A thread that waits looks at it for a few microseconds and then sleeps: what comes soon is not missed,
 * and on a busy machine the processor goes to other work. OMP_WAIT_POLICY and GOMP_SPINCOUNT, where a user sets them, say how long it looks.
 */
#ifndef PLUGIN_GATE_H
#define PLUGIN_GATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct gate {
  _Atomic uint32_t value, sleepers;
} gate;

/* Sets the value and wakes who sleeps until it changes. */
void gate_set (gate *g, uint32_t value);
/* Returns when the value is not `value`; false: it still is after that many milliseconds; -1: no limit. */
bool gate_wait (gate *g, uint32_t value, int milliseconds);

#endif
