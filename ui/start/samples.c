/* SPDX-License-Identifier: MIT
 *
 * FOVEA_SAMPLES names another folder.
 */
#include "ui/start/samples.h"

#include "ui/widgets/shipped.h"

#include <glib.h>
#include <glib/gi18n.h>

const Sample *
samples_list (void)
{
  static const Sample list[] = {
    {"nuclei_rgb.tif", N_ ("Nuclei (three channels)")},
    {"cells_2channel.tif", N_ ("Cells (two channels)")},
    {"stack.tif", N_ ("Stack")},
    {"points.tif", N_ ("Points")},
    {"wound.tif", N_ ("Wound That Closes (20 frames)")},
    {"sky.fits", N_ ("Stars and Galaxies")},
    {"plate", N_ ("Plate (12 wells of two fields)")},
    {"ct", N_ ("Wrist in a CT (24 slices)")},
    {NULL, NULL},
  };
  return list;
}

char *
samples_path (const char *file)
{
  const char *named = g_getenv ("FOVEA_SAMPLES");
  g_autofree char *shipped = shipped_data ("samples"), *path = named ? g_build_filename (named, file, NULL) : NULL;
  return path && g_file_test (path, G_FILE_TEST_EXISTS) ? g_steal_pointer (&path)
                                                        : g_build_filename (shipped, file, NULL);
}
