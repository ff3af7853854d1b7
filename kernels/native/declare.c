/* SPDX-License-Identifier: MIT
 *
 * [raw] TYPE NAME [= VALUE], separated by commas.
 */
#include "kernels/native/declare.h"

#include <ctype.h>

static const kernel_type types[] = {
  {"bool", "bool", FV_U8, true},         {"int8", "int8_t", FV_I8, false},      {"uint8", "uint8_t", FV_U8, false},
  {"int16", "int16_t", FV_I16, false},   {"uint16", "uint16_t", FV_U16, false}, {"int32", "int32_t", FV_I32, false},
  {"uint32", "uint32_t", FV_U32, false}, {"int64", "int64_t", 0, false},        {"uint64", "uint64_t", 0, false},
  {"float32", "float", FV_F32, false},   {"float64", "double", FV_F64, false},
};
enum { N_TYPES = sizeof types / sizeof *types };

const kernel_type *
kernel_type_of (fv_type pixels)
{
  const kernel_type *type = &types[1];
  while (type->pixels != pixels)
    type++;
  return type;
}

const char *
kernel_word (const kernel_param *p, char letter[2])
{
  letter[0] = p->placeholder, letter[1] = 0;
  return p->placeholder ? letter : p->type->c;
}

static bool
read_type (const char *word, kernel_param *param)
{
  for (int i = 0; i < N_TYPES; i++)
    if (!strcmp (word, types[i].name)) {
      param->type = &types[i];
      return true;
    }
  param->placeholder = word[0];
  return isalpha ((unsigned char) word[0]) && !word[1];
}

static bool
is_name (const char *word)
{
  if (!isalpha ((unsigned char) *word)) /* those that begin with _ are the generated code's */
    return false;
  while (isalnum ((unsigned char) *word) || *word == '_')
    word++;
  return !*word;
}

/* The next word of a declaration, without the space around it: up to space, '=', ',' or the end. False when it has no room. */
static bool
next_word (const char **at, char word[KERNEL_NAME])
{
  size_t n;
  *at += strspn (*at, " \t\r\n");
  n = strcspn (*at, " \t\r\n=,");
  if (n >= KERNEL_NAME)
    return false;
  memcpy (word, *at, n);
  word[n] = 0;
  *at += n;
  *at += strspn (*at, " \t\r\n");
  return true;
}

/* One declaration; moves *at to the comma behind it, or to the end. */
static fv_status
read_param (const char **at, const char *field, kernel_param *param, fv_error *error)
{
  const char *start = *at + strspn (*at, " \t\r\n");
  int length = (int) strcspn (start, ",");
  char word[KERNEL_NAME];
  bool read = next_word (at, word);
  *param = (kernel_param){0};
  if (read && (param->raw = !strcmp (word, "raw")))
    read = next_word (at, word);
  if (!read || !*word)
    return fail (error, FV_BAD_ARGUMENT, field, "'%.*s' is not a declaration: write TYPE NAME, such as T x.", length,
                 start);
  if (!read_type (word, param))
    return fail (error, FV_BAD_ARGUMENT, field,
                 "'%s' is not a type: write a letter, such as T, for the type of an image, or bool, int8, uint8, "
                 "int16, uint16, int32, uint32, int64, uint64, float32 or float64.",
                 word);
  if (!next_word (at, param->name) || !is_name (param->name) || !strcmp (param->name, "i"))
    return fail (error, FV_BAD_ARGUMENT, field,
                 "'%.*s' needs a name of less than %d letters, digits and _, which begins with a letter and is not i.",
                 length, start, KERNEL_NAME);
  if (**at == '=') {
    ++*at;
    param->number = true;
    if (!next_word (at, param->value) || !*param->value)
      return fail (error, FV_BAD_ARGUMENT, field, "%s has no value after its =.", param->name);
  }
  if (**at && **at != ',')
    return fail (error, FV_BAD_ARGUMENT, field, "'%.*s' continues after its name: separate declarations by commas.",
                 length, start);
  return FV_OK;
}

static fv_status
check_param (const kernel_params *params, const char *field, fv_error *error)
{
  const kernel_param *last = &params->at[params->n - 1];
  for (const kernel_param *p = params->at; p < last; p++)
    if (!strcmp (p->name, last->name))
      return fail (error, FV_BAD_ARGUMENT, field, "Two parameters are called %s.", p->name);
  if (last->raw && last->number)
    return fail (error, FV_BAD_ARGUMENT, field, "%s is raw, an array, and cannot be a number too.", last->name);
  return FV_OK;
}

fv_status
kernel_declare (const char *text, const char *field, kernel_params *params, fv_error *error)
{
  params->n = 0;
  if (!text[strspn (text, " \t\r\n")])
    return FV_OK;
  for (const char *at = text;; at++) {
    if (params->n == KERNEL_PARAMS)
      return fail (error, FV_BAD_ARGUMENT, field, "There are more than %d parameters.", KERNEL_PARAMS);
    if (read_param (&at, field, &params->at[params->n++], error) || check_param (params, field, error))
      return error->code;
    if (!*at)
      return FV_OK;
  }
}
