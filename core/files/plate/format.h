/* SPDX-License-Identifier: MIT
 *
 * Data sets of many files: those of microscopes that have an index, and those that a path with named parts makes one.
 */
#ifndef CORE_FILES_PLATE_FORMAT_H
#define CORE_FILES_PLATE_FORMAT_H

#include "core/files/shared/format.h"

extern const FileFormat format_plate;
/* For paths of plate_pattern_is(); not in the list of formats.h, since no contents show it. */
extern const FileFormat format_sequence;

#endif
