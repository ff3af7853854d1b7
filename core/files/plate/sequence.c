/* SPDX-License-Identifier: MIT
 */
#include "core/files/plate/sequence.h"

#include "core/base/error.h"
#include "core/base/name_pattern.h"
#include "core/files/plate/meanings.h"

#include <math.h>
#include <string.h>

/* As PlateAs. */
static const fv_choice as_choices[] = {
  {"stack", "One stack", "All files in the order of their numbers."},
  {"parts", "By the parts of names", "Numbers and words in the names say which slice, channel, frame, field and well."},
  {"pattern", "By a pattern", "The pattern is typed."},
  {"images", "Separate images", "Each file is an image, for a look at all and for a batch."},
  {0},
};

enum { ALONG_SLICES, ALONG_FRAMES, ALONG_CHANNELS };

static const fv_choice along_choices[] = {
  {"slices", "Slices", "The files are planes of a volume."},
  {"frames", "Frames", "The files are time points."},
  {"channels", "Channels", "The files are channels."},
  {0},
};

/* As PlatePart, but for the last. */
static const fv_choice part_choices[] = {
  {"well", "Wells", "The well of a plate, such as B02, or another name."},
  {"row", "Rows of a plate", "Letters or numbers; with columns."},
  {"column", "Columns of a plate", "Numbers; with rows."},
  {"field", "Fields", "Fields of view or positions: an image each."},
  {"channel", "Channels", "Channels of an image; words are their names."},
  {"z", "Slices", "Planes of a volume."},
  {"t", "Frames", "Time points."},
  {"nothing", "Nothing", "It may differ and says nothing."},
  {0},
};

#define PART(N)                                                                                                        \
  {                                                                                                                    \
    FV_FIELD (PlateSequence, part##N), .label = "Part", .choices = part_choices, .def_text = "nothing",                \
                                       .enabled = "as=parts", .help = "What this part of the names means."             \
  }
#define PICK(NAME, LABEL)                                                                                              \
  {                                                                                                                    \
    FV_FIELD (PlateSequence, NAME),                                                                                    \
      .label = LABEL, .def_text = "", .enabled = "as=parts",                                                           \
      .help = "Only these, counted from 1 in their order: 5, 1-20, 1-20-2 or 1-end-2; empty: all."                     \
  }

static const fv_param params[] = {
  {FV_FIELD (PlateSequence, as), .label = "Open as", .choices = as_choices, .help = "What the files are together."},
  {FV_FIELD (PlateSequence, names), .label = "Names with", .def_text = "", .enabled = "as=stack|parts",
   .help = "Only files whose names contain this text; * is any text, ? one character. Empty: all."},
  {FV_FIELD (PlateSequence, along), .label = "Files are", .choices = along_choices, .enabled = "as=stack",
   .help = "What each file of the stack is."},
  {FV_FIELD (PlateSequence, first), .label = "First", .def = 1, .min = 1, .max = INFINITY, .enabled = "as=stack",
   .help = "The first file, counted from 1 in the order of the numbers in names: 2 before 10."},
  {FV_FIELD (PlateSequence, count), .label = "Count", .max = INFINITY, .enabled = "as=stack",
   .help = "How many files at most; empty: all."},
  {FV_FIELD (PlateSequence, step), .label = "Step", .def = 1, .min = 1, .max = INFINITY, .enabled = "as=stack",
   .help = "2 takes every second file."},
  PART (1),
  PART (2),
  PART (3),
  PART (4),
  PART (5),
  PART (6),
  PART (7),
  PART (8),
  PICK (slices, "Slices"),
  PICK (channels, "Channels"),
  PICK (frames, "Frames"),
  {FV_FIELD (PlateSequence, pattern), .label = "Pattern", .def_text = "", .enabled = "as=pattern",
   .help = "Names in braces are what differs, such as {well}_s{field}_w{channel}.tif, t{t}/{z}.tif or "
           "{z:1-20=*DAPI*}.tif. {_} means nothing."},
  {0},
};

enum { PARTS_AT = 6 /* in params */, PICKS_AT = PARTS_AT + PLATE_NAMES_PARTS };

const Op *
plate_sequence_op (void)
{
  static const Op op = {.fv = {.key = "sequence", .args_size = sizeof (PlateSequence), .params = params},
                        .n_params = G_N_ELEMENTS (params) - 1};
  return &op;
}

int
plate_sequence_part (const fv_param *param)
{
  const int at = (int) (((gsize) param->offset - G_STRUCT_OFFSET (PlateSequence, part1)) / sizeof (int32_t));
  return param->choices == part_choices ? at : -1;
}

/* ---- Parts ---- */

static int32_t *
chosen (PlateSequence *self, guint part)
{
  return &self->part1 + part;
}

static PlatePart
meaning_of (const PlateSequence *self, guint part)
{
  const int32_t choice = (&self->part1)[part];
  return choice < PLATE_PARTS ? (PlatePart) choice : PLATE_PART_NOTHING;
}

static gboolean
has_part (const PlateSequence *self, const PlateNames *names, PlatePart wanted)
{
  gboolean has = FALSE;
  for (guint i = 0; i < MIN (names->differ->len, PLATE_NAMES_PARTS); i++)
    has = has || meaning_of (self, i) == wanted;
  return has;
}

gboolean
plate_sequence_lacks (const PlateSequence *self, const PlateNames *names, const fv_param *param)
{
  static const PlatePart picked[] = {PLATE_PART_SLICE, PLATE_PART_CHANNEL, PLATE_PART_FRAME};
  const int part = plate_sequence_part (param);
  for (guint i = 0; i < G_N_ELEMENTS (picked); i++)
    if (param->offset == params[PICKS_AT + i].offset)
      return !has_part (self, names, picked[i]);
  return part >= 0 && (guint) part >= names->differ->len;
}

void
plate_sequence_set_parts (PlateSequence *self, const PlateNames *names)
{
  for (guint i = 0; i < PLATE_NAMES_PARTS; i++) {
    const PlatePart meaning =
      i < names->differ->len ? ((PlateNamesPart *) names->differ->pdata[i])->meaning : PLATE_PART_NOTHING;
    *chosen (self, i) = MIN (meaning, PLATE_PARTS);
  }
}

PlateNames *
plate_sequence_names (const GPtrArray *list)
{
  PlateNames *names = plate_names_new (list);
  plate_meanings_guess (names);
  return names;
}

PlateSequence
plate_sequence_guess (const PlateNames *names)
{
  const PlateNamesPart *one = names->differ->len == 1 ? names->differ->pdata[0] : NULL;
  PlateSequence self = {.as = one && one->are_numbers ? PLATE_AS_STACK : PLATE_AS_PARTS, .first = 1, .step = 1};
  plate_sequence_set_parts (&self, names);
  self.along = has_part (&self, names, PLATE_PART_FRAME)     ? ALONG_FRAMES
               : has_part (&self, names, PLATE_PART_CHANNEL) ? ALONG_CHANNELS
                                                             : ALONG_SLICES;
  if (names->alike->len && strchr (names->alike->pdata[0], '/'))
    self.as = PLATE_AS_PARTS;
  return self;
}

/* ---- Filters ---- */

/* The filter as what a part's text is like, "*DAPI*"; "": any. Free with g_free(). */
static char *
filter_of (const PlateSequence *self)
{
  return !*self->names || strpbrk (self->names, "*?") ? g_strdup (self->names) : g_strdup_printf ("*%s*", self->names);
}

GPtrArray *
plate_sequence_filter (const PlateSequence *self, const GPtrArray *list)
{
  g_autofree char *filter = filter_of (self);
  g_autoptr (GPatternSpec) like = g_pattern_spec_new (filter);
  GPtrArray *left = g_ptr_array_new ();
  for (guint i = 0; i < list->len; i++) {
    const char *name = list->pdata[i], *dot = strrchr (name, '.'), *slash = strrchr (name, '/');
    g_autofree char *stem = g_strndup (slash ? slash + 1 : name, (gsize) (dot - (slash ? slash + 1 : name)));
    if (!*filter || g_pattern_spec_match_string (like, stem))
      g_ptr_array_add (left, list->pdata[i]);
  }
  return left;
}

/* ---- Patterns ---- */

static gboolean
fail (GError **error, const char *field, const char *text)
{
  step_error_set (error, FV_BAD_ARGUMENT, field, "%s", text);
  return FALSE;
}

/* The ending that most names have, ".tif"; *n: how many. */
static const char *
usual_ending (const GPtrArray *list, guint *n)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (g_str_hash, g_str_equal);
  const char *usual = "";
  *n = 0;
  for (guint i = 0; i < list->len; i++) {
    const char *ending = strrchr (list->pdata[i], '.');
    const guint count = GPOINTER_TO_UINT (g_hash_table_lookup (counts, ending)) + 1;
    g_hash_table_insert (counts, (gpointer) ending, GUINT_TO_POINTER (count));
    if (count > *n) {
      *n = count;
      usual = ending;
    }
  }
  return usual;
}

/* ":3-9-2" of the chosen ones of n files; "" for all. NULL with *error. Free with g_free(). */
static char *
pick_of (const PlateSequence *self, guint n, GError **error)
{
  const guint64 first = (guint64) self->first, step = (guint64) self->step, count = (guint64) self->count,
                last = first + (count ? count - 1 : 0) * step;
  if (first > n) {
    step_error_set (error, FV_BAD_ARGUMENT, "first", "There are only %u files.", n);
    return NULL;
  }
  if (first == 1 && step == 1 && (!count || last >= n))
    return g_strdup ("");
  g_autofree char *to = !count || last > n ? g_strdup ("end") : g_strdup_printf ("%" G_GUINT64_FORMAT, last);
  return step == 1 ? g_strdup_printf (":%" G_GUINT64_FORMAT "-%s", first, to)
                   : g_strdup_printf (":%" G_GUINT64_FORMAT "-%s-%" G_GUINT64_FORMAT, first, to, step);
}

static char *
stack_pattern (const PlateSequence *self, const GPtrArray *list, GError **error)
{
  static const char *const axes[] = {"z", "t", "channel"};
  guint n;
  const char *ending = usual_ending (list, &n);
  g_autofree char *filter = filter_of (self);
  if (strpbrk (filter, "{}/:"))
    return fail (error, "names", "A part of a name has no { } / or : here; use ? for such a character."), NULL;
  if (!n)
    return fail (error, "names", "No image has such a name."), NULL;
  if (strchr (list->pdata[0], '/'))
    return fail (error, "as", "The images are in subfolders: open them by the parts of names."), NULL;
  g_autofree char *pick = pick_of (self, n, error);
  return pick ? g_strdup_printf ("{%s%s%s%s}%s", axes[self->along], pick, *filter ? "=" : "", filter, ending) : NULL;
}

static const char *
picks_of (const PlateSequence *self, PlatePart meaning)
{
  return meaning == PLATE_PART_SLICE     ? self->slices
         : meaning == PLATE_PART_CHANNEL ? self->channels
         : meaning == PLATE_PART_FRAME   ? self->frames
                                         : "";
}

/* The pattern of all parts. exact: numbers are nothing but digits. Free with g_free(). */
static char *
parts_pattern (const PlateSequence *self, const PlateNames *names, gboolean exact)
{
  g_autoptr (GString) pattern = g_string_new (NULL);
  guint differ = 0, nothing = 0;
  for (guint i = 0; i < names->parts->len; i++) {
    const PlateNamesPart *part = names->parts->pdata[i];
    if (part->text) {
      g_string_append (pattern, part->text);
      continue;
    }
    const PlatePart meaning = meaning_of (self, differ++);
    const char *pick = picks_of (self, meaning);
    g_autofree char *name = meaning != PLATE_PART_NOTHING ? g_strdup (part_choices[meaning].key)
                            : nothing                     ? g_strdup_printf ("_%u", nothing)
                                                          : g_strdup ("_");
    nothing += meaning == PLATE_PART_NOTHING;
    g_string_append_printf (pattern, "{%s%s%s%s}", name, *pick ? ":" : "", pick,
                            exact && part->are_numbers ? "=#" : "");
  }
  return g_string_free (g_steal_pointer (&pattern), FALSE);
}

/* Whether names match that are not alike. */
static gboolean
matches_others (const char *pattern, const GPtrArray *list, const PlateNames *names)
{
  g_autoptr (NamePattern) compiled = name_pattern_new (pattern, NULL);
  guint matches = 0;
  for (guint i = 0; compiled && i < list->len; i++) {
    g_auto (GStrv) parts = name_pattern_match (compiled, list->pdata[i]);
    matches += parts != NULL;
  }
  return matches > names->alike->len;
}

static char *
pattern_of (const PlateSequence *self, const GPtrArray *list, const PlateNames *names, GError **error)
{
  if (self->as == PLATE_AS_STACK)
    return stack_pattern (self, list, error);
  if (self->as == PLATE_AS_PATTERN)
    return *self->pattern ? g_strdup (self->pattern)
                          : (fail (error, "pattern", "Type a pattern, such as img_{z}.tif."), NULL);
  if (!names->differ->len || names->differ->len > PLATE_NAMES_PARTS)
    return fail (error, "as",
                 names->differ->len ? "Too many parts of the names differ: type a pattern."
                                    : "The names have no parts in common that differ: type a pattern."),
           NULL;
  g_autofree char *plain = parts_pattern (self, names, FALSE);
  return matches_others (plain, list, names) ? parts_pattern (self, names, TRUE) : g_steal_pointer (&plain);
}

char *
plate_sequence_path (const PlateSequence *self, const char *folder, const GPtrArray *list, const PlateNames *names,
                     GError **error)
{
  g_autofree char *pattern = pattern_of (self, list, names, error);
  return pattern ? g_build_filename (folder, pattern, NULL) : NULL;
}
