/* SPDX-License-Identifier: MIT
 *
 * The code is what the steps have at the moment of asking: what is allowed is what was read.
 */
#include "ui/shell/native_dialog.h"

#include "core/base/error.h"
#include "core/ops/native.h"
#include "ui/widgets/naming.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>
#include <string.h>

#define ASKED "native-dialog"
#define REFUSED "native-refused" /* the codes that were refused in a document */

enum { REMEMBER = 1 };

typedef struct {
  const Modules *modules;
  GPtrArray *codes, *kinds; /* texts; kinds: what each is, for the list of what is kept */
  NativeAnswered answered;  /* NULL: it has been called */
  gpointer data;
} Asking;

/* ---- What is asked about ---- */

static gboolean
is_asked (const Step *step)
{
  return !step->skipped && !native_is_allowed (step->op, step->args);
}

gboolean
native_dialog_needed (const Recipe *recipe)
{
  for (guint i = 0; i < recipe_length (recipe); i++)
    if (is_asked (recipe_step (recipe, i)))
      return TRUE;
  return FALSE;
}

void
native_dialog_note (const Modules *modules, const Recipe *recipe, const char *from)
{
  for (guint i = 0; i < recipe_length (recipe); i++) {
    const Step *step = recipe_step (recipe, i);
    g_autofree char *code = native_is_allowed (step->op, step->args) ? NULL : native_code (step->op, step->args);
    if (code)
      native_note_origin (modules, code, from);
  }
}

static Asking *
asking_new (const Modules *modules, NativeAnswered answered, gpointer data)
{
  Asking *a = g_new (Asking, 1);
  *a =
    (Asking){modules, g_ptr_array_new_with_free_func (g_free), g_ptr_array_new_with_free_func (g_free), answered, data};
  return a;
}

/* ---- Answers ---- */

/* It went with its parent, or was answered before. */
static void
on_destroy (GtkWidget *dialog, Asking *a)
{
  (void) dialog;
  if (a->answered)
    a->answered (a->data, FALSE);
  g_ptr_array_unref (a->codes);
  g_ptr_array_unref (a->kinds);
  g_free (a);
}

/* The step at which the last run of a document stopped, or NULL. */
static const Step *
stopped_at (Document *document)
{
  guint index;
  const Recipe *recipe = document_recipe (document);
  return document_error (document, &index) && index < recipe_length (recipe) ? recipe_step (recipe, index) : NULL;
}

/* Wherever it was asked about, pages that stopped at it go on. */
static void
run_stopped (Shell *shell)
{
  g_autoptr (GPtrArray) documents = shell_documents (shell);
  for (guint i = 0; i < documents->len; i++) {
    guint index;
    const GError *error = document_error (documents->pdata[i], &index);
    const Step *step = stopped_at (documents->pdata[i]);
    if (step && step->op->fv.native && native_is_allowed (step->op, step->args)
        && g_error_matches (error, STEP_ERROR, FV_UNSUPPORTED))
      document_rerun (documents->pdata[i]);
  }
}

/* Code whose permission cannot be stored runs all the same. A message says that Fovea will ask again after the next start. */
static void
allow (const Asking *a, GtkWindow *parent, gboolean remember)
{
  g_autoptr (GError) error = NULL;
  for (guint i = 0; i < a->codes->len; i++) {
    native_allow (a->modules, a->codes->pdata[i]);
    if (remember && !error)
      native_keep (a->modules, a->codes->pdata[i], a->kinds->pdata[i], &error);
  }
  while (!FOVEA_IS_SHELL (parent))
    parent = gtk_window_get_transient_for (parent);
  if (error)
    shell_say (FOVEA_SHELL (parent), GTK_MESSAGE_ERROR, error->message);
  run_stopped (FOVEA_SHELL (parent));
}

static void
on_response (GtkWindow *dialog, int response, Asking *a)
{
  NativeAnswered answered = a->answered;
  gpointer answered_data = a->data;
  gboolean run = response == GTK_RESPONSE_ACCEPT || response == REMEMBER;
  if (run)
    allow (a, gtk_window_get_transient_for (dialog), response == REMEMBER);
  a->answered = NULL;
  gtk_window_destroy (dialog); /* what was asked is freed with it, perhaps later */
  answered (answered_data, run);
}

/* ---- The dialog ---- */

static GtkWidget *
code_view (const char *code)
{
  GtkWidget *scrolled = gtk_scrolled_window_new (), *view = gtk_text_view_new ();
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  GtkTextIter start;
  gtk_text_buffer_set_text (buffer, code, -1);
  gtk_text_buffer_get_start_iter (buffer, &start);
  gtk_text_buffer_place_cursor (buffer, &start); /* else it would be scrolled to its end */
  gtk_text_view_set_editable (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (view), TRUE);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_WORD_CHAR); /* nothing hides beyond the edge */
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), 6);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (view), 6);
  naming_set (view, _ ("Code"));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  gtk_scrolled_window_set_has_frame (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_widget_set_size_request (scrolled, 560, 200);
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

static GtkWindow *
show (GtkWindow *parent, Asking *a, const char *question, const char *from, const char *code)
{
  GtkWidget *dialog = gtk_message_dialog_new (parent, GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                                              GTK_MESSAGE_WARNING, GTK_BUTTONS_NONE, "%s", question);
  gtk_message_dialog_format_secondary_text (
    GTK_MESSAGE_DIALOG (dialog),
    _ ("It is from %s. It runs with your permissions and can, for example, read and delete "
       "files. Run it only if you know what it does. Fovea does not ask again about remembered "
       "code until it changes."),
    from);
  gtk_box_append (GTK_BOX (gtk_message_dialog_get_message_area (GTK_MESSAGE_DIALOG (dialog))), code_view (code));
  gtk_dialog_add_button (GTK_DIALOG (dialog), _ ("_Do Not Run"), GTK_RESPONSE_CANCEL);
  gtk_dialog_add_button (GTK_DIALOG (dialog), _ ("Run and Re_member"), REMEMBER);
  gtk_widget_add_css_class (gtk_dialog_add_button (GTK_DIALOG (dialog), _ ("_Run"), GTK_RESPONSE_ACCEPT),
                            "destructive-action");
  gtk_window_set_resizable (GTK_WINDOW (dialog), TRUE); /* to read more of it at once */
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), GTK_RESPONSE_CANCEL);
  g_signal_connect (dialog, "response", G_CALLBACK (on_response), a);
  g_signal_connect (dialog, "destroy", G_CALLBACK (on_destroy), a);
  gtk_window_present (GTK_WINDOW (dialog));
  return GTK_WINDOW (dialog);
}

static void
add_origin (GString *all, const Step *step)
{
  g_autofree char *from = native_origin (step->op, step->args);
  const char *said = from ? from : _ ("another program, or pasted steps");
  if (!strstr (all->str, said))
    g_string_append_printf (all, "%s%s", all->len ? _ (" and ") : "", said);
}

GtkWindow *
native_dialog_ask (GtkWindow *parent, const Modules *modules, const Recipe *recipe, NativeAnswered answered,
                   gpointer data)
{
  Asking *a = asking_new (modules, answered, data);
  g_autoptr (GString) from = g_string_new (NULL), code = g_string_new (NULL);
  g_autofree char *question = NULL;
  for (guint i = 0; i < recipe_length (recipe); i++) {
    const Step *step = recipe_step (recipe, i);
    if (!is_asked (step))
      continue;
    g_autofree char *title = words_title (step->op);
    g_ptr_array_add (a->codes, native_code (step->op, step->args));
    g_ptr_array_add (a->kinds, g_strdup (title));
    add_origin (from, step);
    g_string_append (code, code->len ? "\n\n" : "");
    g_string_append_printf (code, _ ("Step %u, %s"), i + 1, title);
    g_string_append_printf (code, "\n\n%s", (char *) a->codes->pdata[a->codes->len - 1]);
    g_free (question);
    question = a->codes->len > 1 ? g_strdup_printf (_ ("Run the code of %u steps?"), a->codes->len)
                                 : g_strdup_printf (_ ("Run the code of step %u, %s?"), i + 1, title);
  }
  return show (parent, a, question, from->str, code->str);
}

GtkWindow *
native_dialog_ask_macro (GtkWindow *parent, const Modules *modules, const char *text, const char *from,
                         NativeAnswered answered, gpointer data)
{
  Asking *a = asking_new (modules, answered, data);
  g_ptr_array_add (a->codes, g_strdup (text));
  g_ptr_array_add (a->kinds, g_strdup (from));
  return show (parent, a, _ ("Run a macro that contains code?"), from, text);
}

/* ---- Of a document ---- */

/* An open question in the window; others wait until it is answered. */
typedef struct {
  Shell *shell;
  Document *document;
  Recipe *recipe;
} Question;

static void
question_free (Question *q)
{
  g_object_unref (q->shell);
  g_object_unref (q->document);
  recipe_unref (q->recipe);
  g_free (q);
}

/* Set of texts. */
static GHashTable *
refused_in (Document *document)
{
  GHashTable *refused = g_object_get_data (G_OBJECT (document), REFUSED);
  if (!refused) {
    refused = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    g_object_set_data_full (G_OBJECT (document), REFUSED, refused, (GDestroyNotify) g_hash_table_unref);
  }
  return refused;
}

static void
refuse (const Question *q)
{
  for (guint i = 0; i < recipe_length (q->recipe); i++) {
    const Step *step = recipe_step (q->recipe, i);
    if (is_asked (step))
      g_hash_table_add (refused_in (q->document), native_code (step->op, step->args));
  }
}

static void
on_answered (gpointer data, gboolean run)
{
  Question *q = data;
  Shell *shell = q->shell;
  g_object_set_data (G_OBJECT (shell), ASKED, NULL);
  if (!run)
    refuse (q);
  g_autoptr (GPtrArray) documents =
    gtk_widget_get_mapped (GTK_WIDGET (shell)) ? shell_documents (shell) : g_ptr_array_new (); /* it may be closing */
  for (guint i = 0; i < documents->len; i++)
    native_dialog_ask_unless_refused (shell, documents->pdata[i]);
  question_free (q);
}

void
native_dialog_ask_document (Shell *shell, Document *document)
{
  const Recipe *recipe = document_recipe (document);
  Page *page = shell_page_of (shell, document);
  if (g_object_get_data (G_OBJECT (shell), ASKED) || !native_dialog_needed (recipe))
    return;
  Question *q = g_new (Question, 1);
  *q = (Question){g_object_ref (shell), g_object_ref (document), recipe_ref (recipe)};
  g_object_set_data (G_OBJECT (shell), ASKED, q);
  if (page)
    shell_bring (shell, page);
  native_dialog_ask (GTK_WINDOW (shell), document_modules (document), recipe, on_answered, q);
}

void
native_dialog_ask_unless_refused (Shell *shell, Document *document)
{
  const Step *step = stopped_at (document);
  g_autofree char *code = step && is_asked (step) ? native_code (step->op, step->args) : NULL;
  if (code && !g_hash_table_contains (refused_in (document), code))
    native_dialog_ask_document (shell, document);
}
