/* SPDX-License-Identifier: MIT
 *
 * Declarations that break a rule of the ABI: each is refused with a sentence that names the rule.
 */
#include "core/ops/args.h"
#include "core/ops/module_check.h"
#include "core/base/error.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

typedef struct {
  bool on;
  int32_t method;
  double amount;
  fv_set measures;
  fv_matrix kernel;
  char text[8];
} sound_args;

/* All that is declared, to be changed. */
typedef struct {
  fv_plugin plugin;
  const fv_op *ops[2];
  fv_op op;
  fv_input inputs[20];
  fv_output outputs[20];
  fv_scalar scalars[3];
  fv_param params[8];
  fv_choice methods[3], measures[3];
  fv_imagej imagej[3];
  fv_imagej_word words[4];
  fv_column_name columns[3];
  fv_device device;
  const fv_device *devices[3];
  fv_reader reader, other;
  const fv_reader *readers[3];
} Declared;

static fv_status
run (const fv_call *call, fv_error *error)
{
  (void) call, (void) error;
  return FV_OK;
}

static bool
reader_is (const fv_reader *reader, const char *path, const uint8_t *head, size_t n)
{
  (void) reader, (void) path, (void) head, (void) n;
  return false;
}

static fv_status
reader_open (const fv_reader *reader, const char *path, void **file, uint32_t *images, fv_error *error)
{
  (void) reader, (void) path, (void) file, (void) images, (void) error;
  return FV_UNSUPPORTED;
}

static void
reader_close (const fv_reader *reader, void *file)
{
  (void) reader, (void) file;
}

static fv_status
reader_image (const fv_reader *reader, void *file, uint32_t n, fv_file_image *image, fv_error *error)
{
  (void) reader, (void) file, (void) n, (void) image, (void) error;
  return FV_UNSUPPORTED;
}

static fv_status
reader_read (const fv_reader *reader, void *file, const fv_region *region, void *to, size_t stride, fv_error *error)
{
  (void) reader, (void) file, (void) region, (void) to, (void) stride, (void) error;
  return FV_UNSUPPORTED;
}

static void
declare (Declared *d)
{
  *d = (Declared){
    .plugin = {.size = sizeof d->plugin,
               .abi = FV_ABI,
               .name = "declared",
               .version = "1.0",
               .ops = d->ops,
               .readers = d->readers},
    .ops = {&d->op},
    .op = {FV_OP (sound_args), .key = "declared", .menu = "Process/Filters", .label = "Declared...", .help = "Nothing.",
           .kind = FV_GLOBAL, .inputs = d->inputs, .outputs = d->outputs, .scalars = d->scalars, .params = d->params,
           .imagej = d->imagej, .columns = d->columns, .run = {[FV_CPU] = run}},
    .imagej = {{.command = "Declare...",
                .args = "method=fast",
                .needs = "amount=",
                .words = d->words,
                .images = FV_IMAGEJ_ANY,
                .mask = true}},
    .words = {{"amount=", "amount="}, {"on", "on=yes"}, {"stack", ""}},
    .columns = {{"area", "Area"}},
    .inputs = {{"image", "Image", "The image.", FV_ANY_TYPE, false},
               {"mask", "Mask", NULL, FV_U8 | FV_WANTS_MASK, true}},
    .outputs = {{"image", "Image"}},
    .scalars = {{"level", "Level", "The level.", FV_COLUMN_FLOAT}},
    .params = {{FV_FIELD (sound_args, on), .label = "On", .help = "On."},
               {FV_FIELD (sound_args, method), .label = "Method", .help = "How.", .choices = d->methods},
               {FV_FIELD (sound_args, amount), .label = "Amount", .help = "How much.", .unit = "%", .min = 1, .max = 10,
                .def = 5, .soft_min = 2, .soft_max = 8, .scale = FV_LOG, .enabled = "method=slow|fast"},
               {FV_FIELD (sound_args, measures), .label = "Measures", .help = "What.", .choices = d->measures,
                .def_text = "area"},
               {FV_FIELD (sound_args, kernel), .label = "Kernel", .help = "With what.", .def_text = "1 2; 3 4",
                .enabled = "on=yes"},
               {FV_FIELD (sound_args, text), .label = "Text", .help = "Words.", .def_text = "abc",
                .enabled = "amount=5"}},
    .methods = {{"slow", "Slow", NULL}, {"fast", "Fast", "At once."}},
    .measures = {{"area", "Size/Area", NULL}, {"axis-0", "Axis", NULL}},
    .devices = {&d->device},
    .reader = {.size = sizeof d->reader,
               .key = "declared",
               .label = "Declared",
               .endings = "decl,decl.gz",
               .mime = "image/x-decl",
               .is = reader_is,
               .open = reader_open,
               .close = reader_close,
               .image = reader_image,
               .read = reader_read},
    .readers = {&d->reader},
  };
  d->other = d->reader;
  d->device = *modules_device (test_modules (), "cpu", NULL)->fv;
  d->device.key = "other:0";
}

static char endless[1 << 20]; /* text without an end, and what lies behind */

static const fv_models short_models = {.size = 4};
static const fv_models mute_models = {sizeof (fv_models), .folder = "models"};

enum { ON, METHOD, AMOUNT, MEASURES, KERNEL, TEXT };

#define CASES(CASE)                                                                                                    \
  CASE ("plugin-major", d->plugin.abi = FV_ABI + (1u << 16), "it was built for ABI 1.9, this program has ABI 0.9")     \
  CASE ("plugin-minor", d->plugin.abi = FV_ABI - 1, "it was built for ABI 0.8, this program has ABI 0.9")              \
  CASE ("plugin-size", d->plugin.size = 16, "struct sizes")                                                            \
  CASE ("plugin-size-huge", d->plugin.size = 1u << 31, "struct sizes")                                                 \
  CASE ("plugin-name", d->plugin.name = endless, "its name has no end")                                                \
  CASE ("plugin-version", d->plugin.version = "1\033[2J", "its version holds a control character")                     \
  CASE ("plugin-no-operations", d->plugin.ops = NULL, "no list of operations")                                         \
  CASE ("reader-size", d->reader.size = 16, "reader '?': its struct sizes are wrong: fv_reader has 16 bytes")          \
  CASE ("reader-key", d->reader.key = "Declared", "reader '?': its key is not lower_snake_case")                       \
  CASE ("reader-key-taken", d->readers[1] = &d->other, "the key 'declared' of a reader is already taken")              \
  CASE ("reader-label", d->reader.label = NULL, "reader 'declared': it has no label")                                  \
  CASE ("reader-no-endings", d->reader.endings = NULL, "it has no endings")                                            \
  CASE ("reader-endings-dot", d->reader.endings = ".decl", "its endings are not like 'pfm,tar.gz'")                    \
  CASE ("reader-endings-capitals", d->reader.endings = "decl,DECL", "its endings are not like")                        \
  CASE ("reader-endings-empty", d->reader.endings = "decl,", "its endings are not like")                               \
  CASE ("reader-endings-endless", d->reader.endings = endless, "its endings has no end within 4096 bytes")             \
  CASE ("reader-mime", d->reader.mime = "image/", "its media types are not like 'image/x-pfm'")                        \
  CASE ("reader-no-is", d->reader.is = NULL, "it has no is()")                                                         \
  CASE ("reader-no-open", d->reader.open = NULL, "it has no open()")                                                   \
  CASE ("reader-no-close", d->reader.close = NULL, "it has no close()")                                                \
  CASE ("reader-no-image", d->reader.image = NULL, "it has no image()")                                                \
  CASE ("reader-no-read", d->reader.read = NULL, "reader 'declared': it has no read()")                                \
  CASE ("op-size", d->op.size = 8, "struct sizes are wrong: fv_op has 8 bytes")                                        \
  CASE ("op-size-huge", d->op.size = 4104, "fv_op has 4104 bytes")                                                     \
  CASE ("scalar-size-none", d->op.scalar_size = 0, "fv_scalar has 0 bytes")                                            \
  CASE ("choice-size-short", d->op.choice_size = 16, "fv_choice has 16 bytes, not 24")                                 \
  CASE ("input-size-short", d->op.input_size = 8, "fv_input has 8 bytes")                                              \
  CASE ("output-size-odd", d->op.output_size += 1, "fv_output has")                                                    \
  CASE ("param-size-huge", d->op.param_size = 4000000000u, "fv_param has 4000000000 bytes")                            \
  CASE ("param-size-short", d->op.param_size = 16, "fv_param has 16 bytes")                                            \
  CASE ("args-huge", d->op.args_size = 4294967295u, "its argument struct of 4294967295 bytes is larger than 1048576")  \
  CASE ("args-none", d->op.args_size = 0, "no argument struct")                                                        \
  CASE ("key-endless", d->op.key = endless, "its key has no end within 64 bytes")                                      \
  CASE ("key-none", d->op.key = NULL, "its key")                                                                       \
  CASE ("key-of-the-recorder", d->op.key = "undo", "reserved word")                                                    \
  CASE ("key-of-the-steps", d->op.key = "skip", "reserved word")                                                       \
  CASE ("label-endless", d->op.label = endless, "its label has no end within 256 bytes")                               \
  CASE ("label-empty", d->op.label = "", "it has no label")                                                            \
  CASE ("help-endless", d->op.help = endless, "its help has no end within 4096 bytes")                                 \
  CASE ("help-not-utf8", d->op.help = "\xff", "its help is not UTF-8")                                                 \
  CASE ("cite-lines", d->op.cite = "a\nb", "its citation holds a control character")                                   \
  CASE ("search-lines", d->op.search = "a\nb", "its search text holds a control character")                            \
  CASE ("menu-empty-part", d->op.menu = "Process//Filters", "has an empty part")                                       \
  CASE ("kind", d->op.kind = 77, "its kind is unknown")                                                                \
  CASE ("local-without-halo", d->op.kind = FV_LOCAL, "no halo")                                                        \
  CASE ("reads-back", memset (&d->op.reads_back, 7, 1), "reads_back")                                                  \
  CASE ("part", d->op.part = 9, "what it makes of a part is unknown")                                                  \
  CASE ("part-without-scalars", (d->op.part = FV_PART_GIVEN, d->op.scalars = NULL),                                    \
        "it cannot be given scalars, because it declares none")                                                        \
  CASE ("runs-nowhere", d->op.run[FV_CPU] = NULL, "runs on no device")                                                 \
  CASE ("inputs-none", d->op.inputs = NULL, "it needs no input, and has no infer()")                                   \
  CASE ("inputs-none-needed", (d->inputs[0].optional = true, d->inputs[1].key = NULL), "it needs no input")            \
  CASE ("inputs-endless", fill_inputs (d), "it has more than 16 inputs")                                               \
  CASE ("outputs-endless", fill_outputs (d), "it has more than 16 outputs")                                            \
  CASE ("input-twice", d->inputs[1].key = "image", "input 'image': its key occurs twice")                              \
  CASE ("input-reserved", d->inputs[1].key = "from", "input 'from': its key is a reserved word")                       \
  CASE ("input-key", d->inputs[1].key = endless, "input 2: its key has no end")                                        \
  CASE ("input-types", d->inputs[1].types = 0, "it has no types")                                                      \
  CASE ("input-types-unknown", d->inputs[1].types = 1u << 9, "it has no types, or unknown ones")                       \
  CASE ("input-table-first", d->inputs[0].types = FV_WANTS_TABLE, "the first input is an image, never a table")        \
  CASE ("input-table-and-image", d->inputs[1].types = FV_U8 | FV_WANTS_TABLE, "it has no types, or unknown ones")      \
  CASE ("input-wants-both", d->inputs[1].types |= FV_WANTS_LABELS, "more than one of labels, a mask")                  \
  CASE ("input-wants-calibrated-of-u8", d->inputs[1].types = FV_U8 | FV_WANTS_CALIBRATED,                              \
        "calibrated values but not f32")                                                                               \
  CASE ("input-wants-labels-of-u8", d->inputs[1].types = FV_U8 | FV_WANTS_LABELS, "labels but not i32")                \
  CASE ("input-wants-mask-of-u16", d->inputs[1].types = FV_U16 | FV_WANTS_MASK, "mask but not u8")                     \
  CASE ("input-optional", memset (&d->inputs[1].optional, 255, 1), "neither true nor false")                           \
  CASE ("input-first-optional", d->inputs[0].optional = true, "the first of several inputs is never optional")         \
  CASE ("output-key", d->outputs[0].key = "Image", "output 1: its key is not lower_snake_case")                        \
  CASE ("scalar-type", d->scalars[0].type = 9, "scalar 'level': its type is unknown")                                  \
  CASE ("scalar-label", d->scalars[0].label = NULL, "scalar 'level': it has no label")                                 \
  CASE ("param-reserved", d->params[ON].key = "skip", "parameter 'skip': its key is a reserved word")                  \
  CASE ("param-twice", d->params[METHOD].key = "on", "its key occurs twice")                                           \
  CASE ("param-of-input", d->params[ON].key = "mask", "its key is also the name of an input")                          \
  CASE ("param-help", d->params[ON].help = endless, "its help has no end")                                             \
  CASE ("param-unit", d->params[AMOUNT].unit = endless, "its unit has no end")                                         \
  CASE ("param-advanced", memset (&d->params[ON].advanced, 9, 1), "its advanced is neither true nor false")            \
  CASE ("param-ordinal", d->params[AMOUNT].ordinal = true, "only an integer")                                          \
  CASE ("param-type", d->params[ON].type = 8, "its type is unknown")                                                   \
  CASE ("field-outside", d->params[AMOUNT].offset = sizeof (sound_args), "outside the argument struct")                \
  CASE ("field-wraps", d->params[AMOUNT].offset = 4294967288u, "outside the argument struct")                          \
  CASE ("field-size", d->params[AMOUNT].capacity = 16, "does not have the size of its type")                           \
  CASE ("text-without-room", d->params[TEXT].capacity = 0, "does not have the size of its type")                       \
  CASE ("field-misaligned", d->params[AMOUNT].offset = 3, "its field is not aligned")                                  \
  CASE ("field-overlaps", d->params[AMOUNT].offset = 0, "its field overlaps that of 'on'")                             \
  CASE ("default-nan", d->params[AMOUNT].def = NAN, "not a finite number")                                             \
  CASE ("default-infinite", d->params[AMOUNT].def = INFINITY, "not a finite number")                                   \
  CASE ("soft-infinite", d->params[AMOUNT].soft_max = INFINITY, "not a finite number")                                 \
  CASE ("range-nan", d->params[AMOUNT].max = NAN, "its range is empty or not a number")                                \
  CASE ("range-below-all", d->params[AMOUNT].max = -INFINITY, "its range is empty or not a number")                    \
  CASE ("range-above-all", d->params[AMOUNT].min = INFINITY, "its range is empty or not a number")                     \
  CASE ("open-range-closed", d->params[AMOUNT].open = true, "only a number with an infinite end")                      \
  CASE ("open-integer", (d->params[METHOD].max = INFINITY, d->params[METHOD].open = true),                             \
        "only a number with an inf")                                                                                   \
  CASE ("open-bool", memset (&d->params[AMOUNT].open, 7, 1), "its open is neither true nor false")                     \
  CASE ("file-number", d->params[AMOUNT].file = true, "it is a file, and no text")                                     \
  CASE ("file-bool", memset (&d->params[TEXT].file, 7, 1), "its file is neither true nor false")                       \
  CASE ("models-of-text", d->params[TEXT].models = &mute_models, "it has models, and must be a file")                  \
  CASE ("models-short", (d->params[TEXT].file = true, d->params[TEXT].models = &short_models),                         \
        "its fv_models has 4 bytes, and needs")                                                                        \
  CASE ("models-mute", (d->params[TEXT].file = true, d->params[TEXT].models = &mute_models), "no names, endings, ")    \
  CASE ("alias-key", d->params[AMOUNT].aliases = "old,Older", "alias 'Older': its key is not lower_snake_case")        \
  CASE ("alias-empty", d->params[AMOUNT].aliases = "old,,older", "alias '': its key is not lower_snake_case")          \
  CASE ("alias-endless", d->params[AMOUNT].aliases = endless, "its list of aliases has no end")                        \
  CASE ("alias-reserved", d->params[AMOUNT].aliases = "skip", "alias 'skip': its key is a reserved word")              \
  CASE ("alias-of-input", d->params[AMOUNT].aliases = "mask", "its alias is also the name of an input")                \
  CASE ("alias-of-key", d->params[AMOUNT].aliases = "on", "its alias 'on' is also one of 'on'")                        \
  CASE ("alias-before-key", d->params[ON].aliases = "amount", "its key 'amount' is also one of 'on'")                  \
  CASE ("op-alias-verb", d->op.aliases = "undo", "alias 'undo': its key is a reserved word")                           \
  CASE ("op-alias-taken", d->op.aliases = "older,gaussian", "'gaussian' is already taken by fovea-kernels")            \
  CASE ("range-empty", d->params[AMOUNT].min = 11, "its range is empty")                                               \
  CASE ("range-too-wide", widen (&d->params[METHOD]), "wider than its type")                                           \
  CASE ("soft-outside", d->params[AMOUNT].soft_max = 11, "soft range")                                                 \
  CASE ("soft-empty", d->params[AMOUNT].soft_max = 2, "soft range")                                                    \
  CASE ("scale", d->params[AMOUNT].scale = 5, "its scale is unknown")                                                  \
  CASE ("scale-log-of-zero", d->params[AMOUNT].soft_min = d->params[AMOUNT].min = 0, "logarithmic")                    \
  CASE ("default-outside", d->params[AMOUNT].def = 20, "amount must be from 1 to 10 %, not 20")                        \
  CASE ("default-text-endless", d->params[TEXT].def_text = endless, "its default has no end")                          \
  CASE ("default-text-long", d->params[TEXT].def_text = "12345678", "has room for 7 bytes")                            \
  CASE ("default-set", d->params[MEASURES].def_text = "volume", "measures cannot be 'volume'")                         \
  CASE ("choices-none", d->params[MEASURES].choices = NULL, "it has no choices")                                       \
  CASE ("choices-empty", d->params[MEASURES].choices = &d->measures[2], "1 to 256 choices")                            \
  CASE ("choices-of-number", d->params[AMOUNT].choices = d->methods, "its type cannot have choices")                   \
  CASE ("choice-default", d->params[METHOD].def = 2, "not one of its choices")                                         \
  CASE ("choice-default-half", d->params[METHOD].def = 0.5, "not one of its choices")                                  \
  CASE ("choice-twice", d->methods[1].key = "SLOW", "choice 2: its key occurs twice")                                  \
  CASE ("choice-label", d->methods[0].label = NULL, "choice 1: it has no label")                                       \
  CASE ("choice-key", d->measures[0].key = "area,volume", "holds more than letters")                                   \
  CASE ("choice-key-endless", d->methods[0].key = endless, "choice 1: its key has no end")                             \
  CASE ("choice-all", d->measures[1].key = "all", "reserved word")                                                     \
  CASE ("enabled-endless", d->params[AMOUNT].enabled = endless, "its condition has no end")                            \
  CASE ("enabled-no-value", d->params[AMOUNT].enabled = "method", "is not NAME=VALUE")                                 \
  CASE ("enabled-unknown", d->params[AMOUNT].enabled = "methode=slow", "names no other parameter")                     \
  CASE ("enabled-itself", d->params[AMOUNT].enabled = "amount=5", "names no other parameter")                          \
  CASE ("enabled-never", d->params[AMOUNT].enabled = "method=slow|faster", "contains 'faster', which method never is") \
  CASE ("enabled-empty", d->params[AMOUNT].enabled = "method=", "contains '', which method never is")                  \
  CASE ("enabled-bool", d->params[AMOUNT].enabled = "on=true", "contains 'true', which on never is")                   \
  CASE ("enabled-number", d->params[TEXT].enabled = "amount=5.0", "contains '5.0', which amount never is")             \
  CASE ("enabled-second", d->params[AMOUNT].enabled = "method=slow & on", "is not NAME=VALUE")                         \
  CASE ("enabled-second-never", d->params[AMOUNT].enabled = "method=slow&on=maybe",                                    \
        "contains 'maybe', which on never is")                                                                         \
  CASE ("enabled-none", d->params[AMOUNT].enabled = "method=slow &", "is not NAME=VALUE")                              \
  CASE ("enabled-set", d->params[TEXT].enabled = "measures=area", "contains 'area', which measures never is")          \
  CASE ("trait-unknown", d->op.traits = 1u << 30, "its traits have unknown bits")                                      \
  CASE ("trait-measures-no-table", d->op.traits = FV_MEASURES_OBJECTS, "its trait FV_MEASURES_OBJECTS needs a table")  \
  CASE ("trait-measures-no-labels", (d->op.traits = FV_MEASURES_OBJECTS, d->op.kind = FV_TABLE),                       \
        "FV_MEASURES_OBJECTS needs labels as its first input")                                                         \
  CASE ("trait-edits-no-labels", d->op.traits = FV_EDITS_LABELS, "FV_EDITS_LABELS needs labels as its first input")    \
  CASE ("trait-edits-no-commands", with_labels (d)->traits = FV_EDITS_LABELS, "a parameter of its type 'commands'")    \
  CASE ("trait-edits-no-text",                                                                                         \
        (with_labels (d)->traits = FV_EDITS_LABELS, d->params[ON].key = "commands", d->params[KERNEL].enabled = NULL), \
        "a parameter of its type 'commands'")                                                                          \
  CASE ("trait-edits-no-count", (with_labels (d)->traits = FV_EDITS_LABELS, d->params[TEXT].key = "commands"),         \
        "needs the scalar 'missed'")                                                                                   \
  CASE ("trait-thresholds", d->op.traits = FV_THRESHOLDS, "FV_THRESHOLDS needs the scalar 'threshold'")                \
  CASE ("trait-thresholds-first",                                                                                      \
        (d->op.traits = FV_THRESHOLDS, d->scalars[1] = (fv_scalar){"threshold", "T", NULL, FV_COLUMN_FLOAT}),          \
        "FV_THRESHOLDS needs the scalar 'threshold'")                                                                  \
  CASE ("trait-channel", d->op.traits = FV_PICKS_CHANNEL, "FV_PICKS_CHANNEL needs a parameter of its type 'index'")    \
  CASE ("trait-calibrates", without_outputs (d)->traits = FV_CALIBRATES, "FV_CALIBRATES needs an output")              \
  CASE ("trait-arranges", without_outputs (d)->traits = FV_ARRANGES_PLANES, "FV_ARRANGES_PLANES needs an output")      \
  CASE ("trait-compares", (d->op.traits = FV_COMPARES_CHANNELS, d->op.kind = FV_TABLE),                                \
        "needs the next optional input 'second'")                                                                      \
  CASE ("trait-compares-one",                                                                                          \
        (d->op.traits = FV_COMPARES_CHANNELS, d->op.kind = FV_TABLE, d->inputs[1].key = "second"),                     \
        "needs the next optional input 'mask'")                                                                        \
  CASE ("trait-box", d->op.traits = FV_TAKES_BOX, "FV_TAKES_BOX needs a parameter of its type 'x'")                    \
  CASE ("trait-segment", d->op.traits = FV_TAKES_SEGMENT, "FV_TAKES_SEGMENT needs a parameter of its type 'x1'")       \
  CASE ("trait-point", (d->op.traits = FV_TAKES_POINT, d->params[AMOUNT].key = "x", d->params[TEXT].enabled = NULL),   \
        "FV_TAKES_POINT needs a parameter of its type 'y'")                                                            \
  CASE ("trait-line", (d->op.traits = FV_TAKES_LINE, d->params[ON].key = "points", d->params[KERNEL].enabled = NULL),  \
        "FV_TAKES_LINE needs a parameter of its type 'points'")                                                        \
  CASE ("imagej-size", d->op.imagej_size = 8, "fv_imagej has 8 bytes")                                                 \
  CASE ("imagej-endless", d->imagej[0].command = endless, "command of ImageJ 1: its name has no end")                  \
  CASE ("imagej-twice", d->imagej[1] = d->imagej[0], "its key occurs twice")                                           \
  CASE ("imagej-taken", d->imagej[0].command = "Median...", "ImageJ's 'Median...' is already taken")                   \
  CASE ("imagej-args-unknown", d->imagej[0].args = "methode=fast", "'methode=fast' are not its arguments")             \
  CASE ("imagej-args-word", d->imagej[0].args = "fast", "'fast' is not NAME=VALUE")                                    \
  CASE ("imagej-args-twice", d->imagej[0].args = "method=fast method=slow", "are not its arguments")                   \
  CASE ("imagej-args-quote", d->imagej[0].args = "method='fast", "are not its arguments")                              \
  CASE ("imagej-needs", d->imagej[0].needs = "level=", "it needs the word 'level=', which it does not have")           \
  CASE ("imagej-word-empty", d->words[1].theirs = "", "it has no word")                                                \
  CASE ("imagej-word-nothing", d->words[1].ours = NULL, "the word 'on' says nothing of the step")                      \
  CASE ("imagej-word-value", d->words[1].ours = "amount=", "the word 'on' has no value for 'amount='")                 \
  CASE ("imagej-word-parameter", d->words[0].ours = "sigma=", "a parameter 'sigma' that it does not have")             \
  CASE ("imagej-word-argument", d->words[1].ours = "on=maybe", "'on=maybe' are not its arguments")                     \
  CASE ("imagej-words-endless", d->imagej[0].words = many_words (), "more than 256 words, or their list has no end")   \
  CASE ("imagej-images", d->imagej[0].images = 64, "its kinds of images have unknown bits")                            \
  CASE ("imagej-rounded", d->imagej[0].rounded = 64, "its kinds of images have unknown bits")                          \
  CASE ("imagej-area", d->imagej[0].area = 9, "its area, slices or range is unknown")                                  \
  CASE ("imagej-slices", d->imagej[0].slices = 9, "its area, slices or range is unknown")                              \
  CASE ("imagej-range", d->imagej[0].range = 9, "its area, slices or range is unknown")                                \
  CASE ("imagej-differs", d->imagej[0].differs = "a\nb", "its difference holds a control character")                   \
  CASE ("imagej-mask", without_outputs (d)->traits = 0, "it has no output to be shown as a mask")                      \
  CASE ("imagej-mask-bool", memset (&d->imagej[0].mask, 7, 1), "its mask is neither true nor false")                   \
  CASE ("column-key", d->columns[0].key = "Area", "name of a column 1: its key is not lower_snake_case")               \
  CASE ("column-twice", d->columns[1] = d->columns[0], "name of a column 'area': its key occurs twice")                \
  CASE ("column-name", d->columns[0].imagej = "a\nb", "its name in ImageJ holds a control character")                  \
  CASE ("columns-endless", d->op.columns = many_columns (),                                                            \
        "more than 4096 names of columns, or their list has no end")                                                   \
  CASE ("device-size", with_device (d)->size = 0, "fv_device has 0 bytes")                                             \
  CASE ("device-key", with_device (d)->key = "Other 0", "its key is not like")                                         \
  CASE ("device-key-number", with_device (d)->key = "other:", "its key is not like")                                   \
  CASE ("device-key-letters", with_device (d)->key = "other:a", "its key is not like")                                 \
  CASE ("device-key-end", with_device (d)->key = "other:0x", "its key is not like")                                    \
  CASE ("device-key-twice", with_device (d)->key = "other:0:1", "its key is not like")                                 \
  CASE ("device-key-name", with_device (d)->key = ":0", "its key is not like")                                         \
  CASE ("device-key-endless", with_device (d)->key = endless, "its key has no end")                                    \
  CASE ("device-key-taken", with_device (d)->key = "cpu", "device 'cpu' already exists")                               \
  CASE ("device-twice", (with_device (d), d->devices[1] = &d->device), "it has two devices 'other:0'")                 \
  CASE ("device-name", with_device (d)->name = NULL, "device 'other:0': it has no name")                               \
  CASE ("device-kind", with_device (d)->kind = 4, "its kind is unknown")                                               \
  CASE ("device-functions", with_device (d)->copy = NULL, "neither all functions nor a fault")

static fv_op *
with_labels (Declared *d)
{
  d->inputs[0].types = FV_I32 | FV_WANTS_LABELS;
  return &d->op;
}

static fv_op *
without_outputs (Declared *d)
{
  d->op.kind = FV_TABLE;
  d->op.outputs = NULL;
  return &d->op;
}

static const fv_imagej_word *
many_words (void)
{
  static fv_imagej_word words[300];
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    words[i] = (fv_imagej_word){"stack", ""};
  return words;
}

static const fv_column_name *
many_columns (void)
{
  static fv_column_name columns[5000];
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    columns[i] = (fv_column_name){"area", "Area"};
  return columns;
}

static void
fill_inputs (Declared *d)
{
  for (guint i = 2; i < G_N_ELEMENTS (d->inputs); i++)
    d->inputs[i] = d->inputs[1];
}

static void
fill_outputs (Declared *d)
{
  for (guint i = 1; i < G_N_ELEMENTS (d->outputs); i++)
    d->outputs[i] = d->outputs[0];
}

static void
widen (fv_param *p)
{
  p->choices = NULL;
  p->max = 1e10;
}

static fv_device *
with_device (Declared *d)
{
  d->plugin.devices = d->devices;
  return &d->device;
}

/* Nothing of a plugin that is refused stays. */
static void
check_refused (const Declared *d, const char *word)
{
  g_autoptr (Modules) modules = modules_new_shipped ();
  guint ops = modules_ops (modules)->len, devices = modules_devices (modules)->len,
        readers = modules_readers (modules)->len;
  g_autoptr (GError) error = NULL;
  g_assert_false (modules_add (modules, &d->plugin, &error));
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, word));
  g_assert_cmpuint (strlen (error->message), <, 5000);
  g_assert_cmpuint (modules_ops (modules)->len, ==, ops);
  g_assert_cmpuint (modules_devices (modules)->len, ==, devices);
  g_assert_cmpuint (modules_readers (modules)->len, ==, readers);
}

#define REFUSED_WORD(NAME, CHANGE, WORD) {NAME, WORD},
static const struct {
  const char *name, *word;
} cases[] = {CASES (REFUSED_WORD)};

static void
change (Declared *d, const char *name)
{
#define CHANGE_IF(NAME, CHANGE, WORD)                                                                                  \
  if (!strcmp (name, NAME))                                                                                            \
    (void) (CHANGE);
  CASES (CHANGE_IF)
}

static void
test_refused (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autofree Declared *d = g_new (Declared, 1);
  declare (d);
  change (d, cases[i].name);
  check_refused (d, cases[i].word);
}

/* What all the others are one change away from, with every argument written and read back. */
static void
test_sound (void)
{
  g_autofree Declared *d = g_new (Declared, 1);
  g_autoptr (Modules) modules = modules_new_shipped ();
  g_autoptr (GError) error = NULL;
  declare (d);
  with_device (d);
  modules_add (modules, &d->plugin, &error);
  g_assert_no_error (error);
  const Op *op = modules_op (modules, "declared", &error);
  g_assert_no_error (error);
  g_autofree gpointer args = args_new (op, &error);
  g_assert_cmpuint (op->n_params, ==, 6);
  const GPtrArray *readers = modules_readers (modules);
  const Reader *reader = readers->pdata[readers->len - 1];
  g_assert_cmpstr (reader->endings[1], ==, "decl.gz");
  g_assert_cmpstr (reader->mime[0], ==, "image/x-decl");
  g_assert_cmpstr (op_imagej (op, "Declare...")->args, ==, "method=fast");
  g_assert_null (op_imagej (op, "Declare"));
  g_assert_true (args_set (op, args, "method", "fast", &error));
  g_assert_true (args_enabled (op, args, args_param (op, "amount")));
  g_assert_false (args_enabled (op, args, args_param (op, "kernel")));
  g_autofree char *text = args_format (op, args, NULL);
  g_assert_cmpstr (text, ==, "method=fast");
}

/* Below 1.0 nothing is promised from one minor version to the next; from then on all of a major go together. */
static void
test_versions (void)
{
  static const struct {
    guint32 theirs, ours;
    gboolean fit;
  } versions[] = {{0x00009, 0x00009, TRUE},  {0x00008, 0x00009, FALSE}, {0x0000a, 0x00009, FALSE},
                  {0x10000, 0x00009, FALSE}, {0x10000, 0x10003, TRUE},  {0x10003, 0x10000, TRUE},
                  {0x00009, 0x10009, FALSE}, {0x20000, 0x10000, FALSE}};
  for (guint i = 0; i < G_N_ELEMENTS (versions); i++)
    g_assert_cmpint (module_check_abi (versions[i].theirs, versions[i].ours, NULL), ==, versions[i].fit);
}

/* One with a newer header: longer structs are walked with its own sizes. */
static void
test_minors (void)
{
  g_autofree Declared *d = g_new (Declared, 1);
  struct {
    fv_choice choice;
    gint64 news;
  } methods[3] = {{{"slow", "Slow", NULL}, -1}, {{"fast", "Fast", NULL}, -1}, {{NULL, NULL, NULL}, -1}};
  struct {
    fv_scalar scalar;
    gint64 news;
  } longer[3] = {{{"level", "Level", NULL, FV_COLUMN_FLOAT}, -1},
                 {{"spread", "Spread", NULL, FV_COLUMN_FLOAT}, -1},
                 {{NULL, NULL, NULL, 0}, -1}};
  declare (d);
  d->plugin.size += 8;
  d->op.size += 8;
  d->op.scalars = (const fv_scalar *) longer;
  d->op.scalar_size = sizeof longer[0];
  d->params[METHOD].choices = d->params[MEASURES].choices = (const fv_choice *) methods;
  d->params[MEASURES].def_text = "fast";
  d->op.choice_size = sizeof methods[0];
  g_assert_true (module_check_plugin (&d->plugin, NULL));
  Op *op = module_check_op (&d->op, &d->plugin, NULL);
  g_assert_cmpuint (op->fv.size, ==, sizeof (fv_op));
  g_assert_cmpuint (op->n_scalars, ==, 2);
  g_assert_cmpstr (op->fv.scalars[1].key, ==, "spread");
  g_assert_cmpstr (op->fv.params[METHOD].choices[1].key, ==, "fast");
  g_assert_null (op->fv.params[METHOD].choices[2].key);
  op_free (op);
}

/* As many choices as a set has bits, and no more. */
static void
test_max_choices (void)
{
  g_autofree Declared *d = g_new (Declared, 1);
  g_autofree fv_choice *choices = g_new0 (fv_choice, 258);
  char keys[257][8];
  for (guint i = 0; i < 257; i++) {
    g_snprintf (keys[i], sizeof keys[i], "c%u", i);
    choices[i] = (fv_choice){keys[i], "Choice", NULL};
  }
  declare (d);
  d->params[MEASURES].choices = choices;
  d->params[MEASURES].def_text = "c255";
  check_refused (d, "256 choices");
  choices[256].key = NULL;
  Op *op = module_check_op (&d->op, &d->plugin, NULL);
  g_assert_cmpstr (op->fv.params[MEASURES].choices[255].key, ==, "c255");
  op_free (op);
}

/* 256 scalars and no more. */
static void
test_max_scalars (void)
{
  g_autofree Declared *d = g_new (Declared, 1);
  g_autofree fv_scalar *scalars = g_new0 (fv_scalar, 258);
  char keys[257][8];
  for (guint i = 0; i < 257; i++) {
    g_snprintf (keys[i], sizeof keys[i], "s%u", i);
    scalars[i] = (fv_scalar){keys[i], "Scalar", NULL, FV_COLUMN_FLOAT};
  }
  declare (d);
  d->op.scalars = scalars;
  check_refused (d, "256");
  scalars[256].key = NULL;
  Op *op = module_check_op (&d->op, &d->plugin, NULL);
  g_assert_cmpuint (op->n_scalars, ==, 256);
  op_free (op);
}

/* 256 parameters and no more. */
static void
test_max_params (void)
{
  g_autofree Declared *d = g_new (Declared, 1);
  g_autofree fv_param *params = g_new0 (fv_param, 258);
  char keys[257][8];
  for (guint i = 0; i < 257; i++) {
    g_snprintf (keys[i], sizeof keys[i], "p%u", i);
    params[i] = (fv_param){.key = keys[i],
                           .label = "Parameter",
                           .help = "A parameter.",
                           .type = FV_BOOL,
                           .offset = i,
                           .capacity = sizeof (bool)};
  }
  declare (d);
  d->op.imagej = NULL; /* it has arguments of the parameters that are no longer there */
  d->op.params = params;
  d->op.args_size = 257;
  check_refused (d, "256");
  params[256].key = NULL;
  g_autoptr (GError) error = NULL;
  Op *op = module_check_op (&d->op, &d->plugin, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (op->n_params, ==, 256);
  op_free (op);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  memset (endless, 'a', sizeof endless);
  g_test_add_func ("/module-check/sound", test_sound);
  g_test_add_func ("/module-check/versions", test_versions);
  g_test_add_func ("/module-check/minors", test_minors);
  g_test_add_func ("/module-check/most-choices", test_max_choices);
  g_test_add_func ("/module-check/most-scalars", test_max_scalars);
  g_test_add_func ("/module-check/most-params", test_max_params);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = g_strdup_printf ("/module-check/refused/%s", cases[i].name);
    g_test_add_data_func (path, GUINT_TO_POINTER (i), test_refused);
  }
  return g_test_run ();
}
