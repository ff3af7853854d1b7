/* SPDX-License-Identifier: MIT
 *
 * A language is a folder with LC_MESSAGES/fovea.mo in it.
 */
#include "ui/widgets/words.h"

#include "ui/widgets/shipped.h"

#include <glib/gi18n.h>
#include <gtk/gtk.h>
#include <string.h>

static const char domain[] = "fovea";

void
words_start (void)
{
  g_autofree char *folder = shipped_translations ();
  bindtextdomain (domain, folder);
  bind_textdomain_codeset (domain, "UTF-8");
  textdomain (domain);
}

void
words_set_direction (void)
{
  /* Translators: default:RTL where one reads from the right to the left; otherwise default:LTR. */
  if (!strcmp (_ ("default:LTR"), "default:RTL"))
    gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
}

const char *
words_shown (const char *text)
{
  return text && *text ? gettext (text) : text; /* of "" gettext says who has translated */
}

char *
words_title (const Op *op)
{
  const char *label = words_shown (op->fv.label);
  gsize length = strlen (label);
  return g_strndup (label, g_str_has_suffix (label, "...") ? length - 3 : length);
}

char *
words_count (gint64 n, const char *one, const char *many)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT " %s", n, ngettext (one, many, (gulong) n));
}

char *
words_scalar (const fv_scalar *scalar, gint64 n)
{
  g_autofree char *one = g_strndup (scalar->key, strlen (scalar->key) - g_str_has_suffix (scalar->key, "s"));
  return words_count (n, one, scalar->key);
}
