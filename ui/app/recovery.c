/* SPDX-License-Identifier: MIT
 *
 * What could not be reopened is kept and offered again. All disk access happens on other threads.
 */
#include "ui/app/recovery.h"

#include "core/document/session.h"
#include "ui/shell/opening.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>

struct _Recovery {
  GtkBox parent;
  Shell *shell;
  GtkInfoBar *bar;
  GtkLabel *label;
  GtkButton *restore;
  GSimpleAction *action; /* the same for the keyboard and for tests; the window holds it */
  GMutex lock;           /* guards the session against its end */
  Session *session;      /* NULL until there is one */
  GPtrArray *orphans;
  guint orphan, image; /* that is opened now */
  char *fault;
};

G_DEFINE_FINAL_TYPE (Recovery, recovery, GTK_TYPE_BOX)

/* ---- Keeping ---- */

static void
keep_handmade (SessionImage *image, const Page *page)
{
  const Selection *current = selections_current (page_selections (page));
  Table *measured = measurements_table (page_measurements (page));
  image->selections = selections_share_kept (page_selections (page));
  image->current = current ? selection_share (current) : NULL;
  image->measured = measured ? table_ref (measured) : NULL;
}

static void
keep_images (Recovery *r)
{
  g_autoptr (GPtrArray) documents = shell_documents (r->shell);
  g_autoptr (GPtrArray) images = g_ptr_array_new_with_free_func (session_image_free);
  for (guint i = 0; i < documents->len; i++) {
    const Document *d = documents->pdata[i];
    const char *path = document_path (d);
    const View *view = page_view (shell_page_of (r->shell, documents->pdata[i]));
    if (path || document_source (d) == run_nothing ()) {
      SessionImage *image =
        session_image_of (path, document_recipe (d), document_device_key (d), view_display_settings (view));
      keep_handmade (image, shell_page_of (r->shell, documents->pdata[i]));
      g_ptr_array_add (images, image);
    }
  }
  if (r->session)
    session_set (r->session, g_steal_pointer (&images));
}

static void
on_opened (Recovery *r, Document *document)
{
  Page *page = shell_page_of (r->shell, document);
  View *view = page_view (page);
  g_signal_connect_object (page_selections (page), "list", G_CALLBACK (keep_images), r, G_CONNECT_SWAPPED);
  g_signal_connect_object (page_selections (page), "current", G_CALLBACK (keep_images), r, G_CONNECT_SWAPPED);
  g_signal_connect_object (page_measurements (page), "changed", G_CALLBACK (keep_images), r, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "steps", G_CALLBACK (keep_images), r, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "device", G_CALLBACK (keep_images), r, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "look", G_CALLBACK (keep_images), r, G_CONNECT_SWAPPED);
  keep_images (r);
}

/* ---- Offering ---- */

static char *
offer_text (const Recovery *r)
{
  guint n = 0, with_steps = 0, with_more = 0;
  for (guint i = 0; i < r->orphans->len; i++) {
    const GPtrArray *images = ((SessionOrphan *) r->orphans->pdata[i])->images;
    n += images->len;
    for (guint j = 0; j < images->len; j++) {
      const SessionImage *image = images->pdata[j];
      with_steps += *image->steps != 0;
      with_more += image->selections || image->measured;
    }
  }
  g_autofree char *images_text = with_more    ? words_count (n, "image with its steps, selections and measurements",
                                                             "images with their steps, selections and measurements")
                                 : with_steps ? words_count (n, "image with its steps", "images with their steps")
                                              : words_count (n, "image", "images");
  return r->fault ? g_strdup_printf (_ ("%s Still kept: %s."), r->fault, images_text)
                  : g_strdup_printf (_ ("Fovea ended unexpectedly. %s can be reopened."), images_text);
}

static void
offer (Recovery *r)
{
  g_autofree char *text = offer_text (r);
  gtk_label_set_text (r->label, text);
  gtk_button_set_label (r->restore, r->fault ? _ ("_Try Again") : _ ("_Restore"));
  gtk_info_bar_set_message_type (r->bar, r->fault ? GTK_MESSAGE_WARNING : GTK_MESSAGE_INFO);
  gtk_widget_set_visible (GTK_WIDGET (r->bar), TRUE);
  gtk_info_bar_set_revealed (r->bar, TRUE);
  g_simple_action_set_enabled (r->action, TRUE);
}

typedef struct {
  Session *session;
  GError *error;
  GPtrArray *orphans, *faults;
} Found;

static void
look_thread (GTask *task, gpointer self, gpointer data, GCancellable *cancellable)
{
  Found *found = g_new0 (Found, 1);
  (void) self, (void) data, (void) cancellable;
  found->faults = g_ptr_array_new_with_free_func (g_free);
  found->orphans = session_orphans (NULL, found->faults);
  found->session = session_new (NULL, &found->error);
  g_task_return_pointer (task, found, NULL);
}

static void
looked (GObject *self, GAsyncResult *result, gpointer data)
{
  Recovery *r = FOVEA_RECOVERY (self);
  g_autofree Found *found = g_task_propagate_pointer (G_TASK (result), NULL);
  g_autoptr (GPtrArray) faults = found->faults;
  g_autoptr (GError) error = found->error;
  (void) data;
  r->orphans = found->orphans;
  r->session = found->session;
  if (error) {
    g_autofree char *text = g_strdup_printf (_ ("Steps cannot be saved for crash recovery: %s"), error->message);
    shell_say (r->shell, GTK_MESSAGE_WARNING, text);
  }
  if (faults->len)
    shell_say (r->shell, GTK_MESSAGE_WARNING, faults->pdata[0]);
  if (r->orphans->len)
    offer (r);
  keep_images (r);
}

/* ---- Restoring and discarding ---- */

/* What has been opened is in the session of this process before it goes from the other. */
static void
settle_thread (GTask *task, gpointer self, gpointer orphans, GCancellable *cancellable)
{
  Recovery *r = self;
  gboolean kept;
  (void) cancellable;
  g_mutex_lock (&r->lock);
  kept = !r->session || session_flush (r->session, NULL);
  g_mutex_unlock (&r->lock);
  for (guint i = 0; kept && i < ((GPtrArray *) orphans)->len; i++)
    session_orphan_keep (((GPtrArray *) orphans)->pdata[i], NULL);
  g_task_return_boolean (task, TRUE);
}

static void
settled (GObject *self, GAsyncResult *result, gpointer data)
{
  Recovery *r = FOVEA_RECOVERY (self);
  (void) result, (void) data;
  for (guint i = r->orphans->len; i-- > 0;)
    if (!((SessionOrphan *) r->orphans->pdata[i])->images->len)
      g_ptr_array_remove_index (r->orphans, i);
  if (r->orphans->len)
    offer (r);
}

static void
settle (Recovery *r)
{
  g_autoptr (GTask) task = g_task_new (r, NULL, settled, NULL);
  g_task_set_task_data (task, g_ptr_array_ref (r->orphans), (GDestroyNotify) g_ptr_array_unref);
  g_task_run_in_thread (task, settle_thread);
}

static void restored (GObject *self, Document *document, const char *fault);

/* One after the other, so that the tabs stand as they stood. */
static void
restore_next (Recovery *r)
{
  for (; r->orphan < r->orphans->len; r->orphan++, r->image = 0) {
    const GPtrArray *images = ((SessionOrphan *) r->orphans->pdata[r->orphan])->images;
    if (r->image < images->len) {
      const SessionImage *image = images->pdata[r->image];
      shell_set_device (r->shell, image->device);
      opening_open_with (r->shell, image->path, image->steps, restored, G_OBJECT (r));
      return;
    }
  }
  settle (r);
}

static void
restore_handmade (Page *page, const SessionImage *image)
{
  selections_restore (page_selections (page), image->selections, image->current);
  if (image->measured)
    measurements_restore (page_measurements (page), image->measured);
}

/* As it was. */
static void
restored (GObject *self, Document *document, const char *fault)
{
  Recovery *r = FOVEA_RECOVERY (self);
  GPtrArray *images = ((SessionOrphan *) r->orphans->pdata[r->orphan])->images;
  if (!fault) {
    const SessionImage *image = images->pdata[r->image];
    Page *page = shell_page_of (r->shell, document);
    restore_handmade (page, image);
    if (!view_set_display_settings (page_view (page), image->look))
      shell_say (r->shell, GTK_MESSAGE_WARNING,
                 _ ("The display settings of an image could not be read; the defaults are used."));
    g_ptr_array_remove_index (images, r->image);
  } else {
    g_free (r->fault);
    r->fault = g_strdup (fault);
    r->image++;
  }
  restore_next (r);
}

static void
on_response (Recovery *r, int response)
{
  g_simple_action_set_enabled (r->action, FALSE);
  gtk_info_bar_set_revealed (r->bar, FALSE);
  gtk_widget_set_visible (GTK_WIDGET (r->bar), FALSE);
  g_clear_pointer (&r->fault, g_free);
  if (response == GTK_RESPONSE_ACCEPT) {
    r->orphan = r->image = 0;
    restore_next (r);
  } else if (response == GTK_RESPONSE_REJECT) {
    for (guint i = 0; i < r->orphans->len; i++)
      g_ptr_array_set_size (((SessionOrphan *) r->orphans->pdata[i])->images, 0);
    settle (r);
  }
}

static void
on_restore (Recovery *r)
{
  on_response (r, GTK_RESPONSE_ACCEPT);
}

/* ---- The widget ---- */

void
recovery_end (Recovery *r)
{
  g_mutex_lock (&r->lock);
  g_clear_pointer (&r->session, session_end);
  g_mutex_unlock (&r->lock);
}

static void
recovery_dispose (GObject *object)
{
  recovery_end (FOVEA_RECOVERY (object));
  G_OBJECT_CLASS (recovery_parent_class)->dispose (object);
}

static void
recovery_finalize (GObject *object)
{
  Recovery *r = FOVEA_RECOVERY (object);
  g_clear_pointer (&r->orphans, g_ptr_array_unref);
  g_free (r->fault);
  g_mutex_clear (&r->lock);
  G_OBJECT_CLASS (recovery_parent_class)->finalize (object);
}

static void
recovery_class_init (RecoveryClass *class)
{
  G_OBJECT_CLASS (class)->dispose = recovery_dispose;
  G_OBJECT_CLASS (class)->finalize = recovery_finalize;
}

static void
recovery_init (Recovery *r)
{
  GtkWidget *bar = gtk_info_bar_new (), *label = gtk_label_new (NULL);
  g_mutex_init (&r->lock);
  r->bar = GTK_INFO_BAR (bar);
  r->label = GTK_LABEL (label);
  gtk_label_set_wrap (r->label, TRUE);
  gtk_label_set_xalign (r->label, 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_info_bar_add_child (r->bar, label);
  r->restore = GTK_BUTTON (gtk_info_bar_add_button (r->bar, _ ("_Restore"), GTK_RESPONSE_ACCEPT));
  gtk_info_bar_add_button (r->bar, _ ("_Discard"), GTK_RESPONSE_REJECT);
  gtk_widget_set_hexpand (bar, TRUE);
  gtk_widget_set_visible (bar, FALSE);
  gtk_box_append (GTK_BOX (r), bar);
  g_signal_connect_object (bar, "response", G_CALLBACK (on_response), r, G_CONNECT_SWAPPED);
}

GtkWidget *
recovery_new (Shell *shell)
{
  Recovery *r = g_object_new (RECOVERY_TYPE, NULL);
  g_autoptr (GTask) task = g_task_new (r, NULL, looked, NULL);
  r->shell = shell;
  g_signal_connect_object (shell, "opened", G_CALLBACK (on_opened), r, G_CONNECT_SWAPPED);
  g_signal_connect_object (shell, "closed", G_CALLBACK (keep_images), r, G_CONNECT_SWAPPED);
  g_autoptr (GSimpleAction) action = g_simple_action_new ("restore", NULL);
  r->action = action;
  g_simple_action_set_enabled (action, FALSE);
  g_signal_connect_object (action, "activate", G_CALLBACK (on_restore), r, G_CONNECT_SWAPPED);
  g_action_map_add_action (G_ACTION_MAP (shell), G_ACTION (action));
  g_task_run_in_thread (task, look_thread);
  return GTK_WIDGET (r);
}
