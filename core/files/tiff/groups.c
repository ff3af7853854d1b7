/* SPDX-License-Identifier: MIT
 */
#include "core/files/tiff/groups.h"

#include <string.h>
#include <tiffio.h>

static gint
compare_kinds (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (FilesTiffKind));
}

static void
group_free (gpointer data)
{
  FilesTiffGroup *group = data;
  g_array_unref (group->pages);
  g_free (group->name);
  g_free (group);
}

FilesTiffGroups *
files_tiff_groups_new (void)
{
  FilesTiffGroups *groups = g_new (FilesTiffGroups, 1);
  groups->all = g_ptr_array_new_with_free_func (group_free);
  groups->reduced = g_ptr_array_new ();
  groups->pages = g_array_new (FALSE, FALSE, sizeof (guint32));
  groups->of_page = g_ptr_array_new ();
  groups->by_kind = g_tree_new (compare_kinds);
  return groups;
}

void
files_tiff_groups_free (FilesTiffGroups *groups)
{
  g_tree_unref (groups->by_kind);
  g_ptr_array_unref (groups->of_page);
  g_array_unref (groups->pages);
  g_ptr_array_unref (groups->reduced);
  g_ptr_array_unref (groups->all);
  g_free (groups);
}

void
files_tiff_groups_add (FilesTiffGroups *groups, const FilesTiffPage *page, guint32 number, char *name)
{
  FilesTiffKind kind = {page->columns,
                        page->rows,
                        name ? number + 1 : 0,
                        page->bits,
                        page->samples,
                        page->format,
                        page->photometric,
                        page->extra,
                        page->alpha,
                        page->orientation > 4,
                        page->subfile & FILETYPE_REDUCEDIMAGE};
  FilesTiffGroup *group = g_tree_lookup (groups->by_kind, &kind);
  if (!group) {
    group = g_new (FilesTiffGroup, 1);
    group->kind = kind;
    group->name = name;
    group->tiled = page->tiled;
    group->pages = g_array_new (FALSE, FALSE, sizeof (guint32));
    g_tree_insert (groups->by_kind, &group->kind, group);
    g_ptr_array_add (groups->all, group);
    if (kind.reduced)
      g_ptr_array_add (groups->reduced, group);
  }
  g_array_append_val (group->pages, number);
  g_array_append_val (groups->pages, number);
  g_ptr_array_add (groups->of_page, group);
}

/* ---- Smaller levels ---- */

static gint
compare_pages (gconstpointer a, gconstpointer b)
{
  guint32 p = *(const guint32 *) a, q = *(const guint32 *) b;
  return (p > q) - (p < q);
}

guint
files_tiff_series_rank (const FilesTiffSeries *series, guint32 page)
{
  guint rank = 0;
  g_array_binary_search (series->pages, &page, compare_pages, &rank);
  return rank;
}

gboolean
files_tiff_same_shape (guint32 rows, guint32 columns, guint32 of_rows, guint32 of_columns)
{
  guint64 a = (guint64) rows * of_columns, b = (guint64) columns * of_rows;
  return (a > b ? a - b : b - a) <= MAX (of_rows, of_columns); /* each can be rounded by a pixel */
}

/* The image's pages, in ascending order; NULL when some are in other files. */
static GArray *
pages_of_series (const FilesTiffSeries *series)
{
  g_autoptr (GArray) pages = g_array_new (FALSE, FALSE, sizeof (guint32)), once = NULL;
  for (guint i = 0; i < series->planes->len; i++) {
    const FilesTiffPlane *plane = &g_array_index (series->planes, FilesTiffPlane, i);
    if (plane->file > 0)
      return NULL;
    g_array_append_val (pages, plane->page);
  }
  g_array_sort (pages, compare_pages);
  once = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint i = 0; i < pages->len; i++)
    if (i == 0 || compare_pages (&g_array_index (pages, guint32, i), &g_array_index (pages, guint32, i - 1)))
      g_array_append_vals (once, &g_array_index (pages, guint32, i), 1);
  return g_steal_pointer (&once);
}

/* Whether pages of one kind are smaller ones of another. */
static gboolean
is_reduced (FilesTiffKind kind, const FilesTiffKind *of)
{
  if (!kind.reduced || of->reduced || !files_tiff_same_shape (kind.rows, kind.columns, of->rows, of->columns))
    return FALSE;
  kind.rows = of->rows;
  kind.columns = of->columns;
  kind.reduced = 0;
  return !compare_kinds (&kind, of);
}

/* Whether pages are a level behind another, or of the whole: at least a third smaller. */
static gboolean
is_next_level (const FilesTiffKind *kind, const FilesTiffKind *last)
{
  return (guint64) kind->columns * 3 <= (guint64) last->columns * 2
         && (guint64) kind->rows * 3 <= (guint64) last->rows * 2;
}

/* Whether pages that do not say so show those of `full` in fewer pixels. */
static gboolean
shows_again (const FilesTiffGroup *group, const FilesTiffGroup *full)
{
  const FilesTiffKind *kind = &group->kind, *of = &full->kind;
  return !group->name && !kind->reduced && group->pages->len == full->pages->len && is_next_level (kind, of)
         && files_tiff_same_shape (kind->rows, kind->columns, of->rows, of->columns);
}

/* The tree of kinds is not asked any more. */
static void
set_reduced (FilesTiffGroups *groups, FilesTiffGroup *group)
{
  group->kind.reduced = FILETYPE_REDUCEDIMAGE;
  g_ptr_array_add (groups->reduced, group);
}

/* The largest first. */
static gint
compare_sizes (gconstpointer a, gconstpointer b)
{
  const FilesTiffKind *p = &(*(FilesTiffGroup *const *) a)->kind, *q = &(*(FilesTiffGroup *const *) b)->kind;
  const guint64 m = (guint64) p->columns * p->rows, n = (guint64) q->columns * q->rows;
  return (m < n) - (m > n);
}

void
files_tiff_groups_find_pyramid (FilesTiffGroups *groups, gboolean is_slide)
{
  const FilesTiffGroup *full = groups->all->pdata[0], *last = full;
  if (!full->tiled || full->name || full->kind.reduced)
    return;
  for (guint i = 1; i < groups->all->len; i++) {
    FilesTiffGroup *group = groups->all->pdata[i];
    if (!group->tiled || !shows_again (group, full) || !is_next_level (&group->kind, &last->kind))
      continue;
    last = group;
    set_reduced (groups, group);
  }
  for (guint i = 1; (is_slide || last != full) && i < groups->all->len; i++)
    if (shows_again (groups->all->pdata[i], full))
      set_reduced (groups, groups->all->pdata[i]);
  g_ptr_array_sort (groups->reduced, compare_sizes);
}

void
files_tiff_groups_levels (const FilesTiffGroups *groups, FilesTiffSeries *series)
{
  g_autoptr (GArray) pages = groups->reduced->len > 0 ? pages_of_series (series) : NULL;
  const FilesTiffKind *kind = NULL;
  guint at;
  if (pages && g_array_binary_search (groups->pages, pages->data, compare_pages, &at))
    kind = &((FilesTiffGroup *) groups->of_page->pdata[at])->kind;
  for (guint i = 0; kind && i < groups->reduced->len; i++) {
    FilesTiffGroup *group = groups->reduced->pdata[i];
    if (group->pages->len != pages->len || !is_reduced (group->kind, kind))
      continue;
    if (!series->reduced) {
      series->pages = g_array_ref (pages);
      series->reduced = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
    }
    g_ptr_array_add (series->reduced, g_array_ref (group->pages));
  }
}
