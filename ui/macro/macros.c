/* SPDX-License-Identifier: MIT
 *
 * One macro runs at a time, on a thread of its own. One that was chosen in the menu has its window, too, which is shown when it prints something or
 * fails. A call of Lua's own functions cannot be interrupted, such as that for a pattern with too many ways to match. A thread that does not end soon
 * after the stop is left behind, with its stage, where nothing is open any more.
 */
#include "ui/macro/macros.h"

#include "core/base/error.h"
#include "core/base/file_read.h"
#include "core/macro/macro.h"
#include "core/ops/native.h"
#include "ui/macro/files.h"
#include "ui/macro/host.h"
#include "ui/macro/talk.h"
#include "ui/shell/native_dialog.h"
#include "ui/shell/recent.h"
#include "ui/widgets/file_dialog.h"
#include "ui/widgets/file_filters.h"
#include "ui/widgets/times.h"

#include <glib/gi18n.h>
#include <string.h>

#define LARGEST (4 << 20) /* bytes of a macro */
#define PATIENCE G_USEC_PER_SEC

typedef struct {
  Macros *macros;
  MacroStage *stage;
  MacroWindow *window; /* NULL: it was closed */
  char *text, *name, *path;
  char **folders;
  Progress progress;
  gint64 stopped; /* when it was to be, by g_get_monotonic_time(); 0: it was not */
  GThread *thread;
  GError *error;
  gboolean ended;
} Running;

struct _Macros {
  GObject parent;
  Shell *shell;        /* NULL: it has gone */
  MacroStage *stage;   /* for the next macro, or the one that runs; NULL: none will */
  GPtrArray *windows;  /* MacroWindow, as long as they are there */
  GHashTable *folders; /* where the person has opened or saved something */
  Running *running;
};

G_DEFINE_FINAL_TYPE (Macros, macros, G_TYPE_OBJECT)

static guint n_running;

/* ---- Running ---- */

static void
show_running (Macros *m)
{
  for (guint i = 0; i < m->windows->len; i++)
    macro_window_set_running (m->windows->pdata[i], m->running != NULL);
}

/* FALSE when there was nothing more. */
static gboolean
show_printed (const Running *r)
{
  g_autofree char *lines = macro_talk_printed (r->stage);
  if (!lines || !r->window)
    return FALSE;
  macro_window_print (r->window, lines);
  if (!gtk_widget_get_visible (GTK_WIDGET (r->window)))
    gtk_window_present (GTK_WINDOW (r->window));
  return TRUE;
}

static void
running_free (Running *r)
{
  g_thread_join (r->thread);
  if (r->stage != r->macros->stage)
    macro_host_free (r->stage);
  g_object_unref (r->macros);
  g_free (r->text);
  g_free (r->name);
  g_free (r->path);
  g_strfreev (r->folders);
  g_clear_error (&r->error);
  g_free (r);
}

static void
end (Running *r, const GError *error)
{
  gboolean wrong = error && !step_error_is_cancelled (error);
  times_event ("macro", r->stopped ? g_get_monotonic_time () - r->stopped : -1);
  n_running--;
  r->macros->running = NULL;
  show_running (r->macros);
  if (!r->window)
    return;
  macro_window_end (r->window, error);
  if (wrong)
    gtk_window_present (GTK_WINDOW (r->window));
  else if (!gtk_widget_get_visible (GTK_WIDGET (r->window)))
    macro_window_destroy (r->window);
}

static gboolean
free_when_ended (gpointer data)
{
  Running *r = data;
  if (!g_atomic_int_get (&r->ended))
    return G_SOURCE_CONTINUE;
  running_free (r);
  return G_SOURCE_REMOVE;
}

static void
leave_behind (Running *r)
{
  Macros *m = r->macros;
  g_autoptr (GError) error = NULL;
  macro_host_leave (r->stage);
  m->stage = m->shell ? macro_host_new (m->shell, r->stage->modules, r->stage->worker) : NULL;
  step_error_set (&error, FV_CANCELLED, NULL,
                  "Stopped, but a function that it called cannot be interrupted; it uses one core until it "
                  "or Fovea ends.");
  end (r, error);
  g_timeout_add_seconds (1, free_when_ended, r);
}

static gboolean
on_tick (gpointer data)
{
  Running *r = data;
  gboolean ended = g_atomic_int_get (&r->ended);
  if (show_printed (r) || (!ended && !(r->stopped && g_get_monotonic_time () - r->stopped > PATIENCE)))
    return G_SOURCE_CONTINUE;
  if (ended) {
    end (r, r->error);
    running_free (r);
  } else
    leave_behind (r);
  return G_SOURCE_REMOVE;
}

static char *
whose_of (MacroWindow *window)
{
  const char *path = macro_window_path (window);
  g_autofree char *shown = path ? g_filename_display_name (path) : g_strdup (macro_window_name (window));
  return g_strdup_printf (_ ("the macro '%s'"), shown);
}

static gpointer
run_thread (gpointer data)
{
  Running *r = data;
  const MacroOptions options = {.used = (const char *const *) r->folders, .path = r->path};
  macro_run (r->text, strlen (r->text), r->name, &r->stage->host, &options, &r->progress, &r->error);
  if (r->error && progress_is_stopped (&r->progress)) { /* ignore any error of that */
    g_clear_error (&r->error);
    step_error_set (&r->error, FV_CANCELLED, NULL, "Stopped.");
  }
  g_atomic_int_set (&r->ended, TRUE);
  return NULL;
}

/* granted: it may run code that it holds. */
static void
begin (Macros *m, MacroWindow *window, const char *text, gboolean granted)
{
  if (m->running) {
    shell_say (m->shell, GTK_MESSAGE_INFO, _ ("A macro is already running. Stop it first."));
    return;
  }
  Running *r = m->running = g_new0 (Running, 1);
  r->macros = g_object_ref (m);
  r->stage = m->stage;
  r->window = window;
  r->text = g_strdup (text);
  r->name = g_strdup (macro_window_name (window));
  r->path = g_strdup (macro_window_path (window));
  r->folders = (char **) g_hash_table_get_keys_as_array (m->folders, NULL);
  for (char **folder = r->folders; *folder; folder++)
    *folder = g_strdup (*folder);
  n_running++;
  macro_window_begin (window);
  g_free (m->stage->whose);
  m->stage->whose = whose_of (window);
  m->stage->granted = granted;
  macro_host_begin (m->stage);
  r->thread = g_thread_new ("macro", run_thread, r);
  g_timeout_add (20, on_tick, r);
  show_running (m);
}

/* A macro that plainly holds code, and waits for an answer. */
typedef struct {
  Macros *macros;
  MacroWindow *window; /* NULL: it was closed */
  char *text;
} Waiting;

static void
on_answered (gpointer data, gboolean may_run)
{
  Waiting *w = data;
  if (w->window) {
    g_object_remove_weak_pointer (G_OBJECT (w->window), (gpointer *) &w->window);
    if (may_run && w->macros->shell)
      begin (w->macros, w->window, w->text, TRUE);
    else if (!gtk_widget_get_visible (GTK_WIDGET (w->window)))
      macro_window_destroy (w->window);
  }
  g_object_unref (w->macros);
  g_free (w->text);
  g_free (w);
}

static void
run (Macros *m, MacroWindow *window, const char *text)
{
  const Modules *modules = m->stage->modules;
  gboolean granted = native_text_is_allowed (modules, text);
  guint line;
  if (m->running || granted || !native_in_macro (modules, text, &line)) {
    begin (m, window, text, granted);
    return;
  }
  Waiting *w = g_new (Waiting, 1);
  g_autofree char *whose = whose_of (window);
  *w = (Waiting){g_object_ref (m), window, g_strdup (text)};
  g_object_add_weak_pointer (G_OBJECT (window), (gpointer *) &w->window);
  native_dialog_ask_macro (gtk_widget_get_visible (GTK_WIDGET (window)) ? GTK_WINDOW (window) : GTK_WINDOW (m->shell),
                           modules, text, whose, on_answered, w);
}

void
macros_stop (Macros *m)
{
  if (!m->running)
    return;
  if (!m->running->stopped)
    m->running->stopped = g_get_monotonic_time ();
  progress_stop (&m->running->progress);
  macro_host_stop (m->stage);
}

char *
macros_status (const Macros *m, double *done)
{
  if (!m->running)
    return NULL;
  g_autofree char *said = macro_talk_status (m->stage, done);
  return said && *said ? g_steal_pointer (&said) : g_strdup (m->running->name);
}

void
macros_settle (void)
{
  while (n_running)
    g_main_context_iteration (NULL, TRUE);
}

/* ---- Where files may be ---- */

static void
add_folder (Macros *m, const char *path)
{
  if (path)
    g_hash_table_add (m->folders, g_path_get_dirname (path));
}

static void
on_saved (Macros *m, const char *verb, const char *path, const char *options, Document *document)
{
  (void) verb, (void) options, (void) document;
  add_folder (m, path);
}

static void
on_opened (Macros *m, Document *document)
{
  add_folder (m, document_path (document));
  g_signal_connect_object (document, "saved", G_CALLBACK (on_saved), m, G_CONNECT_SWAPPED);
}

static void
add_recent_folders (Macros *m)
{
  for (RecentKind kind = RECENT_IMAGES; kind <= RECENT_MACROS; kind++) {
    g_autoptr (GPtrArray) paths = recent_paths (kind, 100);
    for (guint i = 0; i < paths->len; i++)
      add_folder (m, paths->pdata[i]);
  }
}

/* ---- Windows ---- */

static void
on_run (MacroWindow *window, const char *text, Macros *m)
{
  run (m, window, text);
}

static void
on_window_saved (MacroWindow *window)
{
  recent_add (RECENT_MACROS, macro_window_path (window));
}

static void
on_window_gone (Macros *m, MacroWindow *window)
{
  g_ptr_array_remove (m->windows, window);
  if (!m->running || m->running->window != window)
    return;
  m->running->window = NULL;
  macros_stop (m);
}

static void
choose_file (const Macros *m)
{
  g_action_group_activate_action (G_ACTION_GROUP (m->shell), "open-macro", NULL);
}

/* Not shown yet. */
static MacroWindow *
add_window (Macros *m, const char *path, const char *text)
{
  g_autofree char *folder = macro_files_folder ();
  MacroWindow *window = FOVEA_MACRO_WINDOW (macro_window_new (GTK_WINDOW (m->shell), path, text, folder));
  g_ptr_array_add (m->windows, window);
  g_signal_connect_object (window, "run", G_CALLBACK (on_run), m, 0);
  g_signal_connect_object (window, "stop", G_CALLBACK (macros_stop), m, G_CONNECT_SWAPPED);
  g_signal_connect_object (window, "open", G_CALLBACK (choose_file), m, G_CONNECT_SWAPPED);
  g_signal_connect_object (window, "saved", G_CALLBACK (on_window_saved), m, 0);
  g_signal_connect_object (window, "destroy", G_CALLBACK (on_window_gone), m, G_CONNECT_SWAPPED);
  macro_window_set_running (window, m->running != NULL);
  return window;
}

static MacroWindow *
window_of (const Macros *m, const char *path)
{
  for (guint i = 0; i < m->windows->len; i++)
    if (!g_strcmp0 (macro_window_path (m->windows->pdata[i]), path))
      return m->windows->pdata[i];
  return NULL;
}

/* ---- Files ---- */

typedef struct {
  char *path;
  gboolean run;
} Loading;

static void
loading_free (gpointer data)
{
  Loading *loading = data;
  g_free (loading->path);
  g_free (loading);
}

static void
load_thread (GTask *task, gpointer macros, gpointer data, GCancellable *cancellable)
{
  const char *path = ((const Loading *) data)->path;
  GError *error = NULL;
  gsize n;
  g_autofree char *text = file_read_small (path, 0, LARGEST, &n, &error);
  (void) macros, (void) cancellable;
  if (text && (strlen (text) != n || !g_utf8_validate (text, -1, NULL)))
    file_fail (&error, FILE_ERROR_FORMAT, path, "is not a macro: a macro must be UTF-8 text.");
  if (error)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_steal_pointer (&text), g_free);
}

static void
loaded (GObject *macros, GAsyncResult *result, gpointer data)
{
  Macros *m = FOVEA_MACROS (macros);
  const Loading *loading = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_task_propagate_pointer (G_TASK (result), &error);
  (void) data;
  if (!m->shell)
    return;
  if (error) {
    shell_say (m->shell, GTK_MESSAGE_ERROR, error->message);
    return;
  }
  MacroWindow *window = window_of (m, loading->path);
  if (!window)
    window = add_window (m, loading->path, text);
  if (loading->run)
    run (m, window, text);
  else {
    gtk_window_present (GTK_WINDOW (window));
    recent_add (RECENT_MACROS, loading->path);
  }
}

/* Takes the path. */
static void
load (Macros *m, char *path, gboolean run_it)
{
  g_autoptr (GTask) task = g_task_new (m, NULL, loaded, NULL);
  Loading *loading = g_new (Loading, 1);
  *loading = (Loading){path, run_it};
  g_task_set_task_data (task, loading, loading_free);
  g_task_run_in_thread (task, load_thread);
}

/* ---- Actions ---- */

static void
new_macro (GSimpleAction *action, GVariant *text, gpointer m)
{
  (void) action;
  gtk_window_present (GTK_WINDOW (add_window (m, NULL, g_variant_get_string (text, NULL))));
}

static void
chosen (Macros *m, int response, GtkFileChooser *chooser)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (chooser);
  if (response == GTK_RESPONSE_ACCEPT && file)
    load (m, g_file_get_path (file), FALSE);
  g_object_unref (chooser);
}

/* Where a macro was opened last, or saved first. */
static void
start_at_last (GtkFileChooser *chooser)
{
  g_autoptr (GPtrArray) paths = recent_paths (RECENT_MACROS, 1);
  g_autofree char *folder = macro_files_folder (), *first = g_build_filename (folder, "macro.lua", NULL);
  file_dialog_start_at (chooser, paths->len ? paths->pdata[0] : first);
}

static void
open_macro (GSimpleAction *action, GVariant *parameter, gpointer m)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (
    _ ("Open Macro"), GTK_WINDOW (((Macros *) m)->shell), GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"), _ ("_Cancel"));
  (void) action, (void) parameter;
  start_at_last (GTK_FILE_CHOOSER (chooser));
  file_filters_add (GTK_FILE_CHOOSER (chooser), _ ("Macros"), (const char *const[]){"lua", NULL});
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect_object (chooser, "response", G_CALLBACK (chosen), m, G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
open_macro_file (GSimpleAction *action, GVariant *path, gpointer m)
{
  (void) action;
  load (m, g_strdup (g_variant_get_bytestring (path)), FALSE);
}

static void
run_macro (GSimpleAction *action, GVariant *path, gpointer m)
{
  (void) action;
  load (m, g_strdup (g_variant_get_bytestring (path)), TRUE);
}

/* ---- The end ---- */

typedef struct {
  MacroClosed agreed;
  GObject *subject;
} Closing;

static void
closing_free (gpointer data)
{
  Closing *closing = data;
  g_object_unref (closing->subject);
  g_free (closing);
}

/* The first that is not saved is asked about, and when it is closed the next one. */
static void
close_next (GObject *macros)
{
  const Macros *m = FOVEA_MACROS (macros);
  for (guint i = 0; i < m->windows->len; i++)
    if (macro_window_unsaved (m->windows->pdata[i])) {
      macro_window_close (m->windows->pdata[i], close_next, macros);
      return;
    }
  Closing *closing = g_object_steal_data (macros, "closing");
  closing->agreed (closing->subject);
  closing_free (closing);
}

void
macros_close (Macros *m, MacroClosed agreed, GObject *subject)
{
  Closing *closing = g_new (Closing, 1);
  *closing = (Closing){agreed, g_object_ref (subject)};
  g_object_set_data_full (G_OBJECT (m), "closing", closing, closing_free);
  close_next (G_OBJECT (m));
}

void
macros_leave (Macros *m)
{
  macros_stop (m);
  macro_host_leave (m->stage);
  m->shell = NULL;
  while (m->windows->len)
    macro_window_destroy (g_ptr_array_remove_index (m->windows, 0));
  if (m->running)
    m->running->window = NULL;
}

/* ---- The object ---- */

static void
macros_finalize (GObject *object)
{
  Macros *m = FOVEA_MACROS (object);
  g_clear_pointer (&m->stage, macro_host_free);
  g_ptr_array_unref (m->windows);
  g_hash_table_unref (m->folders);
  G_OBJECT_CLASS (macros_parent_class)->finalize (object);
}

static void
macros_class_init (MacrosClass *class)
{
  G_OBJECT_CLASS (class)->finalize = macros_finalize;
}

static void
macros_init (Macros *m)
{
  m->windows = g_ptr_array_new ();
  m->folders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

Macros *
macros_new (Shell *shell, Modules *modules, Worker *worker)
{
  static const GActionEntry entries[] = {
    {.name = "new-macro", .activate = new_macro, .parameter_type = "s"},
    {.name = "open-macro", .activate = open_macro},
    {.name = "open-macro-file", .activate = open_macro_file, .parameter_type = "ay"},
    {.name = "run-macro", .activate = run_macro, .parameter_type = "ay"},
  };
  Macros *m = g_object_new (MACROS_TYPE, NULL);
  m->shell = shell;
  m->stage = macro_host_new (shell, modules, worker);
  add_recent_folders (m);
  g_signal_connect_object (shell, "opened", G_CALLBACK (on_opened), m, G_CONNECT_SWAPPED);
  g_action_map_add_action_entries (G_ACTION_MAP (shell), entries, G_N_ELEMENTS (entries), m);
  return m;
}
