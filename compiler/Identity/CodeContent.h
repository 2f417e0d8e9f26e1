//===- CodeContent.h - One function or variable as bytes --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What KernelHash.h hashes. An item's bytes say what it holds, and refer to other
// items by number, in the order in which it first names them: so they depend on
// nothing outside it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/ADT/PointerUnion.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Metadata.h"

namespace regrain {

/// A function, variable or alias, or a node of metadata; with it, whether the node
/// speaks of types to alias analysis.
using ContentItem =
    llvm::PointerIntPair<llvm::PointerUnion<const llvm::GlobalValue *, const llvm::MDNode *>, 1,
                         bool>;

/// What nvvm.annotations says of a function or variable: sorted "key=value".
using AnnotationTexts = llvm::DenseMap<const llvm::GlobalValue *, std::vector<std::string>>;

struct CodeContent {
  llvm::SmallVector<uint8_t, 0> bytes;
  llvm::SmallVector<ContentItem, 0> references; ///< each once, by number
};

[[nodiscard]] CodeContent contentOf(ContentItem item, const AnnotationTexts &annotations);

} // namespace regrain
