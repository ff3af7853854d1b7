/* SPDX-License-Identifier: MIT
 *
 * Indexes in XML, by GLib's parser: elements are known by their local names.
 */
#ifndef CORE_FILES_PLATE_XML_H
#define CORE_FILES_PLATE_XML_H

#include "core/base/file_error.h"

/* Attributes of an element that starts, by local names. */
typedef struct PlateXmlAttributes {
  const char **names, **values;
} PlateXmlAttributes;

/* depth: of the element, the root has 0. FALSE with *error ends the parsing. Either may be NULL. */
typedef struct PlateXmlHandler {
  gboolean (*start) (gpointer data, const char *name, guint depth, const PlateXmlAttributes *attributes,
                     GError **error);
  /* text: all of it directly in the element, without white space around it. */
  gboolean (*end) (gpointer data, const char *name, guint depth, const char *text, GError **error);
} PlateXmlHandler;

/* Reads a file of at most 1 GiB. FALSE with *error, which names it. */
gboolean plate_xml_parse (const char *path, const PlateXmlHandler *handler, gpointer data, GError **error);
/* The same of a text that the file has. */
gboolean plate_xml_parse_text (const char *path, const char *text, gsize n, const PlateXmlHandler *handler,
                               gpointer data, GError **error);
/* The value of an attribute, or NULL. */
const char *plate_xml_attribute (const PlateXmlAttributes *attributes, const char *name);
/* A text as an integer of 32 bits; `otherwise` when it is NULL or none. */
gint64 plate_xml_integer (const char *text, gint64 otherwise);
/* A text as a finite number; NaN when it is NULL or none. */
double plate_xml_number (const char *text);
/* Whether a file that begins so has an element of that name, with or without a prefix. */
gboolean plate_xml_begins (const guint8 *head, gsize n, const char *element);

#endif
