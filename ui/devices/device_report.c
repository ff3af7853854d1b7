/* SPDX-License-Identifier: MIT
 *
 * One text, to read and to send. It is rebuilt after each run of the page's steps.
 */
#include "ui/devices/device_report.h"

#include "ui/devices/gpus.h"
#include "ui/widgets/button.h"
#include "ui/widgets/side_window.h"

#include <glib/gi18n.h>
#include <string.h>
#include <sys/utsname.h>

typedef struct {
  const Modules *modules;
  Document *document; /* or NULL */
  GtkTextView *text;
} Report;

/* ---- Texts ---- */

/* Takes the amount as a text. */
static void
append_size (GString *s, const char *before, guint64 bytes, const char *after)
{
  g_autofree char *size = g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);
  g_string_append_printf (s, "%s%s%s", before, size, after);
}

static void
append_program (GString *s)
{
  const char *threads = g_getenv ("OMP_NUM_THREADS");
  struct utsname about;
  g_string_append_printf (s, "Fovea %s, GTK %u.%u.%u\n", FOVEA_VERSION, gtk_get_major_version (),
                          gtk_get_minor_version (), gtk_get_micro_version ());
  if (!uname (&about))
    g_string_append_printf (s, "%s %s, %s\n", about.sysname, about.release, about.machine);
  g_string_append_printf (s, "%u processors can be used", g_get_num_processors ());
  if (threads)
    g_string_append_printf (s, "; OMP_NUM_THREADS=%s", threads);
  g_string_append (s, "\n");
}

static void
append_device (GString *s, Device *device)
{
  const fv_device *fv = device->fv;
  int64_t unused, all;
  fv_error fault = FV_ERROR_INIT;
  g_string_append_printf (s, "\n%s: %s\n", fv->key, fv->name);
  if (fv->detail && *fv->detail)
    g_string_append_printf (s, "    %s\n", fv->detail);
  if (fv->fault) {
    g_string_append_printf (s, "    cannot be used: %s\n", fv->fault);
    return;
  }
  if (device->discrete && !device_is_awake (device))
    g_string_append (s, "    not awake yet\n");
  else if (!fv->memory (fv, &unused, &all, &fault)) {
    append_size (s, "    memory: ", (guint64) unused, " free");
    append_size (s, " of ", (guint64) all, "\n");
  } else
    g_string_append_printf (s, "    memory: %s\n", fault.text);
  if (device->limit)
    append_size (s, "    at most ", device->limit, " of it may be used\n");
  if (device->discrete) {
    append_size (s, "    moved to it: ", device->uploaded, "");
    append_size (s, ", from it: ", device->downloaded, ", since the start\n");
  }
}

/* The calm line: whether a GPU is used, and if not, why. */
static void
append_devices (GString *s, const Modules *modules)
{
  const GPtrArray *devices = modules_devices (modules);
  const fv_device *gpu = NULL;
  for (guint i = 0; i < devices->len; i++) {
    const fv_device *fv = ((const Device *) devices->pdata[i])->fv;
    if (fv->kind != FV_CPU && (!gpu || (gpu->fault && !fv->fault)))
      gpu = fv;
  }
  g_string_append (s, "\nDEVICES\n\n");
  if ((!gpu || gpu->fault) && modules_devices_pending (modules))
    g_string_append (s, "Searching for GPUs.\n");
  else if (!gpu)
    g_string_append (s, "Using the CPU: no loaded plugin supports GPUs (Fovea was built without CUDA).\n");
  else if (gpu->fault)
    g_string_append_printf (s, "Using the CPU because of the GPU: %s\n", gpu->fault);
  else
    g_string_append_printf (s, "A GPU is available: %s.\n", gpu->name);
  for (guint i = 0; i < devices->len; i++)
    append_device (s, devices->pdata[i]);
}

static void
append_plugins (GString *s, const Modules *modules)
{
  g_auto (GStrv) loaded = modules_loaded (modules);
  const char *const *refused = modules_refused (modules), *const *folders = modules_folders (modules);
  g_string_append (s, "\nPLUGINS\n\n");
  for (char **plugin = loaded; *plugin; plugin++)
    g_string_append_printf (s, "%s\n", *plugin);
  for (; refused && *refused; refused++)
    g_string_append_printf (s, "refused: %s\n", *refused);
  g_string_append (s, "Searched in:\n");
  for (; folders && *folders; folders++)
    g_string_append_printf (s, "    %s\n", *folders);
}

static void
append_step (GString *s, guint index, const RunStep *step)
{
  const CallResult *r = &step->result;
  g_string_append_printf (s, "%2u  %-16s", index + 1, step->step->op->fv.key);
  if (step->step->skipped)
    g_string_append (s, "skipped\n");
  else if (!step->done)
    g_string_append (s, "not done\n");
  else {
    g_string_append_printf (s, "%-8s %9.3f ms", step->device->fv->key, r->ms);
    if (step->device->discrete) {
      append_size (s, "   to it ", r->uploaded, "");
      append_size (s, ", from it ", r->downloaded, "");
    }
    g_string_append_c (s, '\n');
  }
}

static void
append_steps (GString *s, const Document *document)
{
  const Run *run = document_run (document);
  guint index;
  const GError *error = document_error (document, &index);
  g_string_append_printf (s, "\nLAST RUN OF %s\n\n", image_info (document_source (document))->name);
  for (guint i = 0; i < run_length (run); i++)
    append_step (s, i, run_result (run, i));
  if (!run_length (run))
    g_string_append (s, "There are no steps.\n");
  else
    g_string_append_printf (s, "    all             %18.3f ms\n", run_ms (run));
  if (error)
    g_string_append_printf (s, "Step %u stopped: %s\n", index + 1, error->message);
}

static char *
report_text (const Report *report)
{
  GString *s = g_string_new (NULL);
  append_program (s);
  append_devices (s, report->modules);
  if (report->document)
    append_steps (s, report->document);
  append_plugins (s, report->modules);
  return g_string_free (s, FALSE);
}

/* ---- The window ---- */

static void
fill_report (GtkWidget *text)
{
  const Report *report = g_object_get_data (G_OBJECT (text), "report");
  g_autofree char *said = report_text (report), *valid = g_utf8_make_valid (said, -1);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (report->text), valid, -1);
}

static void
fill_found (gpointer text)
{
  fill_report (text);
}

static void
copy_report (GtkWidget *text)
{
  g_autofree char *said = report_text (g_object_get_data (G_OBJECT (text), "report"));
  gdk_clipboard_set_text (gtk_widget_get_clipboard (text), said);
}

static void
report_free (gpointer data)
{
  Report *report = data;
  g_clear_object (&report->document);
  g_free (report);
}

static GtkWidget *
make_text (const Modules *modules, View *view)
{
  GtkWidget *text = gtk_text_view_new ();
  Report *report = g_new (Report, 1);
  *report = (Report){modules, view ? g_object_ref (view_document (view)) : NULL, GTK_TEXT_VIEW (text)};
  gtk_text_view_set_editable (report->text, FALSE);
  gtk_text_view_set_cursor_visible (report->text, FALSE);
  gtk_text_view_set_monospace (report->text, TRUE);
  gtk_text_view_set_accepts_tab (report->text, FALSE);
  gtk_text_view_set_wrap_mode (report->text, GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_left_margin (report->text, 12);
  gtk_text_view_set_right_margin (report->text, 12);
  gtk_text_view_set_top_margin (report->text, 12);
  gtk_text_view_set_bottom_margin (report->text, 12);
  gtk_accessible_update_property (GTK_ACCESSIBLE (text), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Device report"), -1);
  g_object_set_data_full (G_OBJECT (text), "report", report, report_free);
  if (report->document)
    g_signal_connect_object (report->document, "results", G_CALLBACK (fill_report), text, G_CONNECT_SWAPPED);
  gpus_when_found (text, fill_found);
  fill_report (text);
  return text;
}

void
device_report_show (GtkWindow *window, const Modules *modules, View *view)
{
  GtkBox *box = side_window_show (window, "device-report", _ ("Device Report"), 720, 520);
  GtkWidget *scroller = gtk_scrolled_window_new (), *text = make_text (modules, view),
            *buttons = side_window_buttons ();
  GtkWidget *close = button_with_text (_ ("_Close"), NULL, G_CALLBACK (gtk_window_close), side_window_of (box));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), text);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_box_append (GTK_BOX (buttons),
                  button_with_text (_ ("_Refresh"), _ ("Look again"), G_CALLBACK (fill_report), text));
  gtk_box_append (GTK_BOX (buttons),
                  button_with_text (_ ("C_opy"), _ ("Copy the whole report"), G_CALLBACK (copy_report), text));
  gtk_box_append (GTK_BOX (buttons), close);
  gtk_box_append (box, scroller);
  gtk_box_append (box, buttons);
  gtk_widget_grab_focus (close);
}
