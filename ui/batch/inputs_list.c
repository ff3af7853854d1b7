/* SPDX-License-Identifier: MIT
 *
 * Folders are searched on a worker, so that large ones do not block the window. Only the newest count is shown.
 */
#include "ui/batch/inputs_list.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/batch/inputs.h"
#include "ui/widgets/button.h"
#include "ui/widgets/file_filters.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>

struct _InputsList {
  GtkBox parent;
  Worker *worker;
  GListStore *files; /* GFile */
  GtkSelectionModel *chosen;
  GtkLabel *count;
  GtkWidget *nothing, *remove;
  GtkFileChooserNative *chooser;
  char *out, *first;
};

G_DEFINE_FINAL_TYPE (InputsList, inputs_list, GTK_TYPE_BOX)

static guint changed;

/* ---- Counting ---- */

typedef struct {
  InputsList *list;
  char **names, *out;
  /* Found. */
  guint count, faults;
  char *first;
} Counting;

static gboolean
count_work (gpointer data, Progress *progress, GError **error)
{
  Counting *c = data;
  progress_enter (progress);
  g_autoptr (BatchInputs) inputs = batch_inputs_new ((const char *const *) c->names, c->out, error);
  progress_enter (NULL);
  if (!inputs)
    return FALSE;
  c->count = inputs->files->len;
  for (guint i = 0; i < c->count; i++) {
    const BatchInput *input = batch_input (inputs, i);
    c->faults += input->fault != NULL;
    if (!input->fault && !c->first)
      c->first = g_strdup (input->path);
  }
  return TRUE;
}

static char *
count_text (const Counting *c)
{
  g_autofree char *images = words_count (c->count - c->faults, "image", "images");
  if (!c->faults)
    return g_steal_pointer (&images);
  g_autofree char *faults = words_count (c->faults, "folder", "folders");
  return g_strdup_printf (_ ("%s, and %s that cannot be read"), images, faults);
}

static void
count_finished (gpointer data, const GError *error)
{
  Counting *c = data;
  InputsList *self = c->list;
  if (!step_error_is_cancelled (error)) {
    g_autofree char *text = error ? g_strdup (error->message) : count_text (c);
    gtk_label_set_text (self->count, text);
    g_free (self->first);
    self->first = g_steal_pointer (&c->first);
    g_signal_emit (self, changed, 0);
  }
  g_object_unref (self);
  g_strfreev (c->names);
  g_free (c->out);
  g_free (c->first);
  g_free (c);
}

/* What is in the list is another thing now. */
static void
count (InputsList *self)
{
  char **names = inputs_list_names (self);
  gtk_widget_set_visible (self->nothing, !names);
  gtk_label_set_text (self->count, names ? _ ("Looking for images…") : _ ("No images yet"));
  g_clear_pointer (&self->first, g_free);
  if (names) {
    Counting *c = g_new0 (Counting, 1);
    *c = (Counting){.list = g_object_ref (self), .names = names, .out = g_strdup (self->out ? self->out : "")};
    worker_push (self->worker, &(WorkerJob){count_work, count_finished, c, self});
  }
  g_signal_emit (self, changed, 0);
}

gboolean
inputs_list_is_empty (const InputsList *self)
{
  return !g_list_model_get_n_items (G_LIST_MODEL (self->files));
}

char **
inputs_list_names (const InputsList *self)
{
  GListModel *files = G_LIST_MODEL (self->files);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  guint n = g_list_model_get_n_items (files);
  for (guint i = 0; i < n; i++) {
    g_autoptr (GFile) file = g_list_model_get_item (files, i);
    g_autofree char *path = g_file_get_path (file);
    g_strv_builder_add (names, path);
  }
  return n ? g_strv_builder_end (names) : NULL;
}

void
inputs_list_set_out (InputsList *self, const char *folder)
{
  if (!g_strcmp0 (folder, self->out))
    return;
  g_free (self->out);
  self->out = g_strdup (folder);
  if (!inputs_list_is_empty (self))
    count (self);
}

const char *
inputs_list_first (const InputsList *self)
{
  return self->first;
}

/* ---- Adding and removing ---- */

/* Skips files of other computers and those already in the list. */
static void
add (GPtrArray *added, GHashTable *there, GFile *file)
{
  g_autofree char *path = g_file_get_path (file);
  if (path && g_hash_table_add (there, file))
    g_ptr_array_add (added, file);
}

static GHashTable *
files_there (const InputsList *self)
{
  GListModel *files = G_LIST_MODEL (self->files);
  GHashTable *there = g_hash_table_new_full ((GHashFunc) g_file_hash, (GEqualFunc) g_file_equal, NULL, NULL);
  for (guint i = 0; i < g_list_model_get_n_items (files); i++) {
    g_autoptr (GFile) file = g_list_model_get_item (files, i);
    g_hash_table_add (there, file); /* which the list holds */
  }
  return there;
}

static void
append (InputsList *self, const GPtrArray *added)
{
  if (!added->len)
    return;
  g_list_store_splice (self->files, g_list_model_get_n_items (G_LIST_MODEL (self->files)), 0, added->pdata, added->len);
  count (self);
}

void
inputs_list_set_folder (InputsList *self, const char *folder)
{
  g_autoptr (GPtrArray) added = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (added, g_file_new_for_path (folder));
  g_list_store_remove_all (self->files);
  append (self, added);
}

static gboolean
on_drop (InputsList *self, const GValue *value)
{
  g_autoptr (GPtrArray) added = g_ptr_array_new ();
  g_autoptr (GHashTable) there = files_there (self);
  for (GSList *file = g_value_get_boxed (value); file; file = file->next)
    add (added, there, file->data);
  append (self, added);
  return TRUE;
}

static void
on_chosen (InputsList *self, int response, GtkFileChooser *chooser)
{
  g_autoptr (GListModel) files = gtk_file_chooser_get_files (chooser);
  g_autoptr (GPtrArray) added = g_ptr_array_new ();
  g_autoptr (GHashTable) there = files_there (self);
  for (guint i = 0; response == GTK_RESPONSE_ACCEPT && i < g_list_model_get_n_items (files); i++) {
    g_autoptr (GFile) file = g_list_model_get_item (files, i);
    add (added, there, file); /* `files` holds it */
  }
  append (self, added);
  g_clear_object (&self->chooser);
}

static void
choose (InputsList *self, GtkFileChooserNative *chooser)
{
  g_clear_object (&self->chooser);
  self->chooser = chooser;
  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (chooser), TRUE);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect_object (chooser, "response", G_CALLBACK (on_chosen), self, G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static GtkWindow *
window_of (InputsList *self)
{
  return GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self)));
}

static void
add_files (InputsList *self)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (_ ("Add Images"), window_of (self),
                                                               GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Add"), _ ("_Cancel"));
  file_filters_add_images (GTK_FILE_CHOOSER (chooser), _ ("Images"), NULL);
  choose (self, chooser);
}

static void
add_folder (InputsList *self)
{
  choose (self, gtk_file_chooser_native_new (_ ("Add Folders of Images"), window_of (self),
                                             GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _ ("_Add"), _ ("_Cancel")));
}

static void
remove_chosen (InputsList *self)
{
  g_autoptr (GtkBitset) chosen = gtk_selection_model_get_selection (self->chosen);
  if (gtk_bitset_is_empty (chosen))
    return;
  while (!gtk_bitset_is_empty (chosen)) { /* from the end, in whole ranges */
    guint last = gtk_bitset_get_maximum (chosen), first = last;
    while (first && gtk_bitset_contains (chosen, first - 1))
      first--;
    g_list_store_splice (self->files, first, last - first + 1, NULL, 0);
    gtk_bitset_remove_range_closed (chosen, first, last);
  }
  count (self);
}

static gboolean
on_delete (GtkWidget *view, GVariant *arguments, gpointer self)
{
  (void) view, (void) arguments;
  remove_chosen (self);
  return TRUE;
}

static void
on_selection (InputsList *self)
{
  g_autoptr (GtkBitset) chosen = gtk_selection_model_get_selection (self->chosen);
  gtk_widget_set_sensitive (self->remove, !gtk_bitset_is_empty (chosen));
}

/* ---- Rows ---- */

static void
on_setup (GtkListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);
  (void) factory;
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_START);
  gtk_widget_set_margin_start (label, 6);
  gtk_widget_set_margin_end (label, 6);
  gtk_list_item_set_child (item, label);
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *item)
{
  g_autofree char *name = g_file_get_parse_name (gtk_list_item_get_item (item));
  GtkWidget *label = gtk_list_item_get_child (item);
  (void) factory;
  gtk_label_set_text (GTK_LABEL (label), name);
  gtk_widget_set_tooltip_text (label, name);
}

static GtkWidget *
make_view (InputsList *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkEventController *keys = gtk_shortcut_controller_new ();
  self->files = g_list_store_new (G_TYPE_FILE);
  self->chosen = GTK_SELECTION_MODEL (gtk_multi_selection_new (G_LIST_MODEL (g_object_ref (self->files))));
  GtkWidget *view = gtk_list_view_new (g_object_ref (self->chosen), factory);
  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
  g_signal_connect_object (self->chosen, "selection-changed", G_CALLBACK (on_selection), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->chosen, "items-changed", G_CALLBACK (on_selection), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Images"), -1);
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_shortcut_trigger_parse_string ("Delete|KP_Delete"),
                                                          gtk_callback_action_new (on_delete, self, NULL)));
  gtk_widget_add_controller (view, keys);
  return view;
}

/* The list, with a hint over it as long as it is empty. */
static GtkWidget *
make_list (InputsList *self)
{
  GtkWidget *overlay = gtk_overlay_new (), *scroller = gtk_scrolled_window_new ();
  self->nothing = gtk_label_new (_ ("Drop image files or folders here, or add them below."));
  gtk_label_set_wrap (GTK_LABEL (self->nothing), TRUE);
  gtk_label_set_justify (GTK_LABEL (self->nothing), GTK_JUSTIFY_CENTER);
  gtk_widget_add_css_class (self->nothing, "dim-label");
  gtk_widget_set_can_target (self->nothing, FALSE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), make_view (self));
  gtk_scrolled_window_set_has_frame (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scroller), 96);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_overlay_set_child (GTK_OVERLAY (overlay), scroller);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), self->nothing);
  return overlay;
}

static GtkWidget *
make_buttons (InputsList *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  self->remove = button_with_text (_ ("_Remove"), _ ("Remove the selected ones from the list (Delete)"),
                                   G_CALLBACK (remove_chosen), self);
  gtk_widget_set_sensitive (self->remove, FALSE);
  gtk_box_append (GTK_BOX (row), button_with_text (_ ("_Add Files…"), _ ("Image files"), G_CALLBACK (add_files), self));
  gtk_box_append (GTK_BOX (row),
                  button_with_text (_ ("Add Fo_lder…"), _ ("Includes all image files in the folder and its subfolders"),
                                    G_CALLBACK (add_folder), self));
  gtk_box_append (GTK_BOX (row), self->remove);
  return row;
}

/* ---- The object ---- */

static void
inputs_list_dispose (GObject *object)
{
  InputsList *self = FOVEA_INPUTS_LIST (object);
  g_clear_object (&self->chooser);
  G_OBJECT_CLASS (inputs_list_parent_class)->dispose (object);
}

static void
inputs_list_finalize (GObject *object)
{
  InputsList *self = FOVEA_INPUTS_LIST (object);
  g_object_unref (self->files);
  g_object_unref (self->chosen);
  g_free (self->out);
  g_free (self->first);
  G_OBJECT_CLASS (inputs_list_parent_class)->finalize (object);
}

static void
inputs_list_class_init (InputsListClass *class)
{
  G_OBJECT_CLASS (class)->dispose = inputs_list_dispose;
  G_OBJECT_CLASS (class)->finalize = inputs_list_finalize;
  changed = g_signal_new ("changed", INPUTS_LIST_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
inputs_list_init (InputsList *self)
{
  GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  gtk_box_append (GTK_BOX (self), make_list (self));
  gtk_box_append (GTK_BOX (self), make_buttons (self));
  self->count = GTK_LABEL (gtk_label_new (_ ("No images yet")));
  gtk_label_set_xalign (self->count, 0);
  gtk_label_set_wrap (self->count, TRUE);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->count));
  g_signal_connect_object (drop, "drop", G_CALLBACK (on_drop), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drop));
}

GtkWidget *
inputs_list_new (Worker *worker)
{
  InputsList *self = g_object_new (INPUTS_LIST_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 6, NULL);
  self->worker = worker;
  return GTK_WIDGET (self);
}
