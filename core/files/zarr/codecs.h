/* SPDX-License-Identifier: MIT
 *
 * How the bytes of a chunk become its pixels, and the other way.
 */
#ifndef CORE_FILES_ZARR_CODECS_H
#define CORE_FILES_ZARR_CODECS_H

#include <glib.h>

typedef enum {
  ZARR_PLAIN,
  ZARR_DEFLATE, /* as zlib or gzip */
  ZARR_ZSTD,
  ZARR_BLOSC,
  ZARR_LZ4, /* a block behind its size */
  ZARR_BZIP2,
} ZarrPacking;

/* What is done with the numbers of a chunk, one behind the other, when it is written. */
typedef struct ZarrCodecs {
  guint sums_inside; /* checksums that are appended before it is packed */
  ZarrPacking packing;
  guint sums_outside; /* and afterwards */
} ZarrCodecs;

enum { ZARR_SUM = 4 /* bytes of a checksum */ };

/* Whether this machine can read it. FALSE with *error; path: for errors. */
gboolean zarr_codecs_known (const ZarrCodecs *codecs, const char *path, GError **error);
/* The most bytes that a chunk of so many can have when it is packed. */
gsize zarr_codecs_most (gsize size);
/* The `size` bytes of a chunk. packed: taken. NULL: *fault is what is wrong with it, as a clause. Free with g_free(). */
guint8 *zarr_codecs_decode (const ZarrCodecs *codecs, GBytes *packed, gsize size, const char **fault);

/* CRC-32C of n bytes (Castagnoli; RFC 3720, B.4). */
guint32 zarr_crc32c (const guint8 *bytes, gsize n);

#endif
