/* SPDX-License-Identifier: MIT
 *
 * fovea info and convert: what is in a file, and the same in another format.
 */
#include "core/command/command.h"
#include "core/files/files.h"
#include "core/run/outputs.h"
#include "core/command/print.h"
#include "core/command/save_options.h"
#include "core/base/stop.h"
#include "core/base/text.h"

static gboolean as_json;
static int series;

static const GOptionEntry info_entries[] = {
  {"json", 0, 0, G_OPTION_ARG_NONE, &as_json, "Print JSON", NULL},
  {NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const GOptionEntry convert_entries[] = {
  {"series", 0, 0, G_OPTION_ARG_INT, &series, "Which image of the file, from 0", "N"},
  SAVE_OPTIONS,
  {NULL, 0, 0, 0, NULL, NULL, NULL},
};

static void
print_image (const char *path, guint n, guint count, const ImageInfo *info)
{
  g_autofree char *text = image_info_text (info);
  if (count > 1)
    print_line ("%s, image %u: %s", path, n, text);
  else
    print_line ("%s: %s", path, text);
  for (gint64 c = 0; info->channel_names && c < info->channels; c++)
    if (*info->channel_names[c])
      print_line ("  channel %" G_GINT64_FORMAT ": %s", c, info->channel_names[c]);
  if (info->frame_interval > 0)
    print_line ("  one frame every %g %s", info->frame_interval, info->frame_unit);
  if (info->source_type)
    print_line ("  stored as %s", info->source_type);
}

static void
json_image (JsonBuilder *b, const char *path, guint n, const ImageInfo *info)
{
  static const char *const roles[] = {"image", "mask", "labels", "rgb"};
  static const char *const axes[] = {"z", "y", "x"};
  g_autofree char *name = text_from_bytes (path);
  json_builder_begin_object (b);
  json_builder_add_string_value (json_builder_set_member_name (b, "file"), name);
  json_builder_add_int_value (json_builder_set_member_name (b, "series"), n);
  json_builder_add_string_value (json_builder_set_member_name (b, "type"), image_type_name (info->type));
  json_builder_add_string_value (json_builder_set_member_name (b, "role"), roles[info->role]);
  json_builder_add_int_value (json_builder_set_member_name (b, "frames"), info->frames);
  json_builder_add_int_value (json_builder_set_member_name (b, "channels"), info->channels);
  json_builder_add_int_value (json_builder_set_member_name (b, "slices"), info->depth);
  json_builder_add_int_value (json_builder_set_member_name (b, "rows"), info->rows);
  json_builder_add_int_value (json_builder_set_member_name (b, "columns"), info->columns);
  json_builder_begin_object (json_builder_set_member_name (b, "pixel_size"));
  for (int axis = 0; axis < 3; axis++) {
    json_builder_begin_array (json_builder_set_member_name (b, axes[axis]));
    json_builder_add_double_value (b, info->spacing[axis]);
    json_builder_add_string_value (b, *info->units[axis] ? info->units[axis] : "px");
    json_builder_end_array (b);
  }
  json_builder_end_object (b);
  if (info->channel_names) {
    json_builder_begin_array (json_builder_set_member_name (b, "channel_names"));
    for (char **name = info->channel_names; *name; name++)
      json_builder_add_string_value (b, *name);
    json_builder_end_array (b);
  }
  if (info->source_type)
    json_builder_add_string_value (json_builder_set_member_name (b, "stored_as"), info->source_type);
  json_builder_end_object (b);
}

/* Says what is in one file; FALSE after a message. */
static gboolean
info_of_file (const char *path, JsonBuilder *b)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FilesImages) images = files_images_new (path, &error);
  guint count = images ? files_images_count (images) : 0;
  for (guint n = 0; n < count; n++) {
    g_autoptr (Image) image = files_images_open (images, n, &error);
    if (!image)
      break;
    if (b)
      json_image (b, path, n, image_info (image));
    else
      print_image (path, n, count, image_info (image));
  }
  if (error)
    command_fail (error);
  return !error;
}

int
command_info (int argc, char **argv)
{
  JsonBuilder *b;
  int status;
  status = command_parse (&argc, &argv, "FILE...", "Says what is in image files: size, type, dimensions, pixel size.",
                          info_entries);
  if (status != COMMAND_GO_ON)
    return status;
  status = COMMAND_DONE;
  if (argc < 2)
    return command_wrong_use ("info", "'info' takes one or more files.");
  b = as_json ? json_builder_new () : NULL;
  if (b)
    json_builder_begin_array (b);
  for (int i = 1; i < argc; i++)
    if (!info_of_file (argv[i], b))
      status = COMMAND_FAILED;
  if (b) {
    json_builder_end_array (b);
    command_print_json (b);
  }
  return status;
}

static gboolean
convert (const char *from, const char *to, const FilesTiffChoices *choices, GError **error)
{
  g_autoptr (Image) image = NULL;
  Progress progress = {0};
  gboolean done;
  if (!files_can_save (to, error))
    return FALSE;
  stop_asks (&progress);
  progress_enter (&progress);
  image = files_open (from, (guint) series, error);
  done = image && files_save_as (image, to, choices, error);
  progress_enter (NULL);
  stop_asks (NULL);
  return done;
}

int
command_convert (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  FilesTiffChoices choices;
  int status = command_parse (&argc, &argv, "INPUT OUTPUT", "Writes an image in the format of another extension.",
                              convert_entries);
  if (status != COMMAND_GO_ON)
    return status;
  if (argc != 3)
    return command_wrong_use ("convert", "'convert' takes an input file and an output file.");
  if (series < 0)
    return command_wrong_use ("convert", "--series counts from 0.");
  if (!save_options (&choices, &error) || !outputs_differ ((const char *const[]){argv[1], argv[2], NULL}, &error))
    return command_wrong_use ("convert", "%s", error->message);
  return convert (argv[1], argv[2], &choices, &error) ? COMMAND_DONE : command_fail (error);
}
