/* SPDX-License-Identifier: MIT
 *
 * The line is placed when GTK has laid out, and so knows what the panes need.
 */
#include "ui/widgets/placed_line.h"

#include "core/base/settings.h"

enum { MINIMUM = 48, MAXIMUM = 10000, SAVE_MS = 300 };
static const char group[] = "Panels";

typedef struct {
  PlacedLine first_size;
  gpointer data;
  int frames;       /* until it is placed, or 0 */
  int placed;       /* where the line was put */
  gboolean held;    /* by a button, a finger or a key */
  gboolean dragged; /* by the user */
  const char *key;  /* what `kept` is kept as, or NULL */
  int kept;         /* the size of the pane that does not grow, or 0 if the user has not set one */
  guint saving;
} Line;

static Line *
line_of (GtkPaned *paned)
{
  return g_object_get_data (G_OBJECT (paned), "placed-line");
}

static int
size_of (GtkPaned *paned)
{
  return gtk_orientable_get_orientation (GTK_ORIENTABLE (paned)) == GTK_ORIENTATION_VERTICAL
           ? gtk_widget_get_height (GTK_WIDGET (paned))
           : gtk_widget_get_width (GTK_WIDGET (paned));
}

/* From the size of the pane that does not grow to the line, and back. */
static int
across (GtkPaned *paned, int size)
{
  return gtk_paned_get_resize_end_child (paned) ? size : size_of (paned) - size;
}

/* The second frame from now on begins with what the first has laid out. */
static gboolean
on_frame (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  GtkPaned *paned = GTK_PANED (widget);
  Line *line = data;
  const int size = size_of (paned);
  int min, max;
  (void) clock;
  if (--line->frames)
    return G_SOURCE_CONTINUE;
  g_object_get (paned, "min-position", &min, "max-position", &max, NULL);
  if (!line->dragged && size > 0) {
    line->placed = line->kept ? across (paned, MIN (line->kept, size * 3 / 5)) : line->first_size (line->data, size);
    line->placed = CLAMP (line->placed, min, MAX (min, max));
    gtk_paned_set_position (paned, line->placed);
  }
  return G_SOURCE_REMOVE;
}

void
placed_line_update (GtkPaned *paned)
{
  Line *line = line_of (paned);
  if (!line->frames)
    gtk_widget_add_tick_callback (GTK_WIDGET (paned), on_frame, line, NULL);
  line->frames = 2;
}

/* ---- What is dragged ---- */

static void
save (Line *line)
{
  g_autofree char *text = g_strdup_printf ("%d", line->kept);
  g_autoptr (GError) error = NULL;
  if (line->saving && !settings_set (settings_of_user (), group, line->key, text, &error))
    g_info ("The size of a panel cannot be saved: %s", error->message);
  g_clear_handle_id (&line->saving, g_source_remove);
}

static gboolean
on_time (gpointer line)
{
  save (line);
  return G_SOURCE_CONTINUE; /* it is removed */
}

static void
on_position (GtkPaned *paned)
{
  Line *line = line_of (paned);
  if (!line->held) { /* a paned whose panes come and go moves its line, too */
    if (gtk_paned_get_position (paned) != line->placed)
      placed_line_update (paned);
    return;
  }
  line->dragged = TRUE;
  if (!line->key)
    return;
  line->kept = CLAMP (across (paned, gtk_paned_get_position (paned)), MINIMUM, MAXIMUM);
  g_clear_handle_id (&line->saving, g_source_remove);
  line->saving = g_timeout_add (SAVE_MS, on_time, line);
}

static gboolean
on_event (Line *line, GdkEvent *event)
{
  const GdkEventType type = gdk_event_get_event_type (event);
  if (type == GDK_BUTTON_PRESS || type == GDK_TOUCH_BEGIN)
    line->held = TRUE;
  else if (type == GDK_BUTTON_RELEASE || type == GDK_TOUCH_END || type == GDK_TOUCH_CANCEL)
    line->held = FALSE;
  return GDK_EVENT_PROPAGATE;
}

static gboolean
let_go (gpointer paned)
{
  line_of (paned)->held = FALSE;
  g_object_unref (paned);
  return G_SOURCE_REMOVE;
}

/* The line is moved when all have heard of the key. */
static gboolean
on_key (GtkPaned *paned)
{
  line_of (paned)->held = TRUE;
  g_idle_add (let_go, g_object_ref (paned));
  return FALSE;
}

static void
watch_hands (GtkPaned *paned, Line *line)
{
  GtkEventController *events = gtk_event_controller_legacy_new ();
  gtk_event_controller_set_propagation_phase (events, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (events, "event", G_CALLBACK (on_event), line);
  gtk_widget_add_controller (GTK_WIDGET (paned), events);
  g_signal_connect (paned, "move-handle", G_CALLBACK (on_key), NULL);
}

void
placed_line_keep (GtkPaned *paned, const char *key)
{
  Line *line = line_of (paned);
  save (line);
  g_autofree char *text = key ? settings_get (settings_of_user (), group, key) : NULL;
  const gint64 size = text ? g_ascii_strtoll (text, NULL, 10) : 0;
  line->key = key;
  line->kept = size < MINIMUM || size > MAXIMUM ? 0 : (int) size;
  line->dragged = FALSE;
  placed_line_update (paned);
}

static void
free_line (gpointer line)
{
  save (line);
  g_free (line);
}

void
placed_line_watch (GtkPaned *paned, PlacedLine first_size, gpointer data)
{
  Line *line = g_new0 (Line, 1);
  line->first_size = first_size;
  line->data = data;
  g_object_set_data_full (G_OBJECT (paned), "placed-line", line, free_line);
  watch_hands (paned, line);
  g_signal_connect (paned, "notify::position", G_CALLBACK (on_position), NULL);
  g_signal_connect (paned, "notify::max-position", G_CALLBACK (placed_line_update), NULL);
  placed_line_update (paned);
}
