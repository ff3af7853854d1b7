/* SPDX-License-Identifier: MIT
 *
 * The commands of edit as text: "delete 12,30; merge 4,5 9,9", separated by semicolons or lines. A place is x,y or x,y,z or x,y,z,frame,
 * in whole pixels from 0; z and frame are those of the place before in the command, at first 0.
 */
#ifndef KERNELS_OBJECTS_EDIT_TEXT_H
#define KERNELS_OBJECTS_EDIT_TEXT_H

#include "kernels/common/common.h"

typedef enum edit_verb { EDIT_DELETE, EDIT_MERGE, EDIT_SPLIT, EDIT_DRAW, EDIT_ERASE, EDIT_FILL, EDIT_VERBS } edit_verb;

enum { EDIT_FARTHEST = 1000000000 }; /* a coordinate, from 0 */

typedef struct edit_place {
  int64_t x, y, z, frame;
} edit_place;

typedef struct edit_command {
  edit_verb verb;
  int64_t first, n; /* its places, among those of all commands */
} edit_command;

typedef struct edit_list {
  edit_command *commands;
  edit_place *places;
  int64_t n_commands, n_places;
} edit_list;

const char *edit_verb_name (edit_verb verb);
/* Reads all commands; arrays that are NULL are not filled. volume: places of a command may lie in several planes. Errors name the
 * parameter `commands`. */
fv_status edit_read (const char *text, bool volume, edit_list *list, fv_error *error);

#endif
