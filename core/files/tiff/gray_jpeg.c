/* SPDX-License-Identifier: MIT
 */
#include "core/files/tiff/gray_jpeg.h"

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

typedef struct {
  struct jpeg_error_mgr manager; /* first */
  jmp_buf stop;
} Faults;

static void
stop (j_common_ptr info)
{
  longjmp (((Faults *) info->err)->stop, 1);
}

/* level: -1 for a warning, which is what libjpeg has for damage. */
static void
on_message (j_common_ptr info, int level)
{
  if (level < 0)
    stop (info);
}

static gboolean
is_as_expected (j_decompress_ptr info, guint columns, guint rows)
{
  return info->num_components == 1 && info->comp_info[0].h_samp_factor == 1 && info->comp_info[0].v_samp_factor == 1
         && info->image_width == columns && info->image_height == rows && !jpeg_has_multiple_scans (info);
}

static gboolean
read_rows (j_decompress_ptr info, guint8 *to)
{
  jpeg_start_decompress (info);
  while (info->output_scanline < info->output_height) {
    JSAMPROW rows[DCTSIZE];
    for (guint i = 0; i < DCTSIZE; i++)
      rows[i] = to + (gsize) (info->output_scanline + i) * info->output_width;
    jpeg_read_scanlines (info, rows, MIN (DCTSIZE, info->output_height - info->output_scanline));
  }
  return jpeg_finish_decompress (info);
}

gboolean
files_tiff_gray_jpeg_decode (const guint8 *tables, gsize tables_bytes, const guint8 *raw, gsize n, guint columns,
                             guint rows, guint8 *to)
{
  struct jpeg_decompress_struct info = {0};
  Faults faults;
  volatile gboolean done = FALSE;
  info.err = jpeg_std_error (&faults.manager);
  faults.manager.error_exit = stop;
  faults.manager.emit_message = on_message;
  if (!setjmp (faults.stop)) {
    jpeg_create_decompress (&info);
    if (tables) {
      jpeg_mem_src (&info, tables, tables_bytes);
      jpeg_read_header (&info, FALSE);
    }
    jpeg_mem_src (&info, raw, n);
    jpeg_read_header (&info, TRUE);
    done = is_as_expected (&info, columns, rows) && read_rows (&info, to);
  }
  jpeg_destroy_decompress (&info);
  return done;
}
