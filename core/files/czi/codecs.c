/* SPDX-License-Identifier: MIT
 */
#include "core/files/czi/codecs.h"

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>
#include <zstd.h>

/* ---- Zstandard ---- */

/* A context for each thread: making one takes longer than decoding a small tile. */
static void
free_context (gpointer context)
{
  ZSTD_freeDCtx (context);
}
static GPrivate contexts = G_PRIVATE_INIT (free_context);

const char *
files_czi_zstd0 (const guint8 *packed, gsize n, guint8 *to, gsize size)
{
  ZSTD_DCtx *context = g_private_get (&contexts);
  if (!context) {
    if (!(context = ZSTD_createDCtx ()))
      return "cannot be decoded: not enough memory for Zstandard";
    g_private_set (&contexts, context);
  }
  const gsize made = ZSTD_decompressDCtx (context, to, size, packed, n);
  return made == size ? NULL : "cannot be decoded by Zstandard to its size";
}

/* Low bytes of all samples, then their high bytes, as samples. */
static void
join_bytes (const guint8 *restrict low, const guint8 *restrict high, gsize n, guint8 *restrict to)
{
  for (gsize i = 0; i < n; i++) {
    to[2 * i] = low[i];
    to[2 * i + 1] = high[i];
  }
}

const char *
files_czi_zstd1 (const guint8 *packed, gsize n, guint8 *to, gsize size)
{
  enum { EMPTY = 1, WITH_PACKING = 3, PACKING = 1 /* of chunks */, LOW_HIGH = 1 /* a bit */ };
  const gsize header = n ? packed[0] : 0;
  if (header > n || (header != EMPTY && (header != WITH_PACKING || packed[1] != PACKING)))
    return "has a header of Zstandard that is not known";
  if (header == EMPTY || !(packed[2] & LOW_HIGH))
    return files_czi_zstd0 (packed + header, n - header, to, size);
  if (size % 2)
    return "has pixels of 8 bits with high bytes";
  g_autofree guint8 *bytes = g_try_malloc (size);
  if (!bytes)
    return "cannot be decoded: not enough memory";
  const char *fault = files_czi_zstd0 (packed + header, n - header, bytes, size);
  if (!fault)
    join_bytes (bytes, bytes + size / 2, size / 2, to);
  return fault;
}

/* ---- JPEG ---- */

typedef struct {
  struct jpeg_error_mgr manager; /* first */
  struct jpeg_progress_mgr progress;
  jmp_buf stop;
} Faults;

enum { MAX_SCANS = 100 /* of a progressive picture; each takes as long as all of a plain one */ };

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

static void
on_progress (j_common_ptr info)
{
  if (((j_decompress_ptr) info)->input_scan_number > MAX_SCANS)
    stop (info);
}

/* Red, green, blue as blue, green, red. */
static void
turn_colors (guint8 *row, gsize pixels)
{
  for (gsize i = 0; i < pixels; i++, row += 3) {
    const guint8 red = row[0];
    row[0] = row[2];
    row[2] = red;
  }
}

static void
read_rows (j_decompress_ptr info, guint8 *to)
{
  jpeg_start_decompress (info);
  while (info->output_scanline < info->output_height) {
    JSAMPROW row = to + (gsize) info->output_scanline * info->output_width * (gsize) info->output_components;
    jpeg_read_scanlines (info, &row, 1);
    if (info->output_components == 3)
      turn_colors (row, info->output_width);
  }
  jpeg_finish_decompress (info);
}

const char *
files_czi_jpeg (const guint8 *packed, gsize n, const FilesCziBlock *block, const FilesCziPixel *pixel, guint8 *to)
{
  struct jpeg_decompress_struct info = {0};
  Faults faults;
  const char *volatile fault = "cannot be decoded by libjpeg";
  info.err = jpeg_std_error (&faults.manager);
  faults.manager.error_exit = stop;
  faults.manager.emit_message = on_message;
  faults.progress.progress_monitor = on_progress;
  if (!setjmp (faults.stop)) {
    jpeg_create_decompress (&info);
    info.progress = &faults.progress;
    jpeg_mem_src (&info, packed, n);
    jpeg_read_header (&info, TRUE);
    info.out_color_space = pixel->samples == 3 ? JCS_RGB : JCS_GRAYSCALE;
    if (pixel->type != FV_U8 || (pixel->samples != 3 && pixel->samples != 1)
        || (pixel->samples == 1 && info.num_components != 1) || info.image_width != (guint) block->columns
        || info.image_height != (guint) block->rows)
      fault = "is JPEG of another size or pixel type";
    else {
      read_rows (&info, to);
      fault = NULL;
    }
  }
  jpeg_destroy_decompress (&info);
  return fault;
}
