/* SPDX-License-Identifier: MIT
 */
#include "command/save_options.h"

#include <string.h>

enum { LARGEST_TILE = 8192 };

char *save_compression;
int save_tile;
gboolean save_pyramid;
double save_rate;
const char *const save_methods[] = {"none", "deflate", "zstd", "jpeg", "png", NULL}; /* as fovea_compression */

gboolean
save_options (fovea_save_options *options, GError **error)
{
  guint method = 0;
  while (save_compression && save_methods[method] && strcmp (save_compression, save_methods[method]))
    method++;
  if (!save_methods[method]) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 "--compression must be none, deflate, zstd, jpeg or png, not '%s'.", save_compression);
    return FALSE;
  }
  if (save_tile < 0 || save_tile % 16 || save_tile > LARGEST_TILE) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--tile must be a multiple of 16 up to %d, not %d.",
                 LARGEST_TILE, save_tile);
    return FALSE;
  }
  *options =
    (fovea_save_options){sizeof *options, (fovea_compression) method, (unsigned) save_tile, save_pyramid, save_rate};
  return TRUE;
}
