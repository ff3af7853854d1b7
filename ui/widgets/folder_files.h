/* SPDX-License-Identifier: MIT
 *
 * Files of a folder that are entries of a menu: macros, recipes.
 */
#ifndef UI_WIDGETS_FOLDER_FILES_H
#define UI_WIDGETS_FOLDER_FILES_H

#include <gtk/gtk.h>

/* The paths of those with this ending (".lua"), in the order of their names; none when there is no such folder, or it is NULL. Free with
 * g_ptr_array_unref(). */
GPtrArray *folder_files (const char *folder, const char *ending);
/* The same of the first folder that has some. */
GPtrArray *folder_files_first (const char *ending, const char *const *folders, guint n);
/* "count nuclei" of "count_nuclei.lua". Free with g_free(). */
char *folder_files_label (const char *path);
/* What stands behind the word ("-- key:") in the first lines of a file; NULL: nothing. Free with g_free(). */
char *folder_files_says (const char *path, const char *word);
/* An entry with the path as its target. */
void folder_files_append (GMenu *menu, const char *label, const char *action, const char *path);
/* Calls changed (object) when files come or go, even if the folder is made later, while the object is there. */
void folder_files_watch (const char *folder, GCallback changed, gpointer object);

#endif
