/* SPDX-License-Identifier: MIT
 *
 * The pixels of one image on their way from host memory, into which they may still be read, to memory on a device, piece after piece.
 */
#ifndef CORE_DATA_ARRIVAL_H
#define CORE_DATA_ARRIVAL_H

#include "core/data/device.h"

typedef struct Arrival {
  Device *device;
  guint8 *memory;       /* NULL: nothing is to come */
  const guint8 *pixels; /* NULL: nothing is there yet */
  gsize bytes, sent;    /* in all; so many were asked for */
  Transfer transfer;
} Arrival;

/* The first `end` bytes are there: sends what of them is worth a piece. */
fv_status arrival_send (Arrival *arrival, gsize end, fv_error *error);
/* All are there. What the device is asked for from now on finds at least the first `end` bytes. */
fv_status arrival_advance (Arrival *arrival, gsize end, fv_error *error);
/* Gives the memory back. */
void arrival_undo (Arrival *arrival);

#endif
