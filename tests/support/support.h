/* SPDX-License-Identifier: MIT
 *
 * What the tests share: .npy arrays, images made from them, operations run by their text on every device, comparisons.
 */
#ifndef TESTS_SUPPORT_SUPPORT_H
#define TESTS_SUPPORT_SUPPORT_H

#include "core/data/image.h"
#include "core/ops/module.h"
#include "core/call/op.h"
#include "core/recipe/recipe.h"
#include "core/run/execute.h"
#include "tests/support/init.h"

/* A NumPy array in C order. */
typedef struct Npy {
  fv_type type;
  guint n_dims;
  gint64 shape[5];
  gpointer data;
} Npy;

/* Reads version 1 or 2 .npy files of our five types, little-endian; any failure fails the test. */
void npy_load (Npy *npy, const char *path);
/* The same of such a file's contents. */
void npy_read (Npy *npy, const char *contents, gsize length);
/* The files of a container of them (.npz): GBytes by their names. */
GHashTable *npz_load (const char *path);
void npy_clear (Npy *npy);
gint64 npy_size (const Npy *npy);

/* "<source root>/<path>". Free with g_free(). */
char *source_path (const char *path);

/* The steps of a text, which may be empty; a wrong one fails the test. */
Recipe *recipe_of (const char *text);

/* An image of the array's last dimensions: (y, x), (z, y, x), (c, z, y, x) or (t, c, z, y, x). */
Image *image_from_npy (const Npy *npy, fv_role role);
/* A plain image of one or more planes with seeded noise over the type's useful range; for role FV_MASK 0 and 255, for
 * FV_LABELS 0 ... 9. */
Image *image_random (fv_type type, fv_role role, gint64 channels, gint64 depth, gint64 rows, gint64 columns,
                     guint32 seed);
/* An image with one value for each pixel, given as doubles row by row. */
Image *image_of (fv_type type, fv_role role, gint64 rows, gint64 columns, const double *values);
/* The same, plane by plane; NULL: all are 0. */
Image *image_of_planes (fv_type type, fv_role role, gint64 channels, gint64 depth, gint64 rows, gint64 columns,
                        const double *values);
/* One pixel, as double. */
double image_value (Image *image, gint64 plane, gint64 row, gint64 column);
/* Fails the test with the first index where they differ (bytes; NaN equals itself). */
void assert_images_equal (Image *a, Image *b);

/* g_test_run(), after which the folder with all that is in it is removed, and its name freed. */
int run_tests_in (char *folder);
/* From now on the program may have so many bytes more than it has now, until leave_all(). */
void leave (gsize more);
void leave_all (void);
/* The plugins of the build; made on first use, never freed. */
Modules *test_modules (void);
/* Adds the test once for every device that works: "/gaussian/impulse/cpu". */
void add_device_test (const char *path, void (*test) (Device *device));
/* Of these steps on the image, with all images kept; not executed yet. */
Run *run_of (const char *steps, Image *source);
/* Runs one step by its text on `first` and, for the other inputs in order, `second` (or NULL). Fails the test on an error
 * unless error is given. */
gboolean run_step (const char *text, Image *first, Image *second, Device *device, CallResult *result, GError **error);

#endif
