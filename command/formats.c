/* SPDX-License-Identifier: MIT
 *
 * fovea formats: which image files can be opened and saved, from the declarations alone.
 */
#include "command/command.h"
#include "command/json.h"
#include "command/print.h"

static gboolean as_json, as_markdown;

static const GOptionEntry entries[] = {
  {"json", 0, 0, G_OPTION_ARG_NONE, &as_json, "Print JSON", NULL},
  {"markdown", 0, 0, G_OPTION_ARG_NONE, &as_markdown, "Print the reference page of all formats", NULL},
  {NULL, 0, 0, 0, NULL, NULL, NULL},
};

static void
json_texts (JsonBuilder *b, const char *name, const char *const *texts, gsize max)
{
  json_builder_begin_array (json_builder_set_member_name (b, name));
  for (gsize i = 0; i < max && texts[i]; i++)
    json_builder_add_string_value (b, texts[i]);
  json_builder_end_array (b);
}

static void
json_format (JsonBuilder *b, const fovea_format *format)
{
  json_builder_begin_object (b);
  json_add_text (b, "key", format->key);
  json_add_text (b, "label", format->label);
  json_add_text (b, "plugin", format->plugin);
  json_texts (b, "endings", format->endings, G_MAXSIZE);
  json_texts (b, "saved", format->endings, format->n_saved);
  json_texts (b, "mime_types", format->mime_types, G_MAXSIZE);
  json_builder_add_boolean_value (json_builder_set_member_name (b, "in_folders"), format->in_folders);
  json_builder_begin_array (json_builder_set_member_name (b, "options"));
  for (const fovea_parameter *const *p = format->options; *p; p++)
    json_builder_add_string_value (b, (*p)->key);
  json_builder_end_array (b);
  json_builder_end_object (b);
}

static void
markdown_endings (GString *s, const fovea_format *format, gsize max)
{
  g_string_append (s, " |");
  for (gsize i = 0; i < max && format->endings[i]; i++)
    g_string_append_printf (s, "%s `.%s`", i ? "," : "", format->endings[i]);
}

static void
markdown_options (GString *s, const fovea_format *format)
{
  if (*format->options)
    g_string_append_printf (s, "\n## Saving %s\n\n| option | | meaning |\n|---|---|---|\n", format->label);
  for (const fovea_parameter *const *p = format->options; *p; p++) {
    g_string_append_printf (s, "| `%s` | %s | %s", (*p)->key, (*p)->values, (*p)->help);
    for (const fovea_choice *const *c = (*p)->choices; c && *c; c++)
      g_string_append_printf (s, "<br>`%s`: %s.", (*c)->key, (*c)->help);
    g_string_append (s, " |\n");
  }
}

static void
print_markdown (const fovea_format *const *formats)
{
  g_autoptr (GString) s =
    g_string_new ("# Formats of image files\n\nMade from the declarations by `fovea formats --markdown`; [Files and "
                  "formats](../docs/reference/formats.md#what-it-reads-and-writes) says what is read of them. Fovea "
                  "recognizes a file by its "
                  "contents, regardless of its name. In folders and file dialogs it takes files with these endings, "
                  "but text in no folder. "
                  "[Plugins](../plugin/README.md#a-format-of-image-files) can add formats.\n\n"
                  "| format | opened | saved | media types |\n|---|---|---|---|\n");
  for (const fovea_format *const *f = formats; *f; f++) {
    g_autofree char *types = g_strjoinv (", ", (char **) (*f)->mime_types);
    g_string_append_printf (s, "| %s", (*f)->label);
    markdown_endings (s, *f, G_MAXSIZE);
    markdown_endings (s, *f, (*f)->n_saved);
    g_string_append_printf (s, " | %s |\n", types);
  }
  for (const fovea_format *const *f = formats; *f; f++)
    markdown_options (s, *f);
  print_text (s->str);
}

static void
print_json (const fovea_format *const *formats)
{
  JsonBuilder *b = json_builder_new ();
  json_builder_begin_array (b);
  for (; *formats; formats++)
    json_format (b, *formats);
  json_builder_end_array (b);
  json_print (b);
}

static void
print_lines (const fovea_format *const *formats)
{
  for (; *formats; formats++) {
    g_autofree char *endings = g_strjoinv (" .", (char **) (*formats)->endings);
    print_line ("%-8s %-12s .%s%s%s", (*formats)->label, (*formats)->n_saved ? "opens, saves" : "opens", endings,
                (*formats)->plugin ? "  by " : "", (*formats)->plugin ? (*formats)->plugin : "");
  }
}

static int
run_formats (int argc, char **argv)
{
  g_autoptr (fovea_context) context = NULL;
  if (argc > 1)
    return command_wrong_use (
      "formats", "'formats' takes no arguments; remove '%s'. 'fovea info FILE' says what is in a file.", argv[1]);
  context = command_context ();
  (as_json ? print_json : as_markdown ? print_markdown : print_lines) (fovea_context_formats (context));
  return COMMAND_DONE;
}

const Command command_formats = {
  .name = "formats",
  .arguments = "",
  .help = "list the formats of image files",
  .description = "Lists the formats of image files, and the endings of their names.",
  .options = entries,
  .run = run_formats,
};
