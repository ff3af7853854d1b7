/* SPDX-License-Identifier: MIT
 *
 * A card and a frame around its subject, both over the window's contents, so that no other window opens and nothing moves.
 */
#include "ui/start/tour.h"

#include "core/base/settings.h"
#include "ui/widgets/button.h"

#include <glib/gi18n.h>

enum { WIDTH = 360, GAP = 16 };

static const char group[] = "Window", key[] = "tour";

static const struct {
  PagePart part; /* that is framed */
  const char *text;
} hints[] = {
  {PAGE_IMAGE, N_ ("This is the image. The wheel zooms at the pointer, the middle button pans, and Tab "
                   "hides or shows the panels.")},
  {PAGE_STEPS, N_ ("An image is processed by a list of steps. Select one to see its result; the eye "
                   "disables it. Ctrl+Z undoes any number of changes.")},
  {PAGE_FORM, N_ ("Parameters of the selected step. Drag a slider: the image, the count and the table "
                  "follow.")},
  {PAGE_BAR, N_ ("The results, as a table. Selecting a row highlights its object and clicking an object "
                 "its row. Filter, plot and export here.")},
  {PAGE_WHOLE, N_ ("Every command has a name: press l and type, for example, blur, count or scale bar. F1 "
                   "shows help for the selected step.")},
  {PAGE_STEPS, N_ ("These steps work on other images too: File ▸ Save as Recipe saves them, and Macros ▸ "
                   "Batch runs them on a folder.")},
};

struct _Tour {
  GtkBox parent;
  GtkLabel *text, *number;
  GtkWidget *back, *next, *frame;
  Page *page; /* weak */
  guint hint;
};

G_DEFINE_FINAL_TYPE (Tour, tour, GTK_TYPE_BOX)

gboolean
tour_is_new (void)
{
  g_autofree char *seen = settings_get (settings_of_user (), group, key);
  return !seen;
}

/* ---- Its position ---- */

/* What the hint is about, in the overlay; FALSE: it is not to be seen. */
static gboolean
find_part (const Tour *tour, GtkWidget *overlay, GdkRectangle *part)
{
  GtkWidget *widget = tour->page ? page_part (tour->page, hints[tour->hint].part) : NULL;
  graphene_rect_t bounds;
  if (!widget || !gtk_widget_get_mapped (widget) || !gtk_widget_compute_bounds (widget, overlay, &bounds))
    return FALSE;
  *part =
    (GdkRectangle){(int) bounds.origin.x, (int) bounds.origin.y, (int) bounds.size.width, (int) bounds.size.height};
  return TRUE;
}

/* Left of its target, or above it, or, without enough room, in the middle of it. */
static void
move_card (const GdkRectangle *part, int height, GdkRectangle *at)
{
  *at = (GdkRectangle){part->x + (part->width - WIDTH) / 2, part->y + (part->height - height) / 2, WIDTH, height};
  if (part->x >= WIDTH + 2 * GAP)
    at->x = part->x - WIDTH - GAP;
  else if (part->y >= height + 2 * GAP && part->height < 2 * height)
    at->y = part->y - height - GAP;
  at->x = MAX (at->x, 0);
  at->y = MAX (at->y, 0);
}

static gboolean
on_move (GtkOverlay *overlay, GtkWidget *child, GdkRectangle *at, Tour *tour)
{
  GdkRectangle part = {0, 0, gtk_widget_get_width (GTK_WIDGET (overlay)), gtk_widget_get_height (GTK_WIDGET (overlay))};
  int height;
  if (child != GTK_WIDGET (tour) && child != tour->frame)
    return FALSE;
  find_part (tour, GTK_WIDGET (overlay), &part);
  gtk_widget_measure (GTK_WIDGET (tour), GTK_ORIENTATION_VERTICAL, WIDTH, NULL, &height, NULL, NULL);
  if (child == tour->frame)
    *at = part;
  else
    move_card (&part, height, at);
  return TRUE;
}

/* A table that comes takes room of the image. */
static void
follow_target (Tour *tour)
{
  gtk_widget_queue_allocate (gtk_widget_get_parent (GTK_WIDGET (tour)));
}

/* ---- Going through it ---- */

static void
show_hint (Tour *tour, guint hint)
{
  guint all = G_N_ELEMENTS (hints);
  g_autofree char *number = g_strdup_printf (_ ("Hint %u of %u"), hint + 1, all);
  tour->hint = hint;
  gtk_label_set_text (tour->text, _ (hints[hint].text));
  gtk_label_set_text (tour->number, number);
  gtk_widget_set_sensitive (tour->back, hint > 0);
  gtk_button_set_label (GTK_BUTTON (tour->next), hint + 1 < G_N_ELEMENTS (hints) ? _ ("_Next") : _ ("_Done"));
  follow_target (tour);
}

static void
set_shown (Tour *tour, gboolean shown)
{
  gtk_widget_set_visible (GTK_WIDGET (tour), shown);
  gtk_widget_set_visible (tour->frame, shown);
}

void
tour_begin (Tour *tour, Page *page)
{
  g_autoptr (GError) error = NULL;
  if (page != tour->page)
    g_signal_connect_object (page, "status", G_CALLBACK (follow_target), tour, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_set_weak_pointer (&tour->page, page);
  show_hint (tour, 0);
  set_shown (tour, TRUE);
  gtk_widget_grab_focus (tour->next);
  if (!settings_set (settings_of_user (), group, key, "seen", &error))
    g_info ("It cannot be saved that the tour was shown: %s", error->message);
}

void
tour_end (Tour *tour)
{
  if (!gtk_widget_get_visible (GTK_WIDGET (tour)))
    return;
  set_shown (tour, FALSE);
  if (tour->page)
    gtk_widget_grab_focus (page_part (tour->page, PAGE_IMAGE));
}

static void
on_back (Tour *tour)
{
  show_hint (tour, tour->hint - 1);
}

static void
on_next (Tour *tour)
{
  if (tour->hint + 1 < G_N_ELEMENTS (hints))
    show_hint (tour, tour->hint + 1);
  else
    tour_end (tour);
}

static gboolean
on_escape (GtkWidget *tour, GVariant *arguments, gpointer data)
{
  (void) arguments, (void) data;
  tour_end (FOVEA_TOUR (tour));
  return TRUE;
}

/* ---- The widget ---- */

static void
tour_dispose (GObject *object)
{
  g_clear_weak_pointer (&FOVEA_TOUR (object)->page);
  G_OBJECT_CLASS (tour_parent_class)->dispose (object);
}

static void
tour_class_init (TourClass *class)
{
  G_OBJECT_CLASS (class)->dispose = tour_dispose;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class), GTK_ACCESSIBLE_ROLE_ALERT);
  gtk_widget_class_add_binding (GTK_WIDGET_CLASS (class), GDK_KEY_Escape, 0, on_escape, NULL);
}

static GtkWidget *
make_buttons (Tour *tour)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  tour->number = GTK_LABEL (gtk_label_new (NULL));
  tour->back = button_with_text (_ ("_Back"), NULL, G_CALLBACK (on_back), tour);
  tour->next = button_with_text (_ ("_Next"), NULL, G_CALLBACK (on_next), tour);
  gtk_widget_set_hexpand (GTK_WIDGET (tour->number), TRUE);
  gtk_label_set_xalign (tour->number, 0);
  gtk_widget_add_css_class (GTK_WIDGET (tour->number), "dim-label");
  gtk_widget_add_css_class (tour->next, "suggested-action");
  gtk_box_append (GTK_BOX (line), GTK_WIDGET (tour->number));
  gtk_box_append (GTK_BOX (line),
                  button_with_text (_ ("_Close"), _ ("Help ▸ Tour shows this again"), G_CALLBACK (tour_end), tour));
  gtk_box_append (GTK_BOX (line), tour->back);
  gtk_box_append (GTK_BOX (line), tour->next);
  return line;
}

static void
tour_init (Tour *tour)
{
  tour->text = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (tour->text, TRUE);
  gtk_label_set_xalign (tour->text, 0);
  gtk_label_set_max_width_chars (tour->text, 40);
  gtk_widget_add_css_class (GTK_WIDGET (tour), "tour");
  gtk_orientable_set_orientation (GTK_ORIENTABLE (tour), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (tour), 12);
  gtk_box_append (GTK_BOX (tour), GTK_WIDGET (tour->text));
  gtk_box_append (GTK_BOX (tour), make_buttons (tour));
  tour->frame = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (tour->frame, "tour-frame");
  gtk_widget_set_can_target (tour->frame, FALSE);
}

Tour *
tour_new (GtkOverlay *overlay)
{
  Tour *tour = g_object_new (TOUR_TYPE, NULL);
  set_shown (tour, FALSE);
  gtk_overlay_add_overlay (overlay, tour->frame);
  gtk_overlay_add_overlay (overlay, GTK_WIDGET (tour));
  g_signal_connect_object (overlay, "get-child-position", G_CALLBACK (on_move), tour, 0);
  return tour;
}
