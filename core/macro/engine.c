/* SPDX-License-Identifier: MIT
 *
 * One Lua state for each run, without functions that reach outside. Whether it must end is checked every thousand
 * instructions, at each of our functions, and at large allocations, since slow functions of Lua itself allocate
 * much; the allocator counts. An error that ends a macro is raised again when it is caught.
 */
#include "core/macro/macro.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/files.h"
#include "core/macro/cage.h"
#include "core/macro/sandbox.h"
#include "core/macro/state.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

enum { HOOK_INSTRUCTIONS = 1000, MUCH = 1 << 20 /* bytes */ };
static const gsize min_memory = 1 << 20, usual_memory = 1 << 30, usual_output = 16 << 20, largest_text = 16 << 20;

static void
hook (lua_State *L, lua_Debug *about)
{
  (void) about;
  macro_heed (macro_of (L));
}

/* ---- Memory ---- */

/* The line that runs. */
static int
line_now (lua_State *L)
{
  lua_Debug about;
  for (int level = 0; L && lua_getstack (L, level, &about); level++)
    if (lua_getinfo (L, "l", &about) && about.currentline > 0)
      return about.currentline;
  return 0;
}

static void *
allocate (void *data, void *block, size_t old, size_t size)
{
  Macro *m = data;
  void *moved;
  old = block ? old : 0;
  if (!size) {
    free (block);
    m->used -= old;
    return NULL;
  }
  if ((size > old && (m->used + (size - old) > m->max || (size > MUCH && progress_is_stopped (&m->progress))))
      || !(moved = realloc (block, size))) {
    m->hungry_line = line_now (m->lua);
    return NULL;
  }
  m->used = m->used + size - old;
  return moved;
}

/* ---- Running ---- */

/* What was wrong; takes what ended it. Of what a function raised it is of the same kind, so that a batch knows a full disk. */
static GError *
error_of (Macro *m)
{
  if (m->end)
    return g_steal_pointer (&m->end);
  const char *text = lua_tostring (m->lua, -1);
  g_autofree char *visible = text_visible (text ? text : m->name, "\n");
  if (m->raised && text && g_str_has_suffix (text, m->raised->message))
    return g_error_new_literal (m->raised->domain, m->raised->code, visible);
  return g_error_new_literal (STEP_ERROR, FV_BAD_ARGUMENT, visible);
}

/* A first line for the shell says nothing. */
static void
skip_first_line (const char **text, gsize *n)
{
  if (*n && **text == '#')
    for (; *n && **text != '\n'; ++*text)
      --*n;
}

typedef struct {
  const char *text;
  gsize n;
  gboolean check; /* it alone: it is not run */
} Job;

/* Under lua_pcall(), for all that it needs may not fit into its memory. */
static int
work (lua_State *L)
{
  const Job *job = lua_touserdata (L, 1);
  const char *text = job->text;
  gsize n = job->n;
  lua_settop (L, 0);
  sandbox_open (L);
  lua_pushcfunction (L, sandbox_explain);
  lua_pushfstring (L, "@%s", macro_of (L)->name);
  skip_first_line (&text, &n);
  if (luaL_loadbufferx (L, text, n, lua_tostring (L, -1), "t")) {
    sandbox_explain_syntax (L);
    return lua_error (L);
  }
  if (job->check)
    return 0;
  lua_sethook (L, hook, LUA_MASKCOUNT, HOOK_INSTRUCTIONS);
  return lua_pcall (L, 0, 0, 1) ? lua_error (L) : 0;
}

static gboolean
run (Macro *m, Job *job, GError **error)
{
  int status = LUA_ERRMEM;
  m->owned = macro_owned_new ();
  if ((m->lua = lua_newstate (allocate, m))) {
    *(Macro **) lua_getextraspace (m->lua) = m;
    lua_pushcfunction (m->lua, work);
    lua_pushlightuserdata (m->lua, job);
    status = lua_pcall (m->lua, 1, 0, 0);
  }
  gboolean done = sandbox_settle (m, status, 0) ? status == LUA_OK : !m->end;
  if (!done)
    g_propagate_error (error, error_of (m));
  if (m->lua)
    lua_close (m->lua);
  g_array_unref (m->owned);
  g_clear_error (&m->raised);
  return done;
}

/* Numbers have a decimal point, independent of the locale. */
static gboolean
run_in_c (Macro *m, Job *job, GError **error)
{
  locale_t numbers = newlocale (LC_NUMERIC_MASK, "C", duplocale (uselocale ((locale_t) 0)));
  locale_t before = uselocale (numbers);
  gboolean done;
  if (job->n > largest_text) {
    step_error_set (error, FV_BAD_ARGUMENT, NULL, "%s: The macro is larger than the limit of %" G_GSIZE_FORMAT " MiB.",
                    m->name, largest_text >> 20);
    done = FALSE;
  } else
    done = run (m, job, error);
  uselocale (before);
  freelocale (numbers);
  return done;
}

/* ---- On a host ---- */

/* What an image that is open is read from is not written, and its folder is allowed. */
static void
add_image (Folders *folders, const MacroHost *host, guint id)
{
  g_autofree char *path = host->path (host->self, id), *folder = path ? g_path_get_dirname (path) : NULL;
  g_autoptr (Image) source = folder ? host->image (host->self, id, RECIPE_SOURCE, NULL) : NULL;
  const GPtrArray *others = source ? files_others (source) : NULL;
  if (!folder)
    return;
  folders_allow (folders, folder, host->allow ? FOLDERS_SEEN : FOLDERS_OPENED);
  folders_protect (folders, path);
  for (guint i = 0; others && i < others->len; i++)
    folders_protect (folders, others->pdata[i]);
}

static Folders *
folders_of (const MacroHost *host, const MacroOptions *options)
{
  g_autofree char *home = options->path ? g_path_get_dirname (options->path) : NULL;
  Folders *folders = folders_new (home, host);
  g_autoptr (GArray) images = host->images (host->self);
  for (const char *const *folder = options->folders; folder && *folder; folder++)
    folders_allow (folders, *folder, FOLDERS_NAMED);
  for (const char *const *folder = options->used; folder && *folder; folder++)
    folders_allow (folders, *folder, FOLDERS_SEEN);
  if (options->output_folder)
    folders_allow (folders, options->output_folder, FOLDERS_NAMED);
  if (options->path)
    folders_protect (folders, options->path);
  for (guint i = 0; i < images->len; i++)
    add_image (folders, host, g_array_index (images, guint, i));
  return folders;
}

static gboolean
run_on (const MacroHost *host, const char *name, const MacroOptions *options, Progress *progress, Job job,
        GError **error)
{
  MacroOptions own = *options;
  Progress *before = progress_current ();
  const Progress work = {.outer = progress,
                         .until =
                           own.seconds > 0 ? g_get_monotonic_time () + (gint64) (own.seconds * G_USEC_PER_SEC) : 0};
  own.memory = own.memory ? MAX (own.memory, min_memory) : usual_memory;
  own.output = own.output ? own.output : usual_output;
  Macro m = {.host = host, .options = &own, .name = name, .progress = work, .max = own.memory, .chosen = -1};
  m.folders = folders_of (host, &own);
  progress_enter (&m.progress);
  cage_begin (&m);
  gboolean done = run_in_c (&m, &job, error);
  cage_end (&m);
  progress_enter (before);
  folders_free (m.folders);
  g_free (m.dialog);
  g_free (m.threshold);
  g_free (m.properties);
  g_clear_pointer (&m.ranges, g_array_unref);
  g_free (m.scale);
  g_clear_pointer (&m.fields, g_ptr_array_unref);
  return done;
}

gboolean
macro_run (const char *text, gsize n, const char *name, const MacroHost *host, const MacroOptions *options,
           Progress *progress, GError **error)
{
  return run_on (host, name, options, progress, (Job){.text = text, .n = n}, error);
}

gboolean
macro_check (const char *text, gsize n, const char *name, const MacroHost *host, GError **error)
{
  return run_on (host, name, &(MacroOptions){0}, NULL, (Job){.text = text, .n = n, .check = TRUE}, error);
}
