/* SPDX-License-Identifier: MIT
 *
 * What GCC for Windows and its C library lack; check_windows.sh includes it before each file. Functions have no clones for several processors
 * there, and functions of locales have other names.
 */
#define target_clones(...)

#include <locale.h>
#include <stdlib.h>

#define LC_ALL_MASK LC_ALL
typedef _locale_t locale_t;

static inline locale_t
newlocale (int categories, const char *name, locale_t base)
{
  (void) base;
  return _create_locale (categories, name);
}

static inline void
freelocale (locale_t locale)
{
  _free_locale (locale);
}

static inline double
strtod_l (const char *text, char **end, locale_t locale)
{
  return _strtod_l (text, end, locale);
}
