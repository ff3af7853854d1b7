/* SPDX-License-Identifier: MIT
 *
 * The order in which people number files: a2 before a10, and what is in a folder together.
 */
#ifndef CORE_BATCH_NATURAL_H
#define CORE_BATCH_NATURAL_H

/* Less than, equal to or greater than 0, as strcmp(); 0 only for equal names, and the same in every locale. */
int natural_compare (const char *a, const char *b);

#endif
