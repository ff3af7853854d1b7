/* SPDX-License-Identifier: MIT
 *
 * Two operations with the same functions, which tell them apart by what they are called for. One that leaves cells of its table
 * out. How much of an image one is called for at a time.
 */
#include "core/call/grid.h"
#include "core/call/parts.h"
#include "tests/support/support.h"

#include <math.h>

static const fv_op ops[3];

/* user: how much wider the image becomes, and what it is filled with. */
static int
amount (const fv_op *op)
{
  g_assert_true (op == &ops[0] || op == &ops[1]);
  return (int) GPOINTER_TO_INT (op->user);
}

static fv_status
infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) args, (void) in, (void) error;
  out[0]->shape[2] += amount (op);
  return FV_OK;
}

static fv_grain
grain (const fv_op *op, const void *args)
{
  (void) args;
  return amount (op) == 1 ? FV_PLANES : FV_STACK;
}

static gint64
scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) args, (void) in;
  return amount (op);
}

static fv_status
run (const fv_call *call, fv_error *error)
{
  const DLTensor *from = &call->inputs[0]->tensor, *to = &call->outputs[0]->tensor;
  void *memory = NULL;
  g_assert_cmpint (call->host->scratch (call, 1, &memory, error), ==, FV_OK);
  /* as promised of scratch and of whole images */
  g_assert_cmpuint ((guintptr) memory % 64 | (guintptr) from->data % 64 | (guintptr) to->data % 64, ==, 0);
  for (gint64 i = 0; i < to->shape[0] * to->shape[1] * to->shape[2]; i++)
    ((guint8 *) to->data)[i] = (guint8) amount (call->op);
  return FV_OK;
}

enum { SPARSE_ROWS = 1000, WRITTEN = 7 };

/* A table of two columns, of which it writes one cell each in one row. */
static fv_status
run_sparse (const fv_call *call, fv_error *error)
{
  static const fv_column columns[] = {{"one", NULL, NULL, FV_COLUMN_FLOAT}, {"other", NULL, NULL, FV_COLUMN_FLOAT}};
  double *cells;
  fv_status status =
    call->host->table (call, columns, G_N_ELEMENTS (columns), sizeof *columns, SPARSE_ROWS, &cells, error);
  if (!status)
    cells[WRITTEN] = cells[SPARSE_ROWS + WRITTEN] = 1;
  return status;
}

static const fv_input images[] = {{"image", "Image", NULL, FV_U8, false}, {0}};
static const fv_output outputs[] = {{"image", "Image"}, {0}};

#define TEST_OP(KEY)                                                                                                   \
  .size = sizeof (fv_op), .param_size = sizeof (fv_param), .choice_size = sizeof (fv_choice),                          \
  .input_size = sizeof (fv_input), .output_size = sizeof (fv_output), .scalar_size = sizeof (fv_scalar), .key = KEY,   \
  .inputs = images
#define WIDEN(KEY, BY)                                                                                                 \
  TEST_OP (KEY), .label = "Widen", .help = "Makes wider.", .user = GINT_TO_POINTER (BY), .kind = FV_GLOBAL,            \
                 .outputs = outputs, .grain = grain, .infer = infer, .scratch = scratch, .run = {[FV_CPU] = run}

static const fv_op ops[3] = {{WIDEN ("wider_by_one", 1)},
                             {WIDEN ("wider_by_seven", 7)},
                             {TEST_OP ("sparse"), .label = "Sparse", .help = "Leaves cells out.", .kind = FV_TABLE,
                              .outputs = outputs + 1, .run = {[FV_CPU] = run_sparse}}};
static const fv_op *const list[] = {&ops[0], &ops[1], &ops[2], NULL};
static const fv_plugin plugin = {
  .size = sizeof (fv_plugin), .abi = FV_ABI, .name = "widen", .version = "1.0", .ops = list};

static void
test_known (void)
{
  const ImageInfo info = {.type = FV_U8,
                          .frames = 1,
                          .channels = 1,
                          .depth = 2,
                          .rows = 3,
                          .columns = 4,
                          .spacing = {1, 1, 1},
                          .name = (char *) "image"};
  g_autoptr (Modules) modules = modules_new_shipped ();
  g_autoptr (Image) image = image_new (&info, NULL);
  g_assert_true (modules_add (modules, &plugin, NULL));
  for (guint i = 0; i < 2; i++) {
    const Op *op = modules_op (modules, ops[i].key, NULL);
    CallResult result;
    g_assert_true (call_op (op, "", &image, modules_device (modules, "cpu", NULL), NULL, &result, NULL));
    g_assert_cmpint (image_info (result.images[0])->columns, ==, 4 + amount (&ops[i]));
    g_assert_cmpint (*(guint8 *) image_pixels (result.images[0]), ==, amount (&ops[i]));
    call_result_clear (&result);
  }
}

/* Cells that an operation leaves out are missing values, never what was in that memory. */
static void
test_cells_left_out (void)
{
  g_autoptr (Modules) modules = modules_new_shipped ();
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 1, 1, 3, 4, 1);
  CallResult result;
  g_assert_true (modules_add (modules, &plugin, NULL));
  g_assert_true (call_op (modules_op (modules, "sparse", NULL), "", &image, modules_device (modules, "cpu", NULL), NULL,
                          &result, NULL));
  for (guint j = 0; j < 2; j++) {
    const TableColumn *column = table_column (result.table, j);
    g_assert_cmpint (column->rows, ==, SPARSE_ROWS);
    for (gint64 row = 0; row < SPARSE_ROWS; row++)
      g_assert_true (row == WRITTEN ? column->values[row] == 1 : isnan (column->values[row]));
  }
  call_result_clear (&result);
}

/* The header stays the same, to the byte, where pixels stay where they are and values what they are. */
static void
test_header (void)
{
  static const char gpu[] = "CRPIX1  =                  1.0                                                  ";
  g_autoptr (Image) plain = image_random (FV_U8, FV_IMAGE, 1, 1, 6, 8, 1), source = NULL;
  static const char *const steps[] = {"gaussian sigma=1", "calibrate width=2 height=2 depth=2 unit=mm"};
  ImageInfo info = *image_info (plain);
  info.fits_header = g_ref_string_new (gpu);
  source = image_with_info (plain, &info);
  g_ref_string_release (info.fits_header);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    CallResult result;
    g_assert_true (run_step (steps[i], source, NULL, modules_device (test_modules (), "cpu", NULL), &result, NULL));
    g_assert_cmpstr (image_info (result.images[0])->fits_header, ==, gpu);
    call_result_clear (&result);
  }
}

/* A row of 200 pixels that come and 200 that go takes 400 bytes. */
static void
test_rows_of_parts (void)
{
  static const struct {
    gsize bytes;
    gint64 rows;
  } parts[] = {{399, 0}, {400, 1}, {4100, 10}, {40000, 100}, {1 << 30, 100}};
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 1, 1, 100, 200, 1);
  g_autoptr (Recipe) recipe = recipe_parse (test_modules (), "interpret role=mask", NULL);
  const Step *step = recipe_step (recipe, 0);
  fv_grid in[OP_MAX_ARRAYS], out[OP_MAX_ARRAYS];
  g_assert_true (call_grids (step->op, step->args, &image, in, out, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    g_assert_cmpint (call_parts_rows (step->op, step->args, &image, in, out, parts[i].bytes), ==, parts[i].rows);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/call-op/known", test_known);
  g_test_add_func ("/call-op/cells-left-out", test_cells_left_out);
  g_test_add_func ("/call-op/header", test_header);
  g_test_add_func ("/call-op/rows-of-parts", test_rows_of_parts);
  return g_test_run ();
}
