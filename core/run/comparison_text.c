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

/* A line of figures, each of a device; a figure that is not positive is none. */
static void
add_line (GString *s, const Comparison *c, const char *label, const char *unit,
          double (*figure) (const Comparison *c, const ComparisonDevice *device, guint i), guint i)
{
  add_label (s, label);
  for (guint n = 0; n < c->devices->len; n++) {
    const ComparisonDevice *device = c->devices->pdata[n];
    double value = device->fault ? 0 : figure (c, device, i);
    g_autofree char *number = g_strdup_printf ("%.*f", value < 10 ? 3 : 1, value),
                    *text = value > 0 && isfinite (value) ? g_strconcat (number, unit, NULL) : g_strdup ("–");
    if (!device->fault)
      add_cell (s, text);
  }
  g_string_append_c (s, '\n');
}

/* ---- Times ---- */

static double
of_step (const Comparison *c, const ComparisonDevice *device, guint i)
{
  (void) c;
  return device->ms.steps[i];
}

static double
of_all (const Comparison *c, const ComparisonDevice *device, guint i)
{
  (void) c, (void) i;
  return device->ms.all;
}

static double
of_up (const Comparison *c, const ComparisonDevice *device, guint i)
{
  (void) c, (void) i;
  return device->ms.up;
}

static double
of_down (const Comparison *c, const ComparisonDevice *device, guint i)
{
  (void) c, (void) i;
  return device->ms.down;
}

static double
of_sum (const Comparison *c, const ComparisonDevice *device, guint i)
{
  (void) c, (void) i;
  return device->ms.up + device->ms.all + device->ms.down;
}

static double
of_wall (const Comparison *c, const ComparisonDevice *device, guint i)
{
  (void) c, (void) i;
  return device->ms.wall;
}

static double
of_uploaded (const Comparison *c, const ComparisonDevice *device, guint i)
{
  (void) c, (void) i;
  return (double) device->uploaded / (1 << 20);
}

static double
of_downloaded (const Comparison *c, const ComparisonDevice *device, guint i)
{
  (void) c, (void) i;
  return (double) device->downloaded / (1 << 20);
}

/* How many times as fast as the first device. */
#define FASTER(NAME)                                                                                                   \
  static double NAME##_faster (const Comparison *c, const ComparisonDevice *device, guint i)                           \
  {                                                                                                                    \
    return NAME (c, c->devices->pdata[0], i) / NAME (c, device, i);                                                    \
  }
FASTER (of_all)
FASTER (of_sum)
FASTER (of_wall)

static void
add_steps (GString *s, const Comparison *c)
{
  for (guint i = 0; i < recipe_length (c->recipe); i++) {
    g_autofree char *step = step_format (recipe_step (c->recipe, i));
    add_line (s, c, step, " ms", of_step, i);
  }
  add_line (s, c, "all steps", " ms", of_all, 0);
}

/* What a card needs besides, and what it is good for. */
static void
add_ways (GString *s, const Comparison *c)
{
  add_line (s, c, "the way to the device", " ms", of_up, 0);
  add_line (s, c, "the way back", " ms", of_down, 0);
  add_line (s, c, "moved to it", " MiB", of_uploaded, 0);
  add_line (s, c, "moved back", " MiB", of_downloaded, 0);
  add_line (s, c, "steps and ways", " ms", of_sum, 0);
}

static void
add_speeds (GString *s, const Comparison *c)
{
  add_line (s, c, "times as fast, steps", "", of_all_faster, 0);
  add_line (s, c, "times as fast, steps and ways", "", of_sum_faster, 0);
  add_line (s, c, "times as fast, wall clock", "", of_wall_faster, 0);
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
    return g_strdup_printf ("DIFFERS in %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT ", by up to %s", a->differing,
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
  if (took_part > 1)
    add_ways (s, c);
  add_line (s, c, "wall clock, as it is usually run", " ms", of_wall, 0);
  if (took_part > 1)
    add_speeds (s, c);
  for (guint n = 0; n < c->devices->len; n++) {
    const ComparisonDevice *device = c->devices->pdata[n];
    if (device->agreements)
      add_agreements (s, c->devices->pdata[0], device);
    if (device->fault)
      g_string_append_printf (s, "\n%s took no part: %s\n", device->device->fv->key, device->fault);
  }
  if (took_part == 1)
    g_string_append (s, "\nThere is no other device here that the times could be compared with.\n");
  return g_string_free (s, FALSE);
}
