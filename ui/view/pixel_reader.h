/* SPDX-License-Identifier: MIT
 *
 * The values of one pixel of what is looked at, wherever its planes are: in memory, in a file, or on a device.
 */
#ifndef UI_VIEW_PIXEL_READER_H
#define UI_VIEW_PIXEL_READER_H

#include "core/base/worker.h"
#include "ui/view/view.h"

enum { PIXEL_READER_CHANNELS = 6 };

#define PIXEL_READER_TYPE (pixel_reader_get_type ())
/* Signal: "read" when values have come that were not at hand before. */
G_DECLARE_FINAL_TYPE (PixelReader, pixel_reader, FOVEA, PIXEL_READER, GObject)

/* worker: reads what is not in memory. */
PixelReader *pixel_reader_new (View *view, Worker *worker);
/* The first n channels' values, at most PIXEL_READER_CHANNELS; FALSE when they are being read. */
gboolean pixel_reader_values (PixelReader *reader, gint64 x, gint64 y, gint64 n, double *values);

#endif
