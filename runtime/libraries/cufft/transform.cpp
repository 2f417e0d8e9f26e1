//===- transform.cpp - A transform that FFTW can execute ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/cufft/transform.h"

#include "runtime/libraries/stream/submit.h"

#include <fftw3.h>

#include <mutex>

namespace regrain::cufft {
namespace {

/// The planner, which is one for the process.
std::mutex planner;

/// A transform of fewer elements is faster in one thread.
constexpr long long elementsForThreads = 1 << 16;

/// REGRAIN_FFTW(Precision, prefix, Real): the calls of FFTW for one precision.
#define REGRAIN_FFTW(PRECISION, PREFIX, REAL)                                                      \
  struct PRECISION {                                                                               \
    using Real = REAL;                                                                             \
    using Complex = PREFIX##_complex;                                                              \
    using Plan = PREFIX##_plan;                                                                    \
    using Dimension = PREFIX##_iodim64;                                                            \
    static constexpr auto complexToComplex = PREFIX##_plan_guru64_dft;                             \
    static constexpr auto realToComplex = PREFIX##_plan_guru64_dft_r2c;                            \
    static constexpr auto complexToReal = PREFIX##_plan_guru64_dft_c2r;                            \
    static constexpr auto execute = PREFIX##_execute_dft;                                          \
    static constexpr auto executeFromReal = PREFIX##_execute_dft_r2c;                              \
    static constexpr auto executeToReal = PREFIX##_execute_dft_c2r;                                \
    static constexpr auto destroy = PREFIX##_destroy_plan;                                         \
    static constexpr auto initialiseThreads = PREFIX##_init_threads;                               \
    static constexpr auto setThreads = PREFIX##_plan_with_nthreads;                                \
  };
REGRAIN_FFTW(Single, fftwf, float)
REGRAIN_FFTW(Double, fftw, double)

/// Tells the planner how many threads the next plan uses.
template <class P> void setThreads(const Shape &shape) {
  static const bool hasThreads = P::initialiseThreads() != 0;
  if (hasThreads)
    P::setThreads(shape.elements() < elementsForThreads ? 1 : libraries::threadCount());
}

template <class P> class PlannedTransform : public Transform {
public:
  PlannedTransform(const Shape &shape, int direction, bool isInPlace)
      : isFromReal(shape.isFromReal()), isToReal(shape.isToReal()) {
    Distances in = distancesOf(shape, true, isInPlace), out = distancesOf(shape, false, isInPlace);
    std::vector<typename P::Dimension> dimensions;
    for (size_t i = 0; i < shape.sizes.size(); ++i)
      dimensions.push_back({shape.sizes[i], in.neighbours[i], out.neighbours[i]});
    typename P::Dimension batch = {shape.batch, in.batch, out.batch};
    // The planner takes from the addresses whether they are equal, and does not access them.
    alignas(64) static char places[128];
    auto *from = places;
    auto *to = isInPlace ? places : places + 64;
    // The one-dimensional transform to real numbers can leave its input as it is.
    unsigned flags = FFTW_ESTIMATE | FFTW_UNALIGNED |
                     (isToReal && shape.sizes.size() == 1 && !isInPlace ? FFTW_PRESERVE_INPUT : 0);
    std::lock_guard lock(planner);
    setThreads<P>(shape);
    int rank = int(dimensions.size());
    if (isFromReal)
      plan =
          P::realToComplex(rank, dimensions.data(), 1, &batch, reals(from), complexes(to), flags);
    else if (isToReal)
      plan =
          P::complexToReal(rank, dimensions.data(), 1, &batch, complexes(from), reals(to), flags);
    else
      plan = P::complexToComplex(rank, dimensions.data(), 1, &batch, complexes(from), complexes(to),
                                 direction, flags);
  }
  ~PlannedTransform() override {
    std::lock_guard lock(planner);
    P::destroy(plan);
  }
  PlannedTransform(const PlannedTransform &) = delete;
  PlannedTransform &operator=(const PlannedTransform &) = delete;

  bool isPlanned() const { return plan; }

  void execute(void *in, void *out) const override {
    if (isFromReal)
      P::executeFromReal(plan, reals(in), complexes(out));
    else if (isToReal)
      P::executeToReal(plan, complexes(in), reals(out));
    else
      P::execute(plan, complexes(in), complexes(out));
  }

private:
  static typename P::Real *reals(void *data) { return static_cast<typename P::Real *>(data); }
  static typename P::Complex *complexes(void *data) {
    return static_cast<typename P::Complex *>(data);
  }

  const bool isFromReal, isToReal;
  typename P::Plan plan = nullptr;
};

template <class P>
std::shared_ptr<Transform> make(const Shape &shape, int direction, bool isInPlace) {
  auto transform = std::make_shared<PlannedTransform<P>>(shape, direction, isInPlace);
  return transform->isPlanned() ? transform : nullptr;
}

} // namespace

std::shared_ptr<Transform> planTransform(const Shape &shape, int direction, bool isInPlace) {
  return shape.isDouble() ? make<Double>(shape, direction, isInPlace)
                          : make<Single>(shape, direction, isInPlace);
}

} // namespace regrain::cufft
