/* SPDX-License-Identifier: MIT
 *
 * The folder is read on a worker, since the manifest of a large batch takes time. Its contents are described below.
 */
#include "ui/batch/outputs_form.h"

#include "core/base/error.h"
#include "core/batch/folder.h"
#include "core/batch/journal.h"
#include "core/files/tables.h"
#include "ui/widgets/button.h"
#include "ui/widgets/side_window.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

struct _OutputsForm {
  GtkBox parent;
  Worker *worker;
  Recipe *recipe; /* NULL: none yet */
  GtkEditable *folder, *table, *images, *pattern, *group;
  GtkLabel *note;
  GtkWidget *results; /* box of check buttons, with "name" as data; NULL: the last image */
  GHashTable *chosen; /* their names, "" for the last image; those of earlier recipes, too */
  char *shown;        /* the labels of the check buttons */
  gboolean looked;    /* at the folder; then these are of the batch in it: */
  char *steps;        /* NULL: there is none */
  BatchCounts counts;
  GtkFileChooserNative *chooser;
};

G_DEFINE_FINAL_TYPE (OutputsForm, outputs_form, GTK_TYPE_BOX)

static guint changed;

static void
tell (OutputsForm *self)
{
  g_signal_emit (self, changed, 0);
}

/* ---- What is chosen ---- */

char *
outputs_form_folder (const OutputsForm *self)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (self->folder)));
  g_autoptr (GFile) file = *text ? g_file_parse_name (text) : NULL;
  return file ? g_file_get_path (file) : NULL;
}

char *
outputs_form_table (const OutputsForm *self)
{
  g_autofree char *name = g_strstrip (g_strdup (gtk_editable_get_text (self->table))), *folder = NULL;
  if (!*name || !self->recipe || !recipe_makes_table (self->recipe) || !(folder = outputs_form_folder (self)))
    return NULL;
  g_autofree char *file = g_str_has_suffix (name, ".csv") ? g_strdup (name) : g_strconcat (name, ".csv", NULL);
  return g_build_filename (folder, file, NULL);
}

char *
outputs_form_images (const OutputsForm *self)
{
  g_autofree char *name = g_strstrip (g_strdup (gtk_editable_get_text (self->images))), *folder = NULL;
  CsvFormat format = {',', FALSE, FALSE};
  if (!*name || !(folder = outputs_form_folder (self)))
    return NULL;
  g_autofree char *file = files_table_format (name, &format, NULL) ? g_strdup (name) : g_strconcat (name, ".csv", NULL);
  return g_build_filename (folder, file, NULL);
}

/* What an entry has; NULL: nothing. Free with g_free(). */
static char *
entered (GtkEditable *entry)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (entry)));
  return *text ? g_steal_pointer (&text) : NULL;
}

char *
outputs_form_pattern (const OutputsForm *self)
{
  return entered (self->pattern);
}

char *
outputs_form_group (const OutputsForm *self)
{
  g_autofree char *images = outputs_form_images (self);
  return images ? entered (self->group) : NULL;
}

static const char *
ending_of (const OutputsForm *self, const char *name)
{
  guint index, result;
  recipe_find (self->recipe, recipe_length (self->recipe), name, &index, &result);
  return result < recipe_step (self->recipe, index)->op->n_outputs ? "tif" : "csv";
}

static char *
pattern_of (const OutputsForm *self, const char *name)
{
  return name ? g_strdup_printf ("{name}_%s.%s", name, ending_of (self, name)) : g_strdup ("{name}.tif");
}

void
outputs_form_results (const OutputsForm *self, GPtrArray *names, GPtrArray *patterns)
{
  for (GtkWidget *check = gtk_widget_get_first_child (self->results); check;
       check = gtk_widget_get_next_sibling (check)) {
    const char *name = g_object_get_data (G_OBJECT (check), "name");
    if (!gtk_check_button_get_active (GTK_CHECK_BUTTON (check)))
      continue;
    g_ptr_array_add (names, g_strdup (name));
    g_ptr_array_add (patterns, pattern_of (self, name));
  }
}

/* ---- What is in the folder ---- */

typedef struct {
  OutputsForm *form;
  char *folder;
  /* Found. */
  char *steps;
  BatchCounts counts;
} Look;

/* The steps of the batch; of one in shards those of the first shard, since it cannot be resumed here anyway. */
static char *
steps_of (const BatchFolder *folder)
{
  for (guint i = 0; i < folder->shards; i++)
    if (folder->there[i])
      return g_strdup (g_array_index (folder->records->headers, BatchHeader, i).steps);
  return NULL;
}

static gboolean
look_work (gpointer data, Progress *progress, GError **error)
{
  Look *l = data;
  guint shards;
  (void) progress;
  if (!batch_journal_shards (l->folder, &shards, error))
    return FALSE;
  g_autoptr (BatchFolder) folder = shards ? batch_folder_new (l->folder, error) : NULL;
  if (folder) {
    l->steps = steps_of (folder);
    l->counts = batch_folder_counts (folder);
  }
  return folder || !shards;
}

OutputsThere
outputs_form_there (const OutputsForm *self)
{
  if (!self->looked || !self->recipe)
    return OUTPUTS_UNKNOWN;
  if (!self->steps)
    return OUTPUTS_NONE;
  g_autofree char *steps = recipe_format (self->recipe);
  return strcmp (steps, self->steps) ? OUTPUTS_OTHER : OUTPUTS_SAME;
}

static void
say (OutputsForm *self, const char *text)
{
  gtk_label_set_text (self->note, text);
  gtk_widget_set_visible (GTK_WIDGET (self->note), *text);
}

static void
say_there (OutputsForm *self)
{
  OutputsThere there = outputs_form_there (self);
  g_autofree char *text = NULL;
  if (there == OUTPUTS_OTHER)
    text = g_strdup_printf (_ ("This folder has a batch of other steps, with %" PRIu64
                               " images. Replace processes all of them again with the steps above."),
                            self->counts.images);
  else if (there == OUTPUTS_SAME && self->counts.done == self->counts.images)
    text = g_strdup_printf (_ ("This folder has a batch of these steps, and all %" PRIu64
                               " images are done. Resume processes those that are new or have changed."),
                            self->counts.images);
  else if (there == OUTPUTS_SAME)
    text = g_strdup_printf (_ ("This folder has a batch of these steps: %" PRIu64 " of %" PRIu64
                               " images are done. Resume processes the others."),
                            self->counts.done, self->counts.images);
  say (self, text ? text : "");
}

static void
look_finished (gpointer data, const GError *error)
{
  Look *l = data;
  OutputsForm *self = l->form;
  if (!step_error_is_cancelled (error)) {
    self->looked = TRUE;
    g_free (self->steps);
    self->steps = g_steal_pointer (&l->steps);
    self->counts = l->counts;
    if (error)
      say (self, error->message);
    else
      say_there (self);
    tell (self);
  }
  g_object_unref (self);
  g_free (l->folder);
  g_free (l->steps);
  g_free (l);
}

void
outputs_form_look (OutputsForm *self)
{
  char *folder = outputs_form_folder (self);
  self->looked = FALSE;
  if (folder) {
    Look *l = g_new0 (Look, 1);
    *l = (Look){.form = g_object_ref (self), .folder = folder};
    worker_push (self->worker, &(WorkerJob){look_work, look_finished, l, self});
  } else
    say (self, "");
  tell (self);
}

/* ---- Choosing ---- */

static void
on_folder_chosen (OutputsForm *self, int response, GtkFileChooser *chooser)
{
  g_autoptr (GFile) folder = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (chooser) : NULL;
  if (folder) {
    g_autofree char *name = g_file_get_parse_name (folder);
    gtk_editable_set_text (self->folder, name);
  }
  g_clear_object (&self->chooser);
}

static void
choose_folder (OutputsForm *self)
{
  g_clear_object (&self->chooser);
  self->chooser =
    gtk_file_chooser_native_new (_ ("Folder for the Results"), GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))),
                                 GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _ ("_Choose"), _ ("_Cancel"));
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
  g_signal_connect_object (self->chooser, "response", G_CALLBACK (on_folder_chosen), self, G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

static void
on_check (GtkCheckButton *check, OutputsForm *self)
{
  const char *name = g_object_get_data (G_OBJECT (check), "name");
  if (gtk_check_button_get_active (check))
    g_hash_table_add (self->chosen, g_strdup (name ? name : ""));
  else
    g_hash_table_remove (self->chosen, name ? name : "");
  tell (self);
}

static void
add_check (OutputsForm *self, const char *name, const char *label)
{
  GtkWidget *check = gtk_check_button_new_with_label (label);
  g_autofree char *pattern = pattern_of (self, name),
                  *help = g_strdup_printf (_ ("Saved for each image as %s"), pattern);
  gtk_label_set_ellipsize (GTK_LABEL (gtk_widget_get_last_child (check)), PANGO_ELLIPSIZE_END);
  gtk_widget_set_tooltip_text (check, help);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), g_hash_table_contains (self->chosen, name ? name : ""));
  g_object_set_data_full (G_OBJECT (check), "name", g_strdup (name), g_free);
  g_signal_connect_object (check, "toggled", G_CALLBACK (on_check), self, 0);
  gtk_box_append (GTK_BOX (self->results), check);
}

/* "cells (Label)" for a result that has a name, else NULL. Each name once, however many results have it: it is that of the last. */
static char *
label_of (const Recipe *recipe, guint index, guint i)
{
  const Step *step = recipe_step (recipe, index);
  guint last, result;
  if (step->skipped || !step->names[i] || !recipe_find (recipe, recipe_length (recipe), step->names[i], &last, &result)
      || last != index || result != i)
    return NULL;
  g_autofree char *title = words_title (step->op);
  return g_strdup_printf ("%s (%s)", step->names[i], i < step->op->n_outputs ? title : "table");
}

/* The labels of all, a line each; with add, their check buttons. */
static char *
list_results (OutputsForm *self, gboolean add)
{
  GString *labels = g_string_new (NULL);
  for (guint index = 0; index < recipe_length (self->recipe); index++)
    for (guint i = 0; i < step_results (recipe_step (self->recipe, index)->op); i++) {
      g_autofree char *label = label_of (self->recipe, index, i);
      if (label && add)
        add_check (self, recipe_step (self->recipe, index)->names[i], label);
      if (label)
        g_string_append_printf (labels, "%s\n", label);
    }
  return g_string_free (labels, FALSE);
}

/* They stay as they are while a slider of the recipe moves. */
static void
show_results (OutputsForm *self)
{
  GtkWidget *child;
  char *labels = list_results (self, FALSE);
  gboolean same = !g_strcmp0 (labels, self->shown);
  g_free (self->shown);
  self->shown = labels;
  if (same)
    return;
  while ((child = gtk_widget_get_first_child (self->results)))
    gtk_box_remove (GTK_BOX (self->results), child);
  add_check (self, NULL, _ ("Last image"));
  g_free (list_results (self, TRUE));
}

void
outputs_form_set_recipe (OutputsForm *self, const Recipe *recipe)
{
  gboolean rows = recipe_makes_table (recipe);
  g_clear_pointer (&self->recipe, recipe_unref);
  self->recipe = recipe_ref (recipe);
  show_results (self);
  gtk_widget_set_sensitive (GTK_WIDGET (self->table), rows);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->table),
                               rows ? _ ("File in the folder with the rows of all images. Leave empty for none")
                                    : _ ("No step makes a table; add Measure Objects"));
  if (self->looked)
    say_there (self);
  tell (self);
}

/* ---- The widget ---- */

static GtkWidget *
make_folder (OutputsForm *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *entry = gtk_entry_new ();
  GtkWidget *choose =
    button_with_text (_ ("_Choose…"), _ ("Choose the folder for the results"), G_CALLBACK (choose_folder), self);
  self->folder = GTK_EDITABLE (entry);
  gtk_widget_set_hexpand (entry, TRUE);
  gtk_widget_set_tooltip_text (entry, _ ("Folder for all files of the batch; created if needed"));
  g_signal_connect_object (entry, "changed", G_CALLBACK (outputs_form_look), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (row), entry);
  gtk_box_append (GTK_BOX (row), choose);
  return row;
}

static GtkEditable *
add_entry (OutputsForm *self, GtkGrid *grid, int y, const char *name, const char *example, const char *help)
{
  GtkWidget *entry = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), example);
  gtk_widget_set_tooltip_text (entry, help);
  g_signal_connect_object (entry, "changed", G_CALLBACK (tell), self, G_CONNECT_SWAPPED);
  side_window_line (grid, y, name, entry);
  return GTK_EDITABLE (entry);
}

/* The second table, and what names of files say. */
static void
add_images (OutputsForm *self, GtkGrid *grid, int y)
{
  self->images = add_entry (self, grid, y, _ ("Table of _Images"), "images.csv",
                            _ ("File in the folder with one row for each image, including images without objects and "
                               "failed ones: counts, sums and means. Leave empty for none"));
  self->pattern = add_entry (self, grid, y + 1, _ ("_Names"), "{plate}_{well}_s{field}.tif",
                             _ ("Names in braces become the first columns of both tables"));
  self->group = add_entry (self, grid, y + 2, _ ("Gro_ups"), "plate,well",
                           _ ("Parts of names: the table of images gets one row for each group of images that share "
                              "these parts"));
}

static void
outputs_form_dispose (GObject *object)
{
  OutputsForm *self = FOVEA_OUTPUTS_FORM (object);
  g_clear_object (&self->chooser);
  G_OBJECT_CLASS (outputs_form_parent_class)->dispose (object);
}

static void
outputs_form_finalize (GObject *object)
{
  OutputsForm *self = FOVEA_OUTPUTS_FORM (object);
  g_clear_pointer (&self->recipe, recipe_unref);
  g_hash_table_unref (self->chosen);
  g_free (self->shown);
  g_free (self->steps);
  G_OBJECT_CLASS (outputs_form_parent_class)->finalize (object);
}

static void
outputs_form_class_init (OutputsFormClass *class)
{
  G_OBJECT_CLASS (class)->dispose = outputs_form_dispose;
  G_OBJECT_CLASS (class)->finalize = outputs_form_finalize;
  changed = g_signal_new ("changed", OUTPUTS_FORM_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
outputs_form_init (OutputsForm *self)
{
  GtkWidget *grid = gtk_grid_new (), *folder = make_folder (self), *table = gtk_entry_new ();
  GtkLabel *named;
  self->chosen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->table = GTK_EDITABLE (table);
  self->note = GTK_LABEL (side_window_text (NULL));
  self->results = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_editable_set_text (self->table, "all.csv");
  gtk_widget_set_visible (GTK_WIDGET (self->note), FALSE);
  g_signal_connect_object (table, "changed", G_CALLBACK (tell), self, G_CONNECT_SWAPPED);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  side_window_line (GTK_GRID (grid), 0, _ ("_Folder"), folder);
  named = GTK_LABEL (gtk_grid_get_child_at (GTK_GRID (grid), 0, 0));
  gtk_label_set_mnemonic_widget (named, GTK_WIDGET (self->folder));
  gtk_widget_set_valign (GTK_WIDGET (named), GTK_ALIGN_CENTER);
  gtk_grid_attach (GTK_GRID (grid), GTK_WIDGET (self->note), 1, 1, 1, 1);
  side_window_line (GTK_GRID (grid), 2, _ ("_Table"), table);
  side_window_line (GTK_GRID (grid), 3, _ ("Sa_ve"), self->results);
  add_images (self, GTK_GRID (grid), 4);
  gtk_box_append (GTK_BOX (self), grid);
}

GtkWidget *
outputs_form_new (Worker *worker)
{
  OutputsForm *self = g_object_new (OUTPUTS_FORM_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, NULL);
  self->worker = worker;
  return GTK_WIDGET (self);
}
