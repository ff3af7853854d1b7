/* SPDX-License-Identifier: MIT
 *
 * A line about another image than the line before is preceded by one that says which.
 */
#include "core/document/record.h"

#include "core/base/text.h"

#include <string.h>

typedef struct {
  gconstpointer id; /* NULL when it is closed */
  char *path;
  Recipe *recipe;
  GString *outputs; /* options for what these steps made and was saved, */
  char *options;    /* and how the images were; NULL: none was */
  gboolean worked;  /* something of it is in the lines */
} Item;

typedef struct {
  char *text;     /* NULL: of the recipe, and nobody has asked */
  Recipe *recipe; /* or NULL */
} Line;

struct Record {
  GPtrArray *lines, *items;
  Item *current;
  Item *last;       /* whose steps the last line with steps is about */
  gboolean gesture; /* the last line is of steps, and may be replaced by the next in the same gesture */
  char *device;
};

static void
item_free (gpointer data)
{
  Item *item = data;
  g_free (item->path);
  recipe_unref (item->recipe);
  g_string_free (item->outputs, TRUE);
  g_free (item->options);
  g_free (item);
}

static void
forget_outputs (Item *item)
{
  g_string_truncate (item->outputs, 0);
  g_clear_pointer (&item->options, g_free);
}

static void
line_free (gpointer data)
{
  Line *line = data;
  g_free (line->text);
  recipe_unref (line->recipe);
  g_free (line);
}

Record *
record_new (void)
{
  Record *r = g_new0 (Record, 1);
  r->lines = g_ptr_array_new_with_free_func (line_free);
  r->items = g_ptr_array_new_with_free_func (item_free);
  r->device = g_strdup ("auto");
  return r;
}

void
record_free (Record *r)
{
  g_ptr_array_unref (r->lines);
  g_ptr_array_unref (r->items);
  g_free (r->device);
  g_free (r);
}

static Item *
item_of (const Record *r, gconstpointer id)
{
  for (guint i = 0; i < r->items->len; i++)
    if (((Item *) r->items->pdata[i])->id == id)
      return r->items->pdata[i];
  return NULL;
}

/* A path as a word of a command: one that is not UTF-8 cannot be shown and copied as it is, but shells know $'\xff'. */
static char *
quote_path (const char *path)
{
  g_autofree char *text = NULL;
  GString *s;
  if (g_utf8_validate (path, -1, NULL))
    return g_shell_quote (path);
  s = g_string_new (path);
  g_string_replace (s, "\\", "\\\\", 0);
  g_string_replace (s, "'", "\\'", 0);
  text = text_from_bytes (s->str);
  g_string_printf (s, "$'%s'", text);
  return g_string_free (s, FALSE);
}

/* Takes the text. */
static void
add (Record *r, char *text, const Recipe *recipe)
{
  Line *line = g_new (Line, 1);
  *line = (Line){text, recipe ? recipe_ref (recipe) : NULL};
  g_ptr_array_add (r->lines, line);
  r->gesture = FALSE;
}

/* VERB "ARGUMENT" */
static void
add_line (Record *r, const char *verb, const char *argument)
{
  g_autofree char *text = argument ? text_from_bytes (argument) : NULL, *quoted = text ? text_quote (text) : NULL;
  add (r, quoted ? g_strdup_printf ("%s %s", verb, quoted) : g_strdup (verb), NULL);
}

static void
turn_to (Record *r, Item *item)
{
  if (r->current != item)
    add_line (r, "select", item->path);
  r->current = item;
  item->worked = TRUE;
}

void
record_opened (Record *r, gconstpointer id, const char *path)
{
  Item *item = g_new (Item, 1);
  *item = (Item){id, g_strdup (path ? path : "image"), recipe_new (), g_string_new (NULL), NULL, TRUE};
  g_ptr_array_add (r->items, item);
  add_line (r, "open", item->path);
  r->current = item;
}

void
record_closed (Record *r, gconstpointer id)
{
  Item *item = item_of (r, id);
  turn_to (r, item);
  add_line (r, "close", NULL);
  item->id = r->current = NULL;
}

void
record_steps (Record *r, gconstpointer id, DocumentChange change, const Recipe *recipe)
{
  Item *item = item_of (r, id);
  gboolean again = r->gesture && r->current == item && change == DOCUMENT_MERGED;
  turn_to (r, item);
  recipe_unref (item->recipe);
  item->recipe = recipe_ref (recipe);
  forget_outputs (item);
  r->last = item;
  if (change == DOCUMENT_UNDONE || change == DOCUMENT_REDONE) {
    add_line (r, change == DOCUMENT_UNDONE ? "undo" : "redo", NULL);
    return;
  }
  if (again)
    g_ptr_array_set_size (r->lines, (gint) r->lines->len - 1);
  add (r, recipe_length (recipe) ? NULL : g_strdup ("no-steps"), recipe);
  r->gesture = TRUE;
}

void
record_device (Record *r, const char *key)
{
  if (!strcmp (key, r->device)) /* all images are told, one after the other */
    return;
  g_free (r->device);
  r->device = g_strdup (key);
  add_line (r, "device", key);
}

/* The command writes all images in one way: where they were saved in several, as it does by itself. */
static void
add_options (Item *item, const char *options)
{
  if (!item->options)
    item->options = g_strdup (options);
  else if (strcmp (item->options, options))
    *item->options = 0;
}

void
record_saved (Record *r, gconstpointer id, const char *verb, const char *path, const char *options)
{
  Item *item = item_of (r, id);
  g_autofree char *quoted = quote_path (path);
  turn_to (r, item);
  add_line (r, verb, path);
  if (!strcmp (verb, "save")) {
    g_string_append_printf (item->outputs, " -o %s", quoted);
    add_options (item, options);
  } else if (!strcmp (verb, "export"))
    g_string_append_printf (item->outputs, " -t %s", quoted);
}

void
record_clear (Record *r)
{
  g_ptr_array_set_size (r->lines, 0);
  for (guint i = r->items->len; i-- > 0;) {
    Item *item = r->items->pdata[i];
    item->worked = FALSE;
    forget_outputs (item);
    if (!item->id)
      g_ptr_array_remove_index (r->items, i);
  }
  r->current = r->last = NULL;
  r->gesture = FALSE;
}

guint
record_length (const Record *r)
{
  return r->lines->len;
}

const char *
record_line (Record *r, guint i)
{
  Line *line = r->lines->pdata[i];
  if (!line->text)
    line->text = recipe_format (line->recipe);
  return line->text;
}

char *
record_text (Record *r)
{
  GString *s = g_string_new (NULL);
  for (guint i = 0; i < r->lines->len; i++)
    g_string_append_printf (s, "%s\n", record_line (r, i));
  return g_string_free (s, FALSE);
}

const Recipe *
record_final (const Record *r)
{
  return r->last ? r->last->recipe : NULL;
}

char *
record_command (const Record *r)
{
  GString *s = g_string_new (NULL);
  for (guint i = 0; i < r->items->len; i++) {
    const Item *item = r->items->pdata[i];
    if (!item->worked || !recipe_length (item->recipe))
      continue;
    g_autofree char *text = recipe_format (item->recipe), *steps = g_shell_quote (text),
                    *path = quote_path (item->path);
    g_string_append_printf (s, "%sfovea run %s %s%s%s", s->len ? "\n" : "", steps, path, item->outputs->str,
                            item->options ? item->options : "");
    if (strcmp (r->device, "auto"))
      g_string_append_printf (s, " -d %s", r->device);
  }
  return g_string_free (s, s->len == 0);
}
