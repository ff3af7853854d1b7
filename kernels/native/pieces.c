/* SPDX-License-Identifier: MIT
 *
 * Thread k of Fovea fills and empties the ring of thread k of the worker: while the one computes a piece, the other copies those before and
 * behind it, in the cache. Pieces are handed out in their order, so that after a crash the first element that crashes is in a piece that
 * was not finished. These pieces are run again, element by element, in a fresh worker.
 */
#include "kernels/native/pieces.h"

#include "kernels/native/fault.h"
#include "kernels/native/library.h"
#include "kernels/native/worker.h"

#include <stdlib.h>

#define WORKER_STATE "worker"

enum {
  MOMENT = 5 /* ms between looks at a worker that is slow */,
  PATIENCE = 4 /* moments for pieces that are stopped */
};

/* An image as the kernel sees it. */
typedef struct field {
  int index; /* among the arrays of the task */
  int bytes; /* of an element */
  bool raw, output;
  size_t offset; /* of a raw array among the whole ones */
} field;

typedef enum why { GOES_ON, IS_CANCELLED, IS_LATE, HAS_ENDED } why;

typedef struct runner {
  const kernel_job *job;
  worker *worker;
  kernel_task task; /* as the worker sees it; no data */
  field fields[WORKER_ARRAYS];
  int n_fields, threads;
  size_t whole;
  int64_t rows, columns; /* of a piece */
  int64_t down, across;  /* pieces of a plane */
  int64_t pieces, next;
  uint32_t feeding;    /* threads that may have pieces in slots */
  struct timespec end; /* tv_sec 0: no limit */
  why stop;
  int64_t fault[FAULT_VALUES];
  int64_t flying[WORKER_SLOTS]; /* the piece in each slot; -1: none */
  int64_t left[WORKER_THREADS]; /* that a thread took and gave to no slot, since another had crashed; -1: none */
} runner;

static int64_t
smaller (int64_t a, int64_t b)
{
  return a < b ? a : b;
}

/* ---- The arrays ---- */

void
kernel_pack (const kernel_plan *plan, kernel_task *task)
{
  const kernel_params *all[] = {&plan->in, &plan->out};
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < all[side]->n; k++) {
      kernel_array *a = &task->arrays[side ? KERNEL_IMAGES + k : plan->array[k]];
      if (all[side]->at[k].raw) {
        a->stride[2] = 1;
        a->stride[1] = a->shape[2];
        a->stride[0] = a->shape[1] * a->shape[2];
      }
    }
}

static void
add_field (runner *r, int index, fv_type type, bool raw, bool output)
{
  const int64_t *shape = r->task.arrays[index].shape;
  field *f = &r->fields[r->n_fields++];
  *f = (field){index, (int) type_bytes (type), raw, output, r->whole};
  if (raw)
    r->whole += ((size_t) (shape[0] * shape[1] * shape[2] * f->bytes) + 63) / 64 * 64;
}

static void
find_fields (runner *r)
{
  const kernel_plan *plan = r->job->plan;
  const fv_call *call = r->job->call;
  r->task = *r->job->task;
  kernel_pack (plan, &r->task);
  for (int k = 0; k < plan->in.n; k++)
    if (!plan->in.at[k].number)
      add_field (r, plan->array[k], call->inputs[plan->array[k]]->grid->type, plan->in.at[k].raw, false);
  for (int k = 0; k < plan->out.n; k++)
    add_field (r, KERNEL_IMAGES + k, call->outputs[k]->grid->type, plan->out.at[k].raw, true);
  for (int k = 0; k < r->n_fields; k++)
    r->task.arrays[r->fields[k].index].data = (void *) (WORKER_WHOLE + r->fields[k].offset);
}

static const fv_array *
array_of (const runner *r, const field *f)
{
  return f->output ? r->job->call->outputs[f->index - KERNEL_IMAGES] : r->job->call->inputs[f->index];
}

/* Between the image and the arena. */
static void
copy_rows (const runner *r, const field *f, char *packed, bool out)
{
  const fv_array *a = array_of (r, f);
  const int64_t rows = array_rows (a), lines = array_planes (a) * rows;
  const size_t bytes = (size_t) (array_columns (a) * f->bytes);
#pragma omp parallel for schedule(static) num_threads(r->threads)
  for (int64_t n = 0; n < lines; n++) {
    char *row = array_row (a, n / rows, n % rows), *here = packed + (size_t) n * bytes;
    memcpy (out ? row : here, out ? here : row, bytes);
  }
}

static void
clear_rows (const runner *r, const field *f, char *packed)
{
  const fv_array *a = array_of (r, f);
  const int64_t lines = array_planes (a) * array_rows (a);
  const size_t bytes = (size_t) (array_columns (a) * f->bytes);
#pragma omp parallel for schedule(static) num_threads(r->threads)
  for (int64_t n = 0; n < lines; n++)
    memset (packed + (size_t) n * bytes, 0, bytes);
}

static fv_status
fill_whole (const runner *r, fv_error *error)
{
  char *whole = r->whole ? worker_whole (r->worker, r->whole, error) : NULL;
  if (r->whole && !whole)
    return error->code;
  for (const field *f = r->fields; f < r->fields + r->n_fields; f++)
    if (f->raw && f->output)
      clear_rows (r, f, whole + f->offset);
    else if (f->raw)
      copy_rows (r, f, whole + f->offset, false);
  return FV_OK;
}

static fv_status
fetch_whole (const runner *r, fv_error *error)
{
  char *whole = r->whole ? worker_whole (r->worker, r->whole, error) : NULL;
  for (const field *f = r->fields; f < r->fields + r->n_fields; f++)
    if (f->raw && f->output)
      copy_rows (r, f, whole + f->offset, true);
  return FV_OK;
}

/* ---- Pieces ---- */

/* Whole rows when a slot has room for some, and small enough for all threads to have several. */
static void
cut (runner *r)
{
  const int64_t *shape = r->task.shape;
  int64_t bytes = 0, most;
  for (int k = 0; k < r->n_fields; k++)
    bytes += r->fields[k].raw ? 0 : r->fields[k].bytes;
  most = bytes ? (WORKER_PIXELS - 64 * WORKER_ARRAYS) / bytes : WORKER_PIXELS;
  most = smaller (most, shape[0] * shape[1] * shape[2] / (8 * r->threads) + 64);
  r->columns = smaller (shape[2], most);
  r->rows = r->columns < shape[2] ? 1 : smaller (shape[1], most / shape[2]);
  r->across = (shape[2] + r->columns - 1) / r->columns;
  r->down = (shape[1] + r->rows - 1) / r->rows;
  r->pieces = shape[0] * r->down * r->across;
}

static void
lay_out_piece (const runner *r, int64_t n, worker_slot *slot)
{
  const int64_t *shape = r->task.shape, strip = n / r->across;
  slot->plane = strip / r->down;
  slot->row = strip % r->down * r->rows;
  slot->rows = smaller (r->rows, shape[1] - slot->row);
  slot->begin = n % r->across * r->columns;
  slot->end = smaller (slot->begin + r->columns, shape[2]);
}

/* Copies what the piece has of an image: one row or column of what is broadcast. */
static void
copy_piece (const runner *r, const field *f, const worker_slot *piece, char *packed, bool out)
{
  const kernel_array *a = &r->job->task->arrays[f->index];
  const int64_t rows = a->stride[1] ? piece->rows : 1, columns = a->stride[2] ? piece->end - piece->begin : 1;
  char *first = (char *) a->data
                + (piece->plane * a->stride[0] + piece->row * a->stride[1] + piece->begin * a->stride[2]) * f->bytes;
  for (int64_t y = 0; y < rows; y++) {
    char *row = first + y * a->stride[1] * f->bytes, *here = packed + y * columns * f->bytes;
    memcpy (out ? row : here, out ? here : row, (size_t) (columns * f->bytes));
  }
}

/* Where the image's pixels are in the slot, behind those of the images before it. */
static size_t
packed_bytes (const field *f, const worker_slot *piece)
{
  return ((size_t) (piece->rows * (piece->end - piece->begin) * f->bytes) + 63) / 64 * 64;
}

static void
fill_slot (const runner *r, int64_t n, int index, bool one_by_one)
{
  worker_slot *slot = &worker_shared (r->worker)->slots[index];
  size_t offset, used = 0;
  char *pixels = worker_pixels (r->worker, index, &offset);
  lay_out_piece (r, n, slot);
  slot->task = r->task;
  slot->one_by_one = one_by_one;
  memset (slot->fault, 0, sizeof slot->fault);
  memset (slot->shift, 0, sizeof slot->shift);
  for (const field *f = r->fields; f < r->fields + r->n_fields; f++) {
    kernel_array *a = &slot->task.arrays[f->index];
    if (f->raw)
      continue;
    if (!f->output)
      copy_piece (r, f, slot, pixels + used, false);
    a->data = (void *) (offset + used);
    a->stride[0] = 0;
    a->stride[1] = a->stride[1] ? a->stride[2] ? slot->end - slot->begin : 1 : 0;
    slot->shift[f->index] = (slot->row * a->stride[1] + slot->begin * a->stride[2]) * f->bytes;
    used += packed_bytes (f, slot);
  }
}

static bool
is_raw (const runner *r, int64_t array)
{
  for (const field *f = r->fields; f < r->fields + r->n_fields; f++)
    if (f->raw && f->index == array)
      return true;
  return false;
}

/* Of several indices that are outside the one of the first element is told. */
static void
note_fault (runner *r, const int64_t shared[FAULT_VALUES])
{
  int64_t fault[FAULT_VALUES];
  memcpy (fault, shared, sizeof fault);
  if (!fault[FAULT_FOUND] || !is_raw (r, fault[FAULT_ARRAY]) || fault[FAULT_AXIS] < -1 || fault[FAULT_AXIS] > 2)
    return;
#pragma omp critical(kernel_fault)
  if (!r->fault[FAULT_FOUND] || fault[FAULT_I] < r->fault[FAULT_I])
    memcpy (r->fault, fault, sizeof fault);
}

/* The slot's own numbers may have been overwritten by the kernel. */
static void
empty_slot (runner *r, int64_t n, int index)
{
  worker_slot *slot = &worker_shared (r->worker)->slots[index], piece;
  size_t offset, used = 0;
  char *pixels = worker_pixels (r->worker, index, &offset);
  lay_out_piece (r, n, &piece);
  for (const field *f = r->fields; f < r->fields + r->n_fields; f++)
    if (!f->raw) {
      if (f->output)
        copy_piece (r, f, &piece, pixels + used, true);
      used += packed_bytes (f, &piece);
    }
  note_fault (r, slot->fault);
}

/* ---- Waiting ---- */

static why
stopped (const runner *r)
{
  return __atomic_load_n (&r->stop, __ATOMIC_RELAXED);
}

static void
stop (runner *r, why reason)
{
  why before = GOES_ON;
  __atomic_compare_exchange_n (&r->stop, &before, reason, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static void
start_clock (runner *r)
{
  const double limit = r->job->settings->code.time_limit;
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  if (limit <= 0 || limit > 1e9)
    return;
  r->end.tv_sec = now.tv_sec + (time_t) limit;
  r->end.tv_nsec = now.tv_nsec + (long) ((limit - floor (limit)) * 1e9);
  if (r->end.tv_nsec >= 1000000000)
    r->end.tv_sec++, r->end.tv_nsec -= 1000000000;
}

static bool
is_late (const runner *r)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return r->end.tv_sec
         && (now.tv_sec > r->end.tv_sec || (now.tv_sec == r->end.tv_sec && now.tv_nsec >= r->end.tv_nsec));
}

/* Whether the run is to stop; only the thread that entered run() asks the host. */
static int
look (void *data)
{
  runner *r = data;
  if (is_calling_thread () && r->job->call->host->tick (r->job->call, smaller (r->next, r->pieces), r->pieces))
    stop (r, IS_CANCELLED);
  if (is_late (r))
    stop (r, IS_LATE);
  if (worker_has_ended (r->worker))
    stop (r, HAS_ENDED);
  return stopped (r) != GOES_ON;
}

/* Whether the slot's piece was done. */
static bool
await (runner *r, int index)
{
  worker_slot *slot = &worker_shared (r->worker)->slots[index];
  const struct timespec moment = {.tv_nsec = MOMENT * 1000000};
  int patience = PATIENCE;
  for (uint32_t state; (state = slot_state (slot)) != SLOT_DONE;) {
    if (state == SLOT_CRASHED)
      stop (r, HAS_ENDED);
    if (stopped (r) == HAS_ENDED || (stopped (r) && !patience--))
      return false;
    futex_wait (&slot->state, state, &moment);
    if (slot_state (slot) == state)
      look (r);
  }
  return true;
}

/* Empties the slot when a piece is in it. */
static void
finish_slot (runner *r, int index)
{
  if (r->flying[index] < 0 || !await (r, index))
    return;
  empty_slot (r, r->flying[index], index);
  r->flying[index] = -1;
}

static void
feed_slots (runner *r, int thread)
{
  while (!stopped (r)) {
    const int64_t n = __atomic_fetch_add (&r->next, 1, __ATOMIC_SEQ_CST);
    const int index = worker_slot_of (r->worker, thread);
    if (n >= r->pieces)
      break;
    finish_slot (r, index);
    if (is_calling_thread ())
      look (r);
    if (stopped (r)) {
      r->left[thread] = n;
      break;
    }
    fill_slot (r, n, index, false);
    r->flying[index] = n;
    slot_set (&worker_shared (r->worker)->slots[index], SLOT_READY);
    worker_next_slot (r->worker, thread);
  }
  for (int i = 0; i < WORKER_RING; i++)
    finish_slot (r, thread * WORKER_RING + (worker_slot_of (r->worker, thread) + i) % WORKER_RING);
}

/* The thread that asks the host keeps asking while others still wait for their pieces. */
static void
feed (runner *r, int thread)
{
  const struct timespec moment = {.tv_nsec = MOMENT * 1000000};
  __atomic_add_fetch (&r->feeding, 1, __ATOMIC_SEQ_CST);
  feed_slots (r, thread);
  __atomic_sub_fetch (&r->feeding, 1, __ATOMIC_SEQ_CST);
  if (!is_calling_thread ()) {
    futex_wake (&r->feeding);
    return;
  }
  for (uint32_t others; (others = __atomic_load_n (&r->feeding, __ATOMIC_SEQ_CST)) && !look (r);)
    futex_wait (&r->feeding, others, &moment);
}

/* ---- A worker ---- */

static void
release (const fv_device *device, void *state)
{
  (void) device;
  worker_free (state);
}

static fv_status
prepare (runner *r, fv_error *error)
{
  bool known;
  const int library = worker_library (r->worker, r->job->source, &known);
  const int file =
    known ? -1 : kernel_library_open (r->job->call, r->job->compiler, r->job->source, r->job->plain, error);
  if ((file < 0 && !known) || fill_whole (r, error))
    return error->code;
  start_clock (r);
  const fv_status status = worker_prepare (r->worker, library, r->job->source, file, r->threads, look, r, error);
  if (file >= 0)
    close (file);
  if (status == FV_CANCELLED)
    stop (r, HAS_ENDED);
  return status == FV_CANCELLED ? FV_OK : status;
}

/* A worker that was left by an earlier call, or a new one. */
static fv_status
find_worker (runner *r, fv_error *error)
{
  const fv_call *call = r->job->call;
  while ((r->worker = call->host->take_state (call, WORKER_STATE)) && !worker_is_usable (r->worker))
    worker_free (r->worker);
  if (!r->worker && !(r->worker = worker_start (error)))
    return error->code;
  memset (r->flying, -1, sizeof r->flying);
  memset (r->left, -1, sizeof r->left);
  return FV_OK;
}

/* ---- After a crash ---- */

/* Runs a piece in the fresh worker; true when it crashes, with its element. */
static bool
crashes_again (runner *r, int64_t n, int64_t element[3])
{
  const int index = worker_slot_of (r->worker, 0);
  worker_slot *slot = &worker_shared (r->worker)->slots[index], piece;
  fill_slot (r, n, index, true);
  lay_out_piece (r, n, &piece);
  slot_set (slot, SLOT_READY);
  worker_next_slot (r->worker, 0);
  if (await (r, index) || stopped (r) != HAS_ENDED)
    return false;
  element[0] = piece.plane;
  element[1] = slot->element[0];
  element[2] = slot->element[1];
  return element[1] >= piece.row && element[1] < piece.row + piece.rows && element[2] >= piece.begin
         && element[2] < piece.end;
}

static int
compare (const void *a, const void *b)
{
  const int64_t x = *(const int64_t *) a, y = *(const int64_t *) b;
  return (x > y) - (x < y);
}

/* The first element at which the pieces that were not finished crash. */
static bool
find_element (runner *r, int64_t element[3])
{
  fv_error unused = FV_ERROR_INIT;
  int64_t pieces[WORKER_SLOTS + WORKER_THREADS] = {0};
  int n = 0;
  bool found = false;
  for (int i = 0; i < WORKER_SLOTS; i++)
    if (r->flying[i] >= 0)
      pieces[n++] = r->flying[i];
  for (int i = 0; i < r->threads; i++)
    if (r->left[i] >= 0)
      pieces[n++] = r->left[i];
  qsort (pieces, (size_t) n, sizeof *pieces, compare);
  worker_free (r->worker);
  r->stop = GOES_ON;
  if (!(r->worker = worker_start (&unused)))
    return false;
  if (!prepare (r, &unused))
    for (int i = 0; i < n && !stopped (r) && !found; i++)
      found = crashes_again (r, pieces[i], element);
  return found;
}

static fv_status
report_crash (runner *r, fv_error *error)
{
  char how[128];
  int64_t at[3];
  worker_how (r->worker, how, sizeof how);
  if (find_element (r, at)) {
    worker_how (r->worker, how, sizeof how); /* of this element alone */
    return fail (error, FV_BAD_ARGUMENT, "operation", "The kernel %s, at plane %lld, row %lld, column %lld, from 0.",
                 how, (long long) at[0], (long long) at[1], (long long) at[2]);
  }
  if (stopped (r) == IS_CANCELLED)
    return cancelled (error);
  return fail (error, FV_BAD_ARGUMENT, "operation", "The kernel %s.", how);
}

/* ---- The run ---- */

static fv_status
run_pieces (runner *r, fv_error *error)
{
  if (prepare (r, error))
    return error->code;
#pragma omp parallel num_threads(r->threads)
  feed (r, (int) thread_index ());
  switch (stopped (r)) {
  case GOES_ON: return fetch_whole (r, error);
  case IS_CANCELLED: return cancelled (error);
  case IS_LATE: return kernel_late (r->job->settings, error);
  default: return report_crash (r, error);
  }
}

static bool
has_pieces (const runner *r)
{
  for (int i = 0; i < WORKER_SLOTS; i++)
    if (r->flying[i] >= 0)
      return true;
  return false;
}

fv_status
kernel_run_pieces (const kernel_job *job, fv_error *error)
{
  runner *r = calloc (1, sizeof *r);
  if (!r)
    return fail (error, FV_NO_MEMORY, "", "Not enough memory for a kernel.");
  r->job = job;
  r->threads = (int) smaller (threads_at_most (), WORKER_THREADS);
  find_fields (r);
  cut (r);
  fv_status status = find_worker (r, error);
  if (!status)
    status = run_pieces (r, error);
  if (!status)
    status = kernel_fault (job->plan, job->task, r->fault, error);
  if (r->worker && stopped (r) != HAS_ENDED && !has_pieces (r))
    job->call->host->leave_state (job->call, WORKER_STATE, r->worker, release);
  else if (r->worker)
    worker_free (r->worker);
  free (r);
  return status;
}
