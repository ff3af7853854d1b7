/* SPDX-License-Identifier: MIT
 *
 * What GTK's theme does not know of this program, and where it is too pale.
 */
#ifndef UI_WIDGETS_STYLE_H
#define UI_WIDGETS_STYLE_H

/* For all windows. */
void style_add (void);

#endif
