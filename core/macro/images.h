/* SPDX-License-Identifier: MIT
 *
 * Images as other functions of macros need them.
 */
#ifndef CORE_MACRO_IMAGES_H
#define CORE_MACRO_IMAGES_H

#include "core/files/tiff/choices.h"
#include "core/macro/state.h"

/* Whether the image that the macro is given replaces the next one that it opens. */
gboolean images_are_replaced (const Macro *m);
/* Opens image n, from 0, of a path, or its replacement, and makes it the current image. Returns its id. */
guint images_open (Macro *m, const char *path, guint n);
/* The recipe as it runs on an image: unless it sets volume=, slices with a known spacing are one volume, which is
 * reported once. Owned. */
const Recipe *images_recipe (Macro *m, const Recipe *recipe, const ImageInfo *info);
/* What the steps of the current image make; owned. */
Image *images_shown (Macro *m, const char *name);
/* The image at stack index i: a value, an id, or by default the result of the current image's steps; owned. */
Image *images_argument (lua_State *L, Macro *m, int i);
/* What step n of the image, from 1, has made, or 0 for the opened image: the steps up to it are run. Owned. */
Image *images_of_step (Macro *m, guint image, guint n);
/* The image with the title, or with the title or id at stack index i; an error if it does not exist. */
guint images_titled (Macro *m, const char *title);
guint images_find (lua_State *L, Macro *m, int i);
int images_close_all (lua_State *L, Macro *m);
/* path: of cage_file(). */
void images_save (Macro *m, Image *image, const char *path, const char *options);

#endif
