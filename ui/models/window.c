/* SPDX-License-Identifier: MIT
 *
 * Models are read, tested and copied on a worker of the window; the list and buttons are the main loop's.
 */
#include "ui/models/window.h"

#include "core/base/error.h"
#include "core/base/worker.h"
#include "core/ops/models.h"
#include "ui/widgets/button.h"
#include "ui/widgets/file_filters.h"
#include "ui/widgets/naming.h"
#include "ui/widgets/side_window.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>
#include <string.h>

#define MODELS_FORM_TYPE (models_form_get_type ())
G_DECLARE_FINAL_TYPE (ModelsForm, models_form, FOVEA, MODELS_FORM, GtkBox)

struct _ModelsForm {
  GtkBox parent;
  const Modules *modules;
  Worker *worker;
  GPtrArray *models; /* of Model, as the rows of the list */
  GtkListBox *list;
  GtkScrolledWindow *card;
  GtkLabel *state; /* what was done, or is wrong */
  GtkWidget *add, *test, *remove, *cancel;
};

G_DEFINE_FINAL_TYPE (ModelsForm, models_form, GTK_TYPE_BOX)

typedef gboolean (*Work) (gpointer data, Progress *progress, GError **error);

typedef struct {
  ModelsForm *form;
  Work work;
  GPtrArray *models;  /* holds the model */
  const Model *model; /* or NULL */
  char *path;         /* of what is added */
  GPtrArray *card;
  char *text; /* a report, or the name of what was added */
} Job;

static void
say (ModelsForm *form, const char *text, gboolean fault)
{
  gtk_label_set_text (form->state, text);
  gtk_widget_set_visible (GTK_WIDGET (form->state), *text);
  (fault ? gtk_widget_add_css_class : gtk_widget_remove_css_class) (GTK_WIDGET (form->state), "error");
}

/* ---- The list ---- */

/* The one that is chosen; NULL: none. */
static const Model *
chosen (const ModelsForm *form)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (form->list);
  return row ? form->models->pdata[gtk_list_box_row_get_index (row)] : NULL;
}

static void
set_working (ModelsForm *form, gboolean working)
{
  const Model *model = chosen (form);
  gtk_widget_set_visible (form->cancel, working);
  gtk_widget_set_sensitive (form->add, !working);
  gtk_widget_set_sensitive (form->test, !working && model);
  gtk_widget_set_sensitive (form->remove, !working && model && model->path);
}

static GtkWidget *
row_of (const Model *model)
{
  g_autofree char *of = model->plugin ? g_strdup_printf (_ ("Part of the plugin %s"), model->plugin) : NULL;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *name = gtk_label_new (model->name),
            *origin = gtk_label_new (of            ? of
                                     : model->path ? _ ("Added")
                                                   : _ ("Part of Fovea"));
  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_xalign (GTK_LABEL (origin), 0);
  gtk_label_set_ellipsize (GTK_LABEL (origin), PANGO_ELLIPSIZE_END);
  gtk_widget_set_tooltip_text (origin, of);
  gtk_widget_add_css_class (origin, "caption");
  gtk_widget_add_css_class (origin, "dim-label");
  gtk_widget_set_margin_start (box, 6);
  gtk_widget_set_margin_end (box, 6);
  gtk_widget_set_margin_top (box, 4);
  gtk_widget_set_margin_bottom (box, 4);
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), origin);
  return box;
}

/* As they are now; the one of that name, or else the first, is chosen. */
static void
fill_list (ModelsForm *form, const char *name)
{
  GtkWidget *row;
  guint n = 0;
  while ((row = GTK_WIDGET (gtk_list_box_get_row_at_index (form->list, 0))))
    gtk_list_box_remove (form->list, row);
  g_clear_pointer (&form->models, g_ptr_array_unref);
  form->models = models_list (form->modules, NULL);
  for (guint i = 0; i < form->models->len; i++) {
    const Model *model = form->models->pdata[i];
    gtk_list_box_append (form->list, row_of (model));
    naming_set (GTK_WIDGET (gtk_list_box_get_row_at_index (form->list, (int) i)), model->name);
    n = name && !strcmp (model->name, name) ? i : n;
  }
  gtk_list_box_select_row (form->list, gtk_list_box_get_row_at_index (form->list, (int) n));
}

/* ---- The card ---- */

/* NULL: empty. */
static void
show_card (ModelsForm *form, const GPtrArray *card)
{
  GtkWidget *grid = gtk_grid_new ();
  gtk_grid_set_row_spacing (GTK_GRID (grid), 8);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_widget_set_margin_start (grid, 12);
  gtk_widget_set_margin_end (grid, 12);
  gtk_widget_set_margin_top (grid, 12);
  gtk_widget_set_margin_bottom (grid, 12);
  for (guint i = 0; card && i < card->len; i++) {
    const ModelLine *line = card->pdata[i];
    side_window_line (GTK_GRID (grid), (int) i, words_shown (line->label), side_window_text (line->text));
  }
  gtk_scrolled_window_set_child (form->card, grid);
}

/* ---- Jobs ---- */

static gboolean
read_card (gpointer data, Progress *progress, GError **error)
{
  Job *job = data;
  (void) progress;
  return (job->card = model_card (job->model, error)) != NULL;
}

static gboolean
test (gpointer data, Progress *progress, GError **error)
{
  Job *job = data;
  progress_enter (progress);
  job->text = model_test (job->model, error);
  progress_enter (NULL);
  return job->text != NULL;
}

static gboolean
add (gpointer data, Progress *progress, GError **error)
{
  Job *job = data;
  progress_enter (progress);
  g_autoptr (Model) model = models_add (job->form->modules, job->path, error);
  progress_enter (NULL);
  job->text = model ? g_strdup (model->name) : NULL;
  return model != NULL;
}

static void
job_free (Job *job)
{
  g_ptr_array_unref (job->models);
  g_clear_pointer (&job->card, g_ptr_array_unref);
  g_free (job->path);
  g_free (job->text);
  g_object_unref (job->form);
  g_free (job);
}

static void
finished (gpointer data, const GError *error)
{
  Job *job = data;
  ModelsForm *form = job->form;
  const gboolean card = job->work == read_card;
  if (form->worker && !(card && step_error_is_cancelled (error))) { /* the window is still there, and wants it */
    g_autofree char *added =
      job->work == add && !error ? g_strdup_printf (_ ("Added %s. Steps choose it by this name."), job->text) : NULL;
    if (card)
      show_card (form, job->card);
    if (added)
      fill_list (form, job->text);
    if (!card || error)
      say (form, error ? error->message : added ? added : job->text, error != NULL);
    set_working (form, FALSE);
  }
  job_free (job);
}

/* Takes the path. */
static void
begin (ModelsForm *form, Work work, char *path)
{
  Job *job = g_new0 (Job, 1);
  *job = (Job){g_object_ref (form), work, g_ptr_array_ref (form->models), chosen (form), path, NULL, NULL};
  worker_push (form->worker, &(WorkerJob){work, finished, job, form});
}

/* ---- What the user does ---- */

static void
on_row (ModelsForm *form, GtkListBoxRow *row)
{
  say (form, "", FALSE);
  set_working (form, FALSE);
  if (row)
    begin (form, read_card, NULL);
}

static void
on_test (ModelsForm *form)
{
  set_working (form, TRUE);
  say (form, _ ("The model runs on its test image…"), FALSE);
  begin (form, test, NULL);
}

static void
on_chosen (GtkFileChooserNative *chooser, int response, ModelsForm *form)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  char *path = response == GTK_RESPONSE_ACCEPT && file ? g_file_get_path (file) : NULL;
  if (path && form->worker) {
    set_working (form, TRUE);
    say (form, _ ("The file is checked and tested…"), FALSE);
    begin (form, add, path);
  }
  g_object_unref (chooser);
}

/* Names of files of each kind of models. */
static void
add_filters (const ModelsForm *form, GtkFileChooser *chooser)
{
  const fv_models *last = NULL;
  for (guint i = 0; i < form->models->len; i++) {
    const Model *model = form->models->pdata[i];
    if (model->of != last)
      file_filters_add (chooser, _ ("Models"), model->of->endings);
    last = model->of;
  }
}

static void
on_add (ModelsForm *form)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (_ ("Add a Model"), side_window_of (form),
                                                               GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Add"), _ ("_Cancel"));
  add_filters (form, GTK_FILE_CHOOSER (chooser));
  g_signal_connect_object (chooser, "response", G_CALLBACK (on_chosen), form, 0);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
on_answer (GtkDialog *dialog, int response, ModelsForm *form)
{
  const Model *model = chosen (form);
  g_autoptr (GError) error = NULL;
  gtk_window_destroy (GTK_WINDOW (dialog));
  if (response != GTK_RESPONSE_ACCEPT || !model)
    return;
  if (model_remove (model, &error))
    fill_list (form, NULL);
  else
    say (form, error->message, TRUE);
}

static void
on_remove (ModelsForm *form)
{
  GtkWidget *dialog = gtk_message_dialog_new (
    side_window_of (form), GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT, GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE,
    _ ("Remove the model %s from this computer? Steps that name it will not run."), chosen (form)->name);
  gtk_dialog_add_button (GTK_DIALOG (dialog), _ ("_Cancel"), GTK_RESPONSE_CANCEL);
  gtk_dialog_add_button (GTK_DIALOG (dialog), _ ("_Remove"), GTK_RESPONSE_ACCEPT);
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), GTK_RESPONSE_CANCEL);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_answer), form, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
on_cancel (ModelsForm *form)
{
  worker_cancel (form->worker);
}

static void
on_close (ModelsForm *form)
{
  gtk_window_close (side_window_of (form));
}

/* ---- What it is made of ---- */

static void
models_form_dispose (GObject *object)
{
  ModelsForm *form = FOVEA_MODELS_FORM (object);
  g_clear_pointer (&form->worker, worker_free);
  G_OBJECT_CLASS (models_form_parent_class)->dispose (object);
}

static void
models_form_finalize (GObject *object)
{
  g_clear_pointer (&FOVEA_MODELS_FORM (object)->models, g_ptr_array_unref);
  G_OBJECT_CLASS (models_form_parent_class)->finalize (object);
}

static void
models_form_class_init (ModelsFormClass *class)
{
  G_OBJECT_CLASS (class)->dispose = models_form_dispose;
  G_OBJECT_CLASS (class)->finalize = models_form_finalize;
}

static GtkWidget *
make_buttons (ModelsForm *form)
{
  GtkWidget *buttons = side_window_buttons ();
  form->cancel = button_with_text (_ ("C_ancel"), _ ("Stop the test"), G_CALLBACK (on_cancel), form);
  form->add = button_with_text (_ ("_Add…"), _ ("Add a package of the BioImage Model Zoo, or an ONNX file"),
                                G_CALLBACK (on_add), form);
  form->test =
    button_with_text (_ ("_Test"), _ ("Run the test image of the model, and compare"), G_CALLBACK (on_test), form);
  form->remove =
    button_with_text (_ ("_Remove…"), _ ("Remove the model from this computer"), G_CALLBACK (on_remove), form);
  gtk_box_append (GTK_BOX (buttons), form->cancel);
  gtk_box_append (GTK_BOX (buttons), form->add);
  gtk_box_append (GTK_BOX (buttons), form->test);
  gtk_box_append (GTK_BOX (buttons), form->remove);
  gtk_box_append (GTK_BOX (buttons), button_with_text (_ ("_Close"), NULL, G_CALLBACK (on_close), form));
  return buttons;
}

static void
models_form_init (ModelsForm *form)
{
  GtkWidget *panes = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL), *list = gtk_list_box_new (),
            *scroller = gtk_scrolled_window_new (), *card = gtk_scrolled_window_new (),
            *state = side_window_text (NULL);
  form->worker = worker_new ();
  form->list = GTK_LIST_BOX (list);
  form->card = GTK_SCROLLED_WINDOW (card);
  form->state = GTK_LABEL (state);
  gtk_list_box_set_selection_mode (form->list, GTK_SELECTION_BROWSE);
  naming_set (list, _ ("Models"));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), list);
  gtk_scrolled_window_set_policy (form->card, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_paned_set_start_child (GTK_PANED (panes), scroller);
  gtk_paned_set_end_child (GTK_PANED (panes), card);
  gtk_paned_set_position (GTK_PANED (panes), 180);
  gtk_paned_set_resize_start_child (GTK_PANED (panes), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (panes), FALSE);
  gtk_widget_set_vexpand (panes, TRUE);
  gtk_widget_set_margin_start (state, 12);
  gtk_widget_set_margin_end (state, 12);
  gtk_widget_set_margin_top (state, 6);
  gtk_box_append (GTK_BOX (form), panes);
  gtk_box_append (GTK_BOX (form), state);
  gtk_box_append (GTK_BOX (form), make_buttons (form));
  g_signal_connect_object (list, "row-selected", G_CALLBACK (on_row), form, G_CONNECT_SWAPPED);
}

void
models_window_show (GtkWindow *parent, const Modules *modules)
{
  GtkBox *box = side_window_show (parent, "models", _ ("Models"), 760, 560);
  ModelsForm *form = g_object_new (MODELS_FORM_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, NULL);
  form->modules = modules;
  gtk_box_append (box, GTK_WIDGET (form));
  fill_list (form, NULL);
}
