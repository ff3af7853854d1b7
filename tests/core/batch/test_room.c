/* SPDX-License-Identifier: MIT
 *
 * As many images are inside as fit into memory together, and always one. $FOVEA_HOST_MEMORY poses as a machine with so little.
 */
#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/base/progress.h"
#include "core/batch/room.h"
#include "tests/support/init.h"

/* Whether there is room for them within a fifth of a second. */
static gboolean
enters (BatchRoom *room, gsize bytes)
{
  Progress progress = {.stop = TRUE};
  g_autoptr (GError) error = NULL;
  progress_set_grace (&progress, G_USEC_PER_SEC / 5);
  progress_enter (&progress);
  gboolean entered = batch_room_enter (room, bytes, &error);
  progress_enter (NULL);
  g_assert_true (entered ? !error : step_error_is_cancelled (error));
  return entered;
}

static gsize
bytes_left (void)
{
  HostRoom left;
  g_assert_false (host_memory_fits ((gsize) 1 << 40, 0, &left));
  g_assert_cmpuint (left.bytes, >, (gsize) 64 << 20);
  return left.bytes;
}

static void
test_fit (void)
{
  BatchRoom room;
  const gsize left = bytes_left ();
  batch_room_init (&room);
  g_assert_true (enters (&room, left / 2));
  g_assert_true (enters (&room, left / 4));
  g_assert_false (enters (&room, left / 2));
  batch_room_leave (&room, left / 4);
  g_assert_true (enters (&room, left / 4));
  batch_room_leave (&room, left / 2);
  g_assert_true (enters (&room, left / 2));
  batch_room_leave (&room, left / 2);
  batch_room_leave (&room, left / 4);
  batch_room_clear (&room);
}

/* What fits at no time goes in alone. */
static void
test_alone (void)
{
  BatchRoom room;
  const gsize left = bytes_left ();
  batch_room_init (&room);
  g_assert_true (enters (&room, 2 * left));
  g_assert_false (enters (&room, left / 4));
  batch_room_leave (&room, 2 * left);
  g_assert_true (enters (&room, left / 4));
  g_assert_false (enters (&room, 2 * left));
  batch_room_leave (&room, left / 4);
  batch_room_clear (&room);
}

static gpointer
enter (gpointer room)
{
  g_autoptr (GError) error = NULL;
  g_assert_true (batch_room_enter (room, bytes_left () / 2, &error));
  return NULL;
}

/* Who waits comes in when another leaves. */
static void
test_waiting (void)
{
  BatchRoom room;
  const gsize left = bytes_left ();
  batch_room_init (&room);
  g_assert_true (enters (&room, left));
  GThread *thread = g_thread_new ("waits", enter, &room);
  g_usleep (G_USEC_PER_SEC / 10);
  g_mutex_lock (&room.lock);
  g_assert_cmpuint (room.inside, ==, 1);
  g_mutex_unlock (&room.lock);
  batch_room_leave (&room, left);
  g_thread_join (thread);
  g_assert_cmpuint (room.inside, ==, 1);
  batch_room_leave (&room, room.held);
  batch_room_clear (&room);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_setenv ("FOVEA_HOST_MEMORY", "800", TRUE);
  g_test_add_func ("/room/fit", test_fit);
  g_test_add_func ("/room/alone", test_alone);
  g_test_add_func ("/room/waiting", test_waiting);
  return g_test_run ();
}
