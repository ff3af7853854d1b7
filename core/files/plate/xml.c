/* SPDX-License-Identifier: MIT
 */
#include "core/files/plate/xml.h"

#include "core/base/error.h"
#include "core/base/file_read.h"
#include "core/base/progress.h"
#include "core/base/text.h"
#include "core/files/shared/xml.h"

#include <math.h>
#include <string.h>

#define LARGEST ((gsize) 1 << 30)
enum { PIECE = 1 << 20 };

typedef struct {
  const PlateXmlHandler *handler;
  gpointer data;
  guint depth;   /* of what comes next */
  GString *text; /* of the innermost open element that has no more elements yet */
} Parser;

static const char *
local_name (const char *name)
{
  const char *colon = strrchr (name, ':');
  return colon ? colon + 1 : name;
}

static void
on_start (GMarkupParseContext *context, const char *element, const char **names, const char **values, gpointer data,
          GError **error)
{
  Parser *p = data;
  const PlateXmlAttributes attributes = {names, values};
  (void) context;
  g_string_truncate (p->text, 0);
  if (files_xml_deeper (&p->depth, error) && p->handler->start)
    p->handler->start (p->data, local_name (element), p->depth - 1, &attributes, error);
}

static void
on_end (GMarkupParseContext *context, const char *element, gpointer data, GError **error)
{
  Parser *p = data;
  (void) context;
  p->depth--;
  if (p->handler->end) {
    g_autofree char *text = g_strstrip (g_strdup (p->text->str));
    p->handler->end (p->data, local_name (element), p->depth, text, error);
  }
  g_string_truncate (p->text, 0);
}

static void
on_text (GMarkupParseContext *context, const char *text, gsize n, gpointer data, GError **error)
{
  Parser *p = data;
  (void) context, (void) error;
  g_string_append_len (p->text, text, (gssize) n);
}

static gboolean
parse (GMarkupParseContext *context, const char *text, gsize n, GError **error)
{
  for (gsize at = 0; at < n; at += PIECE)
    if (progress_stopped (error)
        || !g_markup_parse_context_parse (context, text + at, (gssize) MIN (n - at, PIECE), error))
      return FALSE;
  return g_markup_parse_context_end_parse (context, error);
}

gboolean
plate_xml_parse_text (const char *path, const char *text, gsize n, const PlateXmlHandler *handler, gpointer data,
                      GError **error)
{
  static const GMarkupParser callbacks = {on_start, on_end, on_text, NULL, NULL};
  g_autofree char *converted = g_utf8_validate (text, (gssize) n, NULL)
                                 ? NULL
                                 : g_convert (text, (gssize) n, "UTF-8", "ISO-8859-1", NULL, &n, NULL);
  const char *from = converted ? converted : text, *first = memchr (from, '<', n);
  Parser parser = {.handler = handler, .data = data, .text = g_string_new (NULL)};
  GMarkupParseContext *context = g_markup_parse_context_new (&callbacks, 0, &parser, NULL);
  GError *fault = NULL;
  const gboolean done = parse (context, first ? first : "", first ? n - (gsize) (first - from) : 0, &fault);
  if (fault && (fault->domain == FILE_ERROR || step_error_is_cancelled (fault)))
    g_propagate_error (error, g_steal_pointer (&fault));
  else if (fault)
    file_fail (error, FILE_ERROR_DAMAGED, path, "is damaged: %s.", fault->message);
  g_clear_error (&fault);
  g_markup_parse_context_free (context);
  g_string_free (parser.text, TRUE);
  return done;
}

gboolean
plate_xml_parse (const char *path, const PlateXmlHandler *handler, gpointer data, GError **error)
{
  gsize n;
  g_autofree char *text = file_read_small (path, 0, LARGEST, &n, error);
  return text && plate_xml_parse_text (path, text, n, handler, data, error);
}

const char *
plate_xml_attribute (const PlateXmlAttributes *attributes, const char *name)
{
  for (guint i = 0; attributes->names[i]; i++)
    if (!strcmp (local_name (attributes->names[i]), name))
      return attributes->values[i];
  return NULL;
}

gint64
plate_xml_integer (const char *text, gint64 otherwise)
{
  gint64 value;
  return text && g_ascii_string_to_signed (text, 10, G_MININT32, G_MAXINT32, &value, NULL) ? value : otherwise;
}

double
plate_xml_number (const char *text)
{
  double value;
  return text && text_to_number (text, &value) ? value : NAN;
}

gboolean
plate_xml_begins (const guint8 *head, gsize n, const char *element)
{
  g_autofree char *text = g_strndup ((const char *) head, n);
  const char *at = text + strspn (text, "\357\273\277 \t\r\n");
  if (*at != '<')
    return FALSE;
  for (; (at = strstr (at, element)); at++)
    if (at > text && (at[-1] == '<' || at[-1] == ':'))
      return TRUE;
  return FALSE;
}
