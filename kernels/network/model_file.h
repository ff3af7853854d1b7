/* SPDX-License-Identifier: MIT
 *
 * What the program fovea-model makes of a package of the BioImage Model Zoo, or of an ONNX file that network.h cannot compute: a folder with the files
 * below. It belongs to this machine, so numbers are in its byte order.
 */
#ifndef KERNELS_NETWORK_MODEL_FILE_H
#define KERNELS_NETWORK_MODEL_FILE_H

#include <stdbool.h>
#include <stdint.h>

#define MODEL_PROGRAM "fovea-model"
#define MODEL_HEAD "head"          /* a model_head; written last */
#define MODEL_FILES "files"        /* folder: the ONNX file, and its external data */
#define MODEL_INPUT "test_input"   /* floats [channels][rows][columns], after preprocessing */
#define MODEL_OUTPUT "test_output" /* floats [channels][cells down][cells across], after postprocessing */
#define MODEL_TESTED "tested"      /* there: the network has made the test output of the test input, on the CPU */
#define MODEL_TESTED_GPU "tested_gpu"
#define MODEL_CARD "card" /* what the description says for people: a key, a tab and a text on each line */
#define MODEL_MAGIC "fovea-model 3\n"

enum {
  MODEL_STEPS = 8,
  MODEL_INPUTS = 8, /* channels of the input */
  MODEL_AXES = 8,
  MODEL_NAME = 256,
  MODEL_WHY = 320,
  MODEL_SHA256 = 65,
  MODEL_LINE = 4096,      /* bytes, of a card */
  MODEL_LARGEST = 1 << 14 /* pixels, of the smallest input */
};

/* What is found in each plane before its pixels are changed. */
typedef enum model_statistic {
  MODEL_AS_IS,
  MODEL_PERCENTILES, /* low becomes 0, high becomes 1 */
  MODEL_ZSCORE       /* the mean becomes 0, the standard deviation 1 */
} model_statistic;

typedef enum model_step_kind {
  MODEL_LINEAR,   /* a * v + b */
  MODEL_CLIP,     /* a to b, which may be infinite */
  MODEL_BINARIZE, /* v > a: 1, else 0 */
  MODEL_SIGMOID   /* 1 / (1 + exp (-v)) */
} model_step_kind;

/* The numbers are those of each channel of the input. All channels of the output have the first. */
typedef struct model_step {
  int32_t kind;
  float a[MODEL_INPUTS], b[MODEL_INPUTS];
} model_step;

/* A network: how it takes the channels of a plane, and what its planes of output mean. */
typedef struct model_head {
  char magic[16];
  char sha256[MODEL_SHA256];
  char onnx[MODEL_NAME]; /* its file in MODEL_FILES */
  char why[MODEL_WHY];   /* why network.h cannot compute it; "": it can */
  /* Letters b, c, y, x, others, in the order of the tensor's dimensions. All have the size 1 but y, x and c. */
  char in_axes[MODEL_AXES], out_axes[MODEL_AXES];
  int32_t inputs;   /* channels of the input */
  int32_t factors;  /* 1, or for how many channels the steps before have numbers */
  int32_t together; /* 1: statistics are those of all channels of a plane, 0: of each */
  int32_t output;   /* which one of the network's outputs */
  int32_t least[2]; /* smallest input: rows, columns */
  int32_t step[2];  /* more of them; 0: no other size is possible */
  int32_t halo;     /* pixels at the edges of an input whose results are not used */
  int32_t shrink;   /* 2^shrink pixels a cell of the output, in each direction */
  int32_t channels; /* of the output */
  int32_t
    probability; /* stars: the channel of the probability of an object; -1: the network has none, and no distances */
  int32_t rays;  /* stars: the first channel of distances */
  int32_t foreground; /* channel; -1: none */
  int32_t boundary;   /* channel; -1: none */
  int32_t scales;     /* 1: it is for nuclei of 14 to 60 pixels, to which others are scaled */
  int32_t statistic;  /* model_statistic */
  double low, high;   /* percentiles */
  int32_t n_before, n_after;
  model_step before[MODEL_STEPS], after[MODEL_STEPS]; /* the network */
  int64_t test_rows, test_columns;                    /* of the test input; 0: there is none */
} model_head;

/* What runs between the plugin and fovea-model when it computes: over a socket, standard input and output there. First the program says that it is ready, then it
 * answers each request. The file in memory, MODEL_MEMORY, has the input, channels * rows * columns floats, and behind it the output. */
enum { MODEL_MEMORY = 3 };

typedef struct model_request {
  int64_t rows, columns, bytes; /* of the file in memory */
} model_request;

/* text: a sentence. At first it says what computes the network, and where. */
typedef struct model_reply {
  int32_t failed, on_gpu;
  char text[400];
} model_reply;

#endif
