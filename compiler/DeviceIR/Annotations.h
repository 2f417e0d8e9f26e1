//===- Annotations.h - nvvm.annotations of a module -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This metadata of a device module says which functions are kernels, what their launch bounds are,
// and which variables are managed. All of the compiler reads and writes it here.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Module.h"
#include <array>
#include <optional>

namespace regrain {

/// What one node says of a function or variable. The same function may have several.
struct Annotation {
  struct Property {
    llvm::StringRef key;
    llvm::Metadata *value;

    /// Returns the value if it is a number.
    [[nodiscard]] std::optional<uint64_t> number() const;
  };
  llvm::GlobalValue *subject = nullptr;
  llvm::SmallVector<Property, 3> properties;

  [[nodiscard]] bool has(llvm::StringRef key) const;
};

/// A key with its number, as in {"maxntidx", 256}. The key must outlive the annotation.
using NumberedKey = std::pair<llvm::StringRef, uint32_t>;

/// Returns the annotations of what is defined or declared, in the order of the module. They are
/// valid as long as the module's context.
[[nodiscard]] llvm::SmallVector<Annotation> readAnnotations(const llvm::Module &module);

/// Replaces all annotations of the module.
void writeAnnotations(llvm::Module &module, llvm::ArrayRef<Annotation> annotations);

/// Returns an annotation of `subject` that is not yet in its module.
[[nodiscard]] Annotation makeAnnotation(llvm::GlobalValue &subject,
                                        llvm::ArrayRef<NumberedKey> properties);

/// Returns the number under `key` ("maxntidx"); 0 if there is none.
[[nodiscard]] unsigned annotation(const llvm::GlobalValue &subject, llvm::StringRef key);

void annotate(llvm::GlobalValue &subject, llvm::StringRef key, unsigned value);

/// Annotates `subject` in place of what is under `key`.
void setAnnotation(llvm::GlobalValue &subject, llvm::StringRef key, unsigned value);

/// Removes all annotations of `kernel`, including the one that makes it a kernel.
void dropAnnotations(llvm::Function &kernel);

/// Removes a kernel that nothing names, with its annotations, from its module.
void removeKernel(llvm::Function &kernel);

/// Removes the metadata from the module.
void dropAnnotations(llvm::Module &module);

/// Returns the functions and variables that are annotated with `key` ("kernel", "managed"), in the
/// order of the annotations.
[[nodiscard]] llvm::SmallSetVector<const llvm::GlobalValue *, 8>
annotatedWith(const llvm::Module &module, llvm::StringRef key);

/// Returns the threads per block that the launch bounds allow; 0 without bounds.
[[nodiscard]] unsigned boundThreads(const llvm::Function &kernel);

/// Blocks of a cluster per dimension.
using ClusterExtent = std::array<uint32_t, 3>;

/// Returns the clusters that the kernel's blocks form; nothing if the launch decides.
[[nodiscard]] std::optional<ClusterExtent> clusterExtent(const llvm::Function &kernel);

void annotateClusters(llvm::Function &kernel, const ClusterExtent &extent);

/// Returns the threads per block for which figures are computed: the same, but 256 without bounds.
[[nodiscard]] unsigned blockThreads(const llvm::Function &kernel);

} // namespace regrain
