/* SPDX-License-Identifier: MIT
 *
 * What core was built with, for reports of faults.
 */
#ifndef CORE_BASE_SYSTEM_LIBRARIES_H
#define CORE_BASE_SYSTEM_LIBRARIES_H

/* "libtiff-4 4.5.0, libpng 1.6.39": packages and their versions. */
extern const char libraries_text[];

#endif
