/* SPDX-License-Identifier: MIT
 *
 * The position of an object is the middle of its longest run of pixels in a row.
 */
#include "ui/canvas/object_positions.h"

#include "core/measure/object_find.h"
#include "core/measure/object_labels.h"
#include "ui/canvas/stroke.h"

typedef struct {
  Image *objects;
  Table *table; /* of them, or NULL */
  GArray *chosen;
  gint64 slice, frame;
  GString *positions;
  guint n;
  ObjectPositionsFound found;
  gpointer data;
} Search;

/* The longest run of a label in a row of the box, when it is longer than *longest. */
static void
look_in_row (const gint32 *labels, gint64 n, gint32 label, gint64 *middle, gint64 *longest)
{
  for (gint64 x = 0, run = 0; x < n; x++) {
    run = labels[x] == label ? run + 1 : 0;
    if (run > *longest) {
      *longest = run;
      *middle = x - (run - 1) / 2;
    }
  }
}

/* FALSE with *error; an object that is not in the slice has no position. */
static gboolean
find_position (Search *s, gint32 label, GError **error)
{
  const ObjectWanted wanted = {s->objects, s->table, s->slice, s->frame, label, FALSE};
  const gint64 plane = s->frame * image_info (s->objects)->depth + s->slice;
  gint64 slice, longest = 0, x = 0, y = 0;
  g_autoptr (GError) fault = NULL;
  ImageRegion box;
  if (!object_find (&wanted, &slice, &box, &fault)) {
    if (fault)
      g_propagate_error (error, g_steal_pointer (&fault));
    return !*error;
  }
  g_auto (ObjectRows) rows = {.image = s->objects, .plane = plane, .region = box};
  for (gint64 row = box.row; row < box.row + box.rows; row++) {
    const gint32 *labels = object_rows_at (&rows, row, error);
    const gint64 before = longest;
    if (!labels)
      return FALSE;
    look_in_row (labels, box.columns, label, &x, &longest);
    y = longest > before ? row : y;
  }
  stroke_append (s->positions, box.column + x, y, s->slice, s->frame);
  s->n++;
  return TRUE;
}

static gboolean
find_in_worker (gpointer data, Progress *progress, GError **error)
{
  Search *s = data;
  (void) progress;
  for (guint i = 0; i < s->chosen->len; i++)
    if (!find_position (s, g_array_index (s->chosen, int, i), error))
      return FALSE;
  return TRUE;
}

static void
finished (gpointer data, const GError *error)
{
  Search *s = data;
  s->found (s->data, error ? NULL : s->positions->str, s->n, error);
  image_unref (s->objects);
  table_unref (s->table);
  g_array_unref (s->chosen);
  g_string_free (s->positions, TRUE);
  g_free (s);
}

void
object_positions_find (View *view, Worker *worker, ObjectPositionsFound found, gpointer data)
{
  Table *table = view_objects_table (view);
  Search *s = g_new (Search, 1);
  *s = (Search){.objects = image_ref (view_objects (view)),
                .table = table ? table_ref (table) : NULL,
                .chosen = g_array_copy ((GArray *) view_chosen (view)),
                .slice = view_slice (view),
                .frame = view_frame (view),
                .positions = g_string_new (NULL),
                .found = found,
                .data = data};
  worker_push (worker, &(WorkerJob){find_in_worker, finished, s, NULL});
}
