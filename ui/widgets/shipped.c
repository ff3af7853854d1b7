/* SPDX-License-Identifier: MIT
 *
 * FOVEA_DATA, FOVEA_MANUAL and FOVEA_TRANSLATIONS are the paths of installed files from the folder of the program.
 */
#include "ui/widgets/shipped.h"

#include "core/base/system/home.h"

static char *
from_home (const char *built, const char *installed)
{
  gboolean shared;
  g_autofree char *home = home_folder (&shared);
  return g_canonicalize_filename (home_is_built (home) ? built : installed, home);
}

char *
shipped_data (const char *name)
{
  g_autofree char *folder = from_home ("../data", FOVEA_DATA);
  return g_build_filename (folder, name, NULL);
}

char *
shipped_manual (void)
{
  return from_home ("../docs/html", FOVEA_MANUAL);
}

char *
shipped_translations (void)
{
  return from_home ("../po", FOVEA_TRANSLATIONS);
}
