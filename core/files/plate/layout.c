/* SPDX-License-Identifier: MIT
 */
#include "core/files/plate/layout.h"

#include "core/base/file_name.h"
#include "core/base/text.h"
#include "core/files/plate/pattern.h"
#include "core/files/shared/complete.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SERIES = 1 << 20, SPARSE = 16 /* positions for each entry, at most */ };

/* While it is made. */
typedef struct {
  PlateLayout *layout;
  guint64 whole, kept; /* planes that there would be with all files, and that are in images */
  guint lost;          /* series without a complete plane */
} Maker;

static const PlateWell *
well_of (const PlateIndex *index, guint well)
{
  return well == PLATE_NO_WELL ? NULL : &g_array_index (index->wells, PlateWell, well);
}

const char *
plate_layout_path (const PlateLayout *layout, const PlateEntry *entry)
{
  return layout->paths->pdata[entry->file];
}

/* ---- Order ---- */

static int
compare_integers (gint64 a, gint64 b)
{
  return (a > b) - (a < b);
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  return compare_integers (*(const gint64 *) a, *(const gint64 *) b);
}

/* Those in rows and columns, then the others as they were found. */
static int
compare_wells (const PlateIndex *index, guint a, guint b)
{
  const PlateWell *one = well_of (index, a), *other = well_of (index, b);
  if (!one || !other || one->row < 0 || other->row < 0)
    return one && other && one->row != other->row ? (other->row >= 0) - (one->row >= 0) : compare_integers (a, b);
  return one->row != other->row ? compare_integers (one->row, other->row)
                                : compare_integers (one->column, other->column);
}

static int
compare_series (const PlateIndex *index, const PlateEntry *a, const PlateEntry *b)
{
  const int by_well = compare_wells (index, a->well, b->well);
  return by_well ? by_well : compare_integers (a->field, b->field);
}

static int
compare_entries (gconstpointer a, gconstpointer b, gpointer index)
{
  const PlateEntry *one = a, *other = b;
  int order = compare_series (index, one, other);
  for (int axis = PLATE_AXES - 1; axis >= 0 && !order; axis--)
    order = compare_integers (one->at[axis], other->at[axis]);
  return order;
}

/* The numbers along an axis, each once, in order. */
static GArray *
numbers_of (const PlateEntry *entries, guint n, int axis)
{
  GArray *numbers = g_array_sized_new (FALSE, FALSE, sizeof (gint64), n);
  guint kept = 0;
  for (guint i = 0; i < n; i++)
    g_array_append_val (numbers, entries[i].at[axis]);
  g_array_sort (numbers, compare_numbers);
  for (guint i = 0; i < n; i++)
    if (!i || g_array_index (numbers, gint64, i) != g_array_index (numbers, gint64, kept - 1))
      g_array_index (numbers, gint64, kept++) = g_array_index (numbers, gint64, i);
  g_array_set_size (numbers, kept);
  return numbers;
}

/* ---- Series ---- */

static void
series_free (gpointer data)
{
  PlateSeries *series = data;
  g_free (series->entries);
  g_free (series);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlateSeries, series_free)

static gboolean
fail_twice (const PlateIndex *index, const PlateEntry *a, const PlateEntry *b, GError **error)
{
  const char *one = index->files->pdata[a->file], *other = index->files->pdata[b->file];
  return file_fail (error, FILE_ERROR_DAMAGED, index->folder,
                    "has two files for one plane: '%s' and '%s' are of the same well, field, channel, slice and frame.",
                    one, other);
}

/* Puts the entries of a series into their positions, of which some may stay NULL. */
static gboolean
arrange (PlateSeries *series, const PlateIndex *index, const PlateEntry *entries, guint n, GError **error)
{
  GArray *numbers[PLATE_AXES];
  guint64 planes = 1;
  gboolean done = TRUE;
  for (int axis = 0; axis < PLATE_AXES; axis++) {
    numbers[axis] = numbers_of (entries, n, axis);
    series->sizes[axis] = numbers[axis]->len;
    planes = MIN (planes, (guint64) 1 << 40) * numbers[axis]->len; /* no more than entries, each */
  }
  if (planes > (guint64) n * SPARSE + 4096)
    done = file_fail (error, FILE_ERROR_DAMAGED, index->folder,
                      "has only %u files for the %" G_GUINT64_FORMAT " planes of a field.", n, planes);
  else
    series->entries = g_new0 (const PlateEntry *, planes);
  for (guint i = 0; done && i < n; i++) {
    gint64 at[PLATE_AXES];
    for (int axis = 0; axis < PLATE_AXES; axis++) {
      const gint64 *first = (const gint64 *) (gconstpointer) numbers[axis]->data;
      at[axis] =
        (const gint64 *) bsearch (&entries[i].at[axis], first, numbers[axis]->len, sizeof *first, compare_numbers)
        - first;
    }
    const PlateEntry **slot =
      &series->entries[(at[PLATE_FRAME] * series->sizes[PLATE_CHANNEL] + at[PLATE_CHANNEL]) * series->sizes[PLATE_SLICE]
                       + at[PLATE_SLICE]];
    done = !*slot || fail_twice (index, *slot, &entries[i], error);
    *slot = &entries[i];
  }
  for (int axis = 0; axis < PLATE_AXES; axis++)
    g_array_unref (numbers[axis]);
  return done;
}

static gboolean
is_there (gconstpointer series, gint64 plane)
{
  return ((const PlateSeries *) series)->entries[plane] != NULL;
}

/* Keeps the given positions along an axis. */
static void
keep (PlateSeries *series, int axis, const GArray *kept)
{
  gint64 sizes[PLATE_AXES], at[PLATE_AXES], n = 0;
  memcpy (sizes, series->sizes, sizeof sizes);
  sizes[axis] = kept->len;
  for (at[2] = 0; at[2] < sizes[2]; at[2]++)
    for (at[1] = 0; at[1] < sizes[1]; at[1]++)
      for (at[0] = 0; at[0] < sizes[0]; at[0]++) {
        gint64 from[PLATE_AXES];
        memcpy (from, at, sizeof from);
        from[axis] = g_array_index (kept, gint64, at[axis]);
        series->entries[n++] =
          series->entries[(from[2] * series->sizes[1] + from[1]) * series->sizes[0] + from[0]]; /* moves to the front */
      }
  memcpy (series->sizes, sizes, sizeof sizes);
}

/* FALSE: nothing complete remains. */
static gboolean
trim (PlateSeries *series)
{
  G_STATIC_ASSERT ((int) PLATE_SLICE == (int) FILES_SLICES && (int) PLATE_CHANNEL == (int) FILES_CHANNELS
                   && (int) PLATE_FRAME == (int) FILES_FRAMES);
  for (;;) {
    g_autoptr (GArray) kept = NULL;
    int axis;
    if (!files_complete_find (series->sizes, is_there, series, &axis, &kept))
      return FALSE;
    if (!kept)
      return TRUE;
    keep (series, axis, kept);
  }
}

static gboolean
add_series (Maker *m, const PlateEntry *entries, guint n, GError **error)
{
  g_autoptr (PlateSeries) series = g_new0 (PlateSeries, 1);
  if (m->layout->series->len == MAX_SERIES)
    return file_fail (error, FILE_ERROR_UNSUPPORTED, m->layout->index->folder, "has more than %d fields.", MAX_SERIES);
  series->well = entries->well;
  series->field = entries->field;
  if (!arrange (series, m->layout->index, entries, n, error))
    return FALSE;
  if (!trim (series)) {
    m->lost++;
    return TRUE;
  }
  m->kept += (guint64) (series->sizes[0] * series->sizes[1] * series->sizes[2]);
  g_ptr_array_add (m->layout->series, g_steal_pointer (&series));
  return TRUE;
}

/* How many planes all series would have with every slice, channel and frame that one of them has. */
static guint64
planes_of_all (const PlateIndex *index, guint series)
{
  guint64 planes = series;
  for (int axis = 0; axis < PLATE_AXES; axis++) {
    g_autoptr (GArray) numbers =
      numbers_of ((const PlateEntry *) (gconstpointer) index->entries->data, index->entries->len, axis);
    if (!g_uint64_checked_mul (&planes, planes, numbers->len))
      return 0;
  }
  return planes;
}

static gboolean
add_all_series (Maker *m, GError **error)
{
  PlateIndex *index = m->layout->index;
  const PlateEntry *entries;
  g_array_sort_with_data (index->entries, compare_entries, index);
  entries = (const PlateEntry *) (gconstpointer) index->entries->data;
  for (guint from = 0, to; from < index->entries->len; from = to) {
    for (to = from + 1; to < index->entries->len && !compare_series (index, &entries[from], &entries[to]);)
      to++;
    if (!add_series (m, &entries[from], to - from, error))
      return FALSE;
  }
  m->whole = planes_of_all (index, m->layout->series->len + m->lost);
  return TRUE;
}

/* ---- The whole ---- */

static void
note_missing (const Maker *m)
{
  const PlateIndex *index = m->layout->index;
  GString *text = m->layout->left_out;
  if (m->whole > m->kept)
    g_string_append_printf (text, "%" G_GUINT64_FORMAT " of the %" G_GUINT64_FORMAT " planes, as some are missing",
                            m->whole - m->kept, m->whole);
  if (m->lost)
    g_string_append_printf (text, "%s%u field%s without one complete plane", text->len ? ", " : "", m->lost,
                            m->lost == 1 ? "" : "s");
  if (index->failed)
    g_string_append_printf (text, "%s%u image%s that the microscope could not take", text->len ? ", " : "",
                            index->failed, index->failed == 1 ? "" : "s");
  if (index->projections)
    g_string_append_printf (text, "%s%u projection%s of stacks", text->len ? ", " : "", index->projections,
                            index->projections == 1 ? "" : "s");
  if (index->first_missing)
    g_string_append_printf (text, "%sfiles that are not there: '%s'", text->len ? ", " : "", index->first_missing);
  if (index->missing > 1)
    g_string_append_printf (text, " and %u more", index->missing - 1);
}

/* Of files by their names it is the folder. Free with g_free(). */
static char *
name_of (const PlateIndex *index, const char *path)
{
  g_autofree char *folder = g_canonicalize_filename (index->folder, NULL);
  return file_name_short (plate_pattern_is (path) ? folder : path);
}

PlateLayout *
plate_layout_new (PlateIndex *index, const char *path, GError **error)
{
  g_autoptr (PlateLayout) layout = g_new0 (PlateLayout, 1);
  Maker maker = {.layout = layout};
  g_atomic_ref_count_init (&layout->references);
  layout->index = index;
  layout->name = name_of (index, path);
  layout->series = g_ptr_array_new_with_free_func (series_free);
  layout->paths = g_ptr_array_new_with_free_func (g_free);
  layout->left_out = g_string_new (NULL);
  for (guint i = 0; i < index->files->len; i++)
    g_ptr_array_add (layout->paths, g_build_filename (index->folder, index->files->pdata[i], NULL));
  if (!add_all_series (&maker, error))
    return NULL;
  note_missing (&maker);
  if (layout->series->len)
    return g_steal_pointer (&layout);
  file_fail (error, FILE_ERROR_DAMAGED, path, "has no images%s%s.", layout->left_out->len ? ": " : "",
             layout->left_out->str);
  return NULL;
}

PlateLayout *
plate_layout_ref (PlateLayout *layout)
{
  g_atomic_ref_count_inc (&layout->references);
  return layout;
}

void
plate_layout_unref (PlateLayout *layout)
{
  if (!g_atomic_ref_count_dec (&layout->references))
    return;
  plate_index_free (layout->index);
  g_ptr_array_unref (layout->series);
  g_ptr_array_unref (layout->paths);
  g_string_free (layout->left_out, TRUE);
  g_free (layout->name);
  g_free (layout);
}
