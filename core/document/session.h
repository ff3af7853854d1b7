/* SPDX-License-Identifier: MIT
 *
 * The open images and their steps, kept in a file, so that they can be restored after a crash. A lock file lives as long as the
 * process. A session whose lock no process holds is an orphan.
 */
#ifndef CORE_DOCUMENT_SESSION_H
#define CORE_DOCUMENT_SESSION_H

#include "core/data/table.h"
#include "core/recipe/recipe.h"
#include "core/selection/selection.h"

typedef struct SessionImage {
  char *path;     /* NULL: an image of no file, which its first step makes */
  char *device;   /* never NULL */
  char *steps;    /* NULL: those of the recipe */
  Recipe *recipe; /* or NULL */
  char *look;     /* its display settings, not validated; never NULL */
  /* What was made by hand, each NULL if none. Immutable from now on. */
  GPtrArray *selections; /* (element-type Selection) */
  Selection *current;    /* the selection that is not in the list */
  Table *measured;       /* see measurements_make() */
} SessionImage;

/* Arrays of these are made with it; path is made absolute; the look is "", and nothing was made by hand. */
SessionImage *session_image_new (const char *path, const char *steps, const char *device);
/* Takes `look`. */
SessionImage *session_image_of (const char *path, const Recipe *recipe, const char *device, char *look);
void session_image_free (gpointer image);

/* Images as the text that is kept, "" when there are none, and back: NULL with *error when that is not such a text. */
char *session_format (const GPtrArray *images);
GPtrArray *session_parse (const char *text, gsize n, GError **error);

typedef struct Session Session;

/* folder: NULL for the user's own. NULL with *error when nothing can be kept there. */
Session *session_new (const char *folder, GError **error);
/* The open SessionImages: written soon on a thread, at most a few times a second, and for a quarter of the time if
 * there is much to write. Takes ownership of the array, which must not change. */
void session_set (Session *session, GPtrArray *images);
/* Waits until it is written; FALSE with *error when it could not be. May block. */
gboolean session_flush (Session *session, GError **error);
/* A clean end: nothing stays to be offered. */
void session_end (Session *session);

/* What a process that lives no longer had open. No other process gets it as long as it is held. */
typedef struct SessionOrphan {
  GPtrArray *images; /* SessionImage */
  char *stem;
  int lock;
} SessionOrphan;

/* All of them. Damaged ones are put aside, each with a sentence in faults (of strings), which may be NULL. May block. */
GPtrArray *session_orphans (const char *folder, GPtrArray *faults);
/* Keeps what is in `images` now; with none, nothing stays. FALSE with *error. May block. */
gboolean session_orphan_keep (SessionOrphan *orphan, GError **error);

#endif
