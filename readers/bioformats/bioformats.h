/* SPDX-License-Identifier: MIT
 *
 * The reader of what Bio-Formats opens and Fovea does not. Bio-Formats and Java are the user's: the helper runs them in one process, which is started with the
 * first file and kept.
 */
#ifndef READERS_BIOFORMATS_BIOFORMATS_H
#define READERS_BIOFORMATS_BIOFORMATS_H

#include "fovea-plugin.h"

extern const fv_reader bioformats_reader;

#endif
