/* SPDX-License-Identifier: MIT
 */
#include "core/command/save_options.h"

#include "core/base/error.h"

#include <string.h>

enum { LARGEST_TILE = 8192 };

char *save_compression;
int save_tile;
gboolean save_pyramid;

gboolean
save_options (FilesTiffChoices *choices, GError **error)
{
  static const char *const methods[] = {"none", "deflate", "zstd"}; /* as FilesTiffCompression */
  guint method = 0;
  while (save_compression && method < G_N_ELEMENTS (methods) && strcmp (save_compression, methods[method]))
    method++;
  if (method == G_N_ELEMENTS (methods)) {
    step_error_set (error, FV_BAD_ARGUMENT, "compression", "--compression is none, deflate or zstd, not '%s'.",
                    save_compression);
    return FALSE;
  }
  if (save_tile < 0 || save_tile % 16 || save_tile > LARGEST_TILE) {
    step_error_set (error, FV_BAD_ARGUMENT, "tile", "--tile is a multiple of 16 up to %d, not %d.", LARGEST_TILE,
                    save_tile);
    return FALSE;
  }
  *choices = (FilesTiffChoices){(FilesTiffCompression) method, (guint) save_tile, save_pyramid};
  return TRUE;
}
