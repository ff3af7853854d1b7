/* SPDX-License-Identifier: MIT
 *
 * fovea-gtk: the application, its actions and its windows.
 */
#include "core/base/environment.h"
#include "core/base/system/stop.h"
#include "core/base/text.h"
#include "core/files/formats.h"
#include "core/files/plugin_format.h"
#include "core/ops/native.h"
#include "ui/app/keys.h"
#include "ui/app/menus.h"
#include "ui/start/samples.h"
#include "ui/app/start_faults.h"
#include "ui/app/steps_file.h"
#include "ui/app/theme.h"
#include "ui/start/tour.h"
#include "ui/app/window.h"
#include "ui/devices/gpus.h"
#include "ui/devices/device_report.h"
#include "ui/macro/macros.h"
#include "ui/results/column_names.h"
#include "ui/shell/opening.h"
#include "ui/shell/panel_sides.h"
#include "ui/widgets/file_filters.h"
#include "ui/widgets/hidden_windows.h"
#include "ui/widgets/menu_names.h"
#include "ui/widgets/style.h"
#include "ui/widgets/times.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <signal.h>

typedef struct {
  gboolean no_plugins;
  Modules *modules;
  Worker *worker;
  gulong painted; /* the handler that waits for the first frame */
} App;

/* ---- Opening ---- */

static Shell *
front (GtkApplication *application)
{
  GtkWindow *window = gtk_application_get_active_window (application);
  while (window && !FOVEA_IS_WINDOW (window))
    window = gtk_window_get_transient_for (window);
  return FOVEA_SHELL (window);
}

static void
open_chosen (GtkFileChooserNative *chooser, int response, gpointer window)
{
  g_autoptr (GListModel) files = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (chooser));
  for (guint i = 0; response == GTK_RESPONSE_ACCEPT && i < g_list_model_get_n_items (files); i++) {
    g_autoptr (GFile) file = g_list_model_get_item (files, i);
    opening_open_file (window, file);
  }
  g_object_unref (chooser);
}

static void
open_images (GSimpleAction *action, GVariant *parameter, gpointer application)
{
  GtkWindow *window = GTK_WINDOW (front (application));
  GtkFileChooserNative *chooser =
    gtk_file_chooser_native_new (_ ("Open Images"), window, GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"), _ ("_Cancel"));
  (void) action, (void) parameter;
  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (chooser), TRUE);
  file_filters_add_images (GTK_FILE_CHOOSER (chooser), _ ("Images and macros"),
                           (const char *const[]){"lua", "lut", NULL});
  g_signal_connect (chooser, "response", G_CALLBACK (open_chosen), window);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
open_sample (GSimpleAction *action, GVariant *parameter, gpointer application)
{
  g_autofree char *path = samples_path (g_variant_get_string (parameter, NULL));
  Shell *shell = front (application);
  (void) action;
  if (g_file_test (path, G_FILE_TEST_IS_DIR) && !formats_is_image_folder (path)) /* of images for a batch */
    g_action_group_activate_action (G_ACTION_GROUP (shell), "show-folder", g_variant_new_bytestring (path));
  else
    opening_open (shell, path);
}

/* listener: the recipe's file. */
static void
begin_recipe (GObject *listener, Document *document, const char *fault)
{
  Shell *shell = front (GTK_APPLICATION (g_application_get_default ()));
  if (fault) {
    shell_say (shell, GTK_MESSAGE_ERROR, fault);
    return;
  }
  steps_file_begin (shell, document, g_file_peek_path (G_FILE (listener)));
  if (tour_is_new ())
    g_action_group_activate_action (G_ACTION_GROUP (shell), "tour", NULL);
}

/* A sample, and a recipe for it: their names. */
static void
try_recipe (GSimpleAction *action, GVariant *parameter, gpointer application)
{
  const char *sample, *recipe;
  g_variant_get (parameter, "(&s^&ay)", &sample, &recipe);
  g_autofree char *path = samples_path (sample);
  g_autoptr (GFile) file = g_file_new_for_path (recipe);
  (void) action;
  opening_open_with (front (application), path, NULL, begin_recipe, G_OBJECT (file));
}

static void
open_recent (GSimpleAction *action, GVariant *parameter, gpointer application)
{
  (void) action;
  opening_open (front (application), g_variant_get_bytestring (parameter));
}

/* ---- Help ---- */

static void
show_devices (GSimpleAction *action, GVariant *parameter, gpointer application)
{
  const App *app = g_object_get_data (application, "fovea");
  Shell *shell = front (application);
  Page *page = shell_page (shell);
  (void) action, (void) parameter;
  device_report_show (GTK_WINDOW (shell), app->modules, page ? page_view (page) : NULL);
}

static void
show_about (GSimpleAction *action, GVariant *parameter, gpointer application)
{
  g_autoptr (GdkTexture) logo =
    gdk_texture_new_from_resource ("/org/fovea/Fovea/icons/256x256/apps/org.fovea.Fovea.png");
  (void) action, (void) parameter;
  gtk_show_about_dialog (GTK_WINDOW (front (application)), "program-name", "Fovea", "logo", logo, "version",
                         FOVEA_VERSION, "comments", _ ("Point-and-click microscopy analysis on the GPU"),
                         "license-type", GTK_LICENSE_MIT_X11, NULL);
}

static void
quit (GSimpleAction *action, GVariant *parameter, gpointer application)
{
  g_autoptr (GList) windows = g_list_copy (gtk_application_get_windows (application));
  (void) action, (void) parameter;
  for (GList *at = windows; at; at = at->next)
    if (FOVEA_IS_WINDOW (at->data))
      gtk_window_close (at->data);
}

/* ---- The application ---- */

static void
on_startup (GtkApplication *application, App *app)
{
  static const GActionEntry entries[] = {{.name = "open", .activate = open_images},
                                         {.name = "open-recent", .activate = open_recent, .parameter_type = "ay"},
                                         {.name = "open-sample", .activate = open_sample, .parameter_type = "s"},
                                         {.name = "try-recipe", .activate = try_recipe, .parameter_type = "(say)"},
                                         {.name = "devices", .activate = show_devices},
                                         {.name = "about", .activate = show_about},
                                         {.name = "quit", .activate = quit}};
  words_set_direction ();
  menu_names_start ();
  style_add ();
  window_keys_take_inspectors ();
  hidden_windows_first ();
  theme_add (application);
  column_names_add (application);
  panel_sides_add (application);
  gtk_window_set_default_icon_name ("org.fovea.Fovea");
  app->modules = app->no_plugins ? modules_new_shipped () : modules_new ();
  plugin_formats_use (app->modules);
  native_allow_kept (app->modules);
  app->worker = worker_new_modest (WORKER_LATER);
  gpus_share (app->worker, app->modules);
  g_object_set_data (G_OBJECT (application), "fovea", app);
  g_action_map_add_action_entries (G_ACTION_MAP (application), entries, G_N_ELEMENTS (entries), application);
  g_autoptr (GMenuModel) menus = menus_new (app->modules, application);
  gtk_application_set_menubar (application, menus);
  menus_set_keys (application);
}

/* The first frame is drawn, so a driver no longer delays the start. */
static void
on_painted (GdkFrameClock *clock, App *app)
{
  g_clear_signal_handler (&app->painted, clock);
  gpus_wake (app->modules);
}

static void
on_activate (GtkApplication *application, App *app)
{
  GtkWidget *window = GTK_WIDGET (front (application));
  if (!window) {
    g_autofree char *faults = start_faults (app->modules);
    window = window_new (application, app->modules, app->worker);
    if (faults)
      shell_say (FOVEA_SHELL (window), GTK_MESSAGE_WARNING, faults);
    gtk_widget_realize (window);
    app->painted = g_signal_connect (gtk_widget_get_frame_clock (window), "after-paint", G_CALLBACK (on_painted), app);
  }
  gtk_window_present (GTK_WINDOW (window));
}

static void
on_open (GtkApplication *application, GFile **files, int n, const char *hint, App *app)
{
  (void) hint;
  on_activate (application, app);
  for (int i = 0; i < n; i++)
    opening_open_file (front (application), files[i]);
}

/* What a variable of the environment is, for people. */
static char *
variable (const char *name)
{
  const char *value = g_getenv (name);
  g_autofree char *text = value ? text_visible (value, "") : NULL;
  return value ? g_strdup_printf ("%s is '%s'", name, text) : g_strdup_printf ("%s is not set", name);
}

/* Variables of the environment that hold no number: says so. Without a display: says so, and what works without one. -1: all is well. */
static int
on_options (GApplication *application, GVariantDict *options, gpointer unused)
{
  g_autoptr (GError) error = NULL;
  (void) application, (void) options, (void) unused;
  if (!environment_check (&error)) {
    g_printerr ("fovea-gtk: %s\n", error->message);
    return EXIT_FAILURE;
  }
  if (gtk_init_check ())
    return -1;
  g_autofree char *display = variable ("DISPLAY"), *wayland = variable ("WAYLAND_DISPLAY");
  g_printerr ("fovea-gtk cannot open a display: %s, and %s. 'ssh -X' shows the window of another "
              "machine; 'fovea run' does the same work in a terminal.\n",
              display, wayland);
  return EXIT_FAILURE;
}

int
main (int argc, char **argv)
{
  g_autoptr (GtkApplication) application = gtk_application_new ("org.fovea.Fovea", G_APPLICATION_HANDLES_OPEN);
  App app = {0};
  times_start ();
  signal (SIGXFSZ, SIG_IGN); /* a file that may not grow is an error as any other */
  stop_catch ();
  setlocale (LC_ALL, "");
  setlocale (LC_NUMERIC, "C"); /* a point, in every language, as in the files that are written */
  words_start ();
  const GOptionEntry entries[] = {
    {"no-plugins", 0, 0, G_OPTION_ARG_NONE, &app.no_plugins, _ ("Load only the plugin that comes with Fovea"), NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL}};
  gtk_disable_setlocale ();
  g_set_application_name ("Fovea");
  g_application_add_main_option_entries (G_APPLICATION (application), entries);
  g_signal_connect (application, "handle-local-options", G_CALLBACK (on_options), NULL);
  g_signal_connect (application, "startup", G_CALLBACK (on_startup), &app);
  g_signal_connect (application, "activate", G_CALLBACK (on_activate), &app);
  g_signal_connect (application, "open", G_CALLBACK (on_open), &app);
  int status = g_application_run (G_APPLICATION (application), argc, argv);
  macros_settle ();
  worker_free (app.worker); /* now that nothing more can come that asks for it: a file that is read, a timer */
  gpus_settle ();
  return status;
}
