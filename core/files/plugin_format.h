/* SPDX-License-Identifier: MIT
 *
 * Formats that plugins read, in the list of formats.h behind the program's own.
 */
#ifndef CORE_FILES_PLUGIN_FORMAT_H
#define CORE_FILES_PLUGIN_FORMAT_H

#include "core/ops/module.h"

/* From now on files are opened with the readers of these modules, in all of the program. A reader whose key is taken is left out, with a sentence
 * among those of modules_refused(). */
void plugin_formats_use (Modules *modules);
/* Before the modules are freed, and after all images of their readers. */
void plugin_formats_drop (const Modules *modules);

#endif
