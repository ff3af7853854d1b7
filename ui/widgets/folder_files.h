/* SPDX-License-Identifier: MIT
 *
 * Files of a folder that are entries of a menu: macros, recipes.
 */
#ifndef UI_WIDGETS_FOLDER_FILES_H
#define UI_WIDGETS_FOLDER_FILES_H

#include <gtk/gtk.h>

/* The paths of the files with this ending (".lua"), sorted by name; empty if the folder does not exist or is NULL.
 * Free with g_ptr_array_unref(). */
GPtrArray *folder_files (const char *folder, const char *ending);
/* The same of the first folder that has some. */
GPtrArray *folder_files_first (const char *ending, const char *const *folders, guint n);
/* "count nuclei" of "count_nuclei.lua". Free with g_free(). */
char *folder_files_label (const char *path);
/* The text after the word ("-- key:") in the first lines of a file; NULL: none. Free with g_free(). */
char *folder_files_says (const char *path, const char *word);
/* An entry with the path as its target. */
void folder_files_append (GMenu *menu, const char *label, const char *action, const char *path);
/* The folder and those below it, at most so many, without hidden ones and what links lead to. Any thread. Free with g_ptr_array_unref(). */
GPtrArray *folder_files_below (const char *folder, guint max);
/* Calls changed (object) when files come or go in one of these folders, even if it is made later, while the object is there, and no longer for
 * those that it was called for before. TRUE: some of them are new. */
gboolean folder_files_watch (const char *const *folders, guint n, GCallback changed, gpointer object);

#endif
