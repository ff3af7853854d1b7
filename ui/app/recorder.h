/* SPDX-License-Identifier: MIT
 *
 * Hears what is done to the images of a window, from the first on, and shows it in a window of its own.
 */
#ifndef UI_APP_RECORDER_H
#define UI_APP_RECORDER_H

#include "ui/shell/shell.h"

#define RECORDER_TYPE (recorder_get_type ())
G_DECLARE_FINAL_TYPE (Recorder, recorder, FOVEA, RECORDER, GObject)

Recorder *recorder_new (Shell *shell);
void recorder_show (Recorder *recorder);

#endif
