/* SPDX-License-Identifier: MIT
 *
 * The lines are rebuilt when the view shows another image. The file's size is read in the background.
 */
#include "ui/look/image_properties.h"

#include "ui/widgets/button.h"
#include "ui/widgets/side_window.h"
#include "core/data/pixel_type.h"
#include "core/data/plane.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#define PROPERTIES_TYPE (properties_get_type ())
G_DECLARE_FINAL_TYPE (Properties, properties, FOVEA, PROPERTIES, GtkBox)

struct _Properties {
  GtkBox parent;
  View *view;
  GtkGrid *grid;
  int y;               /* of the next line */
  GtkLabel *file_size; /* filled in later */
  GCancellable *asking;
};

G_DEFINE_FINAL_TYPE (Properties, properties, GTK_TYPE_BOX)

/* ---- Texts ---- */

static const char *
role_text (fv_role role)
{
  switch (role) {
  case FV_MASK: return _ ("mask: 0 is background");
  case FV_LABELS: return _ ("labels: each object has its number");
  case FV_RGB: return _ ("colors: red, green, blue");
  default: return _ ("intensities");
  }
}

static char *
plane_text (const ImageInfo *info)
{
  GString *s = g_string_new (NULL);
  g_string_append_printf (s, _ ("%" PRId64 " × %" PRId64 " pixels"), info->columns, info->rows);
  const PlaneScale scale = plane_scale (info);
  if (strcmp (scale.unit, "px"))
    g_string_append_printf (s, "   (%.6g × %.6g %s)", (double) info->columns * scale.width,
                            (double) info->rows * scale.height, scale.unit);
  return g_string_free (s, FALSE);
}

/* Each channel's name after a square of its color, as markup. */
static char *
channels_markup (const ImageInfo *info)
{
  static const char *const rgb[] = {N_ ("red"), N_ ("green"), N_ ("blue")};
  static const guint32 rgb_colors[] = {0xff0000, 0x00ff00, 0x0000ff};
  gboolean is_rgb = info->role == FV_RGB && info->channels == 3;
  GString *s = g_string_new (NULL);
  g_string_append_printf (s, "%" G_GINT64_FORMAT, info->channels);
  for (gint64 c = 0; c < MIN (info->channels, 64) && info->channels > 1; c++) {
    const char *name = is_rgb ? _ (rgb[c]) : info->channel_names ? info->channel_names[c] : "";
    g_autofree char *escaped = g_markup_escape_text (name, -1);
    g_string_append_printf (s, "\n%" G_GINT64_FORMAT "  ", c + 1);
    if (is_rgb || info->channel_colors)
      g_string_append_printf (s, "<span foreground=\"#%06x\">■</span>  ",
                              (is_rgb ? rgb_colors[c] : info->channel_colors[c]) & 0xffffff);
    g_string_append (s, escaped);
  }
  return g_string_free (s, FALSE);
}

static char *
position_text (const View *view)
{
  const Recipe *recipe = document_recipe (view_document (view));
  int index = view_index (view);
  if (index < 0 || index >= (int) recipe_length (recipe))
    return g_strdup (_ ("the image as it was opened"));
  g_autofree char *title = words_title (recipe_step (recipe, (guint) index)->op);
  return g_strdup_printf (_ ("after step %d, %s"), index + 1, title);
}

/* ---- The file ---- */

static void
asked (GObject *file, GAsyncResult *result, gpointer data)
{
  g_autoptr (Properties) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFileInfo) info = g_file_query_info_finish (G_FILE (file), result, &error);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || !self->file_size)
    return;
  if (!info) {
    gtk_label_set_text (self->file_size, error->message);
    return;
  }
  g_autoptr (GDateTime) date = g_file_info_get_modification_date_time (info);
  g_autofree char *size = g_format_size_full ((guint64) g_file_info_get_size (info), G_FORMAT_SIZE_IEC_UNITS);
  g_autoptr (GDateTime) local = date ? g_date_time_to_local (date) : NULL;
  g_autofree char *when = local ? g_date_time_format (local, "%F %R") : g_strdup ("?");
  g_autofree char *text = g_strdup_printf (_ ("%s, changed %s"), size, when);
  gtk_label_set_text (self->file_size, text);
}

static void
ask_file (Properties *self, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  if (self->asking)
    g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
  self->asking = g_cancellable_new ();
  g_file_query_info_async (file, G_FILE_ATTRIBUTE_STANDARD_SIZE "," G_FILE_ATTRIBUTE_TIME_MODIFIED, 0,
                           G_PRIORITY_DEFAULT, self->asking, asked, g_object_ref (self));
}

/* ---- Lines ---- */

static GtkLabel *
add_line (Properties *self, const char *name, const char *text)
{
  GtkWidget *value = side_window_text (text);
  side_window_line (self->grid, self->y++, name, value);
  return GTK_LABEL (value);
}

/* Takes the text. */
static void
add_made (Properties *self, const char *name, char *text)
{
  add_line (self, name, text);
  g_free (text);
}

static void
add_file (Properties *self, const ImageInfo *info)
{
  const char *path = document_path (view_document (self->view));
  add_line (self, _ ("Name"), info->name);
  if (!path)
    return;
  add_made (self, _ ("File"), g_filename_display_name (path));
  self->file_size = add_line (self, "", "…");
  ask_file (self, path);
}

static void
add_pixels (Properties *self, const ImageInfo *info)
{
  guint64 bytes = (guint64) image_info_planes (info) * image_info_plane_bytes (info);
  g_autofree char *channels = channels_markup (info);
  const PixelType *type = pixel_type (info->type);
  add_made (self, _ ("Shown"), position_text (self->view));
  add_made (self, _ ("Size"), plane_text (info));
  gtk_label_set_markup (add_line (self, _ ("Channels"), NULL), channels);
  add_made (self, _ ("Slices (z)"), g_strdup_printf ("%" G_GINT64_FORMAT, info->depth));
  add_made (self, _ ("Frames (t)"), g_strdup_printf ("%" G_GINT64_FORMAT, info->frames));
  add_made (self, _ ("Type"), g_strdup_printf ("%s: %s", words_shown (type->words), words_shown (type->values)));
  add_line (self, _ ("Meaning"), role_text (info->role));
  if (info->source_type)
    add_line (self, _ ("Type in the file"), info->source_type);
  add_made (self, _ ("Memory"), g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS));
}

static void
add_calibration (Properties *self, const ImageInfo *info)
{
  static const char *const names[] = {N_ ("Voxel depth"), N_ ("Pixel height"), N_ ("Pixel width")};
  if (!*info->units[2])
    add_line (self, _ ("Pixel size"), _ ("unknown: lengths are in pixels"));
  for (int axis = 2; axis >= (info->depth > 1 ? 0 : 1) && *info->units[2]; axis--)
    add_made (self, _ (names[axis]),
              *info->units[axis] ? g_strdup_printf ("%.10g %s", info->spacing[axis], info->units[axis])
                                 : g_strdup_printf (_ ("%.10g (no unit)"), info->spacing[axis]));
  if (*info->units[2])
    add_made (self, _ ("Scale"), g_strdup_printf (_ ("%.6g pixels per %s"), 1 / info->spacing[2], info->units[2]));
  if (info->frame_interval > 0)
    add_made (self, _ ("Time step"), g_strdup_printf ("%.10g %s", info->frame_interval, info->frame_unit));
  else if (info->frames > 1)
    add_line (self, _ ("Time step"), _ ("not known"));
}

static void
add_description (Properties *self, const ImageInfo *info)
{
  GtkWidget *scroller = gtk_scrolled_window_new (), *text = gtk_text_view_new ();
  g_autofree char *valid = g_utf8_make_valid (info->description ? info->description : "", -1);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (text)), valid, -1);
  gtk_text_view_set_editable (GTK_TEXT_VIEW (text), FALSE);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (text), TRUE);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (text), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (text), FALSE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), text);
  gtk_scrolled_window_set_has_frame (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_widget_set_size_request (scroller, -1, 110);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (text), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Description"), -1);
  side_window_line (self->grid, self->y++, _ ("Description"), scroller);
}

static void
fill (Properties *self)
{
  const ImageInfo *info = image_info (view_image (self->view));
  const ImageInfo *source = image_info (document_source (view_document (self->view)));
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->grid))))
    gtk_grid_remove (self->grid, child);
  self->y = 0;
  self->file_size = NULL;
  add_file (self, source);
  add_pixels (self, info);
  add_calibration (self, info);
  if (source->description && *source->description)
    add_description (self, source);
}

/* ---- The widget ---- */

static void
properties_dispose (GObject *object)
{
  Properties *self = FOVEA_PROPERTIES (object);
  if (self->asking)
    g_cancellable_cancel (self->asking);
  self->file_size = NULL;
  g_clear_object (&self->asking);
  g_clear_object (&self->view);
  G_OBJECT_CLASS (properties_parent_class)->dispose (object);
}

static void
properties_class_init (PropertiesClass *class)
{
  G_OBJECT_CLASS (class)->dispose = properties_dispose;
}

static void
properties_init (Properties *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new (), *grid = gtk_grid_new ();
  self->grid = GTK_GRID (grid);
  gtk_grid_set_column_spacing (self->grid, 18);
  gtk_grid_set_row_spacing (self->grid, 4);
  gtk_widget_set_margin_start (grid, 14);
  gtk_widget_set_margin_end (grid, 14);
  gtk_widget_set_margin_top (grid, 12);
  gtk_widget_set_margin_bottom (grid, 6);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), grid);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_box_append (GTK_BOX (self), scroller);
}

static void
set_scale (GtkWindow *window)
{
  gtk_widget_activate_action (GTK_WIDGET (window), "win.set-scale", NULL);
}

static void
say_frames (GtkWindow *window)
{
  gtk_widget_activate_action (GTK_WIDGET (window), "win.slices-are-frames", NULL);
}

/* As long as there are slices that can be frames. */
static void
show_frames (GtkWidget *button, View *view)
{
  const ImageInfo *info = image_info (view_image (view));
  gtk_widget_set_sensitive (button, info->depth > 1 && info->frames == 1);
}

void
image_properties_show (GtkWindow *window, View *view)
{
  /* Wide enough for headers, whose lines have 80 characters. */
  const char *description = image_info (document_source (view_document (view)))->description;
  int width = description && *description ? 800 : 520;
  GtkBox *box = side_window_show (window, "image-properties", _ ("Image Properties"), width, 520);
  Properties *self = g_object_new (PROPERTIES_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, NULL);
  GtkWidget *buttons = side_window_buttons (), *scale, *frames, *close;
  scale = button_with_text (_ ("Set _Scale…"), _ ("Set the pixel size"), G_CALLBACK (set_scale), window);
  frames = button_with_text (_ ("Slices Are _Frames"), _ ("Set the slices as frames of a time series"),
                             G_CALLBACK (say_frames), window);
  close = button_with_text (_ ("_Close"), NULL, G_CALLBACK (gtk_window_close), side_window_of (box));
  self->view = g_object_ref (view);
  g_signal_connect_object (view, "image", G_CALLBACK (fill), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "index", G_CALLBACK (fill), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "image", G_CALLBACK (show_frames), frames, G_CONNECT_SWAPPED);
  show_frames (frames, view);
  gtk_box_append (GTK_BOX (buttons), scale);
  gtk_box_append (GTK_BOX (buttons), frames);
  gtk_box_append (GTK_BOX (buttons), close);
  gtk_box_append (box, GTK_WIDGET (self));
  gtk_box_append (box, buttons);
  fill (self);
  gtk_widget_grab_focus (close);
}
