/* SPDX-License-Identifier: MIT
 *
 * A button's least width is that of its icon, its natural one that of its text; the row gives it one or the other.
 */
#include "ui/widgets/folding_row.h"

#include "ui/widgets/naming.h"

/* ---- Icon or text ---- */

static void
measure_content (GtkWidget *content, GtkOrientation across, int size, int *min, int *natural, int *base,
                 int *natural_base)
{
  GtkWidget *icon = gtk_widget_get_first_child (content), *text = gtk_widget_get_next_sibling (icon);
  int icon_needs, text_needs;
  (void) size;
  gtk_widget_measure (icon, across, -1, &icon_needs, NULL, NULL, NULL);
  gtk_widget_measure (text, across, -1, &text_needs, NULL, NULL, NULL);
  *min = across == GTK_ORIENTATION_HORIZONTAL ? icon_needs : MAX (icon_needs, text_needs);
  *natural = MAX (icon_needs, text_needs);
  *base = *natural_base = -1;
}

static void
allocate_content (GtkWidget *content, int width, int height, int baseline)
{
  GtkWidget *icon = gtk_widget_get_first_child (content), *text = gtk_widget_get_next_sibling (icon);
  int needs;
  gtk_widget_measure (text, GTK_ORIENTATION_HORIZONTAL, -1, &needs, NULL, NULL, NULL);
  gtk_widget_set_child_visible (text, width >= needs);
  gtk_widget_set_child_visible (icon, width < needs);
  gtk_widget_allocate (width >= needs ? text : icon, width, height, baseline, NULL);
}

void
folding_row_dress (GtkWidget *button, const char *icon, const char *label, const char *help)
{
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  g_auto (GStrv) parts = g_strsplit (label, "_", -1);
  g_autofree char *name = g_strjoinv ("", parts);
  gtk_box_append (GTK_BOX (content), gtk_image_new_from_icon_name (icon));
  gtk_box_append (GTK_BOX (content), gtk_label_new_with_mnemonic (label));
  gtk_widget_set_layout_manager (content, gtk_custom_layout_new (NULL, measure_content, allocate_content));
  g_object_set (button, "child", content, "has-frame", FALSE, NULL);
  gtk_widget_set_tooltip_text (button, help);
  naming_set (button, name);
}

/* ---- The row ---- */

/* Widths of the buttons together, with icons and with texts. */
typedef struct {
  int title, icons, texts, last; /* last: what the text of the last button needs more than its icon */
} Needs;

static Needs
needs_of (GtkWidget *row)
{
  GtkWidget *title = gtk_widget_get_first_child (row);
  Needs needs = {0};
  gtk_widget_measure (title, GTK_ORIENTATION_HORIZONTAL, -1, &needs.title, NULL, NULL, NULL);
  for (GtkWidget *button = gtk_widget_get_next_sibling (title); button; button = gtk_widget_get_next_sibling (button)) {
    int min, natural;
    if (!gtk_widget_should_layout (button))
      continue;
    gtk_widget_measure (button, GTK_ORIENTATION_HORIZONTAL, -1, &min, &natural, NULL, NULL);
    needs.icons += min;
    needs.texts += natural;
    needs.last = natural - min;
  }
  return needs;
}

static int
height_of (GtkWidget *first, const GtkWidget *end)
{
  int max = 0, needs;
  for (; first != end; first = gtk_widget_get_next_sibling (first)) {
    gtk_widget_measure (first, GTK_ORIENTATION_VERTICAL, -1, &needs, NULL, NULL, NULL);
    max = MAX (max, needs);
  }
  return max;
}

static GtkSizeRequestMode
request_mode (GtkWidget *row)
{
  (void) row;
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
measure (GtkWidget *row, GtkOrientation across, int size, int *min, int *natural, int *base, int *natural_base)
{
  Needs needs = needs_of (row);
  GtkWidget *title = gtk_widget_get_first_child (row), *buttons = gtk_widget_get_next_sibling (title);
  gboolean two_lines = size >= 0 && size < needs.title + needs.icons;
  *base = *natural_base = -1;
  if (across == GTK_ORIENTATION_HORIZONTAL) {
    *min = MAX (needs.title, needs.icons);
    *natural = needs.title + needs.texts;
  } else if (two_lines)
    *min = *natural = height_of (title, buttons) + height_of (buttons, NULL);
  else
    *min = *natural = height_of (title, NULL);
}

static void
put (GtkWidget *widget, int x, int y, int width, int height)
{
  gtk_widget_size_allocate (widget, &(GtkAllocation){x, y, width, height}, -1);
}

static void
allocate (GtkWidget *row, int width, int height, int baseline)
{
  Needs needs = needs_of (row);
  GtkWidget *title = gtk_widget_get_first_child (row), *buttons = gtk_widget_get_next_sibling (title);
  gboolean two_lines = width < needs.title + needs.icons;
  int room = two_lines ? width : width - needs.title, top = two_lines ? height - height_of (buttons, NULL) : 0;
  gboolean texts = needs.texts <= room, last = needs.icons + needs.last <= room;
  int x = width - (texts ? needs.texts : needs.icons + (last ? needs.last : 0));
  (void) baseline;
  put (title, 0, 0, two_lines ? width : x, two_lines ? top : height);
  for (GtkWidget *button = buttons; button; button = gtk_widget_get_next_sibling (button)) {
    int min, natural;
    if (!gtk_widget_should_layout (button))
      continue;
    gtk_widget_measure (button, GTK_ORIENTATION_HORIZONTAL, -1, &min, &natural, NULL, NULL);
    int used = texts || (last && !gtk_widget_get_next_sibling (button)) ? natural : min;
    put (button, x, top, used, height - top);
    x += used;
  }
}

GtkWidget *
folding_row_new (void)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_layout_manager (row, gtk_custom_layout_new (request_mode, measure, allocate));
  return row;
}
