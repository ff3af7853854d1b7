/* SPDX-License-Identifier: MIT
 *
 * The message when CUDA_VISIBLE_DEVICES hides all GPUs.
 */
#include "plugin/visible.h"
#include "tests/support/init.h"

#include <glib.h>
#include <string.h>

static void
test_explain (void)
{
  static const struct {
    const char *value, *says;
  } cases[] = {{"0,0", "names 0 twice"},
               {"1, 0 ,1", "names 1 twice"},
               {"GPU-8a,0,gpu-8A", "names GPU-8a twice"},
               {"", "is '', which hides every GPU"},
               {"-1", "is '-1', which hides every GPU"},
               {"7", "hides every GPU: unset it"},
               {"1,10", "hides every GPU"},
               {",,", "hides every GPU"},
               {"abc", "is 'abc', which hides every GPU"}};
  char text[400];
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_assert_true (visible_explain (cases[i].value, text, sizeof text));
    if (!strstr (text, cases[i].says) || !strstr (text, "such as 0 or 0,1."))
      g_error ("of '%s' it says: %s", cases[i].value, text);
  }
  g_assert_false (visible_explain (NULL, text, sizeof text));
}

/* A message of any length ends within the buffer. */
static void
test_long (void)
{
  g_autofree char *value = g_strnfill (5000, '3');
  char text[64];
  g_assert_true (visible_explain (value, text, sizeof text));
  g_assert_cmpuint (strlen (text), <, sizeof text);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/visible/explain", test_explain);
  g_test_add_func ("/visible/long", test_long);
  return g_test_run ();
}
