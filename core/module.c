/* SPDX-License-Identifier: MIT
 *
 * The search path, the checks of a declaration, and the copies in this program's struct sizes.
 */
#include "module.h"

#include "args.h"
#include "device_list.h"
#include "error.h"
#include "text.h"

#include <gmodule.h>
#include <string.h>

struct Modules {
  GPtrArray *ops; /* Op * */
  DeviceList *devices;
  GPtrArray *loaded;            /* Loaded * */
  GPtrArray *folders, *refused; /* strings, NULL-terminated */
};

typedef struct {
  GModule *module;
  const fv_plugin *plugin;
} Loaded;

static void
op_free (gpointer data)
{
  Op *op = data;
  g_free ((gpointer) op->fv.params);
  g_free ((gpointer) op->fv.inputs);
  g_free ((gpointer) op->fv.outputs);
  g_free ((gpointer) op->fv.scalars);
  g_free (op);
}

static void
loaded_free (gpointer data)
{
  Loaded *loaded = data;
  if (loaded->plugin && loaded->plugin->close)
    loaded->plugin->close ();
  /* The plugin's OpenMP threads sleep in its code for good: it stays in memory. */
  g_module_make_resident (loaded->module);
  g_module_close (loaded->module);
  g_free (loaded);
}

Modules *
modules_new_empty (void)
{
  Modules *m = g_new0 (Modules, 1);
  m->ops = g_ptr_array_new_with_free_func (op_free);
  m->devices = device_list_new ();
  m->loaded = g_ptr_array_new_with_free_func (loaded_free);
  m->folders = g_ptr_array_new_null_terminated (8, g_free, TRUE);
  m->refused = g_ptr_array_new_null_terminated (8, g_free, TRUE);
  return m;
}

void
modules_free (Modules *m)
{
  if (!m)
    return;
  g_ptr_array_unref (m->ops);
  device_list_free (m->devices);
  g_ptr_array_unref (m->loaded);
  g_ptr_array_unref (m->folders);
  g_ptr_array_unref (m->refused);
  g_free (m);
}

/* ---- Copies ---- */

/* Copies a plugin's array that ends with an element whose first member, the key, is NULL. */
static gpointer
copy_array (const void *from, gsize from_size, gsize to_size, guint *n)
{
  const char *at = from;
  char *to;
  *n = 0;
  while (at && *(const char *const *) (at + *n * from_size))
    ++*n;
  to = g_malloc0 ((*n + 1) * to_size);
  for (guint i = 0; i < *n; i++)
    memcpy (to + i * to_size, at + i * from_size, MIN (from_size, to_size));
  return to;
}

static Op *
op_copy (const fv_op *from, const char *plugin, const Modules *modules)
{
  Op *op = g_new0 (Op, 1);
  memcpy (&op->fv, from, MIN (from->size, sizeof op->fv));
  op->fv.size = sizeof op->fv;
  op->fv.params = copy_array (from->params, from->param_size, sizeof (fv_param), &op->n_params);
  op->fv.inputs = copy_array (from->inputs, from->input_size, sizeof (fv_input), &op->n_inputs);
  op->fv.outputs = copy_array (from->outputs, from->output_size, sizeof (fv_output), &op->n_outputs);
  op->fv.scalars = copy_array (from->scalars, from->scalar_size, sizeof (fv_scalar), &op->n_scalars);
  op->plugin = plugin;
  op->modules = modules;
  return op;
}

/* ---- Checks ---- */

static gboolean
is_key (const char *key)
{
  if (!key || !g_ascii_islower (*key))
    return FALSE;
  for (; *key; key++)
    if (!g_ascii_islower (*key) && !g_ascii_isdigit (*key) && *key != '_')
      return FALSE;
  return TRUE;
}

/* One rule a line: what the declaration of a parameter must keep. Returns what is broken, or NULL. */
static const char *
param_fault (const Op *op, const fv_param *p)
{
  static const gsize sizes[] = {0, sizeof (bool), 4, 8, sizeof (fv_axes), sizeof (fv_set), sizeof (fv_matrix), 1};
  gboolean limited = p->min != 0 || p->max != 0, soft = p->soft_min != 0 || p->soft_max != 0;
  guint choices = 0;
  if (!is_key (p->key))
    return "its key is not lower_snake_case";
  if (!p->label || !p->help)
    return "it has no label or no help";
  if (p->type < FV_BOOL || p->type > FV_TEXT)
    return "its type is unknown";
  if (p->offset > op->fv.args_size || p->capacity > op->fv.args_size - p->offset || p->capacity < sizes[p->type])
    return "its field lies outside the argument struct";
  if (limited && p->min > p->max)
    return "its range is empty";
  if (soft && (p->soft_min > p->soft_max || (limited && (p->soft_min < p->min || p->soft_max > p->max))))
    return "its soft range is outside its range";
  while (p->choices && p->choices[choices].key)
    choices++;
  if (p->choices && (choices == 0 || choices > 256))
    return "it needs 1 to 256 choices";
  if (p->type == FV_SET && !p->choices)
    return "it has no choices";
  if (p->choices && p->type != FV_SET && p->type != FV_INT)
    return "its type cannot have choices";
  if (p->scale == FV_LOG && (soft ? p->soft_min : p->min) <= 0)
    return "a logarithmic scale needs a positive range";
  for (guint i = 0; i < op->n_params && &op->fv.params[i] != p; i++)
    if (!strcmp (op->fv.params[i].key, p->key))
      return "its key occurs twice";
  for (guint i = 0; i < op->n_inputs; i++)
    if (!strcmp (op->fv.inputs[i].key, p->key))
      return "its key is an input's too";
  if (!strcmp (p->key, "as") || !strcmp (p->key, "from"))
    return "its key is a reserved word";
  return NULL;
}

static gboolean
op_check (const Op *op, GError **error)
{
  const fv_op *o = &op->fv;
  g_autoptr (GError) fault = NULL;
  g_autofree gpointer args = NULL;
  const char *broken = !is_key (o->key)                            ? "its key is not lower_snake_case"
                       : !o->label || !o->help                     ? "it has no label or no help"
                       : op->n_inputs == 0                         ? "it has no input"
                       : o->kind < FV_POINT || o->kind > FV_TABLE  ? "its kind is unknown"
                       : o->kind == FV_LOCAL && !o->halo           ? "it is local but has no halo"
                       : o->kind == FV_TABLE && op->n_outputs      ? "it makes a table and images"
                       : o->kind != FV_TABLE && op->n_outputs == 0 ? "it has no output"
                       : o->args_size == 0 && op->n_params         ? "it has parameters but no argument struct"
                                                                   : NULL;
  for (guint i = 0; !broken && i < op->n_inputs; i++)
    if (!is_key (o->inputs[i].key) || !o->inputs[i].types || !o->inputs[i].label)
      broken = "an input has no key, label or types";
  for (guint i = 0; !broken && i < op->n_outputs; i++)
    if (!is_key (o->outputs[i].key))
      broken = "an output's key is not lower_snake_case";
  if (!broken) {
    gboolean runs = FALSE;
    for (int k = 0; k < FV_DEVICE_KINDS; k++)
      runs |= o->run[k] != NULL;
    if (!runs)
      broken = "it runs on no device";
  }
  if (broken) {
    step_error_set (error, FV_UNSUPPORTED, NULL, "operation '%s': %s", o->key ? o->key : "?", broken);
    return FALSE;
  }
  for (guint i = 0; i < op->n_params; i++) {
    const char *wrong = param_fault (op, &o->params[i]);
    if (wrong) {
      step_error_set (error, FV_UNSUPPORTED, o->params[i].key, "operation '%s', parameter '%s': %s", o->key,
                      o->params[i].key, wrong);
      return FALSE;
    }
  }
  if (!(args = args_new (op, &fault))) {
    step_error_set (error, FV_UNSUPPORTED, step_error_field (fault), "operation '%s': a default is wrong: %s", o->key,
                    fault->message);
    return FALSE;
  }
  return TRUE;
}

static gboolean
plugin_check (const fv_plugin *p, GError **error)
{
  if (p->abi >> 16 != FV_ABI_MAJOR) {
    step_error_set (error, FV_UNSUPPORTED, NULL, "it was built for ABI %u, this program has ABI %d", p->abi >> 16,
                    FV_ABI_MAJOR);
    return FALSE;
  }
  if (p->size < offsetof (fv_plugin, devices) || !p->name || !p->version || !p->ops) {
    step_error_set (error, FV_UNSUPPORTED, NULL, "its description is incomplete");
    return FALSE;
  }
  return TRUE;
}

/* ---- Loading ---- */

static const Op *
find_op (const GPtrArray *ops, const char *key)
{
  for (guint i = 0; i < ops->len; i++)
    if (!strcmp (((const Op *) ops->pdata[i])->fv.key, key))
      return ops->pdata[i];
  return NULL;
}

/* All operations of the plugin, checked; NULL with *error when one is wrong or its key is taken. */
static GPtrArray *
plugin_ops (const Modules *m, const fv_plugin *p, GError **error)
{
  g_autoptr (GPtrArray) ops = g_ptr_array_new_with_free_func (op_free);
  for (const fv_op *const *o = p->ops; *o; o++) {
    const Op *taken;
    if ((*o)->size < offsetof (fv_op, run) || (*o)->param_size < offsetof (fv_param, choices)
        || (*o)->input_size < sizeof (const char *) || (*o)->output_size < sizeof (const char *)) {
      step_error_set (error, FV_UNSUPPORTED, NULL, "operation %td: its struct sizes are wrong", o - p->ops);
      return NULL;
    }
    g_ptr_array_add (ops, op_copy (*o, p->name, m));
    if (!op_check (ops->pdata[ops->len - 1], error))
      return NULL;
    taken = find_op (m->ops, (*o)->key);
    if (taken || find_op (ops, (*o)->key) != ops->pdata[ops->len - 1]) {
      step_error_set (error, FV_UNSUPPORTED, NULL, "the operation key '%s' is already taken by %s", (*o)->key,
                      taken ? taken->plugin : p->name);
      return NULL;
    }
  }
  return g_steal_pointer (&ops);
}

static int
compare_ops (gconstpointer a, gconstpointer b)
{
  return strcmp ((*(const Op *const *) a)->fv.key, (*(const Op *const *) b)->fv.key);
}

gboolean
modules_load (Modules *m, const char *path, GError **error)
{
  g_autoptr (GError) why = NULL;
  g_autoptr (GPtrArray) ops = NULL;
  fv_error refusal = {.code = FV_OK};
  fv_plugin_open_fn open;
  GModule *module = g_module_open (path, G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL);
  const fv_plugin *plugin = NULL;

  if (!module) {
    step_error_set (error, FV_UNSUPPORTED, NULL, "%s: cannot be loaded: %s", path, g_module_error ());
    return FALSE;
  }
  if (!g_module_symbol (module, "fv_plugin_open", (gpointer *) &open) || !open)
    step_error_set (&why, FV_UNSUPPORTED, NULL, "it has no entry point fv_plugin_open()");
  else if (!(plugin = open (FV_ABI, &refusal)))
    step_error_set (&why, FV_UNSUPPORTED, NULL, "it declined: %.*s", (int) sizeof refusal.text, refusal.text);
  else if (plugin_check (plugin, &why))
    ops = plugin_ops (m, plugin, &why);
  if (!ops) {
    step_error_set (error, FV_UNSUPPORTED, NULL, "%s: %s%s", path, why->message,
                    g_str_has_suffix (why->message, ".") ? "" : ".");
    g_module_close (module);
    return FALSE;
  }

  Loaded *loaded = g_new (Loaded, 1);
  *loaded = (Loaded){module, plugin};
  g_ptr_array_add (m->loaded, loaded);
  device_list_add (
    m->devices, plugin->devices,
    plugin->size >= offsetof (fv_plugin, find_devices) + sizeof plugin->find_devices ? plugin->find_devices : NULL);
  g_ptr_array_extend_and_steal (m->ops, g_steal_pointer (&ops));
  g_ptr_array_sort (m->ops, compare_ops);
  return TRUE;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void
load_folder (Modules *m, const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;
  for (guint i = 0; i < m->folders->len; i++)
    if (!strcmp (m->folders->pdata[i], folder))
      return;
  g_ptr_array_add (m->folders, g_strdup (folder));
  while (dir && (name = g_dir_read_name (dir)))
    if (g_str_has_suffix (name, ".so"))
      g_ptr_array_add (names, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++) {
    g_autoptr (GError) error = NULL;
    if (!modules_load (m, names->pdata[i], &error))
      g_ptr_array_add (m->refused, g_strdup (error->message));
  }
}

Modules *
modules_new (void)
{
  Modules *m = modules_new_empty ();
  const char *path = g_getenv ("FOVEA_PLUGIN_PATH");
  g_auto (GStrv) folders = g_strsplit (path ? path : "", G_SEARCHPATH_SEPARATOR_S, -1);
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *home = self ? g_path_get_dirname (self) : g_strdup (".");
  g_autofree char *user = g_build_filename (g_get_user_data_dir (), "fovea", "plugins", NULL);
  g_autofree char *built = g_build_filename (home, "..", "plugin", NULL);
  g_autofree char *bundled = g_build_filename (home, "plugins", NULL);

  /* OpenMP threads that spin while they wait make all work on a busy machine slower by far, and starve the main loop. The
     run-time library reads this when the first plugin brings it in. */
  g_setenv ("OMP_WAIT_POLICY", "passive", FALSE);
  /* The shipped plugin comes first: nobody can take its keys. */
  if (g_file_test (built, G_FILE_TEST_IS_DIR))
    load_folder (m, built);
  else if (g_file_test (bundled, G_FILE_TEST_IS_DIR))
    load_folder (m, bundled);
  else
    load_folder (m, FOVEA_PLUGIN_DIR);
  for (guint i = 0; folders[i]; i++)
    if (*folders[i])
      load_folder (m, folders[i]);
  load_folder (m, user);
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
    texts[i] =
      g_strdup_printf ("%s: %s %s", g_module_name (loaded->module), loaded->plugin->name, loaded->plugin->version);
  }
  return texts;
}

const GPtrArray *
modules_ops (const Modules *m)
{
  return m->ops;
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

const Op *
modules_op (const Modules *m, const char *key, GError **error)
{
  const Op *op = find_op (m->ops, key);
  if (!op) {
    g_autoptr (GPtrArray) keys = g_ptr_array_new_null_terminated (m->ops->len + 1, NULL, TRUE);
    g_autofree char *hint = NULL;
    for (guint i = 0; i < m->ops->len; i++)
      g_ptr_array_add (keys, (gpointer) ((const Op *) m->ops->pdata[i])->fv.key);
    hint = text_nearest (key, (const char *const *) keys->pdata);
    step_error_set (error, FV_BAD_ARGUMENT, NULL, "There is no operation '%s'%s%s%s; 'fovea ops' lists all.", key,
                    hint ? ": did you mean '" : "", hint ? hint : "", hint ? "'" : "");
  }
  return op;
}

Device *
modules_device (Modules *m, const char *key, GError **error)
{
  return device_list_get (m->devices, key, error);
}

char *
op_title (const Op *op)
{
  gsize length = strlen (op->fv.label);
  return g_strndup (op->fv.label, g_str_has_suffix (op->fv.label, "...") ? length - 3 : length);
}
