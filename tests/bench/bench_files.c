/* SPDX-License-Identifier: MIT
 *
 * Opens and saves files as standard input tells, and answers each line with the milliseconds that it took, on the wall and of all
 * cores; peers_files.py asks.
 *   read FILE                  opens all of an image's pixels
 *   hold FILE                  the same, and keeps the image
 *   save FILE [deflate|zstd]   saves it; compressed, in tiles of 256
 */
#include "core/files/files.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static Image *
read_all (const char *path, GError **error)
{
  g_autoptr (Image) image = files_open (path, 0, error);
  return image && image_on_host (image, NULL, error) ? g_steal_pointer (&image) : NULL;
}

static gboolean
obey (char **words, Image **held, GError **error)
{
  FilesTiffChoices choices = {0};
  g_autoptr (Image) image = NULL;
  if (!strcmp (words[0], "save")) {
    if (words[2])
      choices = (FilesTiffChoices){strcmp (words[2], "zstd") ? FILES_TIFF_DEFLATE : FILES_TIFF_ZSTD, 256, FALSE};
    return files_save_as (*held, words[1], &choices, error);
  }
  image = read_all (words[1], error);
  if (image && !strcmp (words[0], "hold"))
    *held = g_steal_pointer (&image);
  return image || *held;
}

static double
ms_of (clockid_t clock)
{
  struct timespec now;
  clock_gettime (clock, &now);
  return (double) now.tv_sec * 1e3 + (double) now.tv_nsec / 1e6;
}

int
main (void)
{
  Image *held = NULL;
  char line[4096];
  while (fgets (line, sizeof line, stdin)) {
    g_auto (GStrv) words = g_strsplit (g_strstrip (line), " ", 3);
    g_autoptr (GError) error = NULL;
    double start = ms_of (CLOCK_MONOTONIC), used = ms_of (CLOCK_PROCESS_CPUTIME_ID);
    if (!obey (words, &held, &error)) {
      fprintf (stderr, "%s\n", error ? error->message : "read, hold or save FILE");
      return 1;
    }
    printf ("%.3f %.3f\n", ms_of (CLOCK_MONOTONIC) - start, ms_of (CLOCK_PROCESS_CPUTIME_ID) - used);
    fflush (stdout);
  }
  image_unref (held);
  return 0;
}
