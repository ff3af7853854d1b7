/* SPDX-License-Identifier: MIT
 *
 * Errors are shown below and disable the button; errors of the operation's constructor are shown there too.
 */
#include "ui/app/save_operation.h"

#include "core/base/text.h"
#include "core/ops/args.h"
#include "core/ops/native.h"
#include "core/ops/operation_text.h"
#include "ui/app/menus.h"
#include "ui/widgets/button.h"
#include "ui/widgets/naming.h"
#include "ui/widgets/side_window.h"

#include <glib/gi18n.h>
#include <string.h>

#define OPERATION_FORM_TYPE (operation_form_get_type ())
G_DECLARE_FINAL_TYPE (OperationForm, operation_form, FOVEA, OPERATION_FORM, GtkBox)

enum { NUMBERS = 4 };

struct _OperationForm {
  GtkBox parent;
  Shell *shell;
  const Op *op;
  gpointer args;
  gboolean allowed; /* to run, and so is what is made of it */
  OperationNumber numbers[NUMBERS];
  GtkEditable *labels[NUMBERS], *smallest[NUMBERS], *largest[NUMBERS];
  guint n;
  GtkEditable *name;
  GtkLabel *says;
  GtkWidget *save;
};

G_DEFINE_FINAL_TYPE (OperationForm, operation_form, GTK_TYPE_BOX)

/* ---- What the fields say ---- */

/* What is wrong with number i, or NULL; it is read. Free with g_free(). */
static char *
read_number (OperationForm *self, guint i)
{
  OperationNumber *number = &self->numbers[i];
  g_autofree char *key = NULL;
  number->label = gtk_editable_get_text (self->labels[i]);
  key = operation_text_key (number->label);
  if (!*key)
    return g_strdup_printf (_ ("%s needs a name."), number->was);
  if (!text_to_number (gtk_editable_get_text (self->smallest[i]), &number->min)
      || !text_to_number (gtk_editable_get_text (self->largest[i]), &number->max) || !(number->min < number->max))
    return g_strdup_printf (_ ("The slider range of %s must be ascending."), number->was);
  return NULL;
}

static void
check (OperationForm *self)
{
  g_autofree char *key = operation_text_key (gtk_editable_get_text (self->name)), *wrong = NULL, *says = NULL;
  const Op *taken = modules_op (shell_modules (self->shell), key, NULL);
  for (guint i = 0; i < self->n && !wrong; i++)
    wrong = read_number (self, i);
  if (!*key)
    wrong = g_strdup (_ ("Enter a name."));
  else if (taken && !taken->made)
    wrong = g_strdup_printf (_ ("The operation %s already exists."), key);
  says = taken ? g_strdup_printf (_ ("Replaces the operation %s."), key)
               : g_strdup_printf (_ ("It will appear in Process ▸ Own Operations, and steps use it as %s."), key);
  gtk_label_set_text (self->says, wrong ? wrong : says);
  gtk_widget_set_sensitive (self->save, !wrong);
}

static void
save (OperationForm *self)
{
  g_autofree char *title = g_strstrip (g_strdup (gtk_editable_get_text (self->name)));
  g_autofree char *key = operation_text_key (title), *label = g_strconcat (title, "...", NULL), *path = NULL,
                  *said = NULL;
  g_autofree char *text = operation_text (self->op, self->args, label, self->numbers, self->n);
  Modules *modules = shell_modules (self->shell);
  g_autoptr (GError) error = NULL;
  if (!modules_save_operation (modules, key, text, &path, &error)) {
    gtk_label_set_text (self->says, error->message);
    return;
  }
  if (self->allowed)
    native_allow (modules, text);
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self->shell));
  menus_add_operation (gtk_application_get_menubar (application), modules_op (modules, key, NULL));
  said = g_strdup_printf (_ ("%s is now in Process ▸ Own Operations; its file is '%s'."), title, path);
  shell_say (self->shell, GTK_MESSAGE_OTHER, said);
  gtk_window_close (side_window_of (self));
}

/* ---- The widget ---- */

static GtkEditable *
add_entry (OperationForm *self, GtkBox *line, const char *text, int width, const char *name)
{
  GtkWidget *entry = gtk_entry_new ();
  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), width);
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  gtk_widget_set_hexpand (entry, width > 10);
  gtk_widget_set_tooltip_text (entry, name);
  naming_set (entry, name);
  g_signal_connect_object (entry, "changed", G_CALLBACK (check), self, G_CONNECT_SWAPPED);
  gtk_box_append (line, entry);
  return GTK_EDITABLE (entry);
}

static void
add_number (OperationForm *self, GtkGrid *grid, const fv_param *p, const char *name)
{
  double value;
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  g_autofree char *label = g_strdup_printf (_ ("Name of %s"), p->key), *from = g_strdup_printf (_ ("Least %s"), p->key),
                  *to = g_strdup_printf (_ ("Largest %s"), p->key), *smallest = NULL, *largest = NULL;
  guint i = self->n++;
  memcpy (&value, (const char *) self->args + p->offset, sizeof value);
  self->numbers[i] = (OperationNumber){p->key, NULL, value, MIN (p->soft_min, value), MAX (p->soft_max, value)};
  smallest = g_strdup_printf ("%.10g", self->numbers[i].min);
  largest = g_strdup_printf ("%.10g", self->numbers[i].max);
  self->labels[i] = add_entry (self, GTK_BOX (line), name, 16, label);
  self->smallest[i] = add_entry (self, GTK_BOX (line), smallest, 6, from);
  gtk_box_append (GTK_BOX (line), gtk_label_new (_ ("to")));
  self->largest[i] = add_entry (self, GTK_BOX (line), largest, 6, to);
  side_window_line (grid, (int) i + 1, p->label, line);
}

static void
operation_form_finalize (GObject *object)
{
  g_free (FOVEA_OPERATION_FORM (object)->args);
  G_OBJECT_CLASS (operation_form_parent_class)->finalize (object);
}

static void
operation_form_class_init (OperationFormClass *class)
{
  G_OBJECT_CLASS (class)->finalize = operation_form_finalize;
}

static void
operation_form_init (OperationForm *self)
{
  self->says = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->says, 0);
  gtk_label_set_yalign (self->says, 0);
  gtk_label_set_wrap (self->says, TRUE);
  gtk_widget_set_size_request (GTK_WIDGET (self->says), -1, 54); /* three lines: the window need not grow */
}

static void
fill_form (OperationForm *self, const Step *step)
{
  GtkWidget *grid = gtk_grid_new (), *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 18);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  gtk_widget_set_margin_start (grid, 14);
  gtk_widget_set_margin_end (grid, 14);
  gtk_widget_set_margin_top (grid, 12);
  self->name = add_entry (self, GTK_BOX (line), "", 24, _ ("Name of the operation"));
  side_window_line (GTK_GRID (grid), 0, _ ("_Name"), line);
  for (guint i = 0; i < step->op->n_params && self->n < NUMBERS; i++) {
    const fv_param *p = &step->op->fv.params[i];
    g_autofree char *name = p->type == FV_FLOAT ? operation_text_number (step->op, step->args, p->key) : NULL;
    if (name)
      add_number (self, GTK_GRID (grid), p, name);
  }
  gtk_grid_attach (GTK_GRID (grid), GTK_WIDGET (self->says), 0, (int) self->n + 1, 2, 1);
  gtk_box_append (GTK_BOX (self), grid);
}

void
save_operation_show (Shell *shell)
{
  Page *page = shell_page (shell);
  int index = view_index (page_view (page));
  const Recipe *recipe = document_recipe (view_document (page_view (page)));
  const Step *step = index >= 0 && index < (int) recipe_length (recipe) ? recipe_step (recipe, (guint) index) : NULL;
  if (!step || !operation_text_can (step->op)) {
    shell_say (shell, GTK_MESSAGE_INFO,
               _ ("Choose a step Math Expression or Custom Kernel to make an operation from it."));
    return;
  }
  GtkBox *box = side_window_show (GTK_WINDOW (shell), "save-operation", _ ("Save as Operation"), 420, 0);
  OperationForm *self = g_object_new (OPERATION_FORM_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, NULL);
  GtkWidget *buttons = side_window_buttons ();
  GtkWindow *dialog = side_window_of (box);
  self->shell = shell;
  self->op = step->op;
  self->args = args_copy (step->op, step->args);
  self->allowed = native_is_allowed (step->op, step->args);
  self->save = button_with_text (_ ("_Save"), _ ("Saves it as an operation of your own"), G_CALLBACK (save), self);
  gtk_widget_add_css_class (self->save, "suggested-action");
  fill_form (self, step);
  gtk_box_append (GTK_BOX (buttons), button_with_text (_ ("_Cancel"), NULL, G_CALLBACK (gtk_window_close), dialog));
  gtk_box_append (GTK_BOX (buttons), self->save);
  gtk_box_append (box, GTK_WIDGET (self));
  gtk_box_append (box, buttons);
  gtk_window_set_default_widget (dialog, self->save);
  gtk_window_set_resizable (dialog, FALSE);
  check (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->name));
}
