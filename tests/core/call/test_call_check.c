/* SPDX-License-Identifier: MIT
 *
 * Operations that answer nonsense while they run: each run ends with an error that says what it was, and nothing else happens.
 */
#include "core/ops/args.h"
#include "core/base/error.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

static char endless[1 << 20]; /* text without an end */

typedef fv_status (*Running) (const fv_call *call, fv_error *error);

/* What the operation does now. */
static void (*inferring) (fv_grid *out);
static Running running;
static int grain_now;

static fv_status
infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op, (void) args, (void) in, (void) error;
  if (inferring && out[0])
    inferring (out[0]);
  return FV_OK;
}

static fv_status
run (const fv_call *call, fv_error *error)
{
  return running ? running (call, error) : FV_OK;
}

static fv_grain
grain (const fv_op *op, const void *args)
{
  (void) op, (void) args;
  return (fv_grain) grain_now;
}

static const fv_input inputs[] = {{"image", "Image", NULL, FV_ANY_TYPE, false}, {0}};
static const fv_output outputs[] = {{"image", "Image"}, {0}};
static const fv_scalar scalars[] = {{"level", "Level", NULL, FV_COLUMN_FLOAT}, {0}};
/* Both but for what they make; without arguments. */
#define ODD_OP(KEY, KIND)                                                                                              \
  .size = sizeof (fv_op), .param_size = sizeof (fv_param), .choice_size = sizeof (fv_choice),                          \
  .input_size = sizeof (fv_input), .output_size = sizeof (fv_output), .scalar_size = sizeof (fv_scalar), .key = KEY,   \
  .label = "Odd", .help = "Odd.", .kind = KIND, .inputs = inputs, .grain = grain, .infer = infer,                      \
  .run = {[FV_CPU] = run}
static const fv_op image_op = {ODD_OP ("odd_image", FV_GLOBAL), .outputs = outputs, .scalars = scalars};
static const fv_op table_op = {ODD_OP ("odd_table", FV_TABLE)};
static const fv_op *const ops[] = {&image_op, &table_op, NULL};
static const fv_plugin plugin = {.size = sizeof (fv_plugin), .abi = FV_ABI, .name = "odd", .version = "1", .ops = ops};

/* An image of three channels, two slices and two frames. */
static gboolean
call (const char *key, CallResult *result, GError **error)
{
  static Modules *modules;
  const ImageInfo info = {.type = FV_U16,
                          .frames = 2,
                          .channels = 3,
                          .depth = 2,
                          .rows = 5,
                          .columns = 7,
                          .spacing = {1, 1, 1},
                          .name = (char *) "image"};
  Image *image = image_new (&info, NULL);
  if (!modules) {
    modules = modules_new_shipped ();
    g_assert_true (modules_add (modules, &plugin, NULL));
  }
  const Op *op = modules_op (modules, key, NULL);
  g_autofree gpointer args = args_new (op, NULL);
  gboolean done = call_op (op, args, &image, modules_device (modules, "cpu", NULL), NULL, result, error);
  image_unref (image);
  return done;
}

static void
check_fails (const char *key, fv_status code, const char *word)
{
  g_autoptr (GError) error = NULL;
  CallResult result;
  g_assert_false (call (key, &result, &error));
  g_test_message ("%s", error->message);
  g_assert_error (error, STEP_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, word));
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_assert_cmpuint (strlen (error->message), <, 2000);
}

/* When it runs so, and infers what it should. */
static void
check_run_fails (Running run_now, const char *key, fv_status code, const char *word)
{
  inferring = NULL;
  running = run_now;
  check_fails (key, code, word);
}

/* ---- Grids ---- */

static const char *const endless_names[] = {"a", "b", endless};
static const char *const ansi_names[] = {"a", "\033[2J", NULL};

#define GRIDS(GRID)                                                                                                    \
  GRID (size, FV_PLANES, *g = (fv_grid){.type = FV_U8}, "a different struct size, which it must not change")           \
  GRID (type, FV_PLANES, g->type = 77, "the unknown type 77")                                                          \
  GRID (no_type, FV_PLANES, g->type = 0, "the unknown type 0")                                                         \
  GRID (two_types, FV_PLANES, g->type = FV_U8 | FV_U16, "the unknown type 3")                                          \
  GRID (role, FV_PLANES, g->role = -1, "the unknown role -1")                                                          \
  GRID (mask, FV_PLANES, g->role = FV_MASK, "a type that does not go with its role")                                   \
  GRID (labels, FV_PLANES, (g->role = FV_LABELS, g->type = FV_F64), "a type that does not go with its role")           \
  GRID (dense, FV_PLANES, memset (&g->dense, 77, 1), "a 'dense' that is neither true nor false")                       \
  GRID (no_rows, FV_PLANES, g->shape[1] = 0, "an impossible size: 12 planes of 7 × 0 pixels")                          \
  GRID (negative, FV_STACK, g->shape[0] = -1, "an impossible size")                                                    \
  GRID (wraps, FV_FRAME, g->shape[0] = G_MAXINT64, "an impossible size")                                               \
  GRID (product, FV_STACK, g->shape[0] = g->shape[1] = g->shape[2] = G_GINT64_CONSTANT (1) << 40, "impossible size")   \
  GRID (planes, FV_PLANES, g->shape[0] = 2, "changes the number of planes")                                            \
  GRID (channels, FV_PLANES, g->channels = 3, "3 channels, which cannot be")                                           \
  GRID (no_channels, FV_FRAME, g->channels = 0, "0 channels, which cannot be")                                         \
  GRID (many_channels, FV_FRAME, g->channels = g->shape[0] = G_GINT64_CONSTANT (1) << 39, "channels, which cannot be") \
  GRID (odd_planes, FV_FRAME, g->shape[0] = 7, "no multiple of its 3 channels")                                        \
  GRID (frames, FV_FRAME, g->frames = 2, "2 frames, which cannot be")                                                  \
  GRID (no_frames, FV_SERIES, g->frames = 0, "0 frames, which cannot be")                                              \
  GRID (odd_frames, FV_SERIES, g->frames = 5, "no multiple of its 3 channels and 5 frames")                            \
  GRID (spacing, FV_PLANES, g->spacing[1] = NAN, "pixels of the size nan")                                             \
  GRID (no_spacing, FV_PLANES, g->spacing[2] = 0, "pixels of the size 0")                                              \
  GRID (unit, FV_PLANES, memset (g->unit, 'm', sizeof g->unit), "a unit that is not text or has no end")               \
  GRID (names, FV_FRAME, g->channel_names = endless_names, "a channel name")                                           \
  GRID (ansi, FV_FRAME, g->channel_names = ansi_names, "a channel name")                                               \
  GRID (grain, 99, (void) g, "has the unknown grain 99")

#define GRID_INFER(NAME, GRAIN, CHANGE, WORD)                                                                          \
  static void infer_##NAME (fv_grid *g)                                                                                \
  {                                                                                                                    \
    CHANGE;                                                                                                            \
  }
GRIDS (GRID_INFER)

#define GRID_CASE(NAME, GRAIN, CHANGE, WORD) {#NAME, GRAIN, infer_##NAME, WORD},
static const struct {
  const char *name;
  int grain;
  void (*infer) (fv_grid *);
  const char *word;
} grids[] = {GRIDS (GRID_CASE)};

static void
test_grid (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  inferring = grids[i].infer;
  grain_now = grids[i].grain;
  running = NULL;
  check_fails ("odd_image", !strcmp (grids[i].name, "product") ? FV_BAD_INPUT : FV_UNSUPPORTED, grids[i].word);
}

/* ---- Status, errors, scalars ---- */

static fv_status
run_status (const fv_call *c, fv_error *error)
{
  (void) c, (void) error;
  return (fv_status) 12345;
}

static fv_status
run_silent (const fv_call *c, fv_error *error)
{
  (void) c, (void) error;
  return FV_BAD_ARGUMENT;
}

static fv_status
run_stopped (const fv_call *c, fv_error *error)
{
  (void) c, (void) error;
  return FV_CANCELLED;
}

static fv_status
run_endless (const fv_call *c, fv_error *error)
{
  (void) c;
  memset (&error->code, '\033', sizeof *error - offsetof (fv_error, code));
  return FV_BAD_INPUT;
}

static fv_status
run_over_size (const fv_call *c, fv_error *error)
{
  (void) c;
  *error = (fv_error){.code = FV_BAD_INPUT};
  return FV_BAD_INPUT;
}

static fv_status
run_infinite (const fv_call *c, fv_error *error)
{
  (void) error;
  for (int i = 0; i < 12; i++)
    c->scalars[i] = i % 2 ? NAN : -INFINITY;
  c->host->log (c, endless);
  c->host->log (c, NULL);
  return c->host->tick (c, G_MAXINT64, 1) | c->host->tick (c, G_MININT64, G_MININT64)
             | c->host->tick (c, G_MAXINT64 - 1, G_MAXINT64)
           ? FV_CANCELLED
           : FV_OK;
}

static fv_status
run_reading (const fv_call *c, fv_error *error)
{
  char byte;
  return c->host->read (c, &byte, c->inputs[0]->tensor.data, 1, error);
}

static void
test_status (void)
{
  CallResult result;
  grain_now = FV_PLANES;
  check_run_fails (run_status, "odd_image", FV_UNSUPPORTED, "odd_image: It returned 12345, which is not a status.");
  check_run_fails (run_silent, "odd_image", FV_BAD_ARGUMENT, "odd_image: An argument is wrong.");
  check_run_fails (run_stopped, "odd_image", FV_UNSUPPORTED, "the status for a canceled run");
  check_run_fails (run_endless, "odd_image", FV_BAD_INPUT, "odd_image: An input is wrong.");
  check_run_fails (run_over_size, "odd_image", FV_UNSUPPORTED, "odd_image: It wrote over the size of its error.");
  check_run_fails (run_reading, "odd_image", FV_UNSUPPORTED, "reads back from the device but does not declare");
  running = run_infinite;
  g_assert_true (call ("odd_image", &result, NULL));
  g_assert_true (isinf (result.scalars[0]) && isnan (result.scalars[1]));
  call_result_clear (&result);
}

/* ---- An operation of two minds ---- */

static void
infer_by_turns (fv_grid *g)
{
  static guint times;
  g->type = times++ % 2 ? FV_F64 : FV_U8;
}

static guint8 bits_written;

static fv_status
run_writing (const fv_call *c, fv_error *error)
{
  const DLTensor *t = &c->outputs[0]->tensor;
  (void) error;
  bits_written = t->dtype.bits;
  memset (t->data, 1, (gsize) (t->shape[0] * t->shape[1] * t->shape[2]) * t->dtype.bits / 8);
  return FV_OK;
}

/* It is asked once: what it is given to write into is what is made. */
static void
test_by_turns (void)
{
  inferring = infer_by_turns;
  grain_now = FV_PLANES;
  running = run_writing;
  for (int i = 0; i < 3; i++) {
    CallResult result;
    g_assert_true (call ("odd_image", &result, NULL));
    g_assert_cmpint (image_info (result.images[0])->type, ==, bits_written == 8 ? FV_U8 : FV_F64);
    call_result_clear (&result);
  }
}

/* ---- Tables ---- */

static const fv_column good[] = {{"a", "m", NULL, FV_COLUMN_INTEGER}, {"b", NULL, "B.", FV_COLUMN_FLOAT}};

typedef struct {
  const char *name;
  int grain;
  fv_column columns[2];
  gint64 n, size, rows; /* n, size: 0 is the right one */
  const char *word;
} TableCase;

static const TableCase tables[] = {
  {"key-none", 0, {{NULL, NULL, NULL, 0}, {"b", 0, 0, 0}}, 0, 0, 3, "Column 1 of its table: it has no key"},
  {"key-endless", 0, {{"a", 0, 0, 0}, {endless, 0, 0, 0}}, 0, 0, 3, "Column 2 of its table: its key has no end"},
  {"key-twice", 0, {{"a", 0, 0, 0}, {"a", 0, 0, 0}}, 0, 0, 3, "the column 'a' twice"},
  {"key-of-the-host", 1, {{"a", 0, 0, 0}, {"frame", 0, 0, 0}}, 0, 0, 3, "the column 'frame' twice"},
  {"unit-endless", 0, {{"a", endless, 0, 0}, {"b", 0, 0, 0}}, 0, 0, 3, "its unit has no end"},
  {"help-ansi", 0, {{"a", 0, "\033[2J", 0}, {"b", 0, 0, 0}}, 0, 0, 3, "its help holds a control character"},
  {"type", 0, {{"a", 0, 0, 99}, {"b", 0, 0, 0}}, 0, 0, 3, "its type is unknown"},
  {"size-none", 0, {{"a", 0, 0, 0}, {"b", 0, 0, 0}}, 0, 1, 3, "a struct size of 1 bytes"},
  {"size-huge", 0, {{"a", 0, 0, 0}, {"b", 0, 0, 0}}, 0, 4000000000, 3, "a struct size of 4000000000 bytes"},
  {"columns-none", 0, {{"a", 0, 0, 0}, {"b", 0, 0, 0}}, -2, 0, 3, "invalid number of columns: 0"},
  {"columns-many", 0, {{"a", 0, 0, 0}, {"b", 0, 0, 0}}, 4294967290, 0, 3, "invalid number of columns"},
  {"rows-negative", 0, {{"a", 0, 0, 0}, {"b", 0, 0, 0}}, 0, 0, -1, "or a negative number"},
  {"rows-wrap", 0, {{"a", 0, 0, 0}, {"b", 0, 0, 0}}, 0, 0, G_GINT64_CONSTANT (1) << 61, "more than 2147483647 rows"},
};
static const TableCase *table_now;

static fv_status
run_table (const fv_call *c, fv_error *error)
{
  const TableCase *t = table_now;
  double *values;
  return c->host->table (c, t->columns, (guint32) (2 + t->n), t->size ? (guint32) t->size : sizeof (fv_column), t->rows,
                         &values, error);
}

static void
test_table (gconstpointer data)
{
  table_now = &tables[GPOINTER_TO_UINT (data)];
  grain_now = table_now->grain;
  check_run_fails (run_table, "odd_table", FV_UNSUPPORTED, table_now->word);
}

static fv_status
run_changing (const fv_call *c, fv_error *error)
{
  static guint times;
  const fv_column other[] = {good[0], {"c", NULL, NULL, FV_COLUMN_FLOAT}};
  double *values;
  return c->host->table (c, times++ % 2 ? other : good, 2, sizeof *good, 0, &values, error);
}

static fv_status
run_more_rows (const fv_call *c, fv_error *error)
{
  double *values;
  fv_status status = c->host->table (c, good, 2, sizeof *good, 10, &values, error);
  for (int i = 0; i < 22 && !status; i++)
    values[i] = i;
  return status;
}

static fv_status
run_too_many_in_all (const fv_call *c, fv_error *error)
{
  double *values;
  fv_status status = c->host->table (c, good, 2, sizeof *good, 5, &values, error);
  return status ? status : c->host->table (c, good, 2, sizeof *good, G_MAXINT32, &values, error);
}

static fv_status
run_good (const fv_call *c, fv_error *error)
{
  double *values;
  fv_status status = c->host->table (c, good, 2, sizeof *good, 3, &values, error);
  for (int i = 0; i < 6 && !status; i++)
    values[i] = i == 4 ? NAN : 1.5 * i;
  return status;
}

static const char *text_now;
static double number_now;

static fv_status
run_text (const fv_call *c, fv_error *error)
{
  static const fv_column columns[] = {{"a", NULL, NULL, FV_COLUMN_FLOAT}, {"t", NULL, NULL, FV_COLUMN_TEXT}};
  double *values;
  fv_status status = c->host->table (c, columns, 2, sizeof *columns, 1, &values, error);
  if (!status)
    status = c->host->text (c, text_now, &values[1], error);
  if (!status)
    values[0] = 0, values[1] += number_now;
  return status;
}

static void
test_texts (void)
{
  static const double numbers[] = {-1, 1, 0.5, 1e300, INFINITY};
  const struct {
    const char *text, *word;
  } cases[] = {{NULL, "it has no text"},
               {endless, "its text has no end"},
               {"\033[2J", "its text holds a control character"},
               {"\xff", "its text is not UTF-8"}};
  CallResult result;
  inferring = NULL;
  grain_now = FV_PLANES;
  running = run_text;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    text_now = cases[i].text;
    check_fails ("odd_table", FV_UNSUPPORTED, cases[i].word);
  }
  text_now = "text";
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    number_now = numbers[i];
    check_fails ("odd_table", FV_UNSUPPORTED, "a number in column 't' of its table that maps to no string");
  }
  check_fails ("odd_image", FV_UNSUPPORTED, "its kind does not say so");
  number_now = 0;
  g_assert_true (call ("odd_table", &result, NULL));
  call_result_clear (&result);
}

static void
test_rows (void)
{
  CallResult result;
  grain_now = FV_STACK;
  check_run_fails (run_changing, "odd_table", FV_UNSUPPORTED, "change from call to call");
  check_run_fails (run_more_rows, "odd_table", FV_UNSUPPORTED, "more rows into its table than it requested");
  check_run_fails (run_too_many_in_all, "odd_table", FV_UNSUPPORTED, "more than 2147483647 rows");
  running = run_good;
  g_assert_true (call ("odd_table", &result, NULL));
  g_assert_cmpint (table_rows (result.table), ==, 18);
  g_assert_cmpfloat (table_value (result.table, 0, 17), ==, 2); /* the second frame */
  g_assert_cmpfloat (table_value (result.table, 2, 2), ==, 7.5);
  g_assert_true (isnan (table_value (result.table, 2, 1)));
  call_result_clear (&result);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  memset (endless, 'a', sizeof endless);
  for (guint i = 0; i < G_N_ELEMENTS (grids); i++) {
    g_autofree char *path = g_strdup_printf ("/call-check/grid/%s", grids[i].name);
    g_test_add_data_func (path, GUINT_TO_POINTER (i), test_grid);
  }
  g_test_add_func ("/call-check/status", test_status);
  g_test_add_func ("/call-check/by-turns", test_by_turns);
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++) {
    g_autofree char *path = g_strdup_printf ("/call-check/table/%s", tables[i].name);
    g_test_add_data_func (path, GUINT_TO_POINTER (i), test_table);
  }
  g_test_add_func ("/call-check/rows", test_rows);
  g_test_add_func ("/call-check/texts", test_texts);
  return g_test_run ();
}
