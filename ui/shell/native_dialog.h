/* SPDX-License-Identifier: MIT
 *
 * Asks for permission to run native code in steps or macros: shows the code and its origin.
 */
#ifndef UI_SHELL_NATIVE_DIALOG_H
#define UI_SHELL_NATIVE_DIALOG_H

#include "ui/shell/shell.h"

/* run: what was asked about is allowed now. */
typedef void (*NativeAnswered) (gpointer data, gboolean run);

/* Whether a step that is not skipped has code that is not allowed. */
gboolean native_dialog_needed (const Recipe *recipe);
/* Asks about all such steps at once; then answered (data). The window, a GtkDialog. Main loop. */
GtkWindow *native_dialog_ask (GtkWindow *parent, const Modules *modules, const Recipe *recipe, NativeAnswered answered,
                              gpointer data);
/* The same of a macro, of which nothing has been run. from: what it is, "the macro 'x.lua'". */
GtkWindow *native_dialog_ask_macro (GtkWindow *parent, const Modules *modules, const char *text, const char *from,
                                    NativeAnswered answered, gpointer data);
/* Asks about the steps of the document, which comes to the front, and runs them when they may. While there is such a question others wait. */
void native_dialog_ask_document (Shell *shell, Document *document);
/* The same when its last run stopped at code, unless that was refused in this document before. */
void native_dialog_ask_unless_refused (Shell *shell, Document *document);

/* Notes for such questions that code of the steps, but for what is allowed already, came from there: "the file 'x.steps'". */
void native_dialog_note (const Modules *modules, const Recipe *recipe, const char *from);

#endif
