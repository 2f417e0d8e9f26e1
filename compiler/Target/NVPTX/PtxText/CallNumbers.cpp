//===- CallNumbers.cpp - Numbers of calls in PTX --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/PtxText/CallNumbers.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>

using namespace llvm;

static constexpr StringLiteral callMark = "// callseq ", prototypeMark = "prototype_";

static bool isInName(char c) { return isAlnum(c) || c == '_' || c == '$'; }

/// Replaces each number that follows `mark`, where both together are a word, by what `renumber`
/// returns for it and the text behind it. If that is nothing, the number stays.
static std::string
replaceNumbers(StringRef text, StringRef mark,
               function_ref<std::optional<uint64_t>(uint64_t number, StringRef behind)> renumber) {
  std::string result;
  result.reserve(text.size());
  for (size_t at; (at = text.find(mark)) != StringRef::npos;) {
    bool startsWord = at == 0 || !isInName(text[at - 1]);
    result += text.take_front(at + mark.size());
    text = text.drop_front(at + mark.size());
    StringRef digits = text.take_while(isDigit), behind = text.drop_front(digits.size());
    uint64_t number = 0;
    if (!startsWord || digits.getAsInteger(10, number) ||
        (!behind.empty() && isInName(behind.front())))
      continue;
    if (std::optional<uint64_t> other = renumber(number, behind)) {
      result += utostr(*other);
      text = behind;
    }
  }
  return result += text;
}

std::string regrain::nvptx::renumberCalls(StringRef ptx) {
  DenseMap<uint64_t, uint64_t> numbers;
  std::string text = replaceNumbers(ptx, callMark, [&](uint64_t number, StringRef) {
    return std::optional(numbers.try_emplace(number, numbers.size()).first->second);
  });
  // A function of the program may be called prototype_7 as well: only names that are declared as
  // prototypes are changed.
  DenseSet<uint64_t> prototypes;
  return replaceNumbers(text, prototypeMark, [&](uint64_t number, StringRef behind) {
    if (behind.starts_with(" : .callprototype"))
      prototypes.insert(number);
    return prototypes.contains(number) ? std::optional(numbers.lookup(number)) : std::nullopt;
  });
}
