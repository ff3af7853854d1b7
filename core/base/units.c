/* SPDX-License-Identifier: MIT
 *
 * Units: a table of spellings. Lengths are in picometres and times in nanoseconds, so that factors between them are exact.
 */
#include "core/base/units.h"

#include <string.h>

typedef struct {
  const char *normal;
  char kind; /* 'l'ength or 't'ime */
  double size;
  const char *spellings[10]; /* spellings in addition to the normal one; those of three letters or more are
                              * case-insensitive */
} Unit;

static const Unit units[] = {
  {"µm", 'l', 1e6, {"um", "UM", "micron", "microns", "micrometer", "micrometers", "micrometre", "micrometres"}},
  {"nm", 'l', 1e3, {"nanometer", "nanometers", "nanometre", "nanometres"}},
  {"mm", 'l', 1e9, {"millimeter", "millimeters", "millimetre", "millimetres"}},
  {"cm", 'l', 1e10, {"centimeter", "centimeters", "centimetre", "centimetres"}},
  {"dm", 'l', 1e11, {"decimeter", "decimeters", "decimetre", "decimetres"}},
  {"m", 'l', 1e12, {"meter", "meters", "metre", "metres"}},
  {"km", 'l', 1e15, {"kilometer", "kilometers", "kilometre", "kilometres"}},
  {"pm", 'l', 1, {"picometer", "picometers", "picometre", "picometres"}},
  {"Å", 'l', 100, {"angstrom", "angstroms", "ångström", "ångströms"}},
  {"inch", 'l', 2.54e10, {"in", "inches", "\""}},
  {"ft", 'l', 3.048e11, {"foot", "feet"}},
  {"s", 't', 1e9, {"sec", "secs", "second", "seconds"}},
  {"ms", 't', 1e6, {"msec", "msecs", "millisecond", "milliseconds"}},
  {"µs", 't', 1e3, {"us", "usec", "microsecond", "microseconds"}},
  {"ns", 't', 1, {"nsec", "nanosecond", "nanoseconds"}},
  {"min", 't', 60e9, {"mins", "minute", "minutes"}},
  {"h", 't', 3600e9, {"hr", "hrs", "hour", "hours"}},
  {"d", 't', 86400e9, {"day", "days"}},
  {"", 0, 0, {"pixel", "pixels", "px", "none", "unknown", "(null)"}},
};

static gboolean
spelled (const char *text, const char *spelling)
{
  return !g_ascii_strcasecmp (text, spelling) && (!strcmp (text, spelling) || g_utf8_strlen (spelling, -1) > 2);
}

/* As valid UTF-8 without the blanks around it, with one letter µ: U+00B5. */
static char *
clean (const char *unit)
{
  g_autofree char *utf8 =
    g_utf8_validate (unit, -1, NULL) ? g_strdup (unit) : g_convert (unit, -1, "UTF-8", "ISO-8859-1", NULL, NULL, NULL);
  GString *s = g_string_new (utf8 ? g_strstrip (utf8) : "");
  g_string_replace (s, "\\u00B5", "µ", 0);
  g_string_replace (s, "\\u00b5", "µ", 0);
  g_string_replace (s, "\u03bc", "µ", 0);
  g_string_replace (s, "\u212b", "Å", 0);
  return g_string_free (s, FALSE);
}

static const Unit *
find (const char *cleaned)
{
  for (guint i = 0; i < G_N_ELEMENTS (units); i++) {
    if (spelled (cleaned, units[i].normal))
      return &units[i];
    for (guint j = 0; j < G_N_ELEMENTS (units[i].spellings) && units[i].spellings[j]; j++)
      if (spelled (cleaned, units[i].spellings[j]))
        return &units[i];
  }
  return NULL;
}

char *
units_normal (const char *unit)
{
  g_autofree char *cleaned = clean (unit);
  const Unit *known = find (cleaned);
  return known ? g_strdup (known->normal) : g_steal_pointer (&cleaned);
}

char *
units_ascii (const char *unit)
{
  static const char *const spellings[][2] = {{"µ", "u"},   {"\u03bc", "u"}, {"Å", "Angstrom"},       {"°", "deg"},
                                             {"²", "**2"}, {"³", "**3"},    {"\u207b\u00b9", "**-1"}};
  GString *text = g_string_new (unit);
  for (guint i = 0; i < G_N_ELEMENTS (spellings); i++)
    g_string_replace (text, spellings[i][0], spellings[i][1], 0);
  g_autofree char *valid = g_utf8_make_valid (text->str, -1);
  g_string_truncate (text, 0);
  for (const char *c = valid; *c; c = g_utf8_next_char (c))
    g_string_append_c (text, *c < ' ' || *c > '~' ? '?' : *c);
  return g_string_free (text, FALSE);
}

double
units_factor (const char *from, const char *to)
{
  if (!strcmp (from, to))
    return 1;
  g_autofree char *cleaned_from = clean (from), *cleaned_to = clean (to);
  const Unit *a = find (cleaned_from), *b = find (cleaned_to);
  if (!strcmp (cleaned_from, cleaned_to) || (a && a == b))
    return 1;
  return a && b && a->kind && a->kind == b->kind ? a->size / b->size : 0;
}
