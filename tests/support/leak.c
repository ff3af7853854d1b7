/* SPDX-License-Identifier: MIT
 *
 * Leaks, through GLib, for check_leak.sh.
 */
#include <glib.h>

__attribute__ ((noinline)) static void
leaks (int n)
{
  for (int i = 0; i < n; i++)
    if (!g_strdup ("lost"))
      g_error ("no memory");
}

int
main (void)
{
  leaks (5);
  return 0;
}
