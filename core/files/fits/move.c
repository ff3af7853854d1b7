/* SPDX-License-Identifier: MIT
 *
 * FITS paper I: world = L (pixel - CRPIX), where L is CD, or CDELT times PC, or CDELT turned by CROTA. With pixel = M new + shift, L becomes
 * L M and CRPIX the new position of the reference. Distortions of SIP are polynomials of pixels, and follow where axes stay axes; those
 * of PV are behind L, and stay. Each of the alternate descriptions, of the letters A to Z, is moved for itself.
 */
#include "core/files/fits/move.h"

#include "core/files/fits/cards.h"

#include <math.h>
#include <string.h>

enum { AXES = FILES_FITS_AXES, SIP_ORDER = 9 };

/* The linear part of one description. */
typedef struct {
  const char *alt; /* "", or its letter */
  int axes;        /* the last one that has a card; 0: no description exists */
  gboolean cd, pc;
  double crpix[AXES], cdelt[AXES], linear[AXES][AXES];
} Wcs;

/* ---- Keywords ---- */

/* FALSE: the keyword is none of the linear part. i, j: its axes, from 1; j 0: there is one alone. */
static gboolean
is_linear (const char *card, char alt[2], guint *i, guint *j)
{
  static const char *const words[] = {"CRPIX", "CDELT", "CROTA", "CD", "PC"};
  for (guint k = 0; k < G_N_ELEMENTS (words); k++) {
    const gsize n = strlen (words[k]);
    const char *at = card + n;
    if (strncmp (card, words[k], n) || !g_ascii_isdigit (*at))
      continue;
    *i = (guint) (*at++ - '0');
    *j = 0;
    if (k >= 3) {
      if (*at != '_' || !g_ascii_isdigit (at[1]))
        return FALSE;
      *j = (guint) (at[1] - '0');
      at += 2;
    }
    alt[0] = g_ascii_isupper (*at) ? *at++ : 0;
    alt[1] = 0;
    return at <= card + 8 && (at == card + 8 || *at == ' ');
  }
  return FALSE;
}

/* Whether the card is of world coordinates, of whichever axis, or says where else the pixels lay. */
static gboolean
is_position (const char *card)
{
  static GRegex *word;
  if (g_once_init_enter (&word))
    g_once_init_leave (
      &word,
      g_regex_new (
        "^(?:(?:CTYPE|CUNIT|CRVAL|CRPIX|CDELT|CROTA|CNAME|CRDER|CSYER|CROTA)[0-9]{1,2}[A-Z]?"
        "|(?:CD|PC|PV|PS)[0-9]{1,2}_[0-9]{1,2}[A-Z]?|PC[0-9]{6}|(?:LON|LAT)POLE[A-Z]?|WCSAXES[A-Z]?|WCSNAME[A-Z]?"
        "|[AB]P?_(?:ORDER|DMAX|[0-9]_[0-9])|LT[MV][0-9_]+|(?:DATA|CCD|DET|TRIM|BIAS|AMP)SEC[0-9]*) *$",
        G_REGEX_RAW, 0, NULL));
  char name[9];
  g_strlcpy (name, card, sizeof name);
  return g_regex_match (word, name, 0, NULL);
}

/* The axis, from 1, of a card that is of one axis alone; 0: of none, or of more. */
static guint
axis_of (const char *card)
{
  static const char *const words[] = {"CTYPE", "CUNIT", "CRVAL", "CNAME", "CRDER", "CSYER", "PV", "PS"};
  for (guint k = 0; k < G_N_ELEMENTS (words); k++)
    if (g_str_has_prefix (card, words[k]) && g_ascii_isdigit (card[strlen (words[k])]))
      return (guint) g_ascii_strtoull (card + strlen (words[k]), NULL, 10);
  return 0;
}

/* ---- Reading ---- */

static gboolean
number (const char *cards, const char *alt, double *value, const char *format, int i, int j)
{
  char name[16];
  gsize n = (gsize) g_snprintf (name, sizeof name, format, i, j);
  g_strlcpy (name + n, alt, sizeof name - n);
  return files_fits_number (cards, name, 0, value);
}

/* CDELT turned by CROTA, which stands with the second axis. FALSE: another axis is turned. */
static gboolean
read_rotation (const char *cards, Wcs *w)
{
  double angle = 0, other;
  for (int i = 0; i < AXES; i++)
    if (number (cards, w->alt, &other, "CROTA%d", i + 1, 0) && other != 0) {
      if (i > 1)
        return FALSE;
      angle = other * (G_PI / 180);
    }
  if (angle != 0) {
    const double c = cos (angle), s = sin (angle);
    w->linear[0][0] = w->cdelt[0] * c;
    w->linear[0][1] = -w->cdelt[1] * s;
    w->linear[1][0] = w->cdelt[0] * s;
    w->linear[1][1] = w->cdelt[1] * c;
    w->pc = TRUE;
  }
  return TRUE;
}

/* FALSE: it is written in a way that is not known here. */
static gboolean
read_wcs (const char *cards, const char *alt, Wcs *w)
{
  *w = (Wcs){.alt = alt};
  for (const char *card = cards; *card; card += FILES_FITS_CARD) {
    guint i, j;
    char its[2];
    if (is_linear (card, its, &i, &j) && !strcmp (its, alt)) {
      w->axes = MAX (w->axes, (int) MAX (i, j));
      w->cd = w->cd || (card[0] == 'C' && j);
      w->pc = w->pc || (card[0] == 'P' && j);
    }
    if (g_str_has_prefix (card, "PC00"))
      return FALSE;
  }
  if (w->axes > AXES)
    return FALSE;
  for (int i = 0; i < AXES; i++) {
    w->cdelt[i] = 1;
    number (cards, alt, &w->crpix[i], "CRPIX%d", i + 1, 0);
    if (!w->cd)
      number (cards, alt, &w->cdelt[i], "CDELT%d", i + 1, 0);
    if (w->cdelt[i] == 0)
      w->cdelt[i] = 1;
    for (int j = 0; j < AXES; j++) {
      double value = i == j && (!w->cd || i >= w->axes);
      number (cards, alt, &value, w->cd ? "CD%d_%d" : "PC%d_%d", i + 1, j + 1);
      w->linear[i][j] = w->cdelt[i] * value;
    }
  }
  return w->cd || w->pc || read_rotation (cards, w);
}

/* ---- Moving ---- */

/* a x = b, where a is destroyed; FALSE: it has no inverse. */
static gboolean
solve (double a[AXES][AXES], double b[AXES])
{
  for (int k = 0; k < AXES; k++) {
    int best = k;
    for (int i = k + 1; i < AXES; i++)
      best = fabs (a[i][k]) > fabs (a[best][k]) ? i : best;
    if (!(fabs (a[best][k]) > 0))
      return FALSE;
    for (int j = 0; j < AXES; j++) {
      double t = a[k][j];
      a[k][j] = a[best][j];
      a[best][j] = t;
    }
    double t = b[k];
    b[k] = b[best];
    b[best] = t;
    for (int i = 0; i < AXES; i++) {
      const double f = i == k ? 0 : a[i][k] / a[k][k];
      for (int j = 0; f != 0 && j < AXES; j++)
        a[i][j] -= f * a[k][j];
      b[i] -= f * b[k];
    }
  }
  for (int k = 0; k < AXES; k++)
    b[k] /= a[k][k];
  return TRUE;
}

/* An axis with a nonlinear algorithm must not be mixed with others. */
static gboolean
can_lose (const Wcs *w, const FilesFitsMove *m)
{
  for (int k = 0; k < AXES; k++)
    for (int j = 0; !m->known[k] && j < AXES; j++)
      if (j != k && (w->linear[j][k] != 0 || w->linear[k][j] != 0))
        return FALSE;
  return m->known[0] && m->known[1];
}

/* The move with axes that follow no rule left where they are. */
static void
fill (const FilesFitsMove *m, double matrix[AXES][AXES], double shift[AXES])
{
  memcpy (matrix, m->matrix, sizeof m->matrix);
  memcpy (shift, m->shift, sizeof m->shift);
  for (int k = 0; k < AXES; k++)
    if (!m->known[k]) {
      for (int j = 0; j < AXES; j++)
        matrix[k][j] = matrix[j][k] = j == k;
      shift[k] = 0;
    }
}

static gboolean
move_wcs (Wcs *w, const FilesFitsMove *m)
{
  double matrix[AXES][AXES], copy[AXES][AXES], shift[AXES], moved[AXES][AXES] = {{0}}, crpix[AXES];
  fill (m, matrix, shift);
  memcpy (copy, matrix, sizeof copy);
  for (int i = 0; i < AXES; i++) {
    crpix[i] = w->crpix[i] - 1 - shift[i];
    for (int j = 0; j < AXES; j++)
      for (int k = 0; k < AXES; k++)
        moved[i][j] += w->linear[i][k] * matrix[k][j];
  }
  if (!solve (copy, crpix))
    return FALSE;
  for (int i = 0; i < AXES; i++) {
    w->crpix[i] = crpix[i] + 1;
    for (int j = 0; j < AXES; j++) {
      if (i != j && matrix[i][j] != 0)
        w->axes = MAX (w->axes, MAX (i, j) + 1);
      w->pc = w->pc || (!w->cd && i != j && moved[i][j] != 0);
    }
  }
  memcpy (w->linear, moved, sizeof moved);
  return TRUE;
}

/* ---- Distortions ---- */

static gboolean
has_sip (const char *cards)
{
  gint64 order;
  return files_fits_integer (cards, "A_ORDER", 0, &order) || files_fits_integer (cards, "B_ORDER", 0, &order);
}

/* Whether axes stay axes of the plane. */
static gboolean
is_upright (const FilesFitsMove *m)
{
  const double *const a[] = {m->matrix[0], m->matrix[1]};
  const gboolean straight = a[0][1] == 0 && a[1][0] == 0, crossed = a[0][0] == 0 && a[1][1] == 0;
  return (straight || crossed) && a[0][2] == 0 && a[1][2] == 0;
}

/* Writes the polynomials of new axes: u = scale[0] times the new u, or the new v where they are crossed. */
static void
add_sip (GString *to, const char *cards, const FilesFitsMove *m)
{
  static const char *const names[2][2] = {{"A", "B"}, {"AP", "BP"}};
  const gboolean crossed = m->matrix[0][0] == 0;
  const double scale[2] = {m->matrix[0][crossed], m->matrix[1][!crossed]};
  for (int way = 0; way < 2; way++)
    for (int axis = 0; axis < 2; axis++) {
      const char *from = names[way][axis], *name = names[way][crossed ? !axis : axis];
      g_autofree char *order_of = g_strconcat (from, "_ORDER", NULL), *order_to = g_strconcat (name, "_ORDER", NULL);
      gint64 order;
      if (!files_fits_integer (cards, order_of, 0, &order))
        continue;
      files_fits_add_integer (to, order_to, 0, order, "");
      for (int p = 0; p <= MIN (order, SIP_ORDER); p++)
        for (int q = 0; q <= MIN (order, SIP_ORDER); q++) {
          char key[16], key_to[16];
          double value;
          g_snprintf (key, sizeof key, "%s_%d_%d", from, p, q);
          g_snprintf (key_to, sizeof key_to, "%s_%d_%d", name, crossed ? q : p, crossed ? p : q);
          if (files_fits_number (cards, key, 0, &value))
            files_fits_add_number (to, key_to, 0, value * pow (scale[0], p) * pow (scale[1], q) / scale[axis], "");
        }
    }
}

static gboolean
is_sip (const char *card)
{
  return (card[0] == 'A' || card[0] == 'B') && (card[1] == '_' || (card[1] == 'P' && card[2] == '_'));
}

/* ---- Writing ---- */

static void
add_number (GString *to, const char *alt, double value, const char *format, int i, int j)
{
  char name[16];
  gsize n = (gsize) g_snprintf (name, sizeof name, format, i, j);
  g_strlcpy (name + n, alt, sizeof name - n);
  files_fits_add_number (to, name, 0, value, "");
}

/* CD where it was CD; else CDELT is how far world goes in a pixel, and PC, where it is needed, which way. */
static void
add_wcs (GString *to, const Wcs *w, const FilesFitsMove *m)
{
  for (int i = 0; i < w->axes; i++) {
    double length = 0;
    if (m->known[i])
      add_number (to, w->alt, w->crpix[i], "CRPIX%d", i + 1, 0);
    for (int j = 0; j < w->axes; j++)
      length = hypot (length, w->linear[i][j]);
    if (!w->cd && !w->pc)
      length = w->linear[i][i];
    else if (!w->cd)
      length = w->cdelt[i] < 0 ? -length : length;
    if (!w->cd && m->known[i])
      add_number (to, w->alt, length, "CDELT%d", i + 1, 0);
    for (int j = 0; j < w->axes && (w->cd || w->pc); j++) {
      const double value = !m->known[i] ? i == j : w->cd ? w->linear[i][j] : w->linear[i][j] / length;
      if (value != 0 || i == j)
        add_number (to, w->alt, value, w->cd ? "CD%d_%d" : "PC%d_%d", i + 1, j + 1);
    }
  }
  if (w->axes) {
    char name[16];
    g_snprintf (name, sizeof name, "WCSAXES%s", w->alt);
    files_fits_add_integer (to, name, 0, w->axes, "");
  }
}

/* Takes all positions away. */
static GRefString *
without_positions (const char *cards, gboolean *sky)
{
  g_autoptr (GString) rest = g_string_new (NULL);
  for (; *cards; cards += FILES_FITS_CARD)
    if (is_position (cards))
      *sky = *sky || g_str_has_prefix (cards, "CTYPE") || g_str_has_prefix (cards, "CRPIX");
    else
      g_string_append_len (rest, cards, FILES_FITS_CARD);
  return g_ref_string_new (rest->str);
}

/* Of the cards of positions those stay that are world coordinates of axes that go on. */
static gboolean
stays (const char *card, const FilesFitsMove *m, gboolean *axes)
{
  guint i, j;
  char alt[2];
  if (!is_position (card))
    return TRUE;
  if (is_linear (card, alt, &i, &j) || is_sip (card) || g_str_has_prefix (card, "WCSAXES")
      || g_str_has_prefix (card, "LT") || g_strstr_len (card, 8, "SEC"))
    return FALSE;
  i = axis_of (card);
  if (i < 1 || i > AXES || m->known[i - 1])
    return TRUE;
  *axes = *axes || g_str_has_prefix (card, "CTYPE");
  return FALSE;
}

GRefString *
files_fits_moved (const char *cards, const FilesFitsMove *m, gboolean *sky, gboolean *axes)
{
  g_autoptr (GString) moved = g_string_new (NULL), rest = g_string_new (NULL);
  const gboolean sip = has_sip (cards);
  if (!m->affine || (sip && !is_upright (m)))
    return without_positions (cards, sky);
  for (char letter = '@'; letter <= 'Z'; letter++) {
    const char alt[] = {letter == '@' ? 0 : letter, 0};
    Wcs w;
    if (!read_wcs (cards, alt, &w) || (w.axes && (!can_lose (&w, m) || !move_wcs (&w, m))))
      return without_positions (cards, sky);
    add_wcs (moved, &w, m);
  }
  if (sip)
    add_sip (moved, cards, m);
  for (; *cards; cards += FILES_FITS_CARD)
    if (stays (cards, m, axes))
      g_string_append_len (rest, cards, FILES_FITS_CARD);
  g_string_append (rest, moved->str);
  return g_ref_string_new (rest->str);
}

GRefString *
files_fits_without_unit (const char *cards, gboolean *unit)
{
  g_autoptr (GString) rest = g_string_new (NULL);
  for (; *cards; cards += FILES_FITS_CARD)
    if (g_str_has_prefix (cards, "BUNIT   "))
      *unit = TRUE;
    else
      g_string_append_len (rest, cards, FILES_FITS_CARD);
  return g_ref_string_new (rest->str);
}
