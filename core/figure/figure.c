/* SPDX-License-Identifier: MIT
 */
#include "core/figure/figure.h"

#include "core/base/file_target.h"
#include "core/base/error.h"
#include "core/figure/page.h"
#include "core/files/files.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>
#include <string.h>

/* ---- Drawing ---- */

/* Whether all went well with a surface; FALSE with *error. */
static gboolean
check (cairo_surface_t *surface, GError **error)
{
  const cairo_status_t status = cairo_surface_status (surface);
  if (status)
    step_error_set (error, FV_NO_MEMORY, NULL, "The figure cannot be drawn: %s.", cairo_status_to_string (status));
  return !status;
}

static gboolean
draw_on (const FigurePage *page, cairo_surface_t *surface, double scale, Progress *progress, GError **error)
{
  cairo_t *cr = cairo_create (surface);
  cairo_scale (cr, scale, scale);
  gboolean drawn = figure_page_draw (page, cr, progress, error);
  cairo_destroy (cr);
  return drawn && check (surface, error);
}

cairo_surface_t *
figure_picture (const FigureInputs *inputs, const FigureChoices *choices, Progress *progress, GError **error)
{
  g_autoptr (FigurePage) page = figure_page_new (inputs, choices, FALSE, progress, error);
  if (!page)
    return NULL;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) page->width, (int) page->height);
  if (draw_on (page, surface, 1, progress, error)) {
    cairo_surface_flush (surface);
    return surface;
  }
  cairo_surface_destroy (surface);
  return NULL;
}

/* ---- PNG and TIFF ---- */

static gboolean
save_dots (const FigureInputs *inputs, const FigureChoices *choices, const char *path, Progress *progress,
           GError **error)
{
  cairo_surface_t *surface = figure_picture (inputs, choices, progress, error);
  if (!surface)
    return FALSE;
  char *const inch = (char *) "inch";
  const ImageInfo info = {.type = FV_U8,
                          .role = FV_RGB,
                          .frames = 1,
                          .channels = 3,
                          .depth = 1,
                          .rows = cairo_image_surface_get_height (surface),
                          .columns = cairo_image_surface_get_width (surface),
                          .spacing = {1 / choices->dpi, 1 / choices->dpi, 1 / choices->dpi},
                          .units = {inch, inch, inch}};
  g_autoptr (Image) image = image_new (&info, error);
  const gsize plane = (gsize) (info.rows * info.columns), stride = (gsize) cairo_image_surface_get_stride (surface);
  for (gint64 y = 0; image && y < info.rows; y++) {
    const guint32 *row = (const guint32 *) (gpointer) (cairo_image_surface_get_data (surface) + (gsize) y * stride);
    guint8 *to = (guint8 *) image_pixels (image) + (gsize) (y * info.columns);
    for (gint64 x = 0; x < info.columns; x++)
      for (int c = 0; c < 3; c++)
        to[(gsize) c * plane + (gsize) x] = (guint8) (row[x] >> (16 - 8 * c));
  }
  cairo_surface_destroy (surface);
  return image && files_save (image, path, error);
}

/* ---- SVG and PDF ---- */

typedef struct {
  FileTarget *target;
  GError **error;
} Stream;

static cairo_status_t
write_stream (void *data, const unsigned char *bytes, unsigned n)
{
  Stream *stream = data;
  return file_target_write (stream->target, bytes, n, stream->error) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static cairo_surface_t *
make_svg (Stream *stream, double width, double height, const ImageInfo *info)
{
  cairo_surface_t *surface = cairo_svg_surface_create_for_stream (write_stream, stream, width, height);
  (void) info;
  cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PT);
  return surface;
}

/* Without the time at which it was made: the same figure is the same file. */
static cairo_surface_t *
make_pdf (Stream *stream, double width, double height, const ImageInfo *info)
{
  cairo_surface_t *surface = cairo_pdf_surface_create_for_stream (write_stream, stream, width, height);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, info->name);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, "Fovea " FOVEA_VERSION);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
  return surface;
}

static gboolean
save_lines (const FigureInputs *inputs, const FigureChoices *choices, const char *path,
            cairo_surface_t *(*make) (Stream *stream, double width, double height, const ImageInfo *info),
            Progress *progress, GError **error)
{
  g_autoptr (FigurePage) page = figure_page_new (inputs, choices, TRUE, progress, error);
  g_autoptr (FileTarget) target = page ? file_target_new (path, error) : NULL;
  GError *fault = NULL;
  Stream stream = {target, &fault};
  if (!target)
    return FALSE;
  cairo_surface_t *surface =
    make (&stream, page->width / page->point, page->height / page->point, image_info (inputs->image));
  gboolean drawn = draw_on (page, surface, 1 / page->point, progress, error);
  cairo_surface_finish (surface);
  drawn = drawn && check (surface, fault ? NULL : error);
  cairo_surface_destroy (surface);
  if (fault) { /* why it could not be written */
    g_clear_error (error);
    g_propagate_error (error, fault);
  }
  return drawn && file_target_commit (g_steal_pointer (&target), error);
}

static gboolean
save_svg (const FigureInputs *inputs, const FigureChoices *choices, const char *path, Progress *progress,
          GError **error)
{
  return save_lines (inputs, choices, path, make_svg, progress, error);
}

static gboolean
save_pdf (const FigureInputs *inputs, const FigureChoices *choices, const char *path, Progress *progress,
          GError **error)
{
  return save_lines (inputs, choices, path, make_pdf, progress, error);
}

/* ---- By the name's end ---- */

static const struct {
  const char *extension;
  gboolean (*save) (const FigureInputs *inputs, const FigureChoices *choices, const char *path, Progress *progress,
                    GError **error);
} writers[] = {{".png", save_dots}, {".tif", save_dots}, {".tiff", save_dots}, {".svg", save_svg}, {".pdf", save_pdf}};

/* The index of the writer for the extension; -1 with *error. */
static int
find_writer (const char *path, GError **error)
{
  const char *extension = strrchr (path, '.');
  for (guint i = 0; extension && i < G_N_ELEMENTS (writers); i++)
    if (!g_ascii_strcasecmp (extension, writers[i].extension))
      return (int) i;
  file_fail (error, FILE_ERROR_WRITE, path,
             "cannot be written, because its name does not end in .png, .tif, .svg or .pdf.");
  return -1;
}

gboolean
figure_can_save (const char *path, GError **error)
{
  return find_writer (path, error) >= 0;
}

gboolean
figure_save (const FigureInputs *inputs, const FigureChoices *choices, const char *path, Progress *progress,
             GError **error)
{
  int i = find_writer (path, error);
  return i >= 0 && writers[i].save (inputs, choices, path, progress, error);
}
