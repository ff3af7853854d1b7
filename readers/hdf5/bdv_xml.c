/* SPDX-License-Identifier: MIT
 */
#include "readers/hdf5/bdv_xml.h"

#include "readers/process/serve.h"

#include <string.h>

enum { MAX_BYTES = 64 << 20, MAX_SETUPS = 1 << 16 };

typedef struct {
  Hdf5Views *views;
  Hdf5Setup *setup;  /* that is read, or NULL */
  GString *text;     /* of the element */
  GString *view;     /* of the setup */
  char *named;       /* the kind of <Attributes> that is read: "channel" */
  char *id;          /* of one of these */
  GHashTable *names; /* of channels, by their numbers */
} Reading;

static void
setup_free (gpointer data)
{
  Hdf5Setup *s = data;
  g_free (s->name);
  g_free (s->unit);
  g_free (s->channel);
  g_free (s->channel_id);
  g_free (s->view);
  g_free (s);
}

void
hdf5_views_free (gpointer data)
{
  Hdf5Views *v = data;
  g_free (v->format);
  g_free (v->file);
  g_ptr_array_unref (v->setups);
  g_free (v);
}

/* ---- Elements ---- */

static const char *
attribute (const char **names, const char **values, const char *name)
{
  for (guint i = 0; names[i]; i++)
    if (!strcmp (names[i], name))
      return values[i];
  return NULL;
}

static void
begin (GMarkupParseContext *context, const char *element, const char **names, const char **values, gpointer data,
       GError **error)
{
  Reading *r = data;
  (void) context, (void) error;
  g_string_truncate (r->text, 0);
  if (!strcmp (element, "ImageLoader")) {
    g_free (r->views->format);
    r->views->format = g_strdup (attribute (names, values, "format"));
  } else if (!strcmp (element, "ViewSetup") && !r->setup && r->views->setups->len < MAX_SETUPS) {
    r->setup = g_new0 (Hdf5Setup, 1);
    g_string_truncate (r->view, 0);
    g_ptr_array_add (r->views->setups, r->setup);
  } else if (!strcmp (element, "Attributes")) {
    g_free (r->named);
    r->named = g_strdup (attribute (names, values, "name"));
  }
}

/* In reply to the end of an element of a setup; parent: the element around it. */
static void
end_of_setup (Reading *r, const char *element, const char *parent, const char *text)
{
  Hdf5Setup *s = r->setup;
  if (!strcmp (parent, "ViewSetup") && !strcmp (element, "id"))
    s->id = (guint) g_ascii_strtoull (text, NULL, 10);
  else if (!strcmp (parent, "ViewSetup") && !strcmp (element, "name") && !s->name)
    s->name = g_strdup (text);
  else if (!strcmp (parent, "voxelSize") && !strcmp (element, "unit") && !s->unit)
    s->unit = g_strdup (text);
  else if (!strcmp (parent, "voxelSize") && !strcmp (element, "size")) {
    char *at = (char *) text;
    for (guint i = 0; i < 3; i++)
      s->size[i] = g_ascii_strtod (at, &at);
  } else if (!strcmp (parent, "attributes") && !strcmp (element, "channel") && !s->channel_id)
    s->channel_id = g_strdup (text);
  else if (!strcmp (parent, "attributes"))
    g_string_append_printf (r->view, "%s%s %s", r->view->len ? ", " : "", element, text);
}

static void
finish_setup (Reading *r)
{
  r->setup->view = g_strdup (r->view->str);
  r->setup = NULL;
}

static void
end (GMarkupParseContext *context, const char *element, gpointer data, GError **error)
{
  Reading *r = data;
  const GSList *open = g_markup_parse_context_get_element_stack (context);
  const char *parent = open && open->next ? open->next->data : "";
  const char *text = g_strstrip (r->text->str);
  (void) error;
  if (r->setup && !strcmp (element, "ViewSetup"))
    finish_setup (r);
  else if (r->setup)
    end_of_setup (r, element, parent, text);
  else if (!strcmp (parent, "ImageLoader") && !strcmp (element, "hdf5")) {
    g_free (r->views->file);
    r->views->file = g_strdup (text);
  } else if (!strcmp (parent, "Channel") && !strcmp (element, "id")) {
    g_free (r->id);
    r->id = g_strdup (text);
  } else if (!strcmp (parent, "Channel") && !strcmp (element, "name") && r->id && !g_strcmp0 (r->named, "channel"))
    g_hash_table_insert (r->names, g_strdup (r->id), g_strdup (text));
  g_string_truncate (r->text, 0);
}

static void
add_text (GMarkupParseContext *context, const char *text, gsize n, gpointer data, GError **error)
{
  (void) context, (void) error;
  g_string_append_len (((Reading *) data)->text, text, (gssize) n);
}

/* ---- All ---- */

/* Names of channels follow behind the setups. */
static void
name_channels (const Reading *r)
{
  for (guint i = 0; i < r->views->setups->len; i++) {
    Hdf5Setup *s = r->views->setups->pdata[i];
    const char *name = s->channel_id ? g_hash_table_lookup (r->names, s->channel_id) : NULL;
    s->channel = g_strdup (name ? name : s->channel_id);
    if (!s->view) /* its element has no end */
      s->view = g_strdup ("");
  }
}

static gboolean
parse (Hdf5Views *views, const char *bytes, gsize n)
{
  static const GMarkupParser parser = {begin, end, add_text, NULL, NULL};
  Reading r = {.views = views, .text = g_string_new (NULL), .view = g_string_new (NULL)};
  r.names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GMarkupParseContext *context = g_markup_parse_context_new (&parser, 0, &r, NULL);
  const gboolean done =
    g_markup_parse_context_parse (context, bytes, (gssize) n, NULL) && g_markup_parse_context_end_parse (context, NULL);
  name_channels (&r);
  g_markup_parse_context_free (context);
  g_hash_table_unref (r.names);
  g_string_free (r.text, TRUE);
  g_string_free (r.view, TRUE);
  g_free (r.named);
  g_free (r.id);
  return done;
}

Hdf5Views *
hdf5_views_read (const char *path, fv_error *error)
{
  g_autoptr (Hdf5Views) views = g_new0 (Hdf5Views, 1);
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, NULL);
  views->setups = g_ptr_array_new_with_free_func (setup_free);
  const gsize n = file ? g_mapped_file_get_length (file) : 0;
  if (n > 0 && n <= MAX_BYTES && parse (views, g_mapped_file_get_contents (file), n))
    return g_steal_pointer (&views);
  process_error (error, FV_BAD_INPUT, "The XML of BigDataViewer is damaged or truncated.");
  return NULL;
}
