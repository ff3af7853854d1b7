/* SPDX-License-Identifier: MIT
 *
 * The page of each operation is markup, and lists each choice once.
 */
#include "core/ops/reference.h"
#include "tests/support/support.h"

#include <string.h>

static guint
count (const char *text, const char *part)
{
  guint n = 0;
  for (const char *at = text; (at = strstr (at, part)); at += strlen (part))
    n++;
  return n;
}

static void
test_markup (void)
{
  const GPtrArray *ops = modules_ops (test_modules ());
  static const GMarkupParser parser = {NULL};
  for (guint i = 0; i < ops->len; i++) {
    const Op *op = ops->pdata[i];
    g_autofree char *page = reference_markup (op), *whole = g_strdup_printf ("<page>%s</page>", page);
    g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, NULL, NULL);
    g_autoptr (GError) error = NULL;
    guint choices = 0;
    g_markup_parse_context_parse (context, whole, -1, &error);
    g_assert_no_error (error);
    for (guint k = 0; k < op->n_params; k++)
      for (const fv_choice *c = op->fv.params[k].choices; c && c->key; c++, choices++) {
        g_autofree char *line = g_strdup_printf ("• <tt>%s</tt>  ", c->key);
        g_assert_cmpuint (count (page, line), >=, 1);
      }
    g_assert_cmpuint (count (page, "• <tt>"), ==, choices);
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/reference/markup", test_markup);
  return g_test_run ();
}
