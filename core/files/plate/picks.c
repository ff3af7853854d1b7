/* SPDX-License-Identifier: MIT
 */
#include "core/files/plate/picks.h"

#include <string.h>

typedef struct {
  guint64 from, to, step;
} Range;

/* A position at *text, or the end of all n, behind which *text is then. */
static gboolean
read_position (const char **text, guint n, guint64 *position)
{
  char *end;
  if (g_str_has_prefix (*text, "end")) {
    *position = n;
    *text += strlen ("end");
    return TRUE;
  }
  if (!g_ascii_isdigit (**text))
    return FALSE;
  *position = g_ascii_strtoull (*text, &end, 10);
  *text = end;
  return *position > 0;
}

static gboolean
read_range (const char **text, guint n, Range *range)
{
  if (!read_position (text, n, &range->from))
    return FALSE;
  range->to = range->from;
  range->step = 1;
  if (**text == '-' && (++*text, !read_position (text, n, &range->to)))
    return FALSE;
  return **text != '-' || (++*text, g_ascii_isdigit (**text) && read_position (text, n, &range->step));
}

gboolean
plate_picks_read (const char *list, guint n, gboolean *taken, const char *path, const char *what, GError **error)
{
  memset (taken, 0, n * sizeof *taken);
  for (;; list++) {
    Range range;
    if (!read_range (&list, n, &range) || (*list && *list != ',') || range.to < range.from)
      return file_fail (error, FILE_ERROR_OPEN, path,
                        "has %s. A list of positions from 1 is expected, such as '1-20', '1-end-2' or '1,3,5'.", what);
    if (range.to > n)
      return file_fail (error, FILE_ERROR_OPEN, path, "has %s, and there are only %u.", what, n);
    for (guint64 i = range.from; i <= range.to; i += range.step)
      taken[i - 1] = TRUE;
    if (!*list)
      return TRUE;
  }
}
