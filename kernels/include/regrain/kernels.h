//===- kernels.h - Kernels for the inference of language models -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface of the library regrain-kernels, for C and C++.
//
// Every function enqueues its work on a stream of the current device and returns at
// once. Pointers are memory that the device can access; matrices are dense and
// row-major unless a stride is a parameter. A size of zero is a success that does
// nothing. No function allocates memory, so all of them can be captured in a graph.
//
// "fp8" is e4m3 without infinity: 1 sign, 4 exponent and 3 mantissa bits, at most 448.
// A number is divided by its scale (multiplied by the reciprocal, in float) and rounded
// to nearest even. What is larger than 448 in magnitude becomes 448 with its sign. NaN
// becomes the code 0x7f or 0xff. Results and inputs do not overlap unless a function
// says that they may.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_KERNELS_H
#define REGRAIN_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define REGRAIN_KERNELS_VERSION 1

/// What every function returns. regrainKernelsError() explains all but the first.
typedef enum RegrainStatus {
  REGRAIN_SUCCESS = 0,
  REGRAIN_INVALID_VALUE = 1, ///< a size, a stride, a null pointer, or an unknown enumerator
  REGRAIN_NOT_ALIGNED = 2,   ///< a pointer is less aligned than the function says
  REGRAIN_CUDA_ERROR = 3     ///< the launch failed; the message has CUDA's own words
} RegrainStatus;

/// The types of numbers that are not fp8.
typedef enum RegrainType { REGRAIN_FLOAT16 = 0, REGRAIN_BFLOAT16 = 1 } RegrainType;

/// Which numbers share a scale, and where it comes from.
typedef enum RegrainScaling {
  /// One scale for all, read: scales[0].
  REGRAIN_SCALE_TENSOR = 0,
  /// A scale for each row, computed and written: scales[row].
  REGRAIN_SCALE_TOKEN = 1,
  /// A scale for each 128 columns of a row, computed and written:
  /// scales[row * ceil(columns / 128) + column / 128]. The last block of a row may be shorter.
  REGRAIN_SCALE_BLOCK = 2
} RegrainScaling;

/// The activation functions. SiLU is x / (1 + exp(-x)).
typedef enum RegrainActivation {
  REGRAIN_SILU = 0,
  REGRAIN_GELU = 1,      ///< x * (1 + erf(x / sqrt(2))) / 2
  REGRAIN_GELU_TANH = 2, ///< the approximation by tanh
  REGRAIN_RELU = 3,
  REGRAIN_SQUARED_RELU = 4
} RegrainActivation;

/// How regrainMatmulFp8 brings the matrices to the matrix units. Results differ by rounding.
typedef enum RegrainMatmulForm {
  REGRAIN_MATMUL_DIRECT = 0, ///< each warp reads its operands from global memory
  REGRAIN_MATMUL_QUEUE = 1,  ///< a warp fills a queue in shared memory by asynchronous copies
  /// Four warps multiply together, from a ring in shared memory. Where the device or its code has
  /// no such instructions, this is REGRAIN_MATMUL_DIRECT.
  REGRAIN_MATMUL_WARPGROUPS = 2
} RegrainMatmulForm;

/// A stream of CUDA (cudaStream_t, CUstream); null is the default stream.
typedef void *RegrainStream;

/// REGRAIN_KERNELS_VERSION of the library that is loaded.
int regrainKernelsVersion(void);

/// Explains the last failure in this thread: names the function, the parameter and its value. Valid
/// until the next call in this thread; "" if nothing failed yet.
const char *regrainKernelsError(void);

/// A computed scale is max(largest magnitude, 1e-10) / 448, so it is never 0. NaN does not count as
/// a magnitude.
///
/// Without a residual, z = input. With one, z = input + residual, rounded to `type`, which is
/// written to residual. Then, in float,
///   out[row, i] = fp8(z[i] * weight[i] * rsqrt(sum(z^2) / columns + epsilon) / scale)
/// out: rows x columns of fp8. input, residual: rows x columns of `type`; residual may be null.
/// weight: columns of `type`.
RegrainStatus regrainRmsNormFp8(void *out, float *scales, const void *input, void *residual,
                                const void *weight, int64_t rows, int64_t columns, float epsilon,
                                RegrainType type, RegrainScaling scaling, RegrainStream stream);

/// out[row, i] = fp8(activation(input[row, i]) * input[row, columns + i] / scale), in float.
/// out: rows x columns of fp8. input: rows x (2 * columns) of `type`. The activation is
/// REGRAIN_SILU or REGRAIN_GELU_TANH.
RegrainStatus regrainActivationAndMulFp8(void *out, float *scales, const void *input, int64_t rows,
                                         int64_t columns, RegrainActivation activation,
                                         RegrainType type, RegrainScaling scaling,
                                         RegrainStream stream);

/// out[row, i] = fp8(input[row, i] / scale). out, input: rows x columns.
RegrainStatus regrainQuantizeFp8(void *out, float *scales, const void *input, int64_t rows,
                                 int64_t columns, RegrainType type, RegrainScaling scaling,
                                 RegrainStream stream);

/// out[i] = activation(input[i]), computed in float and rounded to `type`. out may be input.
RegrainStatus regrainActivation(void *out, const void *input, int64_t count,
                                RegrainActivation activation, RegrainType type,
                                RegrainStream stream);

/// out[row, i] = activation(input[row, i]) * input[row, columns + i], computed in float and rounded
/// to `type` once. out: rows x columns. input: rows x (2 * columns).
RegrainStatus regrainActivationAndMul(void *out, const void *input, int64_t rows, int64_t columns,
                                      RegrainActivation activation, RegrainType type,
                                      RegrainStream stream);

/// Chooses the form for all later calls of the process; at first, it is
/// REGRAIN_MATMUL_WARPGROUPS.
RegrainStatus regrainChooseMatmulForm(RegrainMatmulForm form);

/// How many bytes of workspace regrainMatmulFp8 needs for these sizes; 0 if it needs none, or if
/// the sizes are not valid.
size_t regrainMatmulFp8Workspace(int64_t m, int64_t n, int64_t k);

/// out = (a * transpose(b)) with out[i, j] scaled by scaleA * scaleB, summed in float and rounded
/// to `type`. For few rows: m is at most 32. out: m x n of `type`. a: m x k of fp8. b: n x k of
/// fp8, so a row of b is a channel of the output. scaleA: one number, or m of them if
/// rowsHaveScales. scaleB: one number, or n of them if channelsHaveScales. k is a multiple of 16,
/// and a and b are aligned to 16 bytes. workspace: regrainMatmulFp8Workspace bytes of zeros,
/// aligned to 16. Each call leaves zeros, so that calls of one stream can share it, also for other
/// sizes. Two streams need two workspaces.
RegrainStatus regrainMatmulFp8(void *out, const void *a, const void *b, const float *scaleA,
                               int rowsHaveScales, const float *scaleB, int channelsHaveScales,
                               int64_t m, int64_t n, int64_t k, RegrainType type, void *workspace,
                               size_t workspaceBytes, RegrainStream stream);

#ifdef __cplusplus
}
#endif

#endif
