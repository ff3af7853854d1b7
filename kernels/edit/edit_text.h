/* SPDX-License-Identifier: MIT
 *
 * The commands of edit as text: "delete 12,30; merge 4,5 9,9", separated by semicolons or lines. A position is x,y or x,y,z or x,y,z,frame,
 * in pixels, integers from 0; z and frame default to those of the previous position of the command, at first 0.
 */
#ifndef KERNELS_EDIT_EDIT_TEXT_H
#define KERNELS_EDIT_EDIT_TEXT_H

#include "kernels/common/common.h"

typedef enum edit_verb { EDIT_DELETE, EDIT_MERGE, EDIT_SPLIT, EDIT_DRAW, EDIT_ERASE, EDIT_FILL, EDIT_VERBS } edit_verb;

enum { EDIT_FARTHEST = 1000000000 }; /* a coordinate, from 0 */

typedef struct edit_position {
  int64_t x, y, z, frame;
} edit_position;

typedef struct edit_command {
  edit_verb verb;
  int64_t first, n; /* its positions, among those of all commands */
} edit_command;

typedef struct edit_list {
  edit_command *commands;
  edit_position *positions;
  int64_t n_commands, n_positions;
} edit_list;

const char *edit_verb_name (edit_verb verb);
/* Reads all commands; arrays that are NULL are not filled. volume: positions of a command may lie in several planes. Errors name the
 * parameter `commands`. */
fv_status edit_read (const char *text, bool volume, edit_list *list, fv_error *error);

#endif
