/* SPDX-License-Identifier: MIT
 *
 * The two-dimensional histogram of two channels: how many pixels have which pair of values.
 */
#ifndef CORE_MEASURE_CHANNEL_SCATTER_H
#define CORE_MEASURE_CHANNEL_SCATTER_H

#include "core/data/image.h"
#include "core/view/range.h"

/* Of which pixels: those of all slices of a frame whose values are finite, inside the mask; what `colocalize` takes. */
typedef struct ChannelScatterOf {
  Image *images[2]; /* of the same size */
  Image *mask;      /* or NULL */
  gint64 channels[2], frame;
} ChannelScatterOf;

typedef struct ChannelScatter {
  int cells[2];    /* across, upwards; of whole numbers each as wide as some of them */
  Range ranges[2]; /* from end to end */
  guint32 *counts; /* cells[0] of the lowest values upwards first */
  guint32 max;
  gint64 pixels;
} ChannelScatter;

/* Any thread but the main one. NULL with *error, also when it shall stop. */
ChannelScatter *channel_scatter_new (const ChannelScatterOf *of, Progress *progress, GError **error);
void channel_scatter_free (ChannelScatter *scatter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ChannelScatter, channel_scatter_free)

/* CSV of the cells that have pixels: the values between which they lie, and how many. names: of the channels. Free with g_free(). */
char *channel_scatter_csv (const ChannelScatter *scatter, const char *const names[2]);

#endif
