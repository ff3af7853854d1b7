/* SPDX-License-Identifier: MIT
 *
 * Files of look-up tables. What ImageJ 1.53t's run("LUT... ") makes of the same bytes is compared with: raw tables and text as they are, and
 * of the 250 colors below these.
 */
#include "core/view/lut_stops.h"
#include "core/view/luts.h"
#include "tests/support/support.h"

#include <glib/gstdio.h>
#include <string.h>

static const char header[32] = {'I', 'C', 'O', 'L', 0, 4};

/* Color i of channel c. */
static guint8
color (int i, int c)
{
  return (guint8) (i * (7 + 4 * c) + 11 * c);
}

static GByteArray *
make_raw (int n, gboolean with_header)
{
  GByteArray *bytes = g_byte_array_new ();
  if (with_header) {
    g_byte_array_append (bytes, (const guint8 *) header, sizeof header);
    bytes->data[6] = (guint8) (n >> 8);
    bytes->data[7] = (guint8) n;
  }
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < n; i++) {
      const guint8 value = color (i, c);
      g_byte_array_append (bytes, &value, 1);
    }
  return bytes;
}

static char *
make_text (const char *first, const char *separator, gboolean index)
{
  GString *text = g_string_new (first);
  for (int i = 0; i < 256; i++) {
    if (index)
      g_string_append_printf (text, "%d%s", i, separator);
    g_string_append_printf (text, "%d%s%d%s%d\r\n", color (i, 0), separator, color (i, 1), separator, color (i, 2));
  }
  return g_string_free (text, FALSE);
}

static void
check (const char *bytes, gsize n)
{
  Lut lut;
  g_autoptr (GError) error = NULL;
  g_assert_true (lut_parse ("a.lut", bytes, n, &lut, &error));
  g_assert_no_error (error);
  for (int i = 0; i < 256; i++)
    for (int c = 0; c < 3; c++)
      g_assert_cmpuint (lut.rgb[i][c], ==, color (i, c));
}

static void
test_forms (void)
{
  static const char *const firsts[] = {"", "Index\tRed\tGreen\tBlue\n", "\n\n"}, *const separators[] = {"\t", " ",
                                                                                                        ", "};
  g_autoptr (GByteArray) raw = make_raw (256, FALSE), nih = make_raw (256, TRUE);
  check ((const char *) raw->data, raw->len);
  check ((const char *) nih->data, nih->len);
  for (guint i = 0; i < G_N_ELEMENTS (firsts); i++)
    for (guint k = 0; k < G_N_ELEMENTS (separators); k++)
      for (int index = 0; index < 2; index++) {
        g_autofree char *text = make_text (firsts[i], separators[k], index);
        check (text, strlen (text));
      }
}

/* As Matplotlib's and R's colors are written. */
static void
test_fractions (void)
{
  g_autoptr (GString) text = g_string_new ("r,g,b\n");
  for (int i = 0; i < 256; i++)
    for (int c = 0; c < 3; c++) {
      char number[G_ASCII_DTOSTR_BUF_SIZE];
      g_string_append_printf (text, "%s%c", g_ascii_formatd (number, sizeof number, "%.6f", color (i, c) / 255.0),
                              c < 2 ? ',' : '\n');
    }
  check (text->str, text->len);
}

/* Every so many colors of 250, as ImageJ mixes them. */
static void
test_fewer (void)
{
  static const guint8 imagej[][4] = {{0, 0, 11, 22},       {1, 6, 21, 36},       {2, 13, 32, 51},
                                     {37, 218, 152, 51},   {64, 181, 186, 191},  {100, 171, 61, 206},
                                     {128, 107, 106, 105}, {129, 113, 116, 119}, {200, 87, 111, 135},
                                     {254, 200, 179, 158}, {255, 207, 190, 173}};
  g_autoptr (GByteArray) nih = make_raw (250, TRUE);
  Lut lut;
  g_assert_true (lut_parse ("a.lut", (const char *) nih->data, nih->len, &lut, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (imagej); i++)
    g_assert_cmpmem (lut.rgb[imagej[i][0]], 3, &imagej[i][1], 3);
}

static void
wrong (const char *bytes, gsize n, const char *says)
{
  Lut lut;
  g_autoptr (GError) error = NULL;
  g_assert_false (lut_parse ("bad.lut", bytes, n, &lut, &error));
  if (!strstr (error->message, says) || !strstr (error->message, "bad.lut"))
    g_error ("'%s' does not say '%s'", error->message, says);
}

static void
test_wrong (void)
{
  g_autoptr (GByteArray) raw = make_raw (256, FALSE), nih = make_raw (256, TRUE);
  g_autofree char *text = make_text ("", " ", FALSE), *twice = make_text (text, " ", FALSE),
                  *names = make_text ("a b c\nd e f\n", " ", FALSE), *high = make_text ("256 0 0\n", " ", FALSE),
                  *not_number = make_text ("0 0 nan\n", " ", FALSE), *five = make_text ("1 2 3 4 5\n", " ", FALSE);
  wrong ("", 0, "0 lines");
  wrong ((const char *) raw->data, 767, "767 bytes");
  wrong ((const char *) nih->data, 799, "800 bytes, not 799");
  nih->data[6] = 2;
  wrong ((const char *) nih->data, nih->len, "512 colors");
  nih->data[6] = nih->data[7] = 0;
  wrong ((const char *) nih->data, nih->len, "0 colors");
  wrong (text, strlen (text) - 12, "lines of colors, not 256");
  wrong (twice, strlen (twice), "more than 256");
  wrong (names, strlen (names), "line 2");
  wrong (high, strlen (high), "line 1 has 256");
  wrong (not_number, strlen (not_number), "line 1");
  wrong (five, strlen (five), "line 1");
}

/* What is kept lies in the folder of settings, and reads back. */
static void
test_kept (void)
{
  g_autofree char *folder = luts_folder (), *path = g_build_filename (folder, "Red_Hot.lut", NULL),
                  *name = luts_name ("/x/Red Hot.lut"), *shipped = luts_name ("fire.lut"), *again = NULL;
  g_autoptr (GByteArray) raw = make_raw (256, FALSE);
  g_autoptr (GError) error = NULL;
  const guint before = luts_serial ();
  Lut lut, back;
  g_assert_cmpstr (name, ==, "Red_Hot");
  g_assert_cmpstr (shipped, ==, "my_fire");
  g_assert_false (luts_known (name));
  g_assert_true (luts_known ("fire") && luts_known (""));
  g_assert_true (lut_parse ("a", (const char *) raw->data, raw->len, &lut, NULL));
  g_assert_true (luts_keep (name, &lut, &error));
  g_assert_cmpuint (luts_serial (), >, before);
  g_assert_true (luts_find (name, &back));
  g_assert_cmpmem (&back, sizeof back, &lut, sizeof lut);
  g_auto (GStrv) others = luts_others ();
  g_assert_cmpstr (others[0], ==, "Red_Hot");
  g_assert_null (others[1]);
  again = luts_open (path, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (again, ==, name);
  g_assert_null (luts_open ("/nowhere/a.lut", &error));
  g_assert_nonnull (strstr (error->message, "/nowhere/a.lut"));
}

/* Few stops make a table again, to 1; and what is drawn is what arithmetic says. */
static void
test_stops (void)
{
  g_autoptr (GByteArray) raw = make_raw (256, FALSE);
  LutStop bent[] = {{.at = 10, .rgb = {0, 100, 255}}, {.at = 20, .rgb = {100, 100, 55}}};
  Lut lut, back;
  lut_of_stops (bent, 2, 256, &lut);
  for (int c = 0; c < 3; c++) {
    g_assert_cmpuint (lut.rgb[0][c], ==, bent[0].rgb[c]);
    g_assert_cmpuint (lut.rgb[255][c], ==, bent[1].rgb[c]);
  }
  g_assert_cmpmem (lut.rgb[13], 3, ((const guint8[]){30, 100, 195}), 3);
  g_autoptr (GArray) few = lut_stops_of (&lut);
  g_assert_cmpuint (few->len, ==, 4); /* and both ends */
  lut_of_stops (&g_array_index (few, LutStop, 0), few->len, 256, &back);
  g_assert_cmpmem (&back, sizeof back, &lut, sizeof lut);
  g_assert_true (lut_parse ("a", (const char *) raw->data, raw->len, &lut, NULL));
  g_autoptr (GArray) many = lut_stops_of (&lut);
  lut_stops_reverse (many);
  lut_stops_invert (many);
  lut_of_stops (&g_array_index (many, LutStop, 0), many->len, 256, &back);
  for (int i = 0; i < 256; i++)
    for (int c = 0; c < 3; c++)
      g_assert_cmpint (abs (255 - color (255 - i, c) - back.rgb[i][c]), <=, 1);
  lut_of_stops (bent, 1, 2, &back);
  g_assert_cmpmem (back.rgb[200], 3, bent[0].rgb, 3);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("fovea-luts-XXXXXX", NULL);
  g_setenv ("XDG_CONFIG_HOME", folder, TRUE);
  init_tests (&argc, &argv);
  g_test_add_func ("/luts/forms", test_forms);
  g_test_add_func ("/luts/fractions", test_fractions);
  g_test_add_func ("/luts/fewer", test_fewer);
  g_test_add_func ("/luts/wrong", test_wrong);
  g_test_add_func ("/luts/kept", test_kept);
  g_test_add_func ("/luts/stops", test_stops);
  return g_test_run ();
}
