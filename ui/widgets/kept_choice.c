/* SPDX-License-Identifier: MIT
 *
 * What cannot be kept is used all the same.
 */
#include "ui/widgets/kept_choice.h"

#include "core/base/settings.h"

#include <string.h>

typedef struct Choice {
  const char *group, *key;
  const char *const *names;
} Choice;

static Choice *
choice_of (GSimpleAction *action)
{
  return g_object_get_data (G_OBJECT (action), "kept-choice");
}

static void
on_change (GSimpleAction *action, GVariant *state)
{
  const Choice *c = choice_of (action);
  const char *name = g_variant_get_string (state, NULL);
  g_autoptr (GError) error = NULL;
  if (!g_strv_contains (c->names, name))
    return;
  if (!settings_set (settings_of_user (), c->group, c->key, name, &error))
    g_info ("The choice %s cannot be saved: %s", c->key, error->message);
  g_simple_action_set_state (action, state);
}

guint
kept_choice_get (GSimpleAction *action)
{
  const Choice *c = choice_of (action);
  g_autoptr (GVariant) state = g_action_get_state (G_ACTION (action));
  guint i = 0;
  while (strcmp (c->names[i], g_variant_get_string (state, NULL)))
    i++;
  return i;
}

GSimpleAction *
kept_choice_new (const char *action, const char *group, const char *key, const char *const *names)
{
  g_autofree char *kept = settings_get (settings_of_user (), group, key);
  const char *name = kept && g_strv_contains (names, kept) ? kept : names[0];
  GSimpleAction *choice = g_simple_action_new_stateful (action, G_VARIANT_TYPE_STRING, g_variant_new_string (name));
  Choice *c = g_new (Choice, 1);
  *c = (Choice){group, key, names};
  g_object_set_data_full (G_OBJECT (choice), "kept-choice", c, g_free);
  g_signal_connect (choice, "change-state", G_CALLBACK (on_change), NULL);
  return choice;
}
