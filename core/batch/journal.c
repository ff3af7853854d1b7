/* SPDX-License-Identifier: MIT
 *
 * One sync of the file system serves all files that were written in a second, where one for each would take longer than to make them.
 */
#include "core/batch/journal.h"

#include "core/base/file_read.h"
#include "core/base/file_target.h"
#include "core/base/system/lock_file.h"
#include "core/base/text.h"
#include "core/batch/staging.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define HIDDEN ".fovea-batch"
enum { MAX_SHARDS = 1 << 20 };

struct BatchJournal {
  char *folder, *path; /* path: of the manifest */
  BatchShard shard;
  int folder_fd, lock_fd, manifest, parts;
  dev_t device;
  gint64 written; /* bytes of the manifest */
  BatchRecords *before;
  GMutex lock;      /* guards what follows */
  gint64 parts_end; /* bytes of the parts that count */
  GString *waiting; /* lines */
};

/* ---- Names ---- */

static char *
name_of (const char *folder, const char *stem, BatchShard shard, const char *ending)
{
  g_autofree char *name = shard.of > 1 ? g_strdup_printf ("%s-%u-of-%u%s", stem, shard.number + 1, shard.of, ending)
                                       : g_strconcat (stem, ending, NULL);
  return g_build_filename (folder, name, NULL);
}

char *
batch_journal_manifest (const char *folder, BatchShard shard)
{
  return name_of (folder, "manifest", shard, ".jsonl");
}

char *
batch_journal_parts (const char *folder, BatchShard shard)
{
  return name_of (folder, HIDDEN G_DIR_SEPARATOR_S "parts", shard, "");
}

/* "manifest.jsonl" or "manifest-2-of-8.jsonl"; FALSE: another name. */
static gboolean
parse_name (const char *name, BatchShard *shard)
{
  g_autofree char *canonical = NULL;
  unsigned number = 1, of = 1;
  if (strcmp (name, "manifest.jsonl") && sscanf (name, "manifest-%u-of-%u.jsonl", &number, &of) != 2)
    return FALSE;
  *shard = (BatchShard){number - 1, of};
  canonical = batch_journal_manifest ("", *shard);
  return number >= 1 && number <= of && of <= MAX_SHARDS && !strcmp (canonical, name);
}

gboolean
batch_journal_shards (const char *path, guint *shards, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  BatchShard shard;
  *shards = 0;
  for (const char *name; dir && (name = g_dir_read_name (dir));) {
    if (!parse_name (name, &shard))
      continue;
    if (*shards && *shards != shard.of)
      return file_fail (error, FILE_ERROR_FORMAT, path,
                        "has manifests of %u shards and of %u. Keep those of one batch.", MIN (*shards, shard.of),
                        MAX (*shards, shard.of));
    *shards = shard.of;
  }
  return TRUE;
}

/* ---- Opening ---- */

static gboolean
fail (const char *path, GError **error)
{
  return file_fail (error, FILE_ERROR_WRITE, path, "cannot be written: %s.", g_strerror (errno));
}

static gboolean
make_folders (BatchJournal *journal, GError **error)
{
  g_autofree char *hidden = g_build_filename (journal->folder, HIDDEN, NULL);
  struct stat about;
  if (g_mkdir_with_parents (hidden, 0777))
    return file_fail (error, FILE_ERROR_WRITE, journal->folder, "cannot be the output folder: %s.", g_strerror (errno));
  journal->folder_fd = open (journal->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (journal->folder_fd < 0 || fstat (journal->folder_fd, &about))
    return fail (journal->folder, error);
  journal->device = about.st_dev;
  return TRUE;
}

static gboolean
lock (BatchJournal *journal, BatchShard shard, GError **error)
{
  g_autofree char *path = name_of (journal->folder, HIDDEN G_DIR_SEPARATOR_S "lock", shard, "");
  journal->lock_fd = lock_file_take (path, 0);
  if (journal->lock_fd >= 0)
    return TRUE;
  if (errno == EWOULDBLOCK)
    return file_fail (error, FILE_ERROR_WRITE, journal->folder, "is in use by another batch.");
  return fail (path, error);
}

static gboolean
check_new (const char *folder, gsize written, gboolean resume, GError **error)
{
  return !written || resume
         || file_fail (error, FILE_ERROR_WRITE, folder,
                       "already has a batch. Use --resume to continue it, or choose another folder.");
}

/* Reads what is there, and cuts off what was not committed. */
static gboolean
read_before (BatchJournal *journal, gboolean resume, const char *parts, GError **error)
{
  struct stat about = {0};
  if (fstat (journal->manifest, &about))
    return fail (journal->path, error);
  if (!check_new (journal->folder, (gsize) about.st_size, resume, error))
    return FALSE;
  if (fstat (journal->parts, &about))
    return fail (parts, error);
  if (!batch_records_read (journal->before, 0, journal->path, about.st_size, &journal->written, error))
    return FALSE;
  batch_records_settle (journal->before);
  for (guint i = 0; i < journal->before->all->len; i++) {
    const BatchRecord *record = &g_array_index (journal->before->all, BatchRecord, i);
    if (!record->error && !record->removed && !record->belongs)
      journal->parts_end = MAX (journal->parts_end, record->part + record->length);
  }
  if (ftruncate (journal->manifest, journal->written))
    return fail (journal->path, error);
  return !ftruncate (journal->parts, journal->parts_end) || fail (parts, error);
}

/* Shards of other numbers are of another batch. */
static gboolean
check_shards (const char *folder, BatchShard shard, GError **error)
{
  guint shards;
  if (!batch_journal_shards (folder, &shards, error))
    return FALSE;
  return !shards || shards == shard.of
         || file_fail (error, FILE_ERROR_WRITE, folder, "has a batch of %u shard%s. Choose another folder.", shards,
                       shards == 1 ? "" : "s");
}

static gboolean
open_files (BatchJournal *journal, BatchShard shard, gboolean resume, GError **error)
{
  g_autofree char *parts = batch_journal_parts (journal->folder, shard);
  const int flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  journal->path = batch_journal_manifest (journal->folder, shard);
  if ((journal->manifest = open (journal->path, flags, 0666)) < 0)
    return fail (journal->path, error);
  if ((journal->parts = open (parts, flags, 0666)) < 0)
    return fail (parts, error);
  return read_before (journal, resume, parts, error);
}

BatchJournal *
batch_journal_open (const char *folder, BatchShard shard, gboolean resume, GError **error)
{
  g_autoptr (BatchJournal) journal = g_new0 (BatchJournal, 1);
  journal->folder = g_strdup (folder);
  journal->shard = shard;
  journal->folder_fd = journal->lock_fd = journal->manifest = journal->parts = -1;
  journal->before = batch_records_new ();
  journal->waiting = g_string_new (NULL);
  g_mutex_init (&journal->lock);
  if (!make_folders (journal, error) || !check_shards (folder, shard, error) || !lock (journal, shard, error)
      || !open_files (journal, shard, resume, error))
    return NULL;
  g_autofree char *left = batch_journal_staging (journal);
  batch_staging_remove (left);
  return g_steal_pointer (&journal);
}

/* Of the folder, or where it would be made, the nearest one that is there. */
static gboolean
check_folder (const char *folder, GError **error)
{
  g_autofree char *at = g_strdup (folder);
  while (!g_file_test (at, G_FILE_TEST_EXISTS) && strcmp (at, "/")) {
    char *above = g_path_get_dirname (at);
    g_free (at);
    at = above;
  }
  if (!g_file_test (at, G_FILE_TEST_IS_DIR))
    errno = ENOTDIR;
  else if (!access (at, W_OK | X_OK))
    return TRUE;
  return file_fail (error, FILE_ERROR_WRITE, folder, "cannot be the output folder: %s.", g_strerror (errno));
}

BatchRecords *
batch_journal_look (const char *folder, BatchShard shard, gboolean resume, GError **error)
{
  g_autoptr (BatchRecords) before = batch_records_new ();
  g_autofree char *manifest = batch_journal_manifest (folder, shard), *parts = batch_journal_parts (folder, shard);
  struct stat about, about_parts;
  gint64 whole;
  if (!check_folder (folder, error) || !check_shards (folder, shard, error))
    return NULL;
  if (stat (manifest, &about) || stat (parts, &about_parts))
    return g_steal_pointer (&before);
  if (!check_new (folder, (gsize) about.st_size, resume, error)
      || !batch_records_read (before, 0, manifest, about_parts.st_size, &whole, error))
    return NULL;
  batch_records_settle (before);
  return g_steal_pointer (&before);
}

void
batch_journal_close (BatchJournal *journal)
{
  const int descriptors[] = {journal->parts, journal->manifest, journal->lock_fd, journal->folder_fd};
  for (guint i = 0; i < G_N_ELEMENTS (descriptors); i++)
    if (descriptors[i] >= 0)
      close (descriptors[i]);
  batch_records_free (journal->before);
  g_string_free (journal->waiting, TRUE);
  g_mutex_clear (&journal->lock);
  g_free (journal->folder);
  g_free (journal->path);
  g_free (journal);
}

const BatchRecords *
batch_journal_before (const BatchJournal *journal)
{
  return journal->before;
}

dev_t
batch_journal_device (const BatchJournal *journal)
{
  return journal->device;
}

int
batch_journal_folder (const BatchJournal *journal)
{
  return journal->folder_fd;
}

char *
batch_journal_staging (const BatchJournal *journal)
{
  return name_of (journal->folder, HIDDEN G_DIR_SEPARATOR_S "staging", journal->shard, "");
}

/* ---- Writing ---- */

static gboolean
write_at (int fd, const char *bytes, gsize n, gint64 at)
{
  while (n > 0) {
    gssize written = pwrite (fd, bytes, n, at);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return FALSE;
    bytes += written;
    n -= (gsize) written;
    at += written;
  }
  return TRUE;
}

gboolean
batch_journal_add_rows (BatchJournal *journal, BatchRecord *record, const GString *rows, GError **error)
{
  g_mutex_lock (&journal->lock);
  gboolean done = write_at (journal->parts, rows->str, rows->len, journal->parts_end);
  if (done) {
    record->part = journal->parts_end;
    record->length = (gint64) rows->len;
    journal->parts_end += record->length;
  } else
    file_fail (error, FILE_ERROR_WRITE, journal->folder, "cannot use the rows of a table: %s.", g_strerror (errno));
  g_mutex_unlock (&journal->lock);
  return done;
}

void
batch_journal_add (BatchJournal *journal, const BatchRecord *record)
{
  g_mutex_lock (&journal->lock);
  batch_record_write (record, journal->waiting);
  g_mutex_unlock (&journal->lock);
}

void
batch_journal_add_header (BatchJournal *journal, const BatchHeader *header)
{
  g_mutex_lock (&journal->lock);
  batch_header_write (header, journal->waiting);
  g_mutex_unlock (&journal->lock);
}

/* A file system that cannot sync says EINVAL. */
static gboolean
is_synced (int fault)
{
  return !fault || errno == EINVAL;
}

static gboolean
has_gone (const BatchJournal *journal)
{
  struct stat mine, there;
  return fstat (journal->manifest, &mine) || stat (journal->path, &there) || mine.st_ino != there.st_ino
         || mine.st_dev != there.st_dev;
}

gboolean
batch_journal_commit (BatchJournal *journal, GError **error)
{
  g_autoptr (GString) lines = g_string_new (NULL);
  g_mutex_lock (&journal->lock);
  GString *waiting = journal->waiting;
  journal->waiting = lines;
  lines = waiting;
  g_mutex_unlock (&journal->lock);
  if (has_gone (journal))
    return file_fail (error, FILE_ERROR_WRITE, journal->path, "was removed or replaced.");
  if (!lines->len)
    return TRUE;
  if (!is_synced (syncfs (journal->folder_fd)) || !is_synced (fdatasync (journal->parts))
      || !write_at (journal->manifest, lines->str, lines->len, journal->written)
      || !is_synced (fdatasync (journal->manifest)))
    return fail (journal->path, error);
  journal->written += (gint64) lines->len;
  return TRUE;
}

gboolean
batch_journal_probe (const BatchJournal *journal, GError **error)
{
  /* Others may probe at the same time. */
  g_autofree char *name = g_strdup_printf ("probe-%p", (gpointer) g_thread_self ()),
                  *path = g_build_filename (journal->folder, HIDDEN, name, NULL), *text = g_strnfill (1 << 12, '\n');
  gboolean done = file_save_text (path, text, 0600, error);
  if (done)
    g_unlink (path);
  return done;
}
