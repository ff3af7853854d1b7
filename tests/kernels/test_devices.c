/* SPDX-License-Identifier: MIT
 *
 * Every operation on every other device gives what the CPU gives: images, tables, scalars and errors. The CPU posing as a card is
 * always one of them, so that a copy that is missing shows on any machine; alone it needs no more than some sizes, and one type with each
 * value. `brief` is for tools that slow everything down.
 */
#include "core/data/pixel_type.h"
#include "core/ops/args.h"
#include "core/run/call_op.h"
#include "core/base/error.h"
#include "tests/support/op_inputs.h"
#include "tests/posing/posing_device.h"
#include "tests/support/raw_call.h"
#include "tests/support/support.h"
#include "core/data/table.h"

#include <float.h>
#include <math.h>
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
has_card (void)
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

static gboolean
is_close (double a, double b, double limit)
{
  return a == b || (isnan (a) && isnan (b)) || fabs (a - b) <= limit * MAX (1, fabs (a));
}

static gboolean
same_plane (Image *a, Image *b, gint64 plane)
{
  return !memcmp (image_plane (a, plane, NULL), image_plane (b, plane, NULL), image_info_plane_bytes (image_info (a)));
}

/* What is left of like numbers is their rounding: of two blurs of pixels of 16 bits, of derivatives of them, which are summed in double, and of
 * the colours of what is grey. */
static double
rounding_of (const Case *c, fv_type result)
{
  if (!strcmp (c->op->fv.key, "hessian") || !strcmp (c->op->fv.key, "log"))
    return 4 * 65536 * DBL_EPSILON;
  double epsilon = result == FV_F32 ? (double) FLT_EPSILON : result == FV_F64 ? DBL_EPSILON : 0;
  double numbers = !strcmp (c->op->fv.key, "dog") ? 65536 : !strcmp (c->op->fv.key, "rgb") ? 128 : 0;
  return 4 * numbers * epsilon;
}

/* Floats are close as a whole. Whole numbers are equal; intensities that were rounded may fall to the other side, now and then. */
static void
compare_pixels (const Case *c, const ImageInfo *info, Image *a, Image *b)
{
  /* Two hundred rounds of a deconvolution make their rounding ten times as large, and so do thirty thousand values of a variance. */
  double difference = 0, norm = 0,
         rounds = !strcmp (c->op->fv.key, "deconvolve") || !strcmp (c->op->fv.key, "variance") ? 10 : 1;
  double limit = rounds * (info->type == FV_F32 ? 1e-5 : 1e-12);
  gint64 off = 0, pixels = image_info_planes (info) * info->rows * info->columns;
  for (gint64 p = 0; p < image_info_planes (info); p++)
    for (gint64 y = 0; y < info->rows && !same_plane (a, b, p); y++)
      for (gint64 x = 0; x < info->columns; x++) {
        double v = image_value (a, p, y, x), w = image_value (b, p, y, x);
        if (v == w || (isnan (v) && isnan (w)) || fabs (v - w) <= rounding_of (c, info->type))
          continue;
        off++;
        if (!isfinite (v - w)
            || (!(info->type & FV_FLOATS) && (info->role == FV_MASK || info->role == FV_LABELS || fabs (v - w) > 1)))
          DIFFER (c, "plane %d, row %d, column %d: %.17g and %.17g", (int) p, (int) y, (int) x, v, w);
        difference += (v - w) * (v - w);
        norm += v * v;
      }
  if (info->type & FV_FLOATS ? sqrt (difference) > limit * sqrt (norm) : off > 1 + pixels / 100)
    DIFFER (c, "%d of %d pixels differ, by %g of %g", (int) off, (int) pixels, sqrt (difference), sqrt (norm));
}

static void
compare_images (const Case *c, Image *a, Image *b)
{
  const ImageInfo *i = image_info (a), *j = image_info (b);
  if (i->type != j->type || i->role != j->role || i->channels != j->channels || i->depth != j->depth
      || i->rows != j->rows || i->columns != j->columns)
    DIFFER (c, "%s", "images of another kind or size");
  compare_pixels (c, i, a, b);
}

static void
compare_tables (const Case *c, Table *a, Table *b)
{
  if (!a != !b || (a && (table_columns (a) != table_columns (b) || table_rows (a) != table_rows (b))))
    DIFFER (c, "%s", "tables of another size");
  for (guint j = 0; a && j < table_columns (a); j++) {
    const TableColumn *p = table_column (a, j), *q = table_column (b, j);
    if (strcmp (p->key, q->key) || strcmp (p->unit, q->unit) || p->type != q->type)
      DIFFER (c, "column %u is %s and %s", j, p->key, q->key);
    for (gint64 i = 0; i < table_rows (a); i++)
      if (!is_close (table_value (a, j, i), table_value (b, j, i), p->type == FV_COLUMN_INTEGER ? 0 : 1e-6))
        DIFFER (c, "%s of row %d: %.17g and %.17g", p->key, (int) i, table_value (a, j, i), table_value (b, j, i));
  }
}

static void
compare_scalars (const Case *c, guint n, const double *a, const double *b)
{
  for (guint i = 0; i < n; i++) {
    const fv_scalar *scalar = &c->op->fv.scalars[i % c->op->n_scalars];
    if (!is_close (a[i], b[i], scalar->type == FV_COLUMN_INTEGER ? 0 : 1e-6))
      DIFFER (c, "%s: %.17g and %.17g", scalar->key, a[i], b[i]);
  }
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
  call_with_tables (&posed, args, inputs, device, NULL, &b, &there);
  compare_errors (c, here, there);
  if (!there && device->uploaded - uploaded != b.uploaded)
    DIFFER (c, "%" G_GUINT64_FORMAT " bytes were uploaded, %" G_GUINT64_FORMAT " were said",
            device->uploaded - uploaded, b.uploaded);
  for (guint i = 0; i < a.n_images; i++)
    compare_images (c, a.images[i], b.images[i]);
  compare_tables (c, a.table, b.table);
  compare_scalars (c, (guint) a.scalar_rows * c->op->n_scalars, a.scalars, b.scalars);
  call_result_clear (&a);
  call_result_clear (&b);
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
    compare_images (c, here, there);
  }
  if (a.status == FV_OK)
    compare_scalars (c, a.n_scalars, a.scalars, b.scalars);
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
  for (guint type = FV_U8, n = 0; type <= FV_F64 && (n == 0 || has_card ()); type <<= 1)
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

int
main (int argc, char **argv)
{
  static const struct {
    const char *name;
    void (*test) (gconstpointer op);
  } tests[] = {{"brief", test_brief}, {"sizes", test_sizes}, {"padded", test_padded}, {"arguments", test_arguments}};
  const GPtrArray *ops = modules_ops (test_modules ());
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpuint (ops->len, >, 0);
  for (guint i = 0; i < ops->len; i++)
    for (guint t = 0; t < G_N_ELEMENTS (tests); t++) {
      if (tests[t].test == test_sizes && !has_card ())
        continue;
      g_autofree char *path = g_strdup_printf ("/devices/%s/%s", ((const Op *) ops->pdata[i])->fv.key, tests[t].name);
      g_test_add_data_func (path, ops->pdata[i], tests[t].test);
    }
  return g_test_run ();
}
