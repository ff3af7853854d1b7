/* SPDX-License-Identifier: MIT
 *
 * Macros as files: those in the user's folder, which are entries of the menu, each with a key if it says one, and the examples.
 */
#ifndef UI_MACRO_FILES_H
#define UI_MACRO_FILES_H

#include <gtk/gtk.h>

/* Where macros lie that are entries of the menu: fovea/macros in the user's folder of settings. Free with g_free(). */
char *macro_files_folder (void);
/* A menu of them that stays up to date; its items activate win.run-macro with the path. The key of one is what its first lines say,
 * "-- key: <Control><Alt>1", unless something else has it. */
GMenuModel *macro_files_menu (GtkApplication *application);
/* A menu of the examples, which win.open-macro-file opens. */
GMenuModel *macro_files_examples (void);

#endif
