/* SPDX-License-Identifier: MIT
 *
 * What is looked for is a path of elements, by the end of it.
 */
#include "core/files/czi/metadata.h"

#include "core/base/text.h"
#include "core/files/czi/segment.h"
#include "core/files/shared/xml.h"

#include <math.h>

enum { RESERVED = 256 /* before the text, with its size */, MAX_BYTES = 1 << 28, MAX_CHANNELS = 4096 };

typedef struct {
  FilesCziMetadata *metadata;
  GPtrArray *shown; /* FilesCziChannel of the display settings */
  GString *path;    /* "/ImageDocument/Metadata/..." */
  GString *text;    /* of the innermost element */
  guint depth;
  FilesCziChannel *channel;     /* that is being read, or NULL */
  FilesCziObjective *objective; /* likewise */
  int axis;                     /* of the Distance that is being read: 0 z, 1 y, 2 x; -1: none */
} Parser;

static const char *
attribute (const char **names, const char **values, const char *name)
{
  for (int i = 0; names[i]; i++)
    if (!strcmp (names[i], name))
      return values[i];
  return NULL;
}

static double
positive (const char *text)
{
  double number;
  return text_to_number (text, &number) && number > 0 ? number : 0;
}

/* ---- Channels ---- */

static void
channel_free (gpointer data)
{
  FilesCziChannel *channel = data;
  g_free (channel->id);
  g_free (channel->name);
  g_free (channel);
}

static void
start_channel (Parser *p, GPtrArray *to, const char *id, const char *name)
{
  if (to->len >= MAX_CHANNELS)
    return;
  p->channel = g_new0 (FilesCziChannel, 1);
  p->channel->id = g_strdup (id);
  p->channel->name = name && *name ? g_strdup (name) : NULL;
  g_ptr_array_add (to, p->channel);
}

static FilesCziChannel *
with_id (const GPtrArray *channels, const char *id)
{
  for (guint i = 0; i < channels->len && id; i++) {
    FilesCziChannel *channel = channels->pdata[i];
    if (!g_strcmp0 (channel->id, id))
      return channel;
  }
  return NULL;
}

/* The channel that display setting i is for: the one with its id. Some programs give new ids; their settings are in the order of the channels. NULL: it is
 * unknown. */
static FilesCziChannel *
channel_shown (const GPtrArray *channels, const GPtrArray *shown, guint i)
{
  FilesCziChannel *channel = with_id (channels, ((FilesCziChannel *) shown->pdata[i])->id);
  if (channel || channels->len != shown->len)
    return channel;
  channel = channels->pdata[i];
  return with_id (shown, channel->id) ? NULL : channel;
}

static void
take_settings (FilesCziChannel *channel, const FilesCziChannel *shown)
{
  if (!channel->name)
    channel->name = g_strdup (shown->name);
  if (shown->has_color) {
    channel->has_color = TRUE;
    channel->color = shown->color;
  }
  channel->low = shown->low;
  channel->high = shown->high;
}

static void
merge_settings (FilesCziMetadata *metadata, GPtrArray *shown)
{
  if (!metadata->channels->len)
    g_ptr_array_extend_and_steal (metadata->channels, g_ptr_array_ref (shown));
  for (guint i = 0; i < shown->len; i++) {
    FilesCziChannel *channel = channel_shown (metadata->channels, shown, i);
    if (channel)
      take_settings (channel, shown->pdata[i]);
  }
}

/* "#AARRGGBB" or "#RRGGBB". */
static void
set_color (FilesCziChannel *channel, const char *text)
{
  const gsize digits = *text == '#' ? strlen (text + 1) : 0;
  guint64 color;
  if ((digits == 6 || digits == 8) && g_ascii_string_to_unsigned (text + 1, 16, 0, G_MAXUINT32, &color, NULL)) {
    channel->has_color = TRUE;
    channel->color = (guint32) color & 0xffffff;
  }
}

/* ---- Elements ---- */

static void
scene_free (gpointer data)
{
  g_free (((FilesCziScene *) data)->name);
  g_free (data);
}

static void
start_scene (FilesCziMetadata *metadata, const char *index, const char *name)
{
  FilesCziScene *scene = g_new0 (FilesCziScene, 1);
  if (!index || !g_ascii_string_to_signed (index, 10, 0, G_MAXINT32, &scene->index, NULL))
    scene->index = -1;
  scene->name = name && *name ? g_strdup (name) : NULL;
  g_ptr_array_add (metadata->scenes, scene);
}

static void
objective_free (gpointer data)
{
  FilesCziObjective *objective = data;
  g_free (objective->id);
  g_free (objective->name);
  g_free (objective->magnification);
  g_free (objective->aperture);
  g_free (objective->immersion);
  g_free (objective);
}

static FilesCziObjective *
start_objective (FilesCziMetadata *metadata, const char *id, const char *name)
{
  FilesCziObjective *objective = g_new0 (FilesCziObjective, 1);
  objective->id = g_strdup (id);
  objective->name = name && *name ? g_strdup (name) : NULL;
  g_ptr_array_add (metadata->objectives, objective);
  return objective;
}

static gboolean
is_at (const Parser *p, const char *end)
{
  return g_str_has_suffix (p->path->str, end);
}

static void
start_element (GMarkupParseContext *context, const char *element, const char **names, const char **values,
               gpointer data, GError **error)
{
  static const char *const axes[] = {"Z", "Y", "X"};
  Parser *p = data;
  const char *id = attribute (names, values, "Id"), *name = attribute (names, values, "Name");
  (void) context;
  if (!files_xml_deeper (&p->depth, error))
    return;
  g_string_append_c (p->path, '/');
  g_string_append (p->path, element);
  g_string_truncate (p->text, 0);
  if (is_at (p, "/Dimensions/Channels/Channel"))
    start_channel (p, p->metadata->channels, id, name);
  else if (is_at (p, "/DisplaySetting/Channels/Channel"))
    start_channel (p, p->shown, id, name);
  else if (is_at (p, "/Scenes/Scene"))
    start_scene (p->metadata, attribute (names, values, "Index"), name);
  else if (is_at (p, "/Instrument/Objectives/Objective"))
    p->objective = start_objective (p->metadata, id, name);
  else if (is_at (p, "/ObjectiveSettings/ObjectiveRef") && !p->metadata->objective)
    p->metadata->objective = g_strdup (id);
  else if (is_at (p, "/Scaling/Items/Distance")) {
    p->axis = -1;
    for (int i = 0; i < 3; i++)
      if (!g_strcmp0 (id, axes[i]))
        p->axis = i;
  }
}

static void
set_text (char **to, const char *text)
{
  if (!*to && *text)
    *to = g_strdup (text);
}

static void
take_channel (const Parser *p, const char *text)
{
  if (is_at (p, "/Channel/Color"))
    set_color (p->channel, text);
  else if (is_at (p, "/DisplaySetting/Channels/Channel/Low"))
    text_to_number (text, &p->channel->low);
  else if (is_at (p, "/DisplaySetting/Channels/Channel/High"))
    text_to_number (text, &p->channel->high);
}

static void
take_objective (const Parser *p, const char *text)
{
  if (is_at (p, "/Objective/Manufacturer/Model"))
    set_text (&p->objective->name, text);
  else if (is_at (p, "/Objective/NominalMagnification"))
    set_text (&p->objective->magnification, text);
  else if (is_at (p, "/Objective/LensNA"))
    set_text (&p->objective->aperture, text);
  else if (is_at (p, "/Objective/Immersion"))
    set_text (&p->objective->immersion, text);
}

static void
take_text (const Parser *p, const char *text)
{
  FilesCziMetadata *m = p->metadata;
  if (p->channel)
    take_channel (p, text);
  else if (p->objective)
    take_objective (p, text);
  else if (is_at (p, "/Information/Image/AcquisitionDateAndTime"))
    set_text (&m->acquired, text);
  else if (is_at (p, "/Information/Application/Name"))
    set_text (&m->program, text);
  else if (is_at (p, "/Information/Application/Version"))
    set_text (&m->version, text);
  else if (is_at (p, "/Scaling/Items/Distance/Value") && p->axis >= 0)
    m->spacing[p->axis] = positive (text) * 1e6;
  else if (is_at (p, "/Dimensions/T/Positions/Interval/Increment"))
    m->interval = positive (text);
}

static void
end_element (GMarkupParseContext *context, const char *element, gpointer data, GError **error)
{
  Parser *p = data;
  (void) context, (void) error;
  if (p->text->len)
    take_text (p, g_strstrip (p->text->str));
  if (!strcmp (element, "Channel"))
    p->channel = NULL;
  if (!strcmp (element, "Objective"))
    p->objective = NULL;
  g_string_truncate (p->path, p->path->len - strlen (element) - 1);
  g_string_truncate (p->text, 0);
  p->depth--;
}

static void
add_text (GMarkupParseContext *context, const char *text, gsize length, gpointer data, GError **error)
{
  (void) context, (void) error;
  g_string_append_len (((Parser *) data)->text, text, (gssize) length);
}

/* ---- The whole ---- */

static gboolean
parse (FilesCziMetadata *metadata, const char *text, gsize length)
{
  static const GMarkupParser callbacks = {start_element, end_element, add_text, NULL, NULL};
  g_autoptr (GPtrArray) shown = g_ptr_array_new_with_free_func (channel_free);
  Parser parser = {metadata, shown, .path = g_string_new (NULL), .text = g_string_new (NULL), .axis = -1};
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&callbacks, 0, &parser, NULL);
  const gsize mark = length >= 3 && !memcmp (text, "\xef\xbb\xbf", 3) ? 3 : 0;
  const gboolean parsed = g_markup_parse_context_parse (context, text + mark, (gssize) (length - mark), NULL)
                          && g_markup_parse_context_end_parse (context, NULL);
  g_string_free (parser.path, TRUE);
  g_string_free (parser.text, TRUE);
  merge_settings (metadata, shown);
  return parsed;
}

static gboolean
read_text (FilesCziMetadata *metadata, FilesBytes *bytes, gint64 at)
{
  FilesCziSegment segment;
  guint8 head[RESERVED];
  if (!files_czi_segment (bytes, at, "ZISRAWMETADATA", &segment)
      || !files_czi_segment_head (bytes, &segment, head, sizeof head))
    return FALSE;
  const gint32 size = files_czi_i32 (head);
  if (size < 0 || size > MAX_BYTES || (guint64) size > segment.size - RESERVED)
    return FALSE;
  g_autofree char *text = g_malloc ((gsize) size + 1);
  if (!files_bytes_read (bytes, segment.at + RESERVED, text, (gsize) size))
    return FALSE;
  text[size] = 0;
  return parse (metadata, text, strlen (text));
}

FilesCziMetadata *
files_czi_metadata_read (FilesBytes *bytes, gint64 at)
{
  FilesCziMetadata *metadata = g_new0 (FilesCziMetadata, 1);
  metadata->channels = g_ptr_array_new_with_free_func (channel_free);
  metadata->scenes = g_ptr_array_new_with_free_func (scene_free);
  metadata->objectives = g_ptr_array_new_with_free_func (objective_free);
  metadata->times = g_array_new (FALSE, FALSE, sizeof (double));
  metadata->is_damaged = at != 0 && !read_text (metadata, bytes, at);
  return metadata;
}

void
files_czi_metadata_free (FilesCziMetadata *metadata)
{
  g_free (metadata->objective);
  g_free (metadata->acquired);
  g_free (metadata->program);
  g_free (metadata->version);
  g_ptr_array_unref (metadata->channels);
  g_ptr_array_unref (metadata->scenes);
  g_ptr_array_unref (metadata->objectives);
  g_array_unref (metadata->times);
  g_free (metadata);
}
