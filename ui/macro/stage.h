/* SPDX-License-Identifier: MIT
 *
 * What the functions of the host of macros share (macro_host.h), and how they ask the main loop. Each has a part that runs there, in_…(),
 * and one on the macro's thread, which waits for it.
 */
#ifndef UI_MACRO_STAGE_H
#define UI_MACRO_STAGE_H

#include "core/macro/host/host.h"
#include "ui/shell/shell.h"
#include "ui/macro/relay.h"

typedef struct MacroStage {
  MacroHost host;
  Relay *relay;
  Shell *shell; /* NULL: it has gone */
  Modules *modules;
  Worker *worker;
  GPtrArray *images;     /* Document, the one with id n at n - 1; NULL when it is closed */
  guint current, before; /* before: ids that were there when the macro began */
  Document *awaited;
  gulong handler;
  GtkWindow *dialog;
  char *whose;      /* the origin of code, as dialogs show it: "the macro 'x.lua'" */
  gboolean granted; /* that code may run */
  int
    replaces; /* what was answered for all files that are there: GTK_RESPONSE_ACCEPT or GTK_RESPONSE_CANCEL; 0: nothing yet */
  GMutex lock; /* guards what it says: */
  GString *printed;
  gboolean cut;
  double done;
  char *status;
} MacroStage;

/* What is asked of the main loop. */
typedef struct {
  MacroStage *stage;
  guint image;
  gconstpointer in;
  gpointer out;
  GError *error;
} MacroAsk;

/* In the main loop: the document that is asked about, and its page; NULL when it is closed, as may happen at any time. */
Document *macro_ask_document (const MacroAsk *ask);
Page *macro_ask_page (const MacroAsk *ask);

/* On the macro's thread: has work (ask) done in the main loop, and returns its `out`. */
gpointer macro_ask (gpointer stage, void (*work) (gpointer ask), guint image, gconstpointer in);
/* The same; FALSE with *error when it has one. */
gboolean macro_ask_or_fail (gpointer stage, void (*work) (gpointer ask), guint image, gconstpointer in, GError **error);
/* Says that the image was closed. FALSE. */
gboolean macro_ask_closed (GError **error);

#endif
