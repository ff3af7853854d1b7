/* SPDX-License-Identifier: MIT
 */
#include "core/files/czi/info.h"

#include "core/base/file_name.h"
#include "core/base/text.h"
#include "core/data/pixel_type.h"
#include "core/files/czi/block.h"

#include <math.h>

enum { MAX_TAGS = 1 << 16 /* bytes of the metadata of a sub-block */ };

/* ---- Name ---- */

static gboolean
differs (const FilesCziLayout *layout, FilesCziAxis axis)
{
  const FilesCziImage *first = layout->images->pdata[0];
  for (guint i = 1; i < layout->images->len; i++)
    if (((const FilesCziImage *) layout->images->pdata[i])->first->index[axis] != first->first->index[axis])
      return TRUE;
  return FALSE;
}

/* The name that the metadata have for the scene; NULL: none. */
static const char *
scene_name (const FilesCziMetadata *metadata, gint32 index)
{
  for (guint i = 0; i < metadata->scenes->len; i++) {
    const FilesCziScene *scene = metadata->scenes->pdata[i];
    if (scene->index == index)
      return scene->name;
  }
  return NULL;
}

static const FilesCziChannel *
channel_at (const FilesCziMetadata *metadata, gint32 index)
{
  return index >= 0 && (guint) index < metadata->channels->len ? metadata->channels->pdata[index] : NULL;
}

/* "scene 2" or what the metadata call it. Free with g_free(). */
static char *
position_text (const FilesCziMetadata *metadata, const FilesCziImage *image, FilesCziAxis axis)
{
  static const char *const words[FILES_CZI_AXES] = {"channel", "slice",    "frame",        "scene", "phase",
                                                    "view",    "rotation", "illumination", "block", "tile"};
  const gint32 index = image->first->index[axis];
  const FilesCziChannel *channel = axis == FILES_CZI_C ? channel_at (metadata, index) : NULL;
  const char *name = axis == FILES_CZI_S ? scene_name (metadata, index) : channel ? channel->name : NULL;
  if (index == G_MININT32)
    return g_strdup_printf ("no %s", words[axis]);
  return name ? g_strdup_printf ("%s %s", words[axis], name) : g_strdup_printf ("%s %d", words[axis], index + 1);
}

/* "a.czi: scene 2, phase 1": on which axes its images differ. */
static char *
name_of (const FilesCziLayout *layout, guint n)
{
  static const FilesCziAxis axes[] = {FILES_CZI_S, FILES_CZI_B, FILES_CZI_V, FILES_CZI_R, FILES_CZI_I, FILES_CZI_H};
  const FilesCziImage *image = layout->images->pdata[n];
  g_autofree char *file = file_name_short (layout->bytes->path);
  GString *name = g_string_new (file);
  const char *before = ": ";
  for (guint i = 0; i <= G_N_ELEMENTS (axes); i++) {
    const FilesCziAxis axis = i < G_N_ELEMENTS (axes) ? axes[i] : FILES_CZI_C;
    if (!differs (layout, axis) || (axis == FILES_CZI_C && image->pixel->samples == 1))
      continue;
    g_autofree char *text = position_text (layout->metadata, image, axis);
    g_string_append_printf (name, "%s%s", before, text);
    before = ", ";
  }
  if (layout->images->len > 1 && *before == ':')
    g_string_append_printf (name, " #%u", n + 1);
  return g_string_free (name, FALSE);
}

/* ---- Calibration ---- */

static void
set_calibration (const FilesCziMetadata *metadata, const FilesCziImage *image, ImageInfo *info)
{
  for (int axis = 0; axis < 3; axis++) {
    const double size = metadata->spacing[axis] * (axis ? files_czi_level (image, 0)->factor : 1);
    const gboolean known = size > 0 && isfinite (size);
    info->spacing[axis] = known ? size : 1;
    info->units[axis] = g_strdup (known ? "µm" : "");
  }
  if (info->depth == 1 && !*info->units[0]) {
    g_free (info->units[0]);
    info->units[0] = g_strdup (info->units[2]);
  }
}

/* Of time stamps that are evenly spaced, within a tenth; 0: they are not, or not those of all frames. */
static double
even_interval (const GArray *times, const FilesCziImage *image)
{
  const gint64 frames = image->frames;
  if (frames < 2 || image->frame < 0 || image->frame + frames > times->len)
    return 0;
  const double *time = &g_array_index (times, double, image->frame);
  const double mean = (time[frames - 1] - time[0]) / (double) (frames - 1);
  for (gint64 t = 1; t < frames; t++)
    if (!(fabs (time[t] - time[t - 1] - mean) <= mean / 10))
      return 0;
  return isfinite (mean) ? mean : 0;
}

static void
set_interval (const FilesCziMetadata *metadata, const FilesCziImage *image, ImageInfo *info)
{
  const double even = even_interval (metadata->times, image);
  info->frame_interval = image->frames < 2 ? 0 : even > 0 ? even : metadata->times->len ? 0 : metadata->interval;
  info->frame_unit = g_strdup (info->frame_interval > 0 ? "s" : "");
}

/* ---- Channels ---- */

static void
set_samples (const FilesCziPixel *pixel, ImageInfo *info)
{
  static const char *const names[] = {"red", "green", "blue", "alpha"};
  static const guint32 colors[] = {0xff0000, 0x00ff00, 0x0000ff, 0xffffff};
  info->channels = pixel->samples;
  if (pixel->samples == 3 && pixel->type == FV_U8) {
    info->role = FV_RGB;
    return;
  }
  info->channel_names = g_new0 (char *, pixel->samples + 1);
  info->channel_colors = g_memdup2 (colors, pixel->samples * sizeof *colors);
  for (guint s = 0; s < pixel->samples; s++)
    info->channel_names[s] = g_strdup (names[s]);
}

static void
set_names (const FilesCziMetadata *metadata, const FilesCziImage *image, ImageInfo *info)
{
  gboolean named = FALSE, colored = TRUE;
  char **names = g_new0 (char *, image->channels + 1);
  guint32 *colors = g_new0 (guint32, image->channels);
  for (gint64 c = 0; c < image->channels; c++) {
    const FilesCziChannel *channel = channel_at (metadata, image->channel[c]);
    named = named || (channel && channel->name);
    colored = colored && channel && channel->has_color;
    colors[c] = colored ? channel->color : 0;
    names[c] =
      channel && channel->name ? g_strdup (channel->name) : g_strdup_printf ("channel %d", image->channel[c] + 1);
  }
  if (named)
    info->channel_names = g_steal_pointer (&names);
  if (colored)
    info->channel_colors = g_steal_pointer (&colors);
  g_strfreev (names);
  g_free (colors);
}

/* The part of all values from which to which a channel is displayed; all of them are the same as none. */
static gboolean
has_range (const FilesCziChannel *channel)
{
  return channel && channel->low >= 0 && channel->low < channel->high && channel->high <= 1
         && (channel->low > 0 || channel->high < 1);
}

static void
set_ranges (const FilesCziMetadata *metadata, const FilesCziImage *image, ImageInfo *info)
{
  const double largest = info->type == FV_U8 ? G_MAXUINT8 : info->type == FV_U16 ? G_MAXUINT16 : 0;
  double *ranges = g_new (double, 2 * image->channels);
  gboolean known = FALSE;
  for (gint64 c = 0; c < image->channels; c++) {
    const FilesCziChannel *channel = channel_at (metadata, image->channel[c]);
    const gboolean own = has_range (channel);
    ranges[2 * c] = own ? channel->low * largest : 0;
    ranges[2 * c + 1] = own ? channel->high * largest : largest;
    known = known || own;
  }
  if (known && largest > 0)
    info->display_ranges = g_steal_pointer (&ranges);
  g_free (ranges);
}

/* ---- Description ---- */

/* The metadata of the image's first sub-block; NULL: none. Free with g_free(). */
static char *
read_tags (const FilesCziLayout *layout, const FilesCziImage *image)
{
  FilesCziData data;
  if (!files_czi_block_find (layout->bytes, image->first, &data, NULL) || data.metadata_bytes > MAX_TAGS)
    return NULL;
  g_autofree char *tags = g_malloc ((gsize) data.metadata_bytes + 1);
  tags[data.metadata_bytes] = 0;
  return files_bytes_read (layout->bytes, data.metadata, tags, (gsize) data.metadata_bytes) ? g_steal_pointer (&tags)
                                                                                            : NULL;
}

/* What is in the element of that name; NULL: there is none. Free with g_free(). */
static char *
tag (const char *tags, const char *name)
{
  g_autofree char *start = g_strdup_printf ("<%s>", name), *end = g_strdup_printf ("</%s>", name);
  const char *from = tags ? strstr (tags, start) : NULL, *to = from ? strstr (from, end) : NULL;
  return to ? g_strstrip (g_strndup (from + strlen (start), (gsize) (to - from) - strlen (start))) : NULL;
}

static void
add_line (GString *lines, const char *title, const char *text)
{
  if (text && *text)
    g_string_append_printf (lines, "%s: %s\n", title, text);
}

static void
add_objective (GString *lines, const FilesCziMetadata *metadata)
{
  const FilesCziObjective *used = NULL;
  for (guint i = 0; i < metadata->objectives->len; i++) {
    const FilesCziObjective *objective = metadata->objectives->pdata[i];
    if (metadata->objectives->len == 1 || (metadata->objective && !g_strcmp0 (objective->id, metadata->objective)))
      used = objective;
  }
  if (!used)
    return;
  add_line (lines, "Objective", used->name);
  add_line (lines, "Magnification", used->magnification);
  add_line (lines, "Numerical aperture", used->aperture);
  add_line (lines, "Immersion", used->immersion);
}

/* In µm, of the first sub-block. */
static void
add_stage (GString *lines, const char *tags)
{
  static const char *const names[][2] = {
    {"StageXPosition", "Stage x (µm)"}, {"StageYPosition", "Stage y (µm)"}, {"FocusPosition", "Focus (µm)"}};
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *text = tag (tags, names[i][0]), *plain = NULL;
    double position;
    if (text && text_to_number (text, &position))
      add_line (lines, names[i][1], plain = text_from_number (position));
  }
}

static void
add_times (GString *lines, const FilesCziMetadata *metadata, const FilesCziImage *image)
{
  if (image->frames < 2 || image->frame < 0 || image->frame + image->frames > metadata->times->len)
    return;
  g_string_append (lines, "Time stamps (s):");
  for (gint64 t = 0; t < image->frames; t++) {
    g_string_append_c (lines, ' ');
    text_add_number (lines, text_round (g_array_index (metadata->times, double, image->frame + t), 9));
  }
  g_string_append_c (lines, '\n');
}

static GRefString *
describe (const FilesCziLayout *layout, const FilesCziImage *image)
{
  const FilesCziMetadata *metadata = layout->metadata;
  g_autoptr (GString) lines = g_string_new (NULL);
  g_autofree char *tags = read_tags (layout, image), *time = tag (tags, "AcquisitionTime"), *visible = NULL;
  g_autofree char *program = metadata->program ? g_strjoin (" ", metadata->program, metadata->version, NULL) : NULL;
  add_line (lines, "Acquired", metadata->acquired ? metadata->acquired : time);
  add_objective (lines, metadata);
  add_stage (lines, tags);
  add_times (lines, metadata, image);
  add_line (lines, "Program", program);
  visible = text_visible (lines->str, "\n");
  return lines->len ? g_ref_string_new (visible) : NULL;
}

void
files_czi_info (const FilesCziLayout *layout, guint n, ImageInfo *info)
{
  const FilesCziImage *image = layout->images->pdata[n];
  *info = (ImageInfo){
    .type = image->pixel->type,
    .frames = image->frames,
    .channels = image->channels,
    .depth = image->depth,
    .rows = image->rows,
    .columns = image->columns,
    .name = name_of (layout, n),
    .number = n,
    .description = describe (layout, image),
  };
  set_calibration (layout->metadata, image, info);
  set_interval (layout->metadata, image, info);
  if (image->pixel->samples > 1)
    set_samples (image->pixel, info);
  else {
    set_names (layout->metadata, image, info);
    set_ranges (layout->metadata, image, info);
  }
}
