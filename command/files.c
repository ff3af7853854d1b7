/* SPDX-License-Identifier: MIT
 *
 * fovea info and convert: what is in a file, and the same in another format.
 */
#include "command/command.h"
#include "command/json.h"
#include "command/opened.h"
#include "command/outputs.h"
#include "command/print.h"
#include "command/save_options.h"
#include "command/stop.h"
#include "command/streams.h"

static gboolean as_json, with_header, with_personal;
static int series = SERIES_NOT_CHOSEN;

static const GOptionEntry info_entries[] = {
  RAW_OPTION,
  {"json", 0, 0, G_OPTION_ARG_NONE, &as_json, "Print JSON", NULL},
  {"header", 0, 0, G_OPTION_ARG_NONE, &with_header, "Print the file's text metadata too, such as a FITS header", NULL},
  {"personal", 0, 0, G_OPTION_ARG_NONE, &with_personal,
   "Print what a DICOM file says of people, hospitals and dates, too; nothing else of Fovea shows or saves it", NULL},
  {NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const GOptionEntry convert_entries[] = {
  SERIES_OPTION (series), RAW_OPTION, FORMAT_OPTION, SAVE_OPTIONS, {NULL, 0, 0, 0, NULL, NULL, NULL},
};

/* What the headers say of an image. */
typedef struct {
  fovea_image_info info;
  const char *text, *depends;
  char *personal; /* NULL: nothing, or it is not wanted */
} Described;

/* A line for each step. */
static void
print_made_by (const char *steps)
{
  g_auto (GStrv) lines = g_strsplit (steps ? steps : "", "\n", -1);
  for (char **line = lines; *line && **line; line++)
    print_line ("  made by %s", *line);
}

/* What the file calls one of its images, "A/1/0" of "plate.zarr: A/1/0"; NULL: nothing. */
static const char *
title_of (const char *name)
{
  const char *end = name ? strstr (name, ": ") : NULL;
  return end ? end + 2 : NULL;
}

static void
print_image (const char *path, guint n, guint count, const Described *d)
{
  const fovea_image_info info = d->info;
  if (count > 1)
    print_line ("%s, image %u: %s", path, n, d->text);
  else
    print_line ("%s: %s", path, d->text);
  if (count > 1 && title_of (info.name))
    print_line ("  named %s", title_of (info.name));
  if (d->depends)
    print_line ("  opens with %s", d->depends);
  for (gint64 c = 0; info.channel_names && c < info.shape[1]; c++)
    if (*info.channel_names[c])
      print_line ("  channel %" G_GINT64_FORMAT ": %s", c, info.channel_names[c]);
  if (info.interval > 0)
    print_line ("  one frame every %g %s", info.interval, info.interval_unit);
  if (info.stored_as)
    print_line ("  stored as %s", info.stored_as);
  if (info.values)
    print_line ("  calibrated: %s", info.values);
  print_made_by (info.made_by);
  if (with_header && info.description)
    print_text (info.description);
  if (d->personal)
    print_text (d->personal);
}

static void
json_sizes (JsonBuilder *b, const fovea_image_info *info)
{
  static const char *const sizes[] = {"frames", "channels", "slices", "rows", "columns"};
  static const char *const axes[] = {"z", "y", "x"};
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    json_builder_add_int_value (json_builder_set_member_name (b, sizes[i]), info->shape[i]);
  json_builder_begin_object (json_builder_set_member_name (b, "pixel_size"));
  for (guint i = 0; i < G_N_ELEMENTS (axes); i++) {
    json_builder_begin_array (json_builder_set_member_name (b, axes[i]));
    json_builder_add_double_value (b, info->spacing[i]);
    json_builder_add_string_value (b, *info->unit[i] ? info->unit[i] : "px");
    json_builder_end_array (b);
  }
  json_builder_end_object (b);
}

static void
json_image (JsonBuilder *b, const char *path, guint n, const char *left_out, const Described *d)
{
  static const char *const roles[] = {"image", "mask", "labels", "rgb"};
  static const char *const kinds[] = {[kDLInt] = "i", [kDLUInt] = "u", [kDLFloat] = "f"};
  const fovea_image_info info = d->info;
  g_autofree char *type = g_strdup_printf ("%s%d", kinds[info.type.code], info.type.bits);
  json_builder_begin_object (b);
  json_add_bytes (b, "file", path);
  json_builder_add_int_value (json_builder_set_member_name (b, "series"), n);
  if (title_of (info.name))
    json_add_text (b, "name", title_of (info.name));
  json_add_text (b, "type", type);
  json_add_text (b, "role", roles[info.role]);
  json_sizes (b, &info);
  if (info.channel_names) {
    json_builder_begin_array (json_builder_set_member_name (b, "channel_names"));
    for (const char *const *name = info.channel_names; *name; name++)
      json_builder_add_string_value (b, *name);
    json_builder_end_array (b);
  }
  if (info.stored_as)
    json_add_text (b, "stored_as", info.stored_as);
  if (info.values)
    json_add_text (b, "calibrated", info.values);
  if (info.made_by)
    json_add_text (b, "made_by", info.made_by);
  if (d->depends)
    json_add_text (b, "opens_with", d->depends);
  if (left_out)
    json_add_text (b, "left_out", left_out);
  if (with_header && info.description)
    json_add_text (b, "header", info.description);
  if (d->personal)
    json_add_text (b, "personal", d->personal);
  json_builder_end_object (b);
}

/* Says what is in one file; the exit status. */
static int
info_of_file (fovea_context *context, const char *path, JsonBuilder *b)
{
  g_autoptr (fovea_error) error = NULL;
  g_autoptr (GError) missing = NULL;
  if (!opened_exist ((const char *const[]){path, NULL}, &missing))
    return command_wrong_use ("info", "%s", missing->message);
  g_autoptr (fovea_file) file = opened_file (context, path, &error);
  guint count = file ? fovea_file_count (file) : 0;
  const char *left_out = fovea_file_left_out (file);
  for (guint n = 0; n < count; n++) {
    Described d = {.info = {.size = sizeof d.info}};
    if (!(d.text = fovea_file_describe (file, n, &d.info, &d.depends, &error)))
      break;
    d.personal = with_personal ? fovea_file_personal (file, n, &error) : NULL;
    if (b)
      json_image (b, path, n, left_out, &d);
    else
      print_image (path, n, count, &d);
    fovea_text_free (d.personal);
  }
  if (left_out && !b)
    print_line ("  left out: %s", left_out);
  return error ? command_fail (fovea_error_message (error)) : COMMAND_DONE;
}

static int
run_info (int argc, char **argv)
{
  g_autoptr (fovea_context) context = NULL;
  JsonBuilder *b;
  int status = COMMAND_DONE;
  if (argc < 2)
    return command_wrong_use ("info", "Usage: fovea info FILE...");
  if (with_personal && command_log)
    return command_wrong_use ("info", "--personal cannot be used with --log, which would save it.");
  context = command_context ();
  b = as_json ? json_builder_new () : NULL;
  if (b)
    json_builder_begin_array (b);
  for (int i = 1; i < argc; i++) {
    const int of_file = info_of_file (context, argv[i], b);
    status = MAX (status, of_file);
  }
  if (b) {
    json_builder_end_array (b);
    json_print (b);
  }
  return status;
}

const Command command_info = {
  .name = "info",
  .arguments = "FILE...",
  .help = "say what is in image files",
  .description = "Prints the size, type, dimensions and pixel size of image files.",
  .options = info_entries,
  .run = run_info,
};

static int
convert (const char *from, const char *to, const fovea_save_options *options)
{
  g_autoptr (fovea_context) context = command_context ();
  g_autoptr (fovea_task) task = fovea_task_new ();
  g_autoptr (fovea_error) error = NULL;
  if (fovea_image_can_save (to, options, &error))
    return command_wrong_use ("convert", "%s", fovea_error_message (error));
  stop_asks (task);
  fovea_task_enter (task);
  g_autoptr (fovea_image) image = opened_image (context, from, series, &error);
  if (image)
    fovea_image_save (image, to, options, &error);
  fovea_task_enter (NULL);
  stop_asks (NULL);
  return error ? command_fail (fovea_error_message (error)) : COMMAND_DONE;
}

static int
run_convert (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  fovea_save_options options;
  if (argc != 3)
    return command_wrong_use ("convert", "Usage: fovea convert INPUT OUTPUT");
  if (!opened_series_is_right (series))
    return command_wrong_use ("convert", "--series counts from 0.");
  const char *to = streams_output (argv[2], "tif", &error);
  if (!to || !streams_check (&error) || !save_options (&options, &error)
      || !opened_exist ((const char *const[]){argv[1], NULL}, &error)
      || !outputs_differ ((const char *const[]){argv[1], to, NULL}, &error))
    return command_wrong_use ("convert", "%s", error->message);
  return convert (argv[1], to, &options);
}

const Command command_convert = {
  .name = "convert",
  .arguments = "INPUT OUTPUT",
  .help = "write an image in the format of another extension",
  .description = "Converts an image to another format, chosen by the extension.",
  .options = convert_entries,
  .run = run_convert,
};
