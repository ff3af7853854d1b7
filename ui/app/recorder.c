/* SPDX-License-Identifier: MIT
 *
 * It listens to documents, views, selections and measurements, so that nothing can be done past it.
 */
#include "ui/app/recorder.h"

#include "core/document/record.h"
#include "core/recipe/steps_text.h"
#include "ui/widgets/file_dialog.h"
#include "ui/widgets/follow_end.h"

#include <glib/gi18n.h>
#include <string.h>

/* What it has heard of an image last. */
#define HEARD_TYPE (heard_get_type ())
G_DECLARE_FINAL_TYPE (Heard, heard, FOVEA, HEARD, GObject)

struct _Heard {
  GObject parent;
  Recorder *recorder;
  Document *document;
  PlanePosition wish;
  ViewChannel look; /* of the channel that is looked at */
  char *selection;  /* as text; NULL: none */
};

G_DEFINE_FINAL_TYPE (Heard, heard, G_TYPE_OBJECT)

struct _Recorder {
  GObject parent;
  GHashTable *heard; /* Document -> Heard */
  Shell *shell;
  Record *record;
  GtkWidget *dialog; /* NULL while it is not shown */
  GtkTextView *text;
  GtkLabel *note;
  GtkWidget *buttons[6];
};

G_DEFINE_FINAL_TYPE (Recorder, recorder, G_TYPE_OBJECT)

enum { COPY, COMMAND, SAVE, EDIT, CLEAR, RUN };

/* ---- Showing ---- */

static void
enable (Recorder *r)
{
  g_autofree char *command = record_command (r->record);
  gboolean any = record_length (r->record) > 0;
  gtk_widget_set_sensitive (r->buttons[COPY], any);
  gtk_widget_set_sensitive (r->buttons[COMMAND], command != NULL);
  gtk_widget_set_sensitive (r->buttons[SAVE], any);
  gtk_widget_set_sensitive (r->buttons[EDIT], any);
  gtk_widget_set_sensitive (r->buttons[CLEAR], any);
  gtk_widget_set_sensitive (r->buttons[RUN], record_final (r->record) != NULL);
}

/* The lines that can have changed: the last, and what came after it. */
static void
show_lines (Recorder *r)
{
  GtkTextBuffer *buffer = r->dialog ? gtk_text_view_get_buffer (r->text) : NULL;
  GtkTextIter begin, end;
  if (!buffer)
    return;
  guint shown = (guint) gtk_text_buffer_get_line_count (buffer) - 1, n = record_length (r->record);
  guint from = MIN (shown, n) ? MIN (shown, n) - 1 : 0;
  gtk_text_buffer_get_iter_at_line (buffer, &begin, (int) from);
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_delete (buffer, &begin, &end);
  for (guint i = from; i < n; i++) {
    gtk_text_buffer_insert (buffer, &end, record_line (r->record, i), -1);
    gtk_text_buffer_insert (buffer, &end, "\n", 1);
  }
  gtk_label_set_text (r->note, "");
  enable (r);
}

/* All of them. */
static void
show_anew (Recorder *r)
{
  if (r->dialog)
    gtk_text_buffer_set_text (gtk_text_view_get_buffer (r->text), "", 0);
  show_lines (r);
}

/* ---- Hearing ---- */

static void
on_steps (Recorder *r, Document *document)
{
  record_steps (r->record, document, document_change (document), document_recipe (document));
  show_lines (r);
}

static void
on_device (Recorder *r, Document *document)
{
  record_device (r->record, document_device_key (document));
  show_lines (r);
}

static void
on_saved (Recorder *r, const char *verb, const char *path, const char *options, Document *document)
{
  record_saved (r->record, document, verb, path, options);
  show_lines (r);
}

/* Another image has limits of its own that the user has not set. */
static void
on_image (Heard *h, View *view)
{
  h->look = *view_look (view, view_channel (view));
}

static void
on_look (Heard *h, View *view)
{
  PlanePosition wish = view_wish (view);
  ViewChannel before = h->look;
  gboolean moved = wish.channel != h->wish.channel || wish.slice != h->wish.slice || wish.frame != h->wish.frame;
  on_image (h, view);
  if (!moved && look_equal (&before, &h->look))
    return;
  if (moved)
    record_position (h->recorder->record, h->document, wish);
  else
    record_look (h->recorder->record, h->document, &before, &h->look);
  h->wish = wish;
  show_lines (h->recorder);
}

/* Takes the text; FALSE when that is selected already. */
static gboolean
selects (Heard *h, char *text)
{
  gboolean news = g_strcmp0 (text, h->selection) != 0;
  g_free (h->selection);
  h->selection = text;
  return news;
}

/* What is being drawn is not selected yet. */
static void
on_selection (Heard *h, Selections *selections)
{
  const Selection *selection = selections_current (selections);
  if (selections_drawing (selections) || !selects (h, selection ? selection_format (selection) : NULL))
    return;
  record_selection (h->recorder->record, h->document, selection);
  show_lines (h->recorder);
}

static void
on_did (Heard *h, const char *command, const char *text, Selections *selections)
{
  if (!strcmp (command, "select")) {
    guint i = (guint) g_ascii_strtoull (text, NULL, 10);
    selects (h, selection_format (selections_kept (selections, i)));
    record_chosen (h->recorder->record, h->document, i);
  } else
    record_kept (h->recorder->record, h->document, command, text);
  show_lines (h->recorder);
}

static void
on_asked (Heard *h, gboolean kept, guint step, guint request)
{
  record_measured (h->recorder->record, h->document, step, kept, request);
  show_lines (h->recorder);
}

static void
on_vain (Heard *h, guint request)
{
  record_vain (h->recorder->record, h->document, request);
  show_anew (h->recorder);
}

static void
on_cleared (Heard *h)
{
  record_measured_cleared (h->recorder->record, h->document);
  show_lines (h->recorder);
}

static void
heard_finalize (GObject *object)
{
  g_free (FOVEA_HEARD (object)->selection);
  G_OBJECT_CLASS (heard_parent_class)->finalize (object);
}

static void
heard_class_init (HeardClass *class)
{
  G_OBJECT_CLASS (class)->finalize = heard_finalize;
}

static void
heard_init (Heard *h)
{
  (void) h;
}

static void
hear_page (Recorder *r, Document *document, Page *page)
{
  Heard *h = g_object_new (HEARD_TYPE, NULL);
  h->recorder = r;
  h->document = document;
  h->wish = view_wish (page_view (page));
  on_image (h, page_view (page));
  g_hash_table_insert (r->heard, document, h);
  g_signal_connect_object (page_view (page), "image", G_CALLBACK (on_image), h, G_CONNECT_SWAPPED);
  g_signal_connect_object (page_view (page), "look", G_CALLBACK (on_look), h, G_CONNECT_SWAPPED);
  g_signal_connect_object (page_selections (page), "current", G_CALLBACK (on_selection), h, G_CONNECT_SWAPPED);
  g_signal_connect_object (page_selections (page), "did", G_CALLBACK (on_did), h, G_CONNECT_SWAPPED);
  g_signal_connect_object (page_measurements (page), "asked", G_CALLBACK (on_asked), h, G_CONNECT_SWAPPED);
  g_signal_connect_object (page_measurements (page), "vain", G_CALLBACK (on_vain), h, G_CONNECT_SWAPPED);
  g_signal_connect_object (page_measurements (page), "cleared", G_CALLBACK (on_cleared), h, G_CONNECT_SWAPPED);
}

/* A macro begins at the first plane; the window, where slices are a volume, at the middle one. */
static void
record_start (Recorder *r, Document *document)
{
  const PlanePosition begins = ((Heard *) g_hash_table_lookup (r->heard, document))->wish;
  if (begins.channel || begins.slice || begins.frame)
    record_position (r->record, document, begins);
}

static void
on_opened (Recorder *r, Document *document)
{
  g_signal_connect_object (document, "steps", G_CALLBACK (on_steps), r, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "device", G_CALLBACK (on_device), r, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "saved", G_CALLBACK (on_saved), r, G_CONNECT_SWAPPED);
  record_device (r->record, document_device_key (document));
  record_opened (r->record, document, document_path (document), image_info (document_source (document)));
  hear_page (r, document, shell_page_of (r->shell, document));
  record_start (r, document);
  show_lines (r);
}

static void
on_closed (Recorder *r, Document *document)
{
  g_signal_handlers_disconnect_by_data (document, r);
  g_hash_table_remove (r->heard, document);
  record_closed (r->record, document);
  show_lines (r);
}

/* ---- Buttons ---- */

static void
copy_text (Recorder *r, char *text, const char *said)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (r->dialog), text);
  gtk_label_set_text (r->note, said);
  g_free (text);
}

static void
on_copy (Recorder *r)
{
  copy_text (r, record_text (r->record), _ ("Copied."));
}

static void
on_command (Recorder *r)
{
  copy_text (r, record_command (r->record), _ ("Copied as a shell command."));
}

static void
on_edit (Recorder *r)
{
  g_autofree char *text = record_text (r->record);
  g_action_group_activate_action (G_ACTION_GROUP (r->shell), "new-macro", g_variant_new_string (text));
}

static void
on_clear (Recorder *r)
{
  record_clear (r->record);
  show_lines (r);
}

static void
on_run (Recorder *r)
{
  Page *page = shell_page (r->shell);
  if (!page)
    gtk_label_set_text (r->note, _ ("No image is open."));
  else
    document_set_recipe (view_document (page_view (page)), record_final (r->record));
}

static void
save_thread (GTask *task, gpointer recorder, gpointer data, GCancellable *cancellable)
{
  char **texts = data; /* path, lines */
  GError *error = NULL;
  (void) recorder, (void) cancellable;
  if (steps_text_save (texts[0], texts[1], &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
saved (GObject *recorder, GAsyncResult *result, gpointer data)
{
  Recorder *r = FOVEA_RECORDER (recorder);
  g_autoptr (GError) error = NULL;
  gboolean done = g_task_propagate_boolean (G_TASK (result), &error);
  (void) data;
  if (r->dialog)
    gtk_label_set_text (r->note, done ? _ ("Saved.") : error->message);
}

static void
on_save_response (Recorder *r, int response, GtkFileChooser *chooser)
{
  g_autoptr (GError) error = NULL;
  char *path = response == GTK_RESPONSE_ACCEPT ? file_dialog_path (chooser, ".lua", &error) : NULL;
  if (error)
    gtk_label_set_text (r->note, error->message);
  if (path) {
    g_autoptr (GTask) task = g_task_new (r, NULL, saved, NULL);
    char **texts = g_new0 (char *, 3);
    texts[0] = path;
    texts[1] = record_text (r->record);
    g_task_set_task_data (task, texts, (GDestroyNotify) g_strfreev);
    g_task_run_in_thread (task, save_thread);
  }
  g_object_unref (chooser);
}

static void
on_save (Recorder *r)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (
    _ ("Save the Record"), GTK_WINDOW (r->dialog), GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), _ ("_Cancel"));
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), "record.lua");
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect_object (chooser, "response", G_CALLBACK (on_save_response), r, G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* ---- The window ---- */

static GtkWidget *
make_buttons (Recorder *r)
{
  static const struct {
    const char *label, *help;
    void (*clicked) (Recorder *);
  } buttons[] = {
    [COPY] = {N_ ("_Copy"), N_ ("Copy all lines"), on_copy},
    [COMMAND] = {N_ ("Copy as C_ommand"), N_ ("Copy as a shell command that does the same without the app"),
                 on_command},
    [SAVE] = {N_ ("_Save…"), N_ ("Save all lines as a macro"), on_save},
    [EDIT] = {N_ ("_Open in Macro Window"), N_ ("Show all lines in a window where you can edit and run macros"),
              on_edit},
    [CLEAR] = {N_ ("C_lear"), N_ ("Clear the recorded lines"), on_clear},
    [RUN] = {N_ ("_Run Again"), N_ ("Replace the last recorded steps with those of the front image"), on_run},
  };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  for (guint i = 0; i < G_N_ELEMENTS (buttons); i++) {
    r->buttons[i] = gtk_button_new_with_mnemonic (_ (buttons[i].label));
    gtk_widget_set_tooltip_text (r->buttons[i], _ (buttons[i].help));
    g_signal_connect_object (r->buttons[i], "clicked", G_CALLBACK (buttons[i].clicked), r, G_CONNECT_SWAPPED);
    gtk_box_append (GTK_BOX (box), r->buttons[i]);
  }
  gtk_widget_set_hexpand (r->buttons[CLEAR], TRUE);
  gtk_widget_set_halign (r->buttons[CLEAR], GTK_ALIGN_START);
  gtk_widget_add_css_class (r->buttons[RUN], "suggested-action");
  return box;
}

static GtkWidget *
make_text (Recorder *r)
{
  GtkWidget *scroller = gtk_scrolled_window_new (), *text = gtk_text_view_new ();
  r->text = GTK_TEXT_VIEW (text);
  gtk_text_view_set_editable (r->text, FALSE);
  gtk_text_view_set_cursor_visible (r->text, FALSE);
  gtk_text_view_set_monospace (r->text, TRUE);
  gtk_text_view_set_wrap_mode (r->text, GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_indent (r->text, -24); /* what is wrapped stands further in */
  gtk_text_view_set_left_margin (r->text, 12);
  gtk_text_view_set_right_margin (r->text, 12);
  gtk_text_view_set_top_margin (r->text, 8);
  gtk_text_view_set_bottom_margin (r->text, 8);
  gtk_text_view_set_accepts_tab (r->text, FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (text), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Recorded commands"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), text);
  follow_end (r->text);
  gtk_widget_set_vexpand (scroller, TRUE);
  return scroller;
}

static void
add_keys (GtkWidget *dialog)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();
  for (const char *const *key = (const char *const[]){"Escape", "<Control>w", NULL}; *key; key++)
    gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys),
      gtk_shortcut_new (gtk_shortcut_trigger_parse_string (*key), gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (dialog, keys);
}

static void
on_gone (Recorder *r)
{
  r->dialog = NULL;
}

static void
make_dialog (Recorder *r)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *foot = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  r->dialog = gtk_window_new ();
  r->note = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (r->note, 0);
  gtk_label_set_ellipsize (r->note, PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (GTK_WIDGET (r->note), "dim-label");
  gtk_box_append (GTK_BOX (box), make_text (r));
  gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (box), foot);
  gtk_box_append (GTK_BOX (foot), GTK_WIDGET (r->note));
  gtk_box_append (GTK_BOX (foot), make_buttons (r));
  gtk_widget_set_margin_start (foot, 12);
  gtk_widget_set_margin_end (foot, 12);
  gtk_widget_set_margin_top (foot, 6);
  gtk_widget_set_margin_bottom (foot, 12);
  gtk_window_set_child (GTK_WINDOW (r->dialog), box);
  gtk_window_set_title (GTK_WINDOW (r->dialog), _ ("Record"));
  gtk_window_set_default_size (GTK_WINDOW (r->dialog), 760, 320);
  gtk_window_set_transient_for (GTK_WINDOW (r->dialog), GTK_WINDOW (r->shell));
  gtk_window_set_destroy_with_parent (GTK_WINDOW (r->dialog), TRUE);
  add_keys (r->dialog);
  g_signal_connect_object (r->dialog, "destroy", G_CALLBACK (on_gone), r, G_CONNECT_SWAPPED);
}

void
recorder_show (Recorder *r)
{
  if (!r->dialog) {
    make_dialog (r);
    show_lines (r);
  }
  gtk_window_present (GTK_WINDOW (r->dialog));
}

/* ---- The object ---- */

static void
recorder_finalize (GObject *object)
{
  Recorder *r = FOVEA_RECORDER (object);
  g_hash_table_unref (r->heard);
  record_free (r->record);
  G_OBJECT_CLASS (recorder_parent_class)->finalize (object);
}

static void
recorder_class_init (RecorderClass *class)
{
  G_OBJECT_CLASS (class)->finalize = recorder_finalize;
}

static void
recorder_init (Recorder *r)
{
  r->heard = g_hash_table_new_full (NULL, NULL, NULL, g_object_unref);
}

Recorder *
recorder_new (Shell *shell)
{
  Recorder *r = g_object_new (RECORDER_TYPE, NULL);
  r->shell = shell;
  r->record = record_new (shell_modules (shell));
  g_signal_connect_object (shell, "opened", G_CALLBACK (on_opened), r, G_CONNECT_SWAPPED);
  g_signal_connect_object (shell, "closed", G_CALLBACK (on_closed), r, G_CONNECT_SWAPPED);
  return r;
}
