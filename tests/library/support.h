/* SPDX-License-Identifier: MIT
 *
 * What tests of the library share. GLib here is the tests' own.
 */
#ifndef TESTS_LIBRARY_SUPPORT_H
#define TESTS_LIBRARY_SUPPORT_H

#include "library/fovea.h"
#include "tests/support/init.h"

#include <glib.h>

/* That of all tests of a program; main() makes it, runs the tests and frees it. */
extern fovea_context *context;
int run_tests (void);

/* The last call failed so, with a sentence that names the field. */
void assert_fails (fovea_error **error, fovea_code code, const char *field, const char *says);
void assert_good (fovea_error *error);
DLTensor tensor_of (void *pixels, uint8_t code, uint8_t bits, int n, int64_t *shape);
/* A bright square of side 4 at row 3 and column 5 on dark ground, u16, as large as asked for. */
fovea_image *image_with_square (int64_t side);
fovea_run *run_of (const char *steps, const fovea_image *image);
void execute (fovea_run *run);

#endif
