/* SPDX-License-Identifier: MIT
 *
 * The host of macros that run without a window: images are opened and computed when they are needed, and dialogs have their answers before
 * they are asked.
 */
#ifndef CORE_MACRO_HEADLESS_H
#define CORE_MACRO_HEADLESS_H

#include "core/macro/host.h"

/* What it says goes there; all may be NULL. */
typedef struct HeadlessTalk {
  void (*print) (gpointer user, const char *line);
  void (*progress) (gpointer user, double done);
  void (*status) (gpointer user, const char *text);
  gpointer user;
} HeadlessTalk;

typedef struct Headless Headless;

/* device: where steps run, whatever the macro says; NULL: where that says, at first "auto". answers: "NAME=VALUE" for dialogs, a list that
 * ends with NULL, or NULL. modules and answers must live longer. */
Headless *headless_new (Modules *modules, const char *device, const char *const *answers, const HeadlessTalk *talk);
void headless_free (Headless *headless);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Headless, headless_free)
/* Opens a file before the macro begins: the first open() of the same file in it takes this image. FALSE with *error. */
gboolean headless_open (Headless *headless, const char *path, GError **error);
/* Valid as long as it. */
const MacroHost *headless_host (const Headless *headless);
/* The name of an answer that no dialog has asked for, once the macro has ended; NULL: there is none. Free with g_free(). */
char *headless_unasked (const Headless *headless);

#endif
