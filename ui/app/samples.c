/* SPDX-License-Identifier: MIT
 *
 * FOVEA_SAMPLES names another folder.
 */
#include "ui/app/samples.h"

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
    {NULL, NULL},
  };
  return list;
}

char *
samples_path (const char *file)
{
  const char *const folders[] = {g_getenv ("FOVEA_SAMPLES"), FOVEA_SOURCE_SAMPLES, FOVEA_BUILT_SAMPLES,
                                 FOVEA_INSTALLED_SAMPLES};
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++) {
    g_autofree char *path = folders[i] ? g_build_filename (folders[i], file, NULL) : NULL;
    if (path && g_file_test (path, G_FILE_TEST_EXISTS))
      return g_steal_pointer (&path);
  }
  return g_build_filename (FOVEA_INSTALLED_SAMPLES, file, NULL);
}
