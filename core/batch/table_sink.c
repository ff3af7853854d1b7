/* SPDX-License-Identifier: MIT
 */
#include "core/batch/table_sink.h"

#include "core/base/file_target.h"
#include "core/batch/table.h"
#include "core/files/tables.h"

#include <string.h>

struct TableSink {
  char *path;
  FileTarget *target; /* of text, else NULL */
  GString *lines;
};

TableSink *
table_sink_new (const char *path, CsvFormat *format, GError **error)
{
  if (!files_table_format (path, format, error))
    return NULL;
  const gboolean typed = files_table_is_typed (path);
  FileTarget *target = typed ? NULL : file_target_new (path, error);
  if (!typed && !target)
    return NULL;
  TableSink *sink = g_new (TableSink, 1);
  *sink = (TableSink){g_strdup (path), target, g_string_new (NULL)};
  if (typed)
    *format = (CsvFormat){',', TRUE, FALSE};
  const char *start = csv_start (*format);
  if (table_sink_write (sink, start, strlen (start), error))
    return sink;
  table_sink_abandon (sink);
  return NULL;
}

gboolean
table_sink_write (TableSink *sink, gconstpointer bytes, gsize n, GError **error)
{
  if (sink->target)
    return file_target_write (sink->target, bytes, n, error);
  g_string_append_len (sink->lines, bytes, (gssize) n);
  return TRUE;
}

gboolean
table_sink_commit (TableSink *sink, const GPtrArray *texts, GError **error)
{
  g_autoptr (TableSink) own = sink;
  if (own->target)
    return file_target_commit (g_steal_pointer (&own->target), error);
  g_autoptr (Table) table = batch_table_of_lines (own->lines, own->path, texts, error);
  return table && files_table_save (table, own->path, (CsvFormat){',', TRUE, FALSE}, NULL, error);
}

void
table_sink_abandon (TableSink *sink)
{
  if (!sink)
    return;
  if (sink->target)
    file_target_abandon (sink->target);
  g_string_free (sink->lines, TRUE);
  g_free (sink->path);
  g_free (sink);
}
