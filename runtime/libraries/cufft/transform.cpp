//===- transform.cpp - A transform that FFTW can execute ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/cufft/transform.h"

#include "runtime/libraries/stream/submit.h"

#include <cstdio>
#include <dlfcn.h>
#include <fftw3.h>
#include <mutex>

namespace regrain::cufft {
namespace {

/// The planner, which is one for the process.
std::mutex planner;

/// A transform of fewer elements is faster in one thread.
constexpr long long elementsForThreads = 1 << 16;

/// The entries of FFTW for one precision, which are opened when the first plan is made. Nothing of
/// FFTW is linked: its licence is the GPL, so who passes Regrain on need not pass it on.
class Entries {
public:
  bool areComplete() const { return !isIncomplete; }

protected:
  /// Opens FFTW with its threads. If it is not there, a line on stderr says so.
  explicit Entries(const char *file)
      : library(dlopen(file, RTLD_NOW | RTLD_LOCAL)), isIncomplete(!library) {
    if (!library)
      report();
  }

  void *find(const char *name) {
    void *entry = library ? dlsym(library, name) : nullptr;
    if (library && !entry) {
      report();
      isIncomplete = true;
    }
    return entry;
  }

private:
  static void report() {
    const char *error = dlerror();
    std::fprintf(stderr, "regrain: cuFFT on the CPU needs version 3 of FFTW: %s\n",
                 error ? error : "it cannot be loaded");
  }

  /// It is never closed: plans may outlive what is destroyed at exit.
  void *library;
  bool isIncomplete;
};

#define REGRAIN_ENTRY(MEMBER, ENTRY)                                                               \
  decltype(&ENTRY) MEMBER = reinterpret_cast<decltype(&ENTRY)>(find(#ENTRY));

/// REGRAIN_FFTW(Precision, prefix, Real, file): the types and entries for one precision.
#define REGRAIN_FFTW(PRECISION, PREFIX, REAL, FILE)                                                \
  struct PRECISION : Entries {                                                                     \
    using Real = REAL;                                                                             \
    using Complex = PREFIX##_complex;                                                              \
    using Plan = PREFIX##_plan;                                                                    \
    using Dimension = PREFIX##_iodim64;                                                            \
    PRECISION() : Entries(FILE) {}                                                                 \
    REGRAIN_ENTRY(complexToComplex, PREFIX##_plan_guru64_dft)                                      \
    REGRAIN_ENTRY(realToComplex, PREFIX##_plan_guru64_dft_r2c)                                     \
    REGRAIN_ENTRY(complexToReal, PREFIX##_plan_guru64_dft_c2r)                                     \
    REGRAIN_ENTRY(execute, PREFIX##_execute_dft)                                                   \
    REGRAIN_ENTRY(executeFromReal, PREFIX##_execute_dft_r2c)                                       \
    REGRAIN_ENTRY(executeToReal, PREFIX##_execute_dft_c2r)                                         \
    REGRAIN_ENTRY(destroy, PREFIX##_destroy_plan)                                                  \
    REGRAIN_ENTRY(initialiseThreads, PREFIX##_init_threads)                                        \
    REGRAIN_ENTRY(setThreads, PREFIX##_plan_with_nthreads)                                         \
  };
REGRAIN_FFTW(Single, fftwf, float, "libfftw3f_threads.so.3")
REGRAIN_FFTW(Double, fftw, double, "libfftw3_threads.so.3")

/// FFTW for one precision, which lives as long as the process.
template <class P> const P &fftw() {
  static const P *entries = new P;
  return *entries;
}

/// Tells the planner how many threads the next plan uses.
template <class P> void setThreads(const Shape &shape) {
  static const bool hasThreads = fftw<P>().initialiseThreads() != 0;
  if (hasThreads)
    fftw<P>().setThreads(shape.elements() < elementsForThreads ? 1 : libraries::threadCount());
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
      plan = fftw<P>().realToComplex(rank, dimensions.data(), 1, &batch, reals(from), complexes(to),
                                     flags);
    else if (isToReal)
      plan = fftw<P>().complexToReal(rank, dimensions.data(), 1, &batch, complexes(from), reals(to),
                                     flags);
    else
      plan = fftw<P>().complexToComplex(rank, dimensions.data(), 1, &batch, complexes(from),
                                        complexes(to), direction, flags);
  }
  ~PlannedTransform() override {
    std::lock_guard lock(planner);
    fftw<P>().destroy(plan);
  }
  PlannedTransform(const PlannedTransform &) = delete;
  PlannedTransform &operator=(const PlannedTransform &) = delete;

  bool isPlanned() const { return plan; }

  void execute(void *in, void *out) const override {
    if (isFromReal)
      fftw<P>().executeFromReal(plan, reals(in), complexes(out));
    else if (isToReal)
      fftw<P>().executeToReal(plan, complexes(in), reals(out));
    else
      fftw<P>().execute(plan, complexes(in), complexes(out));
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
  if (!fftw<P>().areComplete())
    return nullptr;
  auto transform = std::make_shared<PlannedTransform<P>>(shape, direction, isInPlace);
  return transform->isPlanned() ? transform : nullptr;
}

} // namespace

bool canTransform(const Shape &shape) {
  return shape.isDouble() ? fftw<Double>().areComplete() : fftw<Single>().areComplete();
}

std::shared_ptr<Transform> planTransform(const Shape &shape, int direction, bool isInPlace) {
  return shape.isDouble() ? make<Double>(shape, direction, isInPlace)
                          : make<Single>(shape, direction, isInPlace);
}

} // namespace regrain::cufft
