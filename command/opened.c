/* SPDX-License-Identifier: MIT
 */
#include "command/opened.h"

#include "command/print.h"
#include "command/streams.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

char *opened_raw;

gboolean
opened_is_no_path (const char *name)
{
  return strstr (name, "://") || strchr (name, '{') || strstr (name, "(?P<");
}

gboolean
opened_exist (const char *const *inputs, GError **error)
{
  g_autoptr (fovea_error) fault = NULL;
  if (opened_raw && fovea_file_can_be_raw (opened_raw, &fault)) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--%s", fovea_error_message (fault));
    return FALSE;
  }
  for (; *inputs; inputs++) {
    GStatBuf about;
    if (!strcmp (*inputs, "-") || opened_is_no_path (*inputs) || !g_stat (*inputs, &about)
        || (errno != ENOENT && errno != ENOTDIR))
      continue;
    char *name = fovea_text_from_bytes (*inputs, NULL);
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "'%s' does not exist.", name);
    fovea_text_free (name);
    return FALSE;
  }
  return TRUE;
}

gboolean
opened_series_is_right (int series)
{
  return series >= 0 || series == SERIES_NOT_CHOSEN;
}

/* That the image is not all of the file. */
static void
say_rest (const fovea_file *file, const char *path, int series)
{
  const unsigned count = fovea_file_count (file);
  const char *left_out = fovea_file_left_out (file);
  if (count > 1 && series == SERIES_NOT_CHOSEN)
    print_note ("'%s' has %u images; image 0 was opened (--series N opens another)%s%s.", path, count,
                left_out ? "; left out: " : "", left_out ? left_out : "");
  else if (left_out)
    print_note ("Omitted from '%s': %s.", path, left_out);
}

fovea_file *
opened_file (fovea_context *context, const char *argument, fovea_error **error)
{
  const char *path = streams_input (argument, error);
  return path ? fovea_file_open_raw (context, path, opened_raw, error) : NULL;
}

char *
opened_progress (const fovea_task *task)
{
  const uint64_t fetched = fovea_task_fetched (task);
  g_autofree char *size = g_format_size_full (fetched, G_FORMAT_SIZE_IEC_UNITS);
  return fetched ? g_strdup_printf ("reading, %s", size) : g_strdup ("opening");
}

fovea_image *
opened_image (fovea_context *context, const char *path, int series, fovea_error **error)
{
  g_autoptr (fovea_file) file = opened_file (context, path, error);
  fovea_image *image = file ? fovea_file_image (file, series < 0 ? 0 : (unsigned) series, error) : NULL;
  if (image)
    say_rest (file, path, series);
  return image;
}
