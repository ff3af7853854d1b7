/* SPDX-License-Identifier: MIT
 */
#include "ui/macro/window.h"

#include "core/base/error.h"
#include "core/base/file_target.h"
#include "ui/macro/console.h"
#include "ui/macro/editor.h"
#include "ui/widgets/file_dialog.h"
#include "ui/widgets/file_filters.h"
#include "ui/widgets/scrolled_row.h"

#include <glib/gi18n.h>
#include <string.h>

struct _MacroWindow {
  GtkWindow parent;
  char *path, *name, *folder; /* path: NULL while it has none */
  MacroEditor *editor;
  MacroConsole *console;
  GtkLabel *note;
  GSimpleActionGroup *actions;
  MacroClosed closed; /* what waits for it to be closed */
  GObject *subject;
  gboolean closing; /* once it is saved */
};

G_DEFINE_FINAL_TYPE (MacroWindow, macro_window, GTK_TYPE_WINDOW)

enum { RUN, STOP, OPEN, SAVED, SIGNALS };
static guint signals[SIGNALS];

const char *
macro_window_path (const MacroWindow *w)
{
  return w->path;
}

const char *
macro_window_name (const MacroWindow *w)
{
  return w->name;
}

char *
macro_window_text (const MacroWindow *w)
{
  return macro_editor_text (w->editor);
}

gboolean
macro_window_unsaved (const MacroWindow *w)
{
  return gtk_text_buffer_get_modified (macro_editor_buffer (w->editor));
}

static void
show_title (MacroWindow *w)
{
  g_autofree char *title = g_strdup_printf ("%s%s – Macro", macro_window_unsaved (w) ? "• " : "", w->name);
  gtk_window_set_title (GTK_WINDOW (w), title);
}

/* Takes the path. */
static void
set_path (MacroWindow *w, char *path)
{
  g_free (w->path);
  g_free (w->name);
  w->path = path;
  w->name = path ? g_filename_display_basename (path) : g_strdup (_ ("New macro"));
}

/* ---- Running ---- */

/* style: "error" or "dim-label". */
static void
say (MacroWindow *w, const char *text, const char *style)
{
  gtk_label_set_text (w->note, text);
  gtk_widget_set_visible (GTK_WIDGET (w->note), *text != '\0');
  gtk_widget_set_css_classes (GTK_WIDGET (w->note), (const char *[]){style, NULL});
}

static void
enable (MacroWindow *w, const char *name, gboolean enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (w->actions), name)), enabled);
}

void
macro_window_set_running (MacroWindow *w, gboolean running)
{
  enable (w, "run", !running);
  enable (w, "run-lines", !running);
  enable (w, "stop", running);
}

void
macro_window_begin (MacroWindow *w)
{
  macro_console_clear (w->console);
  macro_editor_mark (w->editor, 0);
  say (w, _ ("Running…"), "dim-label");
}

void
macro_window_print (MacroWindow *w, const char *lines)
{
  macro_console_append (w->console, lines);
}

/* Of "cells.lua:3: …"; 0 when it names none. */
static int
line_of (const MacroWindow *w, const char *message)
{
  gsize n = strlen (w->name);
  gboolean ours = g_str_has_prefix (message, w->name) && message[n] == ':';
  return ours ? (int) g_ascii_strtoull (message + n + 1, NULL, 10) : 0;
}

void
macro_window_end (MacroWindow *w, const GError *error)
{
  if (error && !step_error_is_cancelled (error)) {
    say (w, error->message, "error");
    macro_editor_mark (w->editor, line_of (w, error->message));
  } else
    say (w, error ? error->message : _ ("Done."), "dim-label");
}

static void
on_run (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MacroWindow *w = FOVEA_MACRO_WINDOW (data);
  gboolean all = !strcmp (g_action_get_name (G_ACTION (action)), "run");
  g_autofree char *text = all ? macro_editor_text (w->editor) : macro_editor_chosen_lines (w->editor);
  (void) parameter;
  g_signal_emit (w, signals[RUN], 0, text);
}

static void
stop (MacroWindow *w)
{
  g_signal_emit (w, signals[STOP], 0);
}

static void
on_stop (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  (void) action, (void) parameter;
  stop (data);
}

static void
on_open (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  (void) action, (void) parameter;
  g_signal_emit (data, signals[OPEN], 0);
}

static void
on_find (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  (void) action, (void) parameter;
  macro_editor_find (FOVEA_MACRO_WINDOW (data)->editor);
}

/* Who still holds a window may do so for longer than its parent lives. */
static void
destroy_alone (GtkWindow *window)
{
  gtk_window_set_transient_for (window, NULL);
  gtk_window_destroy (window);
}

void
macro_window_destroy (MacroWindow *w)
{
  destroy_alone (GTK_WINDOW (w));
}

/* ---- Saving ---- */

static void
destroy_agreed (MacroWindow *w)
{
  MacroClosed closed = w->closed;
  g_autoptr (GObject) subject = g_steal_pointer (&w->subject);
  macro_window_destroy (w);
  if (closed)
    closed (subject);
}

typedef struct {
  char *path, *text;
} Saving;

static void
saving_free (gpointer data)
{
  Saving *saving = data;
  g_free (saving->path);
  g_free (saving->text);
  g_free (saving);
}

static void
save_thread (GTask *task, gpointer window, gpointer data, GCancellable *cancellable)
{
  const Saving *saving = data;
  GError *error = NULL;
  (void) window, (void) cancellable;
  if (file_save_text (saving->path, saving->text, 0666, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* What was typed meanwhile is not saved. */
static void
saved (GObject *window, GAsyncResult *result, gpointer data)
{
  MacroWindow *w = FOVEA_MACRO_WINDOW (window);
  Saving *saving = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  gboolean done = g_task_propagate_boolean (G_TASK (result), &error), closing = w->closing;
  (void) data;
  w->closing = FALSE;
  if (!w->editor) /* it was closed meanwhile */
    return;
  if (!done) {
    say (w, error->message, "error");
    return;
  }
  g_autofree char *now = macro_editor_text (w->editor);
  set_path (w, g_strdup (saving->path));
  gtk_text_buffer_set_modified (macro_editor_buffer (w->editor), strcmp (now, saving->text) != 0);
  show_title (w);
  say (w, _ ("Saved."), "dim-label");
  g_signal_emit (w, signals[SAVED], 0);
  if (closing && !macro_window_unsaved (w))
    destroy_agreed (w);
}

/* Takes the path. */
static void
save_to (MacroWindow *w, char *path)
{
  g_autoptr (GTask) task = g_task_new (w, NULL, saved, NULL);
  Saving *saving = g_new (Saving, 1);
  *saving = (Saving){path, macro_editor_text (w->editor)};
  g_task_set_task_data (task, saving, saving_free);
  g_task_run_in_thread (task, save_thread);
}

static void
on_chosen (MacroWindow *w, int response, GtkFileChooser *chooser)
{
  g_autoptr (GError) error = NULL;
  char *path = response == GTK_RESPONSE_ACCEPT ? file_dialog_path (chooser, ".lua", &error) : NULL;
  if (path)
    save_to (w, path);
  else
    w->closing = FALSE;
  if (error)
    say (w, error->message, "error");
  g_object_unref (chooser);
}

static void
save_as (MacroWindow *w)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (
    _ ("Save Macro"), GTK_WINDOW (w), GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), _ ("_Cancel"));
  g_autofree char *proposed = w->path ? g_strdup (w->path) : g_build_filename (w->folder, "macro.lua", NULL);
  g_autofree char *name = g_path_get_basename (proposed);
  if (!w->path)
    g_mkdir_with_parents (w->folder, 0777);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), name);
  file_dialog_start_at (GTK_FILE_CHOOSER (chooser), proposed);
  file_filters_add (GTK_FILE_CHOOSER (chooser), _ ("Macros"), (const char *const[]){"lua", NULL});
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect_object (chooser, "response", G_CALLBACK (on_chosen), w, G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
save (MacroWindow *w)
{
  if (w->path)
    save_to (w, g_strdup (w->path));
  else
    save_as (w);
}

static void
on_save (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  (void) action, (void) parameter;
  save (FOVEA_MACRO_WINDOW (data));
}

static void
on_save_as (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  (void) action, (void) parameter;
  save_as (FOVEA_MACRO_WINDOW (data));
}

/* ---- Closing ---- */

enum { SAVE = 1, DISCARD };

static void
on_response (MacroWindow *w, int response, GtkWindow *dialog)
{
  destroy_alone (dialog);
  if (response == SAVE) {
    w->closing = TRUE;
    save (w);
  } else if (response == DISCARD)
    destroy_agreed (w);
}

static void
ask (MacroWindow *w)
{
  GtkWidget *dialog =
    gtk_message_dialog_new (GTK_WINDOW (w), GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT, GTK_MESSAGE_QUESTION,
                            GTK_BUTTONS_NONE, _ ("Close %s without saving?"), w->name);
  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (dialog),
                                            _ ("Your changes in this macro will be lost."));
  gtk_widget_add_css_class (gtk_dialog_add_button (GTK_DIALOG (dialog), _ ("_Discard"), DISCARD), "destructive-action");
  gtk_dialog_add_button (GTK_DIALOG (dialog), _ ("_Cancel"), GTK_RESPONSE_CANCEL);
  gtk_dialog_add_button (GTK_DIALOG (dialog), w->path ? _ ("_Save") : _ ("_Save…"), SAVE);
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), SAVE);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_response), w, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}

void
macro_window_close (MacroWindow *w, MacroClosed closed, GObject *subject)
{
  w->closed = closed;
  g_set_object (&w->subject, subject);
  if (!macro_window_unsaved (w)) {
    destroy_agreed (w);
    return;
  }
  gtk_window_present (GTK_WINDOW (w));
  ask (w);
}

static gboolean
macro_window_close_request (GtkWindow *window)
{
  macro_window_close (FOVEA_MACRO_WINDOW (window), NULL, NULL);
  return TRUE;
}

/* ---- Layout ---- */

static const struct {
  const char *name, *label, *help, *keys[2];
  void (*activate) (GSimpleAction *action, GVariant *parameter, gpointer data);
} buttons[] = {
  {"run", N_ ("_Run"), N_ ("Run all of it (Ctrl+R)"), {"<Control>r"}, on_run},
  {"run-lines",
   N_ ("Run Selected _Lines"),
   N_ ("Run only the selected lines (Ctrl+Shift+R)"),
   {"<Control><Shift>r"},
   on_run},
  {"stop", N_ ("S_top"), N_ ("Stop the macro that is running (Escape)"), {"Escape"}, on_stop},
  {"find", N_ ("_Find…"), N_ ("Find text (Ctrl+F)"), {"<Control>f"}, on_find},
  {"open", N_ ("_Open…"), N_ ("Open another macro (Ctrl+O)"), {"<Control>o"}, on_open},
  {"save", N_ ("_Save"), N_ ("Save it (Ctrl+S)"), {"<Control>s"}, on_save},
  {"save-as", N_ ("Save _As…"), N_ ("Save to another file (Ctrl+Shift+S)"), {"<Control><Shift>s"}, on_save_as},
};

static void
add_key (GtkEventController *keys, const char *key, const char *action)
{
  gtk_shortcut_controller_add_shortcut (
    GTK_SHORTCUT_CONTROLLER (keys),
    gtk_shortcut_new (gtk_shortcut_trigger_parse_string (key), gtk_named_action_new (action)));
}

static GtkWidget *
make_buttons (MacroWindow *w)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkEventController *keys = gtk_shortcut_controller_new ();
  for (guint i = 0; i < G_N_ELEMENTS (buttons); i++) {
    GtkWidget *button = gtk_button_new_with_mnemonic (_ (buttons[i].label));
    const GActionEntry entry = {.name = buttons[i].name, .activate = buttons[i].activate};
    g_autofree char *action = g_strconcat ("macro.", buttons[i].name, NULL);
    g_action_map_add_action_entries (G_ACTION_MAP (w->actions), &entry, 1, w);
    gtk_widget_set_tooltip_text (button, _ (buttons[i].help));
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
    add_key (keys, buttons[i].keys[0], action);
    if (!strcmp (buttons[i].name, "run"))
      gtk_widget_add_css_class (button, "suggested-action");
    if (!strcmp (buttons[i].name, "stop")) {
      gtk_widget_set_hexpand (button, TRUE);
      gtk_widget_set_halign (button, GTK_ALIGN_START);
      /* GTK shows a button for a quarter of a second as pressed before it does what a key asks for. */
      g_signal_connect_object (button, "activate", G_CALLBACK (stop), w, G_CONNECT_SWAPPED);
    }
    gtk_box_append (GTK_BOX (box), button);
  }
  add_key (keys, "<Control>w", "window.close");
  gtk_widget_add_controller (GTK_WIDGET (w), keys);
  g_object_set (box, "margin-start", 8, "margin-end", 8, "margin-top", 6, "margin-bottom", 6, NULL);
  return box;
}

static GtkWidget *
make_note (MacroWindow *w)
{
  GtkWidget *note = gtk_label_new (NULL);
  w->note = GTK_LABEL (note);
  g_object_set (note, "xalign", 0.0, "wrap", TRUE, "wrap-mode", PANGO_WRAP_WORD_CHAR, "selectable", TRUE, "lines", 6,
                "ellipsize", PANGO_ELLIPSIZE_END, "margin-start", 12, "margin-end", 12, "margin-top", 6,
                "margin-bottom", 6, "visible", FALSE, NULL);
  return note;
}

static void
lay_out (MacroWindow *w, const char *text)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *upper = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  w->editor = FOVEA_MACRO_EDITOR (macro_editor_new (text));
  w->console = FOVEA_MACRO_CONSOLE (macro_console_new ());
  gtk_box_append (GTK_BOX (box), scrolled_row_new (make_buttons (w)));
  gtk_box_append (GTK_BOX (upper), GTK_WIDGET (w->editor));
  gtk_box_append (GTK_BOX (upper), make_note (w));
  g_object_set (paned, "start-child", upper, "end-child", w->console, "resize-end-child", FALSE, "shrink-start-child",
                FALSE, "shrink-end-child", FALSE, "vexpand", TRUE, NULL);
  gtk_widget_set_size_request (GTK_WIDGET (w->console), -1, 100);
  gtk_box_append (GTK_BOX (box), paned);
  gtk_window_set_child (GTK_WINDOW (w), box);
  gtk_window_set_default_size (GTK_WINDOW (w), 720, 560);
}

/* ---- The window ---- */

static void
macro_window_dispose (GObject *object)
{
  MacroWindow *w = FOVEA_MACRO_WINDOW (object);
  w->editor = NULL;
  g_clear_object (&w->actions);
  g_clear_object (&w->subject);
  G_OBJECT_CLASS (macro_window_parent_class)->dispose (object);
}

static void
macro_window_finalize (GObject *object)
{
  MacroWindow *w = FOVEA_MACRO_WINDOW (object);
  g_free (w->path);
  g_free (w->name);
  g_free (w->folder);
  G_OBJECT_CLASS (macro_window_parent_class)->finalize (object);
}

static void
macro_window_class_init (MacroWindowClass *class)
{
  static const char *const names[] = {[STOP] = "stop", [OPEN] = "open", [SAVED] = "saved"};
  G_OBJECT_CLASS (class)->dispose = macro_window_dispose;
  G_OBJECT_CLASS (class)->finalize = macro_window_finalize;
  GTK_WINDOW_CLASS (class)->close_request = macro_window_close_request;
  signals[RUN] =
    g_signal_new ("run", MACRO_WINDOW_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  for (guint i = STOP; i < SIGNALS; i++)
    signals[i] = g_signal_new (names[i], MACRO_WINDOW_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
macro_window_init (MacroWindow *w)
{
  w->actions = g_simple_action_group_new ();
  gtk_widget_insert_action_group (GTK_WIDGET (w), "macro", G_ACTION_GROUP (w->actions));
}

GtkWidget *
macro_window_new (GtkWindow *parent, const char *path, const char *text, const char *folder)
{
  MacroWindow *w = g_object_new (MACRO_WINDOW_TYPE, "transient-for", parent, "destroy-with-parent", TRUE, NULL);
  w->folder = g_strdup (folder);
  set_path (w, g_strdup (path));
  lay_out (w, text);
  show_title (w);
  g_signal_connect_object (macro_editor_buffer (w->editor), "modified-changed", G_CALLBACK (show_title), w,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (w);
}
