/* SPDX-License-Identifier: MIT
 *
 * A column for each device that took part, a line for each step, and lines for what is the same and what is not.
 */
#include "core/run/comparison.h"

#include "core/base/text.h"

#include <math.h>

enum { LABEL = 44, CELL = 14 }; /* characters */

/* The label in so many characters, the last one '…' where it is longer. */
static void
add_label (GString *s, const char *label)
{
  glong n = g_utf8_strlen (label, -1);
  if (n > LABEL) {
    g_string_append_len (s, label, g_utf8_offset_to_pointer (label, LABEL - 1) - label);
    g_string_append (s, "…");
  } else
    g_string_append_printf (s, "%s%*s", label, (int) (LABEL - n), "");
}

/* At the right end of its column. */
static void
add_cell (GString *s, const char *text)
{
  g_string_append_printf (s, "%*s%s", (int) MAX (1, CELL - g_utf8_strlen (text, -1)), "", text);
}

/* Of a device that took part; one that is not positive is none. */
static void
add_figure (GString *s, double value, const char *unit)
{
  g_autofree char *number = g_strdup_printf ("%.*f", value < 10 ? 3 : 1, value),
                  *text = value > 0 && isfinite (value) ? g_strconcat (number, unit, NULL) : g_strdup ("–");
  add_cell (s, text);
}

/* ---- Times ---- */

static void
add_steps (GString *s, const Comparison *c)
{
  for (guint i = 0; i < recipe_length (c->recipe); i++) {
    g_autofree char *step = step_format (recipe_step (c->recipe, i));
    add_label (s, step);
    for (guint n = 0; n < c->devices->len; n++) {
      const ComparisonDevice *device = c->devices->pdata[n];
      if (!device->fault)
        add_figure (s, device->ms.steps[i], " ms");
    }
    g_string_append_c (s, '\n');
  }
}

static double
of_all (const ComparisonDevice *device)
{
  return device->ms.all;
}

static double
of_up (const ComparisonDevice *device)
{
  return device->ms.up;
}

static double
of_down (const ComparisonDevice *device)
{
  return device->ms.down;
}

static double
of_sum (const ComparisonDevice *device)
{
  return device->ms.up + device->ms.all + device->ms.down;
}

static double
of_wall (const ComparisonDevice *device)
{
  return device->ms.wall;
}

static double
of_uploaded (const ComparisonDevice *device)
{
  return (double) device->uploaded / (1 << 20);
}

static double
of_downloaded (const ComparisonDevice *device)
{
  return (double) device->downloaded / (1 << 20);
}

/* The lines below those of the steps. */
static const struct {
  const char *label, *unit; /* unit: "": how many times as fast as the first device */
  double (*figure) (const ComparisonDevice *device);
  gboolean several; /* only where more than one took part */
} lines[] = {
  {"all steps", " ms", of_all, FALSE},
  {"the way to the device", " ms", of_up, TRUE},
  {"the way back", " ms", of_down, TRUE},
  {"moved to it", " MiB", of_uploaded, TRUE},
  {"moved back", " MiB", of_downloaded, TRUE},
  {"steps and ways", " ms", of_sum, TRUE},
  {"wall clock, as usually run", " ms", of_wall, FALSE},
  {"speed-up, steps", "", of_all, TRUE},
  {"speed-up, steps and transfers", "", of_sum, TRUE},
  {"speed-up, wall clock", "", of_wall, TRUE},
};

static void
add_lines (GString *s, const Comparison *c, gboolean several)
{
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++) {
    if (lines[i].several && !several)
      continue;
    add_label (s, lines[i].label);
    for (guint n = 0; n < c->devices->len; n++) {
      const ComparisonDevice *device = c->devices->pdata[n];
      double value = device->fault ? 0 : lines[i].figure (device);
      if (!*lines[i].unit)
        value = lines[i].figure (c->devices->pdata[0]) / value;
      if (!device->fault)
        add_figure (s, value, lines[i].unit);
    }
    g_string_append_c (s, '\n');
  }
}

/* ---- What is the same ---- */

static char *
verdict (const Agreement *a)
{
  g_autofree char *difference = text_from_number (text_round (a->difference, 3)),
                  *largest = text_from_number (text_round (a->largest, 6));
  if (!a->differing)
    return g_strdup ("the same");
  if (a->exact)
    return g_strdup_printf ("DIFFERS in %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " values, by up to %s", a->differing,
                            a->values, difference);
  return g_strdup_printf ("%s, by up to %s; the largest value is %s", a->agrees ? "differs little" : "DIFFERS",
                          difference, largest);
}

static void
add_agreements (GString *s, const ComparisonDevice *first, const ComparisonDevice *device)
{
  g_string_append_printf (s, "\nResults on %s and on %s:\n", device->device->fv->key, first->device->fv->key);
  for (guint i = 0; i < device->agreements->len; i++) {
    const Agreement *a = &g_array_index (device->agreements, Agreement, i);
    g_autofree char *label = g_strjoin (" ", a->result, a->column, NULL), *text = verdict (a);
    add_label (s, label);
    g_string_append_printf (s, "  %s\n", text);
  }
}

/* The devices, and the heads of the columns; how many there are. */
static guint
add_heads (GString *s, const Comparison *c)
{
  guint took_part = 0;
  for (guint n = 0; n < c->devices->len; n++) {
    const fv_device *fv = ((const ComparisonDevice *) c->devices->pdata[n])->device->fv;
    g_string_append_printf (s, "%s: %s\n", fv->key, fv->name);
  }
  g_string_append_c (s, '\n');
  add_label (s, "");
  for (guint n = 0; n < c->devices->len; n++) {
    const ComparisonDevice *device = c->devices->pdata[n];
    took_part += !device->fault;
    if (!device->fault)
      add_cell (s, device->device->fv->key);
  }
  g_string_append_c (s, '\n');
  return took_part;
}

char *
comparison_text (const Comparison *c)
{
  GString *s = g_string_new (NULL);
  guint took_part = add_heads (s, c);
  add_steps (s, c);
  add_lines (s, c, took_part > 1);
  for (guint n = 0; n < c->devices->len; n++) {
    const ComparisonDevice *device = c->devices->pdata[n];
    if (device->agreements)
      add_agreements (s, c->devices->pdata[0], device);
    if (device->fault)
      g_string_append_printf (s, "\n%s was not used: %s\n", device->device->fv->key, device->fault);
  }
  if (took_part == 1)
    g_string_append (s, "\nThis machine has no other device to compare with.\n");
  return g_string_free (s, FALSE);
}
