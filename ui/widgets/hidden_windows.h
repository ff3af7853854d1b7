/* SPDX-License-Identifier: MIT
 *
 * Hidden windows come first in GTK's list of windows. An accessibility program, such as a screen reader, that asks for one window more than are shown
 * gets the last of the list from GTK. If that one is hidden, it has no address on the bus, and GTK (4.8 and 4.18 alike) ends the app.
 * A program asks like that when a window closes between its question for the number of windows and the one for the last of them. Hidden windows
 * are those that keep their content when they are closed, and GTK's own, of its file dialogs, colors and About.
 */
#ifndef UI_WIDGETS_HIDDEN_WINDOWS_H
#define UI_WIDGETS_HIDDEN_WINDOWS_H

/* From now on. Those that are shown keep the order in which they were made. Called once, before the first window. */
void hidden_windows_first (void);

#endif
