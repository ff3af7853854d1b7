/* SPDX-License-Identifier: MIT
 *
 * Numbers, durations, words and pieces.
 */
#include "core/base/text.h"
#include "tests/support/init.h"

#include <math.h>
#include <string.h>

static void
test_numbers (void)
{
  static const double numbers[] = {0, -1, 5, 0.1, 1.0 / 3, 1e300, 5e-324, 123456789.125, -2.5e-7};
  double back;
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    g_autofree char *text = text_from_number (numbers[i]);
    g_assert_true (text_to_number (text, &back));
    g_assert_cmpfloat (back, ==, numbers[i]);
  }
  g_assert_false (text_to_number ("", &back));
  g_assert_false (text_to_number ("1,5", &back));
  g_assert_false (text_to_number ("inf", &back));
  g_assert_false (text_to_number ("5 px", &back));
  g_assert_true (text_to_number (" 2.50 ", &back));
}

/* The fewest of 15, 16 and 17 digits with which the C library reads the number back. */
static void
assert_as_printf (double number)
{
  char expected[64];
  g_autofree char *text = text_from_number (number);
  for (int digits = 15; digits <= 17; digits++) {
    g_snprintf (expected, sizeof expected, "%.*g", digits, number);
    if (g_ascii_strtod (expected, NULL) == number)
      break;
  }
  g_assert_cmpstr (text, ==, expected);
}

/* Of every kind: from measurements, with few digits, at both sides of powers of ten and of halves, any bits. */
static void
test_numbers_as_printf (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  for (int i = 0; i < 300000; i++) {
    const double size = pow (10, g_rand_double_range (random, -6, 18)), few = floor (size) / pow (10, i % 8);
    const guint64 bits = (guint64) g_rand_int (random) << 32 | g_rand_int (random);
    double any;
    memcpy (&any, &bits, sizeof any);
    assert_as_printf (size);
    assert_as_printf (-few);
    assert_as_printf (nextafter (few, i % 2 ? 1e300 : -1e300));
    assert_as_printf (i / 64.0);
    if (isfinite (any))
      assert_as_printf (any);
  }
  for (int i = -20; i < 20; i++)
    for (int k = -3; k <= 3; k++)
      assert_as_printf (pow (10, i) * (1 + k * 0x1p-52));
}

static void
test_integers (void)
{
  static const gint64 integers[] = {0, 1, -1, 9, 10, 99, 100, -1000, 4294967296, G_MAXINT64, G_MININT64};
  for (guint i = 0; i < G_N_ELEMENTS (integers); i++) {
    g_autofree char *expected = g_strdup_printf ("before%" G_GINT64_FORMAT, integers[i]);
    g_autoptr (GString) text = g_string_new ("before");
    text_add_integer (text, integers[i]);
    g_assert_cmpstr (text->str, ==, expected);
  }
}

static void
test_durations (void)
{
  static const struct {
    double ms;
    const char *text;
  } expected[] = {{0, "0.0 ms"}, {0.26, "0.3 ms"},  {9.94, "9.9 ms"}, {9.96, "10 ms"},
                  {42, "42 ms"}, {999.4, "999 ms"}, {999.6, "1.0 s"}, {61240, "61.2 s"}};
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    g_autofree char *text = text_from_ms (expected[i].ms);
    g_assert_cmpstr (text, ==, expected[i].text);
  }
}

static void
test_counts (void)
{
  g_autofree char *none = text_count (0, "images"), *one = text_count (1, "images"), *two = text_count (2, "images");
  g_assert_cmpstr (none, ==, "0 images");
  g_assert_cmpstr (one, ==, "1 image");
  g_assert_cmpstr (two, ==, "2 images");
}

static void
check_list (char **found, const char *const *expected)
{
  g_assert_nonnull (found);
  g_assert_true (g_strv_equal ((const char *const *) found, expected));
  g_strfreev (found);
}

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

static void
test_words (void)
{
  g_autoptr (GError) error = NULL;
  check_list (text_words ("  a=1 b=\"x y\" c='|' d=\"say \\\"hi\\\"\"", NULL),
              LIST ("a=1", "b=x y", "c=|", "d=say \"hi\""));
  check_list (text_words ("'a b' c", NULL), LIST ("a b", "c"));
  check_list (text_words ("\\'a b' c", NULL), LIST ("\\a b", "c"));
  g_assert_null (text_words ("a='open", &error));
  g_assert_nonnull (strstr (error->message, "Unclosed quotation mark"));
}

/* Pieces keep their quotes; an empty one is a piece. */
static void
test_pieces (void)
{
  g_autoptr (GError) error = NULL;
  check_list (text_split ("a|b='|'|c", '|', NULL), LIST ("a", "b='|'", "c"));
  check_list (text_split ("|a||", '|', NULL), LIST ("", "a", "", ""));
  check_list (text_split ("", '|', NULL), LIST (""));
  check_list (text_split ("'a|b'|\"\\\"|\"", '|', NULL), LIST ("'a|b'", "\"\\\"|\""));
  g_assert_null (text_split ("\"a|b", '|', &error));
  g_assert_nonnull (strstr (error->message, "Unclosed quotation mark"));
}

/* What was quoted is one word again. */
static void
test_quotes (void)
{
  static const char *const words[] = {"", "a", "a b", " ", "|", "\"", "'", "\\", "say \"hi\" \\ 'x'", "µ\tm"};
  for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
    g_autofree char *quoted = text_quote (words[i]);
    check_list (text_words (quoted, NULL), LIST (words[i]));
    check_list (text_split (quoted, '|', NULL), LIST (quoted));
  }
}

/* One edit off: a letter more, less, another, two swapped; three off a short word is another word. */
static void
test_nearest (void)
{
  static const char *const list[] = {"gaussian", "otsu", "label", NULL};
  static const char *const cases[][2] = {{"gausian", "gaussian"}, {"gaussiann", "gaussian"},
                                         {"lebel", "label"},      {"ostu", "otsu"},
                                         {"toad", NULL},          {"regionprops", NULL}};
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *nearest = text_nearest (cases[i][0], list);
    g_assert_cmpstr (nearest, ==, cases[i][1]);
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/text/numbers", test_numbers);
  g_test_add_func ("/text/integers", test_integers);
  g_test_add_func ("/text/numbers/as-printf", test_numbers_as_printf);
  g_test_add_func ("/text/durations", test_durations);
  g_test_add_func ("/text/counts", test_counts);
  g_test_add_func ("/text/words", test_words);
  g_test_add_func ("/text/pieces", test_pieces);
  g_test_add_func ("/text/quotes", test_quotes);
  g_test_add_func ("/text/nearest", test_nearest);
  return g_test_run ();
}
