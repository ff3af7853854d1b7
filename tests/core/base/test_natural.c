/* SPDX-License-Identifier: MIT
 *
 * Natural order.
 */
#include "core/base/natural.h"
#include "tests/support/init.h"

#include <glib.h>

/* As a person would sort them. */
static const char *const sorted[] = {
  "",
  "1",
  "2",
  "9",
  "010",
  "10",
  "11",
  "100",
  "99999999999999999999999998",
  "99999999999999999999999999",
  "a",
  "a/b1",
  "a/b2",
  "a/b10",
  "a/b10/c",
  "a.tif",
  "a1.tif",
  "a01b.tif",
  "a1b.tif",
  "a1b2.tif",
  "a1b10.tif",
  "a02",
  "a2",
  "a2x",
  "a10",
  "b",
  "\xc3\xa9",
  "\xff",
};

static int
sign (int number)
{
  return (number > 0) - (number < 0);
}

static void
test_order (void)
{
  for (int i = 0; i < (int) G_N_ELEMENTS (sorted); i++)
    for (int j = 0; j < (int) G_N_ELEMENTS (sorted); j++)
      g_assert_cmpint (sign (natural_compare (sorted[i], sorted[j])), ==, sign (i - j));
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/natural/order", test_order);
  return g_test_run ();
}
