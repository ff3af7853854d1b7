/* SPDX-License-Identifier: MIT
 *
 * Units of length and time: one spelling of each, for all spellings in files, and factors between them.
 */
#ifndef CORE_BASE_UNITS_H
#define CORE_BASE_UNITS_H

#include <glib.h>

/* The usual spelling: "µm" for "um", "micron" and "\u00B5m" (U+00B5 or U+03BC, in UTF-8 or Latin-1, or as that escape), "s" for "seconds". It is ""
 * for what means no unit ("pixel", "pixels", "px"). An unknown unit does not change, except to valid UTF-8. */
char *units_normal (const char *unit);
/* "um**2" for "µm²": in ASCII, as FITS and VOTable write units; other characters become '?'. Free with g_free(). */
char *units_ascii (const char *unit);
/* How many `to` equal one `from`, both lengths or both times, in any spelling; 1 if they are equal strings, even
 * unknown or empty ones; 0 if unknown. */
double units_factor (const char *from, const char *to);

#endif
