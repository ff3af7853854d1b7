/* SPDX-License-Identifier: MIT
 *
 * Memory whose pages are those of a file, for pixels that do not fit otherwise: the system writes them there when it needs room and
 * reads them again. The file has no name, so that nothing stays when the process ends, however that happens. All of it is on the
 * disk from the start: a full disk is an error, not a signal later.
 *
 * Its folder is $FOVEA_SCRATCH; else $TMPDIR, or /var/tmp, the first of them that is not in memory itself. $FOVEA_SCRATCH_LIMIT, in
 * MiB, is a limit of the user's own.
 */
#ifndef CORE_BASE_DISK_MEMORY_H
#define CORE_BASE_DISK_MEMORY_H

#include "core/base/host_room.h"
#include "fovea-plugin.h"

/* Maps n zeroed bytes into *memory: over the whole pages mapped at `at`, which are lost, or anywhere if `at` is NULL. FV_NO_MEMORY with an error that
 * names the folder, and what was needed and free; *error must already give the reason for using the disk. Free it with munmap() and call
 * disk_memory_gone(). Any thread. */
fv_status disk_memory_map (void *at, gsize bytes, void **memory, fv_error *error);
/* An empty file without a name in the same folder, open for reading and writing; -1 with errno. It counts for no limit. */
int disk_memory_open (void);
/* So many bytes were unmapped. */
void disk_memory_gone (gsize bytes);
/* How much may still be taken; whose is the folder, or why there is none. */
HostRoom disk_memory_room (void);

#endif
