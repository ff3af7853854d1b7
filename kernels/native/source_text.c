/* SPDX-License-Identifier: MIT
 */
#include "kernels/native/source_text.h"

void
text_add (text *s, const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  s->used += (size_t) vsnprintf (s->at + s->used, s->size - s->used, format, ap);
  va_end (ap);
}
