/* SPDX-License-Identifier: MIT
 *
 * The data set stays open as long as the window shows it, so that its index is read once for all pictures.
 */
#include "ui/folder/plate_window.h"

#include "core/base/error.h"
#include "core/base/worker.h"
#include "core/files/files.h"
#include "ui/folder/thumbnails.h"
#include "ui/plot/plate_grid.h"
#include "ui/shell/viewer.h"
#include "ui/widgets/naming.h"
#include "ui/widgets/side_window.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>
#include <string.h>

#define KEY "plate"

#define PLATE_FORM_TYPE (plate_form_get_type ())
G_DECLARE_FINAL_TYPE (PlateForm, plate_form, FOVEA, PLATE_FORM, GtkBox)

/* A field of a well: an image of the data set. */
typedef struct {
  int row, column;
  gint64 field;
  guint series;
} Spot;

struct _PlateForm {
  GtkBox parent;
  Shell *shell;
  Worker *worker;
  Viewer *viewer;
  Thumbnails *thumbnails;
  char *path;
  FilesImages *images; /* NULL: not read yet */
  GArray *spots;       /* Spot */
  GArray *fields;      /* gint64: those of all wells, in order */
  GPtrArray *pictures; /* FolderImage: of the field that is shown, as many as it has wells */
  PlateGrid *grid;
  GtkDropDown *field;
  GtkLabel *says;
};

G_DEFINE_FINAL_TYPE (PlateForm, plate_form, GTK_TYPE_BOX)

/* ---- What there is ---- */

typedef struct {
  PlateForm *form;
  char *path;
  FilesImages *images; /* made */
  GArray *spots;
  int rows, columns;
} Reading;

static gboolean
read_plate (gpointer data, Progress *progress, GError **error)
{
  Reading *r = data;
  progress_enter (progress);
  r->images = files_images_new (r->path, error);
  progress_enter (NULL);
  for (guint n = 0; r->images && n < files_images_count (r->images); n++) {
    FilePosition at;
    if (!files_images_position (r->images, n, &at) || at.row < 0)
      continue;
    const Spot spot = {at.row, at.column, at.field, n};
    g_array_append_val (r->spots, spot);
    r->rows = MAX (r->rows, MAX (at.rows, at.row + 1));
    r->columns = MAX (r->columns, MAX (at.columns, at.column + 1));
  }
  return r->images != NULL;
}

/* The smallest usual plate with so many rows and columns. */
static void
complete_plate (int *rows, int *columns)
{
  static const int usual[][2] = {{2, 3}, {3, 4}, {4, 6}, {6, 8}, {8, 12}, {16, 24}, {32, 48}};
  for (guint i = 0; i < G_N_ELEMENTS (usual); i++)
    if (*rows <= usual[i][0] && *columns <= usual[i][1]) {
      *rows = usual[i][0];
      *columns = usual[i][1];
      return;
    }
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const gint64 one = *(const gint64 *) a, other = *(const gint64 *) b;
  return (one > other) - (one < other);
}

/* All fields, each once. */
static GArray *
fields_of (const GArray *spots)
{
  GArray *fields = g_array_new (FALSE, FALSE, sizeof (gint64));
  guint kept = 0;
  for (guint i = 0; i < spots->len; i++)
    g_array_append_val (fields, g_array_index (spots, Spot, i).field);
  g_array_sort (fields, compare_numbers);
  for (guint i = 0; i < fields->len; i++)
    if (!i || g_array_index (fields, gint64, i) != g_array_index (fields, gint64, kept - 1))
      g_array_index (fields, gint64, kept++) = g_array_index (fields, gint64, i);
  g_array_set_size (fields, kept);
  return fields;
}

static const Spot *
spot_of (const PlateForm *self, int row, int column, gint64 field)
{
  for (guint i = 0; i < self->spots->len; i++) {
    const Spot *spot = &g_array_index (self->spots, Spot, i);
    if (spot->row == row && spot->column == column && spot->field == field)
      return spot;
  }
  return NULL;
}

/* ---- Pictures ---- */

static void
on_picture (FolderImage *image, PlateForm *self)
{
  const Spot *spot =
    &g_array_index (self->spots, Spot, GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (image), "spot")));
  const gboolean is_bad = folder_image_state (image) == FOLDER_IMAGE_BAD;
  plate_grid_set_picture (self->grid, spot->row, spot->column, folder_image_picture (image));
  if (is_bad)
    plate_grid_set_well (self->grid, spot->row, spot->column, folder_image_about (image));
}

static void
forget_pictures (PlateForm *self)
{
  for (guint i = 0; i < self->pictures->len; i++) {
    g_signal_handlers_disconnect_by_data (self->pictures->pdata[i], self);
    if (self->thumbnails)
      thumbnails_forget (self->thumbnails, self->pictures->pdata[i]);
  }
  g_ptr_array_set_size (self->pictures, 0);
}

/* The field that is chosen. */
static gint64
shown_field (const PlateForm *self)
{
  const guint n = gtk_drop_down_get_selected (self->field);
  return n < self->fields->len ? g_array_index (self->fields, gint64, n) : 0;
}

/* Pictures of the chosen field of all wells, the first well first. */
static void
show_field (PlateForm *self)
{
  const gint64 field = shown_field (self);
  forget_pictures (self);
  for (guint i = self->spots->len; self->images && i--;) {
    const Spot *spot = &g_array_index (self->spots, Spot, i);
    plate_grid_set_picture (self->grid, spot->row, spot->column, NULL);
    if (spot->field != field)
      continue;
    FolderImage *image = folder_image_new_of (self->images, spot->series, self->path, self->path);
    g_object_set_data (G_OBJECT (image), "spot", GUINT_TO_POINTER (i));
    g_signal_connect (image, "changed", G_CALLBACK (on_picture), self);
    g_ptr_array_add (self->pictures, image);
    thumbnails_ask (self->thumbnails, image);
  }
}

/* ---- Showing ---- */

static void
fill_fields (PlateForm *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  for (guint i = 0; i < self->fields->len; i++) {
    g_autofree char *name = g_strdup_printf (_ ("Field %d"), (int) g_array_index (self->fields, gint64, i));
    gtk_string_list_append (names, name);
  }
  gtk_drop_down_set_model (self->field, G_LIST_MODEL (names));
  gtk_widget_set_visible (GTK_WIDGET (self->field), self->fields->len > 1);
}

static void
fill (PlateForm *self, Reading *r)
{
  guint wells = 0;
  complete_plate (&r->rows, &r->columns);
  g_clear_pointer (&self->images, files_images_free);
  g_array_unref (self->spots);
  g_array_unref (self->fields);
  self->images = g_steal_pointer (&r->images);
  self->spots = g_array_ref (r->spots);
  self->fields = fields_of (r->spots);
  plate_grid_set_size (self->grid, r->rows, r->columns);
  for (guint i = 0; i < self->spots->len; i++) {
    const Spot *spot = &g_array_index (self->spots, Spot, i);
    wells += !i || spot->row != spot[-1].row || spot->column != spot[-1].column;
    plate_grid_set_well (self->grid, spot->row, spot->column, NULL);
  }
  g_autofree char *of_wells = words_count (wells, "well", "wells"),
                  *of_images = words_count (self->spots->len, "image", "images"),
                  *text = g_strdup_printf ("%s, %s", of_wells, of_images);
  gtk_label_set_text (self->says, text);
  fill_fields (self);
  show_field (self);
}

static void
reading_finished (gpointer data, const GError *error)
{
  Reading *r = data;
  PlateForm *self = r->form;
  if (self->shell && error && !step_error_is_cancelled (error))
    gtk_label_set_text (self->says, error->message);
  else if (self->shell && !error)
    fill (self, r);
  g_clear_pointer (&r->images, files_images_free);
  g_array_unref (r->spots);
  g_free (r->path);
  g_free (r);
  g_object_unref (self);
}

static void
set_path (PlateForm *self, const char *path)
{
  Reading *r = g_new0 (Reading, 1);
  g_autofree char *name = g_filename_display_basename (path), *title = g_strdup_printf (_ ("Plate %s"), name);
  g_free (self->path);
  self->path = g_strdup (path);
  forget_pictures (self);
  gtk_window_set_title (side_window_of (self), title);
  gtk_label_set_text (self->says, _ ("Looking for wells…"));
  r->form = g_object_ref (self);
  r->path = g_strdup (path);
  r->spots = g_array_new (FALSE, FALSE, sizeof (Spot));
  worker_push (self->worker, &(WorkerJob){read_plate, reading_finished, r, self});
}

/* ---- What the user does ---- */

/* The chosen field of a well, or the first one that it has, with the steps of the image in front. */
static void
open_well (PlateForm *self, int row, int column)
{
  const Spot *spot = spot_of (self, row, column, shown_field (self));
  Document *front = shell_document (self->shell);
  for (guint i = 0; i < self->spots->len && !spot; i++) {
    const Spot *other = &g_array_index (self->spots, Spot, i);
    spot = other->row == row && other->column == column ? other : NULL;
  }
  if (!spot)
    return;
  g_autofree char *steps = g_strdup (front && document_path (front) ? document_text (front) : "");
  viewer_show (self->viewer, &(ViewerWish){.path = self->path,
                                           .steps = steps,
                                           .series = spot->series,
                                           .channel = -1,
                                           .slice = -1,
                                           .frame = -1,
                                           .unsaved = front && document_unsaved (front)});
}

static void
on_failed (PlateForm *self, const char *path, const char *why)
{
  (void) path;
  shell_say (self->shell, GTK_MESSAGE_ERROR, why);
}

/* ---- The window ---- */

static void
plate_form_dispose (GObject *object)
{
  PlateForm *self = FOVEA_PLATE_FORM (object);
  self->shell = NULL;
  forget_pictures (self);
  if (self->viewer)
    viewer_leave (self->viewer);
  g_clear_object (&self->viewer);
  g_clear_pointer (&self->thumbnails, thumbnails_free);
  g_clear_pointer (&self->worker, worker_free);
  G_OBJECT_CLASS (plate_form_parent_class)->dispose (object);
}

static void
plate_form_finalize (GObject *object)
{
  PlateForm *self = FOVEA_PLATE_FORM (object);
  g_clear_pointer (&self->images, files_images_free);
  g_ptr_array_unref (self->pictures);
  g_array_unref (self->spots);
  g_array_unref (self->fields);
  g_free (self->path);
  G_OBJECT_CLASS (plate_form_parent_class)->finalize (object);
}

static void
plate_form_class_init (PlateFormClass *class)
{
  G_OBJECT_CLASS (class)->dispose = plate_form_dispose;
  G_OBJECT_CLASS (class)->finalize = plate_form_finalize;
}

static void
plate_form_init (PlateForm *self)
{
  self->worker = worker_new_modest (WORKER_SOON);
  self->spots = g_array_new (FALSE, FALSE, sizeof (Spot));
  self->fields = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->pictures = g_ptr_array_new_with_free_func (g_object_unref);
}

static GtkWidget *
make_buttons (PlateForm *self)
{
  GtkWidget *row = side_window_buttons (), *field = gtk_drop_down_new (NULL, NULL);
  self->says = GTK_LABEL (side_window_text (NULL));
  self->field = GTK_DROP_DOWN (field);
  gtk_label_set_selectable (self->says, FALSE);
  gtk_widget_add_css_class (GTK_WIDGET (self->says), "dim-label");
  gtk_widget_set_tooltip_text (field, _ ("The field of each well that is shown"));
  naming_set (field, _ ("Field"));
  gtk_widget_set_halign (row, GTK_ALIGN_FILL);
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->says));
  gtk_box_append (GTK_BOX (row), field);
  g_signal_connect_object (field, "notify::selected", G_CALLBACK (show_field), self, G_CONNECT_SWAPPED);
  return row;
}

static PlateForm *
form_new (Shell *shell)
{
  PlateForm *self = g_object_new (PLATE_FORM_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, NULL);
  GtkWidget *scroller = gtk_scrolled_window_new (), *grid = plate_grid_new (20, 16);
  self->shell = shell;
  self->viewer = viewer_new (shell);
  self->thumbnails = thumbnails_new (shell_modules (shell));
  self->grid = FOVEA_PLATE_GRID (grid);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), grid);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_widget_set_hexpand (scroller, TRUE);
  gtk_box_append (GTK_BOX (self), scroller);
  gtk_box_append (GTK_BOX (self), make_buttons (self));
  g_signal_connect_object (grid, "chosen", G_CALLBACK (open_well), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->viewer, "failed", G_CALLBACK (on_failed), self, G_CONNECT_SWAPPED);
  return self;
}

void
plate_window_show (Shell *shell, const char *path)
{
  GtkWindow *window = side_window_find (GTK_WINDOW (shell), KEY);
  PlateForm *form = window ? FOVEA_PLATE_FORM (gtk_widget_get_first_child (gtk_window_get_child (window))) : NULL;
  if (!form) {
    GtkBox *box = side_window_show (GTK_WINDOW (shell), KEY, _ ("Plate"), 640, 440);
    form = form_new (shell);
    gtk_box_append (box, GTK_WIDGET (form));
    gtk_window_set_hide_on_close (side_window_of (box), TRUE);
  }
  set_path (form, path);
  gtk_window_present (side_window_of (form));
}
