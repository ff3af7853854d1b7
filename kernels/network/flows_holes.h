/* SPDX-License-Identifier: MIT
 */
#ifndef KERNELS_NETWORK_FLOWS_HOLES_H
#define KERNELS_NETWORK_FLOWS_HOLES_H

#include "kernels/network/flows_worker.h"

/* Fills the holes of the objects that have a label, in the order of their first pixels. */
fv_status flows_fill_holes (flows_worker *w, fv_error *error);

#endif
