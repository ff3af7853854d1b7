/* SPDX-License-Identifier: MIT
 *
 * What the others have taken already is counted twice, as theirs and as gone: rather too few at once than too many.
 */
#include "core/batch/room.h"

#include "core/base/host_memory.h"
#include "core/base/progress.h"

enum { LOOK_US = 50000 };

void
batch_room_init (BatchRoom *room)
{
  *room = (BatchRoom){.inside = 0};
  g_mutex_init (&room->lock);
  g_cond_init (&room->change);
}

void
batch_room_clear (BatchRoom *room)
{
  g_mutex_clear (&room->lock);
  g_cond_clear (&room->change);
}

gboolean
batch_room_enter (BatchRoom *room, gsize bytes, GError **error)
{
  gboolean stopped;
  HostRoom left;
  g_mutex_lock (&room->lock);
  while (!(stopped = progress_stopped (error)) && room->inside && !host_memory_fits (room->held + bytes, 0, &left))
    g_cond_wait_until (&room->change, &room->lock, g_get_monotonic_time () + LOOK_US);
  if (!stopped) {
    room->inside++;
    room->held += bytes;
  }
  g_mutex_unlock (&room->lock);
  return !stopped;
}

void
batch_room_leave (BatchRoom *room, gsize bytes)
{
  g_mutex_lock (&room->lock);
  room->inside--;
  room->held -= bytes;
  g_cond_broadcast (&room->change);
  g_mutex_unlock (&room->lock);
}
