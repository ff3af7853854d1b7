/* SPDX-License-Identifier: MIT
 *
 * How much memory this process may still take before the system refuses it or ends the program: what the machine has left, what
 * its control groups and its own limits leave.
 */
#ifndef CORE_BASE_HOST_ROOM_H
#define CORE_BASE_HOST_ROOM_H

#include <glib.h>

typedef struct HostRoom {
  gsize bytes;       /* that may still be taken */
  gsize limit;       /* of so many */
  const char *whose; /* "this machine", "the control group", ... */
} HostRoom;

/* For pages that are going to be written: the least of all that limits them. */
HostRoom host_room_for_pages (void);
/* For new addresses, whether or not they are written. */
HostRoom host_room_for_addresses (void);
/* Bytes of this process that are in memory now, except pages of files. */
gsize host_room_resident (void);

/* Narrows *room by a limit and its use: a given one, or RLIMIT_AS or RLIMIT_DATA of this process. */
void host_room_narrow (HostRoom *room, gsize limit, gsize used, const char *whose);
void host_room_narrow_by_process (HostRoom *room, int resource, const char *whose);
/* Narrows *room by the control groups that are named in the text of /proc/self/cgroup, of version 1 or 2, and those above
 * them; root is where they are mounted. */
void host_room_narrow_by_groups (HostRoom *room, const char *groups, const char *root);

#endif
