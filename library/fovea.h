/* SPDX-License-Identifier: MIT */
/**
 * @file fovea.h
 * All that libfovea is.
 *
 * @mainpage Fovea for programs
 * Opens images, runs recipes on them, and gives the tables and pixels that come of it: fovea.h describes each function.
 *
 * Build with `pkg-config --cflags --libs fovea`. Plain C, to be included from C++ too; it needs DLPack's header.
 *
 * **Errors.** What can fail takes a place for an error, which may be NULL, and returns NULL or a code that is not #FOVEA_OK. Then,
 * and only then, the place holds an error that is the caller's, to be freed with fovea_error_free(). Nothing is printed, and no
 * function ends the program but where memory for small things runs out.
 *
 * **Ownership.** Every pointer to a Fovea type that a function returns is the caller's and has its own `_free()`, which takes NULL too.
 * Objects keep what they need: they can be freed in any order. `const` texts and values belong to the object that they were
 * asked of and live as long as it. Texts are UTF-8, and numbers in them have a decimal point, in every locale; names of files are
 * the system's bytes.
 *
 * **Threads.** Contexts, recipes, images and tables never change: any number of threads may use one at once, as long as none frees it.
 * A run belongs to one thread at a time; only fovea_run_cancel() may be called by any other. Runs on the CPU go on
 * side by side, each with as many threads as OMP_NUM_THREADS allows or there are cores; runs on one card take turns. Make the first
 * context before other threads read the environment: it sets OMP_WAIT_POLICY where that is not set. Nothing here may be used in a
 * child of fork().
 *
 * **A complete program:**
 * @include example.c
 */
#ifndef FOVEA_H
#define FOVEA_H

#include <dlpack/dlpack.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What the shared library exports. */
#define FOVEA_API __attribute__ ((visibility ("default")))

/** The version of the library, such as "0.1.0". */
FOVEA_API const char *fovea_version (void);

/** @name Errors
 * @{ */

/** What kind of error. Later versions may have more. */
typedef enum fovea_code {
  FOVEA_OK = 0,       /**< no error */
  FOVEA_BAD_ARGUMENT, /**< fovea_error_field() names it */
  FOVEA_BAD_INPUT,    /**< an image is wrong for what was to be done with it */
  FOVEA_NO_MEMORY,    /**< the message says how much was needed, and what there is */
  FOVEA_DEVICE_FAULT, /**< the device failed; nothing is silently repeated elsewhere */
  FOVEA_CANCELLED,    /**< somebody asked to stop */
  FOVEA_UNSUPPORTED,  /**< cannot be done on this device, with these types or with this file */
  FOVEA_BAD_FILE,     /**< a file is not there, damaged, or could not be written */
  FOVEA_FAILED        /**< anything else */
} fovea_code;

/** Why something failed. */
typedef struct fovea_error fovea_error;

/** What kind of error; #FOVEA_OK for NULL. */
FOVEA_API fovea_code fovea_error_code (const fovea_error *error);
/** One or two sentences that name the thing at fault and, where it can be said, what would work. */
FOVEA_API const char *fovea_error_message (const fovea_error *error);
/** The parameter, input or argument at fault, or "". */
FOVEA_API const char *fovea_error_field (const fovea_error *error);
/** Frees an error. */
FOVEA_API void fovea_error_free (fovea_error *error);

/** @}
 * @name Contexts and devices
 * @{ */

/** The operations and the devices that there are. One is enough for a program. */
typedef struct fovea_context fovea_context;

/** How a context is made. */
typedef enum fovea_flags {
  FOVEA_DEFAULT = 0,   /**< all plugins, as the command and the window load them */
  FOVEA_NO_PLUGINS = 1 /**< no plugin but the one that Fovea comes with */
} fovea_flags;

/** Loads the plugins; takes some milliseconds. No driver of a card is woken.
 * @return NULL with *error when the plugin that Fovea comes with cannot be loaded. */
FOVEA_API fovea_context *fovea_context_new (fovea_flags flags, fovea_error **error);
/** A sentence for each plugin that was not accepted; NULL after the last. */
FOVEA_API const char *const *fovea_context_refused (const fovea_context *context);
/** Lets go of a context; it goes when the last object made with it has gone. */
FOVEA_API void fovea_context_free (fovea_context *context);

/** How many devices there are. The first call looks for all, which wakes drivers and can take some hundred milliseconds. */
FOVEA_API size_t fovea_device_count (const fovea_context *context);
/** What fovea_run_execute() calls device i, from 0: "cpu", "cuda:0"; NULL when there is no such device. */
FOVEA_API const char *fovea_device_key (const fovea_context *context, size_t i);
/** What device i is: "NVIDIA H200"; NULL when there is no such device. */
FOVEA_API const char *fovea_device_name (const fovea_context *context, size_t i);
/** Why device i cannot be used; NULL when it can. */
FOVEA_API const char *fovea_device_fault (const fovea_context *context, size_t i);

/** @}
 * @name Images
 * @{ */

/** Pixels of one type in five dimensions, time, channel, z, y and x, and their calibration. Never changes. */
typedef struct fovea_image fovea_image;

/** What the values of an image mean. */
typedef enum fovea_role {
  FOVEA_IMAGE = 0, /**< intensities */
  FOVEA_MASK,      /**< 8-bit: 0 outside, 255 inside */
  FOVEA_LABELS,    /**< 32-bit integers: 0 background, from 1 on objects */
  FOVEA_RGB        /**< 8-bit, with the channels red, green and blue */
} fovea_role;

/** An image but for its pixels. Later versions may have more at the end: `size` tells which one a program was built with. */
typedef struct fovea_image_info {
  size_t size;               /**< sizeof (fovea_image_info), to be set by the program */
  fovea_role role;           /**< what the values mean */
  DLDataType type;           /**< unsigned of 8 or 16 bits, signed of 32, float of 32 or 64 */
  int64_t shape[5];          /**< times, channels, slices, rows, columns; each at least 1 */
  double spacing[3];         /**< size of a pixel along z, y and x; 1 where it is not known */
  const char *unit[3];       /**< of z, y and x: "µm"; "": pixels */
  double interval;           /**< from one time to the next; 0: not known */
  const char *interval_unit; /**< "s" */
  const char *name;          /**< for people */
} fovea_image_info;

/** How many images a file holds: more than one when they are of different size or type.
 * @return 0 with *error when the file cannot be read. */
FOVEA_API unsigned fovea_image_count (const char *path, fovea_error **error);
/** Opens image n of a file, from 0: TIFF of all kinds, PNG, JPEG, BMP, GIF, PNM and WebP. Planes of TIFF files are read when they are
 * needed, so the file has to stay. */
FOVEA_API fovea_image *fovea_image_open (fovea_context *context, const char *path, unsigned n, fovea_error **error);
/** Saves by the extension: .tif (everything), .png (8 and 16 bits, one plane), .jpg (8 bits, one plane, changes values a
 * little). The file appears whole or not at all. */
FOVEA_API fovea_code fovea_image_save (const fovea_image *image, const char *path, fovea_error **error);
/** Fills *info, whose `size` is set. Texts belong to the image. */
FOVEA_API fovea_code fovea_image_get_info (const fovea_image *image, fovea_image_info *info, fovea_error **error);

/** An image of pixels that a program has, which are copied. The tensor is in host memory, has two to five dimensions, the
 * last ones of time, channel, z, y and x, and any strides.
 * @param info its role, and its spacing, units, interval and name where these are not 0 or NULL; type and shape are the tensor's.
 * NULL: intensities without calibration. */
FOVEA_API fovea_image *fovea_image_from_dlpack (fovea_context *context, const DLTensor *pixels,
                                                const fovea_image_info *info, fovea_error **error);
/** All pixels as a tensor in host memory with five dimensions, time, channel, z, y and x, dense: those of the image itself
 * and no copy, so they must not be written. They are read from the file, or brought from the device, when they are not there yet.
 * @return a tensor that lives until its `deleter` is called, once, by any thread, whatever is freed before. */
FOVEA_API DLManagedTensor *fovea_image_to_dlpack (const fovea_image *image, fovea_error **error);
/** Frees an image. */
FOVEA_API void fovea_image_free (fovea_image *image);

/** @}
 * @name Recipes
 * @{ */

/** What to do: steps with their arguments. Never changes. */
typedef struct fovea_recipe fovea_recipe;

/** Steps as the command takes them: "gaussian sigma=2 | otsu as=mask | label | regionprops". */
FOVEA_API fovea_recipe *fovea_recipe_parse (fovea_context *context, const char *text, fovea_error **error);
/** A recipe like it with one thing of step n, from 0, changed: what "key=value" says in its text. */
FOVEA_API fovea_recipe *fovea_recipe_with (const fovea_recipe *recipe, unsigned n, const char *key, const char *value,
                                           fovea_error **error);
/** The text that fovea_recipe_parse() reads back to the same steps. */
FOVEA_API const char *fovea_recipe_text (const fovea_recipe *recipe);
/** How many steps it has. */
FOVEA_API unsigned fovea_recipe_length (const fovea_recipe *recipe);
/** Frees a recipe. */
FOVEA_API void fovea_recipe_free (fovea_recipe *recipe);

/** @}
 * @name Tables
 * @{ */

/** Rows and columns of numbers or texts. Never changes. */
typedef struct fovea_table fovea_table;

/** How many rows it has. */
FOVEA_API int64_t fovea_table_rows (const fovea_table *table);
/** How many columns it has. */
FOVEA_API unsigned fovea_table_columns (const fovea_table *table);
/** The name of column j, from 0: "area"; NULL when there is no such column. */
FOVEA_API const char *fovea_table_name (const fovea_table *table, unsigned j);
/** The unit of column j: "µm²", or ""; NULL when there is no such column. */
FOVEA_API const char *fovea_table_unit (const fovea_table *table, unsigned j);
/** What column j is, in a sentence or ""; NULL when there is no such column. */
FOVEA_API const char *fovea_table_help (const fovea_table *table, unsigned j);
/** The values of column j, one for each row, a missing one NaN; NULL when it holds texts, or there is no such column. */
FOVEA_API const double *fovea_table_numbers (const fovea_table *table, unsigned j);
/** The text of column j in a row, from 0; NULL when it is missing, when the column holds numbers, or when there is no such
 * place. */
FOVEA_API const char *fovea_table_text (const fovea_table *table, unsigned j, int64_t row);
/** Saves as CSV in UTF-8, with a decimal point and every digit that matters. The file appears whole or not at all.
 * @param separator ',' or ';' */
FOVEA_API fovea_code fovea_table_save (const fovea_table *table, const char *path, char separator, fovea_error **error);
/** Frees a table. */
FOVEA_API void fovea_table_free (fovea_table *table);

/** @}
 * @name Runs
 * @{ */

/** A recipe on one image, and what comes of it: the last image, tables, and all that has a name (as=NAME). */
typedef struct fovea_run fovea_run;

/** Says how far a run is: in step `step`, from 0, of `steps`, and what part of all is done, 0 to 1. Not 0: stop soon. It must not use
 * the run but for fovea_run_cancel(). */
typedef int (*fovea_progress) (void *user, unsigned step, unsigned steps, double done);

/** Nothing is computed yet. The image is one of the same context. */
FOVEA_API fovea_run *fovea_run_new (const fovea_recipe *recipe, const fovea_image *image, fovea_error **error);
/** Computes, and comes back when all is done or something failed. To be called again, it computes what is not there yet.
 * @param device "auto" (where it is likely to be done first), "cpu", "cuda", "cuda:1"; NULL: "auto".
 * @param progress called about twenty times a second, and once at the end when nothing failed, always on the calling thread; the work
 * is then done on another one. NULL: the work is done on the calling thread.
 * @param user given to progress. */
FOVEA_API fovea_code fovea_run_execute (fovea_run *run, const char *device, fovea_progress progress, void *user,
                                        fovea_error **error);
/** Asks a run to stop soon, now or when it is executed: it fails with #FOVEA_CANCELLED. For good. Any thread. */
FOVEA_API void fovea_run_cancel (fovea_run *run);
/** The image of that name, or the last one: name is NULL. It does not need the run. */
FOVEA_API fovea_image *fovea_run_image (const fovea_run *run, const char *name, fovea_error **error);
/** The table of that name, or the last one: name is NULL. It does not need the run. */
FOVEA_API fovea_table *fovea_run_table (const fovea_run *run, const char *name, fovea_error **error);
/** Where it was executed last: "cpu", "cuda:0"; NULL: nowhere yet. */
FOVEA_API const char *fovea_run_device (const fovea_run *run);
/** Why there: one line. NULL: nowhere yet. */
FOVEA_API const char *fovea_run_reason (const fovea_run *run);
/** Milliseconds that its steps took on the device, all together. */
FOVEA_API double fovea_run_ms (const fovea_run *run);
/** Frees a run, which must not be executing. */
FOVEA_API void fovea_run_free (fovea_run *run);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
