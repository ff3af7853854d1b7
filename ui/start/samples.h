/* SPDX-License-Identifier: MIT
 *
 * The images that come with the program.
 */
#ifndef UI_APP_SAMPLES_H
#define UI_APP_SAMPLES_H

typedef struct Sample {
  const char *file, *label;
} Sample;

/* Ends with a file of NULL. */
const Sample *samples_list (void);
/* Where a sample is: in the source tree when the program runs from its build, else where it was installed. Free with g_free(). */
char *samples_path (const char *file);

#endif
