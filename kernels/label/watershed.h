/* SPDX-License-Identifier: MIT
 *
 * watershed: out(p) = label of the marker that floods p. A path from a marker climbs to the level M of its highest pixel, the first one included, and
 * continues from there for D steps. The (M, D) of a pixel is the minimum over all paths. It takes the label of that neighbor whose (M, D, label) is
 * the least. So plateaus are shared by distance from their edges, what is equally far goes to the smaller label, and nothing depends on the order in
 * which pixels are looked at. Where all values differ it is scikit-image's watershed.
 * Line: then 0 where a neighbor has a smaller label. Outside the mask, at NaN and where no marker reaches: 0.
 * 64-bit values are compared as 32-bit floats.
 */
#ifndef KERNELS_LABEL_WATERSHED_H
#define KERNELS_LABEL_WATERSHED_H

#include "kernels/common/keys.h"
#include "kernels/label/label.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WATERSHED_IMAGE, WATERSHED_MARKERS, WATERSHED_MASK };

typedef struct watershed_args {
  int32_t connectivity; /* label_connectivity */
  bool invert;
  bool line;
  bool volume;
} watershed_args;

typedef struct watershed_neighbors {
  int n;
  int8_t z[26], y[26], x[26];
} watershed_neighbors;

static inline watershed_neighbors
watershed_neighbors_of (const watershed_args *a)
{
  const label_args like = {a->connectivity, 0, 0, 0, false, a->volume, 0};
  watershed_neighbors list = {0, {0}, {0}, {0}};
  for (int i = 0; i < 27; i++) {
    int z = i / 9 - 1, y = i / 3 % 3 - 1, x = i % 3 - 1;
    if (i == 13 || (x != 0) > label_reach (&like, z, y))
      continue;
    list.z[list.n] = (int8_t) z;
    list.y[list.n] = (int8_t) y;
    list.x[list.n++] = (int8_t) x;
  }
  return list;
}

/* The key of a float, of -0 as of 0. */
INLINE uint32_t
watershed_key (float v)
{
  return key_f32 (v + 0.0f);
}

fv_status watershed_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
