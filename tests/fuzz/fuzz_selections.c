/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: any bytes, as a file of selections and as the text of one, are read or fail with an error; what was
 * read has a mask and can be written. What can be moved to another image can be moved on.
 */
#include "core/selection/geojson.h"
#include "core/selection/roi.h"
#include "core/selection/roi_move.h"
#include "core/selection/selection.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput (const guint8 *bytes, gsize size);

static void
use (const Selection *selection)
{
  g_autofree char *text = selection_format (selection);
  g_autoptr (Image) mask = selection_mask (selection, 17, 11);
  g_autoptr (GBytes) roi = selection_to_roi (selection);
  g_autoptr (GPtrArray) one = g_ptr_array_new ();
  g_ptr_array_add (one, (gpointer) selection);
  g_autofree char *geojson = selections_to_geojson (one);
  if (!text || !mask || !roi || !geojson || selection_length (selection, 1, 1) < 0)
    abort ();
}

/* A turn to the right, and every second slice. */
static void
move (const guint8 *bytes, gsize size)
{
  const RoiMove turn = {{0, -1, 10}, {1, 0, 0}, 20, 10, {{TRUE, 0, 1, 2, 2}, {TRUE, 1, 2, 9, 4}, {TRUE, 0, 1, 3, 3}}};
  g_autoptr (GBytes) roi = g_bytes_new_static (bytes, size);
  g_autoptr (GBytes) moved = roi_moved (roi, &turn);
  g_autoptr (GBytes) again = moved ? roi_moved (moved, &turn) : NULL;
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, gsize size)
{
  move (bytes, size);
  int fd = memfd_create ("fuzz", MFD_CLOEXEC);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd), *text = g_strndup ((const char *) bytes, size);
  g_autoptr (GError) error = NULL, fault = NULL;
  g_autoptr (GPtrArray) selections = NULL;
  g_autoptr (Selection) selection = selection_parse (text, &fault);
  if (fd < 0 || write (fd, bytes, size) != (gssize) size)
    abort ();
  selections = selections_read (path, NULL, &error);
  if (!selections == !error || !selection == !fault)
    abort ();
  for (guint i = 0; selections && i < selections->len; i++)
    use (selections->pdata[i]);
  if (selection)
    use (selection);
  close (fd);
  return 0;
}
