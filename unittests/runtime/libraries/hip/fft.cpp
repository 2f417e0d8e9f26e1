//===- fft.cpp - A libhipfft.so on the CPU --------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Its plans are executed by FFTW, as host functions in HIP's streams.
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/cufft/transform.h"
#include "runtime/libraries/stream/submit.h"

using namespace regrain::cufft;

namespace {

struct Plan {
  Shape shape;
  cudaStream_t stream = nullptr;
  bool isMade = false;
};

constexpr size_t workBytes = 64;

std::vector<long long> numbers(const int *values, int count) { return {values, values + count}; }

int execute(Plan *plan, cufftType type, void *in, void *out, int direction) {
  if (!plan->isMade || plan->shape.type != type)
    return CUFFT_INVALID_PLAN;
  auto transform = planTransform(plan->shape, direction, in == out);
  auto work = [=] { transform->execute(in, out); };
  return regrain::libraries::submit(plan->stream, work) == cudaSuccess ? CUFFT_SUCCESS
                                                                       : CUFFT_EXEC_FAILED;
}

} // namespace

extern "C" {

int hipfftCreate(Plan **plan) {
  *plan = new Plan;
  return CUFFT_SUCCESS;
}

int hipfftDestroy(Plan *plan) {
  delete plan;
  return CUFFT_SUCCESS;
}

int hipfftMakePlanMany(Plan *plan, int rank, int *n, int *inembed, int istride, int idist,
                       int *onembed, int ostride, int odist, int type, int batch,
                       size_t *workSize) {
  plan->shape = {cufftType(type), numbers(n, rank), batch, {}, {}};
  if (inembed && onembed) {
    plan->shape.in = {numbers(inembed, rank), istride, idist};
    plan->shape.out = {numbers(onembed, rank), ostride, odist};
  }
  plan->isMade = true;
  *workSize = workBytes;
  return plan->shape.check();
}

int hipfftEstimateMany(int, int *, int *, int, int, int *, int, int, int, int, size_t *workSize) {
  *workSize = workBytes;
  return CUFFT_SUCCESS;
}

/// HIP does not know CUDA's handle of the legacy stream.
int hipfftSetStream(Plan *plan, cudaStream_t stream) {
  plan->stream = stream;
  return stream == cudaStreamLegacy ? CUFFT_INVALID_VALUE : CUFFT_SUCCESS;
}

int hipfftExecC2C(Plan *plan, void *in, void *out, int direction) {
  return execute(plan, CUFFT_C2C, in, out, direction);
}
int hipfftExecZ2Z(Plan *plan, void *in, void *out, int direction) {
  return execute(plan, CUFFT_Z2Z, in, out, direction);
}
int hipfftExecR2C(Plan *plan, void *in, void *out) {
  return execute(plan, CUFFT_R2C, in, out, CUFFT_FORWARD);
}
int hipfftExecD2Z(Plan *plan, void *in, void *out) {
  return execute(plan, CUFFT_D2Z, in, out, CUFFT_FORWARD);
}
int hipfftExecC2R(Plan *plan, void *in, void *out) {
  return execute(plan, CUFFT_C2R, in, out, CUFFT_INVERSE);
}
int hipfftExecZ2D(Plan *plan, void *in, void *out) {
  return execute(plan, CUFFT_Z2D, in, out, CUFFT_INVERSE);
}
}
