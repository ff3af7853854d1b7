/* SPDX-License-Identifier: MIT
 *
 * Runs a macro: a program in Lua, of which the recorder's lines are the simplest form, on a host. It can do nothing but what the host
 * and the folders that it is given allow: no other program, no network, no code from elsewhere.
 */
#ifndef CORE_MACRO_MACRO_H
#define CORE_MACRO_MACRO_H

#include "core/base/progress.h"
#include "core/macro/host/host.h"

typedef struct MacroOptions {
  const char *const
    *folders; /* folders named by the user: files in them may be read and written, in addition to those of open images
              * and the macro's own file; a list that ends with NULL, or NULL */
  const char *const *
    used; /* in which the user has opened or saved something, in the same way; below the home folder that says nothing */
  const char *path;     /* the macro's file, of which its folder follows, and which it may not overwrite; NULL: none */
  const char *argument; /* what getArgument() gives; NULL: "" */
  const char *
    input; /* what the first open(), Image.open() or selectWindow() means instead of its argument; NULL: its argument */
  guint input_image; /* which image of that file, from 0 */
  const char *
    output_folder; /* all that it saves goes there, under the last part of its name, and it makes no folders; NULL: where it says */
  gsize memory;       /* bytes of Lua's values; 0: 1 GiB */
  gsize output;       /* bytes that it may print; 0: 16 MiB */
  double seconds;     /* that it may take; 0: no limit */
  gboolean overwrite; /* it may replace files that it has not made */
} MacroOptions;

/* Runs the text on the calling thread, to its end, or until progress, which may be NULL, says stop. name: what errors call it. FALSE with
 * *error, "NAME:LINE: what is wrong"; FV_CANCELLED when it was stopped. Any thread but the one that the host's functions wait for. */
gboolean macro_run (const char *text, gsize n, const char *name, const MacroHost *host, const MacroOptions *options,
                    Progress *progress, GError **error);

/* Whether the text is Lua; FALSE with *error, as macro_run() has it. Nothing is run. */
gboolean macro_check (const char *text, gsize n, const char *name, const MacroHost *host, GError **error);

#endif
