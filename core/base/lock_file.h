/* SPDX-License-Identifier: MIT
 *
 * A file whose lock lives as long as the process that took it: the system lets it go whatever that process dies of.
 */
#ifndef CORE_BASE_LOCK_FILE_H
#define CORE_BASE_LOCK_FILE_H

/* Opens the file, makes it when there is none, and locks it. -1: another process holds it, or has just removed it, or it
 * cannot be (errno). flags: besides those that it always has, such as O_EXCL. close() lets go. */
int lock_file_take (const char *path, int flags);

#endif
