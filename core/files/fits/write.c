/* SPDX-License-Identifier: MIT
 */
#include "core/files/fits/write.h"

#include "core/base/file_target.h"
#include "core/base/units.h"
#include "core/data/pixel_type.h"
#include "core/files/fits/cards.h"
#include "core/files/fits/values.h"

#include <math.h>
#include <string.h>

enum { RUN = 1 << 16 /* numbers written at one go */ };

typedef struct {
  Image *image;
  const ImageInfo *info;
  FileTarget *target;
  fv_type type;     /* of the numbers */
  guint bytes;      /* of one */
  gboolean flipped; /* the first bit is turned, for FITS has no such integers */
} Writer;

/* ---- The header ---- */

static gboolean
has_coordinates (const char *cards)
{
  g_autofree char *kind = cards ? files_fits_text (cards, "CTYPE", 1) : NULL;
  return kind != NULL;
}

static void
add_calibration (const ImageInfo *info, GString *cards)
{
  for (int axis = 2; axis >= (info->depth > 1 ? 0 : 1); axis--) {
    g_autofree char *unit = units_ascii (info->units[axis]);
    files_fits_add_number (cards, "CDELT", 3 - (guint) axis, info->spacing[axis], "size of a pixel");
    if (*unit)
      files_fits_add_text (cards, "CUNIT", 3 - (guint) axis, unit, "");
  }
}

static void
add_storage (const Writer *w, GString *cards)
{
  const ImageInfo *info = w->info;
  const gint64 axes[] = {info->columns, info->rows, info->depth, info->channels, info->frames};
  const PixelType *type = pixel_type (w->type);
  guint n = G_N_ELEMENTS (axes);
  while (n > 2 && axes[n - 1] == 1)
    n--;
  files_fits_add (cards, "SIMPLE", 0, "T", "FITS 4.0");
  files_fits_add_integer (cards, "BITPIX", 0, type->is_float ? -type->dl.bits : type->dl.bits, "");
  files_fits_add_integer (cards, "NAXIS", 0, n, "");
  for (guint i = 0; i < n; i++)
    files_fits_add_integer (cards, "NAXIS", i + 1, axes[i], "");
  if (w->flipped) {
    files_fits_add_integer (cards, "BSCALE", 0, 1, "");
    files_fits_add_integer (cards, "BZERO", 0, w->bytes == 1 ? -128 : G_GINT64_CONSTANT (1) << (8 * w->bytes - 1), "");
  }
}

static GString *
make_header (const Writer *w)
{
  const ImageInfo *info = w->info;
  GString *cards = g_string_new (NULL);
  gboolean calibrated = *info->units[2] && !has_coordinates (info->fits_header);
  add_storage (w, cards);
  if (info->role == FV_RGB)
    files_fits_add_text (cards, "CTYPE", 4, "RGB", "red, green, blue");
  if (calibrated)
    add_calibration (info, cards);
  if (info->fits_header)
    files_fits_add_others (cards, info->fits_header, !calibrated);
  if (info->notes && info->notes->made_by)
    files_fits_add_makers (cards, info->notes->made_by);
  g_string_append_printf (cards, "%-*s", FILES_FITS_CARD, "END");
  while (cards->len % FILES_FITS_BLOCK)
    g_string_append_printf (cards, "%*s", FILES_FITS_CARD, "");
  return cards;
}

/* ---- Pixels ---- */

/* n numbers of this machine become those of the file. */
static void
make_numbers (const Writer *w, guint8 *numbers, gsize n)
{
  files_fits_swap (numbers, w->bytes, n);
  for (gsize i = 0; w->flipped && i < n; i++)
    numbers[i * w->bytes] ^= 0x80;
}

static gboolean
write_plane (const Writer *w, gint64 plane, GError **error)
{
  const guint8 *pixels = image_plane (w->image, plane, error);
  gsize pixel = pixel_type_bytes (w->info->type), n = image_info_plane_bytes (w->info) / pixel;
  g_autofree guint8 *numbers = g_malloc (RUN * w->bytes);
  for (gsize done = 0; pixels && done < n; done += RUN) {
    gsize now = MIN (RUN, n - done);
    if (w->type == w->info->type)
      memcpy (numbers, pixels + done * pixel, now * pixel);
    else
      pixel_type_widen (w->info->type, pixels + done * pixel, now, w->type, numbers);
    make_numbers (w, numbers, now);
    if (!file_target_write (w->target, numbers, now * w->bytes, error))
      return FALSE;
  }
  return pixels != NULL;
}

static gboolean
write_all (const Writer *w, GError **error)
{
  static const guint8 zeros[FILES_FITS_BLOCK];
  g_autoptr (GString) header = make_header (w);
  guint64 bytes = (guint64) image_info_planes (w->info)
                  * (image_info_plane_bytes (w->info) / pixel_type_bytes (w->info->type)) * w->bytes;
  if (!file_target_write (w->target, header->str, header->len, error))
    return FALSE;
  for (gint64 plane = 0; plane < image_info_planes (w->info); plane++)
    if (!write_plane (w, plane, error))
      return FALSE;
  return file_target_write (w->target, zeros, (FILES_FITS_BLOCK - bytes % FILES_FITS_BLOCK) % FILES_FITS_BLOCK, error);
}

gboolean
files_fits_save (Image *image, const char *path, gconstpointer options, GError **error)
{
  (void) options;
  const ImageInfo *info = image_info (image);
  Writer w = {.image = image, .info = info, .type = info->type == FV_F16 ? FV_F32 : info->type};
  w.bytes = (guint) pixel_type_bytes (w.type);
  w.flipped = w.type == FV_I8 || w.type == FV_U16 || w.type == FV_U32;
  for (int axis = 0; axis < 3; axis++)
    if (!isfinite (info->spacing[axis]))
      return file_fail (error, FILE_ERROR_WRITE, path, "cannot be written: FITS cannot hold a pixel size of %g %s.",
                        info->spacing[axis], info->units[axis]);
  if (!(w.target = file_target_new (path, error)))
    return FALSE;
  if (write_all (&w, error))
    return file_target_commit (w.target, error);
  file_target_abandon (w.target);
  return FALSE;
}
