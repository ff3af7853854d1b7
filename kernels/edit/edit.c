/* SPDX-License-Identifier: MIT
 *
 * edit: the declaration, and the passes on the CPU, where all pixels are changed in position.
 */
#include "kernels/edit/edit.h"
#include "kernels/edit/edit_commands.h"
#include "kernels/edit/edit_text.h"

/* ---- Rows ---- */

VECTORISED static int32_t
highest_of_row (const int32_t *row, int64_t n)
{
  int32_t highest = 0;
  for (int64_t x = 0; x < n; x++)
    highest = row[x] > highest ? row[x] : highest;
  return highest;
}

VECTORISED static bool
row_has (const int32_t *row, int64_t n, int32_t label)
{
  int32_t any = 0;
  for (int64_t x = 0; x < n; x++)
    any |= row[x] == label;
  return any;
}

static void
replace_row (const edit_job *job, int32_t *row, int64_t n)
{
  int32_t last = 0, now = 0;
  for (int64_t x = 0; x < n; x++) {
    if (row[x] != last)
      now = edit_now (job, last = row[x]);
    if (now != last)
      row[x] = now;
  }
}

/* Rows of the planes that are worked on. */
static int64_t
lines_of (const edit_job *job)
{
  return edit_extent (&job->all, 0) * edit_extent (&job->all, 1);
}

static int32_t *
line_of (const edit_job *job, const fv_array *a, int64_t line)
{
  const int64_t rows = edit_extent (&job->all, 1);
  return array_row (a, job->all.from[0] + line / rows, line % rows);
}

/* ---- The passes ---- */

static fv_status
highest_cpu (edit_job *job, int32_t *highest, fv_error *error)
{
  int32_t most = 0;
  (void) error;
#pragma omp parallel for schedule(static, 64) reduction(max : most)
  for (int64_t line = 0; line < lines_of (job); line++) {
    const int32_t here = highest_of_row (line_of (job, job->call->inputs[0], line), edit_extent (&job->all, 2));
    most = here > most ? here : most;
  }
  *highest = most;
  return edit_tick (job, error);
}

static fv_status
bounds_cpu (edit_job *job, int32_t label, edit_box *box, fv_error *error)
{
  const int64_t columns = edit_extent (&job->all, 2), rows = edit_extent (&job->all, 1);
  int64_t z0 = INT64_MAX, z1 = -1, y0 = INT64_MAX, y1 = -1, x0 = INT64_MAX, x1 = -1;
#pragma omp parallel for schedule(static, 64) reduction(min : z0, y0, x0) reduction(max : z1, y1, x1)
  for (int64_t line = 0; line < lines_of (job); line++) {
    const int32_t *row = line_of (job, job->call->outputs[0], line);
    const int64_t z = job->all.from[0] + line / rows, y = line % rows;
    int64_t first = 0, last = columns - 1;
    if (!row_has (row, columns, label))
      continue;
    while (row[first] != label)
      first++;
    while (row[last] != label)
      last--;
    z0 = z < z0 ? z : z0, z1 = z > z1 ? z : z1;
    y0 = y < y0 ? y : y0, y1 = y > y1 ? y : y1;
    x0 = first < x0 ? first : x0, x1 = last > x1 ? last : x1;
  }
  *box = z1 < 0 ? (edit_box){{0}, {0}} : (edit_box){{z0, y0, x0}, {z1 + 1, y1 + 1, x1 + 1}};
  return edit_tick (job, error);
}

static fv_status
replace_cpu (edit_job *job, fv_error *error)
{
#pragma omp parallel for schedule(static, 64)
  for (int64_t line = 0; line < lines_of (job); line++)
    replace_row (job, line_of (job, job->call->outputs[0], line), edit_extent (&job->all, 2));
  return edit_tick (job, error);
}

static fv_status
fetch_cpu (edit_job *job, edit_view *view, fv_error *error)
{
  const fv_array *out = job->call->outputs[0];
  (void) error;
  view->pixels = (int32_t *) array_row (out, view->box.from[0], view->box.from[1]) + view->box.from[2];
  view->plane = out->tensor.strides[0];
  view->row = out->tensor.strides[1];
  return FV_OK;
}

static fv_status
store_cpu (edit_job *job, const edit_view *view, fv_error *error)
{
  (void) job, (void) view, (void) error;
  return FV_OK;
}

static fv_status
scalars_cpu (const fv_call *call, const edit_job *job, fv_error *error)
{
  (void) error;
  call->scalars[0] = (double) job->edits;
  call->scalars[1] = (double) job->missed;
  return FV_OK;
}

static fv_status
edit_cpu (const fv_call *call, fv_error *error)
{
  const edit_passes passes = {true, highest_cpu, bounds_cpu, replace_cpu, fetch_cpu, store_cpu, scalars_cpu};
  return edit_run (call, &passes, error);
}

/* ---- The declaration ---- */

static fv_grain
edit_grain (const fv_op *op, const void *args)
{
  (void) op, (void) args;
  return FV_STACK; /* a position has a plane and a frame */
}

static fv_status
edit_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const edit_args *a = args;
  edit_list list = {0};
  (void) op, (void) in;
  out[0]->role = FV_LABELS;
  out[0]->dense = false;
  return edit_read (a->commands, a->volume, &list, error);
}

const fv_op fv_op_edit = {
  FV_OP (edit_args),
  .key = "edit",
  .menu = "Process/Objects",
  .label = "Edit Objects...",
  .search = "manual correct by hand delete merge split draw erase objects",
  .traits = FV_EDITS_LABELS,
  .help =
    "Deletes, merges, splits, draws, erases and fills objects of a label image. A position in an object selects it.",
  .kind = FV_GLOBAL,
  .reads_back = true, /* what the commands look at */
  .inputs =
    (const fv_input[]){{"image", "Labels", "The label image: 0 is background, and each other value is an object.",
                        FV_I32 | FV_WANTS_LABELS, false},
                       {0}},
  .outputs = (const fv_output[]){{"image", "Objects"}, {0}},
  .scalars =
    (const fv_scalar[]){
      {"edits", "Edits", "How many commands found what they were to change.", FV_COLUMN_INTEGER},
      {"missed", "Missed", "Commands that found no object at a position or divided none.", FV_COLUMN_INTEGER},
      {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (edit_args, commands), .label = "Commands", .def_text = "",
       .help = "Commands separated by semicolons, such as: delete 12,30; merge 4,5 9,9; split 0,8 20,8; draw 3,3 9,3 "
               "6,9; erase 1,1 4,1; fill 40,7."},
      {FV_FIELD (edit_args, volume), .label = "3-D (whole stack)",
       .help = "Takes the planes as one volume: a label is the same object in all of them, and a line cuts it in all."},
      {0}},
  .grain = edit_grain,
  .infer = edit_infer,
  .run = {[FV_CPU] = edit_cpu, [FV_CUDA] = FV_CUDA_FN (edit_cuda)},
};
