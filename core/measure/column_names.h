/* SPDX-License-Identifier: MIT
 *
 * What ImageJ calls the columns of tables. What it does not have or defines otherwise keeps its key, or its name says so.
 */
#ifndef CORE_MEASURE_COLUMN_NAMES_H
#define CORE_MEASURE_COLUMN_NAMES_H

#include <glib.h>

/* "Area" for "area", or the key. Free with g_free(). */
char *column_name_imagej (const char *key);

#endif
