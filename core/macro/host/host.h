/* SPDX-License-Identifier: MIT
 *
 * What a macro acts on: opened images with their steps, selections and tables, and the person or the terminal that it talks to. One
 * host is the command's (headless.h), another the window's: the same macro does the same in both.
 *
 * All functions are called on the macro's thread, one after the other, and may block; what takes long ends when the work of the
 * thread shall (progress_current()). A function that can fail returns FALSE, 0 or NULL with *error, a sentence that names what is at
 * fault; the macro adds its own line. Objects that are returned are the caller's, a new reference or a copy. Images are known by ids
 * from 1 on, never used twice; `image` is always the id of one that is open: the macro asks exists() first.
 */
#ifndef CORE_MACRO_HOST_H
#define CORE_MACRO_HOST_H

#include "core/ops/module.h"
#include "core/run/run.h"
#include "core/selection/selection.h"
#include "core/view/look.h"

typedef enum MacroFieldKind { MACRO_NUMBER, MACRO_TEXT, MACRO_CHECKBOX, MACRO_CHOICE } MacroFieldKind;

/* A field of a dialog. */
typedef struct MacroField {
  MacroFieldKind kind;
  char *label; /* for people; with '_' for blanks the NAME of --arg NAME=VALUE */
  char *
    value; /* what it holds, first the default, then the answer: a number as text, a text, "yes" or "no", one of the choices */
  int decimals;   /* of a number */
  char **choices; /* NULL but of a choice */
} MacroField;

typedef struct MacroHost {
  gpointer self;
  const Modules *modules; /* must live longer than the macro */

  /* ---- Images ---- */

  /* Image n, from 0, of a file; it is now the current one. Its id, or 0 with *error. path: absolute. */
  guint (*open) (gpointer self, const char *path, guint n, GError **error);
  /* One of run_nothing(), whose first step makes it; in the same way. */
  guint (*create) (gpointer self, GError **error);
  gboolean (*close) (gpointer self, guint image, GError **error);
  gboolean (*exists) (gpointer self, guint image);
  /* Ids in the order in which they were opened, guint. */
  GArray *(*images) (gpointer self);
  /* The current one; 0: none is open. */
  guint (*current) (gpointer self);
  void (*select) (gpointer self, guint image);
  /* As people call it, and where it was opened from: NULL when it is not of a file. */
  char *(*title) (gpointer self, guint image);
  char *(*path) (gpointer self, guint image);

  /* ---- Steps and what they make ---- */

  Recipe *(*recipe) (gpointer self, guint image);
  /* Makes these its steps. They need not have been run when this returns: image() and table() see to that. */
  gboolean (*set_recipe) (gpointer self, guint image, const Recipe *recipe, GError **error);
  /* The result of the current steps, once it is there: the image, or the table, with that name. NULL: the last one, and if no step makes an image the
   * opened one, which is "source", too. Where no step makes a table, NULL without an error when name is NULL. */
  Image *(*image) (gpointer self, guint image, const char *name, GError **error);
  Table *(*table) (gpointer self, guint image, const char *name, GError **error);
  /* "auto", "cpu", "cuda:0": where steps run from now on. */
  gboolean (*set_device) (gpointer self, const char *key, GError **error);
  /* Computes a run that the macro has made by itself, where and when nothing else uses the device. */
  gboolean (*execute) (gpointer self, Run *run, GError **error);
  /* Brings pixels that a device has made to the host, in the same way; for others there is nothing to do. */
  gboolean (*fetch) (gpointer self, Image *image, GError **error);
  /* The macro has written what the steps made, or the table of measurements: as in document_saved(). */
  void (*saved) (gpointer self, guint image, const char *verb, const char *path, const char *options);
  /* The macro has written this table. NULL: not needed. */
  void (*saved_table) (gpointer self, Table *table);
  /* The macro, or one of its steps, reads this file, other than the input. NULL: not needed. */
  void (*reads) (gpointer self, const char *path);

  /* ---- Position, look, selections, measurements: each image has its own ---- */

  PlanePosition (*position) (gpointer self, guint image);
  void (*set_position) (gpointer self, guint image, PlanePosition at_position); /* inside it, or the opened one */
  /* How a channel is shown. */
  ViewChannel (*look) (gpointer self, guint image, gint64 channel);
  void (*set_look) (gpointer self, guint image, gint64 channel, const ViewChannel *look);
  /* The current selection, or NULL; set_selection takes its own copy. */
  Selection *(*selection) (gpointer self, guint image);
  void (*set_selection) (gpointer self, guint image, const Selection *selection);
  /* The list of kept ones: (element-type Selection), freed with g_ptr_array_unref(); set_kept takes copies. */
  GPtrArray *(*kept) (gpointer self, guint image);
  void (*set_kept) (gpointer self, guint image, const GPtrArray *selections);
  /* What roiManager() has just done with them, in its words, for a record; NULL: none is kept. */
  void (*did) (gpointer self, guint image, const char *command, const char *text);
  /* Measures these in the image that step `step` makes, from 1, or the nearest before it: 0 is the opened one, G_MAXUINT the last one;
   * at its position. Adds the rows to those that were measured before. A person measures what is looked at. kept: they are the list. */
  gboolean (*measure) (gpointer self, guint image, guint step, const GPtrArray *selections, gboolean kept,
                       GError **error);
  /* What was measured; NULL: nothing. */
  Table *(*measured) (gpointer self, guint image);
  void (*clear_measured) (gpointer self, guint image);

  /* ---- Talking ---- */

  /* A line of output; UTF-8. */
  void (*print) (gpointer self, const char *line);
  /* A note for the user about how the macro runs, each once; not output of the macro. NULL: discarded. */
  void (*note) (gpointer self, const char *text);
  /* How far it is, 0 to 1, as the macro says; and in words. */
  void (*progress) (gpointer self, double done);
  void (*status) (gpointer self, const char *text);
  /* Whether the macro may read and write in that folder, which was not allowed yet. NULL: it may not. */
  gboolean (*allow) (gpointer self, const char *folder);
  /* Whether the macro may replace a file that is there and that it has not made. NULL: only if its options say so. */
  gboolean (*replace) (gpointer self, const char *path);
  /* Asks for the values of fields (element-type MacroField), which are changed in place. FALSE with *error;
   * FV_CANCELLED if the dialog was cancelled. */
  gboolean (*dialog) (gpointer self, const char *title, GPtrArray *fields, GError **error);
} MacroHost;

#endif
