/* SPDX-License-Identifier: MIT
 */
#include "core/measure/sky_table.h"

#include "core/base/fork.h"

#include <math.h>
#include <string.h>
#include <wcslib/wcs.h>
#include <wcslib/wcshdr.h>

enum { CARD = 80 };

/* wcslib's readers of headers share what they know. */
static GMutex reading;

FORK_GUARD_STATIC (reading)

/* What a header says of the sky: keyword, and a text or a number. */
static const char wanted[] = "^((?:CTYPE|CUNIT|CRPIX|CRVAL|CDELT|CROTA)[1-9]|(?:PC|CD)[1-9]_[1-9]|PV[1-9]_[0-9]{1,2}|"
                             "LONPOLE|LATPOLE|RADESYS|EQUINOX|(WCSAXES|NAXIS|[AB]P?_ORDER)|[AB]P?_[0-9]_[0-9]) *= +"
                             "(?:'([A-Za-z0-9 .+_/-]{0,20})'|([-+]?[0-9.]{1,30}(?:[EeDd][-+]?[0-9]{1,3})?)) *(?:/|$)";

/* Independent of the locale. Free with g_free(). */
static char *
number_card (const char *key, double value)
{
  char number[32];
  return g_strdup_printf ("%-8s= %s", key, g_ascii_formatd (number, sizeof number, "%.16E", value));
}

/* The header cards with world coordinates, rewritten, since damaged ones can crash wcslib. Free with g_free(). */
static char *
clean_cards (const char *header)
{
  g_autoptr (GRegex) card = g_regex_new (wanted, G_REGEX_RAW, 0, NULL);
  GString *cards = g_string_new (NULL);
  const char *const end = header + strlen (header) / CARD * CARD;
  for (; header < end; header += CARD) {
    g_autoptr (GMatchInfo) match = NULL;
    if (!g_regex_match_full (card, header, CARD, 0, 0, &match, NULL))
      continue;
    g_autofree char *key = g_match_info_fetch (match, 1), *whole = g_match_info_fetch (match, 2);
    g_autofree char *text = g_match_info_fetch (match, 3), *number = g_match_info_fetch (match, 4), *line = NULL;
    if (number && *number) {
      const double value = g_ascii_strtod (g_strdelimit (number, "Dd", 'E'), NULL);
      if (!isfinite (value) || (*whole && !(value >= 0 && value <= 9)))
        continue;
      line = *whole ? g_strdup_printf ("%-8s= %20d", key, (int) value) : number_card (key, value);
    } else
      line = g_strdup_printf ("%-8s= '%-8s'", key, text);
    g_string_append_printf (cards, "%-80s", line);
  }
  return g_string_free (cards, FALSE);
}

typedef struct {
  struct wcsprm *all, *first; /* first: NULL where the header says nothing of the sky */
  int n;
} Sky;

static void
sky_clear (Sky *sky)
{
  g_mutex_lock (&reading);
  wcsvfree (&sky->n, &sky->all);
  g_mutex_unlock (&reading);
}

static void
sky_read (Sky *sky, const char *header)
{
  g_autofree char *cards = clean_cards (header);
  int rejected;
  *sky = (Sky){0};
  g_mutex_lock (&reading);
  if (!wcspih (cards, (int) (strlen (cards) / CARD), WCSHDR_all, 0, &rejected, &sky->n, &sky->all) && sky->n > 0
      && !wcsset (sky->all) && sky->all->lng >= 0 && sky->all->lat >= 0)
    sky->first = sky->all;
  g_mutex_unlock (&reading);
}

/* "RA  " is ra. Free with g_free(). */
static char *
key_of (const char *type)
{
  char *key = g_ascii_strdown (type, 4);
  return g_strchomp (key);
}

/* Whether the position in a plane alone determines the sky position: not after `reslice`, when rows are slices. */
static gboolean
lies_in_plane (const struct wcsprm *wcs)
{
  const int sky[] = {wcs->lng, wcs->lat};
  for (int k = 0; k < 2; k++)
    for (int j = 2; j < wcs->naxis; j++)
      if (wcs->lin.pc[sky[k] * wcs->naxis + j] != 0)
        return FALSE;
  return wcs->naxis >= 2;
}

/* Longitude and latitude of n positions; other axes are at the header's reference. */
static void
find_positions (struct wcsprm *wcs, const double *x, const double *y, gint64 n, double *longitude, double *latitude)
{
  const int axes = wcs->naxis;
  g_autofree double *pixel = g_new (double, axes), *between = g_new (double, axes), *world = g_new (double, axes);
  g_autofree int *wrong = g_new (int, axes);
  for (gint64 i = 0; i < n; i++) {
    double phi, theta;
    memcpy (pixel, wcs->crpix, (gsize) axes * sizeof *pixel);
    pixel[0] = x[i] + 1;
    pixel[1] = y[i] + 1;
    gboolean there = !wcsp2s (wcs, 1, axes, pixel, between, &phi, &theta, world, wrong);
    longitude[i] = there ? world[wcs->lng] : NAN;
    latitude[i] = there ? world[wcs->lat] : NAN;
  }
}

static const TableColumn *
find_pixels (const Table *table, const char *key)
{
  const TableColumn *column = table_find_numbers (table, key);
  return column && !strcmp (column->unit, FV_PIXELS) ? column : NULL;
}

/* The columns of a table, and two more. */
static Table *
extend (const Table *table, const char *longitude, const char *latitude)
{
  Table *more = table_new ();
  for (guint j = 0; j < table_columns (table); j++)
    table_add_like (more, table_column (table, j));
  table_add_column (more, longitude, "deg", "Sky longitude, from the image header.", FV_COLUMN_FLOAT);
  table_add_column (more, latitude, "deg", "Sky latitude, from the image header.", FV_COLUMN_FLOAT);
  return more;
}

Table *
sky_table_new (const Table *table, const ImageInfo *info)
{
  const TableColumn *x = find_pixels (table, "x"), *y = find_pixels (table, "y");
  Table *more = NULL;
  Sky sky;
  if (!x || !y || !info->fits_header)
    return NULL;
  sky_read (&sky, info->fits_header);
  if (sky.first && lies_in_plane (sky.first)) {
    g_autofree char *longitude = key_of (sky.first->lngtyp), *latitude = key_of (sky.first->lattyp);
    const gint64 rows = table_rows (table);
    const gsize columns = table_columns (table);
    if (!table_find (table, longitude) && !table_find (table, latitude)) {
      double *values = g_new (double, MAX (1, (gsize) rows * (columns + 2)));
      for (guint j = 0; j < columns && rows; j++)
        memcpy (values + (gint64) j * rows, table_column (table, j)->values, (gsize) rows * sizeof *values);
      find_positions (sky.first, x->values, y->values, rows, values + (gint64) columns * rows,
                      values + (gint64) (columns + 1) * rows);
      more = extend (table, longitude, latitude);
      table_take_rows (more, values, rows);
    }
  }
  sky_clear (&sky);
  return more;
}
