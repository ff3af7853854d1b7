/* SPDX-License-Identifier: MIT
 *
 * Other words for commands: those of ImageJ, of other programs, and of people.
 */
#ifndef UI_APP_SYNONYMS_H
#define UI_APP_SYNONYMS_H

/* Of an operation, by its key, or of an action ("win.measure"), with spaces between; "" when there are none. */
const char *synonyms_of (const char *command);

#endif
