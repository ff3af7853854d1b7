/* SPDX-License-Identifier: MIT
 *
 * The library OpenSlide, which is loaded when the first slide needs it. The functions are those that its versions 3.4 and 4.0 have in common
 * (openslide.h).
 */
#ifndef CORE_FILES_OPENSLIDE_LIBRARY_H
#define CORE_FILES_OPENSLIDE_LIBRARY_H

#include <glib.h>

typedef struct Openslide Openslide; /* a slide */

typedef struct OpenslideCalls {
  Openslide *(*open) (const char *path); /* NULL: it is none that the library knows */
  void (*close) (Openslide *slide);
  const char *(*error) (Openslide *slide); /* NULL: none; else every later call fails */
  gint32 (*levels) (Openslide *slide);
  void (*level_size) (Openslide *slide, gint32 level, gint64 *columns, gint64 *rows);
  double (*factor) (Openslide *slide, gint32 level); /* pixels of level 0 along one of the level */
  const char *(*property) (Openslide *slide, const char *name);
  /* Pixels 0xAARRGGBB, premultiplied. x, y: in pixels of level 0. */
  void (*read) (Openslide *slide, guint32 *to, gint64 x, gint64 y, gint32 level, gint64 columns, gint64 rows);
  const char *const *(*pictures) (Openslide *slide); /* names; NULL at the end */
  void (*picture_size) (Openslide *slide, const char *name, gint64 *columns, gint64 *rows);
  void (*read_picture) (Openslide *slide, const char *name, guint32 *to);
} OpenslideCalls;

/* NULL: the library is not there. Any thread. */
const OpenslideCalls *openslide_calls (void);

#endif
