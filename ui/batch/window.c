/* SPDX-License-Identifier: MIT
 *
 * The steps are always those of the page in front, as they are now: what one tries there on an image is what the batch does. While it
 * runs they are those that it began with.
 */
#include "ui/batch/window.h"

#include "core/batch/recipe_job.h"
#include "ui/batch/inputs_list.h"
#include "ui/batch/outputs_form.h"
#include "ui/batch/progress_list.h"
#include "ui/batch/table_window.h"
#include "ui/shell/native_dialog.h"
#include "ui/view/shown_value.h"
#include "ui/widgets/button.h"
#include "ui/widgets/side_window.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>

#define KEY "batch"
#define TICK 100 /* ms */

#define BATCH_FORM_TYPE (batch_form_get_type ())
G_DECLARE_FINAL_TYPE (BatchForm, batch_form, FOVEA, BATCH_FORM, GtkBox)

struct _BatchForm {
  GtkBox parent;
  Shell *shell;
  Worker *worker;
  Runner *runner;
  Viewer *viewer;
  Document *document; /* of the page in front; NULL: none */
  gulong on_steps;
  GtkLabel *whose, *steps, *missing;
  InputsList *inputs;
  OutputsForm *outputs;
  ProgressList *progress;
  GtkWidget *entries; /* all that says what to do */
  GtkWidget *preview, *table, *stop, *start;
  guint timer;
};

G_DEFINE_FINAL_TYPE (BatchForm, batch_form, GTK_TYPE_BOX)

/* ---- What is to be done ---- */

/* "Gaussian Blur: Sigma 2 px", a line for each step. */
static char *
words_of (const Recipe *recipe)
{
  GString *s = g_string_new (NULL);
  for (guint i = 0; i < recipe_length (recipe); i++) {
    const Step *step = recipe_step (recipe, i);
    g_autofree char *title = words_title (step->op), *values = shown_step (step);
    if (!step->skipped)
      g_string_append_printf (s, "%s%s%s%s", s->len ? "\n" : "", title, *values ? ": " : "", values);
  }
  return g_string_free (s, FALSE);
}

static const Recipe *
recipe_of (const BatchForm *self)
{
  const Recipe *recipe = self->document ? document_recipe (self->document) : NULL;
  return recipe && recipe_length (recipe) ? recipe : NULL;
}

static gboolean
saves_anything (const BatchForm *self)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free),
                        patterns = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *table = outputs_form_table (self->outputs), *images = outputs_form_images (self->outputs);
  outputs_form_results (self->outputs, names, patterns);
  return table || images || names->len;
}

static gboolean
tables_are_one (const BatchForm *self)
{
  g_autofree char *table = outputs_form_table (self->outputs), *images = outputs_form_images (self->outputs);
  return table && !g_strcmp0 (table, images);
}

/* What has to be said yet before it can begin; NULL: nothing. */
static const char *
missing (const BatchForm *self)
{
  g_autofree char *folder = outputs_form_folder (self->outputs);
  if (!recipe_of (self))
    return _ ("Add steps to an image; the batch applies the same steps.");
  if (inputs_list_is_empty (self->inputs))
    return _ ("Add images.");
  if (!folder)
    return _ ("Choose a folder for the results.");
  if (!saves_anything (self))
    return _ ("Name a table or choose what to save for each image.");
  if (tables_are_one (self))
    return _ ("Give the two tables different names.");
  return outputs_form_there (self->outputs) == OUTPUTS_UNKNOWN ? "" : NULL;
}

static void
update_buttons (BatchForm *self)
{
  gboolean going = runner_is_going (self->runner);
  OutputsThere there = outputs_form_there (self->outputs);
  const char *said = going ? "" : missing (self);
  gtk_label_set_text (self->missing, said ? said : "");
  gtk_widget_set_sensitive (self->start, !said);
  gtk_button_set_label (GTK_BUTTON (self->start), there == OUTPUTS_SAME    ? _ ("_Resume")
                                                  : there == OUTPUTS_OTHER ? _ ("R_eplace")
                                                                           : _ ("_Start"));
  gtk_widget_set_visible (self->start, !going);
  gtk_widget_set_visible (self->stop, going);
  gtk_widget_set_visible (self->table, !going && runner_table (self->runner));
  gtk_widget_set_sensitive (self->entries, !going);
  gtk_widget_set_sensitive (self->preview, inputs_list_first (self->inputs) && recipe_of (self));
}

static void
update_steps (BatchForm *self)
{
  const Recipe *recipe = recipe_of (self);
  if (runner_is_going (self->runner))
    return;
  if (recipe) {
    g_autofree char *words = words_of (recipe), *text = recipe_format (recipe),
                    *whose = g_strdup_printf (_ ("Steps of %s"), image_info (document_source (self->document))->name);
    gtk_label_set_text (self->whose, whose);
    gtk_label_set_text (self->steps, words);
    gtk_widget_set_tooltip_text (GTK_WIDGET (self->steps), text);
    outputs_form_set_recipe (self->outputs, recipe);
  } else {
    gtk_label_set_text (self->whose, _ ("Steps"));
    gtk_label_set_text (self->steps, _ ("The front image has none."));
    gtk_widget_set_tooltip_text (GTK_WIDGET (self->steps), NULL);
  }
  update_buttons (self);
}

static void
on_front (BatchForm *self)
{
  Page *page = self->shell ? shell_page (self->shell) : NULL;
  Document *document = page ? view_document (page_view (page)) : NULL;
  if (self->document)
    g_clear_signal_handler (&self->on_steps, self->document);
  g_set_object (&self->document, document);
  if (self->document)
    self->on_steps = g_signal_connect_swapped (self->document, "steps", G_CALLBACK (update_steps), self);
  update_steps (self);
}

static void
on_outputs (BatchForm *self)
{
  g_autofree char *folder = outputs_form_folder (self->outputs);
  inputs_list_set_out (self->inputs, folder);
  update_buttons (self);
}

/* ---- Doing it ---- */

static gboolean
on_tick (gpointer data)
{
  BatchForm *self = data;
  progress_list_update (self->progress, self->runner);
  return G_SOURCE_CONTINUE;
}

static void start (BatchForm *self);

static void
on_answered (gpointer form, gboolean run)
{
  g_autoptr (BatchForm) self = form;
  if (run && self->shell && !missing (self))
    start (self);
}

/* Nothing is begun before code of the steps may run. */
static void
start (BatchForm *self)
{
  const Recipe *recipe = recipe_of (self);
  if (native_dialog_needed (recipe)) {
    native_dialog_ask (side_window_of (self), document_modules (self->document), recipe, on_answered,
                       g_object_ref (self));
    return;
  }
  Table *like = run_last_table (document_run (self->document));
  RunnerTask task = {.recipe = recipe_ref (recipe),
                     .inputs = inputs_list_names (self->inputs),
                     .folder = outputs_form_folder (self->outputs),
                     .table = outputs_form_table (self->outputs),
                     .images = outputs_form_images (self->outputs),
                     .pattern = outputs_form_pattern (self->outputs),
                     .group = outputs_form_group (self->outputs),
                     .names = g_ptr_array_new_with_free_func (g_free),
                     .patterns = g_ptr_array_new_with_free_func (g_free),
                     .device = g_strdup (document_device_key (self->document)),
                     .resume = outputs_form_there (self->outputs) != OUTPUTS_NONE,
                     .like = like ? table_ref (like) : NULL};
  outputs_form_results (self->outputs, task.names, task.patterns);
  runner_start (self->runner, &task);
  gtk_widget_set_visible (GTK_WIDGET (self->progress), TRUE);
  progress_list_update (self->progress, self->runner);
  self->timer = g_timeout_add (TICK, on_tick, self);
  update_buttons (self);
  gtk_widget_grab_focus (self->stop);
}

static void
show_table (BatchForm *self)
{
  table_window_show (GTK_WINDOW (self->shell), self->runner, self->viewer);
}

/* If the batch window is hidden, the main window reports the result. */
static void
on_ended (BatchForm *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  if (!self->shell)
    return;
  progress_list_update (self->progress, self->runner);
  update_steps (self);
  outputs_form_look (self->outputs);
  if (runner_table (self->runner))
    show_table (self);
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    shell_say (self->shell, GTK_MESSAGE_OTHER, _ ("The batch is done: see Macros ▸ Batch…."));
}

/* ---- Looking at images ---- */

static void
show_image (BatchForm *self, const char *path, guint series, const Recipe *recipe)
{
  g_autofree char *steps = recipe_format (recipe);
  viewer_show (self->viewer,
               &(ViewerWish){.path = path, .steps = steps, .series = series, .channel = -1, .slice = -1, .frame = -1});
}

static void
preview (BatchForm *self)
{
  show_image (self, inputs_list_first (self->inputs), 0, recipe_of (self));
}

static void
on_failure (BatchForm *self, guint number)
{
  g_autoptr (GPtrArray) failures = runner_failures (self->runner, number);
  const RunnerFailure *failure = failures->pdata[0];
  show_image (self, failure->path, failure->series, runner_task (self->runner)->recipe);
}

/* Its folder, where one sees what it is. */
static void
on_not_opened (BatchForm *self, const char *path, const char *why)
{
  g_autofree char *folder = g_path_get_dirname (path), *uri = g_filename_to_uri (folder, NULL, NULL);
  shell_say (self->shell, GTK_MESSAGE_ERROR, why);
  g_app_info_launch_default_for_uri_async (uri, NULL, NULL, NULL, NULL); /* where there is a program for folders */
}

/* ---- Layout ---- */

static GtkLabel *
add_heading (GtkWidget *box, const char *text)
{
  GtkWidget *label = gtk_label_new (text);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_add_css_class (label, "heading");
  gtk_box_append (GTK_BOX (box), label);
  return GTK_LABEL (label);
}

static GtkWidget *
make_entries (BatchForm *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->whose = add_heading (box, _ ("Steps"));
  self->steps = GTK_LABEL (side_window_text (NULL));
  gtk_label_set_selectable (self->steps, FALSE); /* else it would have the focus first */
  self->inputs = FOVEA_INPUTS_LIST (inputs_list_new (self->worker));
  self->outputs = FOVEA_OUTPUTS_FORM (outputs_form_new (self->worker));
  self->preview = button_with_text (_ ("_Preview First Image"),
                                    _ ("Opens the first image with these steps; changes there apply to the batch"),
                                    G_CALLBACK (preview), self);
  gtk_widget_set_halign (self->preview, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->steps));
  add_heading (box, _ ("Images"));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->inputs));
  gtk_box_append (GTK_BOX (box), self->preview);
  add_heading (box, _ ("Results"));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->outputs));
  g_signal_connect_object (self->inputs, "changed", G_CALLBACK (update_buttons), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->outputs, "changed", G_CALLBACK (on_outputs), self, G_CONNECT_SWAPPED);
  return self->entries = box;
}

static GtkWidget *
make_scroller (GtkWidget *child)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), child);
  gtk_widget_set_vexpand (scroller, TRUE);
  return scroller;
}

static void
set_margins (GtkWidget *widget)
{
  gtk_widget_set_margin_start (widget, 14);
  gtk_widget_set_margin_end (widget, 14);
  gtk_widget_set_margin_top (widget, 12);
}

static GtkWidget *
make_buttons (BatchForm *self)
{
  GtkWidget *row = side_window_buttons ();
  self->missing = GTK_LABEL (side_window_text (NULL));
  self->table = button_with_text (_ ("Show Ta_ble"), _ ("The rows of all images; select a row to show its image"),
                                  G_CALLBACK (show_table), self);
  self->stop = button_with_text (_ ("S_top"), _ ("Finished images are kept, and the batch can be resumed later"),
                                 G_CALLBACK (runner_stop), self->runner);
  self->start = button_with_text (_ ("_Start"), NULL, G_CALLBACK (start), self);
  gtk_widget_add_css_class (self->start, "suggested-action");
  gtk_widget_add_css_class (GTK_WIDGET (self->missing), "dim-label");
  gtk_label_set_selectable (self->missing, FALSE);
  gtk_widget_set_halign (row, GTK_ALIGN_FILL);
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->missing));
  gtk_box_append (GTK_BOX (row), self->table);
  gtk_box_append (GTK_BOX (row), self->stop);
  gtk_box_append (GTK_BOX (row), self->start);
  return row;
}

static void
lay_out (BatchForm *self)
{
  GtkWidget *entries = make_entries (self);
  self->progress = FOVEA_PROGRESS_LIST (progress_list_new ());
  gtk_widget_set_visible (GTK_WIDGET (self->progress), FALSE);
  g_signal_connect_object (self->progress, "activate", G_CALLBACK (on_failure), self, G_CONNECT_SWAPPED);
  set_margins (entries);
  set_margins (GTK_WIDGET (self->progress));
  gtk_widget_set_margin_bottom (entries, 6);
  gtk_box_append (GTK_BOX (self), make_scroller (entries));
  gtk_box_append (GTK_BOX (self), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->progress));
  gtk_box_append (GTK_BOX (self), make_buttons (self));
}

/* ---- The object ---- */

static void
batch_form_dispose (GObject *object)
{
  BatchForm *self = FOVEA_BATCH_FORM (object);
  g_clear_handle_id (&self->timer, g_source_remove);
  if (self->document)
    g_clear_signal_handler (&self->on_steps, self->document);
  g_clear_object (&self->document);
  self->shell = NULL;
  if (self->viewer)
    viewer_leave (self->viewer);
  g_clear_object (&self->viewer);
  g_clear_pointer (&self->worker, worker_free); /* it stops, and what is done stays */
  g_clear_object (&self->runner);
  G_OBJECT_CLASS (batch_form_parent_class)->dispose (object);
}

static void
batch_form_class_init (BatchFormClass *class)
{
  G_OBJECT_CLASS (class)->dispose = batch_form_dispose;
}

static void
batch_form_init (BatchForm *self)
{
  self->worker = worker_new_modest (WORKER_LATER);
}

static BatchForm *
form_new (Shell *shell)
{
  BatchForm *self = g_object_new (BATCH_FORM_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, NULL);
  self->shell = shell;
  self->runner = runner_new ((Modules *) shell_modules (shell), self->worker);
  self->viewer = viewer_new (shell);
  lay_out (self);
  g_signal_connect_object (shell, "front", G_CALLBACK (on_front), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->runner, "ended", G_CALLBACK (on_ended), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->viewer, "failed", G_CALLBACK (on_not_opened), self, G_CONNECT_SWAPPED);
  on_front (self);
  return self;
}

gboolean
batch_window_is_there (Shell *shell)
{
  return side_window_find (GTK_WINDOW (shell), KEY) != NULL;
}

static BatchForm *
form_of (Shell *shell)
{
  GtkWindow *window = side_window_find (GTK_WINDOW (shell), KEY);
  return FOVEA_BATCH_FORM (gtk_widget_get_first_child (gtk_window_get_child (window)));
}

void
batch_window_show_folder (Shell *shell, const char *folder)
{
  batch_window_show (shell);
  if (!runner_is_going (form_of (shell)->runner))
    inputs_list_set_folder (form_of (shell)->inputs, folder);
}

void
batch_window_show (Shell *shell)
{
  GtkWindow *window = side_window_find (GTK_WINDOW (shell), KEY);
  if (window) {
    gtk_window_present (window);
    return;
  }
  GtkBox *box = side_window_show (GTK_WINDOW (shell), KEY, _ ("Batch"), 520, 720);
  gtk_box_append (box, GTK_WIDGET (form_new (shell)));
  gtk_window_set_hide_on_close (side_window_of (box), TRUE);
}
