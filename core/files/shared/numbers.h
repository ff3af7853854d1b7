/* SPDX-License-Identifier: MIT
 *
 * Numbers as a file stores them, and the pixels that they become. Values never change silently: 64-bit integers become f64 where that is exact,
 * and are an error where it is not.
 */
#ifndef CORE_FILES_SHARED_NUMBERS_H
#define CORE_FILES_SHARED_NUMBERS_H

#include "core/base/file_error.h"
#include "fovea-plugin.h"

typedef struct FilesNumber {
  guint bytes; /* 1, 2, 4 or 8; of floats 2, 4 or 8 */
  gboolean is_float, is_signed;
  gboolean swapped;   /* in the other byte order than this machine's */
  gboolean is_mask;   /* of 1 byte: what is not 0 becomes 255 */
  double scale, zero; /* a pixel is zero + scale × number, in double. 0 as scale: as it is stored, as with 1 and 0 */
} FilesNumber;

/* Of pixels. Scaled numbers become f32, or f64 if they have more than 16 bits as integers or 32 as floats. */
fv_type files_number_type (const FilesNumber *number);
/* What ImageInfo says as source_type: "int64", "uint64", "bool", or NULL. */
const char *files_number_source (const FilesNumber *number);
/* Whether pixels are the stored bytes, but for their order. */
gboolean files_number_is_copied (const FilesNumber *number);
/* Exchanges the bytes of each of n numbers. */
void files_numbers_swap (void *numbers, guint bytes, gsize n);
/* n stored numbers, which may be changed, as pixels, which may be the same memory if they are copied. How many: fewer than n when the next one is a
 * 64-bit integer that f64 does not hold; its bytes are then in this machine's order. */
gsize files_numbers_convert (const FilesNumber *number, void *numbers, gsize n, void *pixels);
/* Says of such an integer, as its bits are, what would work. FALSE with *error. */
gboolean files_number_not_exact (const FilesNumber *number, const char *path, guint64 bits, GError **error);
/* Copies n numbers that are so many bytes from each other. */
void files_numbers_move (guint bytes, const guint8 *from, gint64 from_step, gsize n, guint8 *to, gint64 to_step);
/* The numbers of n pixels of type f64 that are stored as 64-bit integers. How many: fewer than n when the next one is not such an integer. */
gsize files_numbers_narrow (const double *pixels, gsize n, gboolean is_signed, guint64 *numbers);

#endif
