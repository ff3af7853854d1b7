/* SPDX-License-Identifier: MIT
 *
 * Files that a job reads in addition to its image: their contents, hashed once until they change. Any thread.
 */
#ifndef CORE_BATCH_READS_H
#define CORE_BATCH_READS_H

#include <glib.h>

typedef struct BatchReads {
  GMutex lock;
  GHashTable *known; /* path -> BatchStamp */
} BatchReads;

void batch_reads_init (BatchReads *reads);
void batch_reads_clear (BatchReads *reads);
/* For a record: the hash of each file with the path behind it. What cannot be read is left out. paths: NULL is an empty list, too. Free with
 * g_strfreev(). */
char **batch_reads_hashed (BatchReads *reads, const char *const *paths);
/* Whether the files hold what such a list, which may be NULL, says. */
gboolean batch_reads_are_same (BatchReads *reads, const char *const *hashed);

#endif
