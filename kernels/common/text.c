/* SPDX-License-Identifier: MIT
 */
#include "kernels/common/text.h"

#include <locale.h>
#include <stdlib.h>

void
text_add (text *s, const char *format, ...)
{
  va_list ap;
  if (s->used >= s->size)
    return;
  va_start (ap, format);
  s->used += (size_t) vsnprintf (s->at + s->used, s->size - s->used, format, ap);
  va_end (ap);
}

double
number_begin (const char *text, const char **end)
{
  static locale_t c_locale;
  if (!__atomic_load_n (&c_locale, __ATOMIC_ACQUIRE)) {
    locale_t made = newlocale (LC_ALL_MASK, "C", 0), none = 0;
    if (!__atomic_compare_exchange_n (&c_locale, &none, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      freelocale (made);
  }
  return strtod_l (text, (char **) end, c_locale);
}

bool
number_read (const char *text, double *number)
{
  const char *end;
  *number = number_begin (text, &end);
  return end != text && !*end;
}
