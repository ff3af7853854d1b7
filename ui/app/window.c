/* SPDX-License-Identifier: MIT
 *
 * Without an image the window offers what one can begin with.
 */
#include "ui/app/window.h"

#include "core/base/error.h"
#include "ui/app/actions.h"
#include "ui/app/closing.h"
#include "ui/app/command_finder.h"
#include "ui/app/context_menus.h"
#include "ui/app/image_actions.h"
#include "ui/app/keys.h"
#include "ui/app/recorder.h"
#include "ui/app/recovery.h"
#include "ui/start/start_page.h"
#include "ui/app/status_line.h"
#include "ui/app/tabs.h"
#include "ui/start/tour.h"
#include "ui/canvas/position_bar.h"
#include "ui/devices/device_choice.h"
#include "ui/macro/macros.h"
#include "ui/shell/native_dialog.h"
#include "ui/shell/opening.h"
#include "ui/widgets/menu_guard.h"
#include "ui/widgets/notes.h"
#include "ui/widgets/scrolled_row.h"
#include "ui/widgets/times.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>
#include <string.h>

struct _Window {
  GtkApplicationWindow parent;
  Modules *modules;
  Worker *worker;
  GtkNotebook *tabs;
  Notes *notes;
  Tour *tour;
  StatusLine *status;
  PositionBar *positions; /* of the page in front */
  GtkDropDown *device;
  Recorder *recorder;
  Recovery *recovery;
  Macros *macros;
  Tool tool;       /* of all pages */
  gboolean panels; /* are shown, by all pages */
  guint timer;
};

static void window_shell_init (ShellInterface *shell);

G_DEFINE_FINAL_TYPE_WITH_CODE (Window, window, GTK_TYPE_APPLICATION_WINDOW,
                               G_IMPLEMENT_INTERFACE (SHELL_TYPE, window_shell_init))

/* What notes are about now. */
static GObject *
front (Window *w)
{
  Page *page = tabs_front (w->tabs);
  return page ? G_OBJECT (view_document (page_view (page))) : G_OBJECT (w);
}

/* ---- Status line ---- */

static void
update_status (Window *w)
{
  Page *page = tabs_front (w->tabs);
  g_autofree char *text = page ? page_status (page) : g_strdup ("");
  status_line_set_text (w->status, text);
}

/* What is being done; done: how far it is, or -1. NULL: nothing. Free with g_free(). */
static char *
work_of (const Window *w, double *done)
{
  char *macro = macros_status (w->macros, done);
  Page *page = tabs_front (w->tabs);
  Document *document = page ? view_document (page_view (page)) : NULL;
  Progress progress = {0};
  if (macro || !document || !document_busy (document) || !worker_progress (w->worker, &progress))
    return macro;
  const Recipe *recipe = document_recipe (document);
  *done = progress.permille / 1000.0;
  return g_strdup (progress.part < (int) recipe_length (recipe)
                     ? words_shown (recipe_step (recipe, (guint) progress.part)->op->fv.label)
                     : "");
}

static gboolean
on_timer (gpointer data)
{
  Window *w = data;
  double done = -1;
  g_autofree char *work = work_of (w, &done);
  gboolean shown = status_line_set_work (w->status, work, done);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (w), "stop")), shown);
  return G_SOURCE_CONTINUE;
}

static void
on_stop (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  (void) action, (void) parameter;
  macros_stop (FOVEA_WINDOW (window)->macros);
  worker_cancel (FOVEA_WINDOW (window)->worker);
}

/* ---- Pages ---- */

static void
show_title (Window *w)
{
  Page *page = tabs_front (w->tabs);
  const char *name = page ? image_info (document_source (view_document (page_view (page))))->name : NULL;
  g_autofree char *title = name ? g_strdup_printf ("%s – Fovea", name) : g_strdup ("Fovea");
  gtk_window_set_title (GTK_WINDOW (w), title);
}

/* Other inputs for the steps of the front page: files of the other pages. */
static void
tell_others (Window *w)
{
  Page *page = tabs_front (w->tabs);
  g_autoptr (GPtrArray) documents = shell_documents (FOVEA_SHELL (w)), paths = g_ptr_array_new ();
  for (guint i = 0; page && i < documents->len; i++) {
    const char *path = document_path (documents->pdata[i]);
    if (path && g_utf8_validate (path, -1, NULL) && !image_info (document_source (documents->pdata[i]))->number
        && documents->pdata[i] != view_document (page_view (page)))
      g_ptr_array_add (paths, (gpointer) path);
  }
  g_ptr_array_add (paths, NULL);
  if (page)
    view_set_others (page_view (page), (const char *const *) paths->pdata);
}

static void
on_page (Window *w)
{
  Page *page = tabs_front (w->tabs);
  tabs_turned (w->tabs);
  position_bar_set_view (w->positions, page ? page_view (page) : NULL);
  tour_end (w->tour);
  show_title (w);
  notes_set_front (w->notes, front (w));
  actions_update (FOVEA_SHELL (w));
  update_status (w);
  tell_others (w);
  shell_turned (FOVEA_SHELL (w));
}

static void
on_failed (Window *w, const char *text, Page *page)
{
  shell_say_about (FOVEA_SHELL (w), view_document (page_view (page)), GTK_MESSAGE_ERROR, text);
}

/* What only informs was about the steps before; it goes when there are others. */
static void
on_steps (Window *w, Document *document)
{
  notes_move_on (w->notes, G_OBJECT (document));
  actions_update (FOVEA_SHELL (w));
}

/* An error that stopped a run is shown at its step. Errors without a step are shown here. */
static void
on_results (Window *w, Document *document)
{
  guint index;
  /* Runs that follow each other, as while a slider is dragged, are not one long one. */
  status_line_end_work (w->status);
  const GError *error = document_error (document, &index);
  if (error && index >= recipe_length (document_recipe (document)))
    shell_say_about (FOVEA_SHELL (w), document, GTK_MESSAGE_ERROR, error->message);
  native_dialog_ask_unless_refused (FOVEA_SHELL (w), document);
  update_status (w);
}

static void
remove_page (GObject *page)
{
  Window *w = FOVEA_WINDOW (gtk_widget_get_ancestor (GTK_WIDGET (page), WINDOW_TYPE));
  g_autoptr (Document) document = g_object_ref (view_document (page_view (FOVEA_PAGE (page))));
  tabs_remove (w->tabs, FOVEA_PAGE (page));
  shell_closed (FOVEA_SHELL (w), document);
}

static void
close_page (Page *page)
{
  g_autoptr (GPtrArray) documents = g_ptr_array_new ();
  g_ptr_array_add (documents, view_document (page_view (page)));
  closing_ask (FOVEA_SHELL (gtk_widget_get_ancestor (GTK_WIDGET (page), WINDOW_TYPE)), documents, remove_page,
               G_OBJECT (page));
}

static void
destroy (GObject *window)
{
  recovery_end (FOVEA_WINDOW (window)->recovery);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
close_macros (GObject *window)
{
  macros_close (FOVEA_WINDOW (window)->macros, destroy, window);
}

static gboolean
on_close (Window *w)
{
  g_autoptr (GPtrArray) documents = shell_documents (FOVEA_SHELL (w));
  closing_ask (FOVEA_SHELL (w), documents, close_macros, G_OBJECT (w));
  return TRUE;
}

static void
on_close_page (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  Page *page = tabs_front (FOVEA_WINDOW (window)->tabs);
  (void) action, (void) parameter;
  if (page)
    close_page (page);
}

/* What can be done depends on what is chosen: a step, an object, a selection. */
static void
watch_chosen (Window *w, Page *page)
{
  View *view = page_view (page);
  Selections *selections = page_selections (page);
  g_signal_connect_object (view, "index", G_CALLBACK (actions_update), w, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "object", G_CALLBACK (actions_update), w, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "look", G_CALLBACK (image_actions_update), w, G_CONNECT_SWAPPED);
  g_signal_connect_object (selections, "current", G_CALLBACK (actions_update), w, G_CONNECT_SWAPPED);
  g_signal_connect_object (selections, "list", G_CALLBACK (actions_update), w, G_CONNECT_SWAPPED);
}

static void
add_document (Window *w, Document *document)
{
  g_signal_connect (document, "steps", G_CALLBACK (times_request), NULL); /* before all others hear of it */
  Page *page = FOVEA_PAGE (page_new (w->modules, document));
  tabs_add (w->tabs, page, close_page);
  page_set_tool (page, w->tool);
  page_set_alone (page, !w->panels);
  g_signal_connect_object (page, "status", G_CALLBACK (update_status), w, G_CONNECT_SWAPPED);
  g_signal_connect_object (page, "failed", G_CALLBACK (on_failed), w, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "steps", G_CALLBACK (on_steps), w, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "results", G_CALLBACK (on_results), w, G_CONNECT_SWAPPED);
  watch_chosen (w, page);
  context_menus_add (page);
  tabs_bring (w->tabs, page);
  on_page (w);
  times_request ();
  shell_opened (FOVEA_SHELL (w), document);
  gtk_widget_grab_focus (GTK_WIDGET (page_canvas (page)));
}

/* ---- Device ---- */

static void
on_device (Window *w)
{
  Page *page;
  for (int i = 0; (page = tabs_page (w->tabs, i)); i++)
    document_set_device (view_document (page_view (page)), device_choice_key (w->device));
}

/* ---- Tool ---- */

static void
on_tool (GSimpleAction *action, GVariant *name, gpointer window)
{
  Window *w = FOVEA_WINDOW (window);
  Page *page;
  for (int i = 0; i < TOOLS; i++)
    if (!strcmp (tool_infos[i].name, g_variant_get_string (name, NULL)))
      w->tool = (Tool) i;
  g_simple_action_set_state (action, g_variant_new_string (tool_infos[w->tool].name));
  for (int i = 0; (page = tabs_page (w->tabs, i)); i++)
    page_set_tool (page, w->tool);
}

static void
on_panels (GSimpleAction *action, GVariant *shown, gpointer window)
{
  Window *w = FOVEA_WINDOW (window);
  Page *page;
  w->panels = g_variant_get_boolean (shown);
  g_simple_action_set_state (action, shown);
  for (int i = 0; (page = tabs_page (w->tabs, i)); i++)
    page_set_alone (page, !w->panels);
}

/* What is in front shows what it should. */
static gboolean
is_settled (gconstpointer window)
{
  const Window *w = window;
  const Page *page = tabs_front (w->tabs);
  return page && page_settled (page);
}

/* ---- Layout ---- */

/* Notes float over what a widget shows. */
static GtkWidget *
make_overlay (Window *w, GtkWidget *below)
{
  GtkWidget *overlay = gtk_overlay_new ();
  w->notes = FOVEA_NOTES (notes_new ());
  gtk_overlay_set_child (GTK_OVERLAY (overlay), below);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), GTK_WIDGET (w->notes));
  w->tour = tour_new (GTK_OVERLAY (overlay));
  return overlay;
}

/* Scrolled where the window is small. */
static GtkWidget *
make_start (GtkWidget *page)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), page);
  return scroller;
}

static void
lay_out_window (Window *w)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GMenuModel *menus = gtk_application_get_menubar (gtk_window_get_application (GTK_WINDOW (w)));
  w->tabs =
    tabs_new (scrolled_row_new (gtk_popover_menu_bar_new_from_model (menus)), make_start (start_page_new (w->modules)));
  w->positions = FOVEA_POSITION_BAR (position_bar_new ());
  w->device = GTK_DROP_DOWN (device_choice_new (w->modules));
  w->status = FOVEA_STATUS_LINE (status_line_new (w->modules, GTK_WIDGET (w->positions), GTK_WIDGET (w->device)));
  gtk_widget_set_vexpand (GTK_WIDGET (w->tabs), TRUE);
  g_signal_connect_swapped (w->device, "notify::selected", G_CALLBACK (on_device), w);
  w->recovery = FOVEA_RECOVERY (recovery_new (FOVEA_SHELL (w)));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (w->recovery));
  gtk_box_append (GTK_BOX (box), make_overlay (w, GTK_WIDGET (w->tabs)));
  gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (w->status));
  gtk_window_set_child (GTK_WINDOW (w), box);
  g_signal_connect_object (w->tabs, "switch-page", G_CALLBACK (on_page), w, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (w->tabs, "page-removed", G_CALLBACK (on_page), w, G_CONNECT_SWAPPED);
  context_menus_add_tabs (w->tabs);
  opening_take_drops (FOVEA_SHELL (w));
}

static void
window_dispose (GObject *object)
{
  Window *w = FOVEA_WINDOW (object);
  g_clear_handle_id (&w->timer, g_source_remove);
  if (w->tabs) /* its pages are removed next, which must not update the window */
    g_signal_handlers_disconnect_by_data (w->tabs, w);
  w->tabs = NULL;
  g_clear_object (&w->recorder);
  if (w->macros)
    macros_leave (w->macros);
  g_clear_object (&w->macros);
  G_OBJECT_CLASS (window_parent_class)->dispose (object);
}

static void
window_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                int *minimum_baseline, int *natural_baseline)
{
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    times_event ("layout", 0);
  GTK_WIDGET_CLASS (window_parent_class)
    ->measure (widget, orientation, for_size, minimum, natural, minimum_baseline, natural_baseline);
}

static void
window_class_init (WindowClass *class)
{
  G_OBJECT_CLASS (class)->dispose = window_dispose;
  GTK_WIDGET_CLASS (class)->measure = window_measure;
}

static void
on_find (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  (void) action, (void) parameter;
  command_finder_show (window, FOVEA_WINDOW (window)->modules);
}

static void
on_record (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  (void) action, (void) parameter;
  recorder_show (FOVEA_WINDOW (window)->recorder);
}

static void
on_tour (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  Page *page = tabs_front (FOVEA_WINDOW (window)->tabs);
  (void) action, (void) parameter;
  if (page)
    tour_begin (FOVEA_WINDOW (window)->tour, page);
  else
    shell_say (window, GTK_MESSAGE_INFO, _ ("Open an image or try a sample; the tour shows what is on the screen."));
}

/* After the last pane of the page come the positions, then the first pane. */
static void
move_pane (Window *w, int by)
{
  Page *page = tabs_front (w->tabs);
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (w));
  gboolean there = focus && gtk_widget_is_ancestor (focus, GTK_WIDGET (w->positions));
  if (!page || page_next_pane (page, by)
      || (!there && gtk_widget_child_focus (GTK_WIDGET (w->positions), GTK_DIR_TAB_FORWARD)))
    return;
  gtk_window_set_focus (GTK_WINDOW (w), NULL);
  page_next_pane (page, by);
}

static void
on_next_pane (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  (void) action, (void) parameter;
  move_pane (window, 1);
}

static void
on_previous_pane (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  (void) action, (void) parameter;
  move_pane (window, -1);
}

/* ---- What its parts see of it ---- */

static Page *
window_page (Shell *shell)
{
  return tabs_front (FOVEA_WINDOW (shell)->tabs);
}

static Page *
window_page_of (Shell *shell, Document *document)
{
  return tabs_page_of (FOVEA_WINDOW (shell)->tabs, document);
}

static void
window_bring (Shell *shell, Page *page)
{
  tabs_bring (FOVEA_WINDOW (shell)->tabs, page);
}

static void
window_remove (Shell *shell, Page *page)
{
  (void) shell;
  remove_page (G_OBJECT (page));
}

static GPtrArray *
window_documents (Shell *shell)
{
  return tabs_documents (FOVEA_WINDOW (shell)->tabs);
}

static Document *
window_add (Shell *shell, Image *image, const char *path)
{
  Window *w = FOVEA_WINDOW (shell);
  g_autoptr (Document) document = document_new (w->modules, w->worker, image, path);
  document_set_device (document, device_choice_key (w->device));
  add_document (w, document);
  return document; /* that its page holds */
}

static void
window_say (Shell *shell, Document *document, GtkMessageType type, const char *text)
{
  notes_say (FOVEA_WINDOW (shell)->notes, document ? G_OBJECT (document) : G_OBJECT (shell), type, text);
}

static void
window_set_device (Shell *shell, const char *key)
{
  device_choice_set (FOVEA_WINDOW (shell)->device, key);
}

static Modules *
window_modules (Shell *shell)
{
  return FOVEA_WINDOW (shell)->modules;
}

static void
window_shell_init (ShellInterface *shell)
{
  shell->page = window_page;
  shell->documents = window_documents;
  shell->page_of = window_page_of;
  shell->add = window_add;
  shell->bring = window_bring;
  shell->remove = window_remove;
  shell->say = window_say;
  shell->set_device = window_set_device;
  shell->modules = window_modules;
}

/* ---- The window ---- */

static void
window_init (Window *w)
{
  static const GActionEntry entries[] = {
    {.name = "close-page", .activate = on_close_page}, {.name = "stop", .activate = on_stop},
    {.name = "record", .activate = on_record},         {.name = "tour", .activate = on_tour},
    {.name = "next-pane", .activate = on_next_pane},   {.name = "previous-pane", .activate = on_previous_pane},
    {"tool", NULL, "s", "'hand'", on_tool, {0}},       {"panels", NULL, NULL, "true", on_panels, {0}},
    {.name = "find-command", .activate = on_find}};
  w->panels = TRUE;
  g_action_map_add_action_entries (G_ACTION_MAP (w), entries, G_N_ELEMENTS (entries), w);
  actions_add (FOVEA_SHELL (w));
}

GtkWidget *
window_new (GtkApplication *application, Modules *modules, Worker *worker)
{
  Window *w = g_object_new (WINDOW_TYPE, "application", application, "title", "Fovea", "default-width", 1280,
                            "default-height", 800, NULL);
  w->modules = modules;
  w->worker = worker;
  lay_out_window (w);
  window_keys_add (GTK_WIDGET (w));
  menu_guard_add (GTK_WIDGET (w));
  w->recorder = recorder_new (FOVEA_SHELL (w));
  w->macros = macros_new (FOVEA_SHELL (w), modules, worker);
  times_watch (GTK_WIDGET (w), is_settled, w);
  on_page (w);
  g_signal_connect (w, "close-request", G_CALLBACK (on_close), NULL);
  w->timer = g_timeout_add (100, on_timer, w);
  return GTK_WIDGET (w);
}
