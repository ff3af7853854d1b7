/* SPDX-License-Identifier: MIT
 */
#include "ui/macro/selections.h"

#include "core/measure/measurements.h"
#include "ui/macro/steps.h"

/* ---- Position, look and selections ---- */

static void
in_position (gpointer data)
{
  MacroAsk *a = data;
  Page *page = macro_ask_page (a);
  if (page)
    *(PlanePosition *) a->in = view_wish (page_view (page));
}

static PlanePosition
host_position (gpointer self, guint image)
{
  PlanePosition position = {0};
  macro_ask (self, in_position, image, &position);
  return position;
}

static void
in_set_position (gpointer data)
{
  const MacroAsk *a = data;
  Page *page = macro_ask_page (a);
  if (page)
    view_set_wish (page_view (page), *(const PlanePosition *) a->in);
}

static void
host_set_position (gpointer self, guint image, PlanePosition position)
{
  macro_ask (self, in_set_position, image, &position);
}

typedef struct {
  gint64 channel;
  ViewChannel look;
} Look;

static void
in_look (gpointer data)
{
  MacroAsk *a = data;
  Page *page = macro_ask_page (a);
  Look *asked = (gpointer) a->in;
  if (page)
    asked->look = *view_look (page_view (page), asked->channel);
}

static ViewChannel
host_look (gpointer self, guint image, gint64 channel)
{
  Look asked = {channel, LOOK_USUAL};
  macro_ask (self, in_look, image, &asked);
  return asked.look;
}

static void
in_set_look (gpointer data)
{
  const MacroAsk *a = data;
  const Look *wanted = a->in;
  Page *page = macro_ask_page (a);
  if (page)
    view_keep_look (page_view (page), wanted->channel, &wanted->look);
}

static void
host_set_look (gpointer self, guint image, gint64 channel, const ViewChannel *look)
{
  macro_ask (self, in_set_look, image, &(Look){channel, *look});
}

static void
in_selection (gpointer data)
{
  MacroAsk *a = data;
  Page *page = macro_ask_page (a);
  const Selection *selection = page ? selections_current (page_selections (page)) : NULL;
  a->out = selection ? selection_copy (selection) : NULL;
}

static Selection *
host_selection (gpointer self, guint image)
{
  return macro_ask (self, in_selection, image, NULL);
}

static void
in_set_selection (gpointer data)
{
  const MacroAsk *a = data;
  Page *page = macro_ask_page (a);
  if (page)
    selections_set_current (page_selections (page), a->in ? selection_copy (a->in) : NULL);
}

static void
host_set_selection (gpointer self, guint image, const Selection *selection)
{
  macro_ask (self, in_set_selection, image, selection);
}

static void
in_kept (gpointer data)
{
  MacroAsk *a = data;
  Page *page = macro_ask_page (a);
  a->out = page ? selections_copy_kept (page_selections (page))
                : g_ptr_array_new_with_free_func ((GDestroyNotify) selection_free);
}

static GPtrArray *
host_kept (gpointer self, guint image)
{
  return macro_ask (self, in_kept, image, NULL);
}

static void
in_set_kept (gpointer data)
{
  const MacroAsk *a = data;
  Page *page = macro_ask_page (a);
  if (page)
    selections_set_kept (page_selections (page), a->in);
}

static void
host_set_kept (gpointer self, guint image, const GPtrArray *selections)
{
  macro_ask (self, in_set_kept, image, selections);
}

typedef struct {
  const char *command, *text;
} Did;

static void
in_did (gpointer data)
{
  const MacroAsk *a = data;
  const Did *did = a->in;
  Page *page = macro_ask_page (a);
  if (page)
    selections_did (page_selections (page), did->command, did->text);
}

static void
host_did (gpointer self, guint image, const char *command, const char *text)
{
  macro_ask (self, in_did, image, &(Did){command, text});
}

/* ---- Measurements ---- */

static void
in_step_image (gpointer data)
{
  MacroAsk *a = data;
  const Run *run = macro_steps_run (a);
  if (run)
    a->out = image_ref (run_image_at (run, (int) MIN (GPOINTER_TO_UINT (a->in), G_MAXINT) - 1));
}

typedef struct {
  Table *rows;
  gboolean kept;
  guint step;
} Measured;

static void
in_measured_more (gpointer data)
{
  MacroAsk *a = data;
  const Measured *made = a->in;
  Page *page = macro_ask_page (a);
  if (page)
    measurements_extend (page_measurements (page), made->rows, made->kept, made->step, &a->error);
  else
    macro_ask_closed (&a->error);
}

static gboolean
host_measure (gpointer self, guint image, guint step, const GPtrArray *selections, gboolean kept, GError **error)
{
  MacroStage *s = self;
  g_autoptr (Image) of = macro_steps_results (s, in_step_image, image, GUINT_TO_POINTER (step), error);
  if (!of || !macro_steps_fetch (s, of, error))
    return FALSE;
  g_autoptr (Table) made = measurements_make (of, plane_within (image_info (of), host_position (s, image)), selections,
                                              progress_current (), error);
  return made && macro_ask_or_fail (s, in_measured_more, image, &(Measured){made, kept, step}, error);
}

static void
in_measured (gpointer data)
{
  MacroAsk *a = data;
  Page *page = macro_ask_page (a);
  Table *table = page ? measurements_table (page_measurements (page)) : NULL;
  a->out = table ? table_ref (table) : NULL;
}

static Table *
host_measured (gpointer self, guint image)
{
  return macro_ask (self, in_measured, image, NULL);
}

static void
in_clear_measured (gpointer data)
{
  Page *page = macro_ask_page (data);
  if (page)
    measurements_clear (page_measurements (page));
}

static void
host_clear_measured (gpointer self, guint image)
{
  macro_ask (self, in_clear_measured, image, NULL);
}

void
macro_selections_add (MacroHost *host)
{
  host->position = host_position;
  host->set_position = host_set_position;
  host->look = host_look;
  host->set_look = host_set_look;
  host->selection = host_selection;
  host->set_selection = host_set_selection;
  host->kept = host_kept;
  host->set_kept = host_set_kept;
  host->did = host_did;
  host->measure = host_measure;
  host->measured = host_measured;
  host->clear_measured = host_clear_measured;
}
