/* SPDX-License-Identifier: MIT
 *
 * Structs that a program makes begin with their size, which is that of the header that it was built with: members that the other side
 * does not know are 0.
 */
#include "library/private.h"

#include <string.h>

/* 0 with *error when it is none. */
static gsize
size_of (const void *made, const char *name, fovea_error **error)
{
  gsize size;
  if (!library_has (made, name, error))
    return 0;
  memcpy (&size, made, sizeof size);
  if (size > sizeof size)
    return size;
  library_fail_argument (error, name, "Its size is %zu, which does not match sizeof.", size);
  return 0;
}

gboolean
library_give (const void *from, gsize size, void *to, const char *name, fovea_error **error)
{
  gsize room = size_of (to, name, error);
  if (!room)
    return FALSE;
  memset (to, 0, room);
  memcpy (to, from, MIN (room, size));
  memcpy (to, &room, sizeof room);
  return TRUE;
}

gboolean
library_take (const void *from, void *to, gsize size, const char *name, fovea_error **error)
{
  gsize given = size_of (from, name, error);
  if (!given)
    return FALSE;
  memset (to, 0, size);
  memcpy (to, from, MIN (given, size));
  return TRUE;
}
