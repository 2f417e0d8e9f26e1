//===- Writer.h - Text of a program of a known form -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/cooperation/Program.h"

namespace regrain::fuzz::patterns {

/// A type of elements, and its conversions to and from `unsigned`.
struct ElementType {
  const char *name;
  unsigned bytes;
  const char *make; ///< with {0} for the operand, any number
  const char *bits; ///< with {0} for the operand
  bool isReal = false;
};

/// Returns the types that patterns use; the first is `unsigned`.
const std::vector<ElementType> &elementTypes();

class Writer {
public:
  explicit Writer(const cooperation::Plan &plan);

  cooperation::Choices &choices() { return numbers; }
  cooperation::Program take() { return std::move(program); }

  void line(const std::string &text);
  /// Marks the place at which declareFirst() inserts text.
  void beginFirst() { first = program.body.size(); }
  void declareFirst(const std::string &text);
  void function(const std::string &text) { program.functions.push_back(text); }
  void form(const std::string &text) { program.forms.insert(text); }
  /// Adds a grain that the program's form allows, or almost allows.
  void grain(const std::string &spec) { program.grains.push_back(spec); }
  std::string fresh(const std::string &stem) { return stem + std::to_string(++names); }

  void launch(std::array<uint32_t, 3> block, uint32_t blocks) { launch(block, {blocks, 1, 1}); }
  void launch(std::array<uint32_t, 3> block, std::array<uint32_t, 3> grid);
  uint32_t threads() const { return program.shape.threads(); }
  uint32_t extent(unsigned dimension) const { return program.shape.block[dimension]; }
  uint32_t blocks() const { return program.shape.blocks(); }
  /// Returns "for.block=128x1x1".
  std::string knownBlock() const;
  void sharesMemory() { program.hasShared = true; }
  void dynamicBytes(uint32_t bytes) { program.dynamicBytes = bytes; }

  /// Adds memory of so many words, and returns its number. Floating-point numbers of 32 bits are
  /// from 1 to 2 there.
  uint32_t memory(uint32_t words, bool isReal = false);
  /// Adds a parameter that points to memory, and returns its name.
  std::string pointer(const std::string &type, uint32_t memory, uint32_t offset = 0,
                      bool isRestrict = false, std::string name = "");
  /// Adds a parameter, and returns its name; `number` is that in `for.argN`.
  std::string scalar(const std::string &type, uint32_t value, std::string name = "");
  /// Adds a parameter of the program's type `Pack`, whose `values` are so many words that grow by
  /// 3, and returns its name. `qualifiers` end with a space.
  std::string pack(uint32_t words, uint32_t first, const std::string &qualifiers);
  uint32_t lastParameter() const { return uint32_t(program.parameters.size()) - 1; }

  /// Returns an expression of type `unsigned` of the given ones.
  std::string word(const std::vector<std::string> &of, unsigned depth = 2);
  std::string condition(const std::vector<std::string> &of);

private:
  cooperation::Program program;
  cooperation::Choices numbers;
  size_t first = 0;
  unsigned names = 0, indent = 1;
};

/// Replaces {0} by the operand.
std::string filled(const char *pattern, const std::string &operand);

} // namespace regrain::fuzz::patterns
