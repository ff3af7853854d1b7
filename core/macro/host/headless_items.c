/* SPDX-License-Identifier: MIT
 */
#include "core/macro/host/headless_items.h"

static void
item_free (gpointer data)
{
  HeadlessItem *item = data;
  g_free (item->path);
  g_clear_pointer (&item->run, run_free);
  image_unref (item->source);
  recipe_unref (item->recipe);
  g_clear_pointer (&item->selection, selection_free);
  g_array_unref (item->settings);
  g_ptr_array_unref (item->kept);
  g_clear_pointer (&item->measured, table_unref);
  g_free (item);
}

void
headless_items_init (HeadlessItems *items)
{
  items->all = g_ptr_array_new_with_free_func (item_free);
}

void
headless_items_clear (HeadlessItems *items)
{
  g_ptr_array_unref (items->all);
}

HeadlessItem *
headless_item (gpointer items, guint image)
{
  const GPtrArray *all = ((HeadlessItems *) items)->all;
  for (guint i = 0; i < all->len; i++)
    if (((HeadlessItem *) all->pdata[i])->id == image)
      return all->pdata[i];
  return NULL;
}

PlanePosition
headless_position (gpointer items, guint image)
{
  return headless_item (items, image)->position;
}

void
headless_set_position (gpointer items, guint image, PlanePosition position)
{
  headless_item (items, image)->position = position;
}

ViewChannel
headless_look (gpointer items, guint image, gint64 channel)
{
  const GArray *settings = headless_item (items, image)->settings;
  return channel < settings->len ? g_array_index (settings, ViewChannel, channel) : LOOK_USUAL;
}

void
headless_set_look (gpointer items, guint image, gint64 channel, const ViewChannel *look)
{
  GArray *settings = headless_item (items, image)->settings;
  while (channel >= settings->len)
    g_array_append_vals (settings, &LOOK_USUAL, 1);
  g_array_index (settings, ViewChannel, channel) = *look;
}

Selection *
headless_selection_of (gpointer items, guint image)
{
  const Selection *selection = headless_item (items, image)->selection;
  return selection ? selection_copy (selection) : NULL;
}

void
headless_set_selection (gpointer items, guint image, const Selection *selection)
{
  HeadlessItem *item = headless_item (items, image);
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
headless_kept (gpointer items, guint image)
{
  return copies (headless_item (items, image)->kept);
}

void
headless_set_kept (gpointer items, guint image, const GPtrArray *selections)
{
  HeadlessItem *item = headless_item (items, image);
  GPtrArray *all = copies (selections);
  g_ptr_array_unref (item->kept);
  item->kept = all;
}

Table *
headless_measured (gpointer items, guint image)
{
  Table *table = headless_item (items, image)->measured;
  return table ? table_ref (table) : NULL;
}

void
headless_clear_measured (gpointer items, guint image)
{
  g_clear_pointer (&headless_item (items, image)->measured, table_unref);
}
