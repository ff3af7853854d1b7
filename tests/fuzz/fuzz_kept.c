/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: any bytes as a file of a session and as the settings are read, or refused with a reason; what was read is
 * written and read back the same.
 */
#include "core/document/session.h"
#include "core/base/settings.h"
#include "tests/fuzz/support.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void
try_session (const char *bytes, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) images = session_parse (bytes, size, &error), again = NULL;
  if (!images == !error)
    g_error ("images and an error, or neither");
  if (!images || !images->len)
    return;
  g_autofree char *once = session_format (images), *twice = NULL;
  again = session_parse (once, strlen (once), &error);
  if (!again || again->len != images->len)
    g_error ("not read back: %s", once);
  twice = session_format (again);
  if (strcmp (once, twice))
    g_error ("%s is read back as %s", once, twice);
}

static void
try_settings (const guint8 *bytes, gsize size)
{
  int fd = memfd_create ("fuzz", MFD_CLOEXEC);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  if (fd < 0 || write (fd, bytes, size) != (gssize) size)
    g_error ("no file for the bytes");
  g_autoptr (Settings) settings = settings_new (path);
  g_autofree char *theme = settings_get (settings, "Window", "theme");
  if (settings_fault (settings) && theme)
    g_error ("a fault and a value");
  if (theme && !g_utf8_validate (theme, -1, NULL))
    g_error ("a value is not text");
  close (fd);
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, gsize size)
{
  g_autofree char *text = g_strndup ((const char *) bytes, size);
  g_autofree char *whole = g_memdup2 (bytes, size ? size : 1);
  try_session (size ? whole : text, size);
  try_settings (bytes, size);
  return 0;
}
