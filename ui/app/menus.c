/* SPDX-License-Identifier: MIT
 *
 * An operation stands where its declaration says ("Process/Filters"); its item activates win.add-step with its key.
 */
#include "ui/app/menus.h"

#include "ui/start/samples.h"
#include "ui/app/theme.h"
#include "ui/macro/files.h"
#include "ui/results/column_names.h"
#include "ui/shell/panel_sides.h"
#include "ui/shell/recent.h"
#include "ui/steps/recipes.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>
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
  int after = g_hash_table_contains (m->menus, "Help") ? 2 : 0; /* View and Help, which stay the last */
  if (menu)
    return menu;
  menu = g_menu_new ();
  g_hash_table_insert (m->menus, g_strdup (path), menu);
  if (slash) {
    g_autofree char *parent = g_strndup (path, (gsize) (slash - path));
    g_menu_append_submenu (menu_at (m, parent), words_shown (slash + 1), G_MENU_MODEL (menu));
  } else
    g_menu_insert_submenu (m->bar, g_menu_model_get_n_items (G_MENU_MODEL (m->bar)) - after, words_shown (path),
                           G_MENU_MODEL (menu));
  return menu;
}

/* One of the menus within another. */
static GMenu *
menu_within (Menus *m, const char *path, const char *name)
{
  g_autofree char *whole = g_strdup_printf ("%s/%s", path, name);
  return menu_at (m, whole);
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
  add (file, _ ("_New Image"), "win.new-image");
  add (file, _ ("_Open…"), "app.open");
  add (file, _ ("Open Fo_lder…"), "win.open-folder");
  add (file, _ ("Open Ne_xt"), "win.open-next");
  add (file, _ ("Open Pre_vious"), "win.open-previous");
  g_menu_append_submenu (file, _ ("Open Recent"), recent);
  samples = menu_within (m, "File", N_ ("Open Sample"));
  for (const Sample *s = samples_list (); s->file; s++) {
    g_autoptr (GMenuItem) item = g_menu_item_new (_ (s->label), NULL);
    g_menu_item_set_action_and_target (item, "app.open-sample", "s", s->file);
    g_menu_append_item (samples, item);
  }
  add (file, _ ("Import Image Se_quence…"), "win.import-sequence");
  add (file, _ ("I_mport Raw…"), "win.import-raw");
  add (file, _ ("Open S_teps…"), "win.open-steps");
  part = section (file);
  add (part, _ ("_Save Image As…"), "win.save");
  add (part, _ ("Save Ste_ps…"), "win.save-steps");
  add (part, _ ("Save as _Recipe…"), "win.save-recipe");
  add (part, _ ("_Export Figure…"), "win.export-figure");
  part = section (file);
  add (part, _ ("Copy Pa_th"), "win.copy-path");
  part = section (file);
  add (part, _ ("_Close"), "win.close-page");
  add (part, _ ("Close Ot_hers"), "win.close-others");
  add (part, _ ("_Quit"), "app.quit");
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
  GMenu *menu = menu_within (m, "Edit", N_ ("Selection")), *part = section (menu);
  add_with_key (part, _ ("Select _All"), "win.select-all", "<Control>a");
  add_with_key (part, _ ("Select _None"), "win.select-none", "<Control><Shift>a");
  part = section (menu);
  add_with_key (part, _ ("A_dd to List"), "win.keep-selection", "t");
  add (part, _ ("_Selections…"), "win.selections");
  add (part, _ ("Re_name"), "win.rename-selection");
  add (part, _ ("_Update Shape"), "win.update-selection");
  add_with_key (part, _ ("Remo_ve from List"), "win.remove-selection", "Delete");
  add (part, _ ("_Restrict Step to Selection"), "win.restrict");
  add (section (menu), _ ("_Line Profile"), "win.line-profile");
}

/* Of the step that is looked at. */
static void
add_step (Menus *m)
{
  GMenu *menu = menu_within (m, "Edit", N_ ("Step")), *part = section (menu);
  add (part, _ ("_Skip Step"), "win.skip-step");
  add (part, _ ("De_faults"), "win.reset-step");
  part = section (menu);
  add_with_key (part, _ ("Move Step _Up"), "win.step-up", "<Alt>Up");
  add_with_key (part, _ ("Move Step Dow_n"), "win.step-down", "<Alt>Down");
  add (part, _ ("D_uplicate Step"), "win.duplicate-step");
  add (part, _ ("_Copy Step as Text"), "win.copy-step");
  add_with_key (part, _ ("_Delete Step"), "win.delete-step", "Delete");
  add (section (menu), _ ("_Help on Step"), "win.help::");
}

static void
add_measure (Menus *m)
{
  GMenu *part = section (menu_at (m, "Analyze"));
  add_with_key (part, _ ("_Measure"), "win.measure", "m");
  add (part, _ ("Measure _List of Selections"), "win.measure-list");
  add (part, _ ("_Clear Measurements"), "win.clear-measurements");
}

static void
add_rest (Menus *m)
{
  GMenu *edit = menu_at (m, "Edit");
  add (edit, _ ("_Undo"), "win.undo");
  add (edit, _ ("_Redo"), "win.redo");
  GMenu *part = section (edit);
  add_with_key (part, _ ("Copy _Figure"), "win.copy-figure", "<Control>c");
  add (part, _ ("_Copy Steps as Text"), "win.copy-steps");
  add (part, _ ("_Paste Steps"), "win.paste-steps");
  add_step (m);
  add_selection (m);
}

static void
add_macros (Menus *m, GtkApplication *application)
{
  GMenu *menu = menu_at (m, "Macros");
  g_autoptr (GMenuModel) recent = recent_menu (RECENT_MACROS), installed = macro_files_menu (application);
  g_autoptr (GMenuModel) examples = macro_files_examples ();
  add (menu, _ ("_New Macro"), "win.new-macro::");
  add (menu, _ ("_Open Macro…"), "win.open-macro");
  g_menu_append_submenu (menu, _ ("Recent _Macros"), recent);
  add (section (menu), _ ("R_ecord…"), "win.record");
  add (section (menu), _ ("_Batch…"), "win.batch");
  add (section (menu), _ ("_Forget Allowed Code"), "win.forget-code");
  g_menu_append_section (menu, NULL, installed);
  g_menu_append_submenu (section (menu), _ ("E_xamples"), examples);
}

static void
add_view (Menus *m)
{
  GMenu *view = menu_at (m, "View"), *help = menu_at (m, "Help");
  add (view, _ ("Zoom _In"), "win.zoom-in");
  add (view, _ ("Zoom _Out"), "win.zoom-out");
  add (view, "_100 %", "win.zoom-100");
  add (view, _ ("_Fit"), "win.zoom-fit");
  add (view, _ ("Zoom to _Object"), "win.zoom-object");
  GMenu *part = section (view);
  add_with_key (part, _ ("_Before and After"), "win.compare", "b");
  add (part, _ ("Show _Row in Table"), "win.show-row");
  part = section (view);
  g_autoptr (GMenuModel) sides = panel_sides_menu_new (), colors = theme_menu_new (), names = column_names_menu_new ();
  add_with_key (part, _ ("_Panels"), "win.panels", "Tab");
  g_menu_append_submenu (part, _ ("Panel S_ides"), sides);
  add (part, _ ("_Next Pane"), "win.next-pane");
  add (part, _ ("_Full Screen"), "win.fullscreen");
  g_menu_append_submenu (part, _ ("_Dark or Light"), colors);
  g_menu_append_submenu (part, _ ("_Columns of Tables"), names);
  add (help, _ ("_Manual"), "win.manual");
  add (help, _ ("_Operations"), "win.operations");
  add (help, _ ("_Find a Command…"), "win.find-command");
  add (help, _ ("_Tour"), "win.tour");
  add (help, _ ("_Device Report"), "app.devices");
  add (help, _ ("_Compare Devices"), "win.compare-devices");
  add (section (help), _ ("_About Fovea"), "app.about");
}

static void
add_operation (Menus *m, const Op *op)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (words_shown (op->fv.label), NULL);
  g_menu_item_set_action_and_target (item, "win.add-step", "s", op->fv.key);
  g_menu_append_item (menu_at (m, op->fv.menu), item);
  for (guint i = 0; i < op->n_params; i++)
    if (op->fv.params[i].models)
      add (menu_at (m, op->fv.menu), _ ("_Models…"), "win.models");
}

/* Menus within a menu come before its operations; otherwise in the order of names. */
static int
compare_positions (gconstpointer a, gconstpointer b)
{
  const Op *one = *(const Op *const *) a, *other = *(const Op *const *) b;
  gboolean deep = strchr (one->fv.menu, '/') != NULL, other_deep = strchr (other->fv.menu, '/') != NULL;
  int order = other_deep - deep;
  if (!order)
    order = strcmp (one->fv.menu, other->fv.menu);
  return order ? order : g_utf8_collate (words_shown (one->fv.label), words_shown (other->fv.label));
}

static void
add_operations (Menus *m, const Modules *modules)
{
  const GPtrArray *ops = modules_ops (modules);
  g_autoptr (GPtrArray) shown = g_ptr_array_new ();
  for (guint i = 0; i < ops->len; i++)
    if (((const Op *) ops->pdata[i])->fv.menu)
      g_ptr_array_add (shown, ops->pdata[i]);
  g_ptr_array_sort (shown, compare_positions);
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

/* The first item with that action and target, or NULL. */
static GMenuItem *
find_item (GMenuModel *menu, const char *name, GVariant *target)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++) {
    g_autofree char *action = NULL;
    g_autoptr (GVariant) with = g_menu_model_get_item_attribute_value (menu, i, G_MENU_ATTRIBUTE_TARGET, NULL);
    g_autoptr (GMenuLinkIter) links = g_menu_model_iterate_item_links (menu, i);
    GMenuModel *below;
    GMenuItem *found = NULL;
    if (g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_ACTION, "s", &action) && !strcmp (action, name)
        && (with && target ? g_variant_equal (with, target) : with == target))
      return g_menu_item_new_from_model (menu, i);
    while (!found && g_menu_link_iter_get_next (links, NULL, &below)) {
      found = find_item (below, name, target);
      g_object_unref (below);
    }
    if (found)
      return found;
  }
  return NULL;
}

GMenuModel *
menus_pick (GMenuModel *menus, const char *const *actions)
{
  GMenu *menu = g_menu_new (), *part = section (menu);
  for (; *actions; actions++) {
    g_autofree char *name = NULL;
    g_autoptr (GVariant) target = NULL;
    g_autoptr (GMenuItem) item = NULL;
    if (g_action_parse_detailed_name (*actions, &name, &target, NULL))
      item = find_item (menus, name, target);
    if (item)
      g_menu_append_item (part, item);
    else if (!**actions)
      part = section (menu);
  }
  return G_MENU_MODEL (menu);
}

/* As ImageJ has them. */
static void
add_types (Menus *m)
{
  GMenu *menu = menu_within (m, "Image", N_ ("Type"));
  add (menu, _ ("_8-bit"), "win.convert::u8");
  add (menu, _ ("_16-bit"), "win.convert::u16");
  add (menu, _ ("_32-bit"), "win.convert::f32");
}

GMenuModel *
menus_new (const Modules *modules, GtkApplication *application)
{
  static const char *const bar[] = {N_ ("File"),    N_ ("Edit"),   N_ ("Image"), N_ ("Process"),
                                    N_ ("Analyze"), N_ ("Macros"), N_ ("View"),  N_ ("Help")};
  Menus m = {g_menu_new (), g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref)};
  g_autoptr (GMenuModel) recipes = recipes_menu_new ();
  for (guint i = 0; i < G_N_ELEMENTS (bar); i++)
    menu_at (&m, bar[i]); /* in this order, independent of the order of insertion */
  add_file (&m);
  add_rest (&m);
  g_menu_append_submenu (menu_at (&m, "Analyze"), _ ("_Recipes"), recipes);
  add (menu_at (&m, "Image"), _ ("_Duplicate"), "win.duplicate");
  add (menu_at (&m, "Image"), _ ("_Brightness and Contrast"), "win.display");
  add (menu_at (&m, "Image"), _ ("Show as _Labels"), "win.show-labels");
  add_types (&m);
  add_operations (&m, modules);
  add (menu_at (&m, "Image/Color"), _ ("_Split Channels"), "win.split-channels");
  add (menu_at (&m, "Image/Color"), _ ("_Edit LUT…"), "win.edit-lut");
  add (menu_within (&m, "Image", N_ ("Lookup Tables")), _ ("_Open LUT…"), "win.open-lut");
  add (menu_within (&m, "Image", N_ ("Lookup Tables")), _ ("_Save LUT…"), "win.save-lut");
  add (menu_at (&m, "Image/Stacks"), _ ("Slices Are _Frames"), "win.slices-are-frames");
  add (section (menu_at (&m, "Image")), _ ("P_roperties…"), "win.properties");
  add_measure (&m);
  add (section (menu_at (&m, "Analyze")), _ ("Set Sca_le…"), "win.set-scale");
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
    {"win.open-next", {"<Control><Shift>o", "<Alt>Page_Down"}},
    {"win.open-previous", {"<Alt>Page_Up"}},
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
