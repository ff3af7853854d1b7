/* SPDX-License-Identifier: MIT
 *
 * How image files are written: the options that each format declares, as they were the last time.
 */
#ifndef UI_APP_SAVE_OPTIONS_H
#define UI_APP_SAVE_OPTIONS_H

#include "core/data/image_info.h"

#include <gtk/gtk.h>

#define SAVE_OPTIONS_TYPE (save_options_get_type ())
G_DECLARE_FINAL_TYPE (SaveOptions, save_options, FOVEA, SAVE_OPTIONS, GtkBox)

/* Of all formats that have some, for an image. */
GtkWidget *save_options_new (const ImageInfo *info);
/* FALSE: one of the format that writes the file cannot be read, and has the focus now. */
gboolean save_options_check (SaveOptions *self, const char *path);
/* Those of the format that writes the file, as files_save_as() reads them; they are kept for the next time. NULL: it has none. Free with g_free(). */
char *save_options_take (SaveOptions *self, const char *path);

#endif
