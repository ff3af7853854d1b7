/* SPDX-License-Identifier: MIT
 *
 * What a batch does with each image.
 */
#ifndef CORE_BATCH_JOB_H
#define CORE_BATCH_JOB_H

#include "core/data/image.h"
#include "core/data/table.h"

/* An image, and where it is from. */
typedef struct BatchSubject {
  Image *image;
  const char *path; /* its file, absolute */
  guint series;     /* which image of that */
  const char *name; /* what people call it: the file, and which image of several */
  const char
    *folder;       /* the empty folder in which a job that saves by itself writes; all its files are outputs afterwards;
             * NULL for other jobs */
  gboolean on_cpu; /* independent of the job's device */
} BatchSubject;

/* What comes of an image for one of the outputs: the one or the other. */
typedef struct BatchProduct {
  Image *image; /* in host memory */
  Table *table;
} BatchProduct;

typedef struct BatchResult {
  const char *device; /* where it was made; the job's */
  Table *table;       /* its rows in the table of all; NULL: none */
  char *note;         /* NULL, or a note that is reported once for all images with it; freed with g_free() */
  char *warning;      /* NULL: none; freed with g_free() */
  char *reproducible; /* NULL, or which results may differ between devices; freed with g_free() */
  char *sums;         /* NULL, or the SHA-256 of files that its steps name; freed with g_free() */
  GPtrArray *names;   /* char *, of numbers that steps have made, such as thresholds; NULL: none */
  GArray *values;     /* double: these */
  char **reads; /* paths of the files that were read in addition to the image, freed with g_strfreev(); NULL: none,
                 * or they are part of the job's description */
  BatchProduct *products; /* as many as there are outputs, at first empty; NULL for a job that saves by itself */
} BatchResult;

typedef struct BatchJob {
  gpointer self;
  gboolean saves; /* what comes of an image, by itself: then there is one pattern, that of folders, "{name}/" */
  /* Whether it can be done at all, asked once before anything else; FALSE with *error. */
  gboolean (*check) (gpointer self, GError **error);
  /* Bytes of host memory that run() will take, the pixels of the image too. FALSE with *error. Both on any thread, at the same time. */
  gboolean (*needs) (gpointer self, const BatchSubject *subject, gsize *bytes, GError **error);
  /* Whether run() can work on such an image, as far as its headers tell; FALSE with *error. NULL: that is not known before. */
  gboolean (*fits) (gpointer self, const BatchSubject *subject, GError **error);
  /* Fills *result, which is the caller's in any case. FALSE with *error. */
  gboolean (*run) (gpointer self, const BatchSubject *subject, BatchResult *result, GError **error);
  /* Whether a device of the job can be used no more by this process, see device_is_lost(). Any thread; NULL: that cannot be. */
  gboolean (*lost) (gpointer self);
} BatchJob;

#endif
