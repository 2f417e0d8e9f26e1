//===- hip.cpp - A plan on an AMD GPU, by hipFFT --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/cufft/hip.h"

#include "runtime/libraries/hip/library.h"

#include <algorithm>
#include <climits>

namespace regrain::cufft {
namespace {

const libraries::HipLibrary &library() {
  static constexpr libraries::HipFile files[] = {{7, 0}, {6, 0}, {5, 0}};
  static const auto *loaded = new libraries::HipLibrary("hipfft", files);
  return *loaded;
}

template <class... Args> cufftResult call(const char *entry, Args... args) {
  void *function = library().isLoaded() ? library().findOrReport(entry, "cuFFT") : nullptr;
  if (!function || libraries::hipMajor() == 0)
    return CUFFT_NOT_SUPPORTED;
  return cufftResult(libraries::callHip(function, args...));
}

/// The parameters of hipfftMakePlanMany, by which every shape can be described.
struct Many {
  explicit Many(const Shape &shape) : batch(narrow(shape.batch)) {
    for (long long size : shape.sizes)
      sizes.push_back(narrow(size));
    set(in, shape.in);
    set(out, shape.out);
  }

  /// Calls `use` with the parameters; refuses those that do not fit into 32 bits.
  template <class Use> cufftResult with(const Shape &shape, Use use) {
    if (!fits)
      return CUFFT_NOT_SUPPORTED;
    return use(int(sizes.size()), sizes.data(), in.data(), in.stride, in.distance, out.data(),
               out.stride, out.distance, int(shape.type), batch);
  }

private:
  struct Embedding {
    std::vector<int> sizes;
    int stride = 1, distance = 0;
    int *data() { return sizes.empty() ? nullptr : sizes.data(); }
  };

  int narrow(long long value) {
    fits = fits && value >= INT_MIN && value <= INT_MAX;
    return int(value);
  }
  void set(Embedding &to, const std::optional<Shape::Embedding> &from) {
    if (!from)
      return;
    for (long long size : from->sizes)
      to.sizes.push_back(narrow(size));
    to.stride = narrow(from->stride);
    to.distance = narrow(from->distance);
  }

  bool fits = true;
  std::vector<int> sizes;
  int batch;
  Embedding in, out;
};

} // namespace

cufftResult HipPlan::create(std::unique_ptr<HipPlan> &out) {
  void *handle = nullptr;
  cufftResult status = call("hipfftCreate", &handle);
  if (status == CUFFT_SUCCESS)
    out.reset(new HipPlan(handle));
  return status;
}

// An error has no caller to report to.
HipPlan::~HipPlan() { static_cast<void>(call("hipfftDestroy", handle)); }

cufftResult HipPlan::make(const Shape &shape, size_t &workSize) {
  return Many(shape).with(shape, [&](auto... parameters) {
    return call("hipfftMakePlanMany", handle, parameters..., &workSize);
  });
}

cufftResult estimateHip(const Shape &shape, size_t &workSize) {
  return Many(shape).with(shape, [&](auto... parameters) {
    return call("hipfftEstimateMany", parameters..., &workSize);
  });
}

cufftResult HipPlan::execute(cufftType type, void *in, void *out, int direction) {
  switch (type) {
  case CUFFT_C2C:
    return call("hipfftExecC2C", handle, in, out, direction);
  case CUFFT_Z2Z:
    return call("hipfftExecZ2Z", handle, in, out, direction);
  case CUFFT_R2C:
    return call("hipfftExecR2C", handle, in, out);
  case CUFFT_D2Z:
    return call("hipfftExecD2Z", handle, in, out);
  case CUFFT_C2R:
    return call("hipfftExecC2R", handle, in, out);
  case CUFFT_Z2D:
    return call("hipfftExecZ2D", handle, in, out);
  }
  return CUFFT_INVALID_TYPE;
}

cufftResult HipPlan::setStream(cudaStream_t stream) {
  return call("hipfftSetStream", handle, libraries::toHip(stream));
}
cufftResult HipPlan::setWorkArea(void *memory) { return call("hipfftSetWorkArea", handle, memory); }
cufftResult HipPlan::setAutoAllocation(int allocates) {
  return call("hipfftSetAutoAllocation", handle, allocates);
}

} // namespace regrain::cufft
