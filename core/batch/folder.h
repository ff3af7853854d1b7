/* SPDX-License-Identifier: MIT
 *
 * A folder of outputs as it is: the manifests of all shards, how they stand, and the one table of all rows.
 */
#ifndef CORE_BATCH_FOLDER_H
#define CORE_BATCH_FOLDER_H

#include "core/batch/manifest.h"
#include "core/base/name_pattern.h"
#include "core/data/csv.h"

/* Parts of images of a plate. */
#define BATCH_WELL "well"
#define BATCH_FIELD "field"

typedef struct BatchFolder {
  char *path;
  guint shards;  /* of how many it has manifests */
  guint8 *there; /* for each whether there is one */
  BatchRecords *
    records; /* settled, and those of files that another one's image is made of, too, belong to that; with the header of each shard that is there */
  NamePattern *pattern; /* of the inputs' names; NULL: none */
  const char *below;    /* with one: the folder that the inputs are below */
  GPtrArray *
    parts; /* const char *: names of columns that say where an image is from: those of the pattern, and well and field of plates */
} BatchFolder;

/* NULL with *error, also without a manifest. */
BatchFolder *batch_folder_new (const char *path, GError **error);
void batch_folder_free (BatchFolder *folder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BatchFolder, batch_folder_free)

/* What the parts are of an image, each with a text, "": it does not say. Free with g_strfreev(). */
char **batch_folder_parts (const BatchFolder *folder, const BatchRecord *record);

typedef struct BatchCounts {
  guint64 images; /* all that are known; a file counts as one until it has been opened */
  guint64 done;   /* of them */
  guint64 failed;
  guint64 before; /* of those that are done, done by an earlier run */
  guint64 parts;  /* files that are parts of other files' images */
} BatchCounts;

BatchCounts batch_folder_counts (const BatchFolder *folder);
/* Whether nothing is left to do, failed or not; FALSE with *error, which says of which shard. */
gboolean batch_folder_is_complete (const BatchFolder *folder, GError **error);
/* Saves the rows of all images, in their order. The first columns are the parts, `file` and, when some file has several images,
 * `series`. The others are those of all tables, in the order in which they appear first. One part is in memory at a time. */
gboolean batch_folder_save_table (const BatchFolder *folder, const char *path, CsvFormat format, GError **error);
/* Saves a row for each image, also for those without objects and those that failed. Columns are file and series, the number of rows in the other
 * table, the numbers of steps, sums and means of its columns, seconds, device, warning and error. A `group` that is not NULL has names of
 * parts, separated by commas. Each row is then about all images with the same parts, with the standard deviation and the median of the columns, too. */
gboolean batch_folder_save_images (const BatchFolder *folder, const char *path, const char *group, CsvFormat format,
                                   GError **error);

#endif
