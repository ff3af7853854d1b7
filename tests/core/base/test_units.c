/* SPDX-License-Identifier: MIT
 *
 * Every unit against its definition, in metres and seconds.
 */
#include "core/base/units.h"
#include "tests/support/init.h"

static const struct {
  const char *unit, *word, *base;
  double size;
} units[] = {{"km", "Kilometers", "m", 1e3},  {"m", "meter", "m", 1},           {"dm", "decimeter", "m", 1e-1},
             {"cm", "Centimetre", "m", 1e-2}, {"mm", "millimeters", "m", 1e-3}, {"µm", "\u03bcm", "m", 1e-6},
             {"nm", "nanometre", "m", 1e-9},  {"Å", "\u212b", "m", 1e-10},      {"pm", "picometers", "m", 1e-12},
             {"inch", "in", "m", 0.0254},     {"ft", "feet", "m", 0.3048},      {"d", "days", "s", 86400},
             {"h", "hours", "s", 3600},       {"min", "minute", "s", 60},       {"s", "sec", "s", 1},
             {"ms", "MSEC", "s", 1e-3},       {"µs", "us", "s", 1e-6},          {"ns", "nanoseconds", "s", 1e-9}};

static void
test_factors (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (units); i++) {
    g_autofree char *normal = units_normal (units[i].word);
    g_assert_cmpstr (normal, ==, units[i].unit);
    g_assert_cmpfloat_with_epsilon (units_factor (units[i].word, units[i].base) / units[i].size, 1, 1e-14);
    g_assert_cmpfloat (units_factor (units[i].word, units[i].unit), ==, 1);
    g_assert_cmpfloat (units_factor (units[i].unit, units[i].unit), ==, 1);
    g_assert_cmpfloat (units_factor (units[i].word, *units[i].base == 'm' ? "s" : "m"), ==, 0);
    g_assert_cmpfloat (units_factor (units[i].word, "furlong"), ==, 0);
  }
}

/* Short units keep their case: Mm is not mm, and ImageJ's escape for µ is µ, wherever it occurs. */
static void
test_spellings (void)
{
  static const char *const cases[][2] = {{"Mm", "Mm"},       {"MS", "MS"},
                                         {"PX", "PX"},       {"PIXELS", ""},
                                         {"SEC", "s"},       {"\\u00B5m\\u00B5", "µmµ"},
                                         {"\\u00b5s", "µs"}, {"a\u03bc\u03bc", "aµµ"}};
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *normal = units_normal (cases[i][0]);
    g_assert_cmpstr (normal, ==, cases[i][1]);
  }
  g_assert_cmpfloat (units_factor ("\\u00B5furlong", "µfurlong"), ==, 1);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/units/factors", test_factors);
  g_test_add_func ("/units/spellings", test_spellings);
  return g_test_run ();
}
