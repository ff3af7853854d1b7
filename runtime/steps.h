/* SPDX-License-Identifier: MIT
 *
 * Pre- and postprocessing of the formats 0.4 and 0.5 of the BioImage Model Zoo, brought to what model_head has: one statistic of each channel of a
 * plane, or of all of them, then steps of single pixels.
 */
#ifndef RUNTIME_STEPS_H
#define RUNTIME_STEPS_H

#include "kernels/network/model_file.h"
#include "runtime/tree.h"

/* FALSE with *error names the step that is not possible. list: may be NULL. *one_channel: the steps are those of a network of one channel alone. */
gboolean steps_read_before (Tree *tree, TreeNode *list, model_head *head, gboolean *one_channel, GError **error);
gboolean steps_read_after (Tree *tree, TreeNode *list, model_head *head, GError **error);

/* Changes all channels of a plane, of n pixels each, as the plugin does it. */
void steps_do_before (const model_head *head, float *pixels, gint64 n);
/* Changes n numbers of the output. */
void steps_do_after (const model_head *head, float *numbers, gint64 n);

#endif
