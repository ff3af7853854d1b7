/* SPDX-License-Identifier: MIT
 *
 * A text that grows, of which the newest line is the one to be seen.
 */
#ifndef UI_WIDGETS_FOLLOW_END_H
#define UI_WIDGETS_FOLLOW_END_H

#include <gtk/gtk.h>

/* view: in a scrolled window. Whenever its buffer or its height changes the end comes into sight; of what fits the first line stays where it is. */
void follow_end (GtkTextView *view);

#endif
