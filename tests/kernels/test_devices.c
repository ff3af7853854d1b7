/* SPDX-License-Identifier: MIT
 *
 * Every operation on every other device, and with any number of threads, gives what the CPU gives: images, tables, scalars and errors. The CPU posing
 * as a GPU is always one of them, so that a missing copy shows on any machine. Alone it needs only some sizes, and one type with each value. `brief`
 * is for tools that slow everything down.
 */
#include "core/data/pixel_type.h"
#include "core/ops/args.h"
#include "core/call/op.h"
#include "core/base/error.h"
#include "core/base/parallel.h"
#include "tests/support/op_inputs.h"
#include "tests/posing/posing_device.h"
#include "tests/support/raw_call.h"
#include "tests/support/same.h"
#include "tests/support/support.h"

#include <string.h>

static const Size few[] = {{1, 1, 1, 1}, {1, 1, 1, 37}, {1, 1, 41, 1}, {1, 1, 31, 67}, {1, 3, 13, 17}},
                  many[] = {{1, 1, 1, 4099}, {1, 1, 2053, 1},  {1, 2, 64, 64},  {1, 1, 127, 129}, {1, 4, 33, 31},
                            {2, 3, 16, 65},  {3, 1, 47, 53},   {1, 1, 256, 32}, {1, 1, 257, 509}, {1, 65, 3, 5},
                            {2, 2, 64, 128}, {1, 1, 128, 255}, {1, 1, 2, 2}};

/* ---- Devices ---- */

/* All but the CPU. */
static GPtrArray *
other_devices (void)
{
  static GPtrArray *others;
  const GPtrArray *devices = modules_find_devices (test_modules ());
  if (others)
    return others;
  others = g_ptr_array_new ();
  for (guint i = 0; i < devices->len; i++) {
    Device *device = devices->pdata[i];
    if (device->fv->kind != FV_CPU && !device->fv->fault && device_ready (device, device->fv->key, NULL))
      g_ptr_array_add (others, device);
  }
  Device *posing = device_new (&posing_device);
  g_assert_true (device_ready (posing, posing->fv->key, NULL));
  g_ptr_array_add (others, posing);
  return others;
}

static gboolean
has_gpu (void)
{
  return other_devices ()->len > 1;
}

/* The operation as it runs on the device; FALSE: it does not. */
static gboolean
op_on (const Op *op, const Device *device, Op *there)
{
  *there = *op;
  if (device->fv == &posing_device)
    there->fv.run[POSING] = posing_run;
  return there->fv.run[device->fv->kind] != NULL;
}

/* ---- Comparing ---- */

/* Where it happened, for messages. */
typedef struct {
  const Op *op;
  const char *device, *arguments;
  fv_type type;
  Size size;
} Case;

#define DIFFER(CASE, FORMAT, ...)                                                                                      \
  g_error ("%s %s on %s, %s, %d x %d x %d x %d: " FORMAT, (CASE)->op->fv.key, (CASE)->arguments, (CASE)->device,       \
           pixel_type ((CASE)->type)->name, (int) (CASE)->size.channels, (int) (CASE)->size.depth,                     \
           (int) (CASE)->size.rows, (int) (CASE)->size.columns, __VA_ARGS__)

/* Fails when there is a difference in words, which it frees. */
static void
assert_same (const Case *c, char *difference)
{
  if (difference)
    DIFFER (c, "%s", difference);
}

/* What the operation refuses it refuses alike. */
static void
compare_errors (const Case *c, const GError *a, const GError *b)
{
  if (!a != !b || (a && (a->code != b->code || strcmp (step_error_field (a), step_error_field (b)))))
    DIFFER (c, "'%s' and '%s'", a ? a->message : "done", b ? b->message : "done");
}

/* ---- Running ---- */

static void
compare_calls (const Case *c, gconstpointer args, Image **inputs, Device *device)
{
  Device *cpu = modules_device (test_modules (), "cpu", NULL);
  g_autoptr (GError) here = NULL, there = NULL;
  CallResult a = {0}, b = {0};
  guint64 uploaded = device->uploaded;
  Op posed;
  if (!op_on (c->op, device, &posed) || op_output_is_huge (c->op, args, inputs) || op_is_long (c->op, args, inputs))
    return;
  call_with_tables (c->op, args, inputs, cpu, NULL, &a, &here);
  if (here && here->code == FV_BAD_INPUT && device->fv == &posing_device)
    return; /* operations that find the labels of images do not exist for that device */
  call_with_tables (&posed, args, inputs, device, NULL, &b, &there);
  compare_errors (c, here, there);
  if (!there && device->uploaded - uploaded != b.uploaded)
    DIFFER (c, "%" G_GUINT64_FORMAT " bytes were uploaded, %" G_GUINT64_FORMAT " were said",
            device->uploaded - uploaded, b.uploaded);
  for (guint i = 0; i < a.n_images; i++)
    assert_same (c, same_images (a.images[i], b.images[i], a.tolerance));
  assert_same (c, same_tables (a.table, b.table, a.tolerance));
  assert_same (c, same_scalars (c->op, (guint) a.scalar_rows, a.scalars, b.scalars, a.tolerance));
  call_result_clear (&a);
  call_result_clear (&b);
}

/* The CPU with one thread, and with others. */
static void
compare_threads (const Case *c, gconstpointer args, Image **inputs, Device *cpu)
{
  static const guint threads[] = {1, 2, 3, 7};
  CallResult first = {0};
  g_autoptr (GError) fault = NULL;
  if (!c->op->fv.run[FV_CPU] || op_output_is_huge (c->op, args, inputs) || op_is_long (c->op, args, inputs))
    return;
  for (guint t = 0; t < G_N_ELEMENTS (threads); t++) {
    g_autofree char *name = g_strdup_printf ("%u threads", threads[t]);
    const Case here = {c->op, name, c->arguments, c->type, c->size};
    const guint before = parallel_limit_operations (threads[t]);
    g_autoptr (GError) error = NULL;
    CallResult now = {0}, *result = t ? &now : &first;
    call_with_tables (c->op, args, inputs, cpu, NULL, result, t ? &error : &fault);
    parallel_limit_operations (before);
    compare_errors (&here, fault, t ? error : fault);
    for (guint i = 0; i < now.n_images; i++)
      assert_same (&here, same_images (first.images[i], now.images[i], 0));
    assert_same (&here, t ? same_tables (first.table, now.table, 0) : NULL);
    assert_same (&here, same_scalars (c->op, (guint) now.scalar_rows, first.scalars, now.scalars, 0));
    call_result_clear (&now);
  }
  call_result_clear (&first);
}

static Image *
image_of_output (const RawResult *r, guint i)
{
  const fv_grid *g = &r->grids[i];
  ImageInfo info = {.type = g->type,
                    .role = g->role,
                    .frames = 1,
                    .channels = 1,
                    .depth = g->shape[0],
                    .rows = g->shape[1],
                    .columns = g->shape[2],
                    .spacing = {1, 1, 1},
                    .name = (char *) "output"};
  Image *image = image_new (&info, NULL);
  memcpy (image_pixels (image), r->outputs[i], r->sizes[i]);
  return image;
}

/* The same with padded rows, through the ABI alone. */
static void
compare_padded (const Case *c, gconstpointer args, Image **inputs, Device *device)
{
  const double tolerance = same_tolerance (c->op, args, inputs);
  RawResult a, b;
  Op posed;
  if (!op_on (c->op, device, &posed) || op_output_is_huge (c->op, args, inputs))
    return;
  raw_call (c->op, args, inputs, NULL, 0, &a);
  raw_call (&posed, args, inputs, device, 0, &b);
  if (a.status != b.status || strcmp (a.error.field, b.error.field))
    DIFFER (c, "'%s' and '%s'", a.error.text, b.error.text);
  for (guint i = 0; i < a.n_outputs && a.status == FV_OK; i++) {
    g_autoptr (Image) here = image_of_output (&a, i), there = image_of_output (&b, i);
    assert_same (c, same_images (here, there, tolerance));
  }
  if (a.status == FV_OK && c->op->n_scalars)
    assert_same (c, same_scalars (c->op, a.n_scalars / c->op->n_scalars, a.scalars, b.scalars, tolerance));
  raw_result_clear (&a);
  raw_result_clear (&b);
}

/* Fewer values: some methods go over the histogram thousands of times. */
static void
narrow (Image *image)
{
  gint64 n = image_info_planes (image_info (image)) * image_info (image)->rows * image_info (image)->columns;
  for (gint64 i = 0; i < n; i++)
    if (image_info (image)->type == FV_U16)
      ((guint16 *) image_pixels (image))[i] %= 1000;
    else if (image_info (image)->type == FV_I32)
      ((gint32 *) image_pixels (image))[i] %= 1000;
}

/* What an image of integers holds: values at both ends of its type, all its largest, or all its least. */
typedef enum { ENDS, LARGEST, SMALLEST, FILLINGS } Filling;

static void
fill (Image *image, Filling filling)
{
  static const gint32 ends[3][8] = {{0, 1, 254, 255, 0, 255, 128, 127},
                                    {0, 1, 65534, 65535, 0, 65535, 32768, 32767},
                                    {G_MININT32, G_MININT32 + 1, -1, 0, 1, G_MAXINT32 - 1, G_MAXINT32, G_MAXINT32}};
  const fv_type type = image_info (image)->type;
  const gint32 *values = ends[type == FV_U8 ? 0 : type == FV_U16 ? 1 : 2];
  const gint32 largest = type == FV_U8 ? G_MAXUINT8 : type == FV_U16 ? G_MAXUINT16 : G_MAXINT32;
  const gint64 n = image_info_planes (image_info (image)) * image_info (image)->rows * image_info (image)->columns;
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  for (gint64 i = 0; i < n; i++) {
    const gint32 v = filling == ENDS ? values[g_rand_int_range (rand, 0, 8)] : filling == LARGEST ? largest : values[0];
    if (type == FV_U8)
      ((guint8 *) image_pixels (image))[i] = (guint8) v;
    else if (type == FV_U16)
      ((guint16 *) image_pixels (image))[i] = (guint16) v;
    else if (type == FV_I32)
      ((gint32 *) image_pixels (image))[i] = image_info (image)->role == FV_LABELS ? MAX (v, 0) : v;
  }
}

typedef void Compare (const Case *c, gconstpointer args, Image **inputs, Device *device);

/* With these arguments; set: what was set of them, "key=value ...", to be said when they differ. */
static void
on_all_devices (Compare *compare, const Op *op, gconstpointer args, const char *set, fv_type type, Size size)
{
  const GPtrArray *devices = other_devices ();
  for (guint d = 0; d < devices->len; d++) {
    Device *device = devices->pdata[d];
    Case c = {op, device->fv->key, set, type, size};
    Image *inputs[OP_INPUTS] = {NULL};
    op_inputs_make (op, type, size, 99, inputs);
    if (*set)
      narrow (inputs[0]);
    compare (&c, args, inputs, device);
    op_inputs_free (op, inputs);
  }
}

static void
on_sizes (Compare *compare, const Op *op, const Size *sizes, guint n)
{
  g_autofree gpointer args = args_new (op, NULL);
  for (guint type = FV_U8; type <= FV_F64; type <<= 1)
    for (guint s = 0; s < n && op->fv.inputs[0].types & type; s++)
      on_all_devices (compare, op, args, "", type, sizes[s]);
}

/* ---- Tests ---- */

static void
test_brief (gconstpointer op)
{
  on_sizes (compare_calls, op, few, G_N_ELEMENTS (few));
}

static void
test_sizes (gconstpointer op)
{
  on_sizes (compare_calls, op, many, G_N_ELEMENTS (many));
}

static void
test_threads (gconstpointer data)
{
  static const Size size = {1, 2, 257, 255};
  const Op *op = data;
  g_autofree gpointer args = args_new (op, NULL);
  for (guint type = FV_U8; type <= FV_F64; type <<= 1) {
    const Case c = {op, "cpu", "", type, size};
    Image *inputs[OP_INPUTS] = {NULL};
    if (!(op->fv.inputs[0].types & type))
      continue;
    op_inputs_make (op, type, size, 99, inputs);
    compare_threads (&c, args, inputs, modules_device (test_modules (), "cpu", NULL));
    op_inputs_free (op, inputs);
  }
}

static void
test_padded (gconstpointer op)
{
  on_sizes (compare_padded, op, few, G_N_ELEMENTS (few));
}

static void
try_value (const Op *op, const char *volume, const char *key, const char *value)
{
  static const Size sizes[] = {{1, 1, 31, 67}, {2, 3, 13, 17}};
  g_autofree gpointer args = args_new (op, NULL);
  g_autofree char *set = g_strdup_printf ("%s=%s%s%s", key, value, volume ? " volume=" : "", volume ? volume : "");
  if (volume)
    args_set (op, args, "volume", volume, NULL);
  if (!args_set (op, args, key, value, NULL))
    return;
  for (guint type = FV_U8, n = 0; type <= FV_F64 && (n == 0 || has_gpu ()); type <<= 1)
    for (guint s = 0; s < G_N_ELEMENTS (sizes) && op->fv.inputs[0].types & type; s++, n++)
      on_all_devices (compare_calls, op, args, set, type, sizes[s]);
}

/* Every choice, both of every yes and no, the ends of every range. */
static void
try_values (const Op *op, const char *volume, const fv_param *p)
{
  const double ends[] = {p->min, p->max, p->soft_min, p->soft_max};
  for (const fv_choice *choice = p->choices; choice && choice->key; choice++)
    try_value (op, volume, p->key, choice->key);
  if (p->type == FV_BOOL) {
    try_value (op, volume, p->key, "yes");
    try_value (op, volume, p->key, "no");
  }
  for (guint k = 0; k < G_N_ELEMENTS (ends) && !p->choices && p->type != FV_BOOL; k++) {
    g_autofree char *text = g_strdup_printf ("%.17g", ends[k]);
    try_value (op, volume, p->key, text);
  }
}

static void
test_arguments (gconstpointer data)
{
  const Op *op = data;
  for (guint i = 0; i < op->n_params; i++) {
    if (!args_param (op, "volume")) {
      try_values (op, NULL, &op->fv.params[i]);
      continue;
    }
    try_values (op, "no", &op->fv.params[i]);
    try_values (op, "yes", &op->fv.params[i]);
  }
}

static void
try_limits (const Op *op, const char *key, const char *value)
{
  static const Size size = {1, 2, 13, 17};
  const GPtrArray *devices = other_devices ();
  g_autofree gpointer args = args_new (op, NULL);
  if (key && !args_set (op, args, key, value, NULL))
    return;
  for (guint type = FV_U8; type <= FV_I32; type <<= 1)
    for (Filling filling = 0; filling < FILLINGS && op->fv.inputs[0].types & type; filling++)
      for (guint d = 0; d < devices->len; d++) {
        Device *device = devices->pdata[d];
        g_autofree char *set = g_strdup_printf ("%s=%s, filling %u", key ? key : "", key ? value : "", filling);
        const Case c = {op, device->fv->key, set, type, size};
        Image *inputs[OP_INPUTS] = {NULL};
        op_inputs_make (op, type, size, 99, inputs);
        for (guint i = 0; i < op->n_inputs; i++)
          if (inputs[i])
            fill (inputs[i], filling);
        compare_calls (&c, args, inputs, device);
        op_inputs_free (op, inputs);
      }
}

/* Images of the least and the largest values of a type: nothing overflows, on any device; where there is a GPU with every choice, too. */
static void
test_limits (gconstpointer data)
{
  const Op *op = data;
  try_limits (op, NULL, NULL);
  for (guint i = 0; i < op->n_params && has_gpu (); i++) {
    const fv_param *p = &op->fv.params[i];
    for (const fv_choice *choice = p->choices; choice && choice->key; choice++)
      try_limits (op, p->key, choice->key);
    if (p->type == FV_BOOL)
      try_limits (op, p->key, p->def ? "no" : "yes");
  }
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *name;
    void (*test) (gconstpointer op);
  } tests[] = {{"brief", test_brief},         {"sizes", test_sizes},     {"padded", test_padded},
               {"arguments", test_arguments}, {"threads", test_threads}, {"limits", test_limits}};
  const GPtrArray *ops = modules_ops (test_modules ());
  init_tests (&argc, &argv);
  g_assert_cmpuint (ops->len, >, 0);
  for (guint i = 0; i < ops->len; i++)
    for (guint t = 0; t < G_N_ELEMENTS (tests); t++) {
      if (tests[t].test == test_sizes && !has_gpu ())
        continue;
      g_autofree char *path = g_strdup_printf ("/devices/%s/%s", ((const Op *) ops->pdata[i])->fv.key, tests[t].name);
      g_test_add_data_func (path, ops->pdata[i], tests[t].test);
    }
  return g_test_run ();
}
