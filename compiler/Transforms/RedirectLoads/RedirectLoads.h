//===- RedirectLoads.h - What excluded neighbours load ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joined guards (UnrollAndInterleave.h) leave loads of copies that may not run. They load what a
// copy loads that does run, or at least with one known addition:
//
//   a = load (runs ? p : q); x = runs ? a : poison; y = load r      (r is p if runs)
//     =>  x = load r; y = load r
//   a = load (runs ? q + 4 : q); x = runs ? a : poison
//     =>  x = load (q + (runs ? 4 : 0))
//
// The second form is that of an address, so that loops over steps see what they read again
// (KeepWindows.h). Loops of known length that hold such loads are unrolled before.
//
// Legality. A load that runs in the same block has an address that may be read there whether the
// copy runs or not. Whoever uses the value of a copy that does not run would use poison.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "compiler/Refusal/Refusal.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include <optional>

namespace regrain {

/// Simplifies the loads of joined guards in `kernel`. If none has the address of another load, this
/// is refused, because nothing is read once in place of twice, and nothing has changed. `patterns`
/// are those of the clean-up.
[[nodiscard]] std::optional<Refusal> redirectLoads(grain::KernelOp kernel,
                                                   const mlir::FrozenRewritePatternSet &patterns);

} // namespace regrain
