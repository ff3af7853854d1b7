/* SPDX-License-Identifier: MIT
 *
 * assign: of the parents that a child shares pixels with, the one with most of them.
 */
#include "kernels/objects/assign.h"

#include "kernels/common/alike.h"
#include "kernels/common/grain.h"
#include "kernels/objects/object_paint.h"
#include "kernels/objects/overlaps.h"

/* Of a child. */
typedef struct parentage {
  int64_t overlap; /* with the parent that has most of it */
  int32_t parent;  /* -1: none */
} parentage;

/* Of a parent. */
typedef struct family {
  int64_t children, covered; /* pixels that are its children's */
} family;

typedef struct assign_work {
  const assign_args *args;
  const regions *children, *parents;
  overlaps shared; /* with the parents */
  parentage *of;   /* of each child */
  progress progress;
} assign_work;

static parentage
find_parent (const assign_work *w, const region *child)
{
  const overlaps_met o = overlaps_of (&w->shared, child);
  parentage best = {0, -1};
  for (int64_t i = 0; i < o.n; i++) {
    const int64_t pixels = o.pixels[o.met[i]];
    if (pixels > best.overlap || (pixels == best.overlap && o.met[i] < best.parent))
      best = (parentage){pixels, o.met[i]};
    o.pixels[o.met[i]] = 0;
  }
  if ((double) best.overlap < w->args->share * (double) child->pixels)
    best.parent = -1;
  return best;
}

/* ---- The table ---- */

fv_status
assign_make_table (const fv_call *call, int64_t rows, double **v, fv_error *error)
{
  static const fv_column slice = {"z", "", "The slice that the object is in, counted from 1.", FV_COLUMN_INTEGER};
  static const fv_column measured[2][4] = {
    {{"label", "", "The child's label.", FV_COLUMN_INTEGER},
     {"parent", "", "Label of its parent; 0: it has none.", FV_COLUMN_INTEGER},
     {"overlap", FV_PIXELS, "How many of its pixels lie in the parent that has most of them.", FV_COLUMN_INTEGER},
     {"share", "", "These by all of its pixels.", FV_COLUMN_FLOAT}},
    {{"label", "", "The parent's label.", FV_COLUMN_INTEGER},
     {"children", "", "How many children it has.", FV_COLUMN_INTEGER},
     {"overlap", FV_PIXELS, "How many of its pixels are its children's.", FV_COLUMN_INTEGER},
     {"share", "", "These by all of its pixels.", FV_COLUMN_FLOAT}}};
  const uint32_t slices = assign_has_slices (call);
  fv_column columns[5];
  columns[0] = slice;
  memcpy (columns + slices, measured[((const assign_args *) call->args)->rows], sizeof *measured);
  return call->host->table (call, columns, 4 + slices, sizeof *columns, rows, v, error);
}

static fv_status
write_children (const fv_call *call, const assign_work *w, fv_error *error)
{
  const bool slices = assign_has_slices (call);
  const int64_t n = w->children->n;
  double *v;
  fv_status status = assign_make_table (call, n, &v, error);
  for (int64_t i = 0; i < n && !status; i++) {
    const region *o = &w->children->items[i];
    const parentage *p = &w->of[i];
    const int32_t parent = p->parent < 0 ? 0 : w->parents->items[p->parent].label;
    assign_put_row (&(assign_row){o->low[0], o->label, parent, p->overlap, o->pixels}, slices, i, n, v);
  }
  return status;
}

static fv_status
write_parents (const fv_call *call, const assign_work *w, fv_error *error)
{
  const bool slices = assign_has_slices (call);
  const int64_t n = w->parents->n;
  family *families;
  double *v;
  fv_status status = host_items (call, n, sizeof *families, &families, error);
  if (!status)
    status = assign_make_table (call, n, &v, error);
  if (status)
    return status;
  memset (families, 0, (size_t) n * sizeof *families);
  for (int64_t i = 0; i < w->children->n; i++)
    if (w->of[i].parent >= 0) {
      families[w->of[i].parent].children++;
      families[w->of[i].parent].covered += w->of[i].overlap;
    }
  for (int64_t i = 0; i < n; i++) {
    const region *o = &w->parents->items[i];
    assign_put_row (&(assign_row){o->low[0], o->label, families[i].children, families[i].covered, o->pixels}, slices, i,
                    n, v);
  }
  return FV_OK;
}

/* ---- The work ---- */

static fv_status
prepare (const fv_call *call, assign_work *w, int32_t **to, fv_error *error)
{
  fv_status status = overlaps_make (call, call->inputs[ASSIGN_PARENTS], w->parents, &w->shared, error);
  if (!status)
    status = host_items (call, w->children->n, sizeof *w->of, &w->of, error);
  return status ? status : host_items (call, w->children->n, sizeof **to, to, error);
}

/* The table, and to[i], the label that the pixels of child i get. */
static fv_status
assign_find (const fv_call *call, const regions *children, const regions *parents, int32_t **to, fv_error *error)
{
  assign_work w = {.args = call->args, .children = children, .parents = parents};
  fv_status status = prepare (call, &w, to, error);
  if (status)
    return status;
  w.progress = (progress){call, .total = children->n};
#pragma omp parallel for schedule(dynamic, 256)
  for (int64_t i = 0; i < children->n; i++) {
    if (progress_stopped (&w.progress))
      continue;
    w.of[i] = find_parent (&w, &children->items[i]);
    (*to)[i] = w.of[i].parent < 0 ? 0 : parents->items[w.of[i].parent].label;
    progress_step (&w.progress, 1);
  }
  if (w.progress.stop)
    return cancelled (error);
  return w.args->rows == ASSIGN_PARENTS ? write_parents (call, &w, error) : write_children (call, &w, error);
}

static fv_status
assign_cpu (const fv_call *call, fv_error *error)
{
  const bool volume = ((const assign_args *) call->args)->volume;
  regions children, parents;
  int32_t *to;
  fv_status status = regions_find (call, call->inputs[ASSIGN_CHILDREN], volume, &children, error);
  if (!status)
    status = regions_find (call, call->inputs[ASSIGN_PARENTS], volume, &parents, error);
  if (!status)
    status = assign_find (call, &children, &parents, &to, error);
  return status ? status : object_paint_cpu (call, &children, to, call->outputs[0], error);
}

/* ---- The operation ---- */

static fv_status
assign_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const fv_grid *children = in[ASSIGN_CHILDREN], *parents = in[ASSIGN_PARENTS];
  (void) op, (void) args;
  if (regions_check_image (children, error))
    return error->code;
  if (check_alike (parents, "parents", children, "the children", ALIKE, error))
    return error->code;
  out[0]->type = FV_I32;
  out[0]->role = FV_LABELS;
  out[0]->dense = false;
  return FV_OK;
}

const fv_op fv_op_assign = {
  FV_OP (assign_args),
  .key = "assign",
  .menu = "Analyze",
  .label = "Assign to Parents...",
  .search = "relate objects children parents nuclei cells per cell inside belong overlap",
  .help = "Finds for each object the object of a second label image that it lies in, such as the cell of a nucleus.",
  .kind = FV_TABLE,
  .reads_back = true,
  .inputs = (const fv_input[]){{"image", "Children", "The label image of the objects that are assigned.",
                                FV_INTEGERS | FV_WANTS_LABELS, false},
                               {"parents", "Parents", "The label image of the objects to which they are assigned.",
                                FV_INTEGERS | FV_WANTS_LABELS, false},
                               {0}},
  .outputs = (const fv_output[]){{"labels", "Children by parent"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (assign_args, rows), .label = "A row for each",
       .choices = (const fv_choice[]){{"children", "Child", "Its parent, and how much of it lies there."},
                                      {"parents", "Parent", "How many children it has, and how much they cover."},
                                      {0}},
       .help = "Of what the table has rows."},
      {FV_FIELD (assign_args, share), .label = "Least share", .max = 1, .soft_max = 1,
       .help = "Minimum share of a child that must lie in its parent; a child with less has none."},
      {FV_FIELD (assign_args, volume), .label = "3-D (whole stack)",
       .help = "Takes the planes as one volume, not each plane by itself."},
      {0}},
  .grain = grain_frame,
  .infer = assign_infer,
  .run = {[FV_CPU] = assign_cpu, [FV_CUDA] = FV_CUDA_FN (assign_cuda)},
};
