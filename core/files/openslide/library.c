/* SPDX-License-Identifier: MIT
 */
#include "core/files/openslide/library.h"

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
find_all (GModule *l, OpenslideCalls *calls)
{
  return find (l, "openslide_open", &calls->open) && find (l, "openslide_close", &calls->close)
         && find (l, "openslide_get_error", &calls->error) && find (l, "openslide_get_level_count", &calls->levels)
         && find (l, "openslide_get_level_dimensions", &calls->level_size)
         && find (l, "openslide_get_level_downsample", &calls->factor)
         && find (l, "openslide_get_property_value", &calls->property)
         && find (l, "openslide_read_region", &calls->read)
         && find (l, "openslide_get_associated_image_names", &calls->pictures)
         && find (l, "openslide_get_associated_image_dimensions", &calls->picture_size)
         && find (l, "openslide_read_associated_image", &calls->read_picture);
}

const OpenslideCalls *
openslide_calls (void)
{
  static const char *const names[] = {"libopenslide.so.1", "libopenslide.so.0"};
  static OpenslideCalls calls;
  static gsize state; /* 1: not there; 2: there */
  if (g_once_init_enter (&state)) {
    gboolean there = FALSE;
    for (guint i = 0; i < G_N_ELEMENTS (names) && !there; i++) {
      GModule *library = g_module_open (names[i], G_MODULE_BIND_LOCAL);
      there = library && find_all (library, &calls); /* stays loaded */
    }
    g_once_init_leave (&state, there ? 2 : 1);
  }
  return state == 2 ? &calls : NULL;
}
