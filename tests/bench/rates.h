/* SPDX-License-Identifier: MIT
 *
 * What the device's memory and its bus can do: the yardstick for the times.
 */
#ifndef BENCH_RATES_H
#define BENCH_RATES_H

#include "core/data/device.h"

/* 10^9 bytes a second. */
typedef struct Rates {
  double copy;             /* on the device, bytes read and bytes written both counted */
  double upload, download; /* from and to the host memory from which copies are fast */
} Rates;

/* FALSE with *error. */
gboolean rates_measure (const Device *device, Rates *rates, GError **error);

#endif
