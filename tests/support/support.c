/* SPDX-License-Identifier: MIT
 */
#include "tests/support/support.h"

#include "core/ops/native.h"
#include "core/base/host_memory.h"
#include "core/data/pixel_type.h"

#include <archive.h>
#include <archive_entry.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

Recipe *
recipe_of (const char *text)
{
  g_autoptr (GError) error = NULL;
  Recipe *recipe = *text ? recipe_parse (test_modules (), text, &error) : recipe_new ();
  g_assert_no_error (error);
  return recipe;
}

/* ---- .npy ---- */

static fv_type
type_of_descr (const char *descr)
{
  static const struct {
    const char *descr;
    fv_type type;
  } types[] = {{"|u1", FV_U8},  {"|b1", FV_U8},  {"|i1", FV_I8},  {"<u2", FV_U16}, {"<i2", FV_I16},
               {"<u4", FV_U32}, {"<i4", FV_I32}, {"<f2", FV_F16}, {"<f4", FV_F32}, {"<f8", FV_F64}};
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (!strncmp (descr, types[i].descr, 3))
      return types[i].type;
  g_error (".npy type %.3s is not known here", descr);
}

void
npy_read (Npy *npy, const char *contents, gsize length)
{
  g_autofree char *header = NULL;
  gsize offset;
  const char *at;

  g_assert_cmpmem (contents, 6, "\x93NUMPY", 6);
  offset = contents[6] == 1 ? 10 + (gsize) (guint8) contents[8] + ((gsize) (guint8) contents[9] << 8)
                            : 12 + (gsize) (guint8) contents[8] + ((gsize) (guint8) contents[9] << 8);
  header = g_strndup (contents + (contents[6] == 1 ? 10 : 12), offset - (contents[6] == 1 ? 10 : 12));
  g_assert_null (strstr (header, "'fortran_order': True"));
  *npy = (Npy){.type = type_of_descr (strstr (header, "'descr': '") + 10)};
  for (at = strstr (header, "'shape': (") + 10; *at && *at != ')';) {
    char *end;
    gint64 n = g_ascii_strtoll (at, &end, 10);
    if (end == at)
      break;
    npy->shape[npy->n_dims++] = n;
    for (at = end; *at == ',' || *at == ' ';)
      at++;
  }
  g_assert_cmpint (length - offset, ==, (gsize) npy_size (npy) * pixel_type_bytes (npy->type));
  npy->data = g_memdup2 (contents + offset, length - offset);
}

void
npy_load (Npy *npy, const char *path)
{
  g_autofree char *contents = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;
  g_file_get_contents (path, &contents, &length, &error);
  g_assert_no_error (error);
  npy_read (npy, contents, length);
}

static GBytes *
entry_contents (struct archive *container, struct archive_entry *entry)
{
  gsize bytes = (gsize) archive_entry_size (entry);
  char *contents = g_malloc (bytes);
  g_assert_cmpint (archive_read_data (container, contents, bytes), ==, (gssize) bytes);
  return g_bytes_new_take (contents, bytes);
}

GHashTable *
npz_load (const char *path)
{
  GHashTable *files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_bytes_unref);
  struct archive *container = archive_read_new ();
  struct archive_entry *entry;
  archive_read_support_format_zip_seekable (container);
  if (archive_read_open_filename (container, path, 1 << 16) != ARCHIVE_OK)
    g_error ("%s", archive_error_string (container));
  while (archive_read_next_header (container, &entry) == ARCHIVE_OK)
    g_hash_table_insert (files, g_strdup (archive_entry_pathname (entry)), entry_contents (container, entry));
  g_assert_cmpint (archive_errno (container), ==, 0);
  archive_read_free (container);
  return files;
}

gint64
npy_size (const Npy *npy)
{
  gint64 n = 1;
  for (guint i = 0; i < npy->n_dims; i++)
    n *= npy->shape[i];
  return n;
}

void
npy_clear (Npy *npy)
{
  g_free (npy->data);
}

char *
source_path (const char *path)
{
  return g_build_filename (g_getenv ("FOVEA_SOURCE") ? g_getenv ("FOVEA_SOURCE") : ".", path, NULL);
}

/* ---- Images ---- */

static Image *
make_image (const ImageInfo *info)
{
  g_autoptr (GError) error = NULL;
  Image *image = image_new (info, &error);
  g_assert_no_error (error);
  return image;
}

Image *
image_from_npy (const Npy *npy, fv_role role)
{
  gint64 shape[5] = {1, 1, 1, 1, 1};
  Image *image;
  for (guint i = 0; i < npy->n_dims; i++)
    shape[5 - npy->n_dims + i] = npy->shape[i];
  image = make_image (&(ImageInfo){.type = npy->type,
                                   .role = role,
                                   .frames = shape[0],
                                   .channels = shape[1],
                                   .depth = shape[2],
                                   .rows = shape[3],
                                   .columns = shape[4],
                                   .spacing = {1, 1, 1},
                                   .name = (char *) "golden"});
  memcpy (image_pixels (image), npy->data, (gsize) npy_size (npy) * pixel_type_bytes (npy->type));
  return image;
}

/* An integer pixel gets the low bits of a value beyond its type. */
static void
put (gpointer pixels, fv_type type, gint64 i, double value)
{
#define CASE(TYPE, T)                                                                                                  \
  case TYPE: ((T *) pixels)[i] = pixel_type_is_float (type) ? (T) value : (T) (gint64) value; break;
  switch (type) {
    PIXEL_TYPES_OF_C (CASE)
  default: ((guint16 *) pixels)[i] = half_from_float ((float) value);
  }
#undef CASE
}

Image *
image_random (fv_type type, fv_role role, gint64 channels, gint64 depth, gint64 rows, gint64 columns, guint32 seed)
{
  static const double tops[] = {[FV_U8] = 256, [FV_U16] = 65536, [FV_I32] = 100000, [FV_F32] = 4096, [FV_F64] = 4096,
                                [FV_I8] = 128, [FV_I16] = 32768, [FV_U32] = 0x1p32, [FV_F16] = 4096};
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  Image *image = make_image (&(ImageInfo){.type = type,
                                          .role = role,
                                          .frames = 1,
                                          .channels = channels,
                                          .depth = depth,
                                          .rows = rows,
                                          .columns = columns,
                                          .spacing = {1, 1, 1},
                                          .name = (char *) "random"});
  for (gint64 i = 0; i < channels * depth * rows * columns; i++) {
    double value = role == FV_MASK     ? (g_rand_boolean (rand) ? 255 : 0)
                   : role == FV_LABELS ? g_rand_int_range (rand, 0, 10)
                                       : g_rand_double (rand) * tops[type];
    put (image_pixels (image), type, i, value);
  }
  return image;
}

Image *
image_of_planes (fv_type type, fv_role role, gint64 channels, gint64 depth, gint64 rows, gint64 columns,
                 const double *values)
{
  Image *image = make_image (&(ImageInfo){.type = type,
                                          .role = role,
                                          .frames = 1,
                                          .channels = channels,
                                          .depth = depth,
                                          .rows = rows,
                                          .columns = columns,
                                          .spacing = {1, 1, 1},
                                          .name = (char *) "given"});
  for (gint64 i = 0; i < channels * depth * rows * columns; i++)
    put (image_pixels (image), type, i, values ? values[i] : 0);
  return image;
}

Image *
image_of (fv_type type, fv_role role, gint64 rows, gint64 columns, const double *values)
{
  return image_of_planes (type, role, 1, 1, rows, columns, values);
}

double
image_value (Image *image, gint64 plane, gint64 row, gint64 column)
{
  const ImageInfo *info = image_info (image);
  g_autoptr (GError) error = NULL;
  gconstpointer pixels = image_plane (image, plane, &error);
  g_assert_no_error (error);
  return pixel_type_value (info->type, pixels, row * info->columns + column);
}

void
assert_images_equal (Image *a, Image *b)
{
  const ImageInfo *i = image_info (a), *j = image_info (b);
  g_assert_cmpint (i->type, ==, j->type);
  g_assert_cmpint (image_info_planes (i), ==, image_info_planes (j));
  g_assert_cmpint (i->rows, ==, j->rows);
  g_assert_cmpint (i->columns, ==, j->columns);
  for (gint64 plane = 0; plane < image_info_planes (i); plane++) {
    gconstpointer p = image_plane (a, plane, NULL), q = image_plane (b, plane, NULL);
    if (!memcmp (p, q, image_info_plane_bytes (i)))
      continue;
    for (gint64 y = 0; y < i->rows; y++)
      for (gint64 x = 0; x < i->columns; x++) {
        double v = image_value (a, plane, y, x), w = image_value (b, plane, y, x);
        if (v != w && (v == v || w == w))
          g_error ("plane %" G_GINT64_FORMAT ", row %" G_GINT64_FORMAT ", column %" G_GINT64_FORMAT ": %.17g != %.17g",
                   plane, y, x, v, w);
      }
  }
}

/* ---- Tests ---- */

int
run_tests_in (char *folder)
{
  const char *rm[] = {"rm", "-r", folder, NULL};
  int status = g_test_run ();
  g_spawn_sync (NULL, (char **) rm, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
  g_free (folder);
  return status;
}

/* ---- Operations ---- */

Modules *
test_modules (void)
{
  static Modules *modules;
  if (!modules) {
    modules = modules_new ();
    native_allow (modules, NULL);
    for (const char *const *refused = modules_refused (modules); *refused; refused++)
      g_error ("plugin refused: %s", *refused);
  }
  return modules;
}

typedef struct {
  Device *device;
  void (*test) (Device *device);
} DeviceTest;

static void
run_device_test (gconstpointer data)
{
  const DeviceTest *test = data;
  test->test (test->device);
}

void
add_device_test (const char *path, void (*test) (Device *device))
{
  const GPtrArray *devices = modules_find_devices (test_modules ());
  for (guint i = 0; i < devices->len; i++) {
    const Device *device = devices->pdata[i];
    g_autoptr (GError) error = NULL;
    if (device->fv->fault)
      continue;
    g_autofree char *name = g_strdup_printf ("%s/%s", path, device->fv->key);
    DeviceTest *data = g_new (DeviceTest, 1);
    *data = (DeviceTest){modules_device (test_modules (), device->fv->key, &error), test};
    g_assert_no_error (error);
    g_test_add_data_func_full (name, data, run_device_test, g_free);
  }
}

Run *
run_of (const char *steps, Image *source)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Recipe) recipe = recipe_parse (test_modules (), steps, &error);
  g_assert_no_error (error);
  return run_new (recipe, source, RUN_KEEP_ALL);
}

gboolean
run_step (const char *text, Image *first, Image *second, Device *device, CallResult *result, GError **error)
{
  g_autoptr (GError) failure = NULL;
  g_autoptr (Recipe) recipe = recipe_parse (test_modules (), text, &failure);
  Image *inputs[OP_MAX_ARRAYS] = {first, second};
  gboolean done =
    recipe
    && call_op (recipe_step (recipe, 0)->op, recipe_step (recipe, 0)->args, inputs, device, NULL, result, &failure);
  if (!error)
    g_assert_no_error (failure);
  else if (failure)
    g_propagate_error (error, g_steal_pointer (&failure));
  return done;
}

#ifdef __SANITIZE_ADDRESS__
void __sanitizer_purge_allocator (void); /* no header of gcc has it */
#endif

/* What is freed and kept goes back first: it would be room that comes later. */
void
leave (gsize more)
{
  HostRoom room;
  malloc_trim (0);
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_purge_allocator ();
#endif
  g_assert_false (host_memory_fits ((gsize) 1 << 46, 0, &room)); /* freed memory is not kept */
  g_autofree char *limit = g_strdup_printf ("%" G_GSIZE_FORMAT, (host_room_resident () + more) >> 20);
  g_setenv ("FOVEA_HOST_MEMORY", limit, TRUE);
  g_assert_false (host_memory_fits ((gsize) 1 << 46, 0, &room)); /* earlier observations no longer hold */
}

void
leave_all (void)
{
  g_unsetenv ("FOVEA_HOST_MEMORY");
}
