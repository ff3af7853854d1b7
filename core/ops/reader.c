/* SPDX-License-Identifier: MIT
 */
#include "core/ops/reader.h"

Reader *
reader_ref (Reader *reader)
{
  g_atomic_ref_count_inc (&reader->references);
  return reader;
}

void
reader_unref (gpointer data)
{
  Reader *reader = data;
  if (!g_atomic_ref_count_dec (&reader->references))
    return;
  g_strfreev (reader->endings);
  g_strfreev (reader->mime);
  g_free (reader);
}
