/* SPDX-License-Identifier: MIT
 *
 * The one table of a batch in a window of its own. A row that is chosen shows its image, with its object lit.
 */
#ifndef UI_BATCH_TABLE_WINDOW_H
#define UI_BATCH_TABLE_WINDOW_H

#include "ui/batch/runner.h"
#include "ui/shell/viewer.h"

/* Of a batch that has come to its end, with a table. */
void table_window_show (GtkWindow *parent, Runner *runner, Viewer *viewer);

#endif
