/* SPDX-License-Identifier: MIT
 *
 * The host of macros that run without a window: images are opened and computed when they are needed, and dialogs have their answers before
 * they are asked.
 */
#ifndef CORE_MACRO_HEADLESS_H
#define CORE_MACRO_HEADLESS_H

#include "core/macro/host/host.h"

/* What it says goes there; all may be NULL. */
typedef struct HeadlessTalk {
  void (*print) (gpointer user, const char *line);
  void (*progress) (gpointer user, double done);
  void (*status) (gpointer user, const char *text);
  void (*note) (gpointer user, const char *text);
  gpointer user;
} HeadlessTalk;

typedef struct Headless Headless;

/* device: where steps run, overrides the macro; NULL: where the macro says, initially "auto". answers: "NAME=VALUE"
 * for dialogs, a list that ends with NULL, or NULL. modules and answers must live longer. */
Headless *headless_new (Modules *modules, const char *device, const char *const *answers, const HeadlessTalk *talk);
void headless_free (Headless *headless);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Headless, headless_free)
/* Opens a file before the macro begins: the first open() of the same file in it takes this image. FALSE with *error. */
gboolean headless_open (Headless *headless, const char *path, GError **error);
/* The same with image n of a file, which is open already, and which it takes a reference of. */
void headless_give (Headless *headless, Image *image, const char *path, guint n);
/* Where the macro's steps run is asked for then, unless the macro says it. NULL from it, with *error, is a fault of the step. */
void headless_choose (Headless *headless, Device *(*choose) (gpointer user, const Run *run, GError **error),
                      gpointer user);
/* Valid as long as it. */
const MacroHost *headless_host (const Headless *headless);
/* The key of the device on which steps ran last; NULL: none have run. Valid as long as the modules. */
const char *headless_device (const Headless *headless);
/* A sentence for each step that may give other results on another device; "": none. Valid until the macro continues. */
const char *headless_reproducible (const Headless *headless);
/* The SHA-256 of files that its steps name, or "". */
const char *headless_sums (const Headless *headless);
/* The files that the macro has read in addition to those given to it, a list that ends with NULL. Valid until it
 * reads another. */
const char *const *headless_read (const Headless *headless);
/* What has come of a macro, once it has ended: the table that it saved last, or else the last one of the current image, as saveAs("Results") would
 * save it. NULL: there is none, or *error. */
Table *headless_table (Headless *headless, GError **error);
/* Whether dialogs have asked for all answers, once the macro has ended; FALSE with *error. */
gboolean headless_all_asked (const Headless *headless, GError **error);

#endif
