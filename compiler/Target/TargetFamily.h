//===- TargetFamily.h - What is known of targets by their names -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A family describes the targets of one folder of compiler/Target: which names they have, what
// they can show, and how a back end is created. compiler/Target/Registry lists the families;
// nothing else asks which family a target belongs to.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/DeviceIR/Architecture.h"
#include "compiler/Target/CodeStage.h"
#include "compiler/Target/Multiprocessor.h"
#include "compiler/Target/Target.h"
#include "image_generated.h"
#include "runtime/image/grain_keys.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace regrain {

/// The architecture of the device compile from which targets are lowered that have none of their
/// own. It is so old that sources do not use inline assembly for newer NVIDIA hardware.
inline constexpr unsigned portableArch = 70;

/// A back end, and how its code is stored in the image.
struct SelectedTarget {
  std::unique_ptr<Target> target;
  image::CodeKind kind = image::CodeKind::CpuSharedObject;
  std::string arch;                        ///< as Module.arch in the image
  Architecture deviceArch = portableArch;  ///< the device compile from which it is lowered
  KeyTargets keyTargets = KeyTargets::Cpu; ///< which keys of a grain its code generator heeds
  /// The modules of an image become one by linkShared (CPU.h).
  bool linksObjects = false;
  /// Modules reach the variables of the base module through slots (slotNameFor in Target.h).
  bool reachesBySlots = true;
};

/// What a grain can change on a target, as far as it decides which grains are worth trying.
struct TargetFeatures {
  /// The compiler can be told how loops form addresses (docs/decisions/0024).
  bool choosesAddresses = false;
  /// The registers of a thread depend on the block's bound. On NVIDIA a thread may have 255
  /// registers even without bounds.
  bool boundGivesRegisters = false;
  /// Nontemporal stores pass the caches, or are streaming ones.
  bool streamsStores = false;
  /// Nontemporal loads are streaming ones, of which it is worth trying what they gain.
  bool streamsLoads = false;
  /// Loads can say how much is fetched into the second-level cache.
  bool prefetches = false;
  /// An access must be aligned to its size, so that wide ones need aligned pointers.
  bool alignsAccesses = false;
  /// The compiler can be told how loops are unrolled and which branches are selections instead
  /// (docs/decisions/0078).
  bool choosesControlFlow = false;
  /// Instructions convert two 8-bit floating-point numbers (docs/decisions/0087).
  bool packsArithmetic = false;
  /// If the block is known to be one warp at most, its threads wait for each other by a barrier
  /// that costs less (docs/decisions/0136).
  bool hasWarpBarriers = false;
  /// One instruction copies a row into shared memory (docs/decisions/0183).
  bool copiesRows = false;
  /// The lanes of a warp access memory together: fast if global addresses are neighbours, and if
  /// addresses in shared memory are in different banks.
  bool accessesInWarps = false;
};

class TargetFamily {
public:
  virtual ~TargetFamily() = default;

  /// Returns how messages name the targets: "cpu" or "ptx, compute_NN, sm_NN".
  virtual std::string names() const = 0;

  /// Returns whether `name` has the form of a target of this family, known or not.
  virtual bool claims(llvm::StringRef name) const = 0;

  /// Fails if `name`, which the family claims, is no target; the message lists those that are.
  virtual llvm::Error check(llvm::StringRef name) const = 0;

  virtual bool isGPU() const { return true; }

  /// Returns the architecture of the device compile from which target `name` is lowered.
  virtual Architecture deviceArch(llvm::StringRef) const { return portableArch; }

  /// Returns what --emit can show of some target of the family.
  virtual llvm::ArrayRef<CodeStage> stages() const = 0;

  /// Returns whether target `name` has one of these stages.
  virtual bool hasStage(llvm::StringRef, const CodeStage &) const { return true; }

  /// Returns the features of target `name`.
  virtual TargetFeatures features(llvm::StringRef) const { return {}; }

  /// Returns the multiprocessor of target `name`, if it is a known GPU.
  virtual std::optional<Multiprocessor> multiprocessor(llvm::StringRef) const {
    return std::nullopt;
  }

  /// Creates target `name`. A form that the family does not write becomes CodeForm::Image. Appends
  /// one sentence to `warnings` if another target serves the name.
  virtual llvm::Expected<SelectedTarget> create(llvm::StringRef name, CodeForm form,
                                                std::vector<std::string> &warnings) const = 0;
};

} // namespace regrain
