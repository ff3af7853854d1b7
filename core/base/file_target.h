/* SPDX-License-Identifier: MIT
 *
 * Writing files: the one way of saving.
 */
#ifndef CORE_BASE_FILE_TARGET_H
#define CORE_BASE_FILE_TARGET_H

#include "core/base/file_error.h"

#include <sys/types.h>

/* A file that appears whole or not at all. Data is written into an unnamed file, or where the file system does not support that into a temporary one,
 * .fovea-*.part. Then file_target_commit() waits until it is on the disk and names it `path`, or file_target_abandon() removes it. All that the program
 * writes goes this way. A link is followed; what is replaced keeps its permissions and, as far as the system allows, its owner; what is not a regular
 * file or is write-protected is not overwritten. Stops when the work of the thread shall (progress.h). g_autoptr (FileTarget) abandons. */
typedef struct FileTarget FileTarget;
FileTarget *file_target_new (const char *path, GError **error);
gboolean file_target_write (FileTarget *target, gconstpointer bytes, gsize n, GError **error);
/* Writes over n bytes from `at` on that are there. */
gboolean file_target_correct (FileTarget *target, guint64 at, gconstpointer bytes, gsize n, GError **error);
gboolean file_target_commit (FileTarget *target, GError **error); /* frees target in any case */
void file_target_abandon (FileTarget *target);                    /* frees target */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FileTarget, file_target_abandon)
/* A folder that appears whole or not at all, with all its files. They are written into a folder .fovea-*.part beside it. A folder of that name is
 * replaced with all that is in it: the caller knows that nothing is lost. */
FileTarget *file_target_new_folder (const char *path, GError **error);
/* Makes a file in the folder, with the folders of its name: "0/c/0". Any thread, at the same time. */
gboolean file_target_add (const FileTarget *target, const char *name, gconstpointer bytes, gsize n, GError **error);
/* From now on this thread's commits to file system `device` do not wait for the disk. A crash can undo one until the
 * file system is synced, but never leave half of it. 0: all commits wait. */
void file_targets_sync_later (dev_t device);
/* A whole file at once. mode: the permissions of a new one, less the umask. */
gboolean file_save_text (const char *path, const char *text, mode_t mode, GError **error);
/* The same of a file that the program keeps for itself, such as settings: a limit of the thread does not count for it. */
gboolean file_save_own_text (const char *path, const char *text, mode_t mode, GError **error);
/* From now on what is saved at `path`, no file, goes to a descriptor, such as standard output, once it is complete. Before there are
 * threads. */
void file_target_stream (const char *path, int fd);

/* Which files a thread makes. */
typedef enum FileTargets {
  FILE_TARGETS_ALL,     /* at first */
  FILE_TARGETS_NONE,    /* each is an error */
  FILE_TARGETS_NEW,     /* one, which is not there before */
  FILE_TARGETS_REPLACE, /* one, which may be there */
} FileTargets;
/* Which files this thread makes from now on. path: the one, absolute and canonical, else NULL. No component of it is a link, and neither is
 * what it names; what becomes one meanwhile is an error. */
void file_targets_limit (FileTargets which, const char *path);

#endif
