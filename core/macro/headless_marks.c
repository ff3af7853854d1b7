/* SPDX-License-Identifier: MIT
 */
#include "core/macro/headless_marks.h"

#include "core/measure/measurements.h"

PlanePlace
headless_position (gpointer self, guint image)
{
  return headless_item (self, image)->place;
}

void
headless_set_position (gpointer self, guint image, PlanePlace place)
{
  headless_item (self, image)->place = place;
}

Selection *
headless_selection_of (gpointer self, guint image)
{
  const Selection *selection = headless_item (self, image)->selection;
  return selection ? selection_copy (selection) : NULL;
}

void
headless_set_selection (gpointer self, guint image, const Selection *selection)
{
  HeadlessItem *item = headless_item (self, image);
  g_clear_pointer (&item->selection, selection_free);
  item->selection = selection ? selection_copy (selection) : NULL;
}

static GPtrArray *
copies (const GPtrArray *selections)
{
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) selection_free);
  for (guint i = 0; i < selections->len; i++)
    g_ptr_array_add (all, selection_copy (selections->pdata[i]));
  return all;
}

GPtrArray *
headless_kept (gpointer self, guint image)
{
  return copies (headless_item (self, image)->kept);
}

void
headless_set_kept (gpointer self, guint image, const GPtrArray *selections)
{
  HeadlessItem *item = headless_item (self, image);
  GPtrArray *all = copies (selections);
  g_ptr_array_unref (item->kept);
  item->kept = all;
}

gboolean
headless_measure (gpointer self, guint image, guint step, const GPtrArray *selections, GError **error)
{
  Headless *h = self;
  HeadlessItem *item = headless_item (h, image);
  g_autoptr (Image) looked_at = headless_image_at (h, image, step, error);
  g_autoptr (Table) made = NULL;
  if (!looked_at || !headless_host (h)->fetch (h, looked_at, error)
      || !(made = measurements_make (looked_at, plane_within (image_info (looked_at), item->place), selections,
                                     progress_current (), error)))
    return FALSE;
  Table *all = measurements_join (item->measured, made, error);
  if (!all)
    return FALSE;
  g_clear_pointer (&item->measured, table_unref);
  item->measured = all;
  return TRUE;
}

Table *
headless_measured (gpointer self, guint image)
{
  Table *table = headless_item (self, image)->measured;
  return table ? table_ref (table) : NULL;
}

void
headless_clear_measured (gpointer self, guint image)
{
  g_clear_pointer (&headless_item (self, image)->measured, table_unref);
}
