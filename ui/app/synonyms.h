/* SPDX-License-Identifier: MIT
 *
 * Search words of the actions of menus and keys; operations declare their own.
 */
#ifndef UI_APP_SYNONYMS_H
#define UI_APP_SYNONYMS_H

/* Of an action ("win.measure"), with spaces between; "" when it has none. */
const char *synonyms_of (const char *command);

#endif
