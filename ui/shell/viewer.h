/* SPDX-License-Identifier: MIT
 *
 * Shows images of a batch or a folder in the main window, with steps and a highlighted object. Each replaces the
 * previous one unless that was changed.
 */
#ifndef UI_SHELL_VIEWER_H
#define UI_SHELL_VIEWER_H

#include "ui/shell/shell.h"

#define VIEWER_TYPE (viewer_get_type ())
/* Signal: "failed" (path, why) for an image that cannot be opened. */
G_DECLARE_FINAL_TYPE (Viewer, viewer, FOVEA, VIEWER, GObject)

typedef struct ViewerWish {
  const char *path, *steps;
  const char *settings;         /* as view_display_settings() has them; NULL: as the image is opened */
  guint series;                 /* image of the file, from 0 */
  int label;                    /* 0: no object */
  gint64 channel, slice, frame; /* where one looks, or where the object is; -1: wherever that is */
  gboolean unsaved;             /* the steps are kept nowhere else */
} ViewerWish;

Viewer *viewer_new (Shell *shell);
/* One that is open with these steps comes to the front; else it is opened in the background, the newest wish first. */
void viewer_show (Viewer *viewer, const ViewerWish *wish);
/* The shell goes. */
void viewer_leave (Viewer *viewer);

#endif
