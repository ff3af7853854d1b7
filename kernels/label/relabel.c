/* SPDX-License-Identifier: MIT
 *
 * relabel: the CPU version, with a bit for each label that is set when a row has it first.
 */
#include "kernels/label/relabel.h"

/* ---- Rows ---- */

VECTORISED static int32_t
highest_of_row (const int32_t *row, int64_t n)
{
  int32_t highest = 0;
  for (int64_t x = 0; x < n; x++)
    highest = row[x] > highest ? row[x] : highest;
  return highest;
}

/* From x on, the first pixel that is not 0, or up to seven before it; n: there is none. */
static int64_t
first_object (const int32_t *row, int64_t x, int64_t n)
{
  for (uint64_t two[4]; x + 8 <= n; x += 8) {
    memcpy (two, row + x, sizeof two);
    if (two[0] | two[1] | two[2] | two[3])
      break;
  }
  return x;
}

static void
mark_row (const relabel_ranks *r, const int32_t *row, int64_t n)
{
  int32_t last = 0;
  for (int64_t x = first_object (row, 0, n); x < n; x = row[x] ? x + 1 : first_object (row, x + 1, n)) {
    if (row[x] == last)
      continue;
    last = row[x];
    uint64_t bit = (uint64_t) (last != 0) << last % 64, *word = r->bits + last / 64;
    if (bit & ~__atomic_load_n (word, __ATOMIC_RELAXED))
      __atomic_fetch_or (word, bit, __ATOMIC_RELAXED);
  }
}

static void
renumber_row (const relabel_ranks *r, int32_t *to, const int32_t *from, int64_t n)
{
  int32_t last = 0, rank = 0;
  memset (to, 0, (size_t) n * sizeof *to);
  for (int64_t x = first_object (from, 0, n); x < n; x = from[x] ? x + 1 : first_object (from, x + 1, n)) {
    if (from[x] != last)
      rank = relabel_rank (r, last = from[x]);
    to[x] = rank;
  }
}

/* ---- The operation ---- */

static int32_t
highest_label (const fv_array *in, progress *p)
{
  int64_t rows = array_rows (in), lines = array_planes (in) * rows;
  int32_t highest = 0;
#pragma omp parallel for schedule(static, 64) reduction(max : highest)
  for (int64_t i = 0; i < lines; i++) {
    if (progress_stopped (p))
      continue;
    int32_t here = highest_of_row (array_row (in, i / rows, i % rows), array_columns (in));
    highest = here > highest ? here : highest;
    progress_step (p, 1);
  }
  return highest;
}

/* Lines from ... to-1, of rows counted through all planes. */
static void
relabel_lines (const relabel_ranks *r, const fv_array *in, const fv_array *out, int64_t from, int64_t to, progress *p)
{
  int64_t rows = array_rows (in), columns = array_columns (in);
  int32_t count = 0;
  memset (r->bits, 0, (size_t) r->words * sizeof *r->bits);
#pragma omp parallel for schedule(static, 64)
  for (int64_t i = from; i < to; i++)
    if (!progress_stopped (p)) {
      mark_row (r, array_row (in, i / rows, i % rows), columns);
      progress_step (p, 1);
    }
  for (int64_t i = 0; i < r->words; i++) {
    r->before[i] = count;
    count += relabel_count (r->bits[i]);
  }
#pragma omp parallel for schedule(static, 64)
  for (int64_t i = from; i < to; i++)
    if (!progress_stopped (p)) {
      renumber_row (r, array_row (out, i / rows, i % rows), array_row (in, i / rows, i % rows), columns);
      progress_step (p, 1);
    }
}

static fv_status
relabel_cpu (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  int64_t lines = array_planes (in) * array_rows (in);
  int64_t each = ((const relabel_args *) call->args)->volume ? lines : array_rows (in);
  progress p = {call, .total = 3 * lines};
  relabel_ranks r = {.words = relabel_words (highest_label (in, &p))};
  fv_status status = call->host->scratch (call, relabel_bytes (r.words), (void **) &r.bits, error);
  if (status)
    return status;
  r.before = (int32_t *) (r.bits + r.words);
  for (int64_t from = 0; from < lines && !p.stop; from += each)
    relabel_lines (&r, in, call->outputs[0], from, from + each, &p);
  return p.stop ? cancelled (error) : FV_OK;
}

static fv_grain
relabel_grain (const fv_op *op, const void *args)
{
  (void) op;
  return ((const relabel_args *) args)->volume ? FV_STACK : FV_PLANES;
}

static fv_status
relabel_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op, (void) args, (void) in, (void) error;
  out[0]->dense = true;
  return FV_OK;
}

const fv_op fv_op_relabel = {
  FV_OP (relabel_args),
  .key = "relabel",
  .menu = "Analyze",
  .label = "Renumber Objects",
  .search = "relabel sequential gaps consecutive remap labels",
  .help = "Gives the objects of a label image the numbers 1, 2, 3 and so on, in their order, without gaps.",
  .kind = FV_GLOBAL,
  .reads_back = true, /* the highest label */
  .inputs =
    (const fv_input[]){{"image", "Labels", "The label image: 0 is background, and each other value is an object.",
                        FV_I32 | FV_WANTS_LABELS, false},
                       {0}},
  .outputs = (const fv_output[]){{"image", "Objects"}, {0}},
  .params = (const fv_param[]){{FV_FIELD (relabel_args, volume), .label = "3-D (whole stack)",
                                .help = "Takes the planes as one volume: a label is the same object in all of them."},
                               {0}},
  .grain = relabel_grain,
  .infer = relabel_infer,
  .run = {[FV_CPU] = relabel_cpu, [FV_CUDA] = FV_CUDA_FN (relabel_cuda)},
  .part = FV_PART_ALIKE,
};
