/* SPDX-License-Identifier: MIT
 *
 * Colours of source text, light or dark as the program is.
 */
#ifndef UI_WIDGETS_SOURCE_THEME_H
#define UI_WIDGETS_SOURCE_THEME_H

#include <gtksourceview/gtksource.h>

/* The buffer has them from now on, whatever the program is set to later. */
void source_theme_follow (GtkSourceBuffer *buffer);

#endif
