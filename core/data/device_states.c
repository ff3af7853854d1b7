/* SPDX-License-Identifier: MIT
 */
#include "core/data/device_states.h"

#include "core/base/fork.h"
#include <string.h>

typedef struct {
  gconstpointer owner;
  char *key;
  void *state;
  DeviceStateRelease release;
} Left;

static void
left_free (Left *left)
{
  g_free (left->key);
  g_free (left);
}

void
device_states_init (DeviceStates *states)
{
  g_mutex_init (&states->lock);
  fork_guard (&states->lock, NULL, NULL);
  g_queue_init (&states->left);
}

void
device_states_clear (DeviceStates *states)
{
  fork_unguard (&states->lock);
  g_mutex_clear (&states->lock);
}

void *
device_states_take (DeviceStates *states, gconstpointer owner, const char *key)
{
  void *state = NULL;
  g_mutex_lock (&states->lock);
  for (GList *l = states->left.head; l; l = l->next) {
    Left *left = l->data;
    if (left->owner != owner || strcmp (left->key, key))
      continue;
    state = left->state;
    g_queue_delete_link (&states->left, l);
    left_free (left);
    break;
  }
  g_mutex_unlock (&states->lock);
  return state;
}

void
device_states_leave (DeviceStates *states, gconstpointer owner, const char *key, void *state,
                     DeviceStateRelease release)
{
  Left *left = g_new (Left, 1);
  *left = (Left){owner, g_strdup (key), state, release};
  g_mutex_lock (&states->lock);
  g_queue_push_head (&states->left, left);
  g_mutex_unlock (&states->lock);
}

gboolean
device_states_release (DeviceStates *states, const fv_device *device, void *stream)
{
  fv_error fault = FV_ERROR_INIT;
  GQueue all;
  g_mutex_lock (&states->lock);
  all = states->left;
  g_queue_init (&states->left);
  g_mutex_unlock (&states->lock);
  if (!all.length)
    return FALSE;
  /* Work that uses them may still be going on; this makes the device current on this thread, too. A device that fails takes nothing back. */
  const gboolean answers = device->synchronize (device, stream, &fault) != FV_DEVICE_FAULT;
  for (Left *left; (left = g_queue_pop_head (&all)); left_free (left))
    if (left->release && answers)
      left->release (device, left->state);
  return TRUE;
}
