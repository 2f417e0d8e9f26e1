//===- StreamStores.h - Stores past the caches ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   llvm.store %sum, %out[i]   =>   llvm.store %sum, %out[i] {nontemporal}
//
// A hint that what is stored is not read again in the launch, so that it need not
// push out of the caches what is. It changes no result: on every target a
// nontemporal store is ordered by barriers, fences and the launch's end as any other
// (Target.h), and what rests here on an assumption costs time alone.
//
// A store is marked where
// - it writes memory that a pointer parameter or a module variable denotes, known
//   to be neither volatile nor atomic, and the kernel reads nothing through that
//   parameter or variable, nor through a pointer of which it is not known where it
//   points. Different parameters are taken to point to different memory;
// - lanes side by side write different addresses;
// - each address is written once, as far as is seen: what a loop around it carries from
//   iteration to iteration is in the address, and no other store that may run with it
//   writes the same.
// Refused where no store of the kernel is marked.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "compiler/Transforms/Refusal.h"
#include "llvm/ADT/SmallVector.h"

namespace regrain {

/// The stores of `kernel` that can be marked. Where there is none, `refusal`, if given, says
/// why the first that comes near cannot.
[[nodiscard]] llvm::SmallVector<mlir::LLVM::StoreOp> findStreaming(grain::KernelOp kernel,
                                                                   Refusal *refusal = nullptr);

/// Marks them. Else, with the refusal, nothing has changed.
llvm::LogicalResult streamStores(grain::KernelOp kernel, Refusal &refusal);

} // namespace regrain
