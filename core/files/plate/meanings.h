/* SPDX-License-Identifier: MIT
 *
 * What the parts of names mean, by the letters in front of a number ("t001", "_z01") and by their texts.
 */
#ifndef CORE_FILES_PLATE_MEANINGS_H
#define CORE_FILES_PLATE_MEANINGS_H

#include "core/files/plate/names.h"

/* Sets the meaning of parts that differ where there is a guess. No two parts get the same one. */
void plate_meanings_guess (PlateNames *names);

#endif
