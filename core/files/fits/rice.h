/* SPDX-License-Identifier: MIT
 *
 * Rice coding of integers as FITS has it (RICE_1): differences of neighbors, block by block with the best number of bits.
 */
#ifndef CORE_FILES_FITS_RICE_H
#define CORE_FILES_FITS_RICE_H

#include <glib.h>

/* n integers of 1, 2 or 4 bytes, coded in blocks of `block`, from `size` bytes. FALSE when these are no such code. */
gboolean files_fits_rice (const guint8 *from, gsize size, guint bytes, guint block, gsize n, void *to);

#endif
