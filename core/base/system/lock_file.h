/* SPDX-License-Identifier: MIT
 *
 * A file whose lock lives as long as its process: the system releases it however the process dies.
 */
#ifndef CORE_BASE_SYSTEM_LOCK_FILE_H
#define CORE_BASE_SYSTEM_LOCK_FILE_H

/* Opens or creates the file and locks it. -1: another process holds it or has just removed it, or an error (errno).
 * flags: in addition to the usual ones, such as O_EXCL. close() releases it. */
int lock_file_take (const char *path, int flags);

#endif
