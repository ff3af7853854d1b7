/* SPDX-License-Identifier: MIT
 *
 * How much of the GPU's memory is in use, by all programs: "GPU ▮▮▯▯ 3.1 / 139 GB". Without a GPU nothing is shown.
 */
#ifndef UI_DEVICES_MEMORY_BAR_H
#define UI_DEVICES_MEMORY_BAR_H

#include "core/ops/module.h"

#include <gtk/gtk.h>

#define MEMORY_BAR_TYPE (memory_bar_get_type ())
G_DECLARE_FINAL_TYPE (MemoryBar, memory_bar, FOVEA, MEMORY_BAR, GtkBox)

/* modules must live longer. */
GtkWidget *memory_bar_new (const Modules *modules);

#endif
