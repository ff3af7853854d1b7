/* SPDX-License-Identifier: MIT
 *
 * Opens and saves files as standard input requests. Answers each line with its wall time and the CPU time of all cores in milliseconds.
 * peers_files.py and file_to_table.py call it.
 *   read FILE                  Opens all of an image's pixels.
 *   hold FILE                  The same, and keeps the image.
 *   save FILE [deflate|zstd]   Saves it; compressed, in tiles of 256.
 *   load PLUGIN                Loads a plugin for the following lines.
 *   table FILE DEVICE          Opens an image and runs the workflow of the README there, until its table is in memory.
 */
#include "core/files/files.h"
#include "core/run/execute.h"
#include "tests/bench/lines.h"

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
make_table (Modules *modules, const char *path, const char *device_key, GError **error)
{
  Device *device = modules_device (modules, device_key, error);
  g_autoptr (Recipe) recipe = device ? recipe_parse (modules, LINES_WORKFLOW, error) : NULL;
  g_autoptr (Image) image = recipe ? files_open (path, 0, error) : NULL;
  g_autoptr (Run) run = image ? run_new (recipe, image, RUN_KEEP_NAMED) : NULL;
  return run && run_execute (run, device, NULL, error);
}

static gboolean
obey (char **words, Image **held, GError **error)
{
  static Modules *modules; /* never freed: threads of the plugin may outlive main() */
  g_autoptr (Image) image = NULL;
  if (!strcmp (words[0], "load"))
    return modules_load (modules = modules_new_empty (), words[1], error) && modules_find_devices (modules);
  if (!strcmp (words[0], "table"))
    return make_table (modules, words[1], words[2], error);
  if (!strcmp (words[0], "save")) {
    g_autofree char *options = words[2] ? g_strconcat ("tile=256 compression=", words[2], NULL) : NULL;
    return files_save_as (*held, words[1], options, error);
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
      fprintf (stderr, "%s\n", error ? error->message : "read, hold, save, load or table FILE");
      return 1;
    }
    printf ("%.3f %.3f\n", ms_of (CLOCK_MONOTONIC) - start, ms_of (CLOCK_PROCESS_CPUTIME_ID) - used);
    fflush (stdout);
  }
  image_unref (held);
  return 0;
}
