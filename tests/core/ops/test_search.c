/* SPDX-License-Identifier: MIT
 *
 * What people call an operation finds it.
 */
#include "core/ops/search.h"
#include "tests/support/support.h"

#include <string.h>

static void
test_rank (void)
{
  const fv_op op = {.key = "gaussian",
                    .menu = "Process/Filters",
                    .label = "Gaussian Blur...",
                    .search = "smooth denoise",
                    .help = "Blurs each plane; Δ is not heeded."};
  const struct {
    const char *wanted;
    SearchRank rank;
  } cases[] = {
    {"gaussian", SEARCH_KEY},        {" Gaussian ", SEARCH_KEY},
    {"BLUR", SEARCH_LABEL},          {"Gaussian Blur...", SEARCH_LABEL},
    {"denoise", SEARCH_WORDS},       {"plane smooth", SEARCH_TEXT},
    {"filters", SEARCH_TEXT},        {"δ", SEARCH_TEXT},
    {"median", SEARCH_NOWHERE},      {"gaussian_blur", SEARCH_LABEL},
    {"blur median", SEARCH_NOWHERE}, {"", SEARCH_TEXT},
    {"\xff", SEARCH_TEXT},
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (search_op_rank (&op, cases[i].wanted), ==, cases[i].rank);
}

static void
test_suggestion (void)
{
  const GPtrArray *ops = modules_ops (test_modules ());
  g_autofree char *blur = search_suggestion (ops, "blur", 1), *none = search_suggestion (ops, "xyzzy", 5),
                  *denoise = search_suggestion (ops, "denoise", 2);
  g_assert_cmpstr (blur, ==, "'gaussian'");
  g_assert_null (none);
  g_assert_cmpstr (denoise, ==, "'anisotropic' or 'bilateral'");
}

/* What the word finds, at most five; else the nearest key. */
static void
test_unknown (void)
{
  const struct {
    const char *key, *says;
  } cases[] = {{"gausian", "Did you mean 'gaussian'?"},
               {"ots", "Did you mean 'otsu'?"},
               {"denoise", "Did you mean 'anisotropic', 'bilateral', 'gaussian', 'mean' or 'median'?"},
               {"xyzzy", "'fovea ops'"}};
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (modules_op (test_modules (), cases[i].key, &error));
    g_assert_nonnull (strstr (error->message, cases[i].says));
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/search/rank", test_rank);
  g_test_add_func ("/search/suggestion", test_suggestion);
  g_test_add_func ("/search/unknown", test_unknown);
  return g_test_run ();
}
