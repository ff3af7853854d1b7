/* SPDX-License-Identifier: MIT
 *
 * How objects of label images were numbered, and whether an operation takes them so. Numbered plane by plane, the same number in two
 * slices is two objects; numbered as a volume it is one.
 */
#ifndef CORE_CALL_NUMBERING_H
#define CORE_CALL_NUMBERING_H

#include "core/data/image.h"
#include "core/ops/op.h"

/* FALSE with *error when the operation looks at objects of an input otherwise than they were numbered. */
gboolean numbering_check (const Op *op, gconstpointer args, Image *const *inputs, GError **error);
/* That of output i, of which all else is known. */
ImageNumbering numbering_of_output (const Op *op, gconstpointer args, guint i, const ImageInfo *first,
                                    const ImageInfo *output);

#endif
