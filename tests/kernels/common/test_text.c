/* SPDX-License-Identifier: MIT
 *
 * Text that operations read and write: it ends where its memory does, and numbers are those of C in any locale.
 */
#include "kernels/common/text.h"
#include "tests/support/init.h"

#include <glib.h>
#include <locale.h>

static void
test_room (void)
{
  char memory[8];
  memset (memory, '#', sizeof memory);
  text s = {memory, 0, 6};
  text_add (&s, "%s", "abc");
  g_assert_cmpint (s.used, ==, 3);
  g_assert_cmpstr (memory, ==, "abc");
  text_add (&s, "%d", 4567);
  g_assert_cmpint (s.used, >=, s.size);
  text_add (&s, "%s", "89");
  g_assert_cmpmem (memory, sizeof memory, "abc45\0##", sizeof memory);
}

static void
test_numbers (void)
{
  static const struct {
    const char *text;
    double number;
  } numbers[] = {{"0.5", 0.5}, {"-1e3", -1000}, {".25", 0.25}, {"7", 7}, {"inf", INFINITY}};
  static const char *const none[] = {"", "-", "1,5", "1.5 ", "2x", "p"};
  double number;
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++) {
    g_assert_true (number_read (numbers[i].text, &number));
    g_assert_cmpfloat (number, ==, numbers[i].number);
  }
  for (gsize i = 0; i < G_N_ELEMENTS (none); i++)
    g_assert_false (number_read (none[i], &number));
}

static void
test_locale (void)
{
  static const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", NULL};
  int i = 0;
  while (locales[i] && !setlocale (LC_NUMERIC, locales[i]))
    i++;
  if (!locales[i]) {
    g_test_skip ("no German locale");
    return;
  }
  test_numbers ();
  setlocale (LC_NUMERIC, "C");
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/text/room", test_room);
  g_test_add_func ("/text/numbers", test_numbers);
  g_test_add_func ("/text/locale", test_locale);
  return g_test_run ();
}
