/* SPDX-License-Identifier: MIT
 *
 * What the functions of a macro share while it runs. Lua's errors jump over C: what a function makes on the heap it gives to macro_own()
 * before it calls anything of Lua's that can fail.
 */
#ifndef CORE_MACRO_STATE_H
#define CORE_MACRO_STATE_H

#include "core/macro/host/folders.h"
#include "core/macro/macro.h"

#include <lauxlib.h>
#include <lua.h>

typedef struct Macro {
  const MacroHost *host;
  const MacroOptions *options;
  Folders *folders;
  const char *name;
  Progress progress; /* its work, which ends when its time is over */
  gsize used, max;   /* bytes of Lua's values */
  int hungry_line;   /* where memory was refused last; 0: nowhere */
  gsize printed;     /* bytes */
  gsize attached;    /* bytes of images that Lua's values hold and that its collector does not see */
  GArray *owned;     /* Owned */
  gboolean ended;    /* by exit(), or by what nothing in the macro may hold up: */
  GError *end;       /* which is why; NULL: exit() */
  GError *raised;    /* the last error of a function, which Lua has as a text */
  lua_State *lua;
  char *dialog;           /* its title; NULL: none is being made */
  GPtrArray *fields;      /* MacroField */
  guint asked[4];         /* of each MacroFieldKind, fields whose answers have been taken */
  int chosen;             /* the kept selection that was chosen last; -1: none */
  gboolean opened;        /* a file, by open() */
  char *threshold;        /* the step that setThreshold() speaks of; NULL: none */
  guint thresholded;      /* for that image */
  double limits[2];       /* of setThreshold(); NaN: another one */
  gboolean limited;       /* Set Measurements says limit */
  const char *unmeasured; /* what Set Measurements asks for and "Measure" does not have; NULL: nothing */
  char *properties;       /* of objects, as Set Measurements says; NULL: ImageJ's first ones */
  char *file;             /* its own, with links followed; NULL: none */
  GHashTable *made;       /* paths of files that it has written */
  char *target;           /* the file that the function that runs writes; NULL: none */
  gboolean black_objects; /* setOption ("BlackBackground", false) */
  gboolean volume_said;   /* what is made of slices */
  GArray *ranges;         /* of imagej_range.h; NULL: all images are shown as they were opened */
  char *scale;            /* the step `calibrate` that images get when they are opened; NULL: none */
} Macro;

/* A function that macros can call. */
typedef struct MacroFunction {
  const char *name;      /* "open", "File.exists"; "image:pixels": of a value */
  const char *arguments; /* as the reference shows them: "path[, n]" */
  const char *help;      /* what it does and gives, in sentences */
  int (*call) (lua_State *L, Macro *m);
} MacroFunction;

/* Of each file; the last one has no name. */
extern const MacroFunction macro_dialog_functions[], macro_file_functions[], macro_image_functions[],
  macro_imagej_functions[], macro_look_functions[], macro_position_functions[], macro_recipe_functions[],
  macro_roi_functions[], macro_selection_functions[], macro_sequence_functions[], macro_several_functions[],
  macro_step_functions[], macro_table_functions[], macro_talk_functions[];

Macro *macro_of (lua_State *L);
/* The one of them that runs. */
const MacroFunction *macro_function (lua_State *L);
/* An array of what macro_own() is given. */
GArray *macro_owned_new (void);
/* Freed when the function that is being called returns, or when its error is caught; returns it. */
gpointer macro_own (Macro *m, gpointer data, GDestroyNotify free);
/* Ends the macro when a stop is requested or its time is over, or if it ended already and caught the error. */
void macro_heed (Macro *m);
/* Raises the error, which it takes, at the line that called the function. */
int macro_fail (Macro *m, GError *error) G_GNUC_NORETURN;
int macro_fail_text (Macro *m, const char *format, ...) G_GNUC_PRINTF (2, 3) G_GNUC_NORETURN;
/* Ends the macro even if it catches errors; takes ownership of the error, NULL: finished. */
int macro_end (Macro *m, GError *error) G_GNUC_NORETURN;
/* The same with a sentence, and the line that called the function. */
int macro_end_text (Macro *m, fv_status code, const char *format, ...) G_GNUC_PRINTF (3, 4) G_GNUC_NORETURN;
/* Ends it as it was given no memory; outside of Lua. */
void macro_end_starved (Macro *m);
/* Lets go of what no value refers to, when so many more bytes of images are about to be held. */
void macro_attach (Macro *m, gsize bytes);

/* ---- Arguments ---- */

/* The id of the current image; raises an error when none is open. */
guint macro_current (Macro *m);
/* String at stack index i, which must contain no NUL. */
const char *macro_text (lua_State *L, int i);
/* The same or NULL where nothing is given. */
const char *macro_text_or_null (lua_State *L, int i);
/* The words of a command of run(); owned. */
char **macro_words (Macro *m, const char *arguments);
/* The value of the one word KEY=VALUE that a command of run() takes; owned. */
const char *macro_only_word (Macro *m, const char *command, const char *arguments, const char *key);
/* A number field of the table at stack index i; `fallback` if it is missing. */
lua_Integer macro_field (lua_State *L, int i, const char *key, lua_Integer fallback);
/* A list of numbers at stack index i; owned. */
GArray *macro_numbers (lua_State *L, int i);
/* Pushes such a list. */
void macro_push_numbers (lua_State *L, const double *numbers, gsize n);
/* Pushes a number: whole ones as integers. */
void macro_push_number (lua_State *L, double number);

#endif
