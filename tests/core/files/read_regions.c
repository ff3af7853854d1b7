/* SPDX-License-Identifier: MIT
 *
 * read_regions FILE: prints the levels of the file's image, "rows columns tile_rows tile_columns" each, and an empty line; then the
 * pixels of the regions that standard input names, "level plane row column rows columns" each, read by four threads at once.
 */
#include "core/files/files.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4 };

typedef struct {
  guint level;
  gint64 plane;
  ImageRegion region;
  gsize row_bytes;
  guint8 *pixels;
} Wanted;

typedef struct {
  Image *image;
  GArray *wanted; /* Wanted */
  gint next;      /* atomic */
} Work;

static gpointer
read_some (gpointer data)
{
  Work *work = data;
  for (guint i; (i = (guint) g_atomic_int_add (&work->next, 1)) < work->wanted->len;) {
    Wanted *w = &g_array_index (work->wanted, Wanted, i);
    g_autoptr (GError) error = NULL;
    gsize stride = w->row_bytes + 16;
    g_autofree guint8 *padded = g_malloc (stride * (gsize) w->region.rows);
    w->pixels = g_malloc (w->row_bytes * (gsize) w->region.rows);
    if (!image_read (work->image, w->level, w->plane, &w->region, padded, stride, &error)) {
      fprintf (stderr, "%s\n", error->message);
      exit (1);
    }
    for (gint64 y = 0; y < w->region.rows; y++)
      memcpy (w->pixels + (gsize) y * w->row_bytes, padded + (gsize) y * stride, w->row_bytes);
  }
  return NULL;
}

static void
read_wanted (Work *work)
{
  const ImageInfo *info = image_info (work->image);
  Wanted w = {0};
  while (scanf ("%u %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64, &w.level, &w.plane, &w.region.row,
                &w.region.column, &w.region.rows, &w.region.columns)
         == 6) {
    w.row_bytes = image_info_plane_bytes (info) / (gsize) info->rows / (gsize) info->columns * (gsize) w.region.columns;
    g_array_append_val (work->wanted, w);
  }
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Image) image = argc == 2 ? files_open (argv[1], 0, &error) : NULL;
  Work work = {image, g_array_new (FALSE, FALSE, sizeof (Wanted)), 0};
  GThread *threads[THREADS];
  ImageLevel level;
  if (!image) {
    fprintf (stderr, "%s\n", error ? error->message : "read_regions FILE");
    return 1;
  }
  for (guint n = 0; image_level (image, n, &level); n++)
    printf ("%d %d %d %d\n", (int) level.rows, (int) level.columns, (int) level.tile_rows, (int) level.tile_columns);
  printf ("\n");
  read_wanted (&work);
  for (int i = 0; i < THREADS; i++)
    threads[i] = g_thread_new ("reader", read_some, &work);
  for (int i = 0; i < THREADS; i++)
    g_thread_join (threads[i]);
  for (guint i = 0; i < work.wanted->len; i++) {
    Wanted *w = &g_array_index (work.wanted, Wanted, i);
    fwrite (w->pixels, w->row_bytes, (gsize) w->region.rows, stdout);
    g_free (w->pixels);
  }
  g_array_unref (work.wanted);
  return 0;
}
