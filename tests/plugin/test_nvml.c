/* SPDX-License-Identifier: MIT
 *
 * What is asked of the driver's management library; tests/fake_driver has one.
 */
#include "plugin/nvml.h"
#include "tests/support/init.h"

#include <glib.h>

static void
test_memory (void)
{
  gint64 available = 0, all = 0;
  for (int i = 0; i < 2; i++) {
    g_assert_true (nvml_memory ("0000:3b:00.0", &available, &all));
    g_assert_cmpint (available, ==, 20);
    g_assert_cmpint (all, ==, 1000);
    g_assert_false (nvml_memory ("0000:00:00.0", &available, &all));
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/nvml/memory", test_memory);
  return g_test_run ();
}
