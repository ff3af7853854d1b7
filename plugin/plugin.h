/* SPDX-License-Identifier: MIT
 *
 * What the files of the shipped plugin share.
 */
#ifndef PLUGIN_H
#define PLUGIN_H

#include "fovea-plugin.h"

extern const fv_device device_cpu;

/* Reads the machine's name into device_cpu; safe to call twice. */
void device_cpu_init (void);
/* Gives back the memory that was kept. */
void device_cpu_close (void);

#endif
