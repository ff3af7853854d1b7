/* SPDX-License-Identifier: MIT
 *
 * The browser is started directly with the address: a launch by the type of the file loses the heading.
 */
#include "ui/app/manual.h"

#include "ui/widgets/shipped.h"

#include <string.h>

typedef struct {
  GtkWindow *window; /* weak */
  const Op *op;
  ManualOtherwise otherwise;
  char *path, *heading; /* of the page; heading is NULL for its top */
} Opening;

static void
opening_free (Opening *o)
{
  g_clear_weak_pointer (&o->window);
  g_free (o->path);
  g_free (o->heading);
  g_free (o);
}

static void
opening_fail (Opening *o)
{
  if (o->window)
    o->otherwise (o->window, o->op);
  opening_free (o);
}

/* docs/tree_pages.py has the same rule. */
static char *
page_of (const Op *op)
{
  g_autofree char *menu = g_ascii_strdown (op->fv.menu ? op->fv.menu : "no menu", -1);
  return g_strconcat ("reference/operations/", g_strdelimit (menu, "/ ", '-'), ".html", NULL);
}

static void
on_started (GObject *browser, GAsyncResult *result, gpointer opening)
{
  if (g_app_info_launch_uris_finish (G_APP_INFO (browser), result, NULL))
    opening_free (opening);
  else
    opening_fail (opening);
}

static void
on_browser (GObject *none, GAsyncResult *result, gpointer opening)
{
  Opening *o = opening;
  g_autoptr (GAppInfo) browser = g_app_info_get_default_for_uri_scheme_finish (result, NULL);
  (void) none;
  if (!browser || !o->window) {
    opening_fail (o);
    return;
  }
  g_autoptr (GdkAppLaunchContext) context =
    gdk_display_get_app_launch_context (gtk_widget_get_display (GTK_WIDGET (o->window)));
  g_autofree char *page = g_filename_to_uri (o->path, NULL, NULL);
  const gboolean heading = o->heading && g_app_info_supports_uris (browser);
  g_autofree char *uri = g_strconcat (page, heading ? "#" : NULL, o->heading, NULL);
  g_autoptr (GList) uris = g_list_append (NULL, uri);
  g_app_info_launch_uris_async (browser, uris, G_APP_LAUNCH_CONTEXT (context), NULL, on_started, o);
}

static void
on_page (GObject *file, GAsyncResult *result, gpointer opening)
{
  Opening *o = opening;
  g_autofree char *text = NULL;
  g_autofree char *id = o->heading ? g_strdup_printf (" id=\"%s\"", o->heading) : g_strdup ("");
  if (g_file_load_contents_finish (G_FILE (file), result, &text, NULL, NULL, NULL) && strstr (text, id))
    g_app_info_get_default_for_uri_scheme_async ("https", NULL, on_browser, o);
  else
    opening_fail (o);
}

void
manual_open (GtkWindow *window, const Op *op, ManualOtherwise otherwise)
{
  Opening *o = g_new0 (Opening, 1);
  g_autofree char *page = op ? page_of (op) : g_strdup ("index.html"), *shipped = shipped_manual ();
  const char *named = g_getenv ("FOVEA_MANUAL");
  g_set_weak_pointer (&o->window, window);
  o->op = op;
  o->otherwise = otherwise;
  o->path = g_build_filename (named ? named : shipped, page, NULL);
  o->heading = op ? g_strdelimit (g_strdup (op->fv.key), "_", '-') : NULL;
  g_autoptr (GFile) file = g_file_new_for_path (o->path);
  g_file_load_contents_async (file, NULL, on_page, o);
}
