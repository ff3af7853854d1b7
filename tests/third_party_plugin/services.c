/* SPDX-License-Identifier: MIT
 *
 * A plugin of operations that use what a filter does not need, built with nothing but the header.
 *
 *   grade      Returns a mask of the bright pixels, and a row for each plane with its brightness in words.
 *   remember   Counts its calls since its state was made, and released states.
 *   pattern    Generates an image: x + 10 y + 100 z + 1000 c.
 *   tally      Counts each string in a table and adds up its values of the column "bright".
 *   type_of    Returns the type of its image.
 *   slide_1, slide_3   Move each row down by that many rows, and add the planes of the call to each pixel. Both share their functions.
 */
#include <fovea-plugin.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static fv_status
fail (fv_error *error, fv_status code, const char *field, const char *text)
{
  error->code = code;
  snprintf (error->field, sizeof error->field, "%s", field);
  snprintf (error->text, sizeof error->text, "%s", text);
  return code;
}

static const fv_input images[] = {{"image", "Image", "The image.", FV_U8, false}, {0}};

/* ---- grade ---- */

typedef struct {
  int32_t level;
} grade_args;

static fv_status
grade_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op, (void) args, (void) in, (void) error;
  out[0]->role = FV_MASK;
  return FV_OK;
}

/* How many pixels of a plane are bright; all of them are marked. */
static int64_t
mark (const fv_array *in, const fv_array *out, int64_t z, int32_t level)
{
  int64_t bright = 0;
  for (int64_t y = 0; y < in->tensor.shape[1]; y++) {
    const uint8_t *from = (const uint8_t *) in->tensor.data + z * in->tensor.strides[0] + y * in->tensor.strides[1];
    uint8_t *to = (uint8_t *) out->tensor.data + z * out->tensor.strides[0] + y * out->tensor.strides[1];
    for (int64_t x = 0; x < in->tensor.shape[2]; x++) {
      bright += from[x] >= level;
      to[x] = from[x] >= level ? 255 : 0;
    }
  }
  return bright;
}

static fv_status
grade_run (const fv_call *call, fv_error *error)
{
  static const fv_column columns[] = {{"z", "", "Plane, counted from 1.", FV_COLUMN_INTEGER},
                                      {"grade", "", "How bright it is.", FV_COLUMN_TEXT},
                                      {"bright", "px", "Bright pixels.", FV_COLUMN_INTEGER}};
  const fv_array *in = call->inputs[0];
  int64_t planes = in->tensor.shape[0];
  double *values;
  char text[64];
  fv_status status = call->host->table (call, columns, 3, sizeof *columns, planes, &values, error);
  for (int64_t z = 0; z < planes && !status; z++) {
    int64_t bright = mark (in, call->outputs[0], z, ((const grade_args *) call->args)->level);
    values[z] = (double) z + 1;
    values[2 * planes + z] = (double) bright;
    text[0] = 0;
    if (bright)
      snprintf (text, sizeof text, "grade %d, \"%s\"; µ", (int) bright, bright > 9 ? "many" : "few");
    else
      call->host->log (call, "a plane without a grade");
    status = call->host->text (call, text, &values[planes + z], error);
    if (!status && call->host->tick (call, z + 1, planes))
      status = fail (error, FV_CANCELLED, "", "");
  }
  return status;
}

static const fv_op grade = {
  FV_OP (grade_args),
  .key = "grade",
  .menu = "Analyze",
  .label = "Grade...",
  .search = "haze",
  .help = "Marks the bright pixels of each plane, and grades it.",
  .kind = FV_TABLE,
  .inputs = images,
  .outputs = (const fv_output[]){{"mask", "Bright pixels"}, {0}},
  .params = (const fv_param[]){{FV_FIELD (grade_args, level), .label = "Level", .min = 0, .max = 256, .def = 100,
                                .help = "What is bright."},
                               {0}},
  .infer = grade_infer,
  .run = {[FV_CPU] = grade_run},
};

/* ---- remember ---- */

typedef struct {
  double calls;
  void *memory; /* of the device */
} memory_state;

static double released;

static void
release (const fv_device *device, void *state)
{
  device->free (device, NULL, ((memory_state *) state)->memory);
  free (state);
  released++;
}

static fv_status
remember_run (const fv_call *call, fv_error *error)
{
  memory_state *state = call->host->take_state (call, "memory");
  unsigned char *bytes[2];
  fv_status status = FV_OK;
  if (call->host->take_state (call, "memory"))
    return fail (error, FV_UNSUPPORTED, "", "Two calls have one state.");
  for (int i = 0; i < 2 && !status; i++)
    if (!(status = call->host->host_scratch (call, i ? 100000 : 1, (void **) &bytes[i], error))
        && (uintptr_t) bytes[i] % 64)
      status = fail (error, FV_UNSUPPORTED, "", "Scratch is not aligned.");
  if (!status) {
    memset (bytes[1], 1, 100000);
    bytes[0][0] = bytes[1][99999];
  }
  if (!state && !status) {
    state = calloc (1, sizeof *state);
    status = call->device->alloc (call->device, call->stream, 1000, &state->memory, error);
  }
  if (state) {
    call->scalars[0] = state->calls += bytes[0][0];
    call->scalars[1] = released;
    call->host->leave_state (call, "memory", state, release);
  }
  return status;
}

static const fv_op remember = {
  FV_OP (grade_args),
  .key = "remember",
  .label = "Remember",
  .help = "Counts its calls.",
  .kind = FV_TABLE,
  .inputs = images,
  .scalars = (const fv_scalar[]){{"calls", "Calls", NULL, FV_COLUMN_INTEGER},
                                 {"released", "Released", NULL, FV_COLUMN_INTEGER},
                                 {0}},
  .run = {[FV_CPU] = remember_run},
};

/* ---- pattern ---- */

typedef struct {
  int32_t width, height, depth, channels;
} pattern_args;

static fv_status
pattern_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  static const char *const names[] = {"first", "second", "third"};
  const pattern_args *a = args;
  (void) op, (void) in;
  if ((int64_t) a->width * a->height > 1000000)
    return fail (error, FV_BAD_ARGUMENT, "height", "Too many pixels.");
  out[0]->type = FV_U16;
  out[0]->channels = a->channels;
  out[0]->channel_names = names;
  out[0]->shape[0] = (int64_t) a->channels * a->depth;
  out[0]->shape[1] = a->height;
  out[0]->shape[2] = a->width;
  out[0]->spacing[1] = out[0]->spacing[2] = 0.5;
  strcpy (out[0]->unit, "µm");
  return FV_OK;
}

static fv_status
pattern_run (const fv_call *call, fv_error *error)
{
  const pattern_args *a = call->args;
  const DLTensor *t = &call->outputs[0]->tensor;
  (void) error;
  for (int64_t z = 0; z < t->shape[0]; z++)
    for (int64_t y = 0; y < t->shape[1]; y++)
      for (int64_t x = 0; x < t->shape[2]; x++)
        ((uint16_t *) t->data)[z * t->strides[0] + y * t->strides[1] + x] =
          (uint16_t) (x + 10 * y + 100 * (z % a->depth) + 1000 * (z / a->depth));
  return FV_OK;
}

static const fv_op pattern = {
  FV_OP (pattern_args),
  .key = "pattern",
  .menu = "File/New",
  .label = "Pattern...",
  .help = "Makes an image of numbers that tell where they are.",
  .kind = FV_GLOBAL,
  .outputs = (const fv_output[]){{"image", "Pattern"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (pattern_args, width), .label = "Width", .min = 1, .max = 10000, .def = 5, .help = "Columns."},
      {FV_FIELD (pattern_args, height), .label = "Height", .min = 1, .max = 10000, .def = 4, .help = "Rows."},
      {FV_FIELD (pattern_args, depth), .label = "Depth", .min = 1, .max = 10, .def = 1, .help = "Slices."},
      {FV_FIELD (pattern_args, channels), .label = "Channels", .min = 1, .max = 3, .def = 1, .help = "Channels."},
      {0}},
  .infer = pattern_infer,
  .run = {[FV_CPU] = pattern_run},
};

/* ---- tally ---- */

static const fv_column *
column_at (const fv_table *table, uint32_t j)
{
  return (const fv_column *) ((const char *) table->columns + (size_t) j * table->column_size);
}

static uint32_t
find_column (const fv_table *table, const char *key)
{
  uint32_t j = 0;
  while (j < table->n_columns && strcmp (column_at (table, j)->key, key))
    j++;
  return j;
}

static fv_status
tally_run (const fv_call *call, fv_error *error)
{
  static const fv_column columns[] = {{"grade", "", NULL, FV_COLUMN_TEXT},
                                      {"times", "", NULL, FV_COLUMN_INTEGER},
                                      {"bright", "px", NULL, FV_COLUMN_INTEGER}};
  const fv_table *table = call->tables[1];
  uint32_t grade = find_column (table, "grade"), bright = find_column (table, "bright");
  int64_t n = 0;
  double *values;
  if (call->inputs[1] || call->tables[0] || call->tables[2])
    return fail (error, FV_UNSUPPORTED, "", "An image is a table, or a table an image, or not given.");
  if (grade == table->n_columns || bright == table->n_columns)
    return fail (error, FV_BAD_INPUT, "table", "It has no grades.");
  while (table->texts[grade][n])
    n++;
  fv_status status = call->host->table (call, columns, 3, sizeof *columns, n, &values, error);
  for (int64_t k = 0; k < n && !status; k++) {
    status = call->host->text (call, table->texts[grade][k], &values[k], error);
    values[n + k] = values[2 * n + k] = 0;
    for (int64_t i = 0; i < table->rows; i++)
      if (table->values[grade][i] == (double) k) {
        values[n + k]++;
        values[2 * n + k] += table->values[bright][i];
      }
  }
  return status;
}

static const fv_op tally = {
  FV_OP (char),
  .key = "tally",
  .menu = "Analyze",
  .label = "Tally...",
  .help = "Counts the rows of a table for each text.",
  .kind = FV_TABLE,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false},
                               {"table", "Table", "The table.", FV_WANTS_TABLE, false},
                               {"other", "Other table", "Another.", FV_WANTS_TABLE, true},
                               {0}},
  .run = {[FV_CPU] = tally_run},
};

/* ---- type_of ---- */

static fv_status
type_of_run (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  (void) error;
  call->scalars[0] = in->grid->type;
  call->scalars[1] = in->tensor.dtype.code;
  call->scalars[2] = in->tensor.dtype.bits;
  return FV_OK;
}

static const fv_op type_of = {
  FV_OP (char),
  .key = "type_of",
  .label = "Type",
  .help = "Says in which type it is given an image.",
  .kind = FV_TABLE,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_I16 | FV_F16 | FV_F32, false}, {0}},
  .scalars = (const fv_scalar[]){{"type", "Type", NULL, FV_COLUMN_INTEGER},
                                 {"code", "Code", NULL, FV_COLUMN_INTEGER},
                                 {"bits", "Bits", NULL, FV_COLUMN_INTEGER},
                                 {0}},
  .run = {[FV_CPU] = type_of_run},
};

/* ---- slide_1, slide_3 ---- */

static const fv_op slide_1, slide_3;

static int64_t
slide_rows (const fv_op *op)
{
  return op == &slide_1 ? 1 : op == &slide_3 ? 3 : 0;
}

static fv_grain
slide_grain (const fv_op *op, const void *args)
{
  (void) args;
  return op == &slide_1 ? FV_STACK : op == &slide_3 ? FV_FRAME : FV_PLANES;
}

static void
slide_halo (const fv_op *op, const void *args, const fv_grid *input, int64_t halo[3])
{
  (void) args, (void) input;
  halo[1] = slide_rows (op);
}

static fv_status
slide_run (const fv_call *call, fv_error *error)
{
  const DLTensor *in = &call->inputs[0]->tensor, *out = &call->outputs[0]->tensor;
  const int64_t rows = slide_rows (call->op);
  (void) error;
  for (int64_t z = 0; z < in->shape[0]; z++)
    for (int64_t y = 0; y < in->shape[1]; y++)
      for (int64_t x = 0; x < in->shape[2]; x++)
        ((uint8_t *) out->data)[z * out->strides[0] + y * out->strides[1] + x] =
          (uint8_t) (((const uint8_t *) in->data)[z * in->strides[0] + (y < rows ? 0 : y - rows) * in->strides[1] + x]
                     + in->shape[0]);
  return FV_OK;
}

#define SLIDE(KEY)                                                                                                     \
  {                                                                                                                    \
    FV_OP (char), .key = KEY, .label = "Slide", .help = "Moves rows down.", .kind = FV_LOCAL, .inputs = images,        \
                  .outputs = (const fv_output[]){{"image", "Image"}, {0}}, .grain = slide_grain, .halo = slide_halo,   \
                  .run = {[FV_CPU] = slide_run},                                                                       \
  }
static const fv_op slide_1 = SLIDE ("slide_1"), slide_3 = SLIDE ("slide_3");

static const fv_op *const ops[] = {&grade, &remember, &pattern, &tally, &type_of, &slide_1, &slide_3, NULL};

/* How many hosts have it open. */
FV_EXPORT int services_users;

static void
services_close (void)
{
  __atomic_sub_fetch (&services_users, 1, __ATOMIC_RELAXED);
}

static const fv_plugin plugin = {
  .size = sizeof (fv_plugin), .abi = FV_ABI, .name = "services", .version = "1.0", .ops = ops, .close = services_close};

const fv_plugin *
fv_plugin_open (uint32_t host_abi, fv_error *error)
{
  (void) host_abi;
  (void) error;
  __atomic_add_fetch (&services_users, 1, __ATOMIC_RELAXED);
  return &plugin;
}
