/* SPDX-License-Identifier: MIT
 */
#include "core/figure/display_args.h"

#include "core/ops/args.h"

#include <string.h>

/* Arguments that are being set; nothing more happens after the first fault. */
typedef struct {
  const Op *op;
  gpointer args; /* NULL after a fault */
  GError **error;
} Arguments;

static void
put (Arguments *a, const char *key, double number)
{
  if (a->args && !args_put_number (a->args, args_param (a->op, key), number, a->error))
    g_clear_pointer (&a->args, g_free);
}

static void
put_word (Arguments *a, const char *key, const char *word)
{
  if (a->args && !args_set (a->op, a->args, key, word, a->error))
    g_clear_pointer (&a->args, g_free);
}

static gboolean
is_composite (const DisplayLook *d)
{
  return d->composite || d->info->role == FV_RGB;
}

static void
put_limits (Arguments *a, const DisplayLook *d)
{
  g_autofree fv_matrix *limits = g_new0 (fv_matrix, 1);
  const gint64 first = is_composite (d) ? 0 : d->channel;
  const gint64 channels = is_composite (d) ? MIN (d->info->channels, LOOK_COMPOSITE) : 1;
  *limits = (fv_matrix){.planes = 1, .rows = (int32_t) channels, .columns = 4};
  for (gint64 i = 0; i < channels; i++) {
    const gint64 c = first + i;
    memcpy (&limits->v[4 * i],
            (const double[]){d->limits[c].low, d->limits[c].high, d->settings[c].gamma, d->settings[c].a},
            4 * sizeof (double));
  }
  if (a->args && !args_put (a->args, args_param (a->op, "contrast"), limits, a->error))
    g_clear_pointer (&a->args, g_free);
}

/* "#2", after the colors have been added as the second ones. */
static char *
give_table (const Lut *lut, GString *colors)
{
  const gsize digits = 256 * 6, number = (colors->len + 1) / (digits + 1) + 1;
  if (colors->len)
    g_string_append_c (colors, ',');
  for (int i = 0; i < 256; i++)
    g_string_append_printf (colors, "%02x%02x%02x", lut->rgb[i][0], lut->rgb[i][1], lut->rgb[i][2]);
  return g_strdup_printf ("#%zu", number);
}

static void
put_luts (Arguments *a, const DisplayLook *d)
{
  g_autoptr (GString) luts = g_string_new (NULL), colors = g_string_new (NULL);
  Lut table;
  gboolean any = FALSE;
  for (gint64 c = 0; c < d->info->channels; c++) {
    const ViewChannel *look = &d->settings[c];
    const char *lut = look->hidden ? "gray" : *look->lut || d->info->role != FV_MASK ? look->lut : "gray";
    g_autofree char *given = *lut && luts_find (lut, &table) ? give_table (&table, colors) : NULL;
    g_string_append_printf (luts, "%s%s", c ? "," : "", given ? given : lut);
    any |= *lut != 0;
  }
  if (any)
    put_word (a, "luts", luts->str);
  if (colors->len)
    put_word (a, "colors", colors->str);
}

static void
put_stretches (Arguments *a, const DisplayLook *d)
{
  g_autoptr (GString) stretches = g_string_new (NULL);
  gboolean any = FALSE;
  for (gint64 c = 0; c < d->info->channels; c++) {
    g_string_append_printf (stretches, "%s%s", c ? "," : "", stretch_word (d->settings[c].stretch));
    any |= d->settings[c].stretch != STRETCH_LINEAR;
  }
  if (any)
    put_word (a, "stretch", stretches->str);
}

gpointer
display_args_new (const DisplayLook *d, GError **error)
{
  Arguments a = {d->op, args_new (d->op, error), error};
  put_word (&a, "mode", is_composite (d) ? "composite" : "single");
  put_word (&a, "overlay_mode", d->fill ? "fill" : "outline");
  put (&a, "channel", (double) d->channel);
  put (&a, "z", (double) d->slice);
  put (&a, "x", d->area->x);
  put (&a, "y", d->area->y);
  put (&a, "zoom", d->area->zoom);
  put (&a, "width", d->area->width);
  put (&a, "height", d->area->height);
  put (&a, "overlay_alpha", d->overlay);
  if (d->limits)
    put_limits (&a, d);
  put_luts (&a, d);
  put_stretches (&a, d);
  return a.args;
}
