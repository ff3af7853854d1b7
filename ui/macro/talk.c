/* SPDX-License-Identifier: MIT
 */
#include "ui/macro/talk.h"

#include "core/base/error.h"
#include "ui/macro/dialog.h"

#include <glib/gi18n.h>
#include <string.h>

#define MAX_PRINTED (256 << 10) /* bytes that wait to be shown; of more the last ones are */
#define AT_ONCE (32 << 10)

enum { REPLACE_ALL = 1 }; /* a response */

/* ---- Messages: they do not block ---- */

static void
host_print (gpointer self, const char *line)
{
  MacroStage *s = self;
  g_mutex_lock (&s->lock);
  g_string_append (s->printed, line);
  g_string_append_c (s->printed, '\n');
  if (s->printed->len > 2 * MAX_PRINTED) {
    const char *rest = strchr (s->printed->str + s->printed->len - MAX_PRINTED, '\n');
    g_string_erase (s->printed, 0, rest ? rest + 1 - s->printed->str : -1);
    s->cut = TRUE;
  }
  g_mutex_unlock (&s->lock);
}

char *
macro_talk_printed (MacroStage *s)
{
  char *lines = NULL;
  g_mutex_lock (&s->lock);
  if (s->printed->len) {
    const char *end = s->printed->len > AT_ONCE ? strchr (s->printed->str + AT_ONCE, '\n') : NULL;
    gsize n = end ? (gsize) (end + 1 - s->printed->str) : s->printed->len;
    lines = g_strdup_printf ("%s%s%.*s", s->cut ? _ ("… (some lines omitted)") : "", s->cut ? "\n" : "", (int) n,
                             s->printed->str);
    g_string_erase (s->printed, 0, (gssize) n);
    s->cut = FALSE;
  }
  g_mutex_unlock (&s->lock);
  return lines;
}

static void
host_progress (gpointer self, double done)
{
  MacroStage *s = self;
  g_mutex_lock (&s->lock);
  s->done = done;
  g_mutex_unlock (&s->lock);
}

static void
host_status (gpointer self, const char *text)
{
  MacroStage *s = self;
  g_mutex_lock (&s->lock);
  g_free (s->status);
  s->status = g_strdup (text);
  g_mutex_unlock (&s->lock);
}

char *
macro_talk_status (MacroStage *s, double *done)
{
  g_mutex_lock (&s->lock);
  char *status = g_strdup (s->status);
  *done = s->done;
  g_mutex_unlock (&s->lock);
  return status;
}

/* ---- The dialog ---- */

typedef struct {
  MacroStage *stage;
  const char *title;
  GPtrArray *fields;
  gboolean accepted;
} Question;

static void
on_answered (gpointer data, gboolean accepted)
{
  Question *q = data;
  q->accepted = accepted;
  q->stage->dialog = NULL;
  relay_answer (q->stage->relay);
}

static void
in_dialog (gpointer data)
{
  Question *q = data;
  if (q->stage->shell)
    q->stage->dialog = macro_dialog_show (GTK_WINDOW (q->stage->shell), q->title, q->fields, on_answered, q);
  else
    relay_answer (q->stage->relay);
}

static void
stop_dialog (gpointer data)
{
  gtk_window_destroy (((Question *) data)->stage->dialog);
}

static gboolean
host_dialog (gpointer self, const char *title, GPtrArray *fields, GError **error)
{
  MacroStage *s = self;
  Question q = {s, title, fields, FALSE};
  if (!relay_wait (s->relay, in_dialog, stop_dialog, &q, error))
    return FALSE;
  if (!q.accepted)
    step_error_set (error, FV_CANCELLED, NULL, "The dialog was canceled.");
  return q.accepted;
}

/* ---- Permissions ---- */

typedef struct {
  MacroStage *stage;
  const char *path; /* of a folder, or a file */
  int response;
} Permission;

static void
on_permission (GtkWindow *dialog, int response, gpointer data)
{
  Permission *p = data;
  p->response = response;
  p->stage->dialog = NULL;
  gtk_window_destroy (dialog);
  relay_answer (p->stage->relay);
}

static GtkDialog *
make_permission (Permission *p, const char *question, const char *more)
{
  GtkWidget *dialog =
    gtk_message_dialog_new (GTK_WINDOW (p->stage->shell), 0, GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE, "%s", question);
  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (dialog), "%s", more);
  gtk_dialog_add_button (GTK_DIALOG (dialog), _ ("_Refuse"), GTK_RESPONSE_CANCEL);
  g_signal_connect (dialog, "response", G_CALLBACK (on_permission), p);
  p->stage->dialog = GTK_WINDOW (dialog);
  return GTK_DIALOG (dialog);
}

static void
in_allow (gpointer data)
{
  Permission *p = data;
  g_autofree char *name = g_filename_display_name (p->path),
                  *question = g_strdup_printf (_ ("Allow this macro to use files in %s?"), name);
  if (!p->stage->shell) {
    relay_answer (p->stage->relay);
    return;
  }
  GtkDialog *dialog =
    make_permission (p, question,
                     _ ("It could read all files there, and save images, tables and text files there, until it "
                        "ends."));
  gtk_dialog_add_button (dialog, _ ("_Allow"), GTK_RESPONSE_ACCEPT);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
in_replace (gpointer data)
{
  Permission *p = data;
  g_autofree char *name = g_filename_display_name (p->path),
                  *question = g_strdup_printf (_ ("Allow this macro to replace %s?"), name);
  if (!p->stage->shell) {
    relay_answer (p->stage->relay);
    return;
  }
  GtkDialog *dialog = make_permission (
    p, question, _ ("The file already exists, and this macro did not create it, or it was changed since."));
  gtk_dialog_add_button (dialog, _ ("Replace _All"), REPLACE_ALL);
  gtk_dialog_add_button (dialog, _ ("_Replace"), GTK_RESPONSE_ACCEPT);
  gtk_dialog_set_default_response (dialog, GTK_RESPONSE_CANCEL);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
stop_permission (gpointer data)
{
  gtk_dialog_response (GTK_DIALOG (((Permission *) data)->stage->dialog), GTK_RESPONSE_CANCEL);
}

static gboolean
host_allow (gpointer self, const char *folder)
{
  MacroStage *s = self;
  Permission p = {s, folder, GTK_RESPONSE_CANCEL};
  return relay_wait (s->relay, in_allow, stop_permission, &p, NULL) && p.response == GTK_RESPONSE_ACCEPT;
}

/* A refusal, and what holds for all, are asked for once. */
static gboolean
host_replace (gpointer self, const char *path)
{
  MacroStage *s = self;
  Permission p = {s, path, GTK_RESPONSE_CANCEL};
  if (s->replaces)
    return s->replaces == REPLACE_ALL;
  if (!relay_wait (s->relay, in_replace, stop_permission, &p, NULL))
    return FALSE;
  if (p.response != GTK_RESPONSE_ACCEPT)
    s->replaces = p.response == REPLACE_ALL ? REPLACE_ALL : GTK_RESPONSE_CANCEL;
  return p.response == GTK_RESPONSE_ACCEPT || p.response == REPLACE_ALL;
}

void
macro_talk_begin (MacroStage *s)
{
  g_mutex_lock (&s->lock);
  g_string_truncate (s->printed, 0);
  s->cut = FALSE;
  s->replaces = 0;
  s->done = -1;
  g_clear_pointer (&s->status, g_free);
  g_mutex_unlock (&s->lock);
}

void
macro_talk_add (MacroHost *host)
{
  host->print = host->note = host_print;
  host->progress = host_progress;
  host->status = host_status;
  host->dialog = host_dialog;
  host->allow = host_allow;
  host->replace = host_replace;
}
