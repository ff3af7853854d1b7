/* SPDX-License-Identifier: MIT
 *
 * What the tests of selections share.
 */
#ifndef TESTS_CORE_SELECTION_SELECTION_SUPPORT_H
#define TESTS_CORE_SELECTION_SELECTION_SUPPORT_H

#include "core/selection/selection.h"

/* From its text, which must be right. */
static inline Selection *
selection_of (const char *text)
{
  g_autoptr (GError) error = NULL;
  Selection *selection = selection_parse (text, &error);
  g_assert_no_error (error);
  return selection;
}

static inline void
assert_same_points (const Selection *a, const Selection *b)
{
  g_assert_cmpint (a->shape, ==, b->shape);
  g_assert_cmpmem (a->points, a->n_points * sizeof *a->points, b->points, b->n_points * sizeof *b->points);
}

#endif
