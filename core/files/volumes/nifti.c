/* SPDX-License-Identifier: MIT
 *
 * NIfTI-1 and NIfTI-2 (nifti.nimh.nih.gov/nifti-1, nifti-2), and Analyze 7.5, of which NIfTI-1 keeps the fields of sizes and types. Pixels are behind
 * the header (.nii), or in a second file (.hdr, .img). Any of these may be packed by gzip. Sizes of pixels without a unit are in mm, as all programs
 * take them. Axes are x, y, z, time and a fifth, which is read as channels, with those behind it.
 */
#include "core/files/volumes/nifti.h"

#include "core/files/shared/fields.h"
#include "core/files/shared/space.h"
#include "core/files/shared/unpack.h"

#include <math.h>

enum { HEADER_1 = 348, HEADER_2 = 540, AXES = 7 };

typedef enum { ANALYZE, NIFTI_1, NIFTI_2 } Version;

typedef struct {
  FilesFields fields;
  Version version;
  gboolean pair; /* pixels are in another file */
  gint64 dim[1 + AXES];
  double pixdim[1 + AXES];
  int type;
  double offset, slope, intercept;
  guint units;
  int qform, sform;
} Header;

/* ---- Which file ---- */

static gboolean
is_header (const guint8 *head, gsize n, Header *h)
{
  guint32 size;
  if (n < HEADER_1)
    return FALSE;
  memcpy (&size, head, 4);
  *h = (Header){.fields = {head, size != HEADER_1 && size != HEADER_2}};
  size = files_field_u32 (&h->fields, 0);
  if (size == HEADER_2 && n >= HEADER_2 && (!memcmp (head + 4, "n+2\0", 4) || !memcmp (head + 4, "ni2\0", 4))) {
    h->version = NIFTI_2;
    h->pair = head[5] == 'i';
    return TRUE;
  }
  if (size != HEADER_1)
    return FALSE;
  h->pair = memcmp (head + 344, "n+1\0", 4) != 0;
  h->version = h->pair && memcmp (head + 344, "ni1\0", 4) ? ANALYZE : NIFTI_1;
  const guint axes = files_field_u16 (&h->fields, 40);
  return h->version == NIFTI_1 || (axes >= 1 && axes <= AXES);
}

/* The other file of a pair, in the spelling of the first: "a.img.gz" for "a.hdr.gz". NULL: its name ends in neither. Free with g_free(). */
static char *
other_of (const char *path, const char *ending, const char *other)
{
  const char *end = path + strlen (path) - (g_str_has_suffix (path, ".gz") ? 3 : 0);
  if (end - path < 4 || g_ascii_strncasecmp (end - 4, ending, 4))
    return NULL;
  const gboolean capital = g_ascii_isupper (end[-3]);
  g_autofree char *middle = capital ? g_ascii_strup (other, -1) : g_strdup (other);
  return g_strdup_printf ("%.*s%s%s", (int) (end - 4 - path), path, middle, end);
}

/* The first bytes of a file, unpacked if it is packed. */
static gsize
read_head (FilesBytes *file, guint8 *head, gboolean *packed)
{
  const gsize n = (gsize) MIN (file->size, HEADER_2);
  if (!files_bytes_read (file, 0, head, n))
    return 0;
  *packed = files_is_gzip (head, n);
  return *packed ? files_unpack_head (file, 0, head, HEADER_2) : n;
}

/* The header of a pair whose pixels are at path. NULL: there is none. */
static char *
header_of_pixels (const char *path)
{
  g_autofree char *other = other_of (path, ".img", ".hdr");
  g_autoptr (FilesBytes) file = other ? files_bytes_open (other, NULL) : NULL;
  guint8 head[HEADER_2] = {0};
  gboolean packed;
  Header h;
  return file && is_header (head, read_head (file, head, &packed), &h) && h.pair ? g_steal_pointer (&other) : NULL;
}

static gboolean
is (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  Header h;
  (void) self;
  if (is_header (head, n, &h))
    return TRUE;
  g_autofree char *header = n ? header_of_pixels (path) : NULL;
  return header != NULL;
}

/* ---- The header ---- */

static void
read_fields (Header *h)
{
  const FilesFields *f = &h->fields;
  const gboolean wide = h->version == NIFTI_2;
  for (gsize i = 0; i <= AXES; i++) {
    h->dim[i] = wide ? (gint64) files_field_u64 (f, 16 + 8 * i) : files_field_i16 (f, 40 + 2 * i);
    h->pixdim[i] = wide ? files_field_f64 (f, 104 + 8 * i) : files_field_f32 (f, 76 + 4 * i);
  }
  h->type = files_field_i16 (f, wide ? 12 : 70);
  h->offset = wide ? (double) (gint64) files_field_u64 (f, 168) : files_field_f32 (f, 108);
  if (h->version == ANALYZE)
    return;
  h->slope = wide ? files_field_f64 (f, 176) : files_field_f32 (f, 112);
  h->intercept = wide ? files_field_f64 (f, 184) : files_field_f32 (f, 116);
  h->units = wide ? files_field_u32 (f, 500) : f->bytes[123];
  h->qform = wide ? files_field_i32 (f, 344) : files_field_i16 (f, 252);
  h->sform = wide ? files_field_i32 (f, 348) : files_field_i16 (f, 254);
}

static gboolean
set_type (const Header *h, FilesPlain *to, GError **error)
{
  static const struct {
    int type;
    guint bytes, samples;
    gboolean is_float, is_signed;
  } types[] = {
    {2, 1, 1, FALSE, FALSE},   {4, 2, 1, FALSE, TRUE},    {8, 4, 1, FALSE, TRUE},     {16, 4, 1, TRUE, TRUE},
    {64, 8, 1, TRUE, TRUE},    {128, 1, 3, FALSE, FALSE}, {256, 1, 1, FALSE, TRUE},   {512, 2, 1, FALSE, FALSE},
    {768, 4, 1, FALSE, FALSE}, {1024, 8, 1, FALSE, TRUE}, {1280, 8, 1, FALSE, FALSE}, {2304, 1, 4, FALSE, FALSE},
  };
  static const struct {
    int type;
    const char *name;
  } others[] = {{1, "bits"}, {32, "complex64"}, {1536, "float128"}, {1792, "complex128"}, {2048, "complex256"}};
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (types[i].type == h->type) {
      to->blocks.number = (FilesNumber){.bytes = types[i].bytes,
                                        .is_float = types[i].is_float,
                                        .is_signed = types[i].is_signed,
                                        .swapped = h->fields.swapped};
      if (types[i].samples > 1)
        files_plain_set_colors (to, types[i].samples);
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (others[i].type == h->type)
      return file_fail (error, FILE_ERROR_UNSUPPORTED, to->file->path,
                        "has pixels of type %s, which cannot be read; save it as 32-bit floating point.",
                        others[i].name);
  return file_fail (error, FILE_ERROR_DAMAGED, to->file->path, "is damaged: its header has the unknown type %d.",
                    h->type);
}

/* Sizes and strides; what is colors has its channels already. */
static gboolean
set_sizes (const Header *h, FilesPlain *to, GError **error)
{
  ImageInfo *info = &to->info;
  const guint samples = (guint) info->channels;
  gint64 *const sizes[] = {&info->columns, &info->rows, &info->depth, &info->frames, &info->channels};
  if (h->dim[0] < 1 || h->dim[0] > AXES)
    return file_fail (error, FILE_ERROR_DAMAGED, to->file->path,
                      "is damaged: its header has %" G_GINT64_FORMAT " axes.", h->dim[0]);
  for (guint i = 1; i <= h->dim[0]; i++) {
    gint64 *size = sizes[MIN (i, G_N_ELEMENTS (sizes)) - 1];
    if (h->dim[i] < 1 || __builtin_mul_overflow (*size, h->dim[i], size))
      return file_fail (error, FILE_ERROR_DAMAGED, to->file->path,
                        "is damaged: its axis %u has the size %" G_GINT64_FORMAT ".", i, h->dim[i]);
  }
  if (samples > 1 && info->channels > samples)
    return file_fail (error, FILE_ERROR_UNSUPPORTED, to->file->path,
                      "has colors along five axes, which cannot be read; save each of its parts alone.");
  if (!image_info_check (info, error))
    return FALSE;
  files_blocks_set_dense (&to->blocks, info, samples);
  if (samples == 1) { /* the fifth axis is the slowest */
    to->blocks.strides[0] = to->blocks.strides[2] * info->depth;
    to->blocks.strides[1] = to->blocks.strides[0] * info->frames;
  }
  return TRUE;
}

/* ---- Space ---- */

static void
set_spacing (const Header *h, FilesPlain *to)
{
  static const char *const lengths[] = {"mm", "m", "mm", "µm"};
  static const struct {
    guint code;
    const char *unit;
  } times[] = {{8, "s"}, {16, "ms"}, {24, "µs"}};
  for (guint i = 1; i <= 3; i++)
    files_plain_set_spacing (to, 3 - i, i <= h->dim[0] ? fabs (h->pixdim[i]) : 1,
                             (h->units & 7) < 4 ? lengths[h->units & 7] : "");
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    if ((h->units & 0x38) == times[i].code && h->pixdim[4] > 0 && isfinite (h->pixdim[4]) && to->info.frames > 1) {
      to->info.frame_interval = h->pixdim[4];
      to->info.frame_unit = g_strdup (times[i].unit);
    }
}

static double
field_f (const Header *h, gsize at_1, gsize at_2)
{
  return h->version == NIFTI_2 ? files_field_f64 (&h->fields, at_2) : files_field_f32 (&h->fields, at_1);
}

/* Rows of the matrix from pixels to space. */
static void
read_sform (const Header *h, FilesSpace *space)
{
  for (gsize k = 0; k < 3; k++) {
    for (gsize i = 0; i < 3; i++)
      space->axes[i][k] = field_f (h, 280 + 16 * k + 4 * i, 400 + 32 * k + 8 * i);
    space->first[k] = field_f (h, 280 + 16 * k + 12, 400 + 32 * k + 24);
  }
}

/* A rotation as the three last parts of a unit quaternion, and a sign of z. */
static void
read_qform (const Header *h, FilesSpace *space)
{
  const double b = field_f (h, 256, 352), c = field_f (h, 260, 360), d = field_f (h, 264, 368);
  const double rest = 1 - (b * b + c * c + d * d), a = rest > 0 ? sqrt (rest) : 0;
  const double r[3][3] = {{a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)},
                          {2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b)},
                          {2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - b * b - c * c}};
  for (gsize k = 0; k < 3; k++) {
    for (gsize i = 0; i < 3; i++)
      space->axes[i][k] = r[k][i] * fabs (h->pixdim[i + 1]) * (i == 2 && h->pixdim[0] < 0 ? -1 : 1);
    space->first[k] = field_f (h, 268 + 4 * k, 376 + 8 * k);
  }
}

static void
set_space (const Header *h, FilesPlain *to)
{
  FilesSpace space = {.toward = "RAS"};
  if (h->sform > 0)
    read_sform (h, &space);
  else if (h->qform > 0)
    read_qform (h, &space);
  else
    return;
  files_space_keep (&space, to);
}

/* ---- Texts ---- */

static void
say (FilesPlain *to, const Header *h, const char *key, gsize at, gsize n)
{
  g_autofree char *text = files_field_text (&h->fields, at, n);
  if (*text)
    files_plain_say (to, key, "%s", text);
}

static void
set_texts (const Header *h, FilesPlain *to)
{
  static const char *const names[] = {"Analyze 7.5", "NIfTI-1", "NIfTI-2"};
  const gboolean wide = h->version == NIFTI_2;
  files_plain_say (to, "format", "%s", names[h->version]);
  say (to, h, "descrip", wide ? 240 : 148, 80);
  say (to, h, "aux_file", wide ? 320 : 228, 24);
  if (h->version == ANALYZE)
    return;
  say (to, h, "intent_name", wide ? 508 : 328, 16);
  files_plain_say (to, "intent_code", "%d",
                   wide ? files_field_i32 (&h->fields, 504) : files_field_i16 (&h->fields, 68));
  files_plain_say (to, "qform_code", "%d", h->qform);
  files_plain_say (to, "sform_code", "%d", h->sform);
}

/* ---- The layout ---- */

/* Where the pixels are in the file that has them. */
static gboolean
set_pixels (const Header *h, FilesPlain *to, FilesBytes *data, GError **error)
{
  const double least = h->pair ? 0 : h->version == NIFTI_2 ? HEADER_2 + 4 : HEADER_1 + 4;
  guint8 head[HEADER_2] = {0};
  gboolean packed = FALSE;
  if (!(h->offset >= least && h->offset < 0x1p62) || h->offset != floor (h->offset)) {
    g_autofree char *value = g_strdup_printf ("%g", h->offset);
    return file_fail (error, FILE_ERROR_DAMAGED, to->file->path, "is damaged: its vox_offset is %s.", value);
  }
  read_head (data, head, &packed);
  to->blocks.at = (guint64) h->offset;
  to->packing = packed ? FILES_PACKED : FILES_PLAIN;
  to->packed = data->size;
  return TRUE;
}

/* The header is the file that was opened, or the pixels of a pair are. The other file of a pair is noted. NULL with *error. */
static FilesBytes *
find_pixels (const Header *h, FilesPlain *to, const char *header, GError **error)
{
  if (header)
    g_ptr_array_add (to->others, g_strdup (header));
  if (header || !h->pair)
    return to->file;
  g_autofree char *pixels = other_of (to->file->path, ".hdr", ".img");
  if (pixels)
    return files_plain_add_data (to, pixels, error) ? to->data->pdata[0] : NULL;
  file_fail (error, FILE_ERROR_UNSUPPORTED, to->file->path,
             "is a header whose pixels are in another file: its name has to end in .hdr, and theirs in .img.");
  return NULL;
}

static gpointer
layout_new (const FileFormat *self, const char *path, GError **error)
{
  g_autofree char *header = header_of_pixels (path);
  g_autoptr (FilesPlain) to = files_plain_new (path, error);
  g_autoptr (FilesBytes) file = to ? files_bytes_open (header ? header : path, error) : NULL;
  guint8 head[HEADER_2] = {0};
  gboolean packed = FALSE;
  Header h;
  (void) self;
  if (!file)
    return NULL;
  if (!is_header (head, read_head (file, head, &packed), &h)) {
    file_fail (error, FILE_ERROR_DAMAGED, path, "is damaged or truncated: its header cannot be read.");
    return NULL;
  }
  read_fields (&h);
  FilesBytes *data = find_pixels (&h, to, header, error);
  if (!data || !set_type (&h, to, error) || !set_sizes (&h, to, error) || !set_pixels (&h, to, data, error))
    return NULL;
  files_plain_calibrate (to, h.slope, h.intercept);
  set_spacing (&h, to);
  set_space (&h, to);
  set_texts (&h, to);
  return files_plain_finish (to, error) ? g_steal_pointer (&to) : NULL;
}

const FileFormat format_nifti = {
  .key = "nifti",
  .label = "NIfTI",
  .endings = (const char *const[]){"nii", "nii.gz", "hdr", "hdr.gz", NULL},
  .mime = (const char *const[]){"application/x-nifti", NULL},
  .gzip = TRUE,
  .is = is,
  .layout = layout_new,
  FILES_PLAIN_FUNCTIONS,
};
