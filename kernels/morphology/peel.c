/* SPDX-License-Identifier: MIT
 *
 * Taking pixels off masks on the CPU. Bits go to and fro between two planes of words; a row is left out when neither it nor those beside it
 * have changed since the same step was made last.
 */
#include "kernels/morphology/peel.h"

enum { MANY = 1 << 15 }; /* words from which on threads are worth waiting for after each step */

typedef struct peeling {
  uint64_t *words[2]; /* planes of words_of_plane(): [step % 2] holds what step `step` reads */
  int64_t *changed;   /* [rows + 2]: in which step each row has changed last */
  int64_t rows, columns, pitch;
  const peel_rule *rule;
  progress *p;
} peeling;

/* How words of a plane lie: with a word of background before and behind each row, and a row before and behind all. */
static int64_t
words_of_row (int64_t columns)
{
  return (columns + 63) / 64 + 2;
}

static int64_t
words_of_plane (int64_t rows, int64_t columns)
{
  return (rows + 2) * words_of_row (columns);
}

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

/* ---- One plane ---- */

static uint64_t *
row_of (const peeling *t, int64_t step, int64_t row)
{
  return t->words[step % 2] + (row + 1) * t->pitch + 1;
}

/* The last step in which a row has changed, which others may be told meanwhile. */
static int64_t
changed_in (const peeling *t, int64_t row)
{
  return __atomic_load_n (t->changed + row + 1, __ATOMIC_RELAXED);
}

/* Steps count from the number of sides: all rows have changed in the step before. Whether anything changes. */
static bool
peel_step (const peeling *t, int64_t step)
{
  bool any = false;
#pragma omp parallel for schedule(static, 16) reduction(|| : any) if (t->rows * t->pitch >= MANY)
  for (int64_t y = 0; y < t->rows; y++) {
    int64_t since = step - t->rule->sides;
    if (progress_stopped (t->p)
        || (changed_in (t, y - 1) < since && changed_in (t, y) < since && changed_in (t, y + 1) < since))
      continue;
    if (t->rule->row (row_of (t, step + 1, y), row_of (t, step, y - 1), row_of (t, step, y), row_of (t, step, y + 1),
                      t->pitch - 2, (int) (step % t->rule->sides))) {
      __atomic_store_n (t->changed + y + 1, step, __ATOMIC_RELAXED);
      any = true;
    }
    progress_step (t->p, 0);
  }
  return any;
}

static void
peel_plane (const peeling *t, const fv_array *in, const fv_array *out, int64_t plane, int64_t most)
{
  const int64_t sides = t->rule->sides;
  int64_t step = sides, quiet = 0;
  memset (t->words[0], 0, (size_t) (2 * words_of_plane (t->rows, t->columns)) * sizeof *t->words[0]);
  for (int64_t y = -1; y <= t->rows; y++)
    t->changed[y + 1] = sides - 1;
#pragma omp parallel for schedule(static, 16)
  for (int64_t y = 0; y < t->rows; y++)
    pack_row (row_of (t, step, y), array_row (in, plane, y), t->columns);
  for (; quiet < sides && !t->p->stop && (!most || step - sides < most); step++)
    quiet = peel_step (t, step) ? 0 : quiet + 1;
#pragma omp parallel for schedule(static, 16)
  for (int64_t y = 0; y < t->rows; y++)
    unpack_row (array_row (out, plane, y), row_of (t, step, y), t->columns);
  progress_step (t->p, 1);
}

/* ---- The operation ---- */

int64_t
peel_bytes (int64_t rows, int64_t columns)
{
  return 2 * words_of_plane (rows, columns) * (int64_t) sizeof (uint64_t) + (rows + 2) * (int64_t) sizeof (int64_t);
}

fv_status
peel_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op, (void) args, (void) in, (void) error;
  out[0]->role = FV_MASK;
  out[0]->dense = false;
  return FV_OK;
}

fv_status
peel_masks (const fv_call *call, const peel_rule *rule, int64_t most, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  int64_t planes = array_planes (in), rows = array_rows (in), columns = array_columns (in);
  progress p = {call, .total = planes};
  peeling t = {.rows = rows, .columns = columns, .pitch = words_of_row (columns), .rule = rule, .p = &p};
  fv_status status = call->host->scratch (call, (size_t) peel_bytes (rows, columns), (void **) &t.words[0], error);
  if (status)
    return status;
  t.words[1] = t.words[0] + words_of_plane (rows, columns);
  t.changed = (int64_t *) (t.words[1] + words_of_plane (rows, columns));
  for (int64_t plane = 0; plane < planes && !p.stop; plane++)
    peel_plane (&t, in, call->outputs[0], plane, most);
  return p.stop ? cancelled (error) : FV_OK;
}
