/* SPDX-License-Identifier: MIT
 *
 * Disjoint sets of the integers 0 ... n-1 as a forest in one array: link[i] <= i is in the set of i, and a root, which
 * links to itself, is the smallest of its set. So the result does not depend on the order of the unions, and visiting
 * the elements upwards meets each set at its root first. Paths are halved: R. E. Tarjan, J. van Leeuwen, J. ACM 31
 * (1984) 245.
 */
#ifndef KERNELS_COMMON_UNION_FIND_H
#define KERNELS_COMMON_UNION_FIND_H

#include "kernels/common/common.h"

/* The root of i; halves the path to it. */
INLINE int32_t
forest_root (int32_t *link, int32_t i)
{
  int32_t up = link[i];
  while (up != i) {
    int32_t next = link[up];
    link[i] = next;
    i = next;
    up = link[i];
  }
  return i;
}

/* Makes one set of the sets of a and b. Most unions in an image are of elements with one parent, or of a new element
 * b: the first test and the last line are for these. */
INLINE void
forest_unite (int32_t *link, int32_t a, int32_t b)
{
  int32_t p = link[a], q = link[b];
  if (p == q)
    return;
  p = forest_root (link, p);
  q = forest_root (link, q);
  int32_t root = p < q ? p : q;
  link[p < q ? q : p] = root;
  link[b] = root;
}

/* Makes every element from `from` to `to` - 1 link to its root. No set may reach below `from`. */
static inline void
forest_flatten (int32_t *link, int32_t from, int32_t to)
{
  for (int32_t i = from; i < to; i++)
    link[i] = link[link[i]];
}

#endif
