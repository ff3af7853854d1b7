/* SPDX-License-Identifier: MIT
 *
 * Host memory that is going to be used is reserved first: the system hands out more than it has and ends the program when that is
 * written. What cannot be had is an error instead.
 */
#ifndef CORE_BASE_HOST_MEMORY_H
#define CORE_BASE_HOST_MEMORY_H

#include "fovea-plugin.h"
#include "core/base/host_room.h"

/* So many bytes are going to be allocated and written. FV_NO_MEMORY when they cannot be had, with an error that says what was
 * needed and what there is. Any thread. */
fv_status host_memory_reserve (gsize bytes, fv_error *error);
/* The same for what is written at once, as a table is: nothing is to be settled. */
fv_status host_memory_ask (gsize bytes, fv_error *error);
/* As many bytes of what was reserved have been written by now, or given back. */
void host_memory_settle (gsize bytes);
/* Addresses alone, for munmap() to give back: the system gives memory page by page as it is written. */
fv_status host_memory_map (gsize bytes, void **memory, fv_error *error);
/* Whether `fresh` new bytes and `mapped` bytes whose addresses are taken can be written; if not, *room is what there is. */
gboolean host_memory_fits (gsize fresh, gsize mapped, HostRoom *room);

/* A cache of freed memory, asked to release it before an allocation is refused, on any thread. */
void host_memory_add_keeper (void (*trim) (gpointer keeper), gpointer keeper);
void host_memory_remove_keeper (gpointer keeper);

#endif
