/* SPDX-License-Identifier: MIT
 */
#include "core/view/lut_file.h"

#include "core/base/file_read.h"
#include "core/base/file_target.h"
#include "core/base/text.h"

#include <string.h>

enum {
  COLORS = 256,
  RAW = 3 * COLORS,
  RAW_AND_MORE = 970 /* of which ImageJ takes no more */,
  NIH_HEADER = 32,
  MAX_BYTES = 1 << 16,
  MAX_COLUMNS = 4
};

/* ---- Bytes ---- */

static void
take_planes (const guint8 *bytes, int n, guint8 (*colors)[3])
{
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 3; c++)
      colors[i][c] = bytes[c * n + i];
}

/* Color i lies at i * n / 256 of the n, cut to whole numbers, as in ImageJ. */
static void
stretch (guint8 (*colors)[3], int n, Lut *lut)
{
  for (int i = 0; i < COLORS; i++) {
    const int at = i * n / COLORS, next = MIN (at + 1, n - 1), rest = i * n % COLORS;
    for (int c = 0; c < 3; c++)
      lut->rgb[i][c] = (guint8) ((colors[at][c] * (COLORS - rest) + colors[next][c] * rest) / COLORS);
  }
}

static gboolean
parse_nih (const char *path, const guint8 *bytes, gsize n, Lut *lut, GError **error)
{
  const int colors = bytes[6] << 8 | bytes[7];
  guint8 given[COLORS][3];
  if (colors < 1 || colors > COLORS)
    return file_fail (error, FILE_ERROR_DAMAGED, path,
                      "is not a look-up table: its header says %d colors, not 1 to 256.", colors);
  if (n < NIH_HEADER + 3 * (gsize) colors)
    return file_fail (error, FILE_ERROR_DAMAGED, path,
                      "is cut short: a look-up table of %d colors has %d bytes, not %zu.", colors,
                      NIH_HEADER + 3 * colors, n);
  take_planes (bytes + NIH_HEADER, colors, given);
  stretch (given, colors, lut);
  return TRUE;
}

/* ---- Text ---- */

/* How many words of a line are numbers, all of them or none: -1 where only some are, or there are more than MAX_COLUMNS. */
static int
read_line (const char *line, double *numbers)
{
  g_auto (GStrv) words = g_strsplit_set (line, " \t,;\r", -1);
  int n = 0, others = 0;
  for (char **word = words; *word; word++) {
    if (!**word)
      continue;
    if (n == MAX_COLUMNS)
      return -1;
    if (text_to_number (*word, &numbers[n]))
      n++;
    else
      others++;
  }
  return n && others ? -1 : n;
}

static gboolean
take_line (const char *path, guint at, const double *numbers, int n, double *rgb, GError **error)
{
  if (n < 3)
    return file_fail (error, FILE_ERROR_FORMAT, path,
                      "is not a look-up table: line %u must have red, green and blue, with or without a number "
                      "before them.",
                      at);
  for (int c = 0; c < 3; c++) {
    const double value = numbers[n - 3 + c];
    if (!(value >= 0 && value < COLORS))
      return file_fail (error, FILE_ERROR_FORMAT, path, "is not a look-up table: line %u has %g, not 0 to 255.", at,
                        value);
    rgb[c] = value;
  }
  return TRUE;
}

/* Of 0 to 255, cut to whole numbers as in ImageJ, or of 0 to 1 where none is larger, as Matplotlib and R have colors. */
static void
take_colors (double (*colors)[3], Lut *lut)
{
  gboolean fractions = TRUE;
  for (int i = 0; i < COLORS; i++)
    for (int c = 0; c < 3; c++)
      fractions &= colors[i][c] <= 1;
  for (int i = 0; i < COLORS; i++)
    for (int c = 0; c < 3; c++)
      lut->rgb[i][c] = (guint8) (fractions ? colors[i][c] * 255 + 0.5 : colors[i][c]);
}

static gboolean
parse_text (const char *path, const char *text, Lut *lut, GError **error)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  double colors[COLORS][3];
  int taken = 0;
  gboolean header = FALSE;
  for (guint i = 0; lines[i]; i++) {
    double numbers[MAX_COLUMNS];
    const int n = read_line (lines[i], numbers);
    if (n == 0 && (!*g_strstrip (lines[i]) || (taken == 0 && !header))) {
      header |= *lines[i] != 0;
      continue;
    }
    if (taken == COLORS)
      return file_fail (error, FILE_ERROR_FORMAT, path,
                        "is not a look-up table: it has more than 256 lines of colors.");
    if (!take_line (path, i + 1, numbers, n, colors[taken], error))
      return FALSE;
    taken++;
  }
  if (taken < COLORS)
    return file_fail (error, FILE_ERROR_FORMAT, path, "is not a look-up table: it has %d lines of colors, not 256.",
                      taken);
  take_colors (colors, lut);
  return TRUE;
}

/* ---- Both ---- */

gboolean
lut_parse (const char *path, const char *bytes, gsize n, Lut *lut, GError **error)
{
  if (n >= NIH_HEADER && !memcmp (bytes, "ICOL", 4))
    return parse_nih (path, (const guint8 *) bytes, n, lut, error);
  if (n == RAW || n == RAW_AND_MORE)
    take_planes ((const guint8 *) bytes, COLORS, lut->rgb);
  else if (memchr (bytes, 0, n) || !g_utf8_validate (bytes, (gssize) n, NULL))
    return file_fail (error, FILE_ERROR_FORMAT, path,
                      "is not a look-up table: it has %zu bytes, not 768 (256 reds, greens and blues), and is "
                      "not text.",
                      n);
  else {
    g_autofree char *text = g_strndup (bytes, n);
    return parse_text (path, text, lut, error);
  }
  return TRUE;
}

gboolean
lut_read (const char *path, Lut *lut, GError **error)
{
  gsize n;
  g_autofree char *bytes = file_read_small (path, 0, MAX_BYTES, &n, error);
  return bytes && lut_parse (path, bytes, n, lut, error);
}

gboolean
lut_write (const char *path, const Lut *lut, GError **error)
{
  guint8 bytes[RAW];
  FileTarget *file = file_target_new (path, error);
  for (int i = 0; i < COLORS; i++)
    for (int c = 0; c < 3; c++)
      bytes[c * COLORS + i] = lut->rgb[i][c];
  if (file && file_target_write (file, bytes, sizeof bytes, error))
    return file_target_commit (file, error);
  g_clear_pointer (&file, file_target_abandon);
  return FALSE;
}
