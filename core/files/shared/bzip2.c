/* SPDX-License-Identifier: MIT
 *
 * The call takes sizes of 32 bits.
 */
#include "core/files/shared/bzip2.h"

#include "core/base/fork.h"

#include <gmodule.h>

enum { RATIO = 1 << 21 /* bytes that one packed byte can make at most */ };

static int (*unpack) (char *to, unsigned *size, char *packed, unsigned n, int small, int verbosity);

static gboolean
load (void)
{
  GModule *library = g_module_open ("libbz2.so.1.0", G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL);
  return library && g_module_symbol (library, "BZ2_bzBuffToBuffDecompress", (gpointer *) &unpack);
}

gboolean
files_bzip2_can (void)
{
  static int state;
  return fork_once (&state, load);
}

gboolean
files_bzip2_can_be (guint64 packed, guint64 size)
{
  return size / RATIO <= packed;
}

gboolean
files_bzip2_unpack (const guint8 *packed, gsize n, guint8 *to, gsize size)
{
  unsigned made = (unsigned) size;
  return n <= G_MAXUINT && size <= G_MAXUINT && !unpack ((char *) to, &made, (char *) packed, (unsigned) n, 0, 0)
         && made == size;
}
