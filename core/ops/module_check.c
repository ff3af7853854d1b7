/* SPDX-License-Identifier: MIT
 *
 * Sizes first, then the ends of the arrays, then what is in them.
 */
#include "core/ops/module_check.h"

#include "core/ops/args.h"
#include "core/ops/module_check_imagej.h"
#include "core/ops/module_check_param.h"
#include "core/ops/module_check_text.h"
#include "core/ops/module_check_traits.h"

#include <string.h>

#define NAME 256       /* of a name or label */
#define ARGS (1 << 20) /* of an argument struct */
#define STRUCT 4096    /* of any other */
enum { MAX_PARAMS = 256, MAX_CHOICES = 256, MAX_SCALARS = 256, MAX_COMMANDS = 256, MAX_COLUMNS = 4096 };

/* Bytes of a struct as ABI 0.9 has it, when that is its last member. */
#define FIRST(STRUCT, LAST) (offsetof (STRUCT, LAST) + sizeof (((STRUCT *) 0)->LAST))

/* Whether that can be the size of a struct: one of a plugin with a newer header is longer. now: its size in this program. */
static gboolean
check_size (const char *name, gsize size, gsize first, gsize now, GError **error)
{
  return (size >= first && size <= STRUCT && size % _Alignof(void *) == 0)
         || module_fault (error, "its struct sizes are wrong: %s has %zu bytes, not %zu", name, size, now);
}

/* ---- The plugin and its devices ---- */

gboolean
module_check_abi (guint32 theirs, guint32 ours, GError **error)
{
  guint major = ours >> 16;
  return (theirs >> 16 == major && (major > 0 || theirs == ours))
         || module_fault (error, "it was built for ABI %u.%u, this program has ABI %u.%u", theirs >> 16,
                          theirs & 0xffff, major, ours & 0xffff);
}

gboolean
module_check_plugin (const fv_plugin *p, GError **error)
{
  if (!module_check_abi (p->abi, FV_ABI, error)
      || !check_size ("fv_plugin", p->size, FIRST (fv_plugin, find_devices), sizeof *p, error)
      || !module_check_text ("name", p->name, MODULE_KEY, error)
      || !module_check_text ("version", p->version, MODULE_KEY, error))
    return FALSE;
  return p->ops || module_fault (error, "it has no list of operations");
}

/* "cpu", "cuda:0" */
static gboolean
is_device_key (const char *key)
{
  gsize n = strspn (key, "abcdefghijklmnopqrstuvwxyz");
  return n && (!key[n] || (key[n] == ':' && key[n + 1] && !key[n + 1 + strspn (key + n + 1, "0123456789")]));
}

static gboolean
check_device (const fv_device *d, GError **error)
{
  if (d->size < FIRST (fv_device, trim) || d->size > STRUCT)
    return module_fault (error, "its struct sizes are wrong: fv_device has %u bytes, not %zu", d->size, sizeof *d);
  if (!module_check_text ("key", d->key, MODULE_KEY, error) || !module_check_text ("name", d->name, NAME, error)
      || !module_check_text_or_null ("fault", d->fault, MODULE_SENTENCE, error))
    return FALSE;
  if (!is_device_key (d->key))
    return module_fault (error, "its key is not like 'cpu' or 'cuda:0'");
  if ((unsigned) d->kind >= FV_DEVICE_KINDS)
    return module_fault (error, "its kind is unknown");
  if (d->fault)
    return TRUE;
  return (d->memory && d->stream_new && d->stream_free && d->synchronize && d->alloc && d->free && d->host_alloc
          && d->host_free && d->copy && d->event_new && d->event_free && d->event_record && d->event_elapsed && d->map
          && d->unmap)
         || module_fault (error, "it has neither all functions nor a fault");
}

gboolean
module_check_device (const fv_device *d, GError **error)
{
  if (check_device (d, error))
    return TRUE;
  g_prefix_error (error, "device '%s': ", module_check_text ("key", d->key, MODULE_KEY, NULL) ? d->key : "?");
  return FALSE;
}

/* ---- Copies of an operation ---- */

/* Copies a plugin's array that ends with an element whose first member, the key, is NULL. NULL with *error when there are
 * more than `max` before that. */
static gpointer
copy_array (const char *plural, const void *from, gsize from_size, gsize to_size, guint max, guint *n, GError **error)
{
  const char *at = from;
  for (*n = 0; at && *(const char *const *) (at + *n * from_size); ++*n)
    if (*n == max) {
      module_fault (error, "it has more than %u %s, or their list has no end", max, plural);
      *n = 0;
      return NULL;
    }
  char *to = g_malloc0 ((*n + 1) * to_size);
  for (guint i = 0; i < *n; i++)
    memcpy (to + i * to_size, at + i * from_size, MIN (from_size, to_size));
  return to;
}

static gboolean
check_sizes (const fv_op *o, GError **error)
{
  return check_size ("fv_op", o->size, FIRST (fv_op, scratch), sizeof (fv_op), error)
         && check_size ("fv_param", o->param_size, FIRST (fv_param, open), sizeof (fv_param), error)
         && check_size ("fv_choice", o->choice_size, FIRST (fv_choice, help), sizeof (fv_choice), error)
         && check_size ("fv_input", o->input_size, FIRST (fv_input, optional), sizeof (fv_input), error)
         && check_size ("fv_output", o->output_size, FIRST (fv_output, label), sizeof (fv_output), error)
         && check_size ("fv_scalar", o->scalar_size, FIRST (fv_scalar, type), sizeof (fv_scalar), error);
}

static gboolean
copy_choices (Op *op, GError **error)
{
  op->choices = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0, n; i < op->n_params; i++) {
    fv_param *p = (fv_param *) &op->fv.params[i];
    if (!p->choices)
      continue;
    p->choices =
      copy_array ("choices", p->choices, op->declared->choice_size, sizeof (fv_choice), MAX_CHOICES, &n, error);
    if (!p->choices) {
      g_prefix_error (error, "parameter %u: ", i + 1);
      return FALSE;
    }
    g_ptr_array_add (op->choices, (gpointer) p->choices);
  }
  return TRUE;
}

/* Older declarations end before it. */
static gboolean
copy_imagej (Op *op, GError **error)
{
  const fv_op *from = op->declared;
  const fv_imagej *lines = from->size < FIRST (fv_op, imagej) ? NULL : from->imagej;
  return !lines
         || (check_size ("fv_imagej", from->imagej_size, FIRST (fv_imagej, mask), sizeof (fv_imagej), error)
             && (op->fv.imagej = copy_array ("commands of ImageJ", lines, from->imagej_size, sizeof (fv_imagej),
                                             MAX_COMMANDS, &op->n_imagej, error)));
}

/* Likewise. */
static gboolean
copy_columns (Op *op, GError **error)
{
  const fv_op *from = op->declared;
  const fv_column_name *names = from->size < FIRST (fv_op, columns) ? NULL : from->columns;
  return !names
         || (op->fv.columns = copy_array ("names of columns", names, sizeof *names, sizeof *names, MAX_COLUMNS,
                                          &op->n_columns, error));
}

static gboolean
copy (Op *op, const fv_op *from, GError **error)
{
  fv_op *o = &op->fv;
  if (!check_sizes (from, error))
    return FALSE;
  op->declared = from;
  memcpy (o, from, MIN (from->size, sizeof *o));
  o->size = sizeof *o;
  o->inputs = NULL;
  o->outputs = NULL;
  o->scalars = NULL;
  o->params = NULL;
  o->imagej = NULL;
  o->columns = NULL;
  return (o->inputs = copy_array ("inputs", from->inputs, from->input_size, sizeof (fv_input), OP_MAX_ARRAYS,
                                  &op->n_inputs, error))
         && (o->outputs = copy_array ("outputs", from->outputs, from->output_size, sizeof (fv_output), OP_MAX_ARRAYS,
                                      &op->n_outputs, error))
         && (o->scalars = copy_array ("scalars", from->scalars, from->scalar_size, sizeof (fv_scalar), MAX_SCALARS,
                                      &op->n_scalars, error))
         && (o->params = copy_array ("parameters", from->params, from->param_size, sizeof (fv_param), MAX_PARAMS,
                                     &op->n_params, error))
         && copy_choices (op, error) && copy_imagej (op, error) && copy_columns (op, error);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Op, op_free)

/* ---- An operation ---- */

/* "Process/Filters" */
static gboolean
check_menu (const char *menu, GError **error)
{
  if (!menu)
    return TRUE;
  if (!module_check_text ("menu", menu, NAME, error))
    return FALSE;
  return (*menu != '/' && !g_str_has_suffix (menu, "/") && !strstr (menu, "//"))
         || module_fault (error, "its menu '%s' has an empty part", menu);
}

/* A line of the recorder begins with one of these or with an operation. */
static gboolean
check_verb (const char *key, GError **error)
{
  static const char *const verbs[] = {"open",   "select", "close", "undo", "redo",   "device", "save",
                                      "export", "as",     "from",  "skip", "source", NULL};
  return !g_strv_contains (verbs, key) || module_fault (error, "its key is a reserved word");
}

static gboolean
check_members (const Op *op, GError **error)
{
  const fv_op *o = &op->fv;
  gboolean runs = FALSE;
  for (int k = 0; k < FV_DEVICE_KINDS; k++)
    runs |= o->run[k] != NULL;
  if (!check_verb (o->key, error) || !module_check_aliases (o->aliases, check_verb, error)
      || !module_check_text ("label", o->label, NAME, error)
      || !module_check_text ("help", o->help, MODULE_SENTENCE, error)
      || !module_check_text_or_null ("citation", o->cite, MODULE_SENTENCE, error)
      || !module_check_text_or_null ("search text", o->search, MODULE_SENTENCE, error) || !check_menu (o->menu, error)
      || !module_check_bool ("reads_back", &o->reads_back, error) || !module_check_bool ("native", &o->native, error))
    return FALSE;
  gboolean needs = op->n_inputs > 1 || (op->n_inputs && !o->inputs[0].optional);
  const char *broken = !needs && !o->infer ? "it needs no input, and has no infer() that says what it makes"
                       : !needs && o->kind != FV_GLOBAL && o->kind != FV_TABLE
                         ? "it needs no input, and is neither global nor one that makes a table"
                       : o->kind < FV_POINT || o->kind > FV_TABLE           ? "its kind is unknown"
                       : o->kind == FV_LOCAL && !o->halo                    ? "it is local but has no halo"
                       : o->part < FV_PART_OTHER || o->part > FV_PART_GIVEN ? "what it makes of a part is unknown"
                       : o->part == FV_PART_GIVEN && !op->n_scalars
                         ? "it cannot be given scalars, because it declares none"
                       : o->kind != FV_TABLE && op->n_outputs == 0 ? "it has no output"
                       : o->args_size == 0 && op->n_params         ? "it has parameters but no argument struct"
                       : !runs                                     ? "it runs on no device"
                                                                   : NULL;
  if (broken)
    return module_fault (error, "%s", broken);
  if (!(o->reproducible >= 0 && o->reproducible < 1))
    return module_fault (error, "it is reproducible to %g, which is not at least 0 and below 1", o->reproducible);
  return o->args_size <= ARGS
         || module_fault (error, "its argument struct of %u bytes is larger than %d", o->args_size, ARGS);
}

static gboolean
check_input (const Op *op, guint i, GError **error)
{
  const guint32 wants = FV_WANTS_LABELS | FV_WANTS_MASK | FV_WANTS_CALIBRATED;
  const fv_input *input = &op->fv.inputs[i];
  if (!module_check_key (input->key, error) || !module_check_word (input->key, error)
      || !module_check_new_key (op->fv.inputs, sizeof *input, i, error)
      || !module_check_text ("label", input->label, NAME, error)
      || !module_check_text_or_null ("help", input->help, MODULE_SENTENCE, error)
      || !module_check_bool ("optional", &input->optional, error))
    return FALSE;
  if (input->types == FV_WANTS_TABLE)
    return i > 0 || module_fault (error, "the first input is an image, never a table");
  if (!(input->types & FV_ALL_TYPES) || input->types & ~(FV_ALL_TYPES | wants))
    return module_fault (error, "it has no types, or unknown ones");
  if (input->types & wants & ((input->types & wants) - 1))
    return module_fault (error, "it wants more than one of labels, a mask and calibrated values");
  if ((input->types & FV_WANTS_LABELS && !(input->types & FV_I32))
      || (input->types & FV_WANTS_MASK && !(input->types & FV_U8))
      || (input->types & FV_WANTS_CALIBRATED && !(input->types & FV_F32)))
    return module_fault (error, "it requires labels but not i32, a mask but not u8, or calibrated values but not f32");
  return !(i == 0 && input->optional && op->n_inputs > 1)
         || module_fault (error, "the first of several inputs is never optional");
}

static gboolean
check_output (const Op *op, guint i, GError **error)
{
  const fv_output *output = &op->fv.outputs[i];
  return module_check_key (output->key, error) && module_check_new_key (op->fv.outputs, sizeof *output, i, error)
         && module_check_text_or_null ("label", output->label, NAME, error);
}

static gboolean
check_scalar (const Op *op, guint i, GError **error)
{
  const fv_scalar *scalar = &op->fv.scalars[i];
  if (!module_check_key (scalar->key, error) || !module_check_new_key (op->fv.scalars, sizeof *scalar, i, error)
      || !module_check_text ("label", scalar->label, NAME, error)
      || !module_check_text_or_null ("help", scalar->help, MODULE_SENTENCE, error))
    return FALSE;
  return scalar->type == FV_COLUMN_INTEGER || scalar->type == FV_COLUMN_FLOAT
         || module_fault (error, "its type is unknown");
}

static gboolean
check_param (const Op *op, guint i, GError **error)
{
  return module_check_param (op, &op->fv.params[i], error);
}

static gboolean
check_condition (const Op *op, guint i, GError **error)
{
  return module_check_condition (op, &op->fv.params[i], error);
}

static gboolean
check_column (const Op *op, guint i, GError **error)
{
  const fv_column_name *column = &op->fv.columns[i];
  return module_check_key (column->key, error) && module_check_new_key (op->fv.columns, sizeof *column, i, error)
         && module_check_text_or_null ("name in ImageJ", column->imagej, MODULE_KEY, error);
}

/* One of the arrays, each element of which begins with its key. */
typedef struct {
  const char *noun;
  gconstpointer array;
  gsize size;
  guint n;
  gboolean (*check) (const Op *op, guint i, GError **error);
} Array;

/* Errors name the key if it is valid, otherwise the index; the names of ImageJ's commands are no keys. */
static gboolean
check_array (const Op *op, const Array *a, GError **error)
{
  for (guint i = 0; i < a->n; i++) {
    const char *key = *(const char *const *) ((const char *) a->array + i * a->size);
    if (a->check (op, i, error))
      continue;
    if (module_check_key (key, NULL))
      g_prefix_error (error, "%s '%s': ", a->noun, key);
    else
      g_prefix_error (error, "%s %u: ", a->noun, i + 1);
    return FALSE;
  }
  return TRUE;
}

static gboolean
check_op (const Op *op, GError **error)
{
  const fv_op *o = &op->fv;
  const Array arrays[] = {{"input", o->inputs, sizeof *o->inputs, op->n_inputs, check_input},
                          {"output", o->outputs, sizeof *o->outputs, op->n_outputs, check_output},
                          {"scalar", o->scalars, sizeof *o->scalars, op->n_scalars, check_scalar},
                          {"parameter", o->params, sizeof *o->params, op->n_params, check_param},
                          {"parameter", o->params, sizeof *o->params, op->n_params, check_condition}};
  const Array commands = {"command of ImageJ", o->imagej, sizeof *o->imagej, op->n_imagej, module_check_imagej};
  const Array columns = {"name of a column", o->columns, sizeof *o->columns, op->n_columns, check_column};
  g_autoptr (GError) fault = NULL;
  g_autofree gpointer args = NULL;
  if (!check_members (op, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    if (!check_array (op, &arrays[i], error))
      return FALSE;
  if (!(args = args_new (op, &fault)))
    return module_fault (error, "a default is wrong: %s", fault->message);
  return module_check_traits (op, error) && check_array (op, &commands, error) && check_array (op, &columns, error);
}

Op *
module_check_op (const fv_op *from, const fv_plugin *plugin, GError **error)
{
  g_autoptr (Op) op = g_new0 (Op, 1);
  op->plugin = plugin->name;
  if (copy (op, from, error) && module_check_key (op->fv.key, error) && check_op (op, error))
    return g_steal_pointer (&op);
  g_prefix_error (error, "operation '%s': ", module_check_key (op->fv.key, NULL) ? op->fv.key : "?");
  return NULL;
}

/* ---- A reader ---- */

/* A list with commas, each word of less than MODULE_KEY of these characters and none of `inside` at its ends. NULL with *error. */
static char **
split_words (const char *member, const char *list, const char *inside, GError **error)
{
  if (!module_check_text (member, list, MODULE_SENTENCE, error))
    return NULL;
  g_auto (GStrv) words = g_strsplit (list, ",", -1);
  for (char **word = words; *word; word++) {
    const gsize n = strlen (*word);
    gboolean good = n && n < MODULE_KEY && !strchr (inside, **word) && !strchr (inside, (*word)[n - 1]);
    for (const char *c = *word; *c; c++)
      good = good && (g_ascii_islower (*c) || g_ascii_isdigit (*c) || strchr (inside, *c));
    if (!good) {
      module_fault (error, "its %s are not like '%s'", member, strchr (inside, '/') ? "image/x-pfm" : "pfm,tar.gz");
      return NULL;
    }
  }
  return g_steal_pointer (&words);
}

static gboolean
check_reader (Reader *r, GError **error)
{
  const fv_reader *fv = &r->fv;
  const char *lacks = !fv->is      ? "is()"
                      : !fv->open  ? "open()"
                      : !fv->close ? "close()"
                      : !fv->image ? "image()"
                      : !fv->read  ? "read()"
                                   : NULL;
  if (!module_check_key (fv->key, error) || !module_check_text ("label", fv->label, NAME, error)
      || !(r->endings = split_words ("endings", fv->endings, ".", error))
      || !(r->mime = fv->mime ? split_words ("media types", fv->mime, "/.+-", error) : g_new0 (char *, 1)))
    return FALSE;
  return lacks ? module_fault (error, "it has no %s", lacks) : module_check_bool ("last", &fv->last, error);
}

Reader *
module_check_reader (const fv_reader *from, const fv_plugin *plugin, GError **error)
{
  g_autoptr (Reader) r = g_new0 (Reader, 1);
  g_atomic_ref_count_init (&r->references);
  r->declared = from;
  r->plugin = plugin->name;
  if (check_size ("fv_reader", from->size, FIRST (fv_reader, left_out), sizeof *from, error)) {
    memcpy (&r->fv, from, MIN (from->size, sizeof r->fv));
    if (check_reader (r, error))
      return g_steal_pointer (&r);
  }
  g_prefix_error (error, "reader '%s': ", module_check_key (r->fv.key, NULL) ? r->fv.key : "?");
  return NULL;
}
