/* SPDX-License-Identifier: MIT
 *
 * Colors of source text, light or dark as the program is.
 */
#ifndef UI_WIDGETS_SOURCE_THEME_H
#define UI_WIDGETS_SOURCE_THEME_H

#include <gtksourceview/gtksource.h>

/* The buffer keeps them even if the program's theme changes. */
void source_theme_follow (GtkSourceBuffer *buffer);

#endif
