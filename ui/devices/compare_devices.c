/* SPDX-License-Identifier: MIT
 *
 * Runs on a worker of its own, so that it can be stopped and the window stays responsive.
 */
#include "ui/devices/compare_devices.h"

#include "ui/devices/device_bars.h"
#include "ui/widgets/button.h"
#include "ui/widgets/side_window.h"

#include <glib/gi18n.h>

enum { REPEAT = 5 };

#define DEVICES_FORM_TYPE (devices_form_get_type ())
G_DECLARE_FINAL_TYPE (DevicesForm, devices_form, FOVEA, DEVICES_FORM, GtkBox)

struct _DevicesForm {
  GtkBox parent;
  Modules *modules;
  Document *document;
  Worker *worker;
  Comparison *comparison; /* shown; or NULL */
  GtkLabel *state;
  GtkWidget *bars, *rerun, *cancel, *copy;
  GtkTextBuffer *table;
};

G_DEFINE_FINAL_TYPE (DevicesForm, devices_form, GTK_TYPE_BOX)

typedef struct {
  DevicesForm *form;
  Recipe *recipe;
  Image *source;
  Comparison *made;
} Job;

/* ---- On the worker ---- */

static gboolean
compare (gpointer data, Progress *progress, GError **error)
{
  Job *job = data;
  const DevicesForm *form = job->form;
  progress_enter (progress);
  job->made = comparison_make (form->modules, job->recipe, job->source, REPEAT, progress, error);
  progress_enter (NULL);
  return job->made != NULL;
}

/* ---- In the main loop ---- */

static void
set_working (DevicesForm *form, gboolean working, const char *state)
{
  gtk_label_set_text (form->state, state);
  gtk_widget_set_visible (form->cancel, working);
  gtk_widget_set_visible (form->rerun, !working);
  gtk_widget_set_sensitive (form->copy, form->comparison != NULL);
}

/* Takes the comparison, or NULL. */
static void
show (DevicesForm *form, Comparison *comparison)
{
  g_autofree char *text = comparison ? comparison_text (comparison) : g_strdup ("");
  device_bars_set (form->bars, comparison);
  g_clear_pointer (&form->comparison, comparison_free);
  form->comparison = comparison;
  gtk_text_buffer_set_text (form->table, text, -1);
}

static char *
state_of (const Job *job)
{
  return g_strdup_printf (_ ("The steps of %s, median of %d runs on each device."), image_info (job->source)->name,
                          REPEAT);
}

static void
finished (gpointer data, const GError *error)
{
  Job *job = data;
  DevicesForm *form = job->form;
  if (form->worker) { /* the window is still there */
    g_autofree char *state = error ? g_strdup (error->message) : state_of (job);
    show (form, g_steal_pointer (&job->made));
    set_working (form, FALSE, state);
  }
  g_clear_pointer (&job->made, comparison_free);
  recipe_unref (job->recipe);
  image_unref (job->source);
  g_object_unref (form);
  g_free (job);
}

static void
begin (DevicesForm *form)
{
  Job *job = g_new0 (Job, 1);
  *job = (Job){g_object_ref (form), recipe_ref (document_recipe (form->document)),
               image_ref (document_source (form->document)), NULL};
  g_autofree char *state = g_strdup_printf (_ ("The steps of %s run on each device…"), image_info (job->source)->name);
  show (form, NULL);
  set_working (form, TRUE, state);
  worker_push (form->worker, &(WorkerJob){compare, finished, job, form});
}

static void
cancel (DevicesForm *form)
{
  worker_cancel (form->worker);
}

static void
copy (DevicesForm *form)
{
  g_autofree char *text = comparison_text (form->comparison);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (form)), text);
}

static void
close_window (DevicesForm *form)
{
  gtk_window_close (side_window_of (form));
}

/* ---- What it is made of ---- */

static GtkWidget *
make_table (DevicesForm *form)
{
  GtkWidget *scroller = gtk_scrolled_window_new (), *text = gtk_text_view_new ();
  GtkTextView *view = GTK_TEXT_VIEW (text);
  form->table = gtk_text_view_get_buffer (view);
  gtk_text_view_set_editable (view, FALSE);
  gtk_text_view_set_cursor_visible (view, FALSE);
  gtk_text_view_set_monospace (view, TRUE);
  gtk_text_view_set_accepts_tab (view, FALSE);
  gtk_text_view_set_left_margin (view, 12);
  gtk_text_view_set_right_margin (view, 12);
  gtk_text_view_set_top_margin (view, 12);
  gtk_text_view_set_bottom_margin (view, 12);
  gtk_accessible_update_property (GTK_ACCESSIBLE (text), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Comparison of devices"),
                                  -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), text);
  gtk_widget_set_vexpand (scroller, TRUE);
  return scroller;
}

static GtkWidget *
make_buttons (DevicesForm *form)
{
  GtkWidget *buttons = side_window_buttons ();
  form->rerun = button_with_text (_ ("_Run Again"), _ ("Compare the current steps"), G_CALLBACK (begin), form);
  form->cancel = button_with_text (_ ("C_ancel"), _ ("Stop measuring"), G_CALLBACK (cancel), form);
  form->copy = button_with_text (_ ("C_opy"), _ ("Copy the whole table"), G_CALLBACK (copy), form);
  gtk_box_append (GTK_BOX (buttons), form->rerun);
  gtk_box_append (GTK_BOX (buttons), form->cancel);
  gtk_box_append (GTK_BOX (buttons), form->copy);
  gtk_box_append (GTK_BOX (buttons), button_with_text (_ ("_Close"), NULL, G_CALLBACK (close_window), form));
  return buttons;
}

static void
devices_form_dispose (GObject *object)
{
  DevicesForm *form = FOVEA_DEVICES_FORM (object);
  g_clear_pointer (&form->worker, worker_free);
  g_clear_object (&form->document);
  G_OBJECT_CLASS (devices_form_parent_class)->dispose (object);
}

static void
devices_form_finalize (GObject *object)
{
  g_clear_pointer (&FOVEA_DEVICES_FORM (object)->comparison, comparison_free);
  G_OBJECT_CLASS (devices_form_parent_class)->finalize (object);
}

static void
devices_form_class_init (DevicesFormClass *class)
{
  G_OBJECT_CLASS (class)->dispose = devices_form_dispose;
  G_OBJECT_CLASS (class)->finalize = devices_form_finalize;
}

static void
devices_form_init (DevicesForm *form)
{
  GtkWidget *state = side_window_text (NULL);
  form->worker = worker_new_modest (WORKER_LATER);
  form->state = GTK_LABEL (state);
  form->bars = device_bars_new ();
  gtk_widget_set_margin_start (state, 12);
  gtk_widget_set_margin_end (state, 12);
  gtk_widget_set_margin_top (state, 12);
  gtk_box_append (GTK_BOX (form), state);
  gtk_box_append (GTK_BOX (form), form->bars);
  gtk_box_append (GTK_BOX (form), make_table (form));
  gtk_box_append (GTK_BOX (form), make_buttons (form));
}

void
compare_devices_show (GtkWindow *window, Modules *modules, View *view)
{
  GtkBox *box = side_window_show (window, "compare-devices", _ ("Compare Devices"), 760, 640);
  DevicesForm *form = g_object_new (DEVICES_FORM_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, NULL);
  form->modules = modules;
  form->document = g_object_ref (view_document (view));
  gtk_box_append (box, GTK_WIDGET (form));
  begin (form);
}
