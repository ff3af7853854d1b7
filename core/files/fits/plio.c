/* SPDX-License-Identifier: MIT
 *
 * D. Tody, section 10.4.3 of the FITS standard 4.0. A list is of 16-bit words: a head, which says where instructions begin and where they
 * end, then these, of 4 bits, with a number of 12 bits each. They raise and lower a value, and append runs of 0 and of it. What
 * is not said is 0.
 */
#include "core/files/fits/plio.h"

#include <string.h>

enum { ZEROS, SET, RAISE, LOWER, RUN, ZEROS_AND_ONE, RAISE_AND_ONE, LOWER_AND_ONE };
enum { VERSION = 2, LENGTH = 3, OLD_LENGTH = 2, OLD_HEAD = 3, HEAD_SIZE = 1, MIN_HEAD = 5 };

typedef struct {
  const guint8 *from;
  gsize words, n;
  gint32 *to;
  gsize done; /* of n */
  gint64 value;
} List;

static guint
word (const List *l, gsize i)
{
  return (guint) l->from[2 * i] << 8 | l->from[2 * i + 1];
}

/* Where instructions are. */
static gboolean
read_head (const List *l, gsize *first, gsize *end)
{
  if (l->words < OLD_HEAD)
    return FALSE;
  *first = OLD_HEAD;
  *end = word (l, OLD_LENGTH);
  if ((gint16) word (l, VERSION) <= 0) {
    if (l->words < MIN_HEAD)
      return FALSE;
    *first = word (l, HEAD_SIZE);
    *end = word (l, LENGTH) + ((gsize) word (l, LENGTH + 1) << 15);
  }
  return *first >= OLD_HEAD && *end <= l->words;
}

/* What was not written is 0 already. */
static gboolean
append (List *l, gsize zeros, gsize values)
{
  if (zeros + values > l->n - l->done)
    return FALSE;
  l->done += zeros;
  for (gsize i = 0; i < values; i++)
    l->to[l->done++] = (gint32) l->value;
  return TRUE;
}

/* The instruction *at, which moves to the next one. */
static gboolean
obey (List *l, gsize *at, gsize end)
{
  guint instruction = word (l, *at) >> 12, number = word (l, *at) & 0xfff;
  ++*at;
  switch (instruction) {
  case ZEROS: return append (l, number, 0);
  case RUN: return append (l, 0, number);
  case ZEROS_AND_ONE: return number > 0 && append (l, number - 1, 1);
  case SET:
    if (*at == end)
      return FALSE;
    l->value = (gint64) word (l, (*at)++) << 12 | number;
    return TRUE;
  case RAISE:
  case RAISE_AND_ONE: l->value += number; break;
  case LOWER:
  case LOWER_AND_ONE: l->value -= number; break;
  default: return FALSE;
  }
  if (l->value < 0 || l->value > G_MAXINT32)
    return FALSE;
  return instruction < RAISE_AND_ONE || append (l, 0, 1);
}

gboolean
files_fits_plio (const guint8 *from, gsize size, gsize n, gint32 *to)
{
  List list = {.from = from, .words = size / 2, .n = n, .to = to, .value = 1};
  gsize at, end;
  memset (to, 0, n * sizeof *to);
  if (!read_head (&list, &at, &end))
    return FALSE;
  while (at < end)
    if (!obey (&list, &at, end))
      return FALSE;
  return TRUE;
}
