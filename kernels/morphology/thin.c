/* SPDX-License-Identifier: MIT
 *
 * thin: the CPU version. Bits go to and fro between two planes of words; a row is left out when neither it nor those beside it
 * have changed in the last two halves.
 */
#include "kernels/morphology/thin.h"

enum { MANY = 1 << 15 }; /* words from which on threads are worth waiting for after each step */

typedef struct thinning {
  uint64_t *words[2]; /* planes of thin_words(): at present [step % 2] holds what step `step` reads */
  int64_t *changed;   /* [rows + 2]: in which step each row has changed last */
  int64_t rows, columns, pitch;
  progress *p;
} thinning;

/* ---- Rows ---- */

VECTORISED static void
pack_row (uint64_t *words, const uint8_t *from, int64_t n)
{
  for (int64_t x = 0; x < n; x += 64) {
    uint64_t word = 0;
    int64_t here = n - x < 64 ? n - x : 64;
    for (int64_t i = 0; i < here; i++)
      word |= (uint64_t) (from[x + i] != 0) << i;
    words[x / 64] = word;
  }
}

VECTORISED static void
unpack_row (uint8_t *to, const uint64_t *words, int64_t n)
{
  for (int64_t x = 0; x < n; x++)
    to[x] = words[x / 64] >> x % 64 & 1 ? 255 : 0;
}

/* Whether anything has changed. */
VECTORISED static bool
thin_row (uint64_t *restrict to, const uint64_t *up, const uint64_t *own, const uint64_t *down, int64_t n, int half)
{
  uint64_t gone = 0;
  for (int64_t i = 0; i < n; i++) {
    to[i] = thin_word (up + i, own + i, down + i, half);
    gone |= to[i] ^ own[i];
  }
  return gone != 0;
}

/* ---- One plane ---- */

static uint64_t *
row_of (const thinning *t, int64_t step, int64_t row)
{
  return t->words[step % 2] + (row + 1) * t->pitch + 1;
}

/* The last step in which a row has changed, which others may be told meanwhile. */
static int64_t
changed_in (const thinning *t, int64_t row)
{
  return __atomic_load_n (t->changed + row + 1, __ATOMIC_RELAXED);
}

/* Half an iteration. Steps count from 2: all rows have changed in step 1. Whether anything changes. */
static bool
thin_step (const thinning *t, int64_t step)
{
  bool any = false;
#pragma omp parallel for schedule(static, 16) reduction(|| : any) if (t->rows * t->pitch >= MANY)
  for (int64_t y = 0; y < t->rows; y++) {
    int64_t since = step - 2;
    if (progress_stopped (t->p)
        || (changed_in (t, y - 1) < since && changed_in (t, y) < since && changed_in (t, y + 1) < since))
      continue;
    if (thin_row (row_of (t, step + 1, y), row_of (t, step, y - 1), row_of (t, step, y), row_of (t, step, y + 1),
                  t->pitch - 2, step % 2)) {
      __atomic_store_n (t->changed + y + 1, step, __ATOMIC_RELAXED);
      any = true;
    }
    progress_step (t->p, 0);
  }
  return any;
}

static void
thin_plane (const thinning *t, const fv_array *in, const fv_array *out, int64_t plane, int64_t iterations)
{
  int64_t step = 2;
  memset (t->words[0], 0, (size_t) (2 * thin_words (t->rows, t->columns)) * sizeof *t->words[0]);
  for (int64_t y = -1; y <= t->rows; y++)
    t->changed[y + 1] = 1;
#pragma omp parallel for schedule(static, 16)
  for (int64_t y = 0; y < t->rows; y++)
    pack_row (row_of (t, step, y), array_row (in, plane, y), t->columns);
  for (bool any = true; any && !t->p->stop && (!iterations || step / 2 <= iterations); step += 2) {
    any = thin_step (t, step);
    any = thin_step (t, step + 1) || any;
  }
#pragma omp parallel for schedule(static, 16)
  for (int64_t y = 0; y < t->rows; y++)
    unpack_row (array_row (out, plane, y), row_of (t, step, y), t->columns);
  progress_step (t->p, 1);
}

/* ---- The operation ---- */

static int64_t
thin_bytes (int64_t rows, int64_t columns)
{
  return 2 * thin_words (rows, columns) * (int64_t) sizeof (uint64_t) + (rows + 2) * (int64_t) sizeof (int64_t);
}

static int64_t
thin_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op, (void) args;
  return thin_bytes (in[0]->shape[1], in[0]->shape[2]);
}

static fv_status
thin_cpu (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  int64_t planes = array_planes (in), rows = array_rows (in), columns = array_columns (in);
  progress p = {call, .total = planes};
  thinning t = {.rows = rows, .columns = columns, .pitch = thin_pitch (columns), .p = &p};
  fv_status status = call->host->scratch (call, (size_t) thin_bytes (rows, columns), (void **) &t.words[0], error);
  if (status)
    return status;
  t.words[1] = t.words[0] + thin_words (rows, columns);
  t.changed = (int64_t *) (t.words[1] + thin_words (rows, columns));
  for (int64_t plane = 0; plane < planes && !p.stop; plane++)
    thin_plane (&t, in, call->outputs[0], plane, ((const thin_args *) call->args)->iterations);
  return p.stop ? cancelled (error) : FV_OK;
}

static fv_status
thin_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op, (void) args, (void) in, (void) error;
  out[0]->role = FV_MASK;
  out[0]->dense = false;
  return FV_OK;
}

const fv_op fv_op_thin = {
  FV_OP (thin_args),
  .key = "thin",
  .menu = "Process/Binary",
  .label = "Thin...",
  .help = "Takes pixels off the edges of objects, which stay connected, until lines one pixel wide are left.",
  .cite = "L. Lam, S.-W. Lee, C. Y. Suen, IEEE Trans. Pattern Anal. Mach. Intell. 14 (1992) 869",
  .kind = FV_GLOBAL,
  .reads_back = true, /* whether something has changed */
  .inputs = (const fv_input[]){{"image", "Image", "The mask.", FV_U8 | FV_WANTS_MASK, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Mask"}, {0}},
  .params = (const fv_param[]){{FV_FIELD (thin_args, iterations), .label = "Iterations", .max = 100000, .soft_max = 50,
                                .help = "How often pixels are taken off; 0 is until nothing changes."},
                               {0}},
  .infer = thin_infer,
  .scratch = thin_scratch,
  .run = {[FV_CPU] = thin_cpu, [FV_CUDA] = FV_CUDA_FN (thin_cuda)},
  .part = FV_PART_ALIKE,
};
