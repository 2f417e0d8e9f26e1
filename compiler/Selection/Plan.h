//===- Plan.h - Which grains to compile for each kernel ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Import/Import.h"
#include "compiler/Selection/ImageOptions.h"
#include "llvm/ADT/DenseSet.h"

namespace regrain {

/// A grain that was asked for and will not be in the image.
struct RefusedGrain {
  std::string kernel; ///< demangled
  std::string symbol; ///< mangled
  std::string id;     ///< canonical SPEC
  std::string stage;  ///< "import", "transform", "export", or a target's name
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  RefusalKind kind = RefusalKind::MalformedImport;
  std::string reason; ///< one clause
  bool asked = false; ///< named by --coarsen, not found by --alternatives

  friend bool operator==(const RefusedGrain &, const RefusedGrain &) = default;
};

/// A refusal at the definition of `kernel`.
[[nodiscard]] RefusedGrain refuseAt(const DeviceKernel &kernel, std::string id, std::string stage,
                                    Obstacle obstacle);

/// A refusal of a kernel that was not raised.
[[nodiscard]] RefusedGrain refuseUnraised(const DeviceKernel &kernel,
                                          const ImportedModule &imported, std::string id);

/// The grains of one kernel; index 0 is the original, then those that --coarsen
/// asks for, then the control and those of the space that have been tried.
struct KernelPlan {
  std::vector<Grain> grains = {Grain()};
  unsigned requested = 1;   ///< the grains before this index: original, --coarsen and --choose
  std::vector<Grain> space; ///< grains that have not been tried, best first
  std::string statistics;   ///< what a thread does, for people; where there is a space
  size_t budget = 0;        ///< how many legal grains of the space are wanted
  unsigned chosen = 0;      ///< index of the grain that --coarsen asks for
  std::vector<unsigned> nextChoices;   ///< where a launch does not fit it, in order
  llvm::DenseSet<unsigned> wholeWarps; ///< grains that are legal only where warps stay whole
  llvm::DenseMap<unsigned, uint64_t> scratchBytes; ///< of a launched block, of grains that take any

  /// What launches of a class run at, by --choose; these go before `chosen`.
  struct ClassChoice {
    std::string launchClass; ///< as runtime/core/launch_class.h writes it
    unsigned grain = 0;      ///< index
    MeasuredOn measuredOn;
    double originalMicroseconds = 0, chosenMicroseconds = 0; ///< of a launch, as measured
  };
  std::vector<ClassChoice> classChoices;

  bool needsWholeWarps(unsigned index) const { return wholeWarps.contains(index); }

  /// Whether the grain is there for others to be compared with: nobody asked for it,
  /// and it is not of the space.
  bool isControl(unsigned index) const { return index >= requested && grains[index].control; }

  /// Adds a grain once; gives its index.
  unsigned add(const Grain &grain);

  /// Makes a grain the first choice, and the one before it the next.
  void choose(unsigned index);

  /// Moves as many grains from `space` to `grains` as the budget lacks, where
  /// `legal` of those tried before are legal, but tries no more than
  /// 4 * budget + 16 in all. Gives how many it moved.
  unsigned tryNext(size_t legal);

  /// Keeps the original and the grains with `keep[index]`, in their order. Gives
  /// the new index of each, 0 for those that are gone.
  std::vector<unsigned> compact(const std::vector<bool> &keep);
};

struct Plan {
  std::vector<KernelPlan> kernels; ///< in the order of DeviceCode::kernels
  std::vector<RefusedGrain> refused;
  std::vector<std::string> warnings;
};

/// True where something but originals was asked for, so that import is needed.
[[nodiscard]] bool asksForAlternatives(const ImageOptions &options, const DeviceCode &code);

/// Reads the SPECs, balances totals over the dimensions that a kernel reads and
/// sets up the space of Alternatives/Space.h where --alternatives asks for it. A kernel that
/// was not raised keeps its original, and each of its grains is refused. Fails
/// on a malformed SPEC. A --coarsen that matches no kernel is a warning, except
/// in a file without kernels: flags reach every file of a Makefile. Where several --coarsen match,
/// the last one is chosen, and the others, up to the original, are the next
/// choices, the last one first. Kernels that --choose speaks of, and no --coarsen,
/// get the grains of the choices alone.
llvm::Expected<Plan> planAlternatives(const DeviceCode &code, const ImportedModule &imported,
                                      const ImageOptions &options);

} // namespace regrain
