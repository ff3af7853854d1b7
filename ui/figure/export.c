/* SPDX-License-Identifier: MIT
 *
 * The preview follows the page: what is looked at, its steps and how it looks.
 */
#include "ui/figure/export.h"

#include "core/figure/page.h"
#include "ui/form/args_form.h"
#include "ui/figure/looked_at.h"
#include "ui/figure/preview.h"
#include "ui/figure/work.h"
#include "ui/widgets/button.h"
#include "ui/widgets/file_dialog.h"
#include "ui/widgets/file_filters.h"
#include "ui/widgets/naming.h"
#include "ui/widgets/side_window.h"

#include <glib/gi18n.h>
#include <string.h>

enum { LABEL = 20 }; /* letters of a label */

#define EXPORT_FORM_TYPE (export_form_get_type ())
G_DECLARE_FINAL_TYPE (ExportForm, export_form, FOVEA, EXPORT_FORM, GtkBox)

struct _ExportForm {
  GtkBox parent;
  Shell *shell;
  Page *page;
  FigureChoices *choices;
  ArgsForm form; /* of the choices that say how it looks */
  FigurePreview *preview;
  GtkDropDown *part;
  GtkCheckButton *selections; /* are drawn */
  GtkLabel *says;
  GtkWidget *export, *copy;
};

G_DEFINE_FINAL_TYPE (ExportForm, export_form, GTK_TYPE_BOX)

static Document *
document_of (const ExportForm *self)
{
  return view_document (page_view (self->page));
}

/* ---- What it will be ---- */

/* "1004 × 669 dots, 85.0 × 56.6 mm". Free with g_free(). */
static char *
size_text (const ExportForm *self, Image *image)
{
  double width, height;
  if (!figure_page_size (image, self->choices, &width, &height, NULL))
    return g_strdup ("");
  const double mm = 25.4 / self->choices->dpi;
  return g_strdup_printf (_ ("%.0f × %.0f dots, %.1f × %.1f mm"), width, height, width * mm, height * mm);
}

static void
say (ExportForm *self, const char *text, gboolean good)
{
  gtk_label_set_text (self->says, text);
  gtk_widget_set_sensitive (self->export, good);
  gtk_widget_set_sensitive (self->copy, good);
}

/* Why the preview could not be drawn, which goes for the figure, too. */
static void
on_drawn (ExportForm *self, const char *fault)
{
  if (*fault)
    say (self, fault, FALSE);
}

static void
show (ExportForm *self)
{
  const Run *run = document_run (document_of (self));
  g_auto (FigureInputs) inputs = {0};
  g_autoptr (GError) error = NULL;
  looked_at_take (self->choices, self->page);
  gboolean selected =
    looked_at_take_part (self->choices, self->page, (FigurePart) gtk_drop_down_get_selected (self->part));
  gboolean all = looked_at_take_selections (self->choices, self->page, gtk_check_button_get_active (self->selections));
  if (!figure_inputs_find (&inputs, shell_modules (self->shell), run, self->choices, &error)) {
    say (self, error->message, FALSE);
    return;
  }
  g_autofree char *size = size_text (self, inputs.image);
  say (self,
       !selected ? _ ("Nothing is selected: the figure shows the whole image.")
       : !all    ? _ ("Too many selections: not all of them are drawn.")
                 : size,
       TRUE);
  figure_preview_show (self->preview, &inputs, self->choices);
}

/* ---- What is done with it ---- */

static void
copy (ExportForm *self)
{
  looked_at_keep (self->choices);
  figure_work_copy (self->shell, document_of (self), self->choices);
}

static void
on_response (GtkFileChooserNative *native, int response, ExportForm *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path =
    response == GTK_RESPONSE_ACCEPT ? file_dialog_path (GTK_FILE_CHOOSER (native), ".png", &error) : NULL;
  if (path && figure_can_save (path, &error)) {
    looked_at_keep (self->choices);
    figure_work_save (self->shell, document_of (self), self->choices, path);
    gtk_window_close (side_window_of (self));
  }
  if (error)
    say (self, error->message, TRUE);
  g_object_unref (native);
}

/* "nuclei-figure.png"; free with g_free(). */
static char *
first_name (const char *name)
{
  g_autofree char *stem = g_strdup (name);
  char *dot = strrchr (stem, '.');
  if (dot && dot > stem)
    *dot = 0;
  return g_strconcat (*stem ? stem : "image", "-figure.png", NULL);
}

static void
ask (ExportForm *self)
{
  const char *name = image_info (document_source (document_of (self)))->name;
  g_autofree char *title = file_dialog_title (_ ("Export Figure"), name), *first = first_name (name);
  GtkFileChooserNative *native = gtk_file_chooser_native_new (
    title, side_window_of (self), GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Export"), _ ("_Cancel"));
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (native), first);
  file_dialog_start_at (GTK_FILE_CHOOSER (native), document_path (document_of (self)));
  file_filters_add (GTK_FILE_CHOOSER (native), _ ("Figures (PNG, TIFF, SVG, PDF)"),
                    (const char *const[]){"png", "tif", "tiff", "svg", "pdf", NULL});
  g_signal_connect_object (native, "response", G_CALLBACK (on_response), self, 0);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (native), TRUE);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (native));
}

static void
close_window (ExportForm *self)
{
  gtk_window_close (side_window_of (self));
}

/* What the figure is of goes. */
static void
on_closed (ExportForm *self, const Document *document)
{
  if (document == document_of (self))
    close_window (self);
}

/* ---- The widget ---- */

static void
export_form_dispose (GObject *object)
{
  ExportForm *self = FOVEA_EXPORT_FORM (object);
  g_clear_object (&self->page);
  G_OBJECT_CLASS (export_form_parent_class)->dispose (object);
}

static void
export_form_finalize (GObject *object)
{
  g_free (FOVEA_EXPORT_FORM (object)->choices);
  G_OBJECT_CLASS (export_form_parent_class)->finalize (object);
}

static void
export_form_class_init (ExportFormClass *class)
{
  G_OBJECT_CLASS (class)->dispose = export_form_dispose;
  G_OBJECT_CLASS (class)->finalize = export_form_finalize;
}

static void
export_form_init (ExportForm *self)
{
  const char *const parts[] = {_ ("Of the whole image"), _ ("Of the visible part"), _ ("Of the selection"), NULL};
  self->preview = FOVEA_FIGURE_PREVIEW (figure_preview_new ());
  self->part = GTK_DROP_DOWN (gtk_drop_down_new_from_strings (parts));
  self->selections = GTK_CHECK_BUTTON (gtk_check_button_new_with_label (_ ("With selections")));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->selections), _ ("Draws the visible selections"));
  self->says = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->says, 0);
  gtk_label_set_wrap (self->says, TRUE);
  gtk_label_set_yalign (self->says, 0);
  gtk_widget_set_size_request (GTK_WIDGET (self->says), -1, 36); /* two lines */
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->part), _ ("Part of the image in the figure"));
  naming_set (GTK_WIDGET (self->part), _ ("Part"));
  g_signal_connect_object (self->preview, "drawn", G_CALLBACK (on_drawn), self, G_CONNECT_SWAPPED);
}

static gboolean
is_left_out (gpointer self, const fv_param *param)
{
  (void) self;
  return looked_at_has (param);
}

static GtkWidget *
make_form (ExportForm *self)
{
  self->form = (ArgsForm){.op = figure_op (),
                          .args = self->choices,
                          .check = figure_choices_check,
                          .is_left_out = is_left_out,
                          .changed = (void (*) (gpointer)) show,
                          .self = self};
  GtkWidget *form = args_form_new (&self->form, LABEL);
  param_form_add (self->form.form, figure_op ()->fv.params, figure_op ()->n_params);
  return form;
}

static GtkWidget *
make_side (ExportForm *self)
{
  GtkWidget *side = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12), *scroller = gtk_scrolled_window_new ();
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  gtk_box_append (GTK_BOX (line), GTK_WIDGET (self->part));
  gtk_box_append (GTK_BOX (line), GTK_WIDGET (self->selections));
  gtk_box_append (GTK_BOX (side), line);
  gtk_box_append (GTK_BOX (side), make_form (self));
  gtk_widget_set_margin_end (side, 14);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), side);
  gtk_widget_set_vexpand (scroller, TRUE);
  g_signal_connect_object (self->part, "notify::selected", G_CALLBACK (show), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->selections, "toggled", G_CALLBACK (show), self, G_CONNECT_SWAPPED);
  return scroller;
}

static void
follow (ExportForm *self)
{
  View *view = page_view (self->page);
  g_signal_connect_object (self->shell, "closed", G_CALLBACK (on_closed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "image", G_CALLBACK (show), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "look", G_CALLBACK (show), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "index", G_CALLBACK (show), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (page_canvas (self->page), "zoomed", G_CALLBACK (show), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (page_selections (self->page), "current", G_CALLBACK (show), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (page_selections (self->page), "list", G_CALLBACK (show), self, G_CONNECT_SWAPPED);
}

static void
fill (ExportForm *self)
{
  GtkWidget *both = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 14), *buttons = side_window_buttons ();
  self->copy = button_with_text (_ ("C_opy"), _ ("Copies it to the clipboard as an image"), G_CALLBACK (copy), self);
  self->export = button_with_text (_ ("_Export…"), _ ("Writes it as PNG, TIFF, SVG or PDF"), G_CALLBACK (ask), self);
  gtk_widget_add_css_class (self->export, "suggested-action");
  gtk_box_append (GTK_BOX (both), GTK_WIDGET (self->preview));
  gtk_box_append (GTK_BOX (both), make_side (self));
  gtk_widget_set_margin_start (both, 14);
  gtk_widget_set_margin_top (both, 12);
  gtk_widget_set_margin_start (GTK_WIDGET (self->says), 14);
  gtk_widget_set_margin_end (GTK_WIDGET (self->says), 14);
  gtk_widget_set_margin_top (GTK_WIDGET (self->says), 6);
  gtk_box_append (GTK_BOX (buttons), self->copy);
  gtk_box_append (GTK_BOX (buttons), button_with_text (_ ("_Close"), NULL, G_CALLBACK (close_window), self));
  gtk_box_append (GTK_BOX (buttons), self->export);
  gtk_box_append (GTK_BOX (self), both);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->says));
  gtk_box_append (GTK_BOX (self), buttons);
}

void
figure_export_show (Shell *shell)
{
  Page *page = shell_page (shell);
  g_autofree char *title =
    file_dialog_title (_ ("Figure"), image_info (document_source (view_document (page_view (page))))->name);
  GtkBox *box = side_window_show (GTK_WINDOW (shell), "export-figure", title, 880, 680);
  ExportForm *self = g_object_new (EXPORT_FORM_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, NULL);
  self->shell = shell;
  self->page = g_object_ref (page);
  self->choices = looked_at_choices (page);
  fill (self);
  gtk_box_append (box, GTK_WIDGET (self));
  gtk_window_set_default_widget (side_window_of (self), self->export);
  follow (self);
  show (self);
}

void
figure_copy (Shell *shell)
{
  const Page *page = shell_page (shell);
  g_autofree FigureChoices *choices = looked_at_choices (page);
  const Selection *selection = selections_current (page_selections (page));
  choices->width = 0;
  looked_at_take_part (choices, page, selection && selection_is_area (selection) ? FIGURE_SELECTED : FIGURE_WHOLE);
  figure_work_copy (shell, view_document (page_view (page)), choices);
}
