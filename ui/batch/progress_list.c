/* SPDX-License-Identifier: MIT
 */
#include "ui/batch/progress_list.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

struct _ProgressList {
  GtkBox parent;
  GtkProgressBar *bar;
  GtkLabel *line;
  GtkWidget *scroller;
  GtkStringList *failures;
};

G_DEFINE_FINAL_TYPE (ProgressList, progress_list, GTK_TYPE_BOX)

static guint activate;

/* ---- Figures ---- */

/* "1:02:03" or "2:03". */
static char *
clock_text (double seconds)
{
  guint s = (guint) (seconds + 0.5);
  return s < 3600 ? g_strdup_printf ("%u:%02u", s / 60, s % 60)
                  : g_strdup_printf ("%u:%02u:%02u", s / 3600, s / 60 % 60, s % 60);
}

/* table: whether one comes when all images are done. */
static char *
going_text (const BatchCounts *counts, double seconds, gboolean table)
{
  guint64 over = counts->done + counts->failed;
  double rate = (double) (over - counts->before) / seconds;
  g_autofree char *left = rate > 0 ? clock_text ((double) (counts->images - over) / rate) : NULL;
  if (!counts->images)
    return g_strdup (_ ("Looking for images…"));
  if (table && over == counts->images)
    return g_strdup (_ ("Merging the table…"));
  return left ? g_strdup_printf (_ ("%" PRIu64 " of %" PRIu64 " images, %.1f a second, %s left"), over, counts->images,
                                 rate, left)
              : g_strdup_printf (_ ("%" PRIu64 " of %" PRIu64 " images"), over, counts->images);
}

static char *
ended_text (const BatchCounts *counts, double seconds, const GError *error)
{
  g_autofree char *time = seconds < 60 ? text_from_ms (seconds * 1000) : clock_text (seconds);
  if (error && !step_error_is_cancelled (error))
    return g_strdup (error->message);
  return g_strdup_printf (error ? _ ("Stopped: %" PRIu64 " of %" PRIu64 " images are done, in %s")
                                : _ ("Done: %" PRIu64 " of %" PRIu64 " images, in %s"),
                          counts->done, counts->images, time);
}

static char *
text_of (Runner *runner, const BatchCounts *counts)
{
  double seconds = runner_seconds (runner);
  g_autofree char *text = runner_is_going (runner) ? going_text (counts, seconds, runner_task (runner)->table != NULL)
                                                   : ended_text (counts, seconds, runner_error (runner));
  return counts->failed ? g_strdup_printf (_ ("%s; %" PRIu64 " failed"), text, counts->failed)
                        : g_steal_pointer (&text);
}

/* ---- Failures ---- */

/* Sentences about files begin with the whole path, which is long. */
static char *
failure_text (const RunnerFailure *failure)
{
  g_autofree char *file = text_from_bytes (failure->file), *path = text_from_bytes (failure->path),
                  *named = g_strdup_printf ("'%s' ", path);
  if (g_str_has_prefix (failure->why, named))
    return g_strdup_printf ("%s %s", file, failure->why + strlen (named));
  return failure->series ? g_strdup_printf (_ ("%s, image %u: %s"), file, failure->series + 1, failure->why)
                         : g_strdup_printf ("%s: %s", file, failure->why);
}

static void
add_failures (ProgressList *self, Runner *runner)
{
  guint shown = g_list_model_get_n_items (G_LIST_MODEL (self->failures));
  g_autoptr (GPtrArray) failures = runner_failures (runner, shown);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < failures->len; i++)
    g_ptr_array_add (texts, failure_text (failures->pdata[i]));
  g_ptr_array_add (texts, NULL);
  if (failures->len)
    gtk_string_list_splice (self->failures, shown, 0, (const char *const *) texts->pdata);
  gtk_widget_set_visible (self->scroller, shown + failures->len > 0);
}

void
progress_list_update (ProgressList *self, Runner *runner)
{
  BatchCounts counts = runner_counts (runner);
  g_autofree char *text = text_of (runner, &counts);
  guint64 over = counts.done + counts.failed;
  guint shown = g_list_model_get_n_items (G_LIST_MODEL (self->failures));
  if (counts.failed < shown) /* another one has begun */
    gtk_string_list_splice (self->failures, 0, shown, NULL);
  add_failures (self, runner);
  gtk_progress_bar_set_fraction (self->bar, counts.images ? (double) over / (double) counts.images : 0);
  if (g_strcmp0 (text, gtk_label_get_text (self->line)))
    gtk_label_set_text (self->line, text);
}

/* ---- The widget ---- */

static void
on_setup (GtkListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);
  (void) factory;
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_margin_start (label, 6);
  gtk_widget_set_margin_end (label, 6);
  gtk_list_item_set_child (item, label);
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *item)
{
  (void) factory;
  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)),
                      gtk_string_object_get_string (gtk_list_item_get_item (item)));
}

static void
on_activate (ProgressList *self, guint position)
{
  g_signal_emit (self, activate, 0, position);
}

static GtkWidget *
make_failures (ProgressList *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  self->failures = gtk_string_list_new (NULL);
  GtkWidget *view = gtk_list_view_new (
    GTK_SELECTION_MODEL (gtk_no_selection_new (G_LIST_MODEL (g_object_ref (self->failures)))), factory);
  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
  gtk_list_view_set_single_click_activate (GTK_LIST_VIEW (view), TRUE);
  gtk_widget_set_tooltip_text (view, _ ("Opens the image, or its folder if it cannot be opened"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Failed images"), -1);
  g_signal_connect_object (view, "activate", G_CALLBACK (on_activate), self, G_CONNECT_SWAPPED);
  self->scroller = gtk_scrolled_window_new ();
  g_object_set (self->scroller, "child", view, "has-frame", TRUE, "min-content-height", 84, "hscrollbar-policy",
                GTK_POLICY_NEVER, "visible", FALSE, NULL);
  return self->scroller;
}

static void
progress_list_finalize (GObject *object)
{
  g_object_unref (FOVEA_PROGRESS_LIST (object)->failures);
  G_OBJECT_CLASS (progress_list_parent_class)->finalize (object);
}

static void
progress_list_class_init (ProgressListClass *class)
{
  G_OBJECT_CLASS (class)->finalize = progress_list_finalize;
  activate =
    g_signal_new ("activate", PROGRESS_LIST_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
progress_list_init (ProgressList *self)
{
  self->bar = GTK_PROGRESS_BAR (gtk_progress_bar_new ());
  self->line = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->line, 0);
  gtk_label_set_wrap (self->line, TRUE);
  gtk_label_set_wrap_mode (self->line, PANGO_WRAP_WORD_CHAR);
  gtk_widget_add_css_class (GTK_WIDGET (self->line), "numeric");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->bar), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Images done"), -1);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->bar));
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->line));
  gtk_box_append (GTK_BOX (self), make_failures (self));
}

GtkWidget *
progress_list_new (void)
{
  return g_object_new (PROGRESS_LIST_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 6, NULL);
}
