/* SPDX-License-Identifier: MIT
 *
 * The first image that is chosen gets the step. One that a step cannot take as it is can be saved from here, and is taken from that file.
 */
#include "ui/several/form.h"

#include "core/ops/args.h"
#include "ui/form/args_form.h"
#include "ui/several/image_row.h"
#include "ui/several/live_step.h"
#include "ui/widgets/button.h"
#include "ui/widgets/side_window.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>
#include <string.h>

enum { MAXIMUM = 8, LABEL = 20 }; /* images; letters of a label */

#define SEVERAL_FORM_TYPE (several_form_get_type ())
G_DECLARE_FINAL_TYPE (SeveralForm, several_form, FOVEA, SEVERAL_FORM, GtkBox)

struct _SeveralForm {
  GtkBox parent;
  Shell *shell;
  const SeveralDialog *dialog;
  const Op *op;
  LiveStep *live;
  ImageRow *rows[MAXIMUM];
  guint n_rows;
  ArgsForm args; /* and the images, in its form */
  GtkLabel *says;
  GtkWidget *save, *ok;
  ImageRow *faulty; /* has what a step cannot take, or NULL */
};

G_DEFINE_FINAL_TYPE (SeveralForm, several_form, GTK_TYPE_BOX)

/* ---- What is chosen ---- */

typedef struct {
  ImageRow *rows[MAXIMUM]; /* with an image */
  guint which[MAXIMUM];    /* of all rows */
  guint n;
} Chosen;

static Chosen
chosen_of (const SeveralForm *self)
{
  Chosen chosen = {.n = 0};
  for (guint i = 0; i < self->n_rows; i++)
    if (image_row_text (self->rows[i])) {
      chosen.rows[chosen.n] = self->rows[i];
      chosen.which[chosen.n++] = i;
    }
  return chosen;
}

static gboolean
same_source (Document *a, Document *b)
{
  const char *one = document_path (a), *other = document_path (b);
  return a == b
         || (one && other && !strcmp (one, other)
             && image_info (document_source (a))->number == image_info (document_source (b))->number);
}

/* As a step of the first document takes it. none: no steps. */
static OtherImage
other_of (const ImageRow *row, Document *first, const Recipe *none)
{
  Document *document = image_row_document (row);
  if (!document)
    return (OtherImage){.name = image_row_text (row), .path = image_row_file (row), .steps = none};
  const ImageInfo *source = image_info (document_source (document));
  /* Of the image itself what it was opened as; its steps are there already. */
  return (OtherImage){source->name, document_path (document), source->number, same_source (document, first),
                      document == first ? none : document_recipe (document)};
}

/* The step with what is chosen of it, but for the images. */
static Step *
step_of (const SeveralForm *self, GError **error)
{
  const Step *now = live_step_now (self->live);
  Step *step = now ? step_copy (now) : step_new (self->op, error);
  for (guint i = 0; step && i < self->op->n_params; i++) {
    const fv_param *param = &self->op->fv.params[i];
    g_autofree char *value = args_get (self->args.args, param);
    step_set (step, param->key, value, NULL);
  }
  return step;
}

/* ---- Its result ---- */

static void
say (SeveralForm *self, const char *text, gboolean good)
{
  gtk_label_set_text (self->says, text);
  if (good)
    gtk_widget_remove_css_class (GTK_WIDGET (self->says), "error");
  else
    gtk_widget_add_css_class (GTK_WIDGET (self->says), "error");
  gtk_widget_set_sensitive (self->ok, good);
  gtk_widget_set_visible (self->save, self->faulty != NULL);
}

/* No result is possible yet. */
static void
refuse (SeveralForm *self, const char *text)
{
  live_step_take_back (self->live);
  say (self, text, FALSE);
}

static void
on_results (SeveralForm *self)
{
  const GError *fault = self->live ? live_step_fault (self->live) : NULL;
  Document *document = self->live ? live_step_document (self->live) : NULL;
  const Chosen chosen = chosen_of (self);
  gboolean repeated = FALSE;
  if (!document)
    return;
  for (guint i = 1; i < chosen.n; i++)
    repeated = repeated || image_row_document (chosen.rows[i]) == document;
  g_autofree char *text = g_strdup_printf (repeated ? _ ("Adds a step to %s, which is also an input as it was opened.")
                                                    : _ ("Adds a step to %s."),
                                           image_info (document_source (document))->name);
  say (self, fault ? fault->message : text, !fault);
}

/* The channels get the colors of their rows, as far as it is known which channel comes of which. */
static void
color (const SeveralForm *self, const Chosen *chosen)
{
  View *view = page_view (shell_page_of (self->shell, live_step_document (self->live)));
  gint64 channel = 0;
  for (guint i = 0; self->dialog->luts && i < chosen->n; i++) {
    Document *document = image_row_document (chosen->rows[i]);
    ViewChannel look = *view_look (view, channel);
    g_strlcpy (look.lut, self->dialog->luts[chosen->which[i]], sizeof look.lut);
    view_keep_look (view, channel, &look);
    channel += document && document != live_step_document (self->live)
                 ? image_info (document_image (document, G_MAXINT))->channels
                 : 1;
  }
}

static void
find_faulty (SeveralForm *self, const Chosen *chosen, const OtherImage *others)
{
  self->faulty = NULL;
  for (guint i = 1; i < chosen->n && !self->faulty; i++) {
    g_autofree char *fault = several_fault (&others[i - 1]);
    if (fault && image_row_document (chosen->rows[i]))
      self->faulty = chosen->rows[i];
  }
}

static void
update (SeveralForm *self)
{
  const Chosen chosen = chosen_of (self);
  Document *first = chosen.n ? image_row_document (chosen.rows[0]) : NULL;
  g_autoptr (Recipe) none = recipe_new ();
  g_autoptr (GError) error = NULL;
  OtherImage others[MAXIMUM];
  self->faulty = NULL;
  if (!self->live)
    return;
  if (chosen.n < 2) {
    refuse (self, _ ("Choose at least two images."));
    return;
  }
  if (!first) {
    refuse (self, _ ("Open the first image; the step is added to it."));
    return;
  }
  if (first != live_step_document (self->live)) /* what had the step has its own alone, when that is taken */
    live_step_take_back (self->live);
  for (guint i = 1; i < chosen.n; i++)
    others[i - 1] = other_of (chosen.rows[i], first, none);
  find_faulty (self, &chosen, others);
  Step *step = step_of (self, &error);
  if (!step || !live_step_set (self->live, first, step, others, chosen.n - 1, &error))
    refuse (self, error->message);
  else {
    color (self, &chosen);
    on_results (self);
  }
  if (step)
    step_unref (step);
}

/* ---- The images that are open ---- */

/* Steps of another image are seen at once, too. */
static void
on_steps (SeveralForm *self, Document *document)
{
  for (guint i = 0; i < self->n_rows && self->live; i++)
    if (document != live_step_document (self->live) && image_row_document (self->rows[i]) == document) {
      update (self);
      return;
    }
}

static void
on_saved (SeveralForm *self, const char *verb, const char *path, const char *options, Document *document)
{
  (void) options;
  if (!self->faulty || image_row_document (self->faulty) != document || strcmp (verb, "save"))
    return;
  image_row_set (self->faulty, NULL, path);
  update (self);
}

static void
watch (SeveralForm *self, Document *document)
{
  g_signal_connect_object (document, "steps", G_CALLBACK (on_steps), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "saved", G_CALLBACK (on_saved), self, G_CONNECT_SWAPPED);
}

static void
refresh (SeveralForm *self)
{
  for (guint i = 0; i < self->n_rows; i++)
    image_row_refresh (self->rows[i]);
}

static void
on_opened (SeveralForm *self, Document *document)
{
  watch (self, document);
  refresh (self);
}

static void
on_closed (SeveralForm *self)
{
  refresh (self);
  update (self);
}

/* What comes of its steps in the end. */
static void
save_faulty (SeveralForm *self)
{
  Page *page = shell_page_of (self->shell, image_row_document (self->faulty));
  shell_bring (self->shell, page);
  view_set_index (page_view (page), (int) recipe_length (document_recipe (view_document (page_view (page)))) - 1);
  g_action_group_activate_action (G_ACTION_GROUP (self->shell), "save", NULL);
}

/* ---- What is chosen at first ---- */

static gboolean
fit (Document *a, Document *b)
{
  const ImageInfo *one = image_info (document_image (a, G_MAXINT)), *other = image_info (document_image (b, G_MAXINT));
  return one->rows == other->rows && one->columns == other->columns && one->depth == other->depth
         && one->frames == other->frames && one->type == other->type;
}

/* "C2-cells.tif" is what Image ▸ Color ▸ Split Channels calls the second channel in ImageJ. G_MAXUINT: no row is meant. */
static guint
row_by_name (const SeveralForm *self, Document *document)
{
  const char *name = image_info (document_source (document))->name;
  const guint row = name[0] == 'C' && name[1] >= '1' && name[2] == '-' ? (guint) (name[1] - '1') : G_MAXUINT;
  return self->dialog->luts && row < self->n_rows && !image_row_text (self->rows[row]) ? row : G_MAXUINT;
}

static void
choose (SeveralForm *self, Document *document)
{
  guint row = row_by_name (self, document);
  for (guint i = 0; i < self->n_rows && row == G_MAXUINT; i++)
    if (!image_row_text (self->rows[i]))
      row = i;
  if (row < self->n_rows)
    image_row_set (self->rows[row], document, NULL);
}

/* The image in front, and those that go with it. */
static void
choose_first (SeveralForm *self)
{
  Document *front = shell_document (self->shell);
  g_autoptr (GPtrArray) documents = shell_documents (self->shell);
  choose (self, front);
  for (guint i = 0; i < documents->len; i++)
    if (documents->pdata[i] != front && fit (front, documents->pdata[i]))
      choose (self, documents->pdata[i]);
}

/* ---- The dialog ---- */

static gboolean
on_close (SeveralForm *self)
{
  if (self->live)
    live_step_take_back (self->live);
  g_clear_object (&self->live);
  return FALSE;
}

/* The recorder hears what is done to the channel that is looked at. */
static void
record_colors (const SeveralForm *self)
{
  Document *document = self->live ? live_step_document (self->live) : NULL;
  if (!document || !self->dialog->luts)
    return;
  View *view = page_view (shell_page_of (self->shell, document));
  const PlanePosition was = view_wish (view);
  const gint64 n = MIN (image_info (view_image (view))->channels, self->n_rows);
  for (gint64 c = 1; c < n; c++) {
    const ViewChannel colored = *view_look (view, c);
    ViewChannel usual = colored;
    if (!*colored.lut)
      continue;
    *usual.lut = 0;
    view_set_position (view, c, was.slice, was.frame);
    view_set_look (view, c, &usual);
    view_set_look (view, c, &colored);
  }
  view_set_position (view, was.channel, was.slice, was.frame);
}

static void
accept (SeveralForm *self)
{
  record_colors (self);
  g_clear_object (&self->live);
  gtk_window_close (side_window_of (self));
}

static GtkWidget *
make_form (SeveralForm *self)
{
  const fv_param *params = self->op->fv.params;
  const guint between = self->dialog->between;
  GtkWidget *form = args_form_new (&self->args, LABEL);
  for (; self->dialog->rows[self->n_rows]; self->n_rows++) {
    const char *name = _ (self->dialog->rows[self->n_rows]);
    GtkWidget *row = image_row_new (self->shell, name, self->dialog->luts != NULL);
    self->rows[self->n_rows] = FOVEA_IMAGE_ROW (row);
    if (self->n_rows == 1)
      param_form_add (self->args.form, params, between);
    param_form_add_line (self->args.form, name, row);
    g_signal_connect_object (row, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  }
  param_form_add (self->args.form, params + between, self->op->n_params - between);
  return form;
}

static GtkWidget *
make_buttons (SeveralForm *self, GtkWindow *window)
{
  GtkWidget *row = side_window_buttons ();
  self->save =
    button_with_text (_ ("_Save Its Result…"), _ ("Saves the result of that image's steps and uses the file"),
                      G_CALLBACK (save_faulty), self);
  self->ok = button_with_text (_ ("_OK"), _ ("Keep the step"), G_CALLBACK (accept), self);
  gtk_widget_add_css_class (self->ok, "suggested-action");
  gtk_box_append (GTK_BOX (row), self->save);
  gtk_box_append (GTK_BOX (row), button_with_text (_ ("_Cancel"), NULL, G_CALLBACK (gtk_window_close), window));
  gtk_box_append (GTK_BOX (row), self->ok);
  return row;
}

/* Four lines, so that the window need not grow with the message. */
static GtkWidget *
make_says (SeveralForm *self)
{
  GtkWidget *says = side_window_text (NULL);
  self->says = GTK_LABEL (says);
  gtk_label_set_selectable (self->says, FALSE);
  gtk_label_set_yalign (self->says, 0);
  gtk_widget_set_size_request (says, -1, 72);
  return says;
}

static void
several_form_dispose (GObject *object)
{
  g_clear_object (&FOVEA_SEVERAL_FORM (object)->live);
  G_OBJECT_CLASS (several_form_parent_class)->dispose (object);
}

static void
several_form_finalize (GObject *object)
{
  g_free (FOVEA_SEVERAL_FORM (object)->args.args);
  G_OBJECT_CLASS (several_form_parent_class)->finalize (object);
}

static void
several_form_class_init (SeveralFormClass *class)
{
  G_OBJECT_CLASS (class)->dispose = several_form_dispose;
  G_OBJECT_CLASS (class)->finalize = several_form_finalize;
}

static void
several_form_init (SeveralForm *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 12);
  gtk_widget_set_margin_start (GTK_WIDGET (self), 14);
  gtk_widget_set_margin_end (GTK_WIDGET (self), 14);
  gtk_widget_set_margin_top (GTK_WIDGET (self), 12);
}

static void
listen (SeveralForm *self)
{
  g_autoptr (GPtrArray) documents = shell_documents (self->shell);
  for (guint i = 0; i < documents->len; i++)
    watch (self, documents->pdata[i]);
  g_signal_connect_object (self->shell, "opened", G_CALLBACK (on_opened), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->shell, "closed", G_CALLBACK (on_closed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->live, "results", G_CALLBACK (on_results), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->live, "left", G_CALLBACK (accept), self, G_CONNECT_SWAPPED);
}

void
several_form_show (Shell *shell, const SeveralDialog *dialog)
{
  GtkWindow *window = side_window_find (GTK_WINDOW (shell), dialog->op);
  const Op *op = modules_op (shell_modules (shell), dialog->op, NULL);
  if (window || !op) {
    if (window)
      gtk_window_present (window);
    return;
  }
  g_autofree char *title = words_title (op);
  GtkBox *box = side_window_show (GTK_WINDOW (shell), dialog->op, title, 400, 0);
  SeveralForm *self = g_object_new (SEVERAL_FORM_TYPE, NULL);
  window = side_window_of (box);
  self->shell = shell;
  self->dialog = dialog;
  self->op = op;
  self->args = (ArgsForm){.op = op, .args = args_new (op, NULL), .changed = (void (*) (gpointer)) update, .self = self};
  self->live = live_step_new (shell);
  gtk_box_append (GTK_BOX (self), make_form (self));
  gtk_box_append (GTK_BOX (self), make_says (self));
  gtk_box_append (box, GTK_WIDGET (self));
  gtk_box_append (box, make_buttons (self, window));
  gtk_window_set_default_widget (window, self->ok);
  gtk_window_set_resizable (window, FALSE);
  g_signal_connect_object (window, "close-request", G_CALLBACK (on_close), self, G_CONNECT_SWAPPED);
  listen (self);
  choose_first (self);
  update (self);
}
