/* SPDX-License-Identifier: MIT
 */
#include "ui/macro/talk.h"

#include "core/base/error.h"
#include "ui/macro/dialog.h"

#include <glib/gi18n.h>
#include <string.h>

#define MOST_PRINTED (256 << 10) /* bytes that wait to be shown; of more the last ones are */
#define AT_ONCE (32 << 10)

/* ---- Talking: nobody waits ---- */

static void
host_print (gpointer self, const char *line)
{
  MacroStage *s = self;
  g_mutex_lock (&s->lock);
  g_string_append (s->printed, line);
  g_string_append_c (s->printed, '\n');
  if (s->printed->len > 2 * MOST_PRINTED) {
    const char *rest = strchr (s->printed->str + s->printed->len - MOST_PRINTED, '\n');
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
    lines = g_strdup_printf ("%s%s%.*s", s->cut ? _ ("… (some lines are left out)") : "", s->cut ? "\n" : "", (int) n,
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
    step_error_set (error, FV_CANCELLED, NULL, "The dialog was cancelled.");
  return q.accepted;
}

/* ---- Folders ---- */

typedef struct {
  MacroStage *stage;
  const char *folder;
  gboolean allowed;
} Permission;

static void
on_permission (GtkWindow *dialog, int response, gpointer data)
{
  Permission *p = data;
  p->allowed = response == GTK_RESPONSE_ACCEPT;
  p->stage->dialog = NULL;
  gtk_window_destroy (dialog);
  relay_answer (p->stage->relay);
}

static void
in_allow (gpointer data)
{
  Permission *p = data;
  MacroStage *s = p->stage;
  g_autofree char *name = g_filename_display_name (p->folder);
  if (!s->shell) {
    relay_answer (s->relay);
    return;
  }
  s->dialog = GTK_WINDOW (gtk_message_dialog_new (GTK_WINDOW (s->shell), 0, GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE,
                                                  _ ("May this macro use files in %s?"), name));
  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (s->dialog),
                                            _ ("It could read and replace all that lies there, until it ends."));
  gtk_dialog_add_button (GTK_DIALOG (s->dialog), _ ("_Refuse"), GTK_RESPONSE_CANCEL);
  gtk_dialog_add_button (GTK_DIALOG (s->dialog), _ ("_Allow"), GTK_RESPONSE_ACCEPT);
  g_signal_connect (s->dialog, "response", G_CALLBACK (on_permission), p);
  gtk_window_present (s->dialog);
}

static void
stop_allow (gpointer data)
{
  gtk_dialog_response (GTK_DIALOG (((Permission *) data)->stage->dialog), GTK_RESPONSE_CANCEL);
}

static gboolean
host_allow (gpointer self, const char *folder)
{
  MacroStage *s = self;
  Permission p = {s, folder, FALSE};
  return relay_wait (s->relay, in_allow, stop_allow, &p, NULL) && p.allowed;
}

void
macro_talk_begin (MacroStage *s)
{
  g_mutex_lock (&s->lock);
  g_string_truncate (s->printed, 0);
  s->cut = FALSE;
  s->done = -1;
  g_clear_pointer (&s->status, g_free);
  g_mutex_unlock (&s->lock);
}

void
macro_talk_add (MacroHost *host)
{
  host->print = host_print;
  host->progress = host_progress;
  host->status = host_status;
  host->dialog = host_dialog;
  host->allow = host_allow;
}
