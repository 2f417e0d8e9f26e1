//===- activation.cu - Activations of short numbers -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread for each element.
//
//===----------------------------------------------------------------------===//
#include "activation.h"
#include "early_launch.h"
#include "numbers.h"
#include "status.h"

namespace regrain::kernels {

constexpr int threads = 512;

/// `out` may be `input`: a thread reads nothing that another one writes.
template <RegrainActivation activation, class T>
__global__ void act(T *out, const T *input, size_t count) {
  awaitLaunchInFront();
  size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count)
    out[i] = fromFloat<T>(activate<activation>(toFloat(input[i])));
}

template <RegrainActivation activation, class T>
__global__ void actAndMul(T *__restrict__ out, const T *__restrict__ input, int columns) {
  awaitLaunchInFront();
  int blocksForRow = (columns + threads - 1) / threads;
  int row = blockIdx.x / blocksForRow;
  int i = blockIdx.x % blocksForRow * threads + threadIdx.x;
  const T *inputOfRow = input + static_cast<size_t>(row) * 2 * columns;
  if (i < columns)
    out[static_cast<size_t>(row) * columns + i] = fromFloat<T>(
        activate<activation>(toFloat(inputOfRow[i])) * toFloat(inputOfRow[columns + i]));
}

/// Calls `launch` with the activation as a template argument.
template <class F> static RegrainStatus withActivation(RegrainActivation activation, F launch) {
  switch (activation) {
  case REGRAIN_SILU:
    return launch.template operator()<REGRAIN_SILU>();
  case REGRAIN_GELU:
    return launch.template operator()<REGRAIN_GELU>();
  case REGRAIN_GELU_TANH:
    return launch.template operator()<REGRAIN_GELU_TANH>();
  case REGRAIN_RELU:
    return launch.template operator()<REGRAIN_RELU>();
  case REGRAIN_SQUARED_RELU:
    return launch.template operator()<REGRAIN_SQUARED_RELU>();
  }
  return fail(REGRAIN_INVALID_VALUE, "the activation is %d", activation);
}

template <class T> struct Activation {
  void *out;
  const void *input;
  int64_t count;
  cudaStream_t stream;
  template <RegrainActivation activation> RegrainStatus operator()() const {
    REGRAIN_LAUNCH_EARLY(
        (act<activation, T>), static_cast<unsigned>((count + threads - 1) / threads), threads, 0,
        stream, static_cast<T *>(out), static_cast<const T *>(input), static_cast<size_t>(count));
    return launched("regrainActivation");
  }
};

template <class T> struct ActivationAndMul {
  void *out;
  const void *input;
  int64_t rows;
  int columns, blocksForRow;
  cudaStream_t stream;
  template <RegrainActivation activation> RegrainStatus operator()() const {
    REGRAIN_LAUNCH_EARLY((actAndMul<activation, T>), static_cast<unsigned>(rows * blocksForRow),
                         threads, 0, stream, static_cast<T *>(out), static_cast<const T *>(input),
                         columns);
    return launched("regrainActivationAndMul");
  }
};

} // namespace regrain::kernels

using namespace regrain::kernels;

extern "C" RegrainStatus regrainActivation(void *out, const void *input, int64_t count,
                                           RegrainActivation activation, RegrainType type,
                                           RegrainStream stream) {
  const char *function = "regrainActivation";
  REGRAIN_CHECK(checkType(function, type));
  if (count < 0 || count / threads >= INT32_MAX)
    return fail(REGRAIN_INVALID_VALUE, "%s: count is %lld", function,
                static_cast<long long>(count));
  if (count == 0)
    return REGRAIN_SUCCESS;
  REGRAIN_CHECK(checkPointer(function, "out", out, 2));
  REGRAIN_CHECK(checkPointer(function, "input", input, 2));
  auto *queue = static_cast<cudaStream_t>(stream);
  if (type == REGRAIN_FLOAT16)
    return withActivation(activation, Activation<__half>{out, input, count, queue});
  return withActivation(activation, Activation<__nv_bfloat16>{out, input, count, queue});
}

extern "C" RegrainStatus regrainActivationAndMul(void *out, const void *input, int64_t rows,
                                                 int64_t columns, RegrainActivation activation,
                                                 RegrainType type, RegrainStream stream) {
  const char *function = "regrainActivationAndMul";
  REGRAIN_CHECK(checkType(function, type));
  int64_t blocksForRow = columns / threads + (columns % threads != 0);
  REGRAIN_CHECK(checkSizes(function, rows, columns, blocksForRow));
  if (rows == 0 || columns == 0)
    return REGRAIN_SUCCESS;
  REGRAIN_CHECK(checkPointer(function, "out", out, 2));
  REGRAIN_CHECK(checkPointer(function, "input", input, 2));
  int width = static_cast<int>(columns), blocks = static_cast<int>(blocksForRow);
  auto *queue = static_cast<cudaStream_t>(stream);
  if (type == REGRAIN_FLOAT16)
    return withActivation(activation,
                          ActivationAndMul<__half>{out, input, rows, width, blocks, queue});
  return withActivation(activation,
                        ActivationAndMul<__nv_bfloat16>{out, input, rows, width, blocks, queue});
}
