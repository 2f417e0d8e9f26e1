//===- Writer.cpp - Text of a program of a known form ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/patterns/Writer.h"

#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace regrain::fuzz::patterns {

const std::vector<ElementType> &elementTypes() {
  static const std::vector<ElementType> types = {
      {"unsigned", 4, "({0})", "({0})"},
      {"float", 4, "(float(({0}) >> 9) * 0.0009f)", "__float_as_uint({0})", true},
      {"int", 4, "int({0})", "unsigned({0})"},
      {"unsigned long long", 8, "(({0}) * 0x100000003ull)",
       "(unsigned({0}) ^ unsigned(({0}) >> 32))"},
      {"double", 8, "(double({0}) * 0.01)",
       "(unsigned(__double2loint({0})) ^ unsigned(__double2hiint({0})))", true},
      {"unsigned short", 2, "(unsigned short)({0})", "unsigned({0})"},
      {"signed char", 1, "(signed char)({0})", "unsigned(int({0}))"}};
  return types;
}

std::string filled(const char *pattern, const std::string &operand) {
  return formatv(pattern, operand).str();
}

Writer::Writer(const cooperation::Plan &plan) : numbers(plan.acts.front().tape) {
  program.plan = plan;
  program.waits = false;
}

void Writer::line(const std::string &text) {
  if (text[0] == '}')
    --indent;
  program.body.append(2 * indent, ' ').append(text).append("\n");
  if (text.back() == '{')
    ++indent;
}

void Writer::declareFirst(const std::string &text) {
  program.body.insert(first, text);
  first += text.size();
}

void Writer::launch(std::array<uint32_t, 3> block, std::array<uint32_t, 3> grid) {
  program.shape = {grid, block};
  auto isUsed = [&](unsigned d) { return block[d] > 1 || grid[d] > 1; };
  program.dimensions = isUsed(2) ? 3 : isUsed(1) ? 2 : 1;
}

std::string Writer::knownBlock() const {
  auto [x, y, z] = program.shape.block;
  return formatv("for.block={0}x{1}x{2}", x, y, z);
}

uint32_t Writer::memory(uint32_t words, bool isReal) {
  uint32_t count = uint32_t(program.memory.size());
  program.memory.push_back({.words = words,
                            .base = isReal ? 0x3f800000 + count * 77 : 0x9e3779b9 * (count + 1),
                            .step = isReal ? 0x1357 : 0x85ebca6b});
  return count;
}

std::string Writer::pointer(const std::string &type, uint32_t memory, uint32_t offset,
                            bool isRestrict, std::string name) {
  if (name.empty())
    name = fresh("p");
  program.parameters.push_back(
      {.declaration = type + " *" + (isRestrict ? "__restrict__ " : "") + name,
       .memory = memory,
       .offset = offset});
  return name;
}

std::string Writer::scalar(const std::string &type, uint32_t value, std::string name) {
  if (name.empty())
    name = fresh("n");
  program.parameters.push_back({.declaration = type + " " + name, .words = {value}});
  return name;
}

std::string Writer::pack(uint32_t words, uint32_t first, const std::string &qualifiers) {
  std::string name = fresh("pack");
  function(formatv("struct Pack {{\n  unsigned values[{0}];\n};\n", words));
  program.parameters.push_back({.declaration = qualifiers + "Pack " + name, .isStruct = true});
  for (uint32_t i = 0; i < words; ++i)
    program.parameters.back().words.push_back(first + 3 * i);
  return name;
}

std::string Writer::word(const std::vector<std::string> &of, unsigned depth) {
  if (depth == 0 || numbers.percent(20)) {
    if (of.empty() || numbers.percent(15))
      return std::to_string(numbers.below(100)) + "u";
    return numbers.of(of);
  }
  static const std::vector<const char *> forms = {"({0} + {1})",
                                                  "({0} ^ {1})",
                                                  "({0} * {1})",
                                                  "({0} - {1})",
                                                  "({0} & {1})",
                                                  "({0} | {1})",
                                                  "({0} << ({1} & 7))",
                                                  "({0} >> ({1} & 7))",
                                                  "min({0}, {1})",
                                                  "max({0}, {1})",
                                                  "(__popc({0}) + {1})",
                                                  "({0} % ({1} | 1))",
                                                  "({0} > {1} ? {1} : ~{0})"};
  return formatv(numbers.of(forms), word(of, depth - 1), word(of, depth - 1));
}

std::string Writer::condition(const std::vector<std::string> &of) {
  static const std::vector<const char *> forms = {"({0} & 1)", "({0} % 3) == 1", "{0} > {1}",
                                                  "int({0}) < int({1})"};
  return formatv(numbers.of(forms), word(of, 1), word(of, 1));
}

} // namespace regrain::fuzz::patterns
