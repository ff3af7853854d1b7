/* SPDX-License-Identifier: MIT
 *
 * The images of a folder as small pictures with their names, of which one is chosen.
 */
#ifndef UI_FOLDER_GRID_H
#define UI_FOLDER_GRID_H

#include "core/ops/module.h"
#include "ui/folder/folder_image.h"

#define FOLDER_GRID_TYPE (folder_grid_get_type ())
/* Signal: "chosen" (FolderImage) when the user selects another one. */
G_DECLARE_FINAL_TYPE (FolderGrid, folder_grid, FOVEA, FOLDER_GRID, GtkBox)

GtkWidget *folder_grid_new (Modules *modules);
/* (element-type FolderImage) What was there before stays with its picture, but what could not be opened is looked at again. */
void folder_grid_set (FolderGrid *grid, const GPtrArray *images);
guint folder_grid_length (const FolderGrid *grid);
/* Selects the image with that path without a signal, or none if it has no such image. */
void folder_grid_mark (FolderGrid *grid, const char *path);
/* The next (by 1) or the one before (-1) is chosen; FALSE: there is none. */
gboolean folder_grid_move (FolderGrid *grid, int by);

#endif
