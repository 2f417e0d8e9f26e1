//===- CodeContent.h - One function or variable as bytes --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These are the bytes that KernelHash.h hashes. An item's bytes describe its contents and refer to
// other items by numbers, in the order in which it first names them. So they depend on nothing
// outside the item.
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

/// A function, variable or alias, or a node of metadata. The flag says whether the node describes
/// types for alias analysis.
using ContentItem =
    llvm::PointerIntPair<llvm::PointerUnion<const llvm::GlobalValue *, const llvm::MDNode *>, 1,
                         bool>;

/// What nvvm.annotations says of a function or variable, as sorted "key=value" texts.
using AnnotationTexts = llvm::DenseMap<const llvm::GlobalValue *, std::vector<std::string>>;

struct CodeContent {
  llvm::SmallVector<uint8_t, 0> bytes;
  llvm::SmallVector<ContentItem, 0> references; ///< each once, in the order of their numbers
};

[[nodiscard]] CodeContent contentOf(ContentItem item, const AnnotationTexts &annotations);

} // namespace regrain
