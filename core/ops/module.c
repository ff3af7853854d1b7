/* SPDX-License-Identifier: MIT
 *
 * Opening, and what all plugins together make up.
 */
#include "core/ops/module.h"

#include "core/base/file_error.h"
#include "core/ops/device_list.h"
#include "core/base/error.h"
#include "core/base/fork.h"
#include "core/base/parallel.h"
#include "core/ops/module_check.h"
#include "core/ops/module_check_text.h"
#include "core/ops/module_elf.h"
#include "core/ops/module_path.h"
#include "core/ops/module_trial.h"
#include "core/ops/operation_file.h"
#include "core/ops/search.h"
#include "core/base/text.h"

#include <gmodule.h>
#include <string.h>

enum { MAX_OPS = 4096, MAX_READERS = 256, SUGGESTED = 5 };

struct Modules {
  GPtrArray *ops;   /* of const Op *, sorted; atomically replaced */
  GPtrArray *lists; /* GPtrArray *: the current and older ones, which may still have readers */
  GPtrArray *all;   /* Op * */
  GPtrArray *made;  /* Made * */
  GPtrArray *readers;
  DeviceList *devices;
  GPtrArray *loaded;            /* Loaded * */
  GPtrArray *folders, *refused; /* strings, NULL-terminated */
  NativeConsent consent;
};

typedef struct {
  GModule *module; /* NULL: its code is the program's own */
  const fv_plugin *plugin;
  gboolean shipped; /* see Op */
} Loaded;

/* An operation of a text. */
typedef struct {
  const fv_plugin *plugin;
  const fv_op *op;
} Made;

static void
made_free (gpointer data)
{
  Made *made = data;
  made->plugin->op_free (made->op);
  g_free (made);
}

static void
loaded_free (gpointer data)
{
  Loaded *loaded = data;
  if (loaded->plugin && loaded->plugin->close)
    loaded->plugin->close ();
  /* The plugin's threads sleep in its code: it stays in memory. */
  if (loaded->module) {
    g_module_make_resident (loaded->module);
    g_module_close (loaded->module);
  }
  g_free (loaded);
}

Modules *
modules_new_empty (void)
{
  Modules *m = g_new0 (Modules, 1);
  m->all = g_ptr_array_new_with_free_func (op_free);
  m->lists = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  m->ops = g_ptr_array_new ();
  g_ptr_array_add (m->lists, m->ops);
  m->made = g_ptr_array_new_with_free_func (made_free);
  m->readers = g_ptr_array_new_with_free_func (reader_unref);
  m->devices = device_list_new ();
  m->loaded = g_ptr_array_new_with_free_func (loaded_free);
  m->folders = g_ptr_array_new_null_terminated (8, g_free, TRUE);
  m->refused = g_ptr_array_new_null_terminated (8, g_free, TRUE);
  g_mutex_init (&m->consent.lock);
  fork_guard (&m->consent.lock, NULL, NULL);
  m->consent.codes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  m->consent.kept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  m->consent.origins = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return m;
}

void
modules_free (Modules *m)
{
  if (!m)
    return;
  g_ptr_array_unref (m->lists);
  g_ptr_array_unref (m->all);
  g_ptr_array_unref (m->made);
  g_ptr_array_unref (m->readers);
  device_list_free (m->devices);
  g_ptr_array_unref (m->loaded);
  g_ptr_array_unref (m->folders);
  g_ptr_array_unref (m->refused);
  g_hash_table_unref (m->consent.codes);
  g_hash_table_unref (m->consent.kept);
  g_hash_table_unref (m->consent.origins);
  fork_unguard (&m->consent.lock);
  g_mutex_clear (&m->consent.lock);
  g_free (m);
}

/* ---- Loading ---- */

static gboolean
is_op (const Op *op, const char *key)
{
  return !strcmp (op->fv.key, key) || op_has_alias (op->fv.aliases, key);
}

static const Op *
find_op (const GPtrArray *ops, const char *key)
{
  for (guint i = 0; i < ops->len; i++)
    if (is_op (ops->pdata[i], key))
      return ops->pdata[i];
  return NULL;
}

/* Whether no operation of the plugin's list `ops`, or of those before, has a key of this one, old or new. */
static gboolean
check_taken (const Modules *m, const fv_plugin *p, const GPtrArray *ops, const Op *op, GError **error)
{
  g_autofree char *all = g_strconcat (op->fv.key, op->fv.aliases ? "," : "", op->fv.aliases, NULL);
  g_auto (GStrv) keys = g_strsplit (all, ",", -1);
  for (char **key = keys; *key; key++) {
    const Op *taken = find_op (m->ops, *key), *twice = find_op (ops, *key);
    if (taken || twice)
      return module_fault (error, "the operation key '%s' is already taken by %s", *key,
                           taken ? taken->plugin : p->name);
  }
  return TRUE;
}

static gboolean
has_command (const GPtrArray *ops, const char *command)
{
  for (guint i = 0; i < ops->len; i++)
    if (op_imagej (ops->pdata[i], command))
      return TRUE;
  return FALSE;
}

/* The same for its commands of ImageJ. */
static gboolean
check_commands (const Modules *m, const GPtrArray *ops, const Op *op, GError **error)
{
  for (guint i = 0; i < op->n_imagej; i++) {
    const char *command = op->fv.imagej[i].command;
    if (has_command (m->ops, command) || has_command (ops, command))
      return module_fault (error, "operation '%s': ImageJ's '%s' is already taken", op->fv.key, command);
  }
  return TRUE;
}

/* All operations of the plugin, checked; NULL with *error when one is wrong or its key is taken. */
static GPtrArray *
plugin_ops (const Modules *m, const fv_plugin *p, gboolean shipped, GError **error)
{
  g_autoptr (GPtrArray) ops = g_ptr_array_new_with_free_func (op_free);
  for (const fv_op *const *o = p->ops; *o; o++) {
    Op *op = ops->len < MAX_OPS ? module_check_op (*o, p, error) : NULL;
    if (!op) {
      if (ops->len == MAX_OPS)
        module_fault (error, "it has more than %d operations, or their list has no end", MAX_OPS);
      return NULL;
    }
    gboolean free = check_taken (m, p, ops, op, error) && check_commands (m, ops, op, error);
    op->modules = m;
    op->shipped = shipped;
    g_ptr_array_add (ops, op);
    if (!free)
      return NULL;
  }
  return g_steal_pointer (&ops);
}

/* Whether the plugin's struct reaches as far as this field. */
#define HAS(P, FIELD) ((P)->size > offsetof (fv_plugin, FIELD))

static gboolean
has_reader (const GPtrArray *readers, const char *key)
{
  for (guint i = 0; i < readers->len; i++)
    if (!strcmp (((const Reader *) readers->pdata[i])->fv.key, key))
      return TRUE;
  return FALSE;
}

/* The same of its readers. */
static GPtrArray *
plugin_readers (const Modules *m, const fv_plugin *p, GError **error)
{
  g_autoptr (GPtrArray) readers = g_ptr_array_new_with_free_func (reader_unref);
  for (const fv_reader *const *r = HAS (p, readers) ? p->readers : NULL; r && *r; r++) {
    Reader *reader = readers->len < MAX_READERS ? module_check_reader (*r, p, error) : NULL;
    if (!reader) {
      if (readers->len == MAX_READERS)
        module_fault (error, "it has more than %d readers, or their list has no end", MAX_READERS);
      return NULL;
    }
    const gboolean taken = has_reader (m->readers, reader->fv.key) || has_reader (readers, reader->fv.key);
    if (taken)
      module_fault (error, "the key '%s' of a reader is already taken", reader->fv.key);
    g_ptr_array_add (readers, reader);
    if (taken)
      return NULL;
  }
  return g_steal_pointer (&readers);
}

static int
compare_ops (gconstpointer a, gconstpointer b)
{
  return strcmp ((*(const Op *const *) a)->fv.key, (*(const Op *const *) b)->fv.key);
}

/* module: of which it is a part, or NULL. */
static gboolean
add (Modules *m, GModule *module, const fv_plugin *plugin, gboolean shipped, GError **error)
{
  g_autoptr (GPtrArray) ops = NULL, readers = NULL;
  if (!module_check_plugin (plugin, error) || !(ops = plugin_ops (m, plugin, shipped, error))
      || !(readers = plugin_readers (m, plugin, error)) || !device_list_check (m->devices, plugin->devices, error))
    return FALSE;
  Loaded *loaded = g_new (Loaded, 1);
  *loaded = (Loaded){module, plugin, shipped};
  g_ptr_array_add (m->loaded, loaded);
  device_list_add (m->devices, plugin->devices, plugin->find_devices);
  g_ptr_array_extend_and_steal (m->readers, g_steal_pointer (&readers));
  g_ptr_array_extend (m->ops, ops, NULL, NULL);
  g_ptr_array_extend_and_steal (m->all, g_steal_pointer (&ops));
  g_ptr_array_sort (m->ops, compare_ops);
  if (HAS (plugin, limit_threads) && plugin->limit_threads)
    parallel_follow (plugin->limit_threads);
  return TRUE;
}

gboolean
modules_add (Modules *m, const fv_plugin *plugin, GError **error)
{
  return add (m, NULL, plugin, FALSE, error);
}

/* What an opened module says of itself; NULL with *error. */
static const fv_plugin *
describe (GModule *module, GError **error)
{
  fv_plugin_open_fn open;
  fv_error refusal = FV_ERROR_INIT;
  const fv_plugin *plugin;
  if (!g_module_symbol (module, "fv_plugin_open", (gpointer *) &open) || !open) {
    module_fault (error, "it has no entry point fv_plugin_open()");
    return NULL;
  }
  if (!(plugin = open (FV_ABI, &refusal))) {
    g_autofree char *why = error_plugin_text (&refusal);
    module_fault (error, "it declined: %s", why);
  }
  return plugin;
}

static gboolean
load (Modules *m, const char *path, gboolean shipped, GError **error)
{
  g_autoptr (GError) why = NULL;
  const fv_plugin *plugin;
  GModule *module;
  if (!module_elf_check (path, error))
    return FALSE;
  /* Not lazily: a function that is missing is found now, and not when it is called. */
  if (!(module = g_module_open (path, G_MODULE_BIND_LOCAL)))
    return file_fail (error, FILE_ERROR_UNSUPPORTED, path, "cannot be loaded: %s.", g_module_error ());
  if ((plugin = describe (module, &why)) && add (m, module, plugin, shipped, &why))
    return TRUE;
  g_module_close (module);
  return file_fail (error, FILE_ERROR_UNSUPPORTED, path, "is refused: %s%s", why->message,
                    g_str_has_suffix (why->message, ".") ? "" : ".");
}

gboolean
modules_load (Modules *m, const char *path, GError **error)
{
  return load (m, path, FALSE, error);
}

/* ---- Operations of texts ---- */

static gboolean
makes_ops (const fv_plugin *p)
{
  return HAS (p, op_free) && p->op_new && p->op_free;
}

/* By the first plugin that knows such texts. NULL with *error, a sentence. */
static Op *
make_op (Modules *m, const char *key, const char *text, GError **error)
{
  fv_error fault = FV_ERROR_INIT;
  const Loaded *from = NULL;
  const fv_plugin *by = NULL;
  const fv_op *made = NULL;
  Op *op;
  fault.code = FV_UNSUPPORTED;
  for (guint i = 0; i < m->loaded->len && fault.code == FV_UNSUPPORTED; i++) {
    from = m->loaded->pdata[i];
    by = from->plugin;
    if (makes_ops (by))
      fault.code = by->op_new (key, text, &made, &fault);
  }
  if (fault.code != FV_OK) {
    g_autofree char *why = error_plugin_text (&fault);
    module_fault (error, "%s", *why ? why : "no plugin makes operations of texts");
    return NULL;
  }
  if (!(op = module_check_op (made, by, error))) {
    by->op_free (made);
    return NULL;
  }
  op->modules = m;
  op->shipped = from->shipped;
  op->made = g_strdup (text);
  g_ptr_array_add (m->made, g_memdup2 (&(Made){by, made}, sizeof (Made)));
  return op;
}

/* A new list with the operation, instead of the one with its key. */
static void
put_op (Modules *m, Op *op)
{
  GPtrArray *ops = g_ptr_array_new ();
  for (guint i = 0; i < m->ops->len; i++)
    if (strcmp (((const Op *) m->ops->pdata[i])->fv.key, op->fv.key))
      g_ptr_array_add (ops, m->ops->pdata[i]);
  g_ptr_array_add (ops, op);
  g_ptr_array_sort (ops, compare_ops);
  g_ptr_array_add (m->all, op);
  g_ptr_array_add (m->lists, ops);
  g_atomic_pointer_set (&m->ops, ops);
}

/* path: of its file, for the error. */
static Op *
try_op (Modules *m, const char *path, const char *key, const char *text, GError **error)
{
  g_autoptr (GError) why = NULL;
  const Op *taken = find_op (m->ops, key);
  if (taken && !taken->made) {
    file_fail (error, FILE_ERROR_UNSUPPORTED, path, "is refused: the operation %s already exists.", key);
    return NULL;
  }
  Op *op = make_op (m, key, text, &why);
  if (!op)
    file_fail (error, FILE_ERROR_FORMAT, path, "defines no operation: %s%s", why->message,
               g_str_has_suffix (why->message, ".") ? "" : ".");
  else
    op->path = g_strdup (path);
  return op;
}

gboolean
modules_load_operation (Modules *m, const char *path, GError **error)
{
  g_autofree char *key = NULL, *text = NULL;
  Op *op = operation_file_read (path, &key, &text, error) ? try_op (m, path, key, text, error) : NULL;
  if (op)
    put_op (m, op);
  return op != NULL;
}

gboolean
modules_save_operation (Modules *m, const char *key, const char *text, char **path, GError **error)
{
  g_autofree char *file = operation_file_path (key);
  Op *op = try_op (m, file, key, text, error);
  if (!op)
    return FALSE;
  if (!operation_file_write (file, text, error)) {
    op_free (op);
    return FALSE;
  }
  put_op (m, op);
  *path = g_steal_pointer (&file);
  return TRUE;
}

/* ---- Folders ---- */

void
modules_refuse (Modules *m, const char *why)
{
  g_ptr_array_add (m->refused, g_strdup (why));
}

static void
refuse (Modules *m, const GError *why)
{
  modules_refuse (m, why->message);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static gboolean
is_shipped (const char *name)
{
  return g_str_has_prefix (name, MODULE_SHIPPED) || !strcmp (name, MODULE_READERS);
}

/* The plugins in a folder; not_shipped: without those that modules_new_shipped() loads. */
static GPtrArray *
plugins_in (const char *folder, gboolean not_shipped)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  const char *name;
  while (dir && (name = g_dir_read_name (dir)))
    if (g_str_has_suffix (name, ".so") && !(not_shipped && is_shipped (name)))
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (paths, compare_names);
  return paths;
}

static gboolean
try_plugin (Modules *m, ModuleTrials *trials, const char *path, GError **error)
{
  if (!module_path_is_safe (path, error) || !module_trial_begin (trials, path, error))
    return FALSE;
  gboolean loaded = modules_load (m, path, error);
  module_trial_end (trials);
  return loaded;
}

static void
load_folder (Modules *m, const char *folder, gboolean not_shipped, ModuleTrials *trials)
{
  g_autoptr (GPtrArray) paths = plugins_in (folder, not_shipped);
  g_autoptr (GError) unsafe = NULL;
  if (!g_ptr_array_find_with_equal_func (m->folders, folder, g_str_equal, NULL))
    g_ptr_array_add (m->folders, g_strdup (folder));
  if (paths->len && !module_path_is_safe (folder, &unsafe)) {
    refuse (m, unsafe);
    return;
  }
  for (guint i = 0; i < paths->len; i++) {
    g_autoptr (GError) error = NULL;
    if (!try_plugin (m, trials, paths->pdata[i], &error))
      refuse (m, error);
  }
}

Modules *
modules_new_shipped (void)
{
  Modules *m = modules_new_empty ();
  g_autofree char *folder = module_path_shipped (),
                  *path = g_build_filename (folder, module_path_shipped_name (folder), NULL),
                  *readers = g_build_filename (folder, MODULE_READERS, NULL);
  g_autoptr (GError) error = NULL, no_readers = NULL;
  if (!load (m, path, TRUE, &error))
    refuse (m, error);
  if (g_file_test (readers, G_FILE_TEST_EXISTS) && !load (m, readers, TRUE, &no_readers))
    refuse (m, no_readers);
  g_ptr_array_add (m->folders, g_steal_pointer (&folder));
  return m;
}

static void
load_operations (Modules *m)
{
  g_auto (GStrv) folders = operation_file_folders ();
  for (char **folder = folders; *folder; folder++) {
    g_autoptr (GPtrArray) paths = operation_file_list (*folder);
    for (guint i = 0; i < paths->len; i++) {
      g_autoptr (GError) error = NULL;
      if (!modules_load_operation (m, paths->pdata[i], &error))
        refuse (m, error);
    }
  }
}

Modules *
modules_new (void)
{
  Modules *m = modules_new_shipped (); /* first, so that no other plugin takes its keys */
  g_autoptr (ModuleTrials) trials = module_trials_new (NULL);
  g_autoptr (GPtrArray) folders = g_ptr_array_new ();
  g_auto (GStrv) others = module_path_others ();
  g_ptr_array_add (folders, m->folders->pdata[0]);
  for (char **folder = others; *folder; folder++)
    if (!g_ptr_array_find_with_equal_func (folders, *folder, g_str_equal, NULL))
      g_ptr_array_add (folders, *folder);
  for (guint i = 0; i < folders->len; i++)
    load_folder (m, folders->pdata[i], i == 0, trials);
  load_operations (m);
  return m;
}

/* ---- Looking things up ---- */

const char *const *
modules_folders (const Modules *m)
{
  return (const char *const *) m->folders->pdata;
}

const char *const *
modules_refused (const Modules *m)
{
  return (const char *const *) m->refused->pdata;
}

char **
modules_loaded (const Modules *m)
{
  char **texts = g_new0 (char *, m->loaded->len + 1);
  for (guint i = 0; i < m->loaded->len; i++) {
    const Loaded *loaded = m->loaded->pdata[i];
    texts[i] = g_strdup_printf ("%s: %s %s", loaded->module ? g_module_name (loaded->module) : "in the program",
                                loaded->plugin->name, loaded->plugin->version);
  }
  return texts;
}

NativeConsent *
modules_consent (const Modules *m)
{
  return &((Modules *) m)->consent; /* not what the modules are */
}

const GPtrArray *
modules_readers (const Modules *m)
{
  return m->readers;
}

const GPtrArray *
modules_ops (const Modules *m)
{
  return g_atomic_pointer_get ((GPtrArray **) &m->ops);
}

const GPtrArray *
modules_devices (const Modules *m)
{
  return device_list_known (m->devices);
}

gboolean
modules_devices_pending (const Modules *m)
{
  return device_list_pending (m->devices);
}

const GPtrArray *
modules_find_devices (Modules *m)
{
  return device_list_find (m->devices);
}

static void
unknown_op (const GPtrArray *ops, const char *key, GError **error)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new_null_terminated (ops->len + 1, NULL, TRUE);
  for (guint i = 0; i < ops->len; i++)
    g_ptr_array_add (keys, (gpointer) ((const Op *) ops->pdata[i])->fv.key);
  g_autofree char *found = search_suggestion (ops, key, SUGGESTED),
                  *nearest = found ? NULL : text_nearest (key, (const char *const *) keys->pdata),
                  *hint = found     ? g_strdup_printf (" Did you mean %s?", found)
                          : nearest ? g_strdup_printf (" Did you mean '%s'?", nearest)
                                    : NULL;
  step_error_set (error, FV_BAD_ARGUMENT, NULL, "Unknown operation '%s'.%s See 'fovea ops'.", key, hint ? hint : "");
}

const Op *
modules_op (const Modules *m, const char *key, GError **error)
{
  const GPtrArray *ops = modules_ops (m);
  const Op *op = find_op (ops, key);
  if (!op)
    unknown_op (ops, key, error);
  return op;
}

Device *
modules_device (Modules *m, const char *key, GError **error)
{
  return device_list_get (m->devices, key, error);
}

Device *
modules_second_device (Modules *m, const Device *device, GError **error)
{
  return device_list_second (m->devices, device, error);
}
