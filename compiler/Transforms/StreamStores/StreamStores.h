//===- StreamStores.h - Stores past the caches ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   llvm.store %sum, %out[i]   =>   llvm.store %sum, %out[i] {nontemporal}
//
// The attribute is a hint that the launch does not read again what is stored, so that it need not
// displace other data in the caches. It changes no result: on every target, barriers, fences and
// the end of the launch order a nontemporal store like any other (Target.h). So a wrong assumption
// below costs only time.
//
// A store is marked if
// - it writes memory of a pointer parameter or a module variable, is neither volatile nor atomic,
//   and the kernel reads nothing through that parameter or variable, nor through a pointer of
//   unknown origin. Different parameters are assumed to point to different memory;
// - neighbouring lanes write different addresses;
// - each address is written once, as far as the analysis sees: the address depends on what each
//   loop around the store carries from iteration to iteration, and no other store that may also run
//   writes the same address.
//
// The transform is refused if no store of the kernel is marked.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "compiler/Refusal/Refuse.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace regrain {

/// Returns the stores of `kernel` that can be marked.
[[nodiscard]] llvm::SmallVector<mlir::LLVM::StoreOp> findStreaming(grain::KernelOp kernel);

/// Marks these stores. If it is refused, nothing has changed.
[[nodiscard]] std::optional<Refusal> streamStores(grain::KernelOp kernel);

} // namespace regrain
