/* SPDX-License-Identifier: MIT
 *
 * The call takes sizes of 31 bits.
 */
#include "core/files/shared/lz4.h"

#include "core/base/fork.h"

#include <gmodule.h>

static int (*unpack) (const char *packed, char *to, int n, int size);

static gboolean
load (void)
{
  GModule *library = g_module_open ("liblz4.so.1", G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL);
  return library && g_module_symbol (library, "LZ4_decompress_safe", (gpointer *) &unpack);
}

gboolean
files_lz4_can (void)
{
  static int state;
  return fork_once (&state, load);
}

gboolean
files_lz4_unpack (const guint8 *packed, gsize n, guint8 *to, gsize size)
{
  return n <= G_MAXINT && size <= G_MAXINT
         && unpack ((const char *) packed, (char *) to, (int) n, (int) size) == (int) size;
}
