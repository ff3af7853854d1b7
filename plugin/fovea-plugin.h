/* SPDX-License-Identifier: MIT
 *
 * fovea-plugin.h: the C ABI between Fovea and its plugins, and its manual.
 *
 * A plugin is a shared module that exports one function, fv_plugin_open(). It offers operations (what can be done to
 * an image), devices (where) and readers (formats of image files). This header needs only <stddef.h>, <stdint.h>, <stdbool.h> and DLPack's header;
 * plugin/README.md has a complete small plugin.
 *
 * Ownership: the host allocates and frees everything; what hangs on an fv_call dies when run() returns. A plugin's
 * declarations are static and live until the module is closed.
 * Threads: operations are re-entrant. Host services are called only from the thread that entered run().
 * Errors: every fallible function returns an fv_status and, when that is not FV_OK, fills the caller's fv_error. No error state is global, and a
 * plugin prints nothing.
 * Numbers: pixels of floats may be NaN or infinite, and the help of an operation says how it handles them. Arguments are never NaN. NaN in a table is
 * a missing value, and a scalar of NaN is missing. Any locale may be set, with a decimal comma
 * too: what a plugin reads or writes as text must not depend on it.
 * Limits: keys and units have less than 64 bytes, names and labels 256, sentences 4096, all of them UTF-8 without control
 * characters. There are at most 16 inputs, 16 outputs, 256 parameters, scalars and choices; an argument struct has at most
 * 1 MiB.
 * Versions: another major is refused, and below 1.0 another minor too. Within a major, structs grow only at the end and say
 * their size; arrays of structs are walked with the size of the side that made them.
 */
#ifndef FOVEA_PLUGIN_H
#define FOVEA_PLUGIN_H

#include <dlpack/dlpack.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FV_ABI_MAJOR 0
#define FV_ABI_MINOR 9
#define FV_ABI ((uint32_t) FV_ABI_MAJOR << 16 | FV_ABI_MINOR)

#if defined(__GNUC__)
#define FV_EXPORT __attribute__ ((visibility ("default")))
#else
#define FV_EXPORT
#endif

/* ---- Errors ---- */

typedef enum fv_status {
  FV_OK = 0,
  FV_BAD_ARGUMENT, /* an argument is wrong: fv_error.field names it */
  FV_BAD_INPUT,    /* an input image is wrong: fv_error.field names the input */
  FV_NO_MEMORY,    /* text says how much was asked for */
  FV_DEVICE_FAULT, /* the device failed; never silently repeated elsewhere */
  FV_CANCELLED,    /* tick() asked to stop */
  FV_UNSUPPORTED,  /* cannot be done on this device or with these types */
} fv_status;

/* Filled member by member: its size belongs to the side that allocated it. */
typedef struct fv_error {
  uint32_t size; /* sizeof (fv_error) of the side that made it */
  fv_status code;
  char field[64]; /* key of the parameter or input at fault, or "" */
  char text[448]; /* one sentence: what is wrong and what would work; UTF-8 */
} fv_error;
#define FV_ERROR_INIT                                                                                                  \
  {                                                                                                                    \
    sizeof (fv_error), FV_OK, "", ""                                                                                   \
  }

/* ---- Arrays ---- */

/* The profile of every DLTensor that crosses this ABI: three dimensions {plane, row, column}; strides given, in
 * elements; column stride 1; row stride >= columns; byte_offset 0; lanes 1; one of the types below. Every pixel lies at a
 * multiple of its own size. The first one lies at a multiple of 64 bytes when the array is a whole image, as with
 * FV_PLANES; that of a later plane, z-stack or frame, and of a row, need not. */
typedef enum fv_type {
  FV_U8 = 1 << 0,
  FV_U16 = 1 << 1,
  FV_I32 = 1 << 2,
  FV_F32 = 1 << 3,
  FV_F64 = 1 << 4,
  FV_I8 = 1 << 5,
  FV_I16 = 1 << 6,
  FV_U32 = 1 << 7,
  FV_F16 = 1 << 8, /* IEEE 754 binary16 */
} fv_type;
/* The types for which operations are usually written. An input that takes FV_ANY_TYPE can be given an image of every type: the
 * host widens the others, see fv_input. */
#define FV_INTEGERS (FV_U8 | FV_U16 | FV_I32)
#define FV_FLOATS (FV_F32 | FV_F64)
#define FV_ANY_TYPE (FV_INTEGERS | FV_FLOATS)
/* All types. */
#define FV_ALL_TYPES (FV_ANY_TYPE | FV_I8 | FV_I16 | FV_U32 | FV_F16)

/* With the types of an input: the role that it requires. The host converts every other image. Labels (i32, which must be
 * among the types) are made of integers from 0 to 2^31 - 1 of any type, and all of a mask becomes the one label 1. A mask
 * (u8, likewise) is made of all pixels that are neither 0 nor NaN. */
#define FV_WANTS_LABELS (1u << 16)
#define FV_WANTS_MASK (1u << 17)
/* Alone: a table that an earlier step has made, and no image. */
#define FV_WANTS_TABLE (1u << 18)
/* Calibrated values, such as HU or °C, of an image that stores u8 or u16 with a function for them; as f32, which must be among the types.
 * For what measures intensities: fv_grid.value_unit then names their unit. Any other image comes as it is. */
#define FV_WANTS_CALIBRATED (1u << 19)

typedef enum fv_role {
  FV_IMAGE = 0, /* intensities */
  FV_MASK,      /* u8: 0 background, 255 foreground (any non-zero is read as foreground) */
  FV_LABELS,    /* i32: 0 background, 1.. objects */
  FV_RGB,       /* u8, three channels red, green, blue */
} fv_role;

/* The description of an array, without its pixels. Planes of one call are ordered frame by frame, channel by channel
 * in a frame, z within a channel. infer() changes members and never assigns the whole struct: its size belongs to
 * the host. The grain decides which planes one call gets:
 * - channels: 1 with FV_PLANES and FV_STACK, regardless of the image, and those of the image with FV_FRAME and
 * FV_SERIES.
 * - frames: those of the image with FV_SERIES, otherwise 1.
 *
 * An operation that resamples an axis sets its new pixel size in `spacing`. One that makes a single plane, row or column
 * of it, such as a projection, does not change the spacing. */
typedef struct fv_grid {
  uint32_t size; /* sizeof (fv_grid) of the host */
  fv_type type;
  fv_role role;
  int64_t channels;                 /* shape[0] is a multiple of it; depth is shape[0] / (channels * frames) */
  int64_t shape[3];                 /* planes, rows, columns; each at least 1 */
  double spacing[3];                /* physical size of a pixel along z, y, x, in `unit`; 1 where unknown */
  char unit[16];                    /* "µm", "mm", ... UTF-8; "" when the image is not calibrated */
  bool dense;                       /* role FV_LABELS: every label from 1 to the largest occurs */
  const char *const *channel_names; /* [channels], UTF-8, or NULL */
  int64_t frames;
  char value_unit[64]; /* of an input that is given calibrated values: "HU"; UTF-8; else "" */
} fv_grid;

typedef struct fv_array {
  uint32_t size; /* sizeof (fv_array) of the host */
  const fv_grid *grid;
  DLTensor tensor; /* data on the call's device */
} fv_array;

/* ---- Parameters: each is a field of the operation's argument struct, which is plain data ---- */

/* Types in an argument struct (fv_axes, fv_set, fv_matrix) never grow. */

typedef enum fv_param_type {
  FV_BOOL = 1, /* bool */
  FV_INT,      /* int32_t; with choices: the position of the choice */
  FV_FLOAT,    /* double */
  FV_AXES,     /* fv_axes */
  FV_SET,      /* fv_set, with choices */
  FV_MATRIX,   /* fv_matrix */
  FV_TEXT,     /* char[capacity], NUL-terminated UTF-8 */
} fv_param_type;

/* One number per axis, as typed: "5" is every axis, "4,3" is y,x and "6,4,3" is z,y,x. n = 0: not given. */
typedef struct fv_axes {
  int32_t n;
  double v[3];
} fv_axes;

/* A choice of any number of `choices`: bit i of bits[i / 64] is choice i. At most 256. */
typedef struct fv_set {
  uint64_t bits[4];
} fv_set;

/* A typed matrix: values separated by spaces or commas, rows by ';', planes by '/'. planes = 0: not given. */
#define FV_MATRIX_MAX 1024
typedef struct fv_matrix {
  int32_t planes, rows, columns;
  double v[FV_MATRIX_MAX]; /* row by row, plane by plane */
} fv_matrix;

typedef struct fv_choice {
  const char *key, *label, *help; /* the list ends with key NULL; the label may begin with a group: "Size/Area" */
} fv_choice;

typedef enum fv_scale { FV_LINEAR = 0, FV_LOG } fv_scale;

/* Units that the host knows: of a length, and of what counts pixels, such as an area. An image that is shown from afar may be
 * computed at a fraction of its size: these parameters shrink with it. */
#define FV_PIXELS "px"
#define FV_PIXEL_COUNT "pixels"

/* Trained models that a parameter chooses. Its value is one of `names`, the path of a file, or NAME for a file that the user has added. That is
 * fovea/FOLDER/NAME.ENDING in the user's data folder, $XDG_DATA_HOME or ~/.local/share. Functions get the value as it is written. An added file comes
 * before a path of the same name, so that a step means the same in every folder. */
typedef struct fv_models {
  uint32_t size;
  const char *folder;         /* "models" */
  const char *const *names;   /* of those that the plugin has; the list ends with NULL */
  const char *const *endings; /* of files, the list ends with NULL: "zip" */
  /* Checks a model as run() does, but for its test, and says what is known of it, a line at a time. Keys that the host knows: "name", "version",
   * "purpose", "objects", "input", "output", "computed" (by what), "license", "authors", "citation", "link", "limits", "sha256". */
  fv_status (*card) (const char *model, void (*line) (void *user, const char *key, const char *text), void *user,
                     fv_error *);
  /* Runs the test that the model brings. report: what agrees within what, one sentence in at most n bytes. stop() says whether to stop. */
  fv_status (*test) (const char *model, int (*stop) (void *user), void *user, char *report, uint32_t n, fv_error *);
} fv_models;

typedef struct fv_param {
  const char *key;     /* lower_snake_case; the list ends with key NULL */
  const char *aliases; /* what the key was before: "older,oldest"; still read, never written; or NULL */
  fv_param_type type;
  uint32_t offset, capacity; /* of the field in the argument struct, bytes */
  const char *label;         /* "Sigma" */
  const char *help;          /* one sentence */
  const char *unit;          /* "px", "%", or NULL */
  double def;                /* default of FV_BOOL, FV_INT and FV_FLOAT: one, regardless of the type of the input */
  const char *def_text;      /* default of the other types, as typed; NULL is "not given" */
  double min, max;           /* hard range, both ends allowed, -INFINITY and INFINITY for none; both 0: no limit.
                              * FV_AXES: of each number */
  double soft_min, soft_max; /* what a slider spans; both 0: the hard range, where it has two ends */
  fv_scale scale;
  const fv_choice *choices;
  const char *enabled; /* "method=manual|otsu": matters only when that parameter has one of those values; when several
                        * have theirs: "method=manual & volume=yes" */
  bool advanced;       /* rarely changed: forms fold it away with others of its kind, under "More" */
  bool ordinal;        /* FV_INT that counts from 0, such as a channel: what people read in a window counts from 1 */
  bool open;           /* FV_FLOAT: an infinite end of the range is a value, too: no limit, written "inf" or "-inf", and
                        * in a form an empty entry when it is the default. All other values are finite */
  bool
    file; /* FV_TEXT: unless it is the default, the path of a file that run() reads. Its SHA-256 is reported, and a batch does an image
                        * again when the file has changed */
  const fv_models *models; /* of a file: trained models that the user can choose by name; or NULL */
} fv_param;

/* {FV_FIELD (struct, field), .label = ...}: key, type, offset and capacity from the argument struct itself. In C++ it needs
 * C++20, where what follows is named in the order of the members. */
#ifdef __cplusplus
extern "C++" {
template <typename T> struct fv_field;
template <fv_param_type TYPE> struct fv_field_is {
  static constexpr fv_param_type type = TYPE;
};
template <> struct fv_field<bool> : fv_field_is<FV_BOOL> {
};
template <> struct fv_field<int32_t> : fv_field_is<FV_INT> {
};
template <> struct fv_field<double> : fv_field_is<FV_FLOAT> {
};
template <> struct fv_field<fv_axes> : fv_field_is<FV_AXES> {
};
template <> struct fv_field<fv_set> : fv_field_is<FV_SET> {
};
template <> struct fv_field<fv_matrix> : fv_field_is<FV_MATRIX> {
};
template <size_t N> struct fv_field<char[N]> : fv_field_is<FV_TEXT> {
};
}
#define FV_FIELD_TYPE(S, F) fv_field<decltype (S::F)>::type
#else
#define FV_FIELD_TYPE(S, F)                                                                                            \
  _Generic (((S *) 0)->F, bool: FV_BOOL, int32_t: FV_INT, double: FV_FLOAT, fv_axes: FV_AXES, fv_set: FV_SET,          \
            fv_matrix: FV_MATRIX, char *: FV_TEXT)
#endif
#define FV_FIELD(S, F)                                                                                                 \
  .key = #F, .type = FV_FIELD_TYPE (S, F), .offset = offsetof (S, F), .capacity = sizeof (((S *) 0)->F)

/* ---- Devices ---- */

typedef enum fv_device_kind { FV_CPU = 0, FV_CUDA = 1, FV_DEVICE_KINDS = 4 } fv_device_kind;

typedef enum fv_copy { FV_TO_DEVICE, FV_TO_HOST, FV_ON_DEVICE } fv_copy;

/* A device that runs operations. Work and copies on one stream happen in the order of submission and may be
 * asynchronous; NULL is never a stream. FV_CPU: a stream is a token, and everything is done at once. FV_CUDA: it is
 * a cudaStream_t (CUstream) of the primary context of GPU dl.device_id. Nothing is copied between two devices:
 * results of one reach another through the host.
 * Function members are NULL when `fault` is not. */
typedef struct fv_device fv_device;
struct fv_device {
  uint32_t size; /* sizeof (fv_device) of the plugin */
  fv_device_kind kind;
  const char *key;    /* "cpu", "cuda:0"; unique in the plugin */
  const char *name;   /* "NVIDIA H200", "AMD EPYC 9654" */
  const char *detail; /* driver, runtime, cores: for a report */
  const char *fault;  /* NULL, or one sentence that says why the device cannot be used */
  DLDevice dl;        /* the device field of tensors that live here */

  /* Bytes free now and in all. */
  fv_status (*memory) (const fv_device *, int64_t *free, int64_t *total, fv_error *);
  fv_status (*stream_new) (const fv_device *, void **stream, fv_error *);
  void (*stream_free) (const fv_device *, void *stream);
  /* Waits until all work on the stream is done and reports any fault of it. */
  fv_status (*synchronize) (const fv_device *, void *stream, fv_error *);
  /* Memory on the device, at least 64-byte aligned, in stream order. bytes > 0. */
  fv_status (*alloc) (const fv_device *, void *stream, size_t bytes, void **memory, fv_error *);
  void (*free) (const fv_device *, void *stream, void *memory);
  /* Host memory from which copies are fast (pinned, for a GPU); plain memory works too. */
  fv_status (*host_alloc) (const fv_device *, size_t bytes, void **memory, fv_error *);
  void (*host_free) (const fv_device *, void *memory);
  /* Copies `rows` rows of `row_bytes`; the pitches are the bytes from one row to the next. The source must stay
   * unchanged and the target unread until the stream is synchronized or an event recorded after the copy was waited for. */
  fv_status (*copy) (const fv_device *, void *stream, void *to, size_t to_pitch, const void *from, size_t from_pitch,
                     size_t row_bytes, size_t rows, fv_copy, fv_error *);
  /* Points in a stream's work, for timing. */
  fv_status (*event_new) (const fv_device *, void **event, fv_error *);
  void (*event_free) (const fv_device *, void *event);
  fv_status (*event_record) (const fv_device *, void *stream, void *event, fv_error *);
  /* Waits for `end`, gives the milliseconds from `start` to it. */
  fv_status (*event_elapsed) (const fv_device *, void *start, void *end, double *ms, fv_error *);
  /* Host memory for the device to read and write where it lies, at *address, until unmap(); slow, for what does not fit. */
  fv_status (*map) (const fv_device *, void *host, size_t bytes, void **address, fv_error *);
  void (*unmap) (const fv_device *, void *host);
  /* Gives freed memory that is kept for later requests back to the system; any thread. NULL: none is kept. */
  void (*trim) (const fv_device *);
  /* What is asked for on the stream from now on begins when the work that the event marks, on whichever stream, is done. Never
   * waits itself. NULL: work on one stream does not go on beside that on another. */
  fv_status (*stream_wait) (const fv_device *, void *stream, void *event, fv_error *);
  /* Whether operations that compile while they run (fv_op.compiles) can do so here: FV_OK, or FV_UNSUPPORTED with a sentence that says
   * what is missing. Cheap, never wakes the device; any thread. NULL: they can. */
  fv_status (*can_compile) (const fv_device *, fv_error *);
};

/* ---- A call of an operation ---- */

typedef enum fv_column_type {
  FV_COLUMN_INTEGER,
  FV_COLUMN_FLOAT,
  FV_COLUMN_TEXT, /* of a table, not of a scalar: its values come from host->text() */
  /* Of a table: floats that are found in stored values also where the input is given calibrated ones (FV_WANTS_CALIBRATED). The host then runs
   * the operation once more, on the stored values. */
  FV_COLUMN_STORED,       /* such as their sum */
  FV_COLUMN_STORED_VALUE, /* one of them, such as the most frequent: the table has its calibrated value */
} fv_column_type;

typedef struct fv_column {
  const char *key;  /* "centroid-0"; the host copies all texts */
  const char *unit; /* "µm²", or "" */
  const char *help; /* one sentence, or NULL */
  fv_column_type type;
} fv_column;

/* A table that an earlier step has made, in host memory for every device. */
typedef struct fv_table {
  uint32_t size; /* sizeof (fv_table) of the host */
  uint32_t n_columns, column_size;
  const fv_column *columns;
  int64_t rows;
  const double *const *values; /* [n_columns], [rows] each; NaN is a missing value */
  /* [n_columns]: the strings of a column of FV_COLUMN_TEXT, ended by NULL, which its values index from 0. They are sorted, so that numbers sort as
   * the strings do. Of other columns NULL. */
  const char *const *const *texts;
} fv_table;

typedef struct fv_op fv_op;
typedef struct fv_call fv_call;

/* What the host does for a running operation. */
typedef struct fv_host {
  uint32_t size;
  /* Device memory until run() returns, 64-byte aligned, contents undefined. */
  fv_status (*scratch) (const fv_call *, size_t bytes, void **memory, fv_error *);
  /* Progress and cancellation in one: `done` of `total` parts are finished. Non-zero: stop and return FV_CANCELLED.
   * Cheap enough to be called every millisecond; to be called at least every 50 ms. */
  int (*tick) (const fv_call *, int64_t done, int64_t total);
  /* Waits for the stream and copies `bytes` from device memory to host memory. Only for operations that say
   * .reads_back. */
  fv_status (*read) (const fv_call *, void *to, const void *from, size_t bytes, fv_error *);
  /* Makes `rows` new rows of the result table and gives host memory for them in *values: column j is the `rows` doubles
   * from (*values)[j * rows]; NaN is a missing value. Later calls within one run must give the same columns. Only for
   * operations of kind FV_TABLE. */
  fv_status (*table) (const fv_call *, const fv_column *columns, uint32_t n_columns, uint32_t column_size, int64_t rows,
                      double **values, fv_error *);
  /* A line for the log. */
  void (*log) (const fv_call *, const char *text);
  /* The number of a string of less than 4096 bytes in a column of FV_COLUMN_TEXT until run() returns, the same for
   * equal strings; NaN for "". The host copies the string. */
  fv_status (*text) (const fv_call *, const char *text, double *number, fv_error *);
  /* Host memory until run() returns, 64-byte aligned, contents undefined. Copies between it and the device are fast (for a GPU it
   * is pinned), and making it is: it is kept for later calls. */
  fv_status (*host_scratch) (const fv_call *, size_t bytes, void **memory, fv_error *);
  /* State that lasts from call to call on one device, such as plans and weights; keys are the plugin's own. take_state() returns what an earlier call
   * has left under the key, or NULL. It belongs to this call alone, so that concurrent calls each have their own. The call leaves it again, or frees
   * it. State is passed to release() (or NULL) when memory is short and when the device or the module is closed. That happens on any thread, after
   * the work that uses it; with FV_CUDA the context is current then, as in run(). Memory of the device for it comes from call->device->alloc(). state
   * is not NULL; the key is copied. */
  void *(*take_state) (const fv_call *, const char *key);
  void (*leave_state) (const fv_call *, const char *key, void *state, void (*release) (const fv_device *, void *state));
  /* Only for operations with .by_rows. Sets *end to the number of rows of all planes of an input that are available to later work on the stream: at
   * least `end_needed`, all when no copy is pending. */
  fv_status (*rows_in) (const fv_call *, uint32_t input, int64_t end_needed, int64_t *end, fv_error *);
  /* Work on the stream now writes the rows before `end` of all planes of an output for the last time, so they may be
   * downloaded while the rest is made. Sets *next to the row after which to call it again, or to all rows if the
   * download is not wanted. Optional; call it with end = 0 first. */
  fv_status (*rows_out) (const fv_call *, uint32_t output, int64_t end, int64_t *next, fv_error *);
} fv_host;

struct fv_call {
  uint32_t size;
  const fv_op *op;               /* as the plugin declared it: the same address */
  const void *args;              /* the operation's argument struct: checked against the declaration, never changed */
  const fv_array *const *inputs; /* as declared; NULL: an optional input that is not given, or a table; never changed */
  const fv_array *const *outputs; /* as inferred, contents undefined; every pixel must be written */
  double *scalars; /* device memory, [rows][declared scalars]: one row per plane with FV_PLANES grain, else one row */
  const fv_device *device;
  void *stream; /* of the device; with FV_CUDA its context is current on the calling thread */
  const fv_host *host;
  /* The scalars come filled, as they were found in the whole of which this call gets a part, and nothing is to be found; only with
   * FV_PART_GIVEN. */
  bool given;
  /* As declared: those inputs that are tables and are given; else NULL. When the first input has several frames, and a table the
   * column "frame" that the host adds to tables of such images, a call for one frame gets the rows of that one. */
  const fv_table *const *tables;
  /* Which time point of how many this call is for, from 0; with FV_PLANES and FV_SERIES, where one call has all: 0 of 1. */
  int64_t frame, frames;
};

/* ---- Operations ---- */

typedef enum fv_kind {
  FV_POINT = 1, /* an output pixel depends on the same pixel of the inputs */
  FV_LOCAL,     /* ... on a neighborhood: halo() */
  FV_GLOBAL,    /* ... on the whole plane or volume */
  FV_TABLE,     /* makes a table, images or both from the whole plane or volume */
} fv_kind;

/* What an operation makes of a part of an image, beside that part of what it makes of the whole image. Parts are made as a preview
 * while the whole is still to come. */
typedef enum fv_part {
  FV_PART_OTHER = 0, /* something else */
  FV_PART_ALIKE,     /* much the same, such as labels with other numbers */
  FV_PART_GIVEN, /* the same, pixel by pixel, when it is given the scalars that it finds in the whole: fv_call.given */
} fv_part;

/* Which planes one call of run() needs together. */
typedef enum fv_grain {
  FV_PLANES = 0, /* planes are independent: a call gets any number of them and loops */
  FV_STACK,      /* one z-stack of one channel and one time */
  FV_FRAME,      /* all channels of one time: channels x depth planes, channel by channel */
  FV_SERIES,     /* the whole image: frames x channels x depth planes */
} fv_grain;

/* What the values of an output are beside those of the first input. */
typedef enum fv_values {
  FV_VALUES_OTHER = 0, /* something else */
  FV_VALUES_UNIT,      /* differences of them: they have the same unit, and another zero */
  FV_VALUES_SAME,      /* the same quantity in the same numbers, as after a crop or a blur */
} fv_values;

/* Where the pixels of an output lie in the first input, so that the host can carry along what belongs to positions: pixel size, origin, sky
 * coordinates, names of channels, labels of planes, selections. */
typedef struct fv_place {
  uint32_t size; /* sizeof (fv_place) of the host */
  bool affine;   /* comes true; false: positions follow no such rule, and what belongs to them is dropped */
  /* Slice, row and column in the input, as rows of this matrix times slice, row and column in the output and 1; centers of pixels, counted
   * from 0. Comes as the identity. The first row is used only without fv_op.plane. */
  double matrix[3][4];
  fv_values values; /* comes as fv_op.values */
} fv_place;

/* An image of another type is widened: to the narrowest of the types that holds every value of its type, i8 as i16 or i32, u32 as
 * f64, f16 as f32. It is never narrowed: where none of the types holds them all it is refused. Labels and a mask, where they are
 * wanted, are made of every type. */
typedef struct fv_input {
  const char
    *key; /* "image", "intensity"; the list ends with key NULL. The first is what a step is applied to: an image */
  const char *label, *help;
  uint32_t types; /* fv_type bits that run() takes, perhaps with one FV_WANTS_...; or FV_WANTS_TABLE */
  /* The input may be missing. A table that is not named, and not optional, is the last one that was made. The first
   * input may be missing only if it is the only one, the kind is FV_GLOBAL or FV_TABLE, and infer() can do without
   * it. */
  bool optional;
} fv_input;

typedef struct fv_output {
  const char *key; /* "image"; the list ends with key NULL */
  const char *label;
} fv_output;

typedef struct fv_scalar {
  const char *key; /* "threshold"; the list ends with key NULL */
  const char *label, *help;
  fv_column_type type;
} fv_scalar;

/* What an operation does, where the program does more with it than run it: bits of fv_op.traits. Each is a promise about the declaration,
 * and one that is not kept is refused. */
typedef enum fv_trait {
  /* Makes a table with a row for each object of the first input, which wants labels; the column "label" has its number. Given a mask, a run reports
   * that all of it counts as one object. A step that gets its optional input "intensity" also measures the choice "intensity_mean" of its FV_SET
   * parameter "properties", where it has these. */
  FV_MEASURES_OBJECTS = 1 << 0,
  /* Changes objects of the first input, which wants labels, by the FV_TEXT parameter "commands", separated by semicolons. The scalar "missed" counts
   * the commands that found no object; a run reports them. */
  FV_EDITS_LABELS = 1 << 1,
  /* Makes a mask by a threshold, which is the first scalar, "threshold". The window shows it in the histogram, and the pixels that it selects. */
  FV_THRESHOLDS = 1 << 2,
  /* Makes one channel of several: the ordinal FV_INT parameter "index". The window adds no other such step where one channel is needed. */
  FV_PICKS_CHANNEL = 1 << 3,
  /* Sets the size of a pixel and changes no value. As a first step it is the calibration of the opened image, which the window edits. */
  FV_CALIBRATES = 1 << 4,
  /* Says which planes are channels, slices and frames. The window then no longer offers to take slices as frames. */
  FV_ARRANGES_PLANES = 1 << 5,
  /* Compares two channels, the FV_INT parameters "channel_a" and "channel_b", in a table. The second is of the optional input "second" if given. The
   * next optional input is "mask". Columns: "pearson", "slope", "intercept", "threshold_a", "threshold_b". The window draws the pairs of values. */
  FV_COMPARES_CHANNELS = 1 << 6,
  /* A selection of the window fills parameters, which are numbers and count from the center of the first pixel. The box around an area fills
   * "x", "y", "width" and "height". A line of two points fills "x1", "y1", "x2" and "y2", and a point "x" and "y". A line of any number
   * of points fills "points", FV_MATRIX, with a row of x and y for each. */
  FV_TAKES_BOX = 1 << 7,
  FV_TAKES_SEGMENT = 1 << 8,
  FV_TAKES_POINT = 1 << 9,
  FV_TAKES_LINE = 1 << 10,
} fv_trait;

/* Kinds of images, as ImageJ has them: bits. FV_IMAGEJ_BINARY is 8 bits, all 0 or 255. */
enum {
  FV_IMAGEJ_8_BIT = 1,
  FV_IMAGEJ_16_BIT = 2,
  FV_IMAGEJ_32_BIT = 4,
  FV_IMAGEJ_RGB = 8,
  FV_IMAGEJ_BINARY = 16,
  FV_IMAGEJ_GRAY = FV_IMAGEJ_8_BIT | FV_IMAGEJ_16_BIT | FV_IMAGEJ_32_BIT,
  FV_IMAGEJ_ANY = FV_IMAGEJ_GRAY | FV_IMAGEJ_RGB
};

/* What a command of ImageJ does where an area is selected: changes that alone, ignores it, or something that the operation does not do. */
typedef enum fv_imagej_area { FV_IMAGEJ_AREA_CHANGED = 0, FV_IMAGEJ_AREA_IGNORED, FV_IMAGEJ_AREA_OTHER } fv_imagej_area;

/* What becomes of the range in which ImageJ shows the image: it stays, becomes that from the smallest to the largest value, or another one. */
typedef enum fv_imagej_range {
  FV_IMAGEJ_RANGE_STAYS = 0,
  FV_IMAGEJ_RANGE_FOLLOWS,
  FV_IMAGEJ_RANGE_OTHER
} fv_imagej_range;

/* Which slices of a stack the command takes: all, or the current one and all with the word "stack", or always the current one. */
typedef enum fv_imagej_slices {
  FV_IMAGEJ_SLICES_ALL = 0,
  FV_IMAGEJ_SLICES_STACK,
  FV_IMAGEJ_SLICES_CURRENT
} fv_imagej_slices;

/* A word of a command: "stack", or with '=' at its end the name before a value: "sigma=". What the step has instead: nothing (""), an argument,
 * "method=max", or the name before the same value: "sigma=". Never grows. */
typedef struct fv_imagej_word {
  const char *theirs, *ours; /* the list ends with theirs NULL */
} fv_imagej_word;

/* A command of ImageJ that does the same as this operation with some arguments: run("COMMAND", "WORDS") in a macro makes a step of it. A line with
 * other words, or on an image for which it does something else, is an error. */
typedef struct fv_imagej {
  const char *command;         /* "Gaussian Blur..."; unique; the list ends with command NULL */
  const char *args;            /* of every such step: "method=imagej output=same"; or NULL */
  const char *needs;           /* a word without which it is another command, or NULL */
  const fv_imagej_word *words; /* NULL: none */
  uint32_t images;             /* FV_IMAGEJ_ bits: on which it does the same */
  uint32_t rounded;            /* bits: on which ImageJ rounds, halves up, what the step makes as floats */
  fv_imagej_area area;
  fv_imagej_slices slices;
  fv_imagej_range range;
  const char *differs; /* how it differs on other images, the rest of "ImageJ's COMMAND ..."; or NULL */
  bool mask;           /* the labels that the step makes are shown as a mask */
} fv_imagej;

/* What ImageJ calls a column of the table, in windows and macros that have its names: "Area" for "area". Where a key ends with a channel,
 * as "intensity_mean-1" does, the name does, too: "Mean C2". "z" and "frame", which count slices and frames, need none. Never grows. */
typedef struct fv_column_name {
  const char *key;    /* without a channel; the list ends with key NULL */
  const char *imagej; /* NULL: the key */
} fv_column_name;

/* Every function is told which operation it is called for, by the address at which the plugin declared it, so that several
 * operations can share one. */
struct fv_op {
  uint32_t size, args_size;
  /* Element sizes of the arrays below, and of the choices of parameters; FV_OP() fills them. */
  uint32_t param_size, choice_size, input_size, output_size, scalar_size, imagej_size;
  const char *key;     /* lower_snake_case, unique: the macro word and the command-line word */
  const char *aliases; /* what the key was before: "older,oldest"; still read, never written; or NULL */
  const char *menu;    /* "Process/Filters"; NULL: not shown */
  const char *label;   /* "Gaussian Blur..." */
  const char *help;    /* one sentence */
  const char *cite;    /* source of the method, or NULL */
  const char *
    search; /* other words that people look for it with, in lower case with a space between two: "smooth denoise"; or NULL */
  void *user; /* the plugin's own: what tells this operation from others with the same functions, or NULL */
  fv_kind kind;
  bool reads_back;          /* run() may use host->read, which waits for the device; refused otherwise */
  const fv_input *inputs;   /* NULL: none; then kind is FV_GLOBAL or FV_TABLE, and the grain FV_FRAME */
  const fv_output *outputs; /* NULL: none */
  const fv_scalar *scalars; /* NULL: none */
  const fv_param *params;   /* NULL: none */
  /* Grain for these arguments; NULL: FV_PLANES. */
  fv_grain (*grain) (const fv_op *, const void *args);
  /* FV_LOCAL: how many planes, rows and columns around a pixel its value depends on; INT64_MAX: on where in the whole it is, too, so
   * that no part is previewed. */
  void (*halo) (const fv_op *, const void *args, const fv_grid *input, int64_t halo[3]);
  /* Infers the outputs of one call from its inputs, and checks everything that the declaration cannot express:
   * arguments against each other, shapes against shapes. An input that is not given, or is a table, is NULL. Each
   * output begins as a copy of inputs[0]. Without any input, infer() is required, and the output begins as one u8 pixel
   * without calibration. NULL: the outputs are like the first input. */
  fv_status (*infer) (const fv_op *, const void *args, const fv_grid *const *inputs, fv_grid *const *outputs,
                      fv_error *);
  /* By device kind; NULL: not on that kind. */
  fv_status (*run[FV_DEVICE_KINDS]) (const fv_call *, fv_error *);
  /* Bytes of scratch that run[FV_CPU] needs at once for one call, as far as arguments and sizes determine it. So a run that cannot fit into memory is
   * refused before it starts. An input that is not given is NULL. NULL: next to none. */
  int64_t (*scratch) (const fv_op *, const void *args, const fv_grid *const *inputs);
  /* About how many products and sums it takes for each pixel of the first input or of an output, whichever is larger. With the bytes that it reads
   * and writes the host predicts its time on a device. NULL: as many as is usual for its kind. */
  double (*arithmetic) (const fv_op *, const void *args, const fv_grid *const *inputs);
  /* FV_GLOBAL and FV_TABLE: what its images of a part are; those of the other kinds are always the same. */
  fv_part part;
  /* Bits 1 << fv_device_kind: there, run() may be called when inputs of one plane have not come yet. It asks host->rows_in() for
   * rows before it puts what reads them on the stream. */
  uint32_t by_rows;
  /* run() compiles and runs its FV_TEXT parameters, or the text of op_new(), as native code with the user's permissions. The host runs such a step
   * only when the user has allowed those texts. */
  bool native;
  /* Bits 1 << fv_device_kind: there, run() makes code with a compiler that the machine may lack, see fv_device.can_compile(). */
  uint32_t compiles;
  /* 0: the same input and arguments give the same bits on every device, with any number of threads, in every run, and with FV_POINT, FV_LOCAL and
   * FV_PART_GIVEN in every part of an image. Otherwise the tolerance, such as 1e-6, below 1. Two results of the same input then differ by at most
   * this. A pixel of floats differs by the tolerance times the largest finite magnitude of its plane, an integer pixel by that or 1, whichever is
   * more. A number of a table and a scalar differ by the tolerance times their own magnitude, or the tolerance if that is more. Masks, labels,
   * integer columns and texts are equal in any case. */
  double reproducible;
  /* With a tolerance: whether a call with these arguments and inputs keeps to the bits after all, such as one that sums directly and
   * not by Fourier transforms. inputs[i] is NULL when not given. NULL: none does. */
  bool (*exact) (const fv_op *, const void *args, const fv_grid *const *inputs);
  /* Where pixels of output number `output` come from; output: its inferred grid, as inputs are those of one call. NULL: from the same position
   * where there are as many rows and columns, and along z as many planes; else from none that could be told. */
  void (*place) (const fv_op *, const void *args, const fv_grid *const *inputs, const fv_grid *output, uint32_t number,
                 fv_place *place);
  /* Which plane of a call's inputs plane number `plane` of an output shows, and in *input, which comes as 0, of which input; -1: of none, or of
   * several. NULL: channels, slices and frames of which there are as many as before stay, others are new. */
  int64_t (*plane) (const fv_op *, const void *args, const fv_grid *const *inputs, const fv_grid *output, int64_t plane,
                    uint32_t *input);
  fv_values values;              /* of outputs whose role is FV_IMAGE */
  uint32_t traits;               /* fv_trait bits */
  const fv_imagej *imagej;       /* NULL: no command of ImageJ does the same */
  const fv_column_name *columns; /* NULL: columns are called by their keys */
};

#define FV_OP(ARGS)                                                                                                    \
  .size = sizeof (fv_op), .args_size = sizeof (ARGS), .param_size = sizeof (fv_param),                                 \
  .choice_size = sizeof (fv_choice), .input_size = sizeof (fv_input), .output_size = sizeof (fv_output),               \
  .scalar_size = sizeof (fv_scalar), .imagej_size = sizeof (fv_imagej)

/* ---- Readers: formats of image files ---- */

/* An image of a file, without its pixels. The function image() sets members and never the whole struct, whose size belongs to the host. The host
 * copies what the members point to before it calls another function for that file. */
typedef struct fv_file_image {
  uint32_t size; /* sizeof (fv_file_image) of the host */
  fv_type type;
  fv_role role;                     /* FV_MASK and FV_RGB are u8, FV_LABELS i32; FV_RGB has three channels */
  int64_t frames, channels, depth;  /* come as 1 */
  int64_t rows, columns;            /* come as 0; each at least 1 */
  double spacing[3];                /* physical size of a pixel along z, y, x; come as 0: unknown */
  const char *units[3];             /* of these: "µm", ...; come as NULL */
  double frame_interval;            /* comes as 0: unknown */
  const char *frame_unit;           /* of that: "s", ...; comes as NULL */
  const char *const *channel_names; /* [channels], or NULL */
  const uint32_t *channel_colors;   /* [channels] of 0xRRGGBB, or NULL */
  const char *description;          /* text that the file carries, less than 1 MiB; line breaks are allowed; or NULL */
  uint32_t levels;                  /* of its pyramid, at most 32; comes as 1: the image itself, level 0 */
  const char *name;                 /* of the image in its file, "/data", behind that of the file; or NULL */
  const double *display_ranges;     /* [channels] pairs low, high: contrast limits that the file asks for; or NULL */
} fv_file_image;

/* A level shows all of the image in fewer pixels than the level before. */
typedef struct fv_level {
  uint32_t size;         /* sizeof (fv_level) of the host */
  int64_t rows, columns; /* those of level 0 come as the image's, and stay so */
  int64_t tile_rows,
    tile_columns; /* reading whole tiles, counted from pixel 0, decodes nothing twice; come as 0: any region is read as it is */
} fv_level;

/* A part of a plane, not empty and inside its level. Planes are numbered (frame * channels + channel) * depth + slice. */
typedef struct fv_region {
  uint32_t size; /* sizeof (fv_region) of the host */
  uint32_t image, level;
  int64_t plane, row, column, rows, columns;
} fv_region;

/* A format. The host recognizes its own formats first, then asks the readers in the order in which they were loaded. Paths are bytes, not
 * always UTF-8. Functions may be called from any thread. close() is called once, when no other function works on that file; image(), level()
 * and read() are called from several threads at the same time. Every function is told its reader, by the address at which the plugin declared it.
 * The host may call read() for any region again, in any order, as long as the file is open. */
typedef struct fv_reader fv_reader;
struct fv_reader {
  uint32_t size;       /* sizeof (fv_reader) of the plugin */
  const char *key;     /* lower_snake_case, unique: "pfm" */
  const char *label;   /* "PFM" */
  const char *endings; /* of names, lower case, separated by commas, the usual one first: "pfm,pf" */
  const char *mime;    /* media types, separated by commas: "image/x-pfm"; or NULL */
  void *user;          /* the plugin's own, or NULL */
  /* Whether the file is of this format. head: its first n bytes, as many as there are up to 1024. n = 0: path is a folder. Cheap, opens nothing
   * unless head leaves it open. */
  bool (*is) (const fv_reader *, const char *path, const uint8_t *head, size_t n);
  /* Reads what the file says of its images, and their number, at least 1 and at most 65536. *file is the plugin's own. */
  fv_status (*open) (const fv_reader *, const char *path, void **file, uint32_t *images, fv_error *);
  void (*close) (const fv_reader *, void *file);
  /* Image n, from 0. Reads no pixels. */
  fv_status (*image) (const fv_reader *, void *file, uint32_t n, fv_file_image *image, fv_error *);
  /* Level `number` of image n. NULL: level 0 alone, of which any region is read as it is. */
  fv_status (*level) (const fv_reader *, void *file, uint32_t n, uint32_t number, fv_level *level, fv_error *);
  /* Writes the pixels of a region, all of them, in the byte order of this machine; row y begins at `to` + y * stride bytes. What the file does not
   * hold completely is an error, never zeros. */
  fv_status (*read) (const fv_reader *, void *file, const fv_region *region, void *to, size_t stride, fv_error *);
  /* What the file has and none of its images shows, in a few words: "2 thumbnails"; valid until close(). NULL, and NULL as function: nothing. */
  const char *(*left_out) (const fv_reader *, void *file);
  /* Paths of the other files that the images are read from, ended by NULL, valid until close(): their hashes are recorded with the image's, and no result
   * replaces one of them. NULL, and NULL as function: none. */
  const char *const *(*others) (const fv_reader *, void *file);
  /* It is asked after all readers that do not say so: for one that reads much of what others read better. */
  bool last;
};

/* ---- The plugin ---- */

typedef struct fv_plugin {
  uint32_t size;
  uint32_t abi; /* FV_ABI of the header that the plugin was built with */
  const char *name, *version;
  const fv_op *const *ops;         /* ends with NULL */
  const fv_device *const *devices; /* those that are there without looking, such as a CPU; ends with NULL; NULL: none */
  void (*close) (void);            /* called once before the module is closed, or NULL */
  /* Looks for more devices and returns them, ended by NULL: here a driver is woken, which can take long, and not in
   * fv_plugin_open(). Called at most once, on any thread, when more than `devices` is first wanted. A device that should be
   * there but cannot be used is in the list, with its fault. NULL: there are no more. */
  const fv_device *const *(*find_devices) (void);
  /* Makes an operation from a text that a user has written, the contents of a file KEY.operation. It lives until
   * op_free(), which is called when it does not run and has no owner. The format belongs to the plugin; errors name
   * the line. FV_UNSUPPORTED: the text is for another plugin. Any thread; both NULL: this plugin makes none. */
  fv_status (*op_new) (const char *key, const char *text, const fv_op **op, fv_error *);
  void (*op_free) (const fv_op *op);
  /* From now on what the calling thread calls computes with no more threads than that; 0: with as many as there may be. NULL: the plugin
   * does not follow. With a compiler's OpenMP: omp_set_num_threads(). */
  void (*limit_threads) (int32_t threads);
  const fv_reader *const *readers; /* ends with NULL; NULL: none */
} fv_plugin;

/* The one exported symbol. Returns the plugin's static description, or NULL with *error filled. `host_abi` is the
 * host's FV_ABI: a plugin may decline a host that is too old for it. */
typedef const fv_plugin *(*fv_plugin_open_fn) (uint32_t host_abi, fv_error *error);
FV_EXPORT const fv_plugin *fv_plugin_open (uint32_t host_abi, fv_error *error);

#ifdef __cplusplus
}
#endif
#endif
