/* SPDX-License-Identifier: MIT
 *
 * Base64 (RFC 4648) with blanks between its characters.
 */
#ifndef CORE_FILES_OME_BASE64_H
#define CORE_FILES_OME_BASE64_H

#include <glib.h>

/* Decodes n characters in place, up to the padding. FALSE: something else is among them. */
gboolean ome_base64_decode (guint8 *text, gsize n, gsize *bytes);

#endif
