/* SPDX-License-Identifier: MIT
 */
#include "command/save_options.h"

#include <string.h>

enum { LARGEST_TILE = 8192 };

char *save_compression, *save_zarr;
int save_tile, save_level, save_sharding;
gboolean save_pyramid, save_no_pyramid;
double save_rate;
const char *const save_methods[] = {"none", "deflate", "zstd", "jpeg", "png", NULL}; /* as fovea_compression */
const char *const save_versions[] = {"0.5", "0.4", NULL};

/* What fovea_save_options has no members for. */
static const char *
other_options (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  if (!g_strcmp0 (save_compression, save_methods[0])) /* which is not what is usual for OME-Zarr */
    g_string_append (text, "compression=none ");
  if (save_no_pyramid)
    g_string_append (text, "pyramid=no ");
  if (save_zarr)
    g_string_append_printf (text, "zarr=%s ", save_zarr);
  if (save_level)
    g_string_append_printf (text, "level=%d ", save_level);
  if (save_sharding)
    g_string_append_printf (text, "sharding=%d ", save_sharding);
  return g_intern_string (text->str);
}

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
  *options = (fovea_save_options){
    sizeof *options, (fovea_compression) method, (unsigned) save_tile, save_pyramid, save_rate, other_options (),
  };
  return TRUE;
}
