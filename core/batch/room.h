/* SPDX-License-Identifier: MIT
 *
 * How many images are worked on at once: as many as fit into memory together, and always one.
 */
#ifndef CORE_BATCH_ROOM_H
#define CORE_BATCH_ROOM_H

#include <glib.h>

typedef struct BatchRoom {
  GMutex lock;
  GCond change;
  guint inside;
  gsize held; /* bytes that those inside need at their peaks */
} BatchRoom;

void batch_room_init (BatchRoom *room);
void batch_room_clear (BatchRoom *room);
/* Waits until so many bytes fit beside those of the others. FALSE with *error when the work of the thread shall stop. */
gboolean batch_room_enter (BatchRoom *room, gsize bytes, GError **error);
void batch_room_leave (BatchRoom *room, gsize bytes);

#endif
