/* SPDX-License-Identifier: MIT
 *
 * Where the rows of a table are on the sky, by the header that a FITS image came with (wcslib).
 */
#ifndef CORE_MEASURE_SKY_TABLE_H
#define CORE_MEASURE_SKY_TABLE_H

#include "core/data/image_info.h"
#include "core/data/table.h"

/* The table with two more columns, such as ra and dec, in degrees: those of its columns x and y, in pixels from the center of the
 * first, on the image's longitudes and latitudes. Missing where they are not on the sky. NULL: the table has no such columns, or has those
 * already, or the image no header that says where it is. In any thread. */
Table *sky_table_new (const Table *table, const ImageInfo *info);

#endif
