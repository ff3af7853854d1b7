/* SPDX-License-Identifier: MIT
 *
 * skeleton: the CPU version. Of planes peel.c does the work. Of volumes the pixels of a side are found in all rows at once, and go one after the
 * other. A row is left out when nothing in it or beside it has changed since the same side was looked at last.
 */
#include "kernels/morphology/skeleton.h"

#include "kernels/common/imagej.h"
#include "kernels/common/inner_call.h"
#include "kernels/morphology/peel.h"

enum { MANY = 1 << 20 }; /* pixels from which on threads are worth waiting for after each step */

/* A volume. Rows are counted with those of background. */
typedef struct skeleton_work {
  skeleton_field field;
  int64_t *changed; /* [rows of all planes]: in which step each has changed last */
  bool *busy;       /* [rows of all planes]: whether something is found in this step */
  uint8_t *found;   /* [bytes of the field / 8] */
  progress *p;
} skeleton_work;

static int64_t
row_number (const skeleton_work *w, int64_t plane, int64_t y)
{
  return (plane + 1) * (w->field.rows + 2) + y + 1;
}

/* ---- Rows ---- */

VECTORISED static void
begin_row (uint8_t *to, const uint8_t *from, int64_t n)
{
  for (int64_t x = 0; x < n; x++)
    to[x] = from[x] ? SKELETON_KEPT : SKELETON_NONE;
}

VECTORISED static void
end_row (uint8_t *to, const uint8_t *from, int64_t n)
{
  for (int64_t x = 0; x < n; x++)
    to[x] = from[x] ? 255 : 0;
}

/* Which of eight pixels may go, the first in bit 0. */
static uint8_t
find_eight (const skeleton_work *w, const uint8_t *pixels, int64_t side)
{
  const skeleton_field *f = &w->field;
  uint32_t found = 0;
  for (uint32_t left = (uint32_t) bits_of_eight (pixels) & ~(uint32_t) bits_of_eight (pixels + side); left;
       left &= left - 1) {
    int i = __builtin_ctz (left);
    found |= (uint32_t) skeleton_may_go (skeleton_near (f, pixels + i)) << i;
  }
  return (uint8_t) found;
}

/* Where what is found in a row stands: a byte for each eight pixels. */
static uint8_t *
found_of (const skeleton_work *w, const uint8_t *row)
{
  return w->found + (row - w->field.bytes) / 8;
}

static bool
find_row (const skeleton_work *w, const uint8_t *row, int64_t side)
{
  uint8_t *found = found_of (w, row), any = 0;
  for (int64_t x = 0; x < w->field.columns; x += 8)
    any |= found[x / 8] = find_eight (w, row + x, side);
  return any;
}

/* Takes off what is found in a row, where the neighbors still are connected. */
static bool
take_row (const skeleton_work *w, uint8_t *row)
{
  const uint8_t *found = found_of (w, row);
  bool any = false;
  for (int64_t x = 0; x < w->field.columns; x += 8)
    for (uint32_t left = found[x / 8]; left; left &= left - 1) {
      uint8_t *pixel = row + x + __builtin_ctz (left);
      if (skeleton_connected (skeleton_near (&w->field, pixel))) {
        *pixel = SKELETON_NONE;
        any = true;
      }
    }
  return any;
}

/* ---- Steps ---- */

/* Whether a row or one beside it has changed since a step. */
static bool
changed_since (const skeleton_work *w, int64_t row, int64_t step)
{
  int64_t per_plane = w->field.rows + 2;
  for (int64_t z = -1; z <= 1; z++)
    for (int64_t y = -1; y <= 1; y++)
      if (w->changed[row + z * per_plane + y] >= step)
        return true;
  return false;
}

/* One side. Steps count from 1. Whether anything goes. */
static bool
do_step (const skeleton_work *w, int64_t step)
{
  const skeleton_field *f = &w->field;
  const int64_t side = skeleton_side (f, (int) ((step - 1) % SKELETON_SIDES)), lines = f->planes * f->rows;
  bool any = false;
#pragma omp parallel for schedule(static, 16) if (lines * f->columns >= MANY)
  for (int64_t i = 0; i < lines; i++) {
    int64_t plane = i / f->rows, y = i % f->rows, row = row_number (w, plane, y);
    w->busy[row] = !progress_stopped (w->p) && changed_since (w, row, step - SKELETON_SIDES)
                   && find_row (w, skeleton_row (f, plane, y), side);
    progress_step (w->p, 0);
  }
  for (int64_t i = 0; i < lines && !w->p->stop; i++) {
    int64_t plane = i / f->rows, y = i % f->rows, row = row_number (w, plane, y);
    if (w->busy[row] && take_row (w, skeleton_row (f, plane, y))) {
      w->changed[row] = step;
      any = true;
    }
  }
  return any;
}

/* ---- The operation ---- */

static int64_t
all_rows (const skeleton_field *f)
{
  return (f->planes + 2) * (f->rows + 2);
}

static int64_t
skeleton_bytes (const skeleton_field *f)
{
  return skeleton_field_bytes (f) / 8 * 9 + all_rows (f) * (int64_t) (sizeof (int64_t) + sizeof (bool));
}

static int64_t
skeleton_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  skeleton_field f = skeleton_field_of (in[0]->shape[0], in[0]->shape[1], in[0]->shape[2]);
  (void) op;
  return skeleton_is_volume (args, f.planes) ? skeleton_bytes (&f) : peel_bytes (f.rows, f.columns);
}

static fv_status
skeleton_volume (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  int64_t planes = array_planes (in), rows = array_rows (in), columns = array_columns (in), quiet = 0;
  progress p = {call, .total = 1};
  skeleton_work w = {skeleton_field_of (planes, rows, columns), .p = &p};
  void *memory;
  fv_status status = call->host->scratch (call, (size_t) skeleton_bytes (&w.field), &memory, error);
  if (status)
    return status;
  memset (memory, 0, (size_t) skeleton_bytes (&w.field));
  w.changed = memory;
  w.field.bytes = (uint8_t *) (w.changed + all_rows (&w.field));
  w.found = w.field.bytes + skeleton_field_bytes (&w.field);
  w.busy = (bool *) (w.found + skeleton_field_bytes (&w.field) / 8);
#pragma omp parallel for schedule(static, 16)
  for (int64_t i = 0; i < planes * rows; i++)
    begin_row (skeleton_row (&w.field, i / rows, i % rows), array_row (in, i / rows, i % rows), columns);
  for (int64_t step = 1; quiet < SKELETON_SIDES && !p.stop; step++)
    quiet = do_step (&w, step) ? 0 : quiet + 1;
#pragma omp parallel for schedule(static, 16)
  for (int64_t i = 0; i < planes * rows; i++)
    end_row (array_row (out, i / rows, i % rows), skeleton_row (&w.field, i / rows, i % rows), columns);
  return p.stop ? cancelled (error) : FV_OK;
}

VECTORISED static bool
skeleton_word_row (uint64_t *restrict to, const uint64_t *up, const uint64_t *own, const uint64_t *down, int64_t n,
                   int side)
{
  uint64_t gone = 0;
  for (int64_t i = 0; i < n; i++) {
    to[i] = skeleton_word (up + i, own + i, down + i, side);
    gone |= to[i] ^ own[i];
  }
  return gone != 0;
}

#define DEFINE_IMAGEJ_ROW(NAME, STUCK)                                                                                 \
  VECTORISED static bool NAME (uint64_t *restrict to, const uint64_t *up, const uint64_t *own, const uint64_t *down,   \
                               int64_t n, int half)                                                                    \
  {                                                                                                                    \
    uint64_t gone = 0;                                                                                                 \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      to[i] = skeleton_imagej_word (up + i, own + i, down + i, STUCK, half);                                           \
      gone |= to[i] ^ own[i];                                                                                          \
    }                                                                                                                  \
    return gone != 0;                                                                                                  \
  }
DEFINE_IMAGEJ_ROW (skeleton_imagej_row, false)
DEFINE_IMAGEJ_ROW (skeleton_stuck_row, true)

fv_status
skeleton_take_stuck (const fv_call *call, fv_device_kind kind, fv_error *error)
{
  const skeleton_args args = {false, SKELETON_IMAGEJ_STUCK};
  const fv_array *const made[] = {call->outputs[0]};
  return run_inner (call, kind, call->op, &args, made, made, NULL, error);
}

static fv_status
skeleton_imagej (const fv_call *call, bool stuck, fv_error *error)
{
  static const peel_rule rules[] = {{skeleton_imagej_row, SKELETON_IMAGEJ_SIDES},
                                    {skeleton_stuck_row, SKELETON_IMAGEJ_SIDES}};
  if (peel_masks (call, &rules[stuck], 0, error))
    return error->code;
  return stuck ? FV_OK : skeleton_take_stuck (call, FV_CPU, error);
}

static fv_status
skeleton_cpu (const fv_call *call, fv_error *error)
{
  const skeleton_args *a = call->args;
  if (a->method != SKELETON_LEE)
    return skeleton_imagej (call, a->method == SKELETON_IMAGEJ_STUCK, error);
  static const peel_rule rule = {skeleton_word_row, SKELETON_PLANE_SIDES};
  return skeleton_is_volume (call->args, array_planes (call->inputs[0])) ? skeleton_volume (call, error)
                                                                         : peel_masks (call, &rule, 0, error);
}

static fv_status
skeleton_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const skeleton_args *a = args;
  if (a->method != SKELETON_LEE && a->volume)
    return fail (error, FV_BAD_ARGUMENT, "method", "ImageJ's skeleton is of planes, one by one: turn 3-D off.");
  return peel_infer (op, args, in, out, error);
}

static fv_grain
skeleton_grain (const fv_op *op, const void *args)
{
  (void) op;
  return ((const skeleton_args *) args)->volume ? FV_STACK : FV_PLANES;
}

const fv_op fv_op_skeleton = {
  FV_OP (skeleton_args),
  .key = "skeleton",
  .menu = "Process/Binary",
  .label = "Skeletonize",
  .search = "thin centre line medial axis branches",
  .imagej =
    (const fv_imagej[]){
      {.command = "Skeletonize", .args = "method=imagej", IMAGEJ_WORDS (IMAGEJ_STACK), IMAGEJ_MASK_WHOLE}, {0}},
  .help = "Removes pixels of objects, which keep their parts and holes, until lines one pixel wide are left.",
  .cite = "T. Lee, R. Kashyap, C. Chu, CVGIP: Graph. Models Image Process. 56 (1994) 462",
  .kind = FV_GLOBAL,
  .reads_back = true, /* whether something has changed */
  .inputs = (const fv_input[]){{"image", "Image", "The mask.", FV_U8 | FV_WANTS_MASK, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Mask"}, {0}},
  .params = (const fv_param[]){{FV_FIELD (skeleton_args, method), .label = "Method", .advanced = true,
                                .choices = (const fv_choice[]){{"lee", "Lee", "Lee, Kashyap and Chu's."},
                                                               {"imagej", "ImageJ", "ImageJ's tables."},
                                                               {0}},
                                .help = "Which pixels go: in planes the methods leave other lines."},
                               {FV_FIELD (skeleton_args, volume), .label = "3-D (whole stack)",
                                .help = "Takes the planes as one volume, in which lines one voxel wide are left."},
                               {0}},
  .grain = skeleton_grain,
  .infer = skeleton_infer,
  .scratch = skeleton_scratch,
  .run = {[FV_CPU] = skeleton_cpu, [FV_CUDA] = FV_CUDA_FN (skeleton_cuda)},
  .part = FV_PART_ALIKE,
};
