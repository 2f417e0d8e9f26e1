//===- ExpressionPrinter.h - Values as CUDA source --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Ast.h"

namespace regrain::fuzz {

/// Returns "float" or "unsigned".
std::string nameOf(Type type);

/// Returns the name of a scalar argument, or of a parameter of a device
/// function.
std::string argumentName(uint32_t id);

/// Prints the expressions of one kernel, and the memory that statements write.
class ExpressionPrinter {
public:
  /// Both must outlive this object; `name` is the kernel's.
  ExpressionPrinter(const Kernel &kernel, const std::string &name) : kernel(kernel), name(name) {}

  std::string print(const Expr &e) const;

  /// Returns the thread's result slot at `exprs[at]`, if there is one, otherwise
  /// number `id`.
  std::string ownSlot(uint32_t id, const std::vector<Expr> &exprs, size_t at) const;
  /// Does the same for the thread's elements of shared array `id`.
  std::string ownShared(uint32_t id, const std::vector<Expr> &exprs, size_t at) const;
  /// Returns the element of shared array `id` at `index`, which may have any
  /// value.
  std::string sharedElement(uint32_t id, const Expr &index) const;
  std::string localElement(uint32_t id, const Expr &index) const;
  /// Returns the current element of the innermost grid-stride loop.
  std::string element() const;

  /// Returns the usable number of elements of a shared array.
  std::string elementCount(uint32_t array) const;
  std::string functionName(size_t id) const { return name + "_f" + std::to_string(id); }

  /// These enclose the body of a grid-stride loop.
  void enterGridStride(uint32_t variable) { elements.push_back(variable); }
  void leaveGridStride() { elements.pop_back(); }

private:
  std::string literal(const Expr &e) const;
  std::string memory(const Expr &e) const;
  std::string operation(const Expr &e) const;
  std::string converted(const Expr &e) const;
  std::string called(const Expr &e) const;
  std::string below(const Expr &e, const std::string &count) const;

  const Kernel &kernel;
  const std::string &name;
  std::vector<uint32_t> elements; ///< variables of the enclosing grid-stride loops
};

} // namespace regrain::fuzz
