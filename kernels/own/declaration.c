/* SPDX-License-Identifier: MIT
 */
#include "kernels/own/declaration.h"

fv_status
own_wrong (int line, fv_error *error, const char *format, ...)
{
  char words[384];
  va_list ap;
  va_start (ap, format);
  vsnprintf (words, sizeof words, format, ap);
  va_end (ap);
  return fail (error, FV_BAD_ARGUMENT, "", "Line %d: %s", line, words);
}
