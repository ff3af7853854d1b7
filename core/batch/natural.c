/* SPDX-License-Identifier: MIT
 *
 * Runs of digits are numbers of any length; names that differ only in zeros before them are in the order of their bytes.
 */
#include "core/batch/natural.h"

#include <glib.h>
#include <string.h>

/* Moves behind the digits at *at, of which the first that is not 0 is at *first; how many there are from it on. */
static gsize
take_number (const char **at, const char **first)
{
  while (**at == '0')
    (*at)++;
  *first = *at;
  while (g_ascii_isdigit (**at))
    (*at)++;
  return (gsize) (*at - *first);
}

static int
compare_numbers (const char **a, const char **b)
{
  const char *in_a, *in_b;
  gsize digits_a = take_number (a, &in_a), digits_b = take_number (b, &in_b);
  if (digits_a != digits_b)
    return digits_a < digits_b ? -1 : 1;
  return memcmp (in_a, in_b, digits_a);
}

/* A folder's name ends before any other character. */
static int
rank (char c)
{
  return c == '/' ? 1 : c ? (guint8) c + 1 : 0;
}

int
natural_compare (const char *a, const char *b)
{
  const char *all_a = a, *all_b = b;
  while (*a && *b) {
    int order = 0;
    if (g_ascii_isdigit (*a) && g_ascii_isdigit (*b))
      order = compare_numbers (&a, &b);
    else
      order = rank (*a++) - rank (*b++);
    if (order)
      return order;
  }
  if (*a || *b)
    return rank (*a) - rank (*b);
  return strcmp (all_a, all_b);
}
