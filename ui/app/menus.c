/* SPDX-License-Identifier: MIT
 *
 * An operation stands where its declaration says ("Process/Filters"); its item activates win.add-step with its key.
 */
#include "ui/app/menus.h"

#include "ui/results/column_names.h"
#include "ui/macro/files.h"
#include "ui/shell/recent.h"
#include "ui/app/samples.h"
#include "ui/app/theme.h"

#include <string.h>

typedef struct {
  GMenu *bar;
  GHashTable *menus; /* path -> GMenu */
} Menus;

/* The menu of a path such as "Process/Filters", made on first use with those above it. */
static GMenu *
menu_at (Menus *m, const char *path)
{
  GMenu *menu = g_hash_table_lookup (m->menus, path);
  const char *slash = strrchr (path, '/');
  if (menu)
    return menu;
  menu = g_menu_new ();
  g_hash_table_insert (m->menus, g_strdup (path), menu);
  if (slash) {
    g_autofree char *parent = g_strndup (path, (gsize) (slash - path));
    g_menu_append_submenu (menu_at (m, parent), slash + 1, G_MENU_MODEL (menu));
  } else
    g_menu_append_submenu (m->bar, path, G_MENU_MODEL (menu));
  return menu;
}

static void
add (GMenu *menu, const char *label, const char *action)
{
  g_menu_append (menu, label, action);
}

/* A part of a menu between two lines. */
static GMenu *
section (GMenu *menu)
{
  GMenu *part = g_menu_new ();
  g_menu_append_section (menu, NULL, G_MENU_MODEL (part));
  g_object_unref (part);
  return part;
}

static void
add_file (Menus *m)
{
  GMenu *file = menu_at (m, "File"), *samples, *part;
  g_autoptr (GMenuModel) recent = recent_menu (RECENT_IMAGES);
  add (file, "_New Image", "win.new-image");
  add (file, "_Open…", "app.open");
  g_menu_append_submenu (file, "Open Recent", recent);
  samples = menu_at (m, "File/Open Sample");
  for (const Sample *s = samples_list (); s->file; s++) {
    g_autoptr (GMenuItem) item = g_menu_item_new (s->label, NULL);
    g_menu_item_set_action_and_target (item, "app.open-sample", "s", s->file);
    g_menu_append_item (samples, item);
  }
  add (file, "Open S_teps…", "win.open-steps");
  part = section (file);
  add (part, "_Save Image As…", "win.save");
  add (part, "Save Ste_ps…", "win.save-steps");
  add (part, "_Export Figure…", "win.export-figure");
  part = section (file);
  add (part, "_Close", "win.close-page");
  add (part, "_Quit", "app.quit");
}

/* Shows a key of keys.c. */
static void
add_with_key (GMenu *menu, const char *label, const char *action, const char *key)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, action);
  g_menu_item_set_attribute (item, "accel", "s", key);
  g_menu_append_item (menu, item);
}

static void
add_selection (Menus *m)
{
  GMenu *menu = menu_at (m, "Edit/Selection"), *part = section (menu);
  add_with_key (part, "Select _All", "win.select-all", "<Control>a");
  add_with_key (part, "Select _None", "win.select-none", "<Control><Shift>a");
  part = section (menu);
  add_with_key (part, "A_dd to List", "win.keep-selection", "t");
  add (part, "_Selections…", "win.selections");
  add (part, "_Restrict Step to Selection", "win.restrict");
  add (section (menu), "_Line Profile", "win.line-profile");
}

static void
add_measure (Menus *m)
{
  GMenu *part = section (menu_at (m, "Analyze"));
  add_with_key (part, "_Measure", "win.measure", "m");
  add (part, "Measure _List of Selections", "win.measure-list");
  add (part, "_Clear Measurements", "win.clear-measurements");
}

static void
add_rest (Menus *m)
{
  GMenu *edit = menu_at (m, "Edit");
  add (edit, "_Undo", "win.undo");
  add (edit, "_Redo", "win.redo");
  GMenu *part = section (edit);
  add_with_key (part, "Copy _Figure", "win.copy-figure", "<Control>c");
  add (part, "_Copy Steps as Text", "win.copy-steps");
  add (part, "_Paste Steps", "win.paste-steps");
  add_selection (m);
}

static void
add_macros (Menus *m, GtkApplication *application)
{
  GMenu *menu = menu_at (m, "Macros");
  g_autoptr (GMenuModel) recent = recent_menu (RECENT_MACROS), installed = macro_files_menu (application);
  g_autoptr (GMenuModel) examples = macro_files_examples ();
  add (menu, "_New Macro", "win.new-macro::");
  add (menu, "_Open Macro…", "win.open-macro");
  g_menu_append_submenu (menu, "Recent _Macros", recent);
  add (section (menu), "R_ecord…", "win.record");
  add (section (menu), "_Batch…", "win.batch");
  add (section (menu), "_Forget Allowed Code", "win.forget-code");
  g_menu_append_section (menu, NULL, installed);
  g_menu_append_submenu (section (menu), "E_xamples", examples);
}

static void
add_view (Menus *m)
{
  GMenu *view = menu_at (m, "View"), *help = menu_at (m, "Help");
  add (view, "Zoom _In", "win.zoom-in");
  add (view, "Zoom _Out", "win.zoom-out");
  add (view, "_100 %", "win.zoom-100");
  add (view, "_Fit", "win.zoom-fit");
  GMenu *part = section (view);
  add_with_key (part, "_Before and After", "win.compare", "b");
  part = section (view);
  g_autoptr (GMenuModel) colours = theme_menu_new (), names = column_names_menu_new ();
  add_with_key (part, "_Panels", "win.panels", "Tab");
  add (part, "_Next Pane", "win.next-pane");
  add (part, "_Full Screen", "win.fullscreen");
  g_menu_append_submenu (part, "_Dark or Light", colours);
  g_menu_append_submenu (part, "_Columns of Tables", names);
  add (help, "_Operations", "win.help::");
  add (help, "_Find a Command…", "win.find-command");
  add (help, "_Device Report", "app.devices");
  add (help, "_Compare Devices", "win.compare-devices");
  add (section (help), "_About Fovea", "app.about");
}

static void
add_operation (Menus *m, const Op *op)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (op->fv.label, NULL);
  g_menu_item_set_action_and_target (item, "win.add-step", "s", op->fv.key);
  g_menu_append_item (menu_at (m, op->fv.menu), item);
}

/* Menus within a menu come before its operations; otherwise in the order of names. */
static int
compare_places (gconstpointer a, gconstpointer b)
{
  const Op *one = *(const Op *const *) a, *other = *(const Op *const *) b;
  gboolean deep = strchr (one->fv.menu, '/') != NULL, other_deep = strchr (other->fv.menu, '/') != NULL;
  int order = other_deep - deep;
  if (!order)
    order = strcmp (one->fv.menu, other->fv.menu);
  return order ? order : strcmp (one->fv.label, other->fv.label);
}

static void
add_operations (Menus *m, const Modules *modules)
{
  const GPtrArray *ops = modules_ops (modules);
  g_autoptr (GPtrArray) shown = g_ptr_array_new ();
  for (guint i = 0; i < ops->len; i++)
    if (((const Op *) ops->pdata[i])->fv.menu)
      g_ptr_array_add (shown, ops->pdata[i]);
  g_ptr_array_sort (shown, compare_places);
  for (guint i = 0; i < shown->len; i++)
    add_operation (m, shown->pdata[i]);
}

static gboolean
is_operation (GMenuModel *menu, int i, const char *key)
{
  g_autofree char *action = NULL, *target = NULL;
  return g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_ACTION, "s", &action)
         && !strcmp (action, "win.add-step")
         && g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_TARGET, "s", &target) && !strcmp (target, key);
}

void
menus_add_operation (GMenuModel *menus, const Op *op)
{
  Menus m = {G_MENU (menus), g_object_get_data (G_OBJECT (menus), "menus")};
  GHashTableIter iter;
  gpointer menu;
  g_hash_table_iter_init (&iter, m.menus);
  while (g_hash_table_iter_next (&iter, NULL, &menu))
    for (int i = g_menu_model_get_n_items (menu) - 1; i >= 0; i--)
      if (is_operation (menu, i, op->fv.key))
        g_menu_remove (menu, i);
  add_operation (&m, op);
}

GMenuModel *
menus_new (const Modules *modules, GtkApplication *application)
{
  Menus m = {g_menu_new (), g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref)};
  add_file (&m);
  add_rest (&m);
  for (const char *const *top = (const char *const[]){"Image", "Process", "Analyze", NULL}; *top; top++)
    menu_at (&m, *top); /* in this order, whatever comes first */
  add (menu_at (&m, "Image"), "_Duplicate", "win.duplicate");
  add (menu_at (&m, "Image"), "_Brightness and Contrast", "win.display");
  add_operations (&m, modules);
  add (menu_at (&m, "Image/Color"), "_Split Channels", "win.split-channels");
  add (section (menu_at (&m, "Image")), "P_roperties…", "win.properties");
  add_measure (&m);
  add (section (menu_at (&m, "Analyze")), "Set Sca_le…", "win.set-scale");
  add_macros (&m, application);
  add_view (&m);
  g_object_set_data_full (G_OBJECT (m.bar), "menus", m.menus, (GDestroyNotify) g_hash_table_unref);
  return G_MENU_MODEL (m.bar);
}

void
menus_set_keys (GtkApplication *application)
{
  static const struct {
    const char *action, *keys[3];
  } keys[] = {
    {"win.new-image", {"<Control>n"}},
    {"app.open", {"<Control>o"}},
    {"app.quit", {"<Control>q"}},
    {"win.close-page", {"<Control>w"}},
    {"win.save", {"<Control>s"}},
    {"win.record", {"<Control>r"}},
    {"win.help::", {"F1"}},
    {"win.duplicate", {"<Control><Shift>d"}},
    {"win.display", {"<Control><Shift>c"}},
    {"win.properties", {"<Control><Shift>p"}},
    {"win.undo", {"<Control>z"}},
    {"win.redo", {"<Control><Shift>z", "<Control>y"}},
    {"win.zoom-in", {"<Control>plus", "<Control>equal"}},
    {"win.zoom-out", {"<Control>minus"}},
    {"win.zoom-100", {"<Control>1"}},
    {"win.zoom-fit", {"<Control>0"}},
    {"win.line-profile", {"<Control>k"}},
    {"win.fullscreen", {"F11"}},
    {"win.find-command", {"<Control>l"}},
    {"win.next-pane", {"F6"}},
    {"win.previous-pane", {"<Shift>F6"}},
    {"win.stop", {"Escape"}},
    {"win.add-step::threshold", {"<Control><Shift>t"}},
  };
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_application_set_accels_for_action (application, keys[i].action, keys[i].keys);
}
