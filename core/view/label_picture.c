/* SPDX-License-Identifier: MIT
 */
#include "core/view/label_picture.h"

#include "core/data/pixel_type.h"

#include <math.h>
#include <string.h>

/* Of the neighbors in a row that are not both background so many are equal, at least. */
static const double equal_share = 0.6;
/* Of the neighbors that differ so many follow each other among the numbers there are, at most. */
static const double next_share = 0.9;

enum {
  REGIONS = 2 /* for each number, at most */,
  REGION = 8 /* pixels in each, at least */,
  GAP = 16 /* between numbers, in the mean, at most */
};

/* Pixels side by side with one number. */
typedef struct {
  gint64 column, end;
  gint32 number;
  guint up; /* a run of the same region; itself: the first one */
} Run;

/* NULL if a value is not a label, or neighbors differ too often. Free with g_free(). */
static gint32 *
numbers_of (fv_type type, const void *pixels, gint64 rows, gint64 columns)
{
  g_autofree gint32 *numbers = g_try_new (gint32, (gsize) (rows * columns));
  gint64 pairs = 0, equal = 0;
  for (gint64 i = 0; numbers && i < rows * columns; i++) {
    const double value = pixel_type_value (type, pixels, i);
    if (!(value >= 0 && value <= G_MAXINT32) || value != floor (value))
      return NULL;
    numbers[i] = (gint32) value;
    if (i % columns == 0)
      continue;
    pairs += numbers[i] || numbers[i - 1];
    equal += numbers[i] && numbers[i] == numbers[i - 1];
  }
  return (double) equal >= equal_share * (double) pairs && pairs ? g_steal_pointer (&numbers) : NULL;
}

static GArray *
runs_of (const gint32 *numbers, gint64 rows, gint64 columns, gint64 *area)
{
  GArray *runs = g_array_new (FALSE, FALSE, sizeof (Run));
  for (gint64 y = 0; y < rows; y++) {
    const gint32 *row = numbers + y * columns;
    for (gint64 x = 0, end; x < columns; x = end) {
      for (end = x + 1; end < columns && row[end] == row[x]; end++)
        ;
      const Run run = {y * columns + x, y * columns + end, row[x], runs->len};
      *area += row[x] ? end - x : 0;
      if (row[x])
        g_array_append_val (runs, run);
    }
  }
  return runs;
}

static guint
first_of (Run *runs, guint i)
{
  while (runs[i].up != i)
    i = runs[i].up = runs[runs[i].up].up;
  return i;
}

/* How many regions there are: runs of two rows meet where their columns do. */
static guint
count_regions (GArray *all, gint64 columns)
{
  Run *runs = (Run *) (gpointer) all->data;
  guint regions = all->len;
  for (guint i = 0, above = 0; i < all->len; i++) {
    while (runs[above].end + columns <= runs[i].column)
      above++;
    for (guint k = above; k < i && runs[k].column + columns < runs[i].end; k++) {
      const guint a = first_of (runs, i), b = first_of (runs, k);
      if (runs[k].number == runs[i].number && a != b) {
        runs[MAX (a, b)].up = MIN (a, b);
        regions--;
      }
    }
  }
  return regions;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const gint32 x = *(const gint32 *) a, y = *(const gint32 *) b;
  return (x > y) - (x < y);
}

/* The different nonzero numbers, sorted. */
static GArray *
different (const GArray *runs)
{
  GArray *numbers = g_array_sized_new (FALSE, FALSE, sizeof (gint32), runs->len);
  guint n = 0;
  for (guint i = 0; i < runs->len; i++)
    g_array_append_val (numbers, g_array_index (runs, Run, i).number);
  g_array_sort (numbers, compare);
  for (guint i = 0; i < numbers->len; i++) {
    const gint32 number = g_array_index (numbers, gint32, i);
    if (!n || g_array_index (numbers, gint32, n - 1) != number)
      g_array_index (numbers, gint32, n++) = number;
  }
  return g_array_set_size (numbers, n);
}

/* 0 is before the first. */
static guint
number_of (const GArray *numbers, gint32 number)
{
  guint low = 0, high = numbers->len;
  while (low < high) {
    const guint middle = (low + high) / 2;
    if (g_array_index (numbers, gint32, middle) < number)
      low = middle + 1;
    else
      high = middle;
  }
  return number ? low + 1 : 0;
}

/* A smooth picture of few values has them one within the other, in their order. */
static gboolean
is_smooth (const gint32 *numbers, gint64 rows, gint64 columns, const GArray *all)
{
  gint64 borders = 0, next = 0;
  for (gint64 i = 0; i < rows * columns; i++)
    for (int down = 0; down < 2; down++) {
      const gint64 beside = down ? i - columns : i % columns ? i - 1 : i;
      if (beside < 0 || numbers[i] == numbers[beside])
        continue;
      borders++;
      next += ABS ((gint64) number_of (all, numbers[i]) - (gint64) number_of (all, numbers[beside])) == 1;
    }
  return (double) next > next_share * (double) borders;
}

gboolean
label_picture_is (fv_type type, const void *pixels, gint64 rows, gint64 columns)
{
  gint64 area = 0;
  g_autofree gint32 *numbers = numbers_of (type, pixels, rows, columns);
  if (!numbers)
    return FALSE;
  g_autoptr (GArray) runs = runs_of (numbers, rows, columns, &area), all = different (runs);
  if (all->len < 2)
    return FALSE;
  const gint64 n = all->len, first = g_array_index (all, gint32, 0), last = g_array_index (all, gint32, n - 1);
  const gint64 regions = count_regions (runs, columns);
  return regions <= REGIONS * n && area >= REGION * regions && last - first <= GAP * n
         && !is_smooth (numbers, rows, columns, all);
}
