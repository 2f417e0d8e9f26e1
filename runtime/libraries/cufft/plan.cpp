//===- plan.cpp - The plans of cuFFT --------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/cufft/plan.h"

#include "runtime/libraries/elements/version.h"
#include "runtime/libraries/hip/library.h"
#include "runtime/libraries/stream/submit.h"

using namespace regrain::cufft;

Plans &Plans::get() {
  static auto *all = new Plans; // programs destroy plans in static destructors
  return *all;
}

cufftHandle Plans::create(std::unique_ptr<HipPlan> hip) {
  std::lock_guard lock(mutex);
  plans[next].hip = std::move(hip);
  return next++;
}

bool Plans::destroy(cufftHandle handle) {
  std::lock_guard lock(mutex);
  return plans.erase(handle) == 1;
}

namespace {

cufftResult make(cufftHandle handle, const Shape &shape, size_t *workSize) {
  if (!workSize)
    return CUFFT_INVALID_VALUE;
  if (cufftResult status = shape.check(); status != CUFFT_SUCCESS)
    return status;
  return Plans::get().with(handle, [&](Plan &plan) {
    if (plan.isMade)
      return CUFFT_INVALID_PLAN;
    plan.workSize = 0; // FFTW allocates what it needs
    if (plan.hip) {
      if (cufftResult status = plan.hip->make(shape, plan.workSize); status != CUFFT_SUCCESS)
        return status;
    } else if (!canTransform(shape)) {
      return CUFFT_MISSING_DEPENDENCY;
    }
    plan.isMade = true;
    plan.shape = shape;
    *workSize = plan.workSize;
    return CUFFT_SUCCESS;
  });
}

/// Creates a plan and makes it.
cufftResult createAndMake(cufftHandle *handle, const Shape &shape) {
  if (!handle)
    return CUFFT_INVALID_VALUE;
  if (cufftResult status = cufftCreate(handle); status != CUFFT_SUCCESS)
    return status;
  size_t workSize = 0;
  cufftResult status = make(*handle, shape, &workSize);
  if (status != CUFFT_SUCCESS)
    Plans::get().destroy(*handle);
  return status;
}

/// Answers questions about the size of the memory that a plan needs.
cufftResult estimate(const Shape &shape, size_t *workSize) {
  if (!workSize)
    return CUFFT_INVALID_VALUE;
  *workSize = 0;
  if (cufftResult status = shape.check(); status != CUFFT_SUCCESS)
    return status;
  return regrain::libraries::hipMajor() != 0 ? estimateHip(shape, *workSize) : CUFFT_SUCCESS;
}

Shape packed(cufftType type, std::vector<long long> sizes, long long batch = 1) {
  return {type, std::move(sizes), batch, {}, {}};
}

/// If one of the arrays of sizes is missing, the data are packed.
template <class Int>
Shape many(int rank, const Int *n, const Int *inembed, Int istride, Int idist, const Int *onembed,
           Int ostride, Int odist, cufftType type, Int batch) {
  if (!n || rank < 1 || rank > 3)
    return packed(type, {});
  auto numbers = [&](const Int *values) { return std::vector<long long>(values, values + rank); };
  Shape shape = packed(type, numbers(n), batch);
  if (inembed && onembed) {
    shape.in = {numbers(inembed), istride, idist};
    shape.out = {numbers(onembed), ostride, odist};
  }
  return shape;
}

cufftResult execute(cufftHandle handle, cufftType type, void *in, void *out, int direction) {
  if (!in || !out || (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE))
    return CUFFT_INVALID_VALUE;
  return Plans::get().with(handle, [&](Plan &plan) {
    if (!plan.isMade || plan.shape.type != type)
      return CUFFT_INVALID_PLAN;
    if (plan.hip)
      return plan.hip->execute(type, in, out, direction);
    bool isInPlace = in == out;
    std::shared_ptr<Transform> &transform = plan.transforms[{direction, isInPlace}];
    if (!transform)
      transform = planTransform(plan.shape, direction, isInPlace);
    if (!transform)
      return CUFFT_INTERNAL_ERROR;
    cudaError_t status = regrain::libraries::submit(
        plan.stream, [transform, in, out] { transform->execute(in, out); });
    return status == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
  });
}

} // namespace

cufftResult cufftCreate(cufftHandle *handle) {
  if (!handle)
    return CUFFT_INVALID_VALUE;
  std::unique_ptr<HipPlan> hip;
  if (regrain::libraries::hipMajor() != 0) {
    if (cufftResult status = HipPlan::create(hip); status != CUFFT_SUCCESS)
      return status;
  } else if (regrain::libraries::checkDevice() != cudaSuccess) {
    return CUFFT_NOT_SUPPORTED;
  }
  *handle = Plans::get().create(std::move(hip));
  return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle handle) {
  return Plans::get().destroy(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

/// REGRAIN_SHAPES(Name, function, (first parameter), (first argument), (last...), (last...)): the
/// forms of an entry for one to three dimensions, and for any layout.
#define REGRAIN_UNWRAP(...) __VA_ARGS__
#define REGRAIN_SHAPES(NAME, FUNCTION, FIRST, FIRST_ARGUMENT, LAST, LAST_ARGUMENT)                 \
  cufftResult cufft##NAME##1d(REGRAIN_UNWRAP FIRST int nx, cufftType type,                         \
                              int batch REGRAIN_UNWRAP LAST) {                                     \
    return FUNCTION(REGRAIN_UNWRAP FIRST_ARGUMENT packed(type, {nx}, batch)                        \
                        REGRAIN_UNWRAP LAST_ARGUMENT);                                             \
  }                                                                                                \
  cufftResult cufft##NAME##2d(REGRAIN_UNWRAP FIRST int nx, int ny,                                 \
                              cufftType type REGRAIN_UNWRAP LAST) {                                \
    return FUNCTION(REGRAIN_UNWRAP FIRST_ARGUMENT packed(type, {nx, ny})                           \
                        REGRAIN_UNWRAP LAST_ARGUMENT);                                             \
  }                                                                                                \
  cufftResult cufft##NAME##3d(REGRAIN_UNWRAP FIRST int nx, int ny, int nz,                         \
                              cufftType type REGRAIN_UNWRAP LAST) {                                \
    return FUNCTION(REGRAIN_UNWRAP FIRST_ARGUMENT packed(type, {nx, ny, nz})                       \
                        REGRAIN_UNWRAP LAST_ARGUMENT);                                             \
  }                                                                                                \
  REGRAIN_MANY(NAME##Many, FUNCTION, FIRST, FIRST_ARGUMENT, LAST, LAST_ARGUMENT, int)
#define REGRAIN_MANY(NAME, FUNCTION, FIRST, FIRST_ARGUMENT, LAST, LAST_ARGUMENT, INT)              \
  cufftResult cufft##NAME(REGRAIN_UNWRAP FIRST int rank, INT *n, INT *inembed, INT istride,        \
                          INT idist, INT *onembed, INT ostride, INT odist, cufftType type,         \
                          INT batch REGRAIN_UNWRAP LAST) {                                         \
    return FUNCTION(REGRAIN_UNWRAP FIRST_ARGUMENT many<INT>(rank, n, inembed, istride, idist,      \
                                                            onembed, ostride, odist, type, batch)  \
                        REGRAIN_UNWRAP LAST_ARGUMENT);                                             \
  }

REGRAIN_SHAPES(Plan, createAndMake, (cufftHandle * handle, ), (handle, ), (), ())
REGRAIN_SHAPES(MakePlan, make, (cufftHandle handle, ), (handle, ), (, size_t *workSize),
               (, workSize))
REGRAIN_MANY(MakePlanMany64, make, (cufftHandle handle, ), (handle, ), (, size_t *workSize),
             (, workSize), long long)
REGRAIN_SHAPES(GetSize, estimate, (cufftHandle, ), (), (, size_t *workSize), (, workSize))
REGRAIN_MANY(GetSizeMany64, estimate, (cufftHandle, ), (), (, size_t *workSize), (, workSize),
             long long)
REGRAIN_SHAPES(Estimate, estimate, (), (), (, size_t *workSize), (, workSize))

cufftResult cufftGetSize(cufftHandle handle, size_t *workSize) {
  if (!workSize)
    return CUFFT_INVALID_VALUE;
  return Plans::get().with(handle, [&](Plan &plan) {
    *workSize = plan.workSize;
    return plan.isMade ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
  });
}

// On the CPU, no plan needs memory of the program.
cufftResult cufftSetWorkArea(cufftHandle handle, void *memory) {
  return Plans::get().with(
      handle, [&](Plan &plan) { return plan.hip ? plan.hip->setWorkArea(memory) : CUFFT_SUCCESS; });
}
cufftResult cufftSetAutoAllocation(cufftHandle handle, int allocates) {
  return Plans::get().with(handle, [&](Plan &plan) {
    return plan.hip ? plan.hip->setAutoAllocation(allocates) : CUFFT_SUCCESS;
  });
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  return Plans::get().with(handle, [&](Plan &plan) {
    plan.stream = stream;
    return plan.hip ? plan.hip->setStream(stream) : CUFFT_SUCCESS;
  });
}

cufftResult cufftGetVersion(int *version) {
  if (!version)
    return CUFFT_INVALID_VALUE;
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}

cufftResult cufftGetProperty(libraryPropertyType type, int *value) {
  return regrain::libraries::getProperty(
      type, value, {CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH}, CUFFT_INVALID_VALUE);
}

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *in, cufftComplex *out, int direction) {
  return execute(plan, CUFFT_C2C, in, out, direction);
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleComplex *out,
                         int direction) {
  return execute(plan, CUFFT_Z2Z, in, out, direction);
}
cufftResult cufftExecR2C(cufftHandle plan, cufftReal *in, cufftComplex *out) {
  return execute(plan, CUFFT_R2C, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *in, cufftDoubleComplex *out) {
  return execute(plan, CUFFT_D2Z, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *in, cufftReal *out) {
  return execute(plan, CUFFT_C2R, in, out, CUFFT_INVERSE);
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleReal *out) {
  return execute(plan, CUFFT_Z2D, in, out, CUFFT_INVERSE);
}
