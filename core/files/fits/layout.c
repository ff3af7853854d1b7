/* SPDX-License-Identifier: MIT
 *
 * Headers are read block by block up to END, at most 32 MiB of them. What follows the last part, or is damaged behind the first image, is
 * left out with a word.
 */
#include "core/files/fits/layout.h"

#include "core/base/progress.h"
#include "core/files/fits/cards.h"

#include <string.h>

enum { MAX_HEADER = 32 << 20, MAX_AXES = 999, MAX_TOLD = 8 };

typedef struct {
  FilesFitsLayout *layout;
  guint64 at;
  guint part, left_out;
} Walk;

static void
image_free (FilesFitsImage *image)
{
  g_free (image->cards);
  g_free (image->tiles);
  g_free (image);
}

/* ---- Headers ---- */

/* FALSE behind the cards of the block: END is there. */
static gboolean
add_block (GString *cards, const char *block)
{
  for (int i = 0; i < FILES_FITS_BLOCK; i += FILES_FITS_CARD) {
    const char *card = block + i;
    if (!strncmp (card, "END     ", 8))
      return FALSE;
    for (int c = 0; c < FILES_FITS_CARD; c++)
      g_string_append_c (cards, card[c] >= ' ' && card[c] <= '~' ? card[c] : '?');
  }
  return TRUE;
}

/* The cards of the header at walk->at, which moves behind it. */
static char *
read_header (Walk *walk, GError **error)
{
  const FilesFitsFile *file = walk->layout->file;
  g_autoptr (GString) cards = g_string_new (NULL);
  char block[FILES_FITS_BLOCK];
  gboolean more = TRUE;
  while (more && cards->len < MAX_HEADER && files_fits_read (file, walk->at, block, sizeof block)) {
    more = add_block (cards, block);
    walk->at += sizeof block;
  }
  if (!more)
    return g_string_free (g_steal_pointer (&cards), FALSE);
  if (!progress_stopped (error))
    file_fail (error, FILE_ERROR_DAMAGED, file->path, "is damaged or truncated: the header of its part %u has no END.",
               walk->part);
  return NULL;
}

static gboolean
damaged (const Walk *walk, const char *card, guint number, GError **error)
{
  g_autofree char *name = number ? g_strdup_printf ("%s%u", card, number) : g_strdup (card);
  return file_fail (error, FILE_ERROR_DAMAGED, walk->layout->file->path,
                    "is damaged: the header of its part %u has no %s, or one that cannot be.", walk->part, name);
}

/* How large the data of a part are, by the axes of its header; 0: none. */
static gboolean
read_size (const Walk *walk, const char *cards, guint64 *bytes, GError **error)
{
  gint64 bits, axes, length, pcount = 0, gcount = 1;
  gboolean groups = files_fits_is_true (cards, "GROUPS");
  if (!files_fits_integer (cards, "BITPIX", 0, &bits)
      || (bits != 8 && bits != 16 && bits != 32 && bits != 64 && bits != -32 && bits != -64))
    return damaged (walk, "BITPIX", 0, error);
  if (!files_fits_integer (cards, "NAXIS", 0, &axes) || axes < 0 || axes > MAX_AXES)
    return damaged (walk, "NAXIS", 0, error);
  files_fits_integer (cards, "PCOUNT", 0, &pcount);
  files_fits_integer (cards, "GCOUNT", 0, &gcount);
  *bytes = axes > 0;
  for (guint i = 1; i <= axes; i++) {
    if (!files_fits_integer (cards, "NAXIS", i, &length) || length < 0
        || (!(groups && i == 1) && __builtin_mul_overflow (*bytes, (guint64) length, bytes)))
      return damaged (walk, "NAXIS", i, error);
  }
  if (pcount < 0 || __builtin_add_overflow (*bytes, (guint64) pcount, bytes))
    return damaged (walk, "PCOUNT", 0, error);
  if (gcount < 0 || __builtin_mul_overflow (*bytes, (guint64) gcount * (guint64) ABS (bits) / 8, bytes)
      || *bytes > G_MAXINT64 / 2)
    return damaged (walk, "GCOUNT", 0, error);
  return TRUE;
}

/* ---- Images ---- */

gint64
files_fits_planes (const FilesFitsImage *image)
{
  return image->slices * image->channels * image->frames;
}

/* prefix: "Z" where the table has its own cards in addition to the image's. Their product is below 2^59, as of image_info_check(). */
static gboolean
read_axes (const Walk *walk, const char *prefix, FilesFitsImage *image, GError **error)
{
  gint64 *const to[] = {&image->columns, &image->rows, &image->slices, &image->channels, &image->frames};
  gint64 axes = 0, bits = 0, length, all = 1;
  g_autofree char *bitpix = g_strconcat (prefix, "BITPIX", NULL), *naxis = g_strconcat (prefix, "NAXIS", NULL);
  files_fits_integer (image->cards, bitpix, 0, &bits);
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64 && bits != -32 && bits != -64)
    return damaged (walk, bitpix, 0, error);
  image->bits = (int) bits;
  if (!files_fits_integer (image->cards, naxis, 0, &axes) || axes < 1 || axes > MAX_AXES)
    return damaged (walk, naxis, 0, error);
  for (guint i = 0; i < G_N_ELEMENTS (to); i++)
    *to[i] = 1;
  for (guint i = 1; i <= axes; i++) {
    if (!files_fits_integer (image->cards, naxis, i, &length) || length < 1
        || __builtin_mul_overflow (all, length, &all) || all >= G_GINT64_CONSTANT (1) << 59)
      return damaged (walk, naxis, i, error);
    *to[MIN (i, G_N_ELEMENTS (to)) - 1] *= length;
  }
  return TRUE;
}

static gboolean
read_tiles (const Walk *walk, FilesFitsImage *image, GError **error)
{
  gint64 row_bytes = 0, rows = 0, heap = 0, bytes = 0, table;
  files_fits_integer (image->cards, "NAXIS", 1, &row_bytes);
  files_fits_integer (image->cards, "NAXIS", 2, &rows);
  files_fits_integer (image->cards, "PCOUNT", 0, &bytes);
  if (__builtin_mul_overflow (row_bytes, rows, &table))
    return damaged (walk, "NAXIS", 2, error);
  if (!files_fits_integer (image->cards, "THEAP", 0, &heap))
    heap = table;
  if (heap < table || heap - table > bytes)
    return damaged (walk, "THEAP", 0, error);
  image->tiles = g_new (FilesFitsTable, 1);
  *image->tiles = (FilesFitsTable){walk->at, (guint64) row_bytes, (guint64) rows, walk->at + (guint64) heap,
                                   (guint64) (bytes - (heap - table))};
  return TRUE;
}

/* Takes the cards. */
static gboolean
add_image (Walk *walk, char *cards, gboolean tiled, GError **error)
{
  FilesFitsImage *image = g_new0 (FilesFitsImage, 1);
  *image = (FilesFitsImage){.part = walk->part, .cards = cards, .at = walk->at};
  if (read_axes (walk, tiled ? "Z" : "", image, error) && (!tiled || read_tiles (walk, image, error))) {
    g_ptr_array_add (walk->layout->images, image);
    return TRUE;
  }
  image_free (image);
  return FALSE;
}

/* ---- Parts ---- */

static void
leave_out (Walk *walk, const char *what, const char *name)
{
  GString *to = walk->layout->left_out;
  if (walk->left_out++ < MAX_TOLD)
    g_string_append_printf (to, "%spart %u (%s%s%s)", to->len ? ", " : "", walk->part, what, name ? " " : "",
                            name ? name : "");
  else if (walk->left_out == MAX_TOLD + 1)
    g_string_append (to, " and others");
}

/* One part, whose data begin at walk->at. Takes the cards. */
static gboolean
take_part (Walk *walk, char *cards, guint64 bytes, GError **error)
{
  g_autofree char *own = cards, *kind = files_fits_text (cards, "XTENSION", 0);
  g_autofree char *name = files_fits_text (cards, "EXTNAME", 0);
  gboolean table = kind && (!strcmp (kind, "BINTABLE") || !strcmp (kind, "A3DTABLE"));
  if (table && files_fits_is_true (cards, "ZIMAGE"))
    return add_image (walk, g_steal_pointer (&own), TRUE, error);
  if (kind && strcmp (kind, "IMAGE"))
    leave_out (walk, table || !strcmp (kind, "TABLE") ? "table" : kind, name);
  else if (files_fits_is_true (cards, "GROUPS"))
    leave_out (walk, "random groups", name);
  else if (bytes > 0)
    return add_image (walk, g_steal_pointer (&own), FALSE, error);
  return TRUE;
}

/* Whether another part begins here. */
static gboolean
goes_on (const Walk *walk)
{
  char word[8];
  if (walk->part && files_fits_file_ends (walk->layout->file, walk->at))
    return FALSE;
  if (!files_fits_read (walk->layout->file, walk->at, word, sizeof word))
    return FALSE;
  return !memcmp (word, walk->part ? "XTENSION" : "SIMPLE  ", sizeof word);
}

static gboolean
walk_parts (Walk *walk, GError **error)
{
  for (; goes_on (walk); walk->part++) {
    g_autofree char *cards = read_header (walk, error);
    guint64 bytes = 0;
    if (!cards || !read_size (walk, cards, &bytes, error) || !take_part (walk, g_steal_pointer (&cards), bytes, error))
      return FALSE;
    walk->at += (bytes + FILES_FITS_BLOCK - 1) / FILES_FITS_BLOCK * FILES_FITS_BLOCK;
  }
  return TRUE;
}

/* ---- The layout ---- */

gboolean
files_fits_is (const guint8 *head, gsize n)
{
  return n >= 9 && !memcmp (head, FILES_FITS_FIRST, 9);
}

FilesFitsLayout *
files_fits_layout_new (const char *path, GError **error)
{
  g_autoptr (FilesFitsLayout) layout = g_new0 (FilesFitsLayout, 1);
  g_autoptr (GError) fault = NULL;
  Walk walk = {.layout = layout};
  layout->references = 1;
  layout->images = g_ptr_array_new_with_free_func ((GDestroyNotify) image_free);
  layout->left_out = g_string_new (NULL);
  if (!(layout->file = files_fits_file_open (path, error)))
    return NULL;
  if (!walk_parts (&walk, &fault)) {
    if (!layout->images->len) {
      g_propagate_error (error, g_steal_pointer (&fault));
      return NULL;
    }
    leave_out (&walk, "damaged", NULL);
  } else if (files_fits_file_is_damaged (layout->file))
    leave_out (&walk, "damaged", NULL);
  if (layout->images->len)
    return g_steal_pointer (&layout);
  file_fail (error, FILE_ERROR_FORMAT, path, "is a FITS file without an image%s%s.", layout->left_out->len ? ": " : "",
             layout->left_out->str);
  return NULL;
}

FilesFitsLayout *
files_fits_layout_ref (FilesFitsLayout *layout)
{
  g_atomic_int_inc (&layout->references);
  return layout;
}

void
files_fits_layout_unref (FilesFitsLayout *layout)
{
  if (!g_atomic_int_dec_and_test (&layout->references))
    return;
  g_clear_pointer (&layout->file, files_fits_file_free);
  g_ptr_array_unref (layout->images);
  g_string_free (layout->left_out, TRUE);
  g_free (layout);
}
