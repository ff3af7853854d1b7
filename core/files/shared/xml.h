/* SPDX-License-Identifier: MIT
 *
 * How deep elements of XML may be nested in files of microscopes.
 */
#ifndef CORE_FILES_SHARED_XML_H
#define CORE_FILES_SHARED_XML_H

#include <glib.h>

/* Real files of ZEN have 65. A parser that keeps the open elements needs many times the bytes of a file that only opens them. */
enum { FILES_XML_DEEPEST = 4096 };

/* Counts an element that begins; FALSE with *error where it is too deep. */
static inline gboolean
files_xml_deeper (guint *depth, GError **error)
{
  if ((*depth)++ < FILES_XML_DEEPEST)
    return TRUE;
  g_set_error (error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT, "elements are nested more than %d times",
               FILES_XML_DEEPEST);
  return FALSE;
}

#endif
