/* SPDX-License-Identifier: MIT
 */
#include "kernels/edit/edit_text.h"

static const struct {
  const char *name;
  int least;      /* positions */
  bool one_plane; /* in a volume, too */
} verbs[EDIT_VERBS] = {
  [EDIT_DELETE] = {"delete", 1, false}, [EDIT_MERGE] = {"merge", 2, false}, [EDIT_SPLIT] = {"split", 2, true},
  [EDIT_DRAW] = {"draw", 1, true},      [EDIT_ERASE] = {"erase", 1, true},  [EDIT_FILL] = {"fill", 1, false},
};

const char *
edit_verb_name (edit_verb verb)
{
  return verbs[verb].name;
}

static bool
is_blank (char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

static bool
is_end (char c)
{
  return c == '\0' || c == ';' || c == '\n';
}

/* How long the word is; for messages no more than a part that is text. */
static int
word_length (const char *word)
{
  int n = 0;
  while (!is_end (word[n]) && !is_blank (word[n]))
    n++;
  return n;
}

static int
shown_length (const char *word)
{
  int n = word_length (word);
  if (n <= 40)
    return n;
  for (n = 40; ((unsigned char) word[n] & 0xc0) == 0x80;)
    n--;
  return n;
}

/* Reads an integer; NULL: there is none. */
static const char *
read_number (const char *s, int64_t *number)
{
  const bool negative = *s == '-';
  const char *digits = s += negative;
  for (*number = 0; *s >= '0' && *s <= '9' && *number <= EDIT_FARTHEST; s++)
    *number = *number * 10 + (*s - '0');
  *number = negative ? -*number : *number;
  return s == digits || *number > EDIT_FARTHEST || *number < -EDIT_FARTHEST ? NULL : s;
}

/* Reads a position; z and frame keep the values of *position if missing. NULL: not a position. */
static const char *
read_position (const char *s, edit_position *position)
{
  int64_t *const to[] = {&position->x, &position->y, &position->z, &position->frame};
  int n = 0;
  for (; n < 4; n++) {
    if (!(s = read_number (s, to[n])))
      return NULL;
    if (*s != ',')
      break;
    s++;
  }
  return n >= 1 && n < 4 && (is_end (*s) || is_blank (*s)) ? s : NULL;
}

static fv_status
read_verb (const char *word, int64_t number, edit_verb *verb, fv_error *error)
{
  const int n = word_length (word);
  for (int v = 0; v < EDIT_VERBS; v++)
    if ((int) strlen (verbs[v].name) == n && !memcmp (verbs[v].name, word, (size_t) n)) {
      *verb = (edit_verb) v;
      return FV_OK;
    }
  return fail (error, FV_BAD_ARGUMENT, "commands",
               "Command %lld: unknown command '%.*s'. Commands are delete, merge, split, draw, erase and fill.",
               (long long) number, shown_length (word), word);
}

static fv_status
check_planes (edit_verb verb, bool volume, const edit_position *first, const edit_position *position, int64_t number,
              fv_error *error)
{
  if (position->frame != first->frame)
    return fail (error, FV_BAD_ARGUMENT, "commands",
                 "Command %lld: positions are in frames %lld and %lld. A command works in one frame.",
                 (long long) number, (long long) first->frame, (long long) position->frame);
  if (position->z == first->z || (volume && !verbs[verb].one_plane))
    return FV_OK;
  return fail (error, FV_BAD_ARGUMENT, "commands",
               volume ? "Command %lld: %s works in one plane, but its positions are in planes %lld and %lld."
                      : "Command %lld: %s has positions in planes %lld and %lld. Only with volume=yes does an object "
                        "span planes.",
               (long long) number, verbs[verb].name, (long long) first->z, (long long) position->z);
}

/* Reads the command that begins at s; returns where it ends, or NULL with *error. */
static const char *
read_command (const char *s, bool volume, edit_list *list, fv_error *error)
{
  const int64_t number = list->n_commands + 1;
  edit_command command = {.first = list->n_positions};
  edit_position first = {0}, position = {0};
  if (read_verb (s, number, &command.verb, error))
    return NULL;
  for (s += word_length (s);; command.n++) {
    while (is_blank (*s))
      s++;
    if (is_end (*s))
      break;
    const char *word = s;
    if (!(s = read_position (word, &position))) {
      fail (error, FV_BAD_ARGUMENT, "commands",
            "Command %lld: '%.*s' is not a position. Write x,y or x,y,z or x,y,z,frame as integers, such as 12,30.",
            (long long) number, shown_length (word), word);
      return NULL;
    }
    first = command.n ? first : position;
    if (check_planes (command.verb, volume, &first, &position, number, error))
      return NULL;
    if (list->positions)
      list->positions[list->n_positions] = position;
    list->n_positions++;
  }
  if (command.n < verbs[command.verb].least) {
    fail (error, FV_BAD_ARGUMENT, "commands", "Command %lld: %s needs %s.", (long long) number,
          verbs[command.verb].name,
          verbs[command.verb].least == 1 ? "a position, such as 12,30" : "two positions or more");
    return NULL;
  }
  if (list->commands)
    list->commands[list->n_commands] = command;
  list->n_commands++;
  return s;
}

fv_status
edit_read (const char *text, bool volume, edit_list *list, fv_error *error)
{
  list->n_commands = list->n_positions = 0;
  while (*text) {
    if (is_end (*text) || is_blank (*text))
      text++;
    else if (!(text = read_command (text, volume, list, error)))
      return error->code;
  }
  return FV_OK;
}
