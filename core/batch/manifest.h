/* SPDX-License-Identifier: MIT
 *
 * The outcome of each image of a batch, one line of JSON each: recorded images are done and safely on the disk.
 */
#ifndef CORE_BATCH_MANIFEST_H
#define CORE_BATCH_MANIFEST_H

#include "core/base/file_hash.h"

/* A file as it was read. */
typedef struct BatchStamp {
  gint64 size, modified, changed; /* bytes; nanoseconds since 1970, of its contents and of all that is known of it */
  char hash[FILE_HASH_TEXT];      /* of its contents */
} BatchStamp;

/* An image. Texts are kept elsewhere. */
typedef struct BatchRecord {
  const char *file; /* its name, below the folder of the inputs */
  guint series, of; /* which image of the file, and how many it has */
  BatchStamp stamp;
  const char *work;           /* the hash of what was done: batch_work_hash() */
  const char *device, *error; /* where; why it failed, NULL: it did not */
  guint
    suspect; /* with an error: 1, it was in work when the GPU failed; 2, the GPU failed on it alone in a fresh process */
  const char *well, *field;   /* of a plate, where the image was taken; NULL: it does not say */
  const char *warning;        /* what was not as the steps want it, NULL: nothing */
  const char *reproducible;   /* which steps may give other results on another device, NULL: none */
  const char *sums;           /* the SHA-256 of files that steps name, such as models, NULL: none */
  const char *const *outputs; /* below the folder of the outputs; ends with NULL */
  const gint64 *sizes;        /* their bytes */
  const char *belongs;        /* the file whose image it is a part of, in which case the rest is unset; NULL: it has its
                           * own */
  const char *const *set;     /* other inputs that are parts of this image; NULL: it is in one file */
  const char *const *reads;   /* see batch_reads_hashed(); NULL: none */
  gint64 part, length, rows;  /* its rows in the file of parts: from, bytes, how many; length 0: none */
  const char *const *
    names; /* names of numbers about the image (thresholds, sums and means of its table), ending with NULL; NULL: none */
  const double *values; /* these numbers, NaN where one is missing */
  double seconds;
  gboolean removed; /* no longer an image of the batch */
  guint shard;      /* index of the shard whose manifest has the record */
} BatchRecord;

/* The start of a batch, or of a resumption; each adds one. */
typedef struct BatchHeader {
  const char *version, *steps; /* for people */
  const char *inputs;          /* the hash of all their names, or "" before there was any header */
  guint files;                 /* how many fall to the shard */
  const char *pattern;         /* of the inputs' names, see name_pattern.h; NULL: none */
  const char *below;           /* with a pattern: the folder that the inputs are below, with a '/' at its end */
} BatchHeader;

/* What manifests say. */
typedef struct BatchRecords {
  GArray *all;         /* BatchRecord, by file in natural order and by series: the last of each */
  GArray *headers;     /* BatchHeader: the last of each shard; of one that was not read all is empty */
  GStringChunk *texts; /* of both */
} BatchRecords;

BatchRecords *batch_records_new (void);
void batch_records_free (BatchRecords *records);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BatchRecords, batch_records_free)
/* Adds the records of the manifest of a shard, from 0. Incomplete lines and those of other programs are skipped.
 * *whole: bytes up to the end of the last complete line. Parts that extend beyond `parts` bytes are missing, and so
 * is their image. FALSE with *error when it cannot be read. */
gboolean batch_records_read (BatchRecords *records, guint shard, const char *path, gint64 parts, gint64 *whole,
                             GError **error);
/* Puts them in order, and of each keeps the last. */
void batch_records_settle (BatchRecords *records);
/* The first record of the file or behind it; of none: how many there are. */
guint batch_records_find (const BatchRecords *records, const char *file);
gboolean batch_records_have (const BatchRecords *records, const char *file);

/* Lines, added to *text. */
void batch_record_write (const BatchRecord *record, GString *text);
void batch_header_write (const BatchHeader *header, GString *text);

#endif
