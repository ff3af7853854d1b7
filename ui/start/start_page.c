/* SPDX-License-Identifier: MIT
 *
 * Two buttons and a list, and below them one calm line about the GPU when there is none to use; beside them what can be tried.
 */
#include "ui/start/start_page.h"

#include "ui/start/sample_cards.h"
#include "ui/start/samples.h"
#include "ui/devices/gpus.h"
#include "ui/shell/recent.h"

#include <glib/gi18n.h>
#include <string.h>

#define SHOWN 5 /* files */

struct _StartPage {
  GtkBox parent;
  const Modules *modules;
  GtkBox *doors;
  GtkWidget *recent, *title;
  GtkLabel *gpu;
};

G_DEFINE_FINAL_TYPE (StartPage, start_page, GTK_TYPE_BOX)

/* ---- Recent files ---- */

static GtkWidget *
make_file (const char *path)
{
  g_autofree char *name = g_filename_display_basename (path), *folder = g_path_get_dirname (path);
  g_autofree char *where = g_filename_display_name (folder), *shown = g_filename_display_name (path);
  GtkWidget *button = gtk_button_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *label = gtk_label_new (name), *location = gtk_label_new (where);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (location), PANGO_ELLIPSIZE_START);
  gtk_label_set_xalign (GTK_LABEL (location), 1);
  gtk_widget_set_hexpand (location, TRUE);
  gtk_widget_add_css_class (location, "dim-label");
  gtk_widget_add_css_class (location, "caption");
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), location);
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_set_tooltip_text (button, shown);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_actionable_set_action_target_value (GTK_ACTIONABLE (button), g_variant_new_bytestring (path));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "app.open-recent");
  return button;
}

static void
fill_start_page (StartPage *page)
{
  g_autoptr (GPtrArray) paths = recent_paths (RECENT_IMAGES, SHOWN);
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (page->recent)))
    gtk_box_remove (GTK_BOX (page->recent), child);
  for (guint i = 0; i < paths->len; i++)
    gtk_box_append (GTK_BOX (page->recent), make_file (paths->pdata[i]));
  gtk_widget_set_visible (page->title, paths->len > 0);
}

/* ---- Parts ---- */

static GtkWidget *
make_samples (void)
{
  GtkWidget *button = gtk_menu_button_new ();
  g_autoptr (GMenu) menu = g_menu_new ();
  for (const Sample *s = samples_list (); s->file; s++) {
    g_autoptr (GMenuItem) item = g_menu_item_new (_ (s->label), NULL);
    g_menu_item_set_action_and_target (item, "app.open-sample", "s", s->file);
    g_menu_append_item (menu, item);
  }
  gtk_menu_button_set_label (GTK_MENU_BUTTON (button), _ ("_Try a Sample"));
  gtk_menu_button_set_use_underline (GTK_MENU_BUTTON (button), TRUE);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_widget_set_tooltip_text (button, _ ("Sample images included with Fovea"));
  return button;
}

static GtkWidget *
make_doors (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12), *samples = make_samples ();
  GtkWidget *open = gtk_button_new_with_mnemonic (_ ("_Open an Image…"));
  gtk_widget_add_css_class (open, "suggested-action");
  gtk_widget_set_tooltip_text (open, _ ("Ctrl+O"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (open), "app.open");
  gtk_box_set_homogeneous (GTK_BOX (box), TRUE);
  gtk_box_append (GTK_BOX (box), open);
  gtk_box_append (GTK_BOX (box), samples);
  gtk_widget_set_margin_top (box, 12);
  return box;
}

static GtkWidget *
make_label (const char *text, const char *class)
{
  GtkWidget *label = gtk_label_new (text);
  gtk_widget_add_css_class (label, class);
  return label;
}

/* NULL when there is a GPU to use, or may be. */
static const char *
about_gpu (const Modules *modules)
{
  const GPtrArray *devices = modules_devices (modules);
  const char *text = modules_devices_pending (modules) ? NULL : _ ("No GPU found: using the CPU.");
  for (guint i = 0; i < devices->len; i++) {
    const fv_device *device = ((const Device *) devices->pdata[i])->fv;
    if (!strcmp (device->key, "cpu"))
      continue;
    if (!device->fault)
      return NULL;
    text = _ ("The GPU cannot be used, so Fovea uses the CPU; see Help ▸ Device Report.");
  }
  return text;
}

/* ---- The widget ---- */

static void
start_page_class_init (StartPageClass *class)
{
  (void) class;
}

static void
fill_doors (StartPage *page)
{
  GtkWidget *icon = gtk_image_new_from_resource ("/org/fovea/Fovea/icons/256x256/apps/org.fovea.Fovea.png");
  page->recent = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  page->title = make_label (_ ("Opened before"), "heading");
  gtk_image_set_pixel_size (GTK_IMAGE (icon), 96);
  gtk_label_set_xalign (GTK_LABEL (page->title), 0);
  gtk_widget_set_margin_top (page->title, 18);
  gtk_widget_set_margin_start (page->title, 8);
  gtk_box_append (page->doors, icon);
  gtk_box_append (page->doors, make_label ("Fovea", "title-1"));
  gtk_box_append (page->doors, make_label (_ ("Drop image files here, or"), "dim-label"));
  gtk_box_append (page->doors, make_doors ());
  gtk_box_append (page->doors, page->title);
  gtk_box_append (page->doors, page->recent);
  gtk_widget_set_size_request (GTK_WIDGET (page->doors), 336, -1);
  gtk_widget_set_valign (GTK_WIDGET (page->doors), GTK_ALIGN_CENTER);
}

static GtkWidget *
make_trials (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8),
            *title = make_label (_ ("Fovea's results on samples"), "heading");
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_set_margin_start (title, 10);
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), sample_cards_new ());
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  return box;
}

static void
start_page_init (StartPage *page)
{
  page->doors = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 6));
  fill_doors (page);
  gtk_box_append (GTK_BOX (page), GTK_WIDGET (page->doors));
  gtk_box_append (GTK_BOX (page), make_trials ());
  gtk_widget_set_halign (GTK_WIDGET (page), GTK_ALIGN_CENTER);
  recent_connect (G_CALLBACK (fill_start_page), page);
  fill_start_page (page);
}

static void
show_about_gpu (gpointer data)
{
  StartPage *page = data;
  const char *text = about_gpu (page->modules);
  gtk_label_set_text (page->gpu, text ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (page->gpu), text != NULL);
}

GtkWidget *
start_page_new (const Modules *modules)
{
  StartPage *page = g_object_new (START_PAGE_TYPE, "spacing", 48, NULL);
  GtkWidget *label = make_label (NULL, "dim-label");
  page->modules = modules;
  page->gpu = GTK_LABEL (label);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_set_margin_top (label, 18);
  gtk_box_append (page->doors, label);
  show_about_gpu (page);
  gpus_when_found (page, show_about_gpu);
  return GTK_WIDGET (page);
}
