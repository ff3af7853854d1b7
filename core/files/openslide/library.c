/* SPDX-License-Identifier: MIT
 */
#include "core/files/openslide/library.h"

#include "core/base/fork.h"

#include <gmodule.h>
#include <string.h>

/* A function pointer of an object pointer, as POSIX has it. */
static gboolean
find (GModule *library, const char *name, void *to)
{
  gpointer found = NULL;
  g_module_symbol (library, name, &found);
  memcpy (to, &found, sizeof found);
  return found != NULL;
}

static gboolean
find_all (GModule *l, OpenslideCalls *to)
{
  return find (l, "openslide_open", &to->open) && find (l, "openslide_close", &to->close)
         && find (l, "openslide_get_error", &to->error) && find (l, "openslide_get_level_count", &to->levels)
         && find (l, "openslide_get_level_dimensions", &to->level_size)
         && find (l, "openslide_get_level_downsample", &to->factor)
         && find (l, "openslide_get_property_value", &to->property) && find (l, "openslide_read_region", &to->read)
         && find (l, "openslide_get_associated_image_names", &to->pictures)
         && find (l, "openslide_get_associated_image_dimensions", &to->picture_size)
         && find (l, "openslide_read_associated_image", &to->read_picture);
}

static OpenslideCalls calls;

static gboolean
load (void)
{
  static const char *const names[] = {"libopenslide.so.1", "libopenslide.so.0"};
  gboolean there = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (names) && !there; i++) {
    GModule *library = g_module_open (names[i], G_MODULE_BIND_LOCAL);
    there = library && find_all (library, &calls); /* stays loaded */
  }
  return there;
}

const OpenslideCalls *
openslide_calls (void)
{
  static int state;
  return fork_once (&state, load) ? &calls : NULL;
}
