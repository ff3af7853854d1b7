/* SPDX-License-Identifier: MIT
 *
 * A plugin that took the program down while it was loaded is left out at the next start. Before a plugin is loaded a marker
 * that names it is written, and removed after; a marker whose process lives no longer is of one that never came back.
 */
#ifndef CORE_OPS_MODULE_TRIAL_H
#define CORE_OPS_MODULE_TRIAL_H

#include <glib.h>

typedef struct ModuleTrials ModuleTrials;

/* folder: of the markers; NULL for the user's own. */
ModuleTrials *module_trials_new (const char *folder);
void module_trials_free (ModuleTrials *trials);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ModuleTrials, module_trials_free)

/* Marks that this plugin is being loaded. FALSE with *error when it did not come back from it the last time and has not changed
 * since: it shall be left out. Where no marker can be written, plugins are loaded without. */
gboolean module_trial_begin (ModuleTrials *trials, const char *path, GError **error);
/* It is loaded, or refused. */
void module_trial_end (ModuleTrials *trials);

#endif
