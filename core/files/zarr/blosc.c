/* SPDX-License-Identifier: MIT
 *
 * blosc_cbuffer_validate() makes it safe to unpack bytes that may lie (blosc.h of c-blosc 1.21).
 */
#include "core/files/zarr/blosc.h"

#include "core/base/fork.h"

#include <gmodule.h>

static struct {
  int (*validate) (const void *packed, size_t n, size_t *bytes);
  int (*unpack) (const void *packed, void *to, size_t size, int threads);
} calls;

static gboolean
load (void)
{
  GModule *library = g_module_open ("libblosc.so.1", G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL);
  return library && g_module_symbol (library, "blosc_cbuffer_validate", (gpointer *) &calls.validate)
         && g_module_symbol (library, "blosc_decompress_ctx", (gpointer *) &calls.unpack);
}

gboolean
zarr_blosc_can (void)
{
  static int state;
  return fork_once (&state, load);
}

gsize
zarr_blosc_size (const guint8 *packed, gsize n)
{
  gsize size = 0;
  return calls.validate (packed, n, &size) < 0 ? 0 : size;
}

gboolean
zarr_blosc_unpack (const guint8 *packed, guint8 *to, gsize size)
{
  return calls.unpack (packed, to, size, 1) == (int) size;
}
