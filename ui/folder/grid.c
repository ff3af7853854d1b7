/* SPDX-License-Identifier: MIT
 *
 * Only what can be seen has widgets, and asks for its picture.
 */
#include "ui/folder/grid.h"

#include "ui/folder/thumbnails.h"

#include <glib/gi18n.h>
#include <string.h>

struct _FolderGrid {
  GtkBox parent;
  Thumbnails *thumbnails;
  GListStore *images; /* FolderImage */
  GtkSingleSelection *chosen;
  GtkGridView *view;
  gboolean marking; /* the change does not come from the user */
};

G_DEFINE_FINAL_TYPE (FolderGrid, folder_grid, GTK_TYPE_BOX)

static guint chosen_signal;

/* ---- A cell ---- */

/* What it is made of, from above. */
typedef struct {
  GtkStack *stack;
  GtkWidget *picture, *sign; /* in the stack */
  GtkLabel *name, *size;
} Cell;

static Cell
cell_of (GtkListItem *item)
{
  GtkWidget *stack = gtk_widget_get_first_child (gtk_list_item_get_child (item)),
            *name = gtk_widget_get_next_sibling (stack);
  return (Cell){GTK_STACK (stack), gtk_stack_get_child_by_name (GTK_STACK (stack), "picture"),
                gtk_stack_get_child_by_name (GTK_STACK (stack), "sign"), GTK_LABEL (name),
                GTK_LABEL (gtk_widget_get_next_sibling (name))};
}

/* What stands below the name; the tooltip has all. */
static char *
size_text (const FolderImage *image)
{
  const char *about = folder_image_about (image);
  return folder_image_state (image) == FOLDER_IMAGE_BAD ? g_strdup (_ ("cannot be opened"))
                                                        : g_strndup (about, strcspn (about, "\n"));
}

static void
show_image (GtkListItem *item)
{
  const FolderImage *image = gtk_list_item_get_item (item);
  const FolderImageState state = folder_image_state (image);
  const char *about = folder_image_about (image), *name = folder_image_name (image);
  const Cell cell = cell_of (item);
  g_autofree char *size = size_text (image), *tip = g_strdup_printf (*about ? "%s\n%s" : "%s", name, about);
  gtk_picture_set_paintable (GTK_PICTURE (cell.picture), folder_image_picture (image));
  gtk_image_set_from_icon_name (GTK_IMAGE (cell.sign), state == FOLDER_IMAGE_BAD     ? "dialog-error-symbolic"
                                                       : state == FOLDER_IMAGE_LARGE ? "image-x-generic-symbolic"
                                                                                     : NULL);
  gtk_stack_set_visible_child (cell.stack, state == FOLDER_IMAGE_SEEN ? cell.picture : cell.sign);
  gtk_label_set_text (cell.name, name);
  gtk_label_set_text (cell.size, size);
  gtk_widget_set_tooltip_text (gtk_list_item_get_child (item), tip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (cell.name), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, about, -1);
}

static GtkWidget *
make_label (const char *class)
{
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_width_chars (GTK_LABEL (label), 1); /* as wide as the picture */
  gtk_label_set_max_width_chars (GTK_LABEL (label), 1);
  gtk_widget_set_hexpand (label, TRUE);
  if (class)
    gtk_widget_add_css_class (label, class);
  return label;
}

static void
on_setup (GtkListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2), *stack = gtk_stack_new (), *picture = gtk_picture_new (),
            *sign = gtk_image_new ();
  (void) factory;
  gtk_widget_set_size_request (picture, THUMBNAIL_WIDTH, THUMBNAIL_HEIGHT);
  gtk_picture_set_content_fit (GTK_PICTURE (picture), GTK_CONTENT_FIT_SCALE_DOWN);
  gtk_image_set_icon_size (GTK_IMAGE (sign), GTK_ICON_SIZE_LARGE);
  gtk_stack_add_named (GTK_STACK (stack), picture, "picture");
  gtk_stack_add_named (GTK_STACK (stack), sign, "sign");
  gtk_box_append (GTK_BOX (box), stack);
  gtk_box_append (GTK_BOX (box), make_label (NULL));
  gtk_box_append (GTK_BOX (box), make_label ("caption"));
  gtk_list_item_set_child (item, box);
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *item, FolderGrid *grid)
{
  FolderImage *image = gtk_list_item_get_item (item);
  (void) factory;
  g_signal_connect_object (image, "changed", G_CALLBACK (show_image), item, G_CONNECT_SWAPPED);
  show_image (item);
  thumbnails_ask (grid->thumbnails, image);
}

static void
on_unbind (GtkListItemFactory *factory, GtkListItem *item, FolderGrid *grid)
{
  FolderImage *image = gtk_list_item_get_item (item);
  (void) factory;
  g_signal_handlers_disconnect_by_data (image, item);
  if (grid->thumbnails)
    thumbnails_forget (grid->thumbnails, image);
}

/* ---- Choosing ---- */

static void
on_selected (FolderGrid *grid)
{
  FolderImage *image = gtk_single_selection_get_selected_item (grid->chosen);
  if (image && !grid->marking)
    g_signal_emit (grid, chosen_signal, 0, image);
}

static void
mark (FolderGrid *grid, guint i)
{
  grid->marking = TRUE;
  gtk_single_selection_set_selected (grid->chosen, i);
  grid->marking = FALSE;
}

void
folder_grid_mark (FolderGrid *grid, const char *path)
{
  GListModel *images = G_LIST_MODEL (grid->images);
  const FolderImage *now = gtk_single_selection_get_selected_item (grid->chosen);
  if (path && now && !strcmp (folder_image_path (now), path))
    return;
  for (guint i = 0; path && i < g_list_model_get_n_items (images); i++) {
    g_autoptr (FolderImage) image = g_list_model_get_item (images, i);
    if (!strcmp (folder_image_path (image), path)) {
      mark (grid, i);
      return;
    }
  }
  mark (grid, GTK_INVALID_LIST_POSITION);
}

gboolean
folder_grid_move (FolderGrid *grid, int by)
{
  const guint n = folder_grid_length (grid), now = gtk_single_selection_get_selected (grid->chosen);
  const guint to = now != GTK_INVALID_LIST_POSITION ? now + (guint) by : by > 0 ? 0 : n - 1;
  if (to >= n)
    return FALSE;
  gtk_single_selection_set_selected (grid->chosen, to);
  gtk_widget_activate_action (GTK_WIDGET (grid->view), "list.scroll-to-item", "u", to);
  return TRUE;
}

/* Whether image i that is there can stay as image k of others. */
static gboolean
can_stay (const FolderGrid *grid, guint i, const GPtrArray *images, guint k)
{
  g_autoptr (FolderImage) now = g_list_model_get_item (G_LIST_MODEL (grid->images), i);
  return folder_image_state (now) != FOLDER_IMAGE_BAD
         && !strcmp (folder_image_path (now), folder_image_path (images->pdata[k]));
}

/* Only what lies between the first and the last difference is another one. */
void
folder_grid_set (FolderGrid *grid, const GPtrArray *images)
{
  const guint n = folder_grid_length (grid), min = MIN (n, images->len);
  guint before = 0, after = 0;
  while (before < min && can_stay (grid, before, images, before))
    before++;
  while (after < min - before && can_stay (grid, n - 1 - after, images, images->len - 1 - after))
    after++;
  grid->marking = TRUE;
  g_list_store_splice (grid->images, before, n - before - after, images->pdata + before, images->len - before - after);
  grid->marking = FALSE;
}

guint
folder_grid_length (const FolderGrid *grid)
{
  return g_list_model_get_n_items (G_LIST_MODEL (grid->images));
}

/* ---- The widget ---- */

static void
folder_grid_dispose (GObject *object)
{
  FolderGrid *grid = FOVEA_FOLDER_GRID (object);
  g_clear_pointer (&grid->thumbnails, thumbnails_free);
  G_OBJECT_CLASS (folder_grid_parent_class)->dispose (object);
}

static void
folder_grid_finalize (GObject *object)
{
  g_object_unref (FOVEA_FOLDER_GRID (object)->images);
  g_object_unref (FOVEA_FOLDER_GRID (object)->chosen);
  G_OBJECT_CLASS (folder_grid_parent_class)->finalize (object);
}

static void
folder_grid_class_init (FolderGridClass *class)
{
  G_OBJECT_CLASS (class)->dispose = folder_grid_dispose;
  G_OBJECT_CLASS (class)->finalize = folder_grid_finalize;
  chosen_signal = g_signal_new ("chosen", FOLDER_GRID_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                FOLDER_IMAGE_TYPE);
}

static void
folder_grid_init (FolderGrid *grid)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkWidget *scroller = gtk_scrolled_window_new ();
  grid->images = g_list_store_new (FOLDER_IMAGE_TYPE);
  grid->chosen = gtk_single_selection_new (NULL);
  gtk_single_selection_set_autoselect (grid->chosen, FALSE);
  gtk_single_selection_set_can_unselect (grid->chosen, TRUE);
  gtk_single_selection_set_model (grid->chosen, G_LIST_MODEL (grid->images));
  grid->view = GTK_GRID_VIEW (gtk_grid_view_new (g_object_ref (GTK_SELECTION_MODEL (grid->chosen)), factory));
  gtk_grid_view_set_min_columns (grid->view, 2);
  gtk_grid_view_set_max_columns (grid->view, 4); /* thirty rows of so many have widgets, seen or not */
  gtk_accessible_update_property (GTK_ACCESSIBLE (grid->view), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Images"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (grid->view));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_widget_set_hexpand (scroller, TRUE);
  gtk_box_append (GTK_BOX (grid), scroller);
  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect_object (factory, "bind", G_CALLBACK (on_bind), grid, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (on_unbind), grid, 0);
  g_signal_connect_object (grid->chosen, "notify::selected", G_CALLBACK (on_selected), grid, G_CONNECT_SWAPPED);
}

GtkWidget *
folder_grid_new (Modules *modules)
{
  FolderGrid *grid = g_object_new (FOLDER_GRID_TYPE, NULL);
  grid->thumbnails = thumbnails_new (modules);
  return GTK_WIDGET (grid);
}
