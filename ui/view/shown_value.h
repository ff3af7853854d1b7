/* SPDX-License-Identifier: MIT
 *
 * Arguments as the app shows them: with the labels of parameters and choices, and with positions (.ordinal) counted from 1, where files of steps and
 * the command line have keys and count from 0.
 */
#ifndef UI_VIEW_SHOWN_VALUE_H
#define UI_VIEW_SHOWN_VALUE_H

#include "core/data/image_info.h"
#include "core/recipe/step.h"

/* "Sigma 5 px, Border Wrap": what the step is about, its first choice, and all that is not as it is by default, as far as it
 * matters. Free with g_free(). */
char *shown_step (const Step *step);
/* The text of an entry for the value, and the value for the text. Free with g_free(). */
char *shown_from_value (const fv_param *param, const char *value);
char *shown_to_value (const fv_param *param, const char *shown);
/* "8 of 69 chosen", of a parameter that is a set. Free with g_free(). */
char *shown_set (const fv_param *param, const char *value);

/* What image_info_text() says, in the language of the window: "640×640 8-bit, 3 channels". Free with g_free(). */
char *shown_image (const ImageInfo *info);

#endif
