/* SPDX-License-Identifier: MIT
 *
 * The commands of edit, on any device: what they change is fetched, changed in host memory and stored. Numbers that only become others,
 * as those of a deleted object, are written down and changed all at once, at the end or when pixels have to be right before.
 */
#include "kernels/edit/edit_commands.h"
#include "kernels/image/copy_planes.h"
#include "kernels/edit/edit_shapes.h"
#include "kernels/edit/edit_text.h"

#include <stdlib.h>

/* ---- Numbers ---- */

/* How many changes are of smaller numbers. */
static int64_t
changes_below (const edit_job *job, int32_t label)
{
  int64_t low = 0, high = job->n_changes;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (job->changes[middle].from < label)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

int32_t
edit_now (const edit_job *job, int32_t label)
{
  const int64_t i = changes_below (job, label);
  return i < job->n_changes && job->changes[i].from == label ? job->changes[i].to : label;
}

/* An object gets another number, or none. */
static fv_status
change (edit_job *job, int32_t label, int32_t to, fv_error *error)
{
  const size_t used = (size_t) job->n_changes * sizeof *job->changes;
  const int64_t index = changes_below (job, label);
  if (edit_grow (job, &job->changed, used + sizeof *job->changes, used, error))
    return error->code;
  job->changes = job->changed.at;
  for (int64_t i = 0; i < job->n_changes; i++)
    if (job->changes[i].to == label)
      job->changes[i].to = to;
  memmove (job->changes + index + 1, job->changes + index, (size_t) (job->n_changes - index) * sizeof *job->changes);
  job->changes[index] = (edit_change){label, to};
  job->n_changes++;
  return FV_OK;
}

static fv_status
make_changes (edit_job *job, fv_error *error)
{
  if (job->n_changes && job->passes->replace (job, error))
    return error->code;
  job->n_changes = 0;
  return FV_OK;
}

/* So many numbers that no object has, from *label on. */
static fv_status
new_labels (edit_job *job, int64_t n, int32_t *label, fv_error *error)
{
  if (job->highest < 0 && job->passes->highest (job, &job->highest, error))
    return error->code;
  if (n > INT32_MAX - job->highest)
    return fail (error, FV_BAD_INPUT, "image",
                 "No number is left for a new object: the largest is already %d. Renumber the objects first.",
                 job->highest);
  *label = job->highest + 1;
  job->highest += (int32_t) n;
  return FV_OK;
}

/* ---- Positions ---- */

static bool
holds (const edit_box *box, const edit_position *p)
{
  return p->z >= box->from[0] && p->z < box->to[0] && p->y >= box->from[1] && p->y < box->to[1] && p->x >= box->from[2]
         && p->x < box->to[2];
}

/* The number of the object there, or 0. */
static fv_status
object_at (edit_job *job, const edit_position *p, int32_t *label, fv_error *error)
{
  edit_view view = {.box = {{p->z, p->y, p->x}, {p->z + 1, p->y + 1, p->x + 1}}};
  *label = 0;
  if (!holds (&job->all, p))
    return FV_OK;
  if (job->passes->fetch (job, &view, error))
    return error->code;
  *label = edit_now (job, *edit_pixel (&view, p->z, p->y, p->x));
  return FV_OK;
}

/* The box that the positions span, in the plane of the first; FALSE: it is empty. */
static bool
box_of (const edit_job *job, const edit_position *positions, int64_t n, edit_box *box)
{
  *box = (edit_box){{positions->z, positions->y, positions->x}, {positions->z + 1, positions->y + 1, positions->x + 1}};
  for (int64_t i = 1; i < n; i++) {
    const int64_t at[3] = {positions->z, positions[i].y, positions[i].x};
    for (int a = 0; a < 3; a++) {
      box->from[a] = at[a] < box->from[a] ? at[a] : box->from[a];
      box->to[a] = at[a] + 1 > box->to[a] ? at[a] + 1 : box->to[a];
    }
  }
  for (int a = 0; a < 3; a++) {
    box->from[a] = box->from[a] > job->all.from[a] ? box->from[a] : job->all.from[a];
    box->to[a] = box->to[a] < job->all.to[a] ? box->to[a] : job->all.to[a];
  }
  return edit_extent (box, 0) > 0 && edit_extent (box, 1) > 0 && edit_extent (box, 2) > 0;
}

/* ---- delete, merge ---- */

/* missed: whether a position has no object. */
static fv_status
delete_objects (edit_job *job, const edit_position *positions, int64_t n, bool *missed, fv_error *error)
{
  for (int64_t i = 0; i < n; i++) {
    int32_t label;
    if (object_at (job, positions + i, &label, error) || (label && change (job, label, 0, error)))
      return error->code;
    *missed |= !label;
  }
  return FV_OK;
}

static fv_status
merge_objects (edit_job *job, const edit_position *positions, int64_t n, bool *missed, fv_error *error)
{
  int32_t first = 0;
  for (int64_t i = 0; i < n; i++) {
    int32_t label;
    if (object_at (job, positions + i, &label, error)
        || (label && first && label != first && change (job, label, first, error)))
      return error->code;
    first = first ? first : label;
    *missed |= !label;
  }
  return FV_OK;
}

/* ---- draw, erase ---- */

typedef struct brush {
  edit_pen pen;
  int32_t label;
  int64_t painted; /* pixels; of those that are erased, of objects */
} brush;

static fv_status
paint (edit_pen *pen, int64_t y, int64_t x, fv_error *error)
{
  brush *b = (brush *) pen;
  int32_t *pixel = edit_pixel (pen->view, pen->view->box.from[0], y, x);
  (void) error;
  b->painted += b->label || edit_now (pen->job, *pixel);
  *pixel = b->label;
  return FV_OK;
}

static fv_status
paint_polygon (edit_job *job, const edit_position *positions, int64_t n, const edit_box *box, int32_t label,
               bool *missed, fv_error *error)
{
  edit_view view = {.box = *box};
  brush b = {{paint, job, &view}, label, 0};
  if (job->passes->fetch (job, &view, error) || edit_inside (&b.pen, positions, n, error)
      || edit_lines (&b.pen, positions, n, true, false, error))
    return error->code;
  *missed = !b.painted;
  return job->passes->store (job, &view, error);
}

static fv_status
draw (edit_job *job, const edit_position *positions, int64_t n, bool *missed, fv_error *error)
{
  edit_box box;
  int32_t there, label;
  if ((*missed = !box_of (job, positions, n, &box)))
    return FV_OK;
  if (object_at (job, positions, &there, error))
    return error->code;
  label = there;
  if ((!there && new_labels (job, 1, &label, error)) || paint_polygon (job, positions, n, &box, label, missed, error))
    return error->code;
  job->highest -= !there && *missed; /* nothing has got the number */
  return FV_OK;
}

static fv_status
erase (edit_job *job, const edit_position *positions, int64_t n, bool *missed, fv_error *error)
{
  edit_box box;
  if ((*missed = !box_of (job, positions, n, &box)))
    return FV_OK;
  return paint_polygon (job, positions, n, &box, 0, missed, error);
}

/* ---- fill ---- */

/* 1 where the object is, and 0 elsewhere and in a margin. */
static fv_status
object_map (edit_job *job, const edit_view *view, int32_t label, edit_view *map, fv_error *error)
{
  const bool deep = edit_extent (&job->all, 0) > 1;
  map->box = view->box;
  for (int a = deep ? 0 : 1; a < 3; a++) {
    map->box.from[a]--;
    map->box.to[a]++;
  }
  map->row = edit_extent (&map->box, 2);
  map->plane = map->row * edit_extent (&map->box, 1);
  const size_t bytes = (size_t) (map->plane * edit_extent (&map->box, 0)) * sizeof *map->pixels;
  if (edit_grow (job, &job->map, bytes, 0, error))
    return error->code;
  map->pixels = memset (job->map.at, 0, bytes);
  for (int64_t z = view->box.from[0]; z < view->box.to[0]; z++)
    for (int64_t y = view->box.from[1]; y < view->box.to[1]; y++) {
      const int32_t *from = edit_pixel (view, z, y, view->box.from[2]);
      int32_t *to = edit_pixel (map, z, y, view->box.from[2]);
      for (int64_t x = 0; x < edit_extent (&view->box, 2); x++)
        to[x] = from[x] == label;
    }
  return FV_OK;
}

/* What the flood from outside has not reached and is background. */
static void
close_holes (const edit_view *view, const edit_view *map, int32_t label)
{
  for (int64_t z = view->box.from[0]; z < view->box.to[0]; z++)
    for (int64_t y = view->box.from[1]; y < view->box.to[1]; y++) {
      const int32_t *reached = edit_pixel (map, z, y, view->box.from[2]);
      int32_t *to = edit_pixel (view, z, y, view->box.from[2]);
      for (int64_t x = 0; x < edit_extent (&view->box, 2); x++)
        if (!reached[x] && !to[x])
          to[x] = label;
    }
}

static fv_status
fill_object (edit_job *job, int32_t label, fv_error *error)
{
  edit_view view = {.box = job->all}, map;
  edit_part outside = {.seed = 0};
  if (make_changes (job, error) || job->passes->bounds (job, label, &view.box, error)
      || job->passes->fetch (job, &view, error) || object_map (job, &view, label, &map, error)
      || edit_flood (job, &map, 2, false, &outside, error))
    return error->code;
  close_holes (&view, &map, label);
  return job->passes->store (job, &view, error);
}

static fv_status
fill (edit_job *job, const edit_position *positions, int64_t n, bool *missed, fv_error *error)
{
  for (int64_t i = 0; i < n; i++) {
    int32_t label;
    if (object_at (job, positions + i, &label, error) || (label && fill_object (job, label, error)))
      return error->code;
    *missed |= !label;
  }
  return FV_OK;
}

/* ---- split ---- */

/* An object that the line meets, and how many parts begin at it. */
typedef struct hit {
  int32_t label;
  int64_t parts;
} hit;

/* A pixel that the line has taken from an object. */
typedef struct cut {
  int64_t order;
  int32_t label;
} cut;

typedef struct knife {
  edit_pen pen;
  hit *hits; /* by label */
  cut *cuts;
  edit_part *parts;
  int64_t n_hits, n_cuts, n_parts;
} knife;

static int
compare_hits (const void *a, const void *b)
{
  const int32_t one = ((const hit *) a)->label, other = ((const hit *) b)->label;
  return (one > other) - (one < other);
}

static hit *
hit_of (const knife *k, int32_t label)
{
  const hit wanted = {.label = label};
  return k->n_hits ? bsearch (&wanted, k->hits, (size_t) k->n_hits, sizeof wanted, compare_hits) : NULL;
}

static fv_status
add_hit (edit_pen *pen, int64_t y, int64_t x, fv_error *error)
{
  knife *k = (knife *) pen;
  edit_memory *memory = &pen->job->hits;
  const int32_t label = edit_now (pen->job, *edit_pixel (pen->view, pen->view->box.from[0], y, x));
  const size_t used = (size_t) k->n_hits * sizeof *k->hits;
  if (!label || (k->n_hits && k->hits[k->n_hits - 1].label == label))
    return FV_OK;
  if (edit_grow (pen->job, memory, used + sizeof *k->hits, used, error))
    return error->code;
  k->hits = memory->at;
  k->hits[k->n_hits++] = (hit){label, 0};
  return FV_OK;
}

/* Each object once, in order. Whether the number of one is still to be that of others, too. */
static bool
sort_hits (knife *k)
{
  const edit_job *job = k->pen.job;
  bool merged = false;
  int64_t n = 0;
  qsort (k->hits, (size_t) k->n_hits, sizeof *k->hits, compare_hits);
  for (int64_t i = 0; i < k->n_hits; i++)
    if (!n || k->hits[n - 1].label != k->hits[i].label)
      k->hits[n++] = k->hits[i];
  k->n_hits = n;
  for (int64_t i = 0; i < job->n_changes; i++)
    merged |= job->changes[i].to && hit_of (k, job->changes[i].to);
  return merged;
}

/* Takes the pixels of all planes. */
static fv_status
add_cut (edit_pen *pen, int64_t y, int64_t x, fv_error *error)
{
  knife *k = (knife *) pen;
  edit_memory *memory = &pen->job->cuts;
  for (int64_t z = pen->view->box.from[0]; z < pen->view->box.to[0]; z++) {
    int32_t *pixel = edit_pixel (pen->view, z, y, x);
    const size_t used = (size_t) k->n_cuts * sizeof *k->cuts;
    if (!*pixel || !hit_of (k, *pixel))
      continue;
    if (edit_grow (pen->job, memory, used + sizeof *k->cuts, used, error))
      return error->code;
    k->cuts = memory->at;
    k->cuts[k->n_cuts++] = (cut){edit_order (pen->view, z, y, x), *pixel};
    *pixel = 0;
  }
  return FV_OK;
}

/* A part of the object begins at this pixel: it is marked by a number below 0. */
static fv_status
add_part (knife *k, int64_t order, int32_t label, fv_error *error)
{
  edit_job *job = k->pen.job;
  edit_part part = {.label = label, .seed = order};
  const size_t used = (size_t) k->n_parts * sizeof part;
  if (edit_grow (job, &job->parts, used + sizeof part, used, error)
      || edit_flood (job, k->pen.view, (int32_t) (-1 - k->n_parts), true, &part, error))
    return error->code;
  k->parts = job->parts.at;
  k->parts[k->n_parts++] = part;
  hit_of (k, label)->parts++;
  return FV_OK;
}

/* The parts around a pixel that was cut. */
static fv_status
add_parts (knife *k, const cut *c, fv_error *error)
{
  const edit_view *v = k->pen.view;
  const int64_t planes = edit_extent (&v->box, 0), rows = edit_extent (&v->box, 1), columns = edit_extent (&v->box, 2);
  const int64_t x = c->order % columns, y = c->order / columns % rows, z = c->order / columns / rows;
  for (int64_t i = 0; i < 27; i++) {
    const int64_t to[3] = {z + i / 9 - 1, y + i / 3 % 3 - 1, x + i % 3 - 1};
    if (to[0] < 0 || to[0] >= planes || to[1] < 0 || to[1] >= rows || to[2] < 0 || to[2] >= columns)
      continue;
    const int64_t order = (to[0] * rows + to[1]) * columns + to[2];
    if (*edit_ordered (v, order) == c->label && add_part (k, order, c->label, error))
      return error->code;
  }
  return FV_OK;
}

static int
compare_parts (const void *a, const void *b)
{
  const edit_part *one = a, *other = b;
  if (one->label != other->label)
    return one->label > other->label ? 1 : -1;
  return (one->first > other->first) - (one->first < other->first);
}

/* The largest of the parts of one object, the first of several. */
static const edit_part *
largest (const edit_part *parts, int64_t n)
{
  const edit_part *best = parts;
  for (int64_t i = 1; i < n; i++)
    if (parts[i].size > best->size)
      best = parts + i;
  return best;
}

/* Numbers the parts of an object; *next is the number of the next new one. */
static fv_status
number_parts (const knife *k, edit_part *parts, int64_t n, int32_t *next, fv_error *error)
{
  const edit_part *keeps = largest (parts, n);
  for (int64_t i = 0; i < n; i++) {
    edit_part part = parts[i];
    if (edit_flood (k->pen.job, k->pen.view, parts + i == keeps ? part.label : (*next)++, true, &part, error))
      return error->code;
  }
  return FV_OK;
}

/* Numbers all parts, and gives undivided objects their pixels back. */
static fv_status
number_objects (knife *k, int64_t new_objects, fv_error *error)
{
  int32_t next = 0;
  if (new_objects && new_labels (k->pen.job, new_objects, &next, error))
    return error->code;
  qsort (k->parts, (size_t) k->n_parts, sizeof *k->parts, compare_parts);
  for (int64_t i = 0; i < k->n_parts; i += hit_of (k, k->parts[i].label)->parts)
    if (number_parts (k, k->parts + i, hit_of (k, k->parts[i].label)->parts, &next, error))
      return error->code;
  for (int64_t i = 0; i < k->n_cuts; i++)
    if (hit_of (k, k->cuts[i].label)->parts < 2)
      *edit_ordered (k->pen.view, k->cuts[i].order) = k->cuts[i].label;
  return FV_OK;
}

/* A box around the objects. */
static fv_status
box_of_hits (const knife *k, edit_box *box, fv_error *error)
{
  edit_job *job = k->pen.job;
  *box = job->all;
  for (int64_t i = 0; i < k->n_hits && !job->passes->in_place; i++) {
    edit_box one = job->all;
    if (job->passes->bounds (job, k->hits[i].label, &one, error))
      return error->code;
    for (int a = 0; a < 3; a++) {
      box->from[a] = i && box->from[a] < one.from[a] ? box->from[a] : one.from[a];
      box->to[a] = i && box->to[a] > one.to[a] ? box->to[a] : one.to[a];
    }
  }
  return FV_OK;
}

static fv_status
divide (knife *k, const edit_position *positions, int64_t n, bool *missed, fv_error *error)
{
  edit_job *job = k->pen.job;
  edit_view view;
  int64_t new_objects = 0;
  k->pen.touch = add_cut;
  k->pen.view = &view;
  if (box_of_hits (k, &view.box, error) || job->passes->fetch (job, &view, error)
      || edit_lines (&k->pen, positions, n, false, true, error))
    return error->code;
  for (int64_t i = 0; i < k->n_cuts; i++)
    if (add_parts (k, k->cuts + i, error))
      return error->code;
  for (int64_t i = 0; i < k->n_hits; i++)
    new_objects += k->hits[i].parts > 1 ? k->hits[i].parts - 1 : 0;
  *missed = !new_objects;
  return number_objects (k, new_objects, error) ? error->code : job->passes->store (job, &view, error);
}

static fv_status
split_objects (edit_job *job, const edit_position *positions, int64_t n, bool *missed, fv_error *error)
{
  edit_view view;
  knife k = {.pen = {add_hit, job, &view}};
  *missed = true;
  if (!box_of (job, positions, n, &view.box))
    return FV_OK;
  if (job->passes->fetch (job, &view, error) || edit_lines (&k.pen, positions, n, false, true, error))
    return error->code;
  if (!k.n_hits)
    return FV_OK;
  if (sort_hits (&k) && make_changes (job, error))
    return error->code;
  return divide (&k, positions, n, missed, error);
}

/* ---- All of them ---- */

/* Says in the log what was not there. */
static void
say_missed (const edit_job *job, int64_t number, edit_verb verb, const edit_position *p)
{
  char text[160];
  snprintf (text, sizeof text, "Command %lld, %s %lld,%lld (z %lld, frame %lld): %s.", (long long) number,
            edit_verb_name (verb), (long long) p->x, (long long) p->y, (long long) p->z, (long long) p->frame,
            verb == EDIT_SPLIT  ? "the line divides no object"
            : verb == EDIT_DRAW ? "the polygon lies outside the image"
                                : "no object lies there");
  job->call->host->log (job->call, text);
}

static fv_status
carry_out (edit_job *job, const edit_list *list, int64_t i, fv_error *error)
{
  static fv_status (*const run[EDIT_VERBS]) (edit_job *, const edit_position *, int64_t, bool *, fv_error *) = {
    [EDIT_DELETE] = delete_objects, [EDIT_MERGE] = merge_objects, [EDIT_SPLIT] = split_objects, [EDIT_DRAW] = draw,
    [EDIT_ERASE] = erase,           [EDIT_FILL] = fill,
  };
  const edit_command *command = list->commands + i;
  const edit_position *positions = list->positions + command->first;
  bool missed = false;
  if (run[command->verb](job, positions, command->n, &missed, error))
    return error->code;
  job->edits += !missed;
  job->missed += missed;
  if (missed)
    say_missed (job, i + 1, command->verb, positions);
  return edit_tick (job, error);
}

/* Whether the command works in this plane; always in a volume. Planes outside the image count as the first. */
static bool
is_of_plane (const edit_job *job, const edit_position *first, int64_t planes)
{
  const bool there = first->z >= 0 && first->z < planes;
  return edit_extent (&job->all, 0) == planes || (there ? first->z : 0) == job->all.from[0];
}

/* Commands for frames outside the image count as missed in the last one. */
static bool
is_of_frame (const fv_call *call, const edit_position *first)
{
  const bool there = first->frame >= 0 && first->frame < call->frames;
  return (there ? first->frame : call->frames - 1) == call->frame;
}

static fv_status
edit_planes (edit_job *job, const edit_list *list, int64_t planes, fv_error *error)
{
  const fv_call *call = job->call;
  job->highest = -1;
  for (int64_t i = 0; i < list->n_commands; i++) {
    const edit_position *first = list->positions + list->commands[i].first;
    if (!is_of_frame (call, first) || !is_of_plane (job, first, planes))
      continue;
    if (first->frame != call->frame) {
      job->missed++;
      say_missed (job, i + 1, list->commands[i].verb, first);
    } else if (carry_out (job, list, i, error))
      return error->code;
  }
  return make_changes (job, error);
}

static fv_status
read_list (const fv_call *call, edit_list *list, fv_error *error)
{
  const edit_args *a = call->args;
  if (edit_read (a->commands, a->volume, list, error)
      || call->host->host_scratch (call, (size_t) (list->n_commands + 1) * sizeof *list->commands,
                                   (void **) &list->commands, error)
      || call->host->host_scratch (call, (size_t) (list->n_positions + 1) * sizeof *list->positions,
                                   (void **) &list->positions, error))
    return error->code;
  return edit_read (a->commands, a->volume, list, error);
}

static plane_source
same_plane (const fv_call *call, int64_t plane)
{
  return (plane_source){call->inputs[0], plane, 0, 0};
}

fv_status
edit_run (const fv_call *call, const edit_passes *passes, fv_error *error)
{
  const fv_array *out = call->outputs[0];
  const int64_t planes = array_planes (out), each = ((const edit_args *) call->args)->volume ? planes : 1;
  edit_job job = {.call = call, .passes = passes};
  edit_list list = {0};
  if (read_list (call, &list, error) || copy_planes (call, same_plane, error))
    return error->code;
  job.commands = list.n_commands;
  for (int64_t z = 0; z < planes && list.n_commands; z += each) {
    job.all = (edit_box){{z, 0, 0}, {z + each, array_rows (out), array_columns (out)}};
    if (edit_planes (&job, &list, planes, error))
      return error->code;
  }
  return passes->scalars (call, &job, error);
}
