/* SPDX-License-Identifier: MIT */
/** @file fovea.h
 * The public interface of libfovea.
 *
 * @mainpage Fovea for programs
 * Opens images, runs recipes on them, and returns tables and pixels: fovea.h describes each function.
 *
 * Build with `pkg-config --cflags --libs fovea`. Plain C, also for C++; it needs DLPack's header.
 *
 * **Errors.** A function that can fail takes a pointer for an error, which may be NULL, and returns NULL or a code
 * other than #FOVEA_OK. Only then the pointer receives an error that the caller owns and frees with
 * fovea_error_free(). Functions without such a pointer ignore objects and strings that are NULL, and return 0, NULL
 * or "". Nothing is printed except what fovea_log_to() can receive. No function ends the program, unless memory for
 * small allocations runs out.
 *
 * **Ownership.** The caller owns every returned pointer and frees it with its own `_free()`, which accepts NULL. A
 * `const` result belongs to the object that returned it and lives as long as that object. Objects keep what they
 * need, so they can be freed in any order. Strings are UTF-8, and numbers in them have a decimal point in every
 * locale; file names are the system's bytes.
 *
 * **Structs** grow at their ends, and `size` is the number of bytes of one. The program sets it in structs that it
 * makes, and receives as much as fits; in `const` structs the library sets it. Lists of pointers end with NULL.
 *
 * **Threads.** Contexts, files, recipes, images and tables are immutable: any number of threads may use one at once,
 * as long as none frees it. A run belongs to one thread at a time; other threads may call only fovea_run_cancel().
 * Runs on the CPU run in parallel, each with as many threads as OMP_NUM_THREADS allows or there are cores; runs on
 * one GPU take turns. The environment is read and never changed. A child of fork() may use its parent's objects on
 * the CPU, except runs, tasks and batches that were running. Objects on a GPU fail there with #FOVEA_DEVICE_FAULT:
 * start a new process to use the GPU.
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
  FOVEA_CANCELLED,    /**< a stop was requested */
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
 * @name Texts
 * @{ */

/** What may be no text, such as the name of a file, as UTF-8 text: other bytes as \\xff. What a terminal would obey or hide becomes
 * \\x1b or \\u009b, too, but for the characters of `keep`; NULL: all of them stay. */
FOVEA_API char *fovea_text_from_bytes (const char *bytes, const char *keep);
/** Shortest decimal form that reads back as the same number: a value for fovea_recipe_with(). */
FOVEA_API char *fovea_text_from_number (double number);
/** Frees a text. */
FOVEA_API void fovea_text_free (char *text);
/** Saves a text. The file appears whole or not at all. */
FOVEA_API fovea_code fovea_text_save (const char *text, const char *path, fovea_error **error);

/** @}
 * @name Tasks
 * @{ */

/** What a thread is doing, as others see it: how far it is, and that it shall stop. */
typedef struct fovea_task fovea_task;

/** Nothing is done yet. */
FOVEA_API fovea_task *fovea_task_new (void);
/** From now on what this thread opens, reads, executes and saves belongs to the task, until the thread enters another one, or leaves it
 * with NULL. One thread at a time. */
FOVEA_API void fovea_task_enter (fovea_task *task);
/** Asks for it to stop soon, for good: what is being done fails with #FOVEA_CANCELLED. Any thread, and a signal's handler. */
FOVEA_API void fovea_task_cancel (fovea_task *task);
/** How far a run is that is executed in it: in step *step, from 0, of *steps, and what part of that step is done, 0 to 1. *steps is 0
 * before. Any thread. */
FOVEA_API void fovea_task_get_progress (const fovea_task *task, unsigned *step, unsigned *steps, double *done);
/** How many bytes were read of the file that is being fetched or read from a stream. Any thread. */
FOVEA_API uint64_t fovea_task_fetched (const fovea_task *task);
/** How many steps have made their images on disk, because memory is short. Any thread. */
FOVEA_API unsigned fovea_task_on_disk (const fovea_task *task);
/** Frees a task that no thread is in. */
FOVEA_API void fovea_task_free (fovea_task *task);
/** Removes what this process has begun to save and not ended. For a signal's handler, before it ends the program: what is being saved
 * then fails. */
FOVEA_API void fovea_abandon_files (void);

/** @}
 * @name Streams
 * Standard input and output as files: images and tables are read and written at any offset, so streams are copied to and from
 * files without a name.
 * @{ */

/** All that a descriptor has to read, for functions that take the path of a file. A terminal is an error.
 * @param name What errors call it.
 * @return a path that is valid until the process ends. NULL with *error. */
FOVEA_API const char *fovea_stream_input (int fd, const char *name, fovea_error **error);
/** From now on what is saved at `path` goes to the descriptor, as a whole and once it is complete. Before there are threads.
 * @param path No file; what errors call it, with the ending of a format: "standard output.tif". */
FOVEA_API fovea_code fovea_stream_output (int fd, const char *path, fovea_error **error);

/** @}
 * @name Contexts
 * @{ */

/** The operations and devices. A program needs only one context. */
typedef struct fovea_context fovea_context;

/** How a context is made. */
typedef enum fovea_flags {
  FOVEA_DEFAULT = 0,  /**< all plugins, as the command and the app load them */
  FOVEA_NO_PLUGINS,   /**< no plugin but the one that Fovea comes with */
  FOVEA_NO_OPERATIONS /**< no plugin at all, for programs that only read and write files */
} fovea_flags;

/** Loads the plugins; takes some milliseconds. No driver of a GPU is woken. A plugin that is refused does not keep it from being made. */
FOVEA_API fovea_context *fovea_context_new (fovea_flags flags, fovea_error **error);
/** A sentence for each plugin that was not accepted; NULL after the last. */
FOVEA_API const char *const *fovea_context_refused (const fovea_context *context);
/** The folders in which plugins were looked for; NULL after the last. */
FOVEA_API const char *const *fovea_context_folders (const fovea_context *context);
/** What this build and this machine have, for a report of a fault: formats, versions of libraries, plugins and their files, the CPU with its vector
 * instructions, and the GPUs that NVIDIA's driver lists. Takes some milliseconds, and calls no driver.
 * @param context NULL: without plugins and CPU.
 * @return lines "Name: text", which the caller frees with fovea_text_free(). */
FOVEA_API char *fovea_context_about (const fovea_context *context);
/** Allows steps with native code, such as those of the operation kernel, which runs with the permissions of the
 * program's user. Without it they are refused. No step and no macro can allow it. */
FOVEA_API void fovea_context_allow_native (fovea_context *context);
/** Lets go of a context; it goes when the last object made with it has gone. */
FOVEA_API void fovea_context_free (fovea_context *context);

/** Receives diagnostic messages that are not errors, such as those of operations: one line each. Any thread. */
typedef void (*fovea_log) (void *user, const char *text);
/** From now on the log goes there; NULL: to standard error, most of it only where G_MESSAGES_DEBUG is "all". For the whole process,
 * before it works in several threads. */
FOVEA_API void fovea_log_to (fovea_log log, void *user);

/** @}
 * @name Devices
 * @{ */

/** Where operations run. */
typedef struct fovea_device {
  size_t size;        /**< of this struct */
  const char *key;    /**< what fovea_run_execute() calls it: "cpu", "cuda:0" */
  const char *name;   /**< "NVIDIA H200" */
  const char *detail; /**< driver, cores: for a report */
  const char *fault;  /**< why it cannot be used; NULL: it can */
  DLDevice dl;        /**< what tensors there say */
} fovea_device;

/** All devices. The first call looks for them, which wakes drivers and can take some hundred milliseconds. */
FOVEA_API const fovea_device *const *fovea_context_devices (const fovea_context *context);
/** Bytes of its memory that are free, and in all. */
FOVEA_API fovea_code fovea_device_get_memory (const fovea_device *device, int64_t *unused, int64_t *all,
                                              fovea_error **error);
/** How many bytes of a GPU's memory may be used from now on; 0: all that is free. What does not fit goes through it in parts. */
FOVEA_API void fovea_device_set_limit (const fovea_device *device, int64_t bytes);

/** The stream on which it works, in CUDA a `cudaStream_t`; NULL on the CPU, where all is done when a function returns. Who lends it pixels
 * that are still being made has this stream wait for that. Wakes a GPU. */
FOVEA_API fovea_code fovea_device_get_stream (const fovea_device *device, void **stream, fovea_error **error);
/** How many bytes went from host memory to the device, and back, since the context was made. */
FOVEA_API fovea_code fovea_device_get_moved (const fovea_device *device, uint64_t *uploaded, uint64_t *downloaded,
                                             fovea_error **error);

/** @}
 * @name Operations
 * What steps can do, as the plugins declare it. A text that does not exist is NULL.
 * @{ */

/** One of the values that a parameter can have. */
typedef struct fovea_choice {
  size_t size;       /**< of this struct */
  const char *key;   /**< as steps write it */
  const char *label; /**< for people; may begin with a group: "Size/Area" */
  const char *help;  /**< a sentence */
} fovea_choice;

/** What values a parameter takes. */
typedef enum fovea_parameter_type {
  FOVEA_BOOLEAN = 1, /**< "yes" or "no" */
  FOVEA_INTEGER,     /**< an integer */
  FOVEA_NUMBER,      /**< a number */
  FOVEA_AXES,        /**< a number for all axes, or "y,x" or "z,y,x" */
  FOVEA_SET,         /**< any of the choices, with commas between */
  FOVEA_MATRIX,      /**< numbers, rows separated by ';', planes by '/' */
  FOVEA_TEXT,        /**< a text */
  FOVEA_CHOICE       /**< one of the choices */
} fovea_parameter_type;

/** A parameter of an operation. */
typedef struct fovea_parameter {
  size_t size;                        /**< of this struct */
  const char *key;                    /**< as steps write it */
  const char *label;                  /**< for people */
  const char *help;                   /**< a sentence */
  fovea_parameter_type type;          /**< what it takes */
  const char *values;                 /**< the same in words: "number, 0 to 1000 px, default 2" */
  const char *unit;                   /**< "px", "%" */
  const char *initial;                /**< the default value; "": none */
  double min;                         /**< the least possible value; -infinite: no limit */
  double max;                         /**< the greatest one */
  double soft_min;                    /**< where a slider should begin; -infinite: anywhere */
  double soft_max;                    /**< where it should end */
  const fovea_choice *const *choices; /**< NULL: there are none */
  const char *enabled; /**< it matters only then: "method=manual|otsu", or several of these, "a=1 & b=2" */
  const char *aliases; /**< what it was called before: "older,oldest" */
  int logarithmic;     /**< whether a slider should be */
  int advanced;        /**< rarely changed: forms may fold it away */
  int ordinal;         /**< counts from 0 what people count from 1 */
  int models;          /**< whether it may be the name of a model of fovea_models_new() */
} fovea_parameter;

/** An image, or a table, that an operation takes. */
typedef struct fovea_input {
  size_t size;       /**< of this struct */
  const char *key;   /**< "image"; steps call the first one "from" */
  const char *label; /**< for people */
  const char *help;  /**< a sentence */
  const char *types; /**< "u8, u16", or in words what it takes or makes of every type; "table" */
  const char *words; /**< the same for people: "8-bit, 16-bit" */
  int optional;      /**< whether it can be missing */
  int is_table;      /**< whether it is a table: the last that was made, unless one is named */
} fovea_input;

/** An image that an operation makes. */
typedef struct fovea_output {
  size_t size;       /**< of this struct */
  const char *key;   /**< "image" */
  const char *label; /**< for people */
} fovea_output;

/** A number that an operation makes, see fovea_run_step_numbers(). */
typedef struct fovea_scalar {
  size_t size;       /**< of this struct */
  const char *key;   /**< "threshold" */
  const char *label; /**< for people */
  const char *help;  /**< a sentence */
} fovea_scalar;

/** An operation. */
typedef struct fovea_operation {
  size_t size;                              /**< of this struct */
  const char *key;                          /**< as steps write it: "gaussian" */
  const char *aliases;                      /**< what it was called before: "older,oldest" */
  const char *menu;                         /**< "Process/Filters"; NULL: in none */
  const char *label;                        /**< "Gaussian Blur..." */
  const char *help;                         /**< a sentence */
  const char *cite;                         /**< source of the method */
  const char *search;                       /**< other words that people look for it with: "smooth denoise"; or NULL */
  const char *plugin;                       /**< name of the plugin that has it */
  const fovea_input *const *inputs;         /**< what it takes */
  const fovea_output *const *outputs;       /**< what images it makes */
  const fovea_scalar *const *scalars;       /**< what numbers it makes */
  const fovea_parameter *const *parameters; /**< how it can be changed */
  int makes_table;                          /**< whether it makes a table, too */
  int runs_on_gpus;                         /**< whether it runs on more than the CPU */
  double
    reproducible; /**< 0: every device gives the same bits; else the tolerance within which their results agree, such as 1e-6 */
} fovea_operation;

/** How well an operation matches the words of a search, ignoring case.
 * @param text "blur", "count cells"
 * @return 4: the text is its key. 3: its label contains the whole text. 2: its search words contain the whole text. 1: its texts contain all words.
 * 0: a word is missing. */
FOVEA_API int fovea_operation_rank (const fovea_operation *operation, const char *text);
/** All operations, in the order of their keys. */
FOVEA_API const fovea_operation *const *fovea_context_operations (const fovea_context *context);
/** The operation that steps call so.
 * @return NULL with *error, which suggests the nearest key, when there is none. */
FOVEA_API const fovea_operation *fovea_context_operation (const fovea_context *context, const char *key,
                                                          fovea_error **error);

/** @}
 * @name Models
 * Trained models, such as networks, that operations choose by name.
 * @{ */

/** All models of plugins, and those that the user has added. Stays as it is when others are added or removed. */
typedef struct fovea_models fovea_models;

/** All models.
 * @return NULL with *error. */
FOVEA_API fovea_models *fovea_models_new (fovea_context *context, fovea_error **error);
/** The value of a parameter that chooses model number n, from 0; NULL: there are no more. Valid as long as the list. */
FOVEA_API const char *fovea_models_name (const fovea_models *models, size_t n);
/** The file of that model; NULL: it is part of Fovea or a plugin. Valid as long as the list. */
FOVEA_API const char *fovea_models_path (const fovea_models *models, size_t n);
/** The name of the plugin of which that model is a part; NULL: it is part of Fovea itself, or a file. Valid as long as the list. */
FOVEA_API const char *fovea_models_plugin (const fovea_models *models, size_t n);
/** Receives a line of a card.
 * @param key "license"
 * @param label the same for people: "License"
 * @param text "MIT" */
typedef void (*fovea_model_line) (void *user, const char *key, const char *label, const char *text);
/** What is known of a model: what it is for, its authors, license and limits. Fails where the model cannot be used. Any thread. */
FOVEA_API fovea_code fovea_models_card (const fovea_models *models, const char *name, fovea_model_line line, void *user,
                                        fovea_error **error);
/** Runs the test that a model brings. Any thread.
 * @return what agrees, a sentence, which the caller frees with fovea_text_free(). NULL with *error: it fails or cannot be run. */
FOVEA_API char *fovea_models_test (const fovea_models *models, const char *name, fovea_error **error);
/** Checks and tests the file of a model, and copies it to those of the user. Later lists have it. Any thread.
 * @return its name, which the caller frees with fovea_text_free(). NULL with *error. */
FOVEA_API char *fovea_model_add (fovea_context *context, const char *path, fovea_error **error);
/** Removes the file of a model that the user has added. */
FOVEA_API fovea_code fovea_models_remove (const fovea_models *models, const char *name, fovea_error **error);
/** Frees a list. */
FOVEA_API void fovea_models_free (fovea_models *models);

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

/** An image but for its pixels. */
typedef struct fovea_image_info {
  size_t size;                      /**< sizeof (fovea_image_info), to be set by the program */
  fovea_role role;                  /**< what the values mean */
  DLDataType type;                  /**< integers of 8, 16 or 32 bits, floats of 16, 32 or 64 */
  int64_t shape[5];                 /**< times, channels, slices, rows, columns; each at least 1 */
  double spacing[3];                /**< size of a pixel along z, y and x; 1 where it is not known */
  const char *unit[3];              /**< of z, y and x: "µm"; "": pixels */
  double interval;                  /**< from one time to the next; 0: not known */
  const char *interval_unit;        /**< "s" */
  const char *name;                 /**< for people */
  const char *const *channel_names; /**< NULL, or one for each channel and a NULL */
  const uint32_t *channel_colors;   /**< NULL, or 0xRRGGBB for each channel */
  const double *display_ranges;     /**< NULL, or for each channel the values that are shown black and in full color */
  const char *stored_as;            /**< NULL, or the type that its file has when it was made wider: "int16" */
  const char *description;          /**< NULL, or the text that the file carries */
  double origin[3];    /**< position along z, y and x, in pixels, from which coordinates count in ImageJ; else 0 */
  const char *values;  /**< NULL, or what values mean by the file's calibration: "-1024 + 1 × value HU" */
  const char *made_by; /**< NULL, or the steps that made it, a line each: "Fovea 0.1.0: gaussian sigma=2 …" */
} fovea_image_info;

/** A format of image files, as it declares itself. */
typedef struct fovea_format {
  size_t size;                   /**< of this struct */
  const char *key;               /**< "tiff" */
  const char *label;             /**< for people: "TIFF" */
  const char *plugin;            /**< name of the plugin that reads it; NULL: none is needed */
  const char *const *endings;    /**< of names, lower case, the usual one first: "tif", "tiff"; ends with NULL */
  const char *const *mime_types; /**< "image/tiff"; ends with NULL */
  unsigned n_saved;              /**< so many of the endings, the first ones, can be saved, too */
  const fovea_parameter *const *options; /**< how files can be saved; ends with NULL */
  int
    in_folders; /**< whether files of a folder with these endings are taken for images; others have to be named, since tables have the same endings */
} fovea_format;

/** All formats that can be opened; ends with NULL. Valid as long as the context. */
FOVEA_API const fovea_format *const *fovea_context_formats (const fovea_context *context);

/** A file of images: several when they are of different size or type. What it says about them is read once. */
typedef struct fovea_file fovea_file;

/** Opens a file of one of the formats, which its contents tell.
 * @param path A path, or a URL. https://, http:// and public objects, s3://BUCKET/KEY and gs://BUCKET/KEY, are fetched by the program curl, whose environment
 * variables apply. Others, such as sftp:// and smb://, need the mounts of the desktop. FOVEA_FETCH_LIMIT is the limit. */
FOVEA_API fovea_file *fovea_file_open (fovea_context *context, const char *path, fovea_error **error);
/** Whether fovea_file_open_raw() takes that as `raw`. */
FOVEA_API fovea_code fovea_file_can_be_raw (const char *raw, fovea_error **error);
/** Opens a file of nothing but pixels. Later calls of this process read the file at that path in the same way.
 * @param raw what its pixels are: "width=512 height=512 slices=10 channels=1 frames=1 type=u16 endian=little order=xyzct offset=0 gap=0"; all but the first two
 * can be left out. NULL: the contents tell, as with fovea_file_open(). */
FOVEA_API fovea_file *fovea_file_open_raw (fovea_context *context, const char *path, const char *raw,
                                           fovea_error **error);
/** How many images it holds. */
FOVEA_API unsigned fovea_file_count (const fovea_file *file);
/** What the file, or the set that it belongs to, has and none of its images shows, in a few words: tables of a FITS file, pages and missing planes
 * of a TIFF file. NULL: nothing. Valid as long as the file. */
FOVEA_API const char *fovea_file_left_out (const fovea_file *file);
/** Image n of the file, from 0. Pixels of many formats are read when they are needed, so it has to stay where it is. */
FOVEA_API fovea_image *fovea_file_image (const fovea_file *file, unsigned n, fovea_error **error);
/** What the headers say of image n, from 0, without reading its pixels.
 * @param info filled; its `size` is set. What it points to is valid as long as the file.
 * @param depends what the pixels may change of it, as a clause such as "one channel if all its colors are gray"; NULL: nothing. May be NULL.
 * @return in one line: size, type and pixel size. Valid as long as the file. NULL with *error. */
FOVEA_API const char *fovea_file_describe (fovea_file *file, unsigned n, fovea_image_info *info, const char **depends,
                                           fovea_error **error);
/** What the file says of people, institutions and dates with image n, from 0: a line for each, as DICOM files have them. No image and no saved file keeps it.
 * Free it with fovea_text_free().
 * @return NULL when there is nothing; also with *error. */
FOVEA_API char *fovea_file_personal (const fovea_file *file, unsigned n, fovea_error **error);
/** Frees what is known of a file. */
FOVEA_API void fovea_file_free (fovea_file *file);
/** Image n of the file at that path. */
FOVEA_API fovea_image *fovea_image_open (fovea_context *context, const char *path, unsigned n, fovea_error **error);
/** A label image of the selections in a file: GeoJSON, as QuPath writes it, or .roi and .zip of ImageJ. The first one has label 1. Where they overlap
 * the later one counts. Steps take such files, too: "regionprops from=file:cells.geojson intensity=source".
 * @param like an image of the same context. The result has its rows, columns, slices, frames and calibration, and one channel.
 * @param left_out NULL, or receives messages about what of the file is missing in the result, else NULL. Free it with fovea_text_free(). */
FOVEA_API fovea_image *fovea_image_open_selections (fovea_context *context, const char *path, const fovea_image *like,
                                                    char **left_out, fovea_error **error);

/** How TIFF, OME-Zarr and AVI compress, without loss but for JPEG. */
typedef enum fovea_compression {
  FOVEA_UNCOMPRESSED = 0, /**< as is usual for the format: TIFF and AVI not at all, OME-Zarr with Zstandard */
  FOVEA_DEFLATE,          /**< TIFF, OME-Zarr: as PNG does */
  FOVEA_ZSTD,             /**< TIFF, OME-Zarr: faster, and fewer programs read it */
  FOVEA_JPEG,             /**< AVI: each frame as JPEG, whose values change a little */
  FOVEA_PNG               /**< AVI: each frame as PNG */
} fovea_compression;

/** How TIFF files, OME-Zarr and movies are written. All zero but the size: TIFF as ImageJ writes it, frames with the interval of the image. */
typedef struct fovea_save_options {
  size_t size;                   /**< sizeof (fovea_save_options), to be set by the program */
  fovea_compression compression; /**< how pixels are packed */
  unsigned tile; /**< rows and columns of a tile, a multiple of 16 up to 8192; 0: strips, or with a pyramid 256 */
  int pyramid;   /**< not 0: with levels of half the size each, down to one tile */
  double rate;   /**< of movies, in frames per second; 0: by the frame interval of the image, or 10 where it has none */
  const char *
    others; /**< further options of the format, as fovea_context_formats() has them: "zarr=0.4 sharding=8"; NULL: none */
} fovea_save_options;

/** Saves in the format of the name's ending, see fovea_context_formats(). TIFF stores everything, FITS all but channels' names, PNG one plane of 8 or
 * 16 bits, and JPEG one of 8 bits, whose values it changes a little. OME-Zarr is a folder. The objects of a label image or a mask can be saved as selections: .geojson, as
 * QuPath reads it, and .zip or .roi of ImageJ, with the exact outlines of each plane. The file appears whole or not at all.
 * @param options for .tif and .zarr alone; NULL: none. */
FOVEA_API fovea_code fovea_image_save (const fovea_image *image, const char *path, const fovea_save_options *options,
                                       fovea_error **error);
/** Whether the name and the options are such that some image could be saved so: to be asked before there is one. */
FOVEA_API fovea_code fovea_image_can_save (const char *path, const fovea_save_options *options, fovea_error **error);
/** Fills *info, whose `size` is set. */
FOVEA_API fovea_code fovea_image_get_info (const fovea_image *image, fovea_image_info *info, fovea_error **error);
/** What it is, in a line for people: "640×480 16-bit, 3 channels, 0.2 × 0.2 µm". */
FOVEA_API const char *fovea_image_text (const fovea_image *image);

/** An image of a program's own pixels, which are copied. The tensor is in host memory and has any strides. It has two to five dimensions, the last
 * ones of time, channel, z, y and x.
 * @param info its role, and other members that are not 0 or NULL; type and shape are the tensor's. NULL: intensities without calibration. */
FOVEA_API fovea_image *fovea_image_from_dlpack (fovea_context *context, const DLTensor *pixels,
                                                const fovea_image_info *info, fovea_error **error);
/** The same without a copy, if the tensor is dense and its first pixel is aligned to its type; others are copied. The image takes the tensor, whose
 * pixels must not change until its `deleter` is called. Any thread calls it, after the last use of the pixels, and immediately if they were copied.
 * A tensor in GPU memory stays there if its first pixel is at a multiple of 64 bytes. The work that makes its pixels must be done, or come before
 * later work on the GPU, see fovea_device_get_stream(). Its role there is not #FOVEA_LABELS. If it is not dense, the pixels of a row must be
 * contiguous, or all pixels of a plane at equal distances.
 * @return NULL with *error, and the tensor is still the caller's. */
FOVEA_API fovea_image *fovea_image_borrow_dlpack (fovea_context *context, DLManagedTensor *pixels,
                                                  const fovea_image_info *info, fovea_error **error);
/** All pixels as a dense tensor in host memory with five dimensions: time, channel, z, y and x. It shares the image's
 * memory, so it must not be written. The pixels are read from the file, or downloaded from the device, if needed.
 * @return a tensor that lives until its `deleter` is called, once, by any thread, even if everything else is freed
 * before. */
FOVEA_API DLManagedTensor *fovea_image_to_dlpack (const fovea_image *image, fovea_error **error);
/** The same in the memory of a device; nothing is transferred if the pixels are there already, such as results of a
 * GPU. Work submitted to `stream` from now on finds the pixels there. The GPU reuses the memory only after the work
 * submitted before `deleter` is called, and the stream must exist until then. It is a stream of that device, in CUDA
 * a `cudaStream_t`. NULL: no synchronization, which is right when the work on the pixels has finished before
 * `deleter` is called. */
FOVEA_API DLManagedTensor *fovea_image_to_dlpack_on (const fovea_image *image, const fovea_device *device, void *stream,
                                                     fovea_error **error);
/** The GPU that has made its pixels, or has been lent them, and has them still; NULL: they are in host memory or a file. */
FOVEA_API const fovea_device *fovea_image_get_device (const fovea_image *image);
/** How many levels the pyramid of its file has; without one there is level 0 alone, the image itself. */
FOVEA_API unsigned fovea_image_levels (const fovea_image *image);
/** Times, channels, slices, rows and columns of a level, from 0. */
FOVEA_API fovea_code fovea_image_get_level (const fovea_image *image, unsigned level, int64_t shape[5],
                                            fovea_error **error);
/** Reads pixels of a level without reading, or keeping, all of them.
 * @param from where they begin: time, channel, slice, row and column of the level.
 * @param to receives as many as it has. Its type is the image's, and it is in host memory. It has two to five dimensions, the last ones of time,
 * channel, z, y and x. Pixels along x are contiguous, other strides are free. */
FOVEA_API fovea_code fovea_image_read (const fovea_image *image, unsigned level, const int64_t from[5],
                                       const DLTensor *to, fovea_error **error);
/** Frees an image. */
FOVEA_API void fovea_image_free (fovea_image *image);

/** @}
 * @name Recipes
 * @{ */

/** What to do: steps with their arguments. Never changes. */
typedef struct fovea_recipe fovea_recipe;

/** Steps as the command takes them: "gaussian sigma=2 | otsu as=mask | label | regionprops". */
FOVEA_API fovea_recipe *fovea_recipe_parse (fovea_context *context, const char *text, fovea_error **error);
/** The steps of a file, as the app saves them: one per line, empty lines and lines that begin with # are ignored.
 * @param path As fovea_file_open() takes it. Files that steps take without a folder are in the folder of a path, and otherwise in the
 * working folder. */
FOVEA_API fovea_recipe *fovea_recipe_load (fovea_context *context, const char *path, fovea_error **error);
/** No steps: a run of it, which is done at once, is the image itself. */
FOVEA_API fovea_recipe *fovea_recipe_empty (fovea_context *context, fovea_error **error);
/** A recipe like it with one thing of step n, from 0, changed: what "key=value" says in its text. */
FOVEA_API fovea_recipe *fovea_recipe_with (const fovea_recipe *recipe, unsigned n, const char *key, const char *value,
                                           fovea_error **error);
/** Whether slices are one volume or planes, for all steps of a recipe that do not give `volume=` themselves. */
typedef enum fovea_volume {
  FOVEA_VOLUME_UNSAID = 0, /**< not set: planes */
  FOVEA_VOLUME_NO,         /**< planes, "volume=no |" before the steps */
  FOVEA_VOLUME_YES,        /**< one volume, "volume=yes |" */
  FOVEA_VOLUME_OBJECTS     /**< one volume for steps that find, separate or measure objects, "volume=objects |" */
} fovea_volume;

/** What the recipe says of that. */
FOVEA_API fovea_volume fovea_recipe_get_volume (const fovea_recipe *recipe);
/** A recipe like it that says this. */
FOVEA_API fovea_recipe *fovea_recipe_with_volume (const fovea_recipe *recipe, fovea_volume volume, fovea_error **error);
/** The suggested setting for a recipe without one whose steps a user has just written. It is #FOVEA_VOLUME_OBJECTS if the image has slices with a
 * known distance and a step would take them as planes, else #FOVEA_VOLUME_UNSAID. */
FOVEA_API fovea_volume fovea_recipe_suggest_volume (const fovea_recipe *recipe, const fovea_image *image);
/** The recipe as `fovea run` and fovea_batch_new() run it on an image: with the suggestion of fovea_recipe_suggest_volume(), if any.
 * @param said NULL, or receives a note if slices leave a choice, such as "otsu, label: the slices are one volume", else NULL. To be freed with
 * fovea_text_free(). */
FOVEA_API fovea_recipe *fovea_recipe_for_image (const fovea_recipe *recipe, const fovea_image *image, char **said,
                                                fovea_error **error);
/** How many slices, rows and columns around a part of an image the steps need, all together, so that they make the same pixels of the part as of the
 * whole. So a program can process an image block by block that it never has as a whole. As many as the whole has: it must not be divided along that axis.
 * Thresholds, labels and tables cannot be made in blocks.
 * @param whole its type, shape, role, spacing and units.
 * @return #FOVEA_UNSUPPORTED with *error, which names a step that cannot work on blocks. */
FOVEA_API fovea_code fovea_recipe_get_halo (const fovea_recipe *recipe, const fovea_image_info *whole, int64_t halo[3],
                                            fovea_error **error);
/** The text that fovea_recipe_parse() reads back to the same steps. */
FOVEA_API const char *fovea_recipe_text (const fovea_recipe *recipe);
/** How many steps it has. */
FOVEA_API unsigned fovea_recipe_length (const fovea_recipe *recipe);
/** A step of a recipe. */
typedef struct fovea_step {
  size_t size;              /**< sizeof (fovea_step), to be set by the program */
  const char *operation;    /**< the operation's key */
  const char *text;         /**< the step as text */
  int skipped;              /**< skip=yes: it does nothing */
  size_t images;            /**< how many it makes */
  size_t results;           /**< how many results it has: its images, and after them a table when it makes one */
  const char *const *names; /**< as=NAME,NAME: for each result its name, or NULL */
  const char *device; /**< device=KEY: where it runs instead of where the others do, or "auto"; NULL: it has none */
} fovea_step;

/** Fills *step, whose `size` is set, with step n, from 0. */
FOVEA_API fovea_code fovea_recipe_get_step (const fovea_recipe *recipe, unsigned n, fovea_step *step,
                                            fovea_error **error);
/** Whether it needs an image to work on, as all but those do that begin with a step which makes one. */
FOVEA_API int fovea_recipe_takes_image (const fovea_recipe *recipe);
/** Frees a recipe. */
FOVEA_API void fovea_recipe_free (fovea_recipe *recipe);

/** @}
 * @name Tables
 * @{ */

/** Rows and columns of numbers or texts. Never changes. */
typedef struct fovea_table fovea_table;

/** What the values of a column are. */
typedef enum fovea_column_type {
  FOVEA_COLUMN_INTEGER = 0, /**< integers */
  FOVEA_COLUMN_FLOAT,       /**< numbers */
  FOVEA_COLUMN_TEXT         /**< texts */
} fovea_column_type;

/** A column of a table that a program makes. */
typedef struct fovea_table_column {
  size_t size;              /**< sizeof (fovea_table_column), to be set by the program */
  const char *name;         /**< "area"; different in each column */
  const char *unit;         /**< "µm²"; NULL or "": none */
  const char *help;         /**< a sentence, or NULL */
  fovea_column_type type;   /**< what the values are */
  const double *numbers;    /**< one for each row, NaN if missing; NULL for texts */
  const char *const *texts; /**< one for each row, NULL if missing; NULL for numbers */
} fovea_table_column;

/** A table of a program's own columns, which are copied.
 * @param columns a list that ends with NULL
 * @param rows how many values each column has */
FOVEA_API fovea_table *fovea_table_new (const fovea_table_column *const *columns, int64_t rows, fovea_error **error);
/** How many rows it has. */
FOVEA_API int64_t fovea_table_rows (const fovea_table *table);
/** How many columns it has. */
FOVEA_API unsigned fovea_table_columns (const fovea_table *table);
/** The type of the values in column j; #FOVEA_COLUMN_FLOAT if the column does not exist. */
FOVEA_API fovea_column_type fovea_table_type (const fovea_table *table, unsigned j);
/** The name of column j, from 0: "area"; NULL if the column does not exist. */
FOVEA_API const char *fovea_table_name (const fovea_table *table, unsigned j);
/** The unit of column j: "µm²", or ""; NULL if the column does not exist. */
FOVEA_API const char *fovea_table_unit (const fovea_table *table, unsigned j);
/** A description of column j, a sentence or ""; NULL if the column does not exist. */
FOVEA_API const char *fovea_table_help (const fovea_table *table, unsigned j);
/** The values of column j, one for each row, NaN if missing; NULL if it contains strings or does not exist. */
FOVEA_API const double *fovea_table_numbers (const fovea_table *table, unsigned j);
/** The string of column j in a row, from 0; NULL if it is missing, the column contains numbers, or the column or row
 * does not exist. */
FOVEA_API const char *fovea_table_text (const fovea_table *table, unsigned j, int64_t row);
/** How a table is written as CSV. What is 0 need not be set. */
typedef struct fovea_csv_options {
  size_t size;    /**< sizeof (fovea_csv_options), to be set by the program */
  char separator; /**< between columns: ',' (also 0) or ';', which makes decimal commas, too */
  int
    raw; /**< not 0: text cells as they are. Otherwise a text that begins with = + - @ or ' gets an apostrophe in front, so that a
              * spreadsheet does not run it as a formula, and control characters become their pictures. Numbers are always as they are. */
} fovea_csv_options;

/** Saves in UTF-8, with every significant digit: as CSV, with tabs as .tsv, or as .jsonl, a line of JSON for each row, with numbers, strings and
 * null. FITS binary tables (.fits, .fit, .fts), VOTable (.vot, .xml) and Apache Parquet (.parquet) also have types and units of columns.
 * Another ending is an error. The file appears whole or not at all.
 * @param options NULL: commas, and no cell that a spreadsheet would run */
FOVEA_API fovea_code fovea_table_save (const fovea_table *table, const char *path, const fovea_csv_options *options,
                                       fovea_error **error);
/** What fovea_table_save() writes into a .csv file, as a text; free it with fovea_text_free(). */
FOVEA_API char *fovea_table_csv (const fovea_table *table, const fovea_csv_options *options, fovea_error **error);
/** Whether the name is one of a table that can be saved so. */
FOVEA_API fovea_code fovea_table_can_save (const char *path, const fovea_csv_options *options, fovea_error **error);
/** Frees a table. */
FOVEA_API void fovea_table_free (fovea_table *table);

/** @}
 * @name Runs
 * @{ */

/** A recipe on one image, and its results: the last image, tables, and all named ones (as=NAME). */
typedef struct fovea_run fovea_run;

/** Says how far a run is: in step `step`, from 0, of `steps`, and what part of all is done, 0 to 1. Not 0: stop soon. It must not use
 * the run but for fovea_run_cancel(). */
typedef int (*fovea_progress) (void *user, unsigned step, unsigned steps, double done);

/** Which images stay when no later step takes them any more. Tables, numbers and times always do. */
typedef enum fovea_keep {
  FOVEA_KEEP_NAMED = 0, /**< the last one and those that have names */
  FOVEA_KEEP_ALL        /**< all, to read them or to continue the run */
} fovea_keep;

/** Nothing is computed yet.
 * @param image one of the same context; NULL where fovea_recipe_takes_image() says that none is needed. */
FOVEA_API fovea_run *fovea_run_new (const fovea_recipe *recipe, const fovea_image *image, fovea_keep keep,
                                    fovea_error **error);
/** Step n, from 0, is not executed: the first image that it makes is this one, of the same context. So a recipe works on several images, with a step
 * for each of them whose name others take. To be called before the run is executed. */
FOVEA_API fovea_code fovea_run_give (fovea_run *run, unsigned n, const fovea_image *image, fovea_error **error);
/** Of images with names only these stay, and the last: a run that is short of memory needs less. To be called before it
 * is executed; a run that continues it keeps all again.
 * @param names a list that ends with NULL; each is one of the recipe's. */
FOVEA_API fovea_code fovea_run_want (fovea_run *run, const char *const *names, fovea_error **error);
/** A run of another recipe on the same image, which begins with the results of equal steps of a run, which keeps them. That must not be
 * executing. */
FOVEA_API fovea_run *fovea_run_continue (const fovea_run *before, const fovea_recipe *recipe, fovea_error **error);
/** Computes, and returns when all is done or something failed. Another call computes only missing results.
 * @param device "auto" (the one that is expected to be fastest), "cpu", "cuda", "cuda:1". NULL: "auto".
 * @param progress Called about twenty times a second, and once at the end without an error, always on the calling thread. The work is then done on
 * another one. NULL: the work is done on the calling thread.
 * @param user Given to progress. */
FOVEA_API fovea_code fovea_run_execute (fovea_run *run, const char *device, fovea_progress progress, void *user,
                                        fovea_error **error);
/** The last image is wanted in host memory: a GPU begins to send it there while it still works on it and on later steps. To be called
 * before the run is executed. */
FOVEA_API void fovea_run_fetch_last (fovea_run *run);
/** Asks a run to stop soon, now or when it is executed: it fails with #FOVEA_CANCELLED. For good. Any thread. */
FOVEA_API void fovea_run_cancel (fovea_run *run);
/** The image of that name, or the last one: name is NULL. It does not need the run. */
FOVEA_API fovea_image *fovea_run_image (const fovea_run *run, const char *name, fovea_error **error);
/** The table of that name, or the last one: name is NULL. It does not need the run. */
FOVEA_API fovea_table *fovea_run_table (const fovea_run *run, const char *name, fovea_error **error);
/** Where it was executed last; NULL: nowhere yet. */
FOVEA_API const fovea_device *fovea_run_device (const fovea_run *run);
/** Why there: one line. NULL: nowhere yet. */
FOVEA_API const char *fovea_run_reason (const fovea_run *run);
/** What a run that is done has to say, in a sentence or more: a mask that was measured as one object, or commands of `edit` that found none. The SHA-256 of
 * files that steps name is part of it. NULL: nothing. Free it with fovea_text_free(). */
FOVEA_API char *fovea_run_note (const fovea_run *run);
/** Milliseconds that its steps took on the device, all together. */
FOVEA_API double fovea_run_ms (const fovea_run *run);

/** What became of a step. */
typedef struct fovea_step_run {
  size_t size;         /**< sizeof (fovea_step_run), to be set by the program */
  int done;            /**< whether it is computed */
  double ms;           /**< that it took on the device */
  uint64_t uploaded;   /**< bytes that it moved to the device */
  uint64_t downloaded; /**< and back */
  uint64_t on_disk;    /**< bytes of its images that were made on disk, because memory is short */
  double
    reproducible; /**< 0: every device gives the same bits with these arguments; else the tolerance, see fovea_operation */
  const fovea_device *
    device; /**< on which; with "auto" this is the CPU where the run's own had too little memory. NULL: it is not computed */
  const char *
    left_out; /**< NULL, or what belongs to positions or values of its input and could not be carried: "world coordinates, overlay" */
  const char *value_unit; /**< NULL, or the unit of the calibrated values that it measured: "HU" */
} fovea_step_run;

/** Fills *step, whose `size` is set, with what became of step n, from 0. */
FOVEA_API fovea_code fovea_run_get_step (const fovea_run *run, unsigned n, fovea_step_run *step, fovea_error **error);
/** Image i, from 0, that step n, from 0, has made and that was kept. It does not need the run. */
FOVEA_API fovea_image *fovea_run_step_image (const fovea_run *run, unsigned n, unsigned i, fovea_error **error);
/** The table that step n has made. It does not need the run. */
FOVEA_API fovea_table *fovea_run_step_table (const fovea_run *run, unsigned n, fovea_error **error);
/** The numbers that step n has made, such as a threshold: a column for each, and a row for each plane or volume that the step took by
 * itself. It does not need the run. */
FOVEA_API fovea_table *fovea_run_step_numbers (const fovea_run *run, unsigned n, fovea_error **error);
/** What the derived values of step n, such as lower={otsu.threshold}*2, came to. Each such parameter is a column, whose help is the text of the value.
 * Each plane is a row, and where all planes have the same value there is one row. There are no columns if the step has no such value, and no rows before
 * they are known. */
FOVEA_API fovea_table *fovea_run_step_derived (const fovea_run *run, unsigned n, fovea_error **error);
/** Frees a run, which must not be executing. */
FOVEA_API void fovea_run_free (fovea_run *run);

/** @}
 * @name Figures
 * An image as a window shows it, with its objects, a scale bar and what else explains it, to print, paste and publish.
 * @{ */

/** The settings of a figure: its parameters are the choices. It lives as long as the context, and is not an operation
 * for steps. */
FOVEA_API const fovea_operation *fovea_context_figure (const fovea_context *context);
/** Whether the choices can be, and the name is one of a format: before a long run.
 * @param choices "width=85", "unit=mm", ...; ends with NULL.
 * @param path ends with .png, .tif, .svg or .pdf. */
FOVEA_API fovea_code fovea_figure_check (const char *const *choices, const char *path, fovea_error **error);
/** Writes a figure of what a run has made. In SVG and PDF lines and letters can be drawn at any size.
 * @param run one that is done, and of which all images were kept (#FOVEA_KEEP_ALL).
 * @param choices as fovea_figure_check() has them. */
FOVEA_API fovea_code fovea_figure_save (const fovea_run *run, const char *const *choices, const char *path,
                                        fovea_error **error);

/** @}
 * @name Comparisons
 * The same steps on all devices: how long each takes, and whether they make the same.
 * @{ */

/** The result of a comparison. Never changes. */
typedef struct fovea_comparison fovea_comparison;

/** Runs the steps on the CPU and on each GPU that it finds: once to warm up, and then `repeat` times.
 * @param image As fovea_run_new() takes it.
 * @param repeat Number from 1 to 1000.
 * @return NULL with *error when the CPU fails, or the task that the thread is in is cancelled. */
FOVEA_API fovea_comparison *fovea_comparison_new (const fovea_recipe *recipe, const fovea_image *image, unsigned repeat,
                                                  fovea_error **error);
/** How many devices there are, the CPU first. */
FOVEA_API unsigned fovea_comparison_devices (const fovea_comparison *comparison);

/** What a device took: milliseconds, each the median of all runs. */
typedef struct fovea_compared_device {
  size_t size;                /**< sizeof (fovea_compared_device), to be set by the program */
  const fovea_device *device; /**< which one */
  const char *fault;          /**< why it took no part, and all below is 0; NULL: it did */
  const double *step_ms;      /**< of each step of the recipe, on the device's clock */
  double ms;                  /**< of all steps, on the device's clock */
  double up_ms;   /**< of the image on its way there by itself, on the device's clock; 0 where it need not go */
  double down_ms; /**< of the last image and those with names on their way back */
  double
    wall_ms; /**< of a run as it is usually done, where what can overlap does: from pixels in host memory to results there */
  uint64_t uploaded;   /**< bytes that a run moved to the device */
  uint64_t downloaded; /**< and back */
} fovea_compared_device;

/** Fills *device, whose `size` is set, with device n, from 0. */
FOVEA_API fovea_code fovea_comparison_get_device (const fovea_comparison *comparison, unsigned n,
                                                  fovea_compared_device *device, fovea_error **error);

/** How far a result on one device is from that on the first. */
typedef struct fovea_compared_result {
  size_t size;        /**< sizeof (fovea_compared_result), to be set by the program */
  const char *result; /**< its name; or else the operation */
  const char
    *column;      /**< of a table, or of the step's numbers; "rows" of a table that has not as many; NULL: an image */
  int64_t values; /**< that were compared */
  int64_t differing; /**< of them */
  double difference; /**< the largest; infinite where a value is missing on one alone; 0 of texts */
  double largest;    /**< of the first device's values, without their signs */
  int exact;         /**< whether they must be equal: integers, labels, strings */
  int
    agrees; /**< whether they are the same, or numbers that differ by 1e-5 of the largest at most, 1e-3 of 16-bit floats */
} fovea_compared_result;

/** Fills *result, whose `size` is set, with result i, from 0, of device n. #FOVEA_BAD_ARGUMENT: it has no more. The first device, and those that
 * took no part, have none. */
FOVEA_API fovea_code fovea_comparison_get_result (const fovea_comparison *comparison, unsigned n, unsigned i,
                                                  fovea_compared_result *result, fovea_error **error);
/** The comparison as a table in text, for a monospaced font. Free with fovea_text_free(). */
FOVEA_API char *fovea_comparison_text (const fovea_comparison *comparison);
/** Frees a comparison. */
FOVEA_API void fovea_comparison_free (fovea_comparison *comparison);

/** @}
 * @name Macros
 * Lua programs that open images, run steps on them, read and change tables and save the results. The app records
 * such macros.
 * @{ */

/** How a macro runs. All zero but the size: with nothing but its own folder. */
typedef struct fovea_macro_options {
  size_t size;                  /**< sizeof (fovea_macro_options), to be set by the program */
  const char *const *inputs;    /**< files that are opened before it begins, in that order; NULL: none */
  const char *const *arguments; /**< "NAME=VALUE" for its dialogs, and one without '=' for getArgument(); NULL: none */
  const char *const *folders;   /**< folders that it may read and write, in addition to its own and those of open
                                 * images; NULL: none */
  const char *device;           /**< where steps run, overrides the macro; NULL: as the macro says, or "auto" */
  int64_t memory;               /**< bytes that its values may take; 0: 1 GiB */
  double seconds;               /**< that it may take; 0: no limit */
  void (*print) (void *user, const char *line);  /**< receives each printed line; NULL: discarded */
  void (*progress) (void *user, double done);    /**< receives the progress, 0 to 1; NULL: discarded */
  void (*status) (void *user, const char *text); /**< receives status messages; NULL: discarded */
  void *user; /**< given to these and `note`, which are called on the thread that runs the macro */
  int
    overwrite; /**< not 0: it may replace files that are there and that neither this nor an earlier run of it has made */
  void (*note) (
    void *user,
    const char *text); /**< receives notes for the user, such as that slices form one volume; NULL: discarded */
} fovea_macro_options;

/** Runs a macro on the calling thread, to its end, or until the task that the thread has entered is cancelled.
 * @param path Its file. It may read and write below the folder of the file, but in the home folder itself it may not write into subfolders. NULL: no
 * file. It replaces files that it has made in this run and, if unchanged, in earlier ones of that file.
 * @param text Its source. NULL: the contents of its file.
 * @param options NULL: none.
 * @return The error says where in the macro it happened: "cells.lua:3: Unknown operation 'gausian'. Did you mean 'gaussian'?" */
FOVEA_API fovea_code fovea_macro_run (fovea_context *context, const char *path, const char *text,
                                      const fovea_macro_options *options, fovea_error **error);
/** All functions that macros can call, as a page in Markdown. */
FOVEA_API char *fovea_macro_reference (void);

/** @}
 * @name Batches
 * A recipe, or a macro, on many images, several at a time. Outputs go into a folder of their own with
 * `manifest.jsonl`, which records the outcome of each image. A line is written only when its outputs are safe on the
 * disk. A batch can therefore be resumed, however it ended; it repeats finished images only if an input, the recipe
 * or the version has changed.
 * @{ */

/** Many runs to be. */
typedef struct fovea_batch fovea_batch;

/** Hears of an image that failed: the file, as it is called in tables, which of its images, from 0, and why. On any thread, one at a time. */
typedef void (*fovea_batch_failed) (void *user, const char *file, unsigned series, const char *why);

/** A file that is made of each image. */
typedef struct fovea_batch_output {
  size_t size;      /**< sizeof (fovea_batch_output), to be set by the program */
  const char *name; /**< of the result, an image or a table; NULL: the last image */
  const char *
    pattern; /**< its file, below the folder: "{name}_mask.tif"; of a table it ends in .csv. {name} is the input's path below the
                        * common folder of all inputs, without its ending if the names stay different. "#n" follows for image n, from 1
                        * on, of a file with several */
} fovea_batch_output;

/** Options of a batch. Members can be 0 or NULL, except for the folder. */
typedef struct fovea_batch_options {
  size_t size;                              /**< sizeof (fovea_batch_options), to be set by the program */
  const char *folder;                       /**< where the outputs go; made when it is not there */
  const fovea_batch_output *const *outputs; /**< a list that ends with NULL */
  const char *
    table; /**< file for the last tables of all images in one, with columns "file" and, where a file has several images, "series" */
  char separator;                 /**< of tables: ',' or ';', as in fovea_csv_options */
  const fovea_save_options *save; /**< for outputs that are .tif or .zarr */
  const char *device;             /**< as in fovea_run_execute(), except that "auto" and "cuda" mean all GPUs */
  unsigned jobs;   /**< images at a time, each with its part of the cores; 0: as many as there are cores */
  unsigned shard;  /**< which part of the batch this is, from 1, for several processes or machines; 0: all of it */
  unsigned shards; /**< of so many parts */
  int resume;      /**< not 0: the folder may have the batch already, and what is done stays */
  fovea_batch_failed failed; /**< called for each failure as it happens */
  void *user;                /**< is given to it */
  int
    files_alone; /**< not 0: the inputs are files, none a folder or a pattern, and none is looked at before it is its turn */
  /** Called with `user`, on the thread of fovea_batch_run(), when a GPU has failed for the rest of this process, and all is recorded. It replaces the
   * process by one that resumes the batch. There the images that were in work are done first, one by one, and the one on which the GPU fails again
   * is done on the CPU. NULL, or when it returns: the rest is done on the CPU, with a warning in the manifest for each image. */
  void (*renew) (void *user);
  int raw; /**< not 0: text cells of tables as they are, see fovea_csv_options.raw */
  const char *
    images; /**< file for a table about the images, with a row for each, also for those without objects and those that failed.
                       * Its columns are rows, numbers of steps, sums and means of columns, seconds, device, warning and error. NULL: none */
  const char *
    name_pattern; /**< the parts of the inputs' names, as '{plate}_{well}_s{field}.tif', or a regular expression with (?P<names>). The
                             * parts are the first columns of both tables. An input whose name does not match is an error. NULL: none */
  const char *
    group; /**< parts of the names, "plate,well": the table about the images then has a row for each group of images with the same
                      * parts. Its columns are the counts of images, failures and rows, sums, means of all rows, and means over images
                      * of other numbers. NULL: none */
  fovea_batch_failed
    noted; /**< called with notes about a finished image: unsupported parts of its file, or, once for all, how slices were used */
  const char *
    raw_pixels; /**< all inputs are files of nothing but pixels, as fovea_file_open_raw() takes them; NULL: their contents tell */
} fovea_batch_options;

/** How a batch stands. */
typedef struct fovea_batch_counts {
  size_t size;     /**< sizeof (fovea_batch_counts), to be set by the program */
  uint64_t images; /**< images in total; a file that has not been opened yet counts as one */
  uint64_t done;   /**< of them, now or before */
  uint64_t failed; /**< of them */
  uint64_t before; /**< of those that are done, done before this run; 0 of a folder */
  uint64_t
    parts; /**< files that are parts of other files' images, as of a set of OME-TIFF files, and have none themselves */
} fovea_batch_counts;

/** Finds the inputs; nothing is opened or written yet.
 * @param inputs files, folders, of which all image files are taken, those in folders below too, and patterns such as "plate?/\*.tif"; ends with
 * NULL. Each file is one input, in natural order: a2 before a10. What cannot be listed or is not there fails when the batch is run. */
FOVEA_API fovea_batch *fovea_batch_new (const fovea_recipe *recipe, const char *const *inputs,
                                        const fovea_batch_options *options, fovea_error **error);
/** The same for a macro, which runs for each image. The image is open and current at the start, and the macro's first
 * open() returns it, regardless of its argument. All files that the macro saves go into a folder of the image, which
 * is called {name}. Its table for fovea_batch_options.table is the last one that it saves, otherwise the last one of
 * the image that is current at the end. Printed lines start with the image's name.
 * @param path File of the macro, which may read in its folder.
 * @param text Its source. NULL: the contents of the file.
 * @param macro Only its arguments, folders, memory, seconds and print are used. NULL: none. Calls of print come on any
 * thread, one at a time.
 * @param options Must not have outputs. */
FOVEA_API fovea_batch *fovea_batch_new_of_macro (fovea_context *context, const char *path, const char *text,
                                                 const fovea_macro_options *macro, const char *const *inputs,
                                                 const fovea_batch_options *options, fovea_error **error);
/** Runs the batch, once. Returns when all images are processed. Failed images are counted and are not an error of this function.
 * Errors are outputs that cannot be written, a GPU that fails, or a cancelled task of the thread. In any case finished
 * images are kept for fovea_batch_options.resume. */
FOVEA_API fovea_code fovea_batch_run (fovea_batch *batch, fovea_error **error);
/** Fills *counts, whose `size` is set. Any thread may call it, also while the batch runs. */
FOVEA_API fovea_code fovea_batch_get_counts (const fovea_batch *batch, fovea_batch_counts *counts, fovea_error **error);
/** The file of input n, from 0, in their order, as it was found; NULL: there are no more. */
FOVEA_API const char *fovea_batch_get_input (const fovea_batch *batch, size_t n);
/** An image as fovea_batch_run() would find it. */
typedef struct fovea_batch_expected {
  size_t size;         /**< sizeof of the struct that the library has */
  const char *file;    /**< as it is called in tables */
  unsigned series;     /**< which image of the file, from 0 */
  unsigned of;         /**< how many it has */
  int done;            /**< not 0: it would not be processed again */
  const char *belongs; /**< the file whose image it is a part of, and the rest is unset; NULL: it has its own */
  const char *fault;   /**< why it would fail, as far as headers tell; NULL: nothing is known */
  const char *const
    *outputs; /**< the names of what would be made, below the folder; of a macro, the folder; ends with NULL */
} fovea_batch_expected;

/** Tells of all images, in their order, what fovea_batch_run() would do, and makes nothing. URLs are not fetched.
 * @param tell called on this thread; what it gets is valid during the call.
 * @return the error with which fovea_batch_run() would fail before the first image. */
FOVEA_API fovea_code fovea_batch_expect (fovea_batch *batch,
                                         void (*tell) (void *user, const fovea_batch_expected *image), void *user,
                                         fovea_error **error);
/** Which of so many shards have something to do: some image that the folder does not have as done, or that was changed since.
 * @param pending one for each shard, set to 0 or 1. */
FOVEA_API fovea_code fovea_batch_pending (const fovea_batch *batch, unsigned shards, unsigned char *pending,
                                          fovea_error **error);
/** The expected time of the steps on `images` images like the first that can be opened, in milliseconds, without
 * reading and saving them. Measures this machine if that was not done before. For a macro this is an error, since
 * its steps are unknown before it runs.
 * @param core_ms on one CPU core.
 * @param gpu_ms on a GPU, including its start. It is the one of this machine, otherwise an average one; infinite when not all steps can run there. */
FOVEA_API fovea_code fovea_batch_estimate (const fovea_batch *batch, uint64_t images, double *core_ms, double *gpu_ms,
                                           fovea_error **error);
/** Frees a batch that is not running. */
FOVEA_API void fovea_batch_free (fovea_batch *batch);
/** The status of the batch in a folder of outputs, from the manifests of all shards that have begun.
 * @param failed Called for each image that failed, on this thread. NULL: for none.
 * @param user Given to `failed`. */
FOVEA_API fovea_code fovea_batch_status (const char *folder, fovea_batch_counts *counts, fovea_batch_failed failed,
                                         void *user, fovea_error **error);
/** Saves the tables of all images as one, see fovea_batch_options.table, when all shards have been run; images that failed have no rows. The
 * same as the batch in one piece saves. */
FOVEA_API fovea_code fovea_batch_merge (const char *folder, const char *table, const fovea_csv_options *options,
                                        fovea_error **error);
/** The same of the table about the images, see fovea_batch_options.images.
 * @param group see fovea_batch_options.group; NULL: a row for each image. */
FOVEA_API fovea_code fovea_batch_merge_images (const char *folder, const char *images, const char *group,
                                               const fovea_csv_options *options, fovea_error **error);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
