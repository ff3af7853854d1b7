/* SPDX-License-Identifier: MIT
 */
#include "ui/results/export.h"

#include "core/document/table_export.h"
#include "ui/results/column_names.h"
#include "ui/results/export_dialog.h"
#include "ui/results/output.h"
#include "ui/widgets/file_dialog.h"

#include <glib/gi18n.h>

struct _ResultsExport {
  GObject parent;
  GtkWidget *pane; /* NULL: it has gone */
  View *view;
  ResultsModel *model;
  const char *name;
  GtkFileChooserNative *chooser;
  char *exported;   /* the steps that made what is exported; NULL: it was measured by hand */
  const char *verb; /* for document_saved(), as this is: */
  char *options;
};

G_DEFINE_FINAL_TYPE (ResultsExport, results_export, G_TYPE_OBJECT)

enum { SAID, FAILED, SIGNALS };
static guint signals[SIGNALS];

static void
on_done (GObject *object, GAsyncResult *result, gpointer data)
{
  ResultsExport *self = FOVEA_RESULTS_EXPORT (object);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = results_output_finish (result, &error);
  (void) data;
  if (!self->pane || !gtk_widget_get_root (self->pane))
    return;
  if (error)
    g_signal_emit (self, signals[FAILED], 0, error->message);
  else
    g_signal_emit (self, signals[SAID], 0, text);
  if (text && results_output_path (result))
    document_saved (view_document (self->view), self->exported, self->verb, results_output_path (result),
                    self->options);
}

void
results_export_copy (ResultsExport *self)
{
  g_autoptr (GBytes) rows = results_model_rows (self->model, TRUE);
  Table *table = results_model_table (self->model);
  if (!table || !table_columns (table))
    return;
  if (!g_bytes_get_size (rows)) {
    g_bytes_unref (rows);
    rows = results_model_rows (self->model, FALSE);
  }
  g_signal_emit (self, signals[SAID], 0, _ ("Copying…"));
  results_output_copy (table, rows, gtk_widget_get_clipboard (self->pane), on_done, self);
}

/* For the record: which rows are shown, in which order, and what was chosen. Free with g_free(). */
static char *
options_of (const ResultsModel *model, GtkFileChooser *chooser)
{
  g_autoptr (TableExport) choices = table_export_new ();
  const Table *table = results_model_table (model);
  const char *sort = results_model_sorted (model, &choices->descending);
  choices->semicolon = export_dialog_separator (chooser) == ';';
  choices->image = export_dialog_has_image (chooser);
  choices->imagej = column_names_are_imagej ();
  choices->sort = sort && table_find (table, sort) ? sort : NULL;
  for (guint j = 0; j < table_columns (table); j++) {
    const RowRange *range = results_model_range (model, table_column (table, j)->key);
    if (range)
      g_array_append_val (choices->ranges, *range);
  }
  return table_export_format (choices);
}

static void
on_response (ResultsExport *self, int response, GtkFileChooser *chooser)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *to = response == GTK_RESPONSE_ACCEPT ? file_dialog_path (chooser, ".csv", &error) : NULL;
  Table *table = results_model_table (self->model);
  Document *document = view_document (self->view);
  if (error)
    g_signal_emit (self, signals[FAILED], 0, error->message);
  if (to && table) {
    g_autoptr (GBytes) rows = results_model_rows (self->model, FALSE);
    g_autofree char *image = export_dialog_image (chooser, document);
    g_signal_emit (self, signals[SAID], 0, _ ("Exporting…"));
    g_free (self->exported);
    const gboolean made = table == run_last_table (document_run (document));
    self->exported = made ? recipe_format (run_recipe (document_run (document))) : NULL;
    self->verb = made ? "export" : "export-measured";
    g_free (self->options);
    self->options = options_of (self->model, chooser);
    results_output_save (table, rows, to, export_dialog_separator (chooser), image, on_done, self);
  }
  g_clear_object (&self->chooser);
}

void
results_export_ask (ResultsExport *self)
{
  if (self->chooser)
    return;
  self->chooser =
    export_dialog_new (GTK_WINDOW (gtk_widget_get_root (self->pane)), view_document (self->view), self->name);
  g_signal_connect_object (self->chooser, "response", G_CALLBACK (on_response), self, G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

static void
results_export_dispose (GObject *object)
{
  ResultsExport *self = FOVEA_RESULTS_EXPORT (object);
  g_clear_weak_pointer (&self->pane);
  g_clear_object (&self->chooser);
  g_clear_object (&self->view);
  g_clear_object (&self->model);
  g_clear_pointer (&self->exported, g_free);
  g_clear_pointer (&self->options, g_free);
  G_OBJECT_CLASS (results_export_parent_class)->dispose (object);
}

static void
results_export_class_init (ResultsExportClass *class)
{
  G_OBJECT_CLASS (class)->dispose = results_export_dispose;
  signals[SAID] =
    g_signal_new ("said", RESULTS_EXPORT_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[FAILED] =
    g_signal_new ("failed", RESULTS_EXPORT_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
results_export_init (ResultsExport *self)
{
  (void) self;
}

ResultsExport *
results_export_new (GtkWidget *pane, View *view, ResultsModel *model, const char *name)
{
  ResultsExport *self = g_object_new (RESULTS_EXPORT_TYPE, NULL);
  g_set_weak_pointer (&self->pane, pane);
  self->view = g_object_ref (view);
  self->model = g_object_ref (model);
  self->name = name;
  return self;
}
