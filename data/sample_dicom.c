/* SPDX-License-Identifier: MIT
 *
 * Explicit VR, little-endian (PS3.5, chapter 7; PS3.10, chapter 7). Numbers are HU + 1024 in 12 bits, as scanners store them. UIDs are those of a UUID,
 * 2.25.N (PS3.5, annex B.2). The patient is invented.
 */
#include "data/sample_dicom.h"

#include <string.h>

#define CT_STORAGE "1.2.840.10008.5.1.4.1.1.2"
#define EXPLICIT_LITTLE "1.2.840.10008.1.2.1"

enum { OFFSET = 1024, LARGEST = 4095 };

static void
add_u16 (GByteArray *to, guint value)
{
  const guint8 bytes[] = {(guint8) value, (guint8) (value >> 8)};
  g_byte_array_append (to, bytes, 2);
}

static void
add_u32 (GByteArray *to, guint32 value)
{
  add_u16 (to, value & 0xffff);
  add_u16 (to, value >> 16);
}

/* n: even. Bytes and words have a length of 32 bits. */
static void
add (GByteArray *to, guint group, guint number, const char *vr, const void *value, gsize n)
{
  const gboolean is_long = !strcmp (vr, "OB") || !strcmp (vr, "OW");
  add_u16 (to, group);
  add_u16 (to, number);
  g_byte_array_append (to, (const guint8 *) vr, 2);
  if (is_long)
    add_u16 (to, 0);
  if (is_long)
    add_u32 (to, (guint32) n);
  else
    add_u16 (to, (guint) n);
  g_byte_array_append (to, value, (guint) n);
}

static void
add_text (GByteArray *to, guint group, guint number, const char *vr, const char *text)
{
  const gsize n = strlen (text);
  g_autofree char *padded =
    g_strconcat (text, strcmp (vr, "UI") ? " " : "", NULL); /* UIDs are padded with a null byte */
  add (to, group, number, vr, padded, n + n % 2);
}

static void
add_number (GByteArray *to, guint group, guint number, guint value)
{
  const guint8 bytes[] = {(guint8) value, (guint8) (value >> 8)};
  add (to, group, number, "US", bytes, 2);
}

/* ---- A file ---- */

static void
add_meta (GByteArray *to, const char *instance)
{
  g_autoptr (GByteArray) group = g_byte_array_new ();
  add (group, 0x0002, 0x0001, "OB", "\0\1", 2);
  add_text (group, 0x0002, 0x0002, "UI", CT_STORAGE);
  add_text (group, 0x0002, 0x0003, "UI", instance);
  add_text (group, 0x0002, 0x0010, "UI", EXPLICIT_LITTLE);
  add_text (group, 0x0002, 0x0012, "UI", "2.25.202406300");
  const guint8 length[] = {(guint8) group->len, (guint8) (group->len >> 8), 0, 0};
  g_byte_array_set_size (to, 128);
  memset (to->data, 0, 128);
  g_byte_array_append (to, (const guint8 *) "DICM", 4);
  add (to, 0x0002, 0x0000, "UL", length, 4);
  g_byte_array_append (to, group->data, group->len);
}

static void
add_study (GByteArray *to, const char *instance, guint slice)
{
  g_autofree char *number = g_strdup_printf ("%u", slice + 1);
  add_text (to, 0x0008, 0x0016, "UI", CT_STORAGE);
  add_text (to, 0x0008, 0x0018, "UI", instance);
  add_text (to, 0x0008, 0x0060, "CS", "CT");
  add_text (to, 0x0010, 0x0010, "PN", "Phantom^Wrist");
  add_text (to, 0x0010, 0x0020, "LO", "PHANTOM-1");
  add_text (to, 0x0020, 0x000d, "UI", "2.25.202406301");
  add_text (to, 0x0020, 0x000e, "UI", "2.25.202406302");
  add_text (to, 0x0020, 0x0013, "IS", number);
}

/* z, y, x: mm. The first slice is the lowest, and the middle of the volume is the origin. */
static void
add_position (GByteArray *to, const ImageInfo *info, guint slice)
{
  const double *mm = info->spacing;
  g_autofree char *position =
    g_strdup_printf ("%g\\%g\\%g", -mm[2] * (double) (info->columns - 1) / 2, -mm[1] * (double) (info->rows - 1) / 2,
                     mm[0] * ((double) slice - (double) (info->depth - 1) / 2));
  add_text (to, 0x0020, 0x0032, "DS", position);
  add_text (to, 0x0020, 0x0037, "DS", "1\\0\\0\\0\\1\\0");
}

static void
add_pixels (GByteArray *to, const ImageInfo *info, const gint16 *pixels)
{
  const gsize n = (gsize) (info->rows * info->columns);
  g_autofree char *sizes = g_strdup_printf ("%g\\%g", info->spacing[1], info->spacing[2]);
  g_autoptr (GByteArray) stored = g_byte_array_sized_new ((guint) (2 * n));
  for (gsize i = 0; i < n; i++)
    add_u16 (stored, (guint) CLAMP (pixels[i] + OFFSET, 0, LARGEST));
  add_number (to, 0x0028, 0x0002, 1);
  add_text (to, 0x0028, 0x0004, "CS", "MONOCHROME2");
  add_number (to, 0x0028, 0x0010, (guint) info->rows);
  add_number (to, 0x0028, 0x0011, (guint) info->columns);
  add_text (to, 0x0028, 0x0030, "DS", sizes);
  add_number (to, 0x0028, 0x0100, 16);
  add_number (to, 0x0028, 0x0101, 12);
  add_number (to, 0x0028, 0x0102, 11);
  add_number (to, 0x0028, 0x0103, 0);
  add_text (to, 0x0028, 0x1050, "DS", "300"); /* a window for bones */
  add_text (to, 0x0028, 0x1051, "DS", "1500");
  add_text (to, 0x0028, 0x1052, "DS", "-1024");
  add_text (to, 0x0028, 0x1053, "DS", "1");
  add_text (to, 0x0028, 0x1054, "LO", "HU");
  add (to, 0x7fe0, 0x0010, "OW", stored->data, stored->len);
}

gboolean
sample_dicom_save (Image *image, const char *folder, GError **error)
{
  const ImageInfo *info = image_info (image);
  if (g_mkdir_with_parents (folder, 0777)) {
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s cannot be made.", folder);
    return FALSE;
  }
  for (guint z = 0; z < (guint) info->depth; z++) {
    const gint16 *pixels = image_plane (image, z, error);
    g_autoptr (GByteArray) file = g_byte_array_new ();
    g_autofree char *path = g_strdup_printf ("%s/slice_%02u.dcm", folder, z + 1);
    g_autofree char *instance = g_strdup_printf ("2.25.2024063100%02u", z + 1);
    if (!pixels)
      return FALSE;
    add_meta (file, instance);
    add_study (file, instance, z);
    add_position (file, info, z);
    add_pixels (file, info, pixels);
    if (!g_file_set_contents (path, (const char *) file->data, file->len, error))
      return FALSE;
  }
  return TRUE;
}
