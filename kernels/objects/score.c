/* SPDX-License-Identifier: MIT
 *
 * score: each found object counts what it shares with the true ones. Objects are then matched one after the other.
 */
#include "kernels/objects/score.h"

#include "kernels/common/alike.h"
#include "kernels/common/grain.h"
#include "kernels/objects/overlaps.h"

enum { FIRST = 10, THRESHOLDS = 10, AP75 = 5, TWENTIETHS = 20 }; /* from 10/20 to 19/20 */

/* ---- Matching ---- */

/* Objects and pairs of one plane, or of the volume. */
typedef struct score_plane {
  const score_pair *pairs;
  int64_t n_pairs, found, truth; /* numbers */
} score_plane;

typedef struct score_matches {
  int64_t matched[THRESHOLDS], merged, split;
  double iou[THRESHOLDS]; /* sums */
} score_matches;

/* Of each object: what was last seen with it, so that nothing is cleared between thresholds. */
typedef struct score_marks {
  int32_t *found, *truth;
} score_marks;

static inline int64_t
score_union (const score_counts *c, const score_pair *p)
{
  return c->found[p->found].pixels + c->truth[p->truth].pixels - p->shared;
}

/* Pairs in order: of equal ones the first counts. */
static void
match (const score_counts *c, const score_plane *plane, int32_t threshold, score_marks *marks, score_matches *to)
{
  for (int64_t i = 0; i < plane->n_pairs; i++) {
    const score_pair *p = &plane->pairs[i];
    const int64_t all = score_union (c, p);
    if (TWENTIETHS * p->shared < (FIRST + threshold) * all || marks->found[p->found] == threshold
        || marks->truth[p->truth] == threshold)
      continue;
    marks->found[p->found] = marks->truth[p->truth] = threshold;
    to->matched[threshold]++;
    to->iou[threshold] += (double) p->shared / (double) all;
  }
}

/* The second that is mostly inside an object makes it count, and a third does not. marks: 0 for all. */
static void
count_joins (const score_counts *c, const score_plane *plane, score_marks *marks, score_matches *to)
{
  for (int64_t i = 0; i < plane->n_pairs; i++) {
    const score_pair *p = &plane->pairs[i];
    to->merged += 2 * p->shared > c->truth[p->truth].pixels && ++marks->found[p->found] == 2;
    to->split += 2 * p->shared > c->found[p->found].pixels && ++marks->truth[p->truth] == 2;
  }
}

/* ---- The table ---- */

static double
ratio (int64_t a, int64_t b)
{
  return b ? (double) a / (double) b : NAN;
}

/* What every row has of a threshold, in the order of the columns; returns their number. */
static int
put_threshold (const score_plane *plane, const score_matches *m, int threshold, double *to)
{
  const int64_t matched = m->matched[threshold], objects = plane->found + plane->truth;
  int n = 0;
  to[n++] = (double) matched;
  to[n++] = (double) (plane->truth - matched);
  to[n++] = (double) (plane->found - matched);
  to[n++] = ratio (matched, plane->found);
  to[n++] = ratio (matched, plane->truth);
  to[n++] = ratio (2 * matched, objects);
  to[n++] = matched ? m->iou[threshold] / (double) matched : NAN;
  to[n++] = ratio (matched, objects - matched);
  return n;
}

static double
mean_precision (const score_plane *plane, const score_matches *m)
{
  double sum = 0;
  for (int k = 0; k < THRESHOLDS; k++)
    sum += ratio (m->matched[k], plane->found + plane->truth - m->matched[k]);
  return sum / THRESHOLDS;
}

/* Row number k of the plane's, in the order of the columns. */
static void
put_row (const score_plane *plane, const score_matches *m, bool summary, int k, double *to)
{
  if (summary) {
    *to++ = (double) plane->truth;
    *to++ = (double) plane->found;
  } else
    *to++ = (FIRST + k) / (double) TWENTIETHS;
  to += put_threshold (plane, m, k, to);
  if (summary) {
    *to++ = ratio (m->matched[AP75], plane->found + plane->truth - m->matched[AP75]);
    *to++ = mean_precision (plane, m);
  }
  to[0] = (double) m->merged;
  to[1] = (double) m->split;
}

#define SCORE_COUNTED(AT)                                                                                              \
  {"matched", "", "Found objects whose IoU with a true one is not below " AT ".", FV_COLUMN_INTEGER},                  \
    {"missed", "", "True objects without a match.", FV_COLUMN_INTEGER},                                                \
    {"extra", "", "Found objects without a match.", FV_COLUMN_INTEGER},                                                \
    {"precision", "", "Matched by found objects.", FV_COLUMN_FLOAT},                                                   \
    {"recall", "", "Matched by true objects.", FV_COLUMN_FLOAT},                                                       \
    {"f1", "", "Twice the matched by all found and true objects.", FV_COLUMN_FLOAT},                                   \
  {                                                                                                                    \
    "mean_iou", "", "Mean IoU of the matched objects.", FV_COLUMN_FLOAT                                                \
  }
#define SCORE_JOINS                                                                                                    \
  {"merged", "", "Found objects that have more than half of each of several true ones.", FV_COLUMN_INTEGER},           \
  {                                                                                                                    \
    "split", "", "True objects that have more than half of each of several found ones.", FV_COLUMN_INTEGER             \
  }

static const fv_column slice_column = {"z", "", "The slice, counted from 1.", FV_COLUMN_INTEGER};
static const fv_column threshold_columns[] = {
  {"iou", "", "The threshold of the IoU, pixels of both objects by pixels of either.", FV_COLUMN_FLOAT},
  SCORE_COUNTED ("the threshold"),
  {"ap", "", "Matched by matched, missed and extra objects.", FV_COLUMN_FLOAT},
  SCORE_JOINS};
static const fv_column summary_columns[] = {
  {"true", "", "Number of true objects.", FV_COLUMN_INTEGER},
  {"found", "", "Number of found objects.", FV_COLUMN_INTEGER},
  SCORE_COUNTED ("0.5"),
  {"ap50", "", "Matched by matched, missed and extra objects at an IoU of 0.5.", FV_COLUMN_FLOAT},
  {"ap75", "", "The same at 0.75.", FV_COLUMN_FLOAT},
  {"ap", "", "The mean of the same at 0.5, 0.55 to 0.95.", FV_COLUMN_FLOAT},
  SCORE_JOINS};
enum {
  OF_THRESHOLD = sizeof threshold_columns / sizeof *threshold_columns,
  OF_SUMMARY = sizeof summary_columns / sizeof *summary_columns
};

static bool
has_slices (const fv_call *call)
{
  return !((const score_args *) call->args)->volume && array_planes (call->inputs[SCORE_FOUND]) > 1;
}

static fv_status
make_table (const fv_call *call, int64_t rows, double **v, fv_error *error)
{
  const bool summary = ((const score_args *) call->args)->rows == SCORE_SUMMARY;
  const uint32_t slices = has_slices (call), n = summary ? OF_SUMMARY : OF_THRESHOLD;
  fv_column columns[1 + OF_SUMMARY];
  columns[0] = slice_column;
  memcpy (columns + slices, summary ? summary_columns : threshold_columns, n * sizeof *columns);
  return call->host->table (call, columns, n + slices, sizeof *columns, rows, v, error);
}

/* How many of n objects from *at on are in plane z; *at: behind them. In a volume all. */
static int64_t
take_plane (const score_object *objects, int64_t n, bool planes, int32_t z, int64_t *at)
{
  const int64_t first = *at;
  while (*at < n && (!planes || objects[*at].z == z))
    (*at)++;
  return *at - first;
}

/* Rows of plane z begin at `row`, of n. */
static void
put_plane (const score_plane *plane, const score_matches *m, bool slices, bool summary, int32_t z, int64_t row,
           int64_t n, double *v)
{
  const int columns = summary ? OF_SUMMARY : OF_THRESHOLD;
  double values[OF_SUMMARY];
  for (int k = 0; k < (summary ? 1 : THRESHOLDS); k++) {
    put_row (plane, m, summary, k, values);
    if (slices)
      v[row + k] = z + 1;
    for (int j = 0; j < columns; j++)
      v[(j + slices) * n + row + k] = values[j];
  }
}

static void
set_marks (const score_counts *c, int32_t value, score_marks *marks)
{
  for (int64_t i = 0; i < c->n_found; i++)
    marks->found[i] = value;
  for (int64_t i = 0; i < c->n_truth; i++)
    marks->truth[i] = value;
}

/* Two loops over planes, since marks of joins are counts and those of matches thresholds. */
static fv_status
match_planes (const fv_call *call, const score_counts *c, score_plane *plane, score_matches *to, score_marks *marks,
              int64_t planes, fv_error *error)
{
  int64_t found = 0, truth = 0, pair = 0;
  set_marks (c, 0, marks);
  for (int64_t z = 0; z < planes; z++) {
    plane[z].found = take_plane (c->found, c->n_found, planes > 1, (int32_t) z, &found);
    plane[z].truth = take_plane (c->truth, c->n_truth, planes > 1, (int32_t) z, &truth);
    plane[z].pairs = c->pairs + pair;
    while (pair < c->n_pairs && c->pairs[pair].found < found)
      pair++;
    plane[z].n_pairs = c->pairs + pair - plane[z].pairs;
    memset (&to[z], 0, sizeof to[z]);
    count_joins (c, &plane[z], marks, &to[z]);
  }
  set_marks (c, -1, marks);
  for (int64_t z = 0; z < planes; z++)
    for (int k = 0; k < THRESHOLDS; k++) {
      if (call->host->tick (call, z * THRESHOLDS + k, planes * THRESHOLDS))
        return cancelled (error);
      match (c, &plane[z], k, marks, &to[z]);
    }
  return FV_OK;
}

fv_status
score_table (const fv_call *call, const score_counts *counts, fv_error *error)
{
  const bool summary = ((const score_args *) call->args)->rows == SCORE_SUMMARY, slices = has_slices (call);
  const int64_t planes = slices ? array_planes (call->inputs[SCORE_FOUND]) : 1, each = summary ? 1 : THRESHOLDS;
  score_plane *plane = NULL;
  score_matches *matches = NULL;
  score_marks marks;
  double *v;
  fv_status status = host_items (call, planes, sizeof *plane, &plane, error);
  if (!status)
    status = host_items (call, planes, sizeof *matches, &matches, error);
  if (!status)
    status = host_items (call, counts->n_found, sizeof *marks.found, &marks.found, error);
  if (!status)
    status = host_items (call, counts->n_truth, sizeof *marks.truth, &marks.truth, error);
  if (!status)
    status = match_planes (call, counts, plane, matches, &marks, planes, error);
  if (!status)
    status = make_table (call, planes * each, &v, error);
  for (int64_t z = 0; z < planes && !status; z++)
    put_plane (&plane[z], &matches[z], slices, summary, (int32_t) z, z * each, planes * each, v);
  return status;
}

/* ---- On the CPU ---- */

typedef struct score_work {
  const regions *found;
  overlaps shared; /* with the true objects */
  int64_t *first;  /* [found + 1]: pair of each found object; first how many it has */
  score_pair *pairs;
  progress progress;
} score_work;

/* Puts the pairs of a found object in the order of the true ones, if there is room for them. */
static void
count_pairs (const score_work *w, int64_t object, score_pair *to)
{
  const overlaps_met o = overlaps_of (&w->shared, &w->found->items[object]);
  for (int64_t i = 0; i < o.n; i++) {
    const score_pair pair = {o.pixels[o.met[i]], (int32_t) object, o.met[i]};
    o.pixels[o.met[i]] = 0;
    if (!to)
      continue;
    int64_t at = i;
    for (; at > 0 && to[at - 1].truth > pair.truth; at--)
      to[at] = to[at - 1];
    to[at] = pair;
  }
  if (!to)
    w->first[object] = o.n;
}

/* Counts the pairs of each found object, or with room for them puts them. */
static bool
go_over (score_work *w)
{
#pragma omp parallel for schedule(dynamic, 256)
  for (int64_t i = 0; i < w->found->n; i++) {
    if (progress_stopped (&w->progress))
      continue;
    count_pairs (w, i, w->pairs ? w->pairs + w->first[i] : NULL);
    progress_step (&w->progress, 1);
  }
  return !w->progress.stop;
}

static fv_status
list_objects (const fv_call *call, const regions *from, score_object **to, fv_error *error)
{
  fv_status status = host_items (call, from->n, sizeof **to, to, error);
  for (int64_t i = 0; i < from->n && !status; i++)
    (*to)[i] = (score_object){from->items[i].pixels, from->items[i].low[0], from->items[i].label};
  return status;
}

static fv_status
list_pairs (const fv_call *call, score_work *w, score_counts *to, fv_error *error)
{
  fv_status status = host_items (call, w->found->n, sizeof *w->first, &w->first, error);
  if (status)
    return status;
  w->progress = (progress){call, .total = 2 * w->found->n};
  if (!go_over (w))
    return cancelled (error);
  for (int64_t i = 0; i < w->found->n; i++) {
    const int64_t n = w->first[i];
    w->first[i] = to->n_pairs;
    to->n_pairs += n;
  }
  status = host_items (call, to->n_pairs, sizeof *w->pairs, &w->pairs, error);
  if (!status && !go_over (w))
    return cancelled (error);
  to->pairs = w->pairs;
  return status;
}

static fv_status
score_cpu (const fv_call *call, fv_error *error)
{
  const bool volume = ((const score_args *) call->args)->volume;
  const fv_array *truth = call->inputs[SCORE_TRUTH];
  regions found, others;
  score_work w = {.found = &found};
  score_counts counts = {0};
  fv_status status = regions_find (call, call->inputs[SCORE_FOUND], volume, &found, error);
  if (!status)
    status = regions_find (call, truth, volume, &others, error);
  if (status)
    return status;
  counts.n_found = found.n;
  counts.n_truth = others.n;
  status = list_objects (call, &found, &counts.found, error);
  if (!status)
    status = list_objects (call, &others, &counts.truth, error);
  if (!status)
    status = overlaps_make (call, truth, &others, &w.shared, error);
  if (!status)
    status = list_pairs (call, &w, &counts, error);
  return status ? status : score_table (call, &counts, error);
}

/* ---- The operation ---- */

static fv_status
score_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const fv_grid *found = in[SCORE_FOUND], *truth = in[SCORE_TRUTH];
  (void) op, (void) args, (void) out;
  if (regions_check_image (found, error))
    return error->code;
  if (check_alike (truth, "truth", found, "the labels", ALIKE, error))
    return error->code;
  return FV_OK;
}

const fv_op fv_op_score = {
  FV_OP (score_args),
  .key = "score",
  .menu = "Analyze",
  .label = "Score Labels...",
  .search = "accuracy evaluate compare ground truth iou jaccard dice f1 average precision recall segmentation quality",
  .help = "Compares the objects of a label image with the true ones: matched, missed, extra, merged and split.",
  .cite = "U. Schmidt et al., MICCAI 2018; J. C. Caicedo et al., Nat. Methods 16 (2019)",
  .kind = FV_TABLE,
  .reads_back = true,
  .inputs =
    (const fv_input[]){
      {"image", "Labels", "The label image of the objects that were found.", FV_INTEGERS | FV_WANTS_LABELS, false},
      {"truth", "Truth", "The label image of the true objects, such as one that was drawn by hand.",
       FV_INTEGERS | FV_WANTS_LABELS, false},
      {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (score_args, rows), .label = "A row for each",
       .choices = (const fv_choice[]){{"thresholds", "Threshold", "Of the IoU: 0.5, 0.55 to 0.95."},
                                      {"summary", "Image", "Counts at an IoU of 0.5, and the mean precision."},
                                      {0}},
       .help = "Of what the table has rows."},
      {FV_FIELD (score_args, volume), .label = "3-D (whole stack)",
       .help = "Takes the planes as one volume, not each plane by itself."},
      {0}},
  .grain = grain_frame,
  .infer = score_infer,
  .run = {[FV_CPU] = score_cpu, [FV_CUDA] = FV_CUDA_FN (score_cuda)},
};
