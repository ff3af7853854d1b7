/* SPDX-License-Identifier: MIT
 *
 * While several images are open variables hold their ids; one that was open before the first line is known by its title.
 */
#include "core/document/record.h"

#include "core/base/text.h"
#include "core/files/formats.h"
#include "core/files/raw.h"
#include "core/recipe/macro_text.h"

#include <string.h>

typedef struct {
  gconstpointer id;  /* NULL when it is closed */
  char *path, *name; /* path: NULL when it is of no file */
  gboolean created;  /* out of nothing */
  guint number;      /* in the file, from 0 */
  Recipe *recipe;
  GString *outputs;   /* options for what these steps made and was saved, */
  char *options;      /* and how the images were; NULL: none was */
  GPtrArray *figures; /* arguments of the command for those that were made of them */
  gboolean worked;    /* something of it is in the lines */
  guint variable;     /* the number of the one that holds its id in the lines; 0: none does */
} Item;

typedef struct {
  char *text;             /* NULL: of the recipes, not computed yet */
  Recipe *before, *after; /* or NULL */
  gconstpointer id;       /* of the image that was measured; NULL: none was */
  guint request;
} Line;

/* The subject of the last line, which the next one may replace. */
typedef enum { OTHER, STEPS, POSITION, LIMITS, STRETCH, LUT, SELECTION } LineKind;

struct Record {
  const Modules *modules;
  GPtrArray *lines, *items;
  Item *current;
  Item *last; /* whose steps the last line with steps is about */
  LineKind kind;
  guint variables;
  char *device;
};

static void
item_free (gpointer data)
{
  Item *item = data;
  g_free (item->path);
  g_free (item->name);
  recipe_unref (item->recipe);
  g_string_free (item->outputs, TRUE);
  g_ptr_array_unref (item->figures);
  g_free (item->options);
  g_free (item);
}

static void
forget_outputs (Item *item)
{
  g_string_truncate (item->outputs, 0);
  g_clear_pointer (&item->options, g_free);
  g_ptr_array_set_size (item->figures, 0);
}

static void
line_free (gpointer data)
{
  Line *line = data;
  g_free (line->text);
  recipe_unref (line->before);
  recipe_unref (line->after);
  g_free (line);
}

Record *
record_new (const Modules *modules)
{
  Record *r = g_new0 (Record, 1);
  r->modules = modules;
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

/* Takes the text, and the recipes. */
static void
add (Record *r, char *text, Recipe *before, Recipe *after)
{
  Line *line = g_new (Line, 1);
  *line = (Line){.text = text, .before = before, .after = after};
  g_ptr_array_add (r->lines, line);
  r->kind = OTHER;
}

static void add_text (Record *r, const char *format, ...) G_GNUC_PRINTF (2, 3);
static void
add_text (Record *r, const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  add (r, g_strdup_vprintf (format, ap), NULL, NULL);
  va_end (ap);
}

/* COMMAND("TEXT"); */
static void
add_call (Record *r, const char *function, const char *text)
{
  g_autofree char *string = macro_text_string (text);
  add_text (r, "%s(%s);", function, string);
}

/* run("COMMAND", "KEY=VALUE"); */
static void
add_run (Record *r, const char *command, const char *key, const char *value)
{
  g_autoptr (GString) arguments = g_string_new (NULL);
  macro_text_append (arguments, key, value);
  add (r, macro_text_run (command, arguments->str), NULL, NULL);
}

/* ---- Which image ---- */

/* The number of open images with its name. *index: its position among all open images, from 1. */
static guint
same_names (const Record *r, const Item *item, guint *index)
{
  guint same = 0, open = 0;
  for (guint i = 0; i < r->items->len; i++) {
    const Item *other = r->items->pdata[i];
    open += other->id != NULL;
    same += other->id && !strcmp (other->name, item->name);
    if (other == item)
      *index = open;
  }
  return same;
}

/* The next line is about that image. */
static void
turn_to (Record *r, Item *item)
{
  guint index = 0;
  if (r->current != item && item->variable)
    add_text (r, "selectImage(image%u);", item->variable);
  else if (r->current != item && same_names (r, item, &index) > 1)
    add_text (r, "selectImage(%u);", index);
  else if (r->current != item)
    add_call (r, "selectWindow", item->name);
  r->current = item;
  item->worked = TRUE;
}

/* From now on a variable holds its id. */
static void
give_variable (Record *r, Item *item)
{
  item->variable = ++r->variables;
  add_text (r, "image%u = getImageID();", item->variable);
}

static guint
count_open (const Record *r)
{
  guint n = 0;
  for (guint i = 0; i < r->items->len; i++)
    n += ((Item *) r->items->pdata[i])->id != NULL;
  return n;
}

/* open("PATH"); or open("PATH", N); or open("PATH", "WHAT ITS PIXELS ARE"); of an image that is of no file what makes it, or chooses it, should it be open. */
static void
add_open (Record *r, const Item *item)
{
  g_autofree char *raw = item->path ? files_raw_of (item->path) : NULL;
  if (item->created)
    add_text (r, "newImage();");
  else if (!item->path)
    add_call (r, "selectWindow", item->name);
  else if (raw) {
    g_autofree char *path = macro_text_string (item->path), *pixels = macro_text_string (raw);
    add_text (r, "open(%s, %s);", path, pixels);
  } else if (!item->number)
    add_call (r, "open", item->path);
  else {
    g_autofree char *path = macro_text_string (item->path);
    add_text (r, "open(%s, %u);", path, item->number + 1);
  }
}

/* One image alone needs no name. */
void
record_opened (Record *r, gconstpointer id, const char *path, const ImageInfo *info)
{
  gboolean several = count_open (r) > 0;
  Item *item = g_new0 (Item, 1);
  if (several && r->current && !r->current->variable)
    give_variable (r, r->current);
  item->id = id;
  item->path = g_strdup (path);
  item->name = g_strdup (info->name);
  item->created = info == image_info (run_nothing ());
  item->number = info->number;
  item->recipe = recipe_new ();
  item->outputs = g_string_new (NULL);
  item->figures = g_ptr_array_new_with_free_func (g_free);
  item->worked = TRUE;
  g_ptr_array_add (r->items, item);
  add_open (r, item);
  r->current = item;
  if (several)
    give_variable (r, item);
}

void
record_closed (Record *r, gconstpointer id)
{
  Item *item = item_of (r, id);
  turn_to (r, item);
  add_text (r, "close();");
  item->id = r->current = NULL;
}

/* ---- What was done to it ---- */

/* Its item; the new line replaces the last one if that has the same kind and subject. */
static Item *
begin (Record *r, gconstpointer id, LineKind kind)
{
  Item *item = item_of (r, id);
  gboolean repeats = kind != OTHER && r->kind == kind && r->current == item;
  turn_to (r, item);
  if (repeats)
    g_ptr_array_set_size (r->lines, (gint) r->lines->len - 1);
  return item;
}

void
record_steps (Record *r, gconstpointer id, DocumentChange change, const Recipe *recipe)
{
  Item *item = item_of (r, id);
  g_autoptr (Recipe) before = recipe_ref (item->recipe);
  if (change == DOCUMENT_MERGED && r->kind == STEPS && r->current == item) {
    recipe_unref (before);
    before = recipe_ref (((Line *) r->lines->pdata[r->lines->len - 1])->before);
    g_ptr_array_set_size (r->lines, (gint) r->lines->len - 1);
  }
  turn_to (r, item);
  recipe_unref (item->recipe);
  item->recipe = recipe_ref (recipe);
  forget_outputs (item);
  r->last = item;
  add (r, NULL, g_steal_pointer (&before), recipe_ref (recipe));
  r->kind = change == DOCUMENT_UNDONE || change == DOCUMENT_REDONE ? OTHER : STEPS;
}

void
record_position (Record *r, gconstpointer id, PlanePosition position)
{
  begin (r, id, POSITION);
  add_text (r, "Stack.setPosition(%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ");",
            position.channel + 1, position.slice + 1, position.frame + 1);
  r->kind = POSITION;
}

/* setStretch("WORD"); with a and gamma where these are not as usual. */
static void
add_stretch (Record *r, const ViewChannel *look)
{
  g_autofree char *a = text_from_number (look->a), *gamma = text_from_number (look->gamma);
  const char *word = stretch_word (look->stretch);
  if (look->gamma != 1)
    add_text (r, "setStretch(\"%s\", %s, %s);", word, a, gamma);
  else if (look->a > 0)
    add_text (r, "setStretch(\"%s\", %s);", word, a);
  else
    add_text (r, "setStretch(\"%s\");", word);
}

void
record_look (Record *r, gconstpointer id, const ViewChannel *before, const ViewChannel *now)
{
  g_autofree char *low = text_from_number (now->low), *high = text_from_number (now->high);
  if (now->automatic != before->automatic || now->zscale != before->zscale
      || (!now->automatic && (now->low != before->low || now->high != before->high))) {
    begin (r, id, LIMITS);
    if (now->automatic)
      add_text (r, "resetMinAndMax();");
    else
      add_text (r, "setMinAndMax(%s, %s);", low, high);
    r->kind = LIMITS;
  }
  if (now->stretch != before->stretch || now->a != before->a || now->gamma != before->gamma) {
    begin (r, id, STRETCH);
    add_stretch (r, now);
    r->kind = STRETCH;
  }
  if (strcmp (now->lut, before->lut)) {
    const char *theirs = luts_in_imagej (now->lut);
    begin (r, id, LUT);
    if (theirs)
      add (r, macro_text_run (theirs, ""), NULL, NULL);
    else
      add_text (r, "run(\"LUT... \", \"open=%s\");", *now->lut ? now->lut : "default");
    r->kind = LUT;
  }
}

void
record_selection (Record *r, gconstpointer id, const Selection *selection)
{
  begin (r, id, SELECTION);
  add (r, selection ? selection_macro_line (selection) : macro_text_run ("Select None", ""), NULL, NULL);
  r->kind = SELECTION;
}

void
record_measured (Record *r, gconstpointer id, guint step, gboolean kept, guint request)
{
  Item *item = begin (r, id, OTHER);
  gboolean last = step >= recipe_length (item->recipe);
  if (kept && last)
    add_text (r, "roiManager(\"measure\");");
  else if (kept)
    add_text (r, "roiManager(\"measure\", %u);", step);
  else if (last)
    add (r, macro_text_run ("Measure", ""), NULL, NULL);
  else
    add_text (r, "run(\"Measure\", \"step=%u\");", step);
  Line *line = r->lines->pdata[r->lines->len - 1];
  line->id = id;
  line->request = request;
}

void
record_vain (Record *r, gconstpointer id, guint request)
{
  for (guint i = r->lines->len; i-- > 0;) {
    const Line *line = r->lines->pdata[i];
    if (line->id == id && line->request == request)
      g_ptr_array_remove_index (r->lines, i);
  }
}

void
record_measured_cleared (Record *r, gconstpointer id)
{
  begin (r, id, OTHER);
  add (r, macro_text_run ("Clear Results", ""), NULL, NULL);
}

void
record_kept (Record *r, gconstpointer id, const char *command, const char *text)
{
  g_autofree char *string = text ? macro_text_string (text) : NULL;
  begin (r, id, OTHER);
  add_text (r, string ? "roiManager(\"%s\", %s);" : "roiManager(\"%s\");", command, string);
}

void
record_chosen (Record *r, gconstpointer id, guint i)
{
  begin (r, id, OTHER);
  add_text (r, "roiManager(\"select\", %u);", i);
}

void
record_device (Record *r, const char *key)
{
  if (!strcmp (key, r->device)) /* it is called for all images, one after the other */
    return;
  g_free (r->device);
  r->device = g_strdup (key);
  add_run (r, "Set Device...", "device", key);
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

/* " --tile 256 --pyramid" as " tile=256 pyramid=yes". */
static void
append_options (GString *arguments, const char *options)
{
  g_auto (GStrv) words = g_strsplit (options, " --", -1);
  for (char **word = words; *word; word++)
    if (**word) {
      char *blank = strchr (*word, ' ');
      g_autofree char *key = g_strndup (*word, blank ? (gsize) (blank - *word) : strlen (*word));
      macro_text_append (arguments, key, blank ? blank + 1 : "yes");
    }
}

/* saveAs("KIND", "PATH"); */
static void
add_save (Record *r, const char *kind, const char *path)
{
  g_autofree char *string = macro_text_string (path);
  add_text (r, "saveAs(\"%s\", %s);", kind, string);
}

/* As saveAs() calls the format of such a file; NULL: it does not know it. */
static const char *
kind_of (const char *path)
{
  const FileFormat *format = formats_of_output (path);
  return format ? format->macro : "Tiff";
}

static void
add_image (Record *r, const char *path, const char *options)
{
  g_autoptr (GString) arguments = g_string_new (NULL);
  macro_text_append (arguments, "path", path);
  append_options (arguments, options);
  const char *kind = kind_of (path);
  if (*options || !kind)
    add (r, macro_text_run ("Save...", arguments->str), NULL, NULL);
  else
    add_save (r, kind, path);
}

static void
add_table (Record *r, gboolean measured, const char *path, const char *options)
{
  g_autoptr (GString) arguments = g_string_new (NULL);
  macro_text_append (arguments, "path", path);
  if (measured)
    macro_text_append (arguments, "table", "measurements");
  g_string_append_printf (arguments, " %s", options);
  if (*options)
    add (r, macro_text_run ("Save Results...", arguments->str), NULL, NULL);
  else
    add_save (r, measured ? "Measurements" : "Results", path);
}

/* run("Export Figure...", "path=FILE NAME=VALUE ..."); and the same for the command. */
static void
add_figure (Record *r, Item *item, const char *path, const char *options)
{
  g_auto (GStrv) words = text_words (options, NULL);
  g_autoptr (GString) arguments = g_string_new (NULL);
  GString *command = g_string_new (NULL);
  g_autofree char *quoted = quote_path (path);
  macro_text_append (arguments, "path", path);
  g_string_append (command, quoted);
  for (char **word = words; word && *word; word++) {
    const char *equals = strchr (*word, '=');
    g_autofree char *key = g_strndup (*word, (gsize) (equals - *word)), *shell = g_shell_quote (*word);
    macro_text_append (arguments, key, equals + 1);
    g_string_append_printf (command, " %s", shell);
  }
  add (r, macro_text_run ("Export Figure...", arguments->str), NULL, NULL);
  g_ptr_array_add (item->figures, g_string_free (command, FALSE));
}

void
record_saved (Record *r, gconstpointer id, const char *verb, const char *path, const char *options)
{
  Item *item = begin (r, id, OTHER);
  g_autofree char *quoted = quote_path (path);
  if (!strcmp (verb, "save-steps"))
    add_run (r, "Save Steps...", "path", path);
  else if (!strcmp (verb, "figure"))
    add_figure (r, item, path, options);
  else if (g_str_has_prefix (verb, "export"))
    add_table (r, !strcmp (verb, "export-measured"), path, options);
  else
    add_image (r, path, options);
  if (!strcmp (verb, "save")) {
    g_string_append_printf (item->outputs, " -o %s", quoted);
    add_options (item, options);
  } else if (!strcmp (verb, "export") && !*options)
    g_string_append_printf (item->outputs, " -t %s", quoted);
}

void
record_clear (Record *r)
{
  g_ptr_array_set_size (r->lines, 0);
  for (guint i = r->items->len; i-- > 0;) {
    Item *item = r->items->pdata[i];
    item->worked = FALSE;
    item->variable = 0;
    forget_outputs (item);
    if (!item->id)
      g_ptr_array_remove_index (r->items, i);
  }
  r->current = r->last = NULL;
  r->kind = OTHER;
  r->variables = 0;
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
    line->text = macro_text_change (r->modules, line->before, line->after);
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

/* What all commands say of the image that they read. */
static void
append_input (GString *s, const Record *r, const Item *item)
{
  if (item->number)
    g_string_append_printf (s, " --series %u", item->number);
  if (strcmp (r->device, "auto"))
    g_string_append_printf (s, " -d %s", r->device);
}

static void
append_commands (GString *s, const Record *r, const Item *item)
{
  g_autofree char *text = recipe_format (item->recipe), *steps = g_shell_quote (text),
                  *path = item->created ? NULL : quote_path (item->path);
  const gboolean any = recipe_length (item->recipe) > 0;
  if (any) {
    g_string_append_printf (s, "%sfovea run %s%s%s%s%s", s->len ? "\n" : "", steps, path ? " " : "", path ? path : "",
                            item->outputs->str, item->options ? item->options : "");
    append_input (s, r, item);
  }
  for (guint i = 0; path && i < item->figures->len; i++) {
    g_string_append_printf (s, "%sfovea figure %s %s%s%s", s->len ? "\n" : "", path,
                            (const char *) item->figures->pdata[i], any ? " -s " : "", any ? steps : "");
    append_input (s, r, item);
  }
}

char *
record_command (const Record *r)
{
  GString *s = g_string_new (NULL);
  for (guint i = 0; i < r->items->len; i++) {
    const Item *item = r->items->pdata[i];
    if ((item->path || item->created) && item->worked)
      append_commands (s, r, item);
  }
  return g_string_free (s, s->len == 0);
}
