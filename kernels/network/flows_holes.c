/* SPDX-License-Identifier: MIT
 *
 * Holes of objects: what is not of the object and not connected to the border of its box. Cellpose fills those of one object after the other, and an
 * object that fills a hole takes all that lies in it. Where no hole has pixels of another object, the order is of no account, and all are filled at
 * once. Else those that have holes, and those that lie in others', are done one by one.
 */
#include "kernels/network/flows_holes.h"

#include "kernels/common/upload.h"

enum { SWEPT = 1 << 16 /* words in a launch, about */ };

/* Adds the box of an object to those of the next launches. false: its bits do not fit. */
static bool
add_box (flows_worker *w, int32_t number)
{
  const flows_object *o = &w->objects[number];
  flows_job *j = &w->job;
  flows_box b = {.from = j->n_words,
                 .object = number,
                 .top = o->top,
                 .left = o->left,
                 .rows = o->bottom - o->top + 1,
                 .columns = o->right - o->left + 1};
  b.words = (b.columns + 63) / 64;
  const int64_t words = (int64_t) b.rows * b.words;
  if (j->n_boxes && j->n_words + words > j->rows * j->columns * FLOWS_SHARED / (2 * (int64_t) sizeof *j->free))
    return false;
  w->boxes[j->n_boxes++] = b;
  j->n_words += words;
  return true;
}

/* Finds what is open of the boxes. */
static fv_status
sweep (flows_worker *w, fv_error *error)
{
  flows_job *j = &w->job;
  int64_t largest = 1;
  for (int64_t i = 0; i < j->n_boxes; i++) {
    const int64_t words = (int64_t) w->boxes[i].rows * w->boxes[i].words;
    largest = words > largest ? words : largest;
  }
  j->sweeps = (int32_t) (largest < SWEPT ? SWEPT / largest : 1);
  j->free = (uint64_t *) (void *) w->shared;
  j->open = j->free + j->n_words;
  j->boxes = w->boxes_there;
  j->again = w->flag;
  int32_t again = 1;
  fv_status status = upload_now (w->call, w->boxes_there, w->boxes, (size_t) j->n_boxes * sizeof *w->boxes, error);
  if (!status)
    status = flows_each (w, FLOWS_BITS, j->n_words, 64, error);
  while (!status && again) {
    status = flows_reset (w, error);
    if (!status)
      status = flows_each (w, FLOWS_SWEEP, j->n_boxes, largest * j->sweeps, error);
    if (!status)
      status = flows_read (w, &again, error);
  }
  return status;
}

/* Sorted objects from *next on, as many as fit. */
static fv_status
sweep_some (flows_worker *w, int64_t n, int64_t *next, fv_error *error)
{
  w->job.n_boxes = 0;
  w->job.n_words = 0;
  while (*next < n && add_box (w, flows_at (w, *next)))
    ++*next;
  return sweep (w, error);
}

static fv_status
fill (flows_worker *w, fv_error *error)
{
  return flows_each (w, FLOWS_FILL, w->job.n_words, 64, error);
}

static fv_status
fill_together (flows_worker *w, int64_t n, fv_error *error)
{
  fv_status status = FV_OK;
  for (int64_t next = 0; !status && next < n;) {
    status = sweep_some (w, n, &next, error);
    if (!status)
      status = fill (w, error);
  }
  return status;
}

static fv_status
fill_in_order (flows_worker *w, int64_t n, fv_error *error)
{
  fv_status status = FV_OK;
  for (int64_t i = 0; !status && i < n; i++) {
    const flows_object *o = &w->objects[flows_at (w, i)];
    int64_t next = i;
    if (!o->has_holes && !o->lies_in)
      continue;
    status = sweep_some (w, i + 1, &next, error);
    if (!status)
      status = fill (w, error);
  }
  return status;
}

fv_status
flows_fill_holes (flows_worker *w, fv_error *error)
{
  const int64_t n = flows_sort (w);
  int64_t next = 0, batches = 0;
  bool some = false, hold = false;
  fv_status status = flows_tell (w, error);
  for (; !status && next < n; batches++) {
    status = sweep_some (w, n, &next, error);
    if (!status)
      status = flows_each (w, FLOWS_LOOK, w->job.n_words, 64, error);
  }
  if (!status)
    status = flows_ask (w, error);
  for (int64_t i = 0; !status && i < w->n; i++) {
    some |= w->objects[i].has_holes;
    hold |= w->objects[i].holds;
  }
  if (status || !some)
    return status;
  return hold ? fill_in_order (w, n, error) : batches == 1 ? fill (w, error) : fill_together (w, n, error);
}
