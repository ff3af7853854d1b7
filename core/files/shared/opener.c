/* SPDX-License-Identifier: MIT
 */
#include "core/files/shared/opener.h"

static const FilesOpener *current; /* atomic */

void
files_opener_set (const FilesOpener *opener)
{
  g_atomic_pointer_set (&current, opener);
}

const FilesOpener *
files_opener (void)
{
  return g_atomic_pointer_get (&current);
}
