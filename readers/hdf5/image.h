/* SPDX-License-Identifier: MIT
 *
 * An image of an HDF5 file: its metadata, and which datasets have its pixels.
 */
#ifndef READERS_HDF5_IMAGE_H
#define READERS_HDF5_IMAGE_H

#include "readers/hdf5/dataset.h"

/* The axes of an image; HDF5_OTHER: one of a dataset that the image does not have, of which it shows index 0. */
typedef enum { HDF5_T, HDF5_C, HDF5_Z, HDF5_Y, HDF5_X, HDF5_OTHER } Hdf5Axis;
enum { HDF5_IMAGE_AXES = HDF5_OTHER };

typedef struct {
  gint64 depth, rows, columns;
  gint64 tile[HDF5_IMAGE_AXES]; /* what is decoded together; columns 0: nothing is */
} Hdf5Level;

typedef struct Hdf5Image Hdf5Image;
struct Hdf5Image {
  fv_type type;
  fv_role role;
  gint64 sizes[HDF5_IMAGE_AXES];
  double spacing[3]; /* z, y, x; 0: unknown */
  const char *unit;  /* of all of them, or NULL */
  double frame_interval;
  const char *frame_unit;
  char **channel_names; /* NULL, or sizes[HDF5_C] */
  guint32 *channel_colors;
  double *display_ranges; /* pairs */
  char *name;
  GString *description;
  GArray *levels; /* of Hdf5Level */
  guint n_axes;   /* of each dataset */
  Hdf5Axis axes[HDF5_AXES];
  gboolean unsigned16; /* what the file calls i16 is u16 */
  /* The name of the dataset that has this frame and channel, the same for all that one dataset has. Free with g_free(). */
  char *(*dataset) (const Hdf5Image *, guint level, gint64 frame, gint64 channel);
  /* For dataset(): the dataset, or the group of all; numbers of frames and channels in the names of the others, of guint; or NULL. */
  char *path;
  GArray *frames, *channels;
};

Hdf5Image *hdf5_image_new (void);
void hdf5_image_free (gpointer image);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Hdf5Image, hdf5_image_free)

/* The axis of a letter, of either case; HDF5_OTHER: of any other. */
Hdf5Axis hdf5_axis_of (char letter);
/* Sets n_axes and axes to these letters: "tczyx". */
void hdf5_image_set_axes (Hdf5Image *image, const char *letters);
/* Appends a level as this dataset has it, of so many pixels as the image along an axis where `crop` is not 0. The first one also sets type and sizes. */
gboolean hdf5_image_add_level (Hdf5Image *image, const Hdf5Dataset *d, const gint64 crop[HDF5_IMAGE_AXES],
                               fv_error *error);
/* A line "key: value" of the description; nothing when value is NULL or empty. */
void hdf5_image_describe (Hdf5Image *image, const char *key, const char *value);
/* Appends all of it, as protocol.h has an image. */
void hdf5_image_put (const Hdf5Image *image, GByteArray *to);
/* "µm" for "um", "micrometer" and the like, and so on; NULL: unknown. Static. */
const char *hdf5_unit_of (const char *text);

#endif
