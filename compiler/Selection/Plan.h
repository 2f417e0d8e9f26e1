//===- Plan.h - Which grains to compile for each kernel ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Alternatives/Candidate.h"
#include "compiler/Identity/KernelFacts.h"
#include "compiler/Import/Import.h"
#include "compiler/Selection/ImageOptions.h"
#include "runtime/image/footprint.h"
#include "runtime/image/max_resident.h"
#include "llvm/ADT/DenseSet.h"

namespace regrain {

/// A grain that was considered and will not be in the image.
struct RefusedGrain {
  std::string kernel; ///< demangled
  std::string symbol; ///< mangled
  std::string id;     ///< canonical SPEC
  std::string stage;  ///< "import", "transform", "export", "limits", or a target's name
  Refusal refusal;
  bool asked = false; ///< named by --coarsen, not found by --alternatives

  friend bool operator==(const RefusedGrain &, const RefusedGrain &) = default;
};

/// Returns the refusal of a grain: at the definition of `kernel` if `refusal` has no position.
[[nodiscard]] RefusedGrain refuseGrain(const DeviceKernel &kernel, std::string id,
                                       std::string stage, Refusal refusal);

/// Returns the part of a refusal that a candidate's verdict tells.
[[nodiscard]] Objection objectionOf(const RefusedGrain &refused);

/// Returns the refusal of a kernel that was not raised.
[[nodiscard]] RefusedGrain refuseUnraised(const DeviceKernel &kernel,
                                          const ImportedModule &imported, std::string id);

/// Returns whether the vendor's compiler makes the code of the grain.
[[nodiscard]] inline bool isVendors(const Grain &grain) { return grain.words.contains("compiler"); }

/// Returns whether a grain needs nothing of the original's grain IR.
[[nodiscard]] inline bool isForeign(const Grain &grain) {
  return isVendors(grain) || !grain.variant.empty() || withAnyResidents(grain).isOriginal();
}

/// Returns the variant that a grain is one of, among those of the grain's kernel; null if the
/// source offers none of that name.
[[nodiscard]] const OfferedVariant *findVariant(llvm::ArrayRef<OfferedVariant> variants,
                                                const Grain &grain);

/// Returns what the source offers instead of a variant of another name, for a message.
[[nodiscard]] std::string describeOffer(llvm::ArrayRef<OfferedVariant> variants);

/// The grains of one kernel. Index 0 is the original; the grains that --coarsen asks for follow,
/// then the control and the grains of the space that have been tried.
struct KernelPlan {
  std::vector<Grain> grains = {Grain()};
  std::vector<OfferedVariant> variants; ///< that the source offers for the kernel
  unsigned requested = 1;   ///< the grains before this index: original, --coarsen and --choose
  std::vector<Grain> space; ///< grains that have not been tried, best first
  std::string statistics;   ///< what a thread does, for people to read; set if there is a space
  size_t budget = 0;        ///< how many legal grains of the space are wanted
  size_t reserved = 0;      ///< places of the budget for grains that are not in the space yet
  std::vector<KnownLaunch> launches;   ///< that are known (MeasuredLaunches.h)
  std::optional<Footprint> footprint;  ///< of the original, if the kernel was raised
  unsigned chosen = 0;                 ///< index of the grain that --coarsen asks for
  std::vector<unsigned> nextChoices;   ///< grains to try in order if a launch does not fit the
                                       ///< chosen one
  llvm::DenseSet<unsigned> wholeWarps; ///< grains that are legal only if warps stay whole
  llvm::DenseMap<unsigned, uint64_t> lentBytes; ///< per launched block, of grains that use any

  /// Which grain launches of a class run, by --choose; these take precedence over `chosen`.
  struct ClassChoice {
    std::string launchClass; ///< as runtime/core/launch_class.h writes it
    unsigned grain = 0;      ///< index
    MeasuredOn measuredOn;
    double originalMicroseconds = 0, chosenMicroseconds = 0; ///< time of a launch, as measured
  };
  std::vector<ClassChoice> classChoices;

  bool needsWholeWarps(unsigned index) const { return wholeWarps.contains(index); }

  /// Returns whether the grain exists only for comparison: nobody asked for it, and it is not part
  /// of the space.
  bool isControl(unsigned index) const { return index >= requested && grains[index].control; }

  /// Returns whether the grain is neither asked for nor part of the space: the control, the code of
  /// the vendor's compiler, and variants as the source has them.
  bool isBesideSpace(unsigned index) const {
    return isControl(index) ||
           (index >= requested && (isVendors(grains[index]) || grains[index].isPlainVariant()));
  }

  /// Adds a grain unless it exists already, and before it the grain whose code it runs; returns its
  /// index.
  unsigned add(const Grain &grain);

  /// Makes a grain the first choice, and the previous first choice the next one.
  void choose(unsigned index);

  /// Moves as many grains from `space` to `grains` as the budget lacks, given that `legal` of those
  /// tried before are legal, and without the places that are reserved; tries at most
  /// 4 * budget + 16 in total. Returns how many it moved.
  unsigned tryNext(size_t legal);

  /// Keeps the original and the grains with `keep[index]`, in their order. Returns the new index of
  /// each, 0 for those that are removed.
  std::vector<unsigned> compact(const std::vector<bool> &keep);
};

struct Plan {
  std::vector<KernelPlan> kernels; ///< in the order of DeviceCode::kernels
  std::vector<RefusedGrain> refused;
  std::vector<std::string> warnings;
};

/// Returns true if anything but originals was asked for, so that import is needed.
[[nodiscard]] bool asksForAlternatives(const ImageOptions &options, const DeviceCode &code);

/// Parses the SPECs, balances totals over the dimensions that a kernel reads, and sets up the space
/// of Alternatives/Space.h if --alternatives asks for it. A kernel that was not raised keeps its
/// original, and each of its grains is refused. Fails on a malformed SPEC, and on a variant that
/// the source offers for none of the kernels that match. A --coarsen that matches no kernel is a
/// warning, except in a file without kernels, because flags reach every file of a Makefile. If
/// several --coarsen match, the last one is chosen; the others, up to the original, are the next
/// choices, the last one first. Kernels that --choose names, and no --coarsen, get only the grains
/// of the choices. `facts` are of `code.kernels`, in their order.
llvm::Expected<Plan> planAlternatives(const DeviceCode &code, llvm::ArrayRef<KernelFacts> facts,
                                      const ImportedModule &imported, const ImageOptions &options);

} // namespace regrain
