/* SPDX-License-Identifier: MIT
 *
 * libarchive without the format xar, which needs libxml2 and with it 30 MB of ICU. Fovea reads and writes zip.
 */
#include <archive.h>

int
archive_read_support_format_xar (struct archive *archive)
{
  (void) archive;
  return ARCHIVE_FATAL;
}

int
archive_write_set_format_xar (struct archive *archive)
{
  (void) archive;
  return ARCHIVE_FATAL;
}
