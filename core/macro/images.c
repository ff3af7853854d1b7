/* SPDX-License-Identifier: MIT
 *
 * What macros do with images: opening, choosing, looking.
 */
#include "core/macro/images.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/data/pixel_type.h"
#include "core/data/value_calibration.h"
#include "core/files/files.h"
#include "core/files/plate/pattern.h"
#include "core/files/raw.h"
#include "core/macro/cage.h"
#include "core/macro/scale.h"
#include "core/macro/state.h"
#include "core/macro/values.h"

#include <string.h>

/* ---- Opening and closing ---- */

gboolean
images_are_replaced (const Macro *m)
{
  return !m->opened && m->options->input;
}

/* The file that is opened as `given`, or its replacement with its *n, if it may be read. raw: see files_raw_set(). Owned. */
static const char *
path_to_open (Macro *m, const char *given, const char *raw, guint *n)
{
  GError *error = NULL;
  const gboolean replaced = images_are_replaced (m);
  char *whole = replaced ? g_canonicalize_filename (m->options->input, NULL) : folders_read (m->folders, given, &error);
  if (!whole)
    macro_fail (m, error);
  if (replaced)
    *n = m->options->input_image;
  m->opened = TRUE;
  folders_protect (m->folders, whole);
  if (!replaced)
    folders_tell (m->folders, whole);
  macro_own (m, whole, g_free);
  if (raw && !files_raw_set (whole, raw, &error))
    macro_fail (m, error);
  return whole;
}

/* The same of what open() and Image.open() get at stack indices 1 and 2. */
static const char *
file_to_open (lua_State *L, Macro *m, guint *n)
{
  const char *path = macro_text (L, 1);
  const char *raw = lua_type (L, 2) == LUA_TSTRING && !lua_isnumber (L, 2) ? lua_tostring (L, 2) : NULL;
  lua_Integer number = raw ? 1 : luaL_optinteger (L, 2, 1);
  luaL_argcheck (L, number >= 1 && number <= G_MAXINT, 2, "images of a file are counted from 1");
  *n = (guint) number - 1;
  return path_to_open (m, path, raw, n);
}

/* One that the host has opened is closed again when it may not be read. */
static void
check_opened (Macro *m, guint id)
{
  GError *error = NULL;
  Image *image = macro_own (m, m->host->image (m->host->self, id, RECIPE_SOURCE, &error), (GDestroyNotify) image_unref);
  if (image && folders_take_others (m->folders, image, &error))
    return;
  m->host->close (m->host->self, id, NULL);
  macro_fail (m, error);
}

static guint
show_file (Macro *m, const char *path, guint n)
{
  GError *error = NULL;
  const guint image = m->host->open (m->host->self, path, n, &error);
  if (!image)
    macro_fail (m, error);
  check_opened (m, image);
  folders_opened (m->folders, path);
  scale_opened (m, image);
  return image;
}

guint
images_open (Macro *m, const char *path, guint n)
{
  path = path_to_open (m, path, NULL, &n);
  return show_file (m, path, n);
}

static int
open_file (lua_State *L, Macro *m)
{
  guint n;
  const char *path = file_to_open (L, m, &n);
  lua_pushinteger (L, show_file (m, path, n));
  return 1;
}

static int
new_image (lua_State *L, Macro *m)
{
  GError *error = NULL;
  guint image;
  if (lua_gettop (L) > 0)
    macro_fail_text (m, "newImage() accepts no arguments: the first step creates the image, as run(\"Plain "
                        "Image...\", \"type=u8 fill=black width=512 height=512\") does.");
  if (!(image = m->host->create (m->host->self, &error)))
    macro_fail (m, error);
  lua_pushinteger (L, image);
  return 1;
}

/* Titles and ids of all images, for errors. Owned. */
static const char *
open_titles (Macro *m)
{
  GString *s = g_string_new (NULL);
  g_autoptr (GArray) images = m->host->images (m->host->self);
  for (guint i = 0; i < images->len; i++) {
    guint id = g_array_index (images, guint, i);
    g_autofree char *title = m->host->title (m->host->self, id);
    g_string_append_printf (s, "%s%u '%s'", i ? ", " : "", id, title);
  }
  if (!images->len)
    g_string_append (s, "none");
  return macro_own (m, g_string_free (s, FALSE), g_free);
}

/* ImageJ calls a sequence as its folder. */
static gboolean
is_folder_of (Macro *m, guint image, const char *title)
{
  g_autofree char *path = m->host->path (m->host->self, image), *folder = path ? plate_pattern_folder (path) : NULL,
                  *name = folder ? g_path_get_basename (folder) : NULL;
  return !g_strcmp0 (name, title);
}

/* The image of that title; raises an error when there is none, or several have it. A record that begins with an image that was open names it so:
 * for that, too, the input stands. */
guint
images_titled (Macro *m, const char *title)
{
  g_autoptr (GArray) images = m->host->images (m->host->self);
  guint found = 0, n = 0;
  for (guint i = 0; i < images->len; i++) {
    g_autofree char *its = m->host->title (m->host->self, g_array_index (images, guint, i));
    if (!strcmp (its, title) || is_folder_of (m, g_array_index (images, guint, i), title)) {
      found = g_array_index (images, guint, i);
      n++;
    }
  }
  if (!n && m->options->input && !m->opened && images->len) {
    m->opened = TRUE;
    return g_array_index (images, guint, 0);
  }
  g_clear_pointer (&images, g_array_unref);
  if (n > 1)
    macro_fail_text (m, "%u images are called '%s'; choose one with selectImage(id). Open images: %s.", n, title,
                     open_titles (m));
  if (!n)
    macro_fail_text (m, "No image is called '%s'. Open images: %s.", title, open_titles (m));
  return found;
}

/* The image with the id at stack index i. */
static guint
image_of_id (lua_State *L, Macro *m, int i)
{
  lua_Integer id = luaL_checkinteger (L, i);
  if (id < 1 || id > G_MAXINT || !m->host->exists (m->host->self, (guint) id))
    macro_fail_text (m, "Image %lld does not exist. Open images: %s.", (long long) id, open_titles (m));
  return (guint) id;
}

static void
close_image (Macro *m, guint image)
{
  GError *error = NULL;
  if (!m->host->close (m->host->self, image, &error))
    macro_fail (m, error);
}

int
images_close_all (lua_State *L, Macro *m)
{
  GArray *images = macro_own (m, m->host->images (m->host->self), (GDestroyNotify) g_array_unref);
  (void) L;
  for (guint i = 0; i < images->len; i++)
    close_image (m, g_array_index (images, guint, i));
  return 0;
}

static int
close_one (lua_State *L, Macro *m)
{
  const char *title = macro_text_or_null (L, 1);
  if (title && !strcmp (title, "*"))
    return images_close_all (L, m);
  close_image (m, title ? images_titled (m, title) : macro_current (m));
  return 0;
}

/* ---- Choosing ---- */

guint
images_find (lua_State *L, Macro *m, int i)
{
  return lua_type (L, i) == LUA_TSTRING ? images_titled (m, macro_text (L, i)) : image_of_id (L, m, i);
}

static int
select_image (lua_State *L, Macro *m)
{
  m->host->select (m->host->self, images_find (L, m, 1));
  return 0;
}

static int
select_window (lua_State *L, Macro *m)
{
  m->host->select (m->host->self, images_titled (m, macro_text (L, 1)));
  return 0;
}

static int
get_image_id (lua_State *L, Macro *m)
{
  lua_pushinteger (L, macro_current (m));
  return 1;
}

static int
get_title (lua_State *L, Macro *m)
{
  lua_pushstring (L, macro_own (m, m->host->title (m->host->self, macro_current (m)), g_free));
  return 1;
}

static int
count_images (lua_State *L, Macro *m)
{
  GArray *images = macro_own (m, m->host->images (m->host->self), (GDestroyNotify) g_array_unref);
  lua_pushinteger (L, images->len);
  return 1;
}

static int
get_image_path (lua_State *L, Macro *m)
{
  lua_pushstring (L, macro_own (m, m->host->path (m->host->self, macro_current (m)), g_free));
  return 1;
}

/* ---- Looking ---- */

const Recipe *
images_recipe (Macro *m, const Recipe *recipe, const ImageInfo *info)
{
  char *said;
  Recipe *chosen = macro_own (m, recipe_for_image (recipe, info, &said), (GDestroyNotify) recipe_unref);
  macro_own (m, said, g_free);
  if (recipe_volume (chosen) == recipe_volume (recipe) || m->volume_said || !m->host->note)
    return chosen;
  m->volume_said = TRUE;
  char *line = g_strdup_printf ("%s; volume=no processes each slice separately.", said);
  m->host->note (m->host->self, macro_own (m, line, g_free));
  return chosen;
}

Image *
images_shown (Macro *m, const char *name)
{
  GError *error = NULL;
  Image *image = m->host->image (m->host->self, macro_current (m), name, &error);
  if (!image)
    macro_fail (m, error);
  return macro_own (m, image, (GDestroyNotify) image_unref);
}

Image *
images_of_step (Macro *m, guint image, guint n)
{
  GError *error = NULL;
  Recipe *all = macro_own (m, m->host->recipe (m->host->self, image), (GDestroyNotify) recipe_unref);
  if (n > recipe_length (all))
    macro_fail_text (m, "step must be from 0 to the number of steps, which is %u, not %u.", recipe_length (all), n);
  Recipe *none = macro_own (m, recipe_new (), (GDestroyNotify) recipe_unref);
  Recipe *part = recipe_with_steps (all, n, recipe_length (all) - n, none, &error);
  if (!part)
    macro_fail (m, error);
  macro_own (m, part, (GDestroyNotify) recipe_unref);
  Image *made = NULL;
  if (m->host->set_recipe (m->host->self, image, part, &error)) {
    made = m->host->image (m->host->self, image, NULL, &error);
    m->host->set_recipe (m->host->self, image, all, made ? &error : NULL);
  }
  if (!made)
    macro_fail (m, error);
  return macro_own (m, made, (GDestroyNotify) image_unref);
}

Image *
images_argument (lua_State *L, Macro *m, int i)
{
  GError *error = NULL;
  Image *image = values_test (L, i, VALUE_IMAGE);
  if (image)
    return image;
  if (lua_isnoneornil (L, i))
    return images_shown (m, NULL);
  image = m->host->image (m->host->self, image_of_id (L, m, i), NULL, &error);
  if (!image)
    macro_fail (m, error);
  return macro_own (m, image, (GDestroyNotify) image_unref);
}

static int
push_image (lua_State *L, Macro *m, Image *image)
{
  macro_attach (m, image_bytes (image));
  values_push (L, VALUE_IMAGE, image);
  return 1;
}

static int
get_image (lua_State *L, Macro *m)
{
  return push_image (L, m, images_shown (m, macro_text_or_null (L, 1)));
}

static int
open_value (lua_State *L, Macro *m)
{
  GError *error = NULL;
  guint n;
  const char *path = file_to_open (L, m, &n);
  Image *image = macro_own (m, files_open (path, n, &error), (GDestroyNotify) image_unref);
  if (!image || !folders_take_others (m->folders, image, &error))
    macro_fail (m, error);
  return push_image (L, m, image);
}

static int
push_dimensions (lua_State *L, const ImageInfo *info)
{
  const gint64 sizes[] = {info->columns, info->rows, info->channels, info->depth, info->frames};
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    lua_pushinteger (L, sizes[i]);
  return G_N_ELEMENTS (sizes);
}

static int
get_dimensions (lua_State *L, Macro *m)
{
  return push_dimensions (L, image_info (images_shown (m, NULL)));
}

static int
get_width (lua_State *L, Macro *m)
{
  lua_pushinteger (L, image_info (images_shown (m, NULL))->columns);
  return 1;
}

static int
get_height (lua_State *L, Macro *m)
{
  lua_pushinteger (L, image_info (images_shown (m, NULL))->rows);
  return 1;
}

static int
push_voxel (lua_State *L, const ImageInfo *info)
{
  for (int axis = 2; axis >= 0; axis--)
    macro_push_number (L, info->spacing[axis]);
  lua_pushstring (L, *info->units[2] ? info->units[2] : "pixel");
  return 4;
}

static int
get_voxel_size (lua_State *L, Macro *m)
{
  return push_voxel (L, image_info (images_shown (m, NULL)));
}

static int
bit_depth (lua_State *L, Macro *m)
{
  const ImageInfo *info = image_info (images_shown (m, NULL));
  lua_pushinteger (L, info->role == FV_RGB ? 24 : (lua_Integer) (8 * pixel_type_bytes (info->type)));
  return 1;
}

static int
image_dimensions (lua_State *L, Macro *m)
{
  (void) m;
  return push_dimensions (L, image_info (values_get (L, 1, VALUE_IMAGE)));
}

static int
image_voxel_size (lua_State *L, Macro *m)
{
  (void) m;
  return push_voxel (L, image_info (values_get (L, 1, VALUE_IMAGE)));
}

/* ---- Pixels ---- */

/* Values of a part; owned. */
static double *
read_values (Macro *m, Image *image, PlanePosition index, const PlanePart *part)
{
  GError *error = NULL;
  double *values = NULL;
  if (m->host->fetch (m->host->self, image, &error))
    values = plane_values (image, index, part, &error);
  if (!values)
    macro_fail (m, error);
  return macro_own (m, values, g_free);
}

static int
push_pixel (lua_State *L, Macro *m, gboolean calibrated)
{
  Image *image = images_shown (m, NULL);
  const ImageInfo *info = image_info (image);
  lua_Integer x = luaL_checkinteger (L, 1), y = luaL_checkinteger (L, 2);
  if (x < 0 || y < 0 || x >= info->columns || y >= info->rows)
    macro_fail_text (m, "Pixel %lld, %lld is outside the image, which has %lld × %lld pixels.", (long long) x,
                     (long long) y, (long long) info->columns, (long long) info->rows);
  PlanePosition index = plane_within (info, m->host->position (m->host->self, macro_current (m)));
  double *value = read_values (m, image, index, &(PlanePart){x, y, 1, 1});
  if (calibrated)
    value_calibrate (image, value, 1);
  macro_push_number (L, *value);
  return 1;
}

static int
get_pixel (lua_State *L, Macro *m)
{
  return push_pixel (L, m, FALSE);
}

static int
get_value (lua_State *L, Macro *m)
{
  return push_pixel (L, m, TRUE);
}

static int
calibrate (lua_State *L, Macro *m)
{
  macro_push_number (L, value_of_stored (image_info (images_shown (m, NULL)), luaL_checknumber (L, 1)));
  return 1;
}

/* A field of the table at stack index 2 that is counted from 1, converted to one from 0. */
static gint64
position_field (lua_State *L, const char *key, gint64 sizes)
{
  lua_Integer value = macro_field (L, 2, key, 1);
  if (value < 1 || value > sizes)
    macro_fail_text (macro_of (L), "%s must be from 1 to %lld, not %lld.", key, (long long) sizes, (long long) value);
  return value - 1;
}

static PlanePart
part_fields (lua_State *L, const ImageInfo *info)
{
  PlanePart p = {.x = macro_field (L, 2, "x", 0), .y = macro_field (L, 2, "y", 0)};
  p.width = macro_field (L, 2, "width", info->columns - p.x);
  p.height = macro_field (L, 2, "height", info->rows - p.y);
  if (p.x < 0 || p.y < 0 || p.width < 1 || p.height < 1 || p.width > info->columns || p.height > info->rows
      || p.x > info->columns - p.width || p.y > info->rows - p.height)
    macro_fail_text (macro_of (L), "x, y, width and height exceed the image, which has %lld × %lld pixels.",
                     (long long) info->columns, (long long) info->rows);
  return p;
}

static int
image_pixels_of (lua_State *L, Macro *m)
{
  Image *image = values_get (L, 1, VALUE_IMAGE);
  const ImageInfo *info = image_info (image);
  lua_settop (L, 2);
  if (lua_isnil (L, 2)) {
    lua_newtable (L);
    lua_replace (L, 2);
  }
  luaL_checktype (L, 2, LUA_TTABLE);
  PlanePosition index = {position_field (L, "c", info->role == FV_RGB ? 1 : info->channels),
                         position_field (L, "z", info->depth), position_field (L, "t", info->frames)};
  PlanePart part = part_fields (L, info);
  gsize n = (gsize) part.width * (gsize) part.height;
  if (n > (m->max - m->used) / (3 * sizeof (double))) /* as Lua's values, and as those that are read */
    macro_fail_text (m,
                     "%" G_GSIZE_FORMAT " pixels do not fit into the %" G_GSIZE_FORMAT
                     " MiB that this macro may use. Read them in parts, or use steps.",
                     n, m->max >> 20);
  const double *values = read_values (m, image, index, &part);
  lua_createtable (L, (int) part.height, 0);
  for (gint64 y = 0; y < part.height; y++) {
    macro_push_numbers (L, values + y * part.width, (gsize) part.width);
    lua_rawseti (L, -2, y + 1);
  }
  return 1;
}

/* ---- Saving ---- */

void
images_save (Macro *m, Image *image, const char *path, const char *options)
{
  GError *error = NULL;
  if (!files_can_save (path, options, &error) || !m->host->fetch (m->host->self, image, &error)
      || !files_save_as (image, path, options, &error))
    macro_fail (m, error);
}

static int
image_save (lua_State *L, Macro *m)
{
  Image *image = values_get (L, 1, VALUE_IMAGE);
  images_save (m, image, cage_file (m, NULL, macro_text (L, 2)), NULL);
  return 0;
}

const MacroFunction macro_image_functions[] = {
  {"open", "path[, n]",
   "opens a file, or image n of it, counted from 1, and makes it the current image. Returns "
   "its id. A name without a folder refers to the macro's folder. For a file without a header n is a string that says "
   "what its pixels are, "
   "\"width=512 height=512 type=u16\".",
   open_file},
  {"newImage", "",
   "starts an image without a file and makes it the current one. Returns its id. Its first "
   "step must create an image, as run(\"Plain Image...\", \"width=512 height=512\") does.",
   new_image},
  {"close", "[title]", "closes the current image, or the one with this title; \"*\" closes all.", close_one},
  {"selectImage", "id", "makes the image with that id or title the current one.", select_image},
  {"selectWindow", "title", "makes the image with that title the current one; if several have it, use selectImage().",
   select_window},
  {"getImageID", "", "returns the id of the current image, a number from 1 that is never reused.", get_image_id},
  {"getTitle", "", "returns the title of the current image.", get_title},
  {"getImagePath", "", "returns the file from which the current image was opened, or nil.", get_image_path},
  {"nImages", "", "returns the number of open images.", count_images},
  {"getDimensions", "",
   "returns width, height, channels, slices and frames of the result of the current image's "
   "steps.",
   get_dimensions},
  {"getWidth", "", "returns its width in pixels.", get_width},
  {"getHeight", "", "returns its height in pixels.", get_height},
  {"getVoxelSize", "", "returns width, height and depth of a pixel, and their unit.", get_voxel_size},
  {"bitDepth", "", "returns the bit depth of its pixels; 24 for a color image.", bit_depth},
  {"getPixel", "x, y", "returns a value of the current image at position x and y, from 0; for colors, the mean.",
   get_pixel},
  {"getValue", "x, y", "the same as a calibrated value (HU, OD, °C) if the image has a function for that.", get_value},
  {"calibrate", "value", "returns the calibrated value of a pixel value of the current image.", calibrate},
  {"getImage", "[name]",
   "returns a result of the current image's steps: the last one, the one with that name, or "
   "\"source\", the opened image. It is a value with the fields width, height, channels, "
   "slices, frames, type (\"u8\") and title.",
   get_image},
  {"Image.open", "path[, n]", "returns an image of a file as a value, without showing it.", open_value},
  {"image:getDimensions", "", "returns width, height, channels, slices and frames.", image_dimensions},
  {"image:getVoxelSize", "", "returns width, height and depth of a pixel, and their unit.", image_voxel_size},
  {"image:pixels", "{x, y, width, height, c, z, t}",
   "returns a region of a plane as a table of rows: p[1][1] is its upper left pixel. Positions "
   "x and y are counted from 0, c, z and t from 1. The default is the whole first plane.",
   image_pixels_of},
  {"image:save", "path", "saves it in the format of the ending, see What is saved.", image_save},
  {0},
};
