/* SPDX-License-Identifier: MIT
 *
 * What a compiler says of a kernel, as an error that names the parameter, the line and the column.
 */
#ifndef KERNELS_NATIVE_COMPLAINT_H
#define KERNELS_NATIVE_COMPLAINT_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Before a sentence of Fovea's own, the text of a static_assert in the source: the user sees the sentence alone. */
#define KERNEL_SAYS "fovea: "

/* The first error of a log of GCC, Clang or NVRTC: "line 3, column 7: ..." with the field whose text has that line. */
fv_status kernel_complaint (const char *log, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
