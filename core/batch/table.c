/* SPDX-License-Identifier: MIT
 *
 * The file is looked through twice: for its columns and how many rows there are, and for the values. Texts are numbered as they come, and
 * put in order at the end.
 */
#include "core/batch/table.h"

#include "core/base/error.h"
#include "core/base/file_read.h"
#include "core/base/host_memory.h"
#include "core/base/progress.h"
#include "core/base/text.h"
#include "core/batch/folder.h"
#include "core/data/csv.h"

#include <math.h>
#include <string.h>

typedef struct {
  char *key, *unit;        /* of "area (µm²)" */
  const TableColumn *like; /* NULL: there is none of that name */
  gboolean texts, broken;  /* broken: it has a field that is not a number */
  gboolean some, whole;    /* it has numbers; all of them are integers */
  GHashTable *numbers;     /* text -> its number, as they came */
  GPtrArray *list;         /* the same texts, by number */
} Column;

typedef struct {
  const char *path;
  gboolean raw;           /* texts have no apostrophes in front */
  const GPtrArray *texts; /* names of columns that hold texts; NULL: "file" alone */
  char *bytes;
  const char *rows, *end;
  GArray *columns; /* Column */
  gint64 n_rows;
  double *values;
} Reading;

static void
column_clear (gpointer data)
{
  Column *c = data;
  g_free (c->key);
  g_free (c->unit);
  g_clear_pointer (&c->numbers, g_hash_table_unref);
  g_clear_pointer (&c->list, g_ptr_array_unref);
}

static Column *
column_at (const Reading *r, guint j)
{
  return &g_array_index (r->columns, Column, j);
}

/* ---- Columns ---- */

static Column
column_of (const Reading *r, const char *header, const Table *like)
{
  const char *open = g_str_has_suffix (header, ")") ? strstr (header, " (") : NULL;
  Column c = {.key = open ? g_strndup (header, (gsize) (open - header)) : g_strdup (header),
              .unit = open ? g_strndup (open + 2, strlen (open + 2) - 1) : g_strdup ("")};
  c.like = like ? table_find (like, c.key) : NULL;
  c.whole = TRUE;
  c.texts = c.like     ? c.like->type == FV_COLUMN_TEXT
            : r->texts ? g_ptr_array_find_with_equal_func ((GPtrArray *) r->texts, header, g_str_equal, NULL)
                       : !strcmp (header, "file");
  return c;
}

static void
plain_text (const Reading *r, GString *field)
{
  if (!r->raw)
    csv_plain_text (field);
}

/* Goes through all fields behind the header. */
static gboolean
each_field (Reading *r, void (*use) (Reading *r, guint j, gint64 row, const char *text), GError **error)
{
  g_autoptr (GString) field = g_string_new (NULL);
  const char *at = r->rows;
  gint64 row = 0;
  for (; at < r->end; row++) {
    gboolean last = FALSE;
    for (guint j = 0; !last; j++) {
      last = csv_next_field (&at, r->end, field);
      plain_text (r, field);
      if (j >= r->columns->len || (last && j + 1 < r->columns->len))
        return file_fail (error, FILE_ERROR_FORMAT, r->path,
                          "is not the table of a batch: its rows do not have as many fields as there are columns.");
      use (r, j, row, field->str);
    }
    if (!(row % 1000) && progress_stopped (error))
      return FALSE;
  }
  r->n_rows = row;
  return TRUE;
}

static void
look (Reading *r, guint j, gint64 row, const char *text)
{
  Column *c = column_at (r, j);
  double number;
  (void) row;
  c->broken = c->broken || (!c->texts && *text && !text_to_number_or_infinity (text, &number));
  c->some = c->some || *text;
  c->whole =
    c->whole && strspn (text + (*text == '-'), "0123456789") == strlen (text + (*text == '-')) && strcmp (text, "-0");
}

/* ---- Values ---- */

static double
number_of_text (Column *c, const char *text)
{
  gpointer number;
  if (g_hash_table_lookup_extended (c->numbers, text, NULL, &number))
    return GPOINTER_TO_UINT (number);
  g_ptr_array_add (c->list, g_strdup (text));
  g_hash_table_insert (c->numbers, c->list->pdata[c->list->len - 1], GUINT_TO_POINTER (c->list->len - 1));
  return c->list->len - 1;
}

static void
take (Reading *r, guint j, gint64 row, const char *text)
{
  Column *c = column_at (r, j);
  double *value = &r->values[(gint64) j * r->n_rows + row];
  if (c->texts)
    *value = number_of_text (c, text);
  else if (!*text)
    *value = NAN;
  else
    text_to_number_or_infinity (text, value);
}

static int
by_text (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* The texts in order, and values that say where in it each is. */
static GPtrArray *
sort_texts (const Reading *r, guint j)
{
  const Column *c = column_at (r, j);
  GPtrArray *sorted = g_ptr_array_new_full (c->list->len, g_free);
  g_autofree double *ranks = g_new (double, MAX (1, c->list->len));
  double *values = &r->values[(gint64) j * r->n_rows];
  for (guint i = 0; i < c->list->len; i++)
    g_ptr_array_add (sorted, g_strdup (c->list->pdata[i]));
  g_ptr_array_sort (sorted, by_text);
  for (guint i = 0; i < sorted->len; i++)
    ranks[GPOINTER_TO_UINT (g_hash_table_lookup (c->numbers, sorted->pdata[i]))] = i;
  for (gint64 i = 0; i < r->n_rows; i++)
    values[i] = ranks[(guint) values[i]];
  return sorted;
}

/* ---- All ---- */

static gboolean
load (Reading *r, GError **error)
{
  gsize n;
  if (!(r->bytes = file_read_small (r->path, 0, G_MAXSIZE - 1, &n, error)))
    return FALSE;
  r->rows = r->bytes;
  r->end = r->bytes + n;
  return n || file_fail (error, FILE_ERROR_FORMAT, r->path, "is empty.");
}

/* The same is there in two units: then these are parts of the names. */
static void
name_by_header (Column *c)
{
  char *header = *c->unit ? g_strdup_printf ("%s (%s)", c->key, c->unit) : g_strdup (c->key);
  g_free (c->key);
  c->key = header;
  *c->unit = 0;
}

static void
read_header (Reading *r, const Table *like)
{
  g_autoptr (GString) field = g_string_new (NULL);
  for (gboolean last = FALSE; !last;) {
    last = csv_next_field (&r->rows, r->end, field);
    plain_text (r, field);
    Column c = column_of (r, field->str, like);
    for (guint j = 0; j < r->columns->len; j++)
      if (!strcmp (column_at (r, j)->key, c.key)) {
        name_by_header (column_at (r, j));
        name_by_header (&c);
        break;
      }
    g_array_append_val (r->columns, c);
  }
}

static gboolean
make_room (Reading *r, GError **error)
{
  fv_error fault = FV_ERROR_INIT;
  gsize n = (gsize) r->n_rows * r->columns->len * sizeof (double);
  if (!host_memory_ask (n, &fault) && (r->values = g_try_malloc (MAX (1, n))))
    return TRUE;
  return file_fail (error, FILE_ERROR_OPEN, r->path,
                    "has %" G_GINT64_FORMAT " rows, too many for the memory of this machine.", r->n_rows);
}

/* Of integers where there is nothing like it: all numbers of what is to have types, which image of a file, and the field of a well. */
static fv_column_type
type_of (const Reading *r, const Column *c)
{
  if (c->texts)
    return FV_COLUMN_TEXT;
  if (c->like)
    return c->like->type;
  return (r->raw && c->some && c->whole) || !strcmp (c->key, "series")
             || (c->whole && c->some && !strcmp (c->key, BATCH_FIELD))
           ? FV_COLUMN_INTEGER
           : FV_COLUMN_FLOAT;
}

static Table *
make_table (Reading *r)
{
  Table *table = table_new ();
  for (guint j = 0; j < r->columns->len; j++) {
    const Column *c = column_at (r, j);
    table_add_column (table, c->key, c->unit, c->like ? c->like->help : "", type_of (r, c));
    table_name_imagej (table, c->like ? c->like->imagej : NULL);
    if (c->texts) {
      g_autoptr (GPtrArray) texts = sort_texts (r, j);
      table_set_texts (table, j, texts);
    }
  }
  table_take_rows (table, g_steal_pointer (&r->values), r->n_rows);
  return table;
}

static Table *
read_all (Reading *r, const Table *like, GError **error)
{
  if (!r->bytes && !load (r, error))
    return NULL;
  read_header (r, like);
  if (!each_field (r, look, error) || !make_room (r, error))
    return NULL;
  for (guint j = 0; j < r->columns->len; j++) {
    Column *c = column_at (r, j);
    c->texts = c->texts || c->broken;
    c->list = g_ptr_array_new_with_free_func (g_free);
    c->numbers = g_hash_table_new (g_str_hash, g_str_equal);
  }
  return each_field (r, take, error) ? make_table (r) : NULL;
}

static Table *
make (Reading *r, const Table *like, GError **error)
{
  r->columns = g_array_new (FALSE, FALSE, sizeof (Column));
  g_array_set_clear_func (r->columns, column_clear);
  Table *table = read_all (r, like, error);
  g_array_unref (r->columns);
  g_free (r->values);
  return table;
}

Table *
batch_table_read (const char *path, const Table *like, GError **error)
{
  Reading r = {.path = path};
  Table *table = make (&r, like, error);
  g_free (r.bytes);
  return table;
}

Table *
batch_table_of_lines (const GString *lines, const char *path, const GPtrArray *texts, GError **error)
{
  Reading r = {
    .path = path, .raw = TRUE, .texts = texts, .bytes = lines->str, .rows = lines->str, .end = lines->str + lines->len};
  return make (&r, NULL, error);
}
