/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: a plugin whose declarations come from the bytes, as do the answers of its functions. All its pointers lead
 * to memory; what is there can be anything. It is refused, or what it declares can be used: explained, given arguments, run.
 */
#include "core/ops/args.h"
#include "core/call/grid.h"
#include "core/call/op.h"
#include "core/base/error.h"
#include "core/recipe/recipe.h"
#include "core/ops/reference.h"
#include "tests/fuzz/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  POOL = 1 << 18,
  ELEMENTS = 8,
  STRIDE = 4096,
  MAX_PIXELS = 1 << 16
}; /* STRIDE: the longest struct that is taken */

/* ---- What the bytes say ---- */

static const guint8 *at, *end, *answers; /* answers: where those are that must be the same each time */
static char pool[POOL];                  /* texts, some of them without an end */

static guint8
next (void)
{
  return at < end ? *at++ : 0;
}

/* Something odd, once in a while. */
static gboolean
odd (void)
{
  return next () > 235;
}

static guint32
odd_number (void)
{
  static const guint32 numbers[] = {0, 1, 3, 7, 8, 16, 64, 99, 255, 4096, 65536, 1u << 20, 1u << 31, G_MAXUINT32};
  guint8 byte = next ();
  return byte < G_N_ELEMENTS (numbers) ? numbers[byte] : byte;
}

static double
odd_double (void)
{
  static const double numbers[] = {0, -1, 0.5, 1e300, -1e300, 1e-310, 3e9, NAN, INFINITY, -INFINITY};
  guint8 byte = next ();
  return byte < G_N_ELEMENTS (numbers) ? numbers[byte] : byte;
}

static gint64
odd_long (void)
{
  static const gint64 numbers[] = {0, -1, 3, 1 << 16, G_MAXINT32, (gint64) 1 << 40, G_MAXINT64, G_MININT64};
  guint8 byte = next ();
  return byte < G_N_ELEMENTS (numbers) ? numbers[byte] : byte;
}

/* NULL, something in the pool, which may go on for long, or one of these. */
static const char *
odd_text (void)
{
  static const char *const texts[] = {"",     "as",      "from",     "skip", "image", "\xff\xfe", "a\033[2J",
                                      "a b",  "a=1",     "a|b",      "all",  "yes",   "a/b",      "//",
                                      "1;2",  "1,2,3,4", "p1=yes",   "p0=",  "p0=a|", "cpu",      "cuda:0",
                                      "save", "µm",      "p2=a|b|c", "1e9",  "a,b",   "-",        NULL};
  guint8 byte = next ();
  return byte < G_N_ELEMENTS (texts) ? texts[byte] : pool + byte;
}

#define MAYBE(FIELD, VALUE)                                                                                            \
  if (odd ())                                                                                                          \
  FIELD = VALUE

static void
odd_bool (bool *b)
{
  guint8 value = odd () ? next () : next () & 1;
  memcpy (b, &value, 1);
}

static fv_plugin plugin;

/* ---- What the functions answer ---- */

static fv_status
odd_status (void)
{
  return odd () ? (fv_status) odd_number () : FV_OK;
}

static void
odd_grid (fv_grid *g)
{
  static const char *names[300];
  MAYBE (g->size, odd_number ());
  MAYBE (g->type, next () & 1 ? (fv_type) (1 << next () % 5) : odd_number ());
  MAYBE (g->role, next () & 1 ? (fv_role) (next () % 4) : odd_number ());
  MAYBE (g->channels, odd_long ());
  for (int i = 0; i < 3; i++) {
    MAYBE (g->shape[i], odd_long ());
    MAYBE (g->spacing[i], odd_double ());
  }
  if (odd ())
    memset (g->unit, next (), 1 + next () % sizeof g->unit);
  if (odd ())
    odd_bool (&g->dense);
  if (odd ()) {
    for (guint i = 0; i < G_N_ELEMENTS (names); i++)
      names[i] = i < 8 ? odd_text () : NULL;
    g->channel_names = names;
    g->channels = g->channels > 300 ? 300 : g->channels;
  }
}

static fv_status
infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const guint8 *here = at;
  fv_status status;
  (void) op, (void) args, (void) in;
  at = answers;
  for (int i = 0; i < 3 && out[i]; i++)
    odd_grid (out[i]);
  if (odd ())
    memset (error, next (), sizeof *error);
  status = odd_status ();
  at = here;
  return status;
}

static fv_grain
grain (const fv_op *op, const void *args)
{
  guint8 byte = answers < end ? *answers : 0;
  (void) op, (void) args;
  return byte < 250 ? (fv_grain) (byte % 3) : (fv_grain) byte;
}

static void
halo (const fv_op *op, const void *args, const fv_grid *input, gint64 h[3])
{
  (void) op, (void) args, (void) input;
  for (int i = 0; i < 3; i++)
    h[i] = odd_long ();
}

static gint64
scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op, (void) args, (void) in;
  return odd_long ();
}

/* An array whose elements lie `size` bytes apart, as the plugin says, and its end. */
typedef struct {
  _Alignas(16) char bytes[(ELEMENTS + 1) * STRIDE];
} Array;

static void
put (Array *array, guint i, guint32 size, gconstpointer element, gsize element_size)
{
  gsize apart = size >= 8 && size <= STRIDE ? size : element_size;
  memcpy (array->bytes + i * apart, element, MIN (apart, element_size));
}

static fv_status
make_table (const fv_call *call, fv_error *error)
{
  static Array columns;
  const guint32 size = odd () && plugin.abi == FV_ABI ? odd_number () : sizeof (fv_column);
  double *values;
  guint32 n = next () % 5;
  gint64 rows = odd () ? odd_long () : next ();
  rows = rows > 4096 && rows <= G_MAXINT32 ? 4096 : rows; /* what is allowed is also made */
  memset (&columns, 0, sizeof columns);
  for (guint i = 0; i < 4; i++) {
    fv_column column = {odd () ? odd_text () : &"a\0b\0c\0d"[2 * i], odd () ? odd_text () : NULL,
                        odd () ? odd_text () : NULL, odd () ? odd_number () : FV_COLUMN_FLOAT};
    put (&columns, i, size, &column, sizeof column);
  }
  fv_status status = call->host->table (call, (const fv_column *) columns.bytes, n, size, rows, &values, error);
  for (gint64 i = 0; !status && i < n * rows; i++)
    values[i] = odd_double ();
  return status;
}

static fv_status
run (const fv_call *call, fv_error *error)
{
  void *memory;
  if (next () & 1)
    call->host->log (call, odd_text ());
  if (next () & 1)
    call->host->tick (call, odd_long (), odd_long ());
  if (next () & 1)
    call->host->scratch (call, next (), &memory, error);
  for (int i = next () % 3; i > 0; i--)
    make_table (call, error);
  if (odd ())
    memset (error, next (), sizeof *error);
  return odd_status ();
}

/* ---- What is declared ---- */

typedef struct {
  fv_op op;
  Array inputs, outputs, scalars, params, choices[ELEMENTS];
  fv_imagej imagej[2];
  fv_imagej_word words[2];
  fv_column_name columns[2];
} DeclaredOp;

static DeclaredOp declared[2];
static fv_device device;

static void
declare_choices (Array *choices, guint32 size)
{
  guint n = 1 + next () % 4;
  for (guint i = 0; i < n; i++) {
    fv_choice choice = {odd () ? odd_text () : &"a\0b\0c\0d"[2 * i], odd () ? odd_text () : "A",
                        odd () ? odd_text () : NULL};
    put (choices, i, size, &choice, sizeof choice);
  }
}

static void
declare_param (DeclaredOp *d, guint i, guint32 *offset)
{
  static const char *const keys[] = {"p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7"};
  static const guint32 sizes[] = {[FV_BOOL] = 1,
                                  [FV_INT] = 4,
                                  [FV_FLOAT] = 8,
                                  [FV_AXES] = sizeof (fv_axes),
                                  [FV_SET] = sizeof (fv_set),
                                  [FV_MATRIX] = sizeof (fv_matrix),
                                  [FV_TEXT] = 16};
  fv_param p = {.key = keys[i], .type = FV_BOOL + next () % 7, .label = "L", .help = "H."};
  *offset = (*offset + 7) / 8 * 8;
  p.offset = *offset;
  p.capacity = sizes[p.type];
  *offset += p.capacity;
  if (p.type == FV_SET || (p.type == FV_INT && next () & 1)) {
    declare_choices (&d->choices[i], d->op.choice_size);
    p.choices = (const fv_choice *) d->choices[i].bytes;
  }
  MAYBE (p.key, odd_text ());
  MAYBE (p.type, odd_number ());
  MAYBE (p.offset, odd_number ());
  MAYBE (p.capacity, odd_number ());
  MAYBE (p.label, odd_text ());
  MAYBE (p.help, odd_text ());
  MAYBE (p.unit, odd_text ());
  MAYBE (p.def_text, odd_text ());
  MAYBE (p.enabled, odd_text ());
  double *const numbers[] = {&p.def, &p.min, &p.max, &p.soft_min, &p.soft_max};
  for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
    MAYBE (*numbers[k], odd_double ());
  MAYBE (p.aliases, odd_text ());
  MAYBE (p.scale, odd_number ());
  MAYBE (p.choices, NULL);
  if (odd ())
    odd_bool (&p.advanced);
  if (odd ())
    odd_bool (&p.ordinal);
  if (odd ())
    odd_bool (&p.open);
  put (&d->params, i, d->op.param_size, &p, sizeof p);
}

static void
declare_arrays (DeclaredOp *d)
{
  static const char *const keys[] = {"i0", "i1", "i2", "i3", "i4"};
  guint n_inputs = 1 + next () % 3, n_outputs = d->op.kind == FV_TABLE ? 0 : 1 + next () % 2, n_scalars = next () % 3;
  for (guint i = 0; i < n_inputs; i++) {
    fv_input input = {odd () ? odd_text () : keys[i], odd () ? odd_text () : "I", odd () ? odd_text () : NULL,
                      odd () ? odd_number () : FV_ANY_TYPE, false};
    if (i)
      odd_bool (&input.optional);
    put (&d->inputs, i, d->op.input_size, &input, sizeof input);
  }
  for (guint i = 0; i < n_outputs; i++) {
    fv_output output = {odd () ? odd_text () : keys[i], odd () ? odd_text () : NULL};
    put (&d->outputs, i, d->op.output_size, &output, sizeof output);
  }
  for (guint i = 0; i < n_scalars; i++) {
    fv_scalar scalar = {odd () ? odd_text () : keys[i], odd () ? odd_text () : "S", odd () ? odd_text () : NULL,
                        odd () ? odd_number () : FV_COLUMN_FLOAT};
    put (&d->scalars, i, d->op.scalar_size, &scalar, sizeof scalar);
  }
}

static void
declare_names (DeclaredOp *d)
{
  d->words[0] = (fv_imagej_word){odd_text (), odd_text ()};
  d->imagej[0] = (fv_imagej){.command = odd_text (), .args = odd_text (), .needs = odd_text (), .words = d->words};
  MAYBE (d->imagej[0].images, odd_number ());
  MAYBE (d->imagej[0].area, odd_number ());
  d->columns[0] = (fv_column_name){odd_text (), odd_text ()};
  MAYBE (d->op.imagej, d->imagej);
  MAYBE (d->op.columns, d->columns);
}

static void
declare_op (DeclaredOp *d, const char *key)
{
  guint32 offset = 0;
  guint n = next () % 8;
  memset (d, 0, sizeof *d);
  d->op = (fv_op){.size = sizeof d->op,
                  .param_size = sizeof (fv_param),
                  .choice_size = sizeof (fv_choice),
                  .input_size = sizeof (fv_input),
                  .output_size = sizeof (fv_output),
                  .scalar_size = sizeof (fv_scalar),
                  .imagej_size = sizeof (fv_imagej),
                  .key = key,
                  .label = "L",
                  .help = "H.",
                  .kind = FV_POINT + next () % 4,
                  .grain = grain,
                  .halo = halo,
                  .infer = infer,
                  .scratch = scratch,
                  .run = {[FV_CPU] = run}};
  guint32 *const sizes[] = {&d->op.size,        &d->op.param_size,  &d->op.choice_size, &d->op.input_size,
                            &d->op.output_size, &d->op.scalar_size, &d->op.imagej_size};
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    MAYBE (*sizes[i], odd_number ());
  for (guint i = 0; i < n; i++)
    declare_param (d, i, &offset);
  d->op.args_size = odd () ? odd_number () : offset;
  declare_arrays (d);
  declare_names (d);
  d->op.params = (const fv_param *) d->params.bytes;
  d->op.inputs = (const fv_input *) d->inputs.bytes;
  d->op.outputs = (const fv_output *) d->outputs.bytes;
  d->op.scalars = (const fv_scalar *) d->scalars.bytes;
  MAYBE (d->op.key, odd_text ());
  MAYBE (d->op.aliases, odd_text ());
  MAYBE (d->op.menu, odd_text ());
  MAYBE (d->op.label, odd_text ());
  MAYBE (d->op.help, odd_text ());
  MAYBE (d->op.cite, odd_text ());
  MAYBE (d->op.search, odd_text ());
  MAYBE (d->op.kind, odd_number ());
  MAYBE (d->op.traits, odd_number ());
  MAYBE (d->op.run[FV_CPU], NULL);
  if (odd ())
    odd_bool (&d->op.reads_back);
}

/* ---- What is accepted ---- */

static void
use_params (const Op *op, gpointer args)
{
  for (guint i = 0; i < op->n_params; i++) {
    const fv_param *p = &op->fv.params[i];
    const char *text = odd_text ();
    g_autofree char *value = text ? g_utf8_make_valid (text, (gssize) strnlen (text, 200)) : g_strdup ("");
    g_autoptr (GError) error = NULL;
    if (!args_set (op, args, p->key, value, &error) && !error)
      g_error ("no argument and no error");
    g_autofree char *once = args_get (args, p), *twice = NULL;
    if (!args_set (op, args, p->key, once, NULL))
      g_error ("'%s' is not read back", once);
    twice = args_get (args, p);
    if (strcmp (once, twice))
      g_error ("'%s' is read back as '%s'", once, twice);
    args_enabled (op, args, p);
  }
}

static void
explain (const Op *op)
{
  g_autofree char *page = reference_markup (op), *title = op_title (op);
  if (!g_utf8_validate (page, -1, NULL) || !g_utf8_validate (title, -1, NULL))
    g_error ("an explanation is not text");
}

static Image *
make_image (void)
{
  const ImageInfo info = {.type = FV_U8,
                          .frames = 1 + next () % 2,
                          .channels = 1 + next () % 3,
                          .depth = 1 + next () % 2,
                          .rows = 3,
                          .columns = 5,
                          .spacing = {1, 1, 1},
                          .name = (char *) "image"};
  return image_new (&info, NULL);
}

static void
run_op (Modules *modules, const Op *op, gconstpointer args)
{
  g_autoptr (Image) image = make_image ();
  Image *inputs[OP_MAX_ARRAYS] = {image, image, image};
  ImageInfo infos[OP_MAX_ARRAYS] = {{0}};
  CallResult result;
  g_autoptr (GError) error = NULL, fault = NULL;
  answers = at;
  gboolean small = call_infer (op, args, inputs, infos, &error);
  if (!small && !error)
    g_error ("nothing inferred and no error");
  for (guint i = 0; small && i < op->n_outputs; i++)
    small = image_info_planes (&infos[i]) <= MAX_PIXELS
            && image_info_planes (&infos[i]) * (gint64) image_info_plane_bytes (&infos[i]) <= MAX_PIXELS;
  for (guint i = 0; !error && i < op->n_outputs; i++)
    image_info_clear (&infos[i]);
  if (!small)
    return;
  if (call_op (op, args, inputs, modules_device (modules, "cpu", NULL), NULL, &result, &fault))
    call_result_clear (&result);
  else if (!fault)
    g_error ("neither done nor an error");
}

static void
use (Modules *modules, const Op *op)
{
  g_autofree gpointer args = args_new (op, NULL);
  use_params (op, args);
  g_autofree char *text = args_format (op, args, NULL), *step = g_strdup_printf ("%s %s", op->fv.key, text);
  g_autoptr (Recipe) recipe = recipe_parse (modules, step, NULL);
  if (!recipe || !args_equal (op, args, recipe_step (recipe, 0)->args))
    g_error ("'%s' is not read back", step);
  explain (op);
  run_op (modules, op, args);
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, gsize size)
{
  static const char *const keys[] = {"first", "second"};
  static Modules *shipped;
  static const fv_op *ops[3];
  static const fv_device *const devices[] = {&device, NULL};
  g_autoptr (Modules) modules = modules_new_empty ();
  g_autoptr (GError) error = NULL;
  guint n = size ? 1 + bytes[0] % 2 : 0;
  if (!shipped)
    shipped = modules_new_shipped ();
  at = bytes, end = bytes + size;
  memset (pool, 'a', sizeof pool);
  memcpy (pool, bytes, MIN (size, 300));
  next ();
  memset (ops, 0, sizeof ops);
  for (guint i = 0; i < n; i++) {
    declare_op (&declared[i], keys[i]);
    ops[i] = &declared[i].op;
  }
  device = *modules_device (shipped, "cpu", NULL)->fv;
  MAYBE (device.size, odd_number ());
  MAYBE (device.key, odd_text ());
  MAYBE (device.name, odd_text ());
  MAYBE (device.kind, odd_number ());
  MAYBE (device.copy, NULL);
  plugin =
    (fv_plugin){.size = sizeof plugin, .abi = FV_ABI, .name = "p", .version = "1", .ops = ops, .devices = devices};
  MAYBE (plugin.size, odd_number ());
  MAYBE (plugin.abi, FV_ABI + 1);
  MAYBE (plugin.name, odd_text ());
  MAYBE (plugin.version, odd_text ());
  MAYBE (plugin.ops, NULL);
  if (!modules_add (modules, &plugin, &error)) {
    if (!error || !g_utf8_validate (error->message, -1, NULL))
      g_error ("refused without a reason");
    return 0;
  }
  for (guint i = 0; i < modules_ops (modules)->len && !strcmp (device.key, "cpu"); i++)
    use (modules, modules_ops (modules)->pdata[i]);
  return 0;
}
