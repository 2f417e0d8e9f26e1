//===- CompanionText.cpp - Two compilers' PTX in one module ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/PtxText/CompanionText.h"

#include "compiler/DeviceIR/PtxModule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace llvm;

namespace regrain::nvptx {

/// Returns whether a function of this name is declared or defined.
static bool hasFunction(StringRef ptx, StringRef name) {
  for (size_t at = ptx.find(name); at != StringRef::npos; at = ptx.find(name, at + 1)) {
    StringRef before = ptx.take_front(at).rtrim(), after = ptx.drop_front(at + name.size()).ltrim();
    StringRef line = before.substr(before.rfind('\n') + 1);
    if (line.contains(".func") && after.starts_with("("))
      return true;
  }
  return false;
}

static std::string withVersion(StringRef ptx, unsigned least) {
  constexpr StringLiteral directive = ".version ";
  size_t begin = ptx.find(directive) + directive.size();
  size_t end = ptx.find_if_not([](char c) { return isDigit(c) || c == '.'; }, begin);
  unsigned major = 0, minor = 0;
  auto [before, after] = ptx.slice(begin, end).split('.');
  if (before.getAsInteger(10, major) || after.getAsInteger(10, minor) ||
      major * 10 + minor >= least)
    return ptx.str();
  return (ptx.take_front(begin) + Twine(least / 10) + "." + Twine(least % 10) + ptx.drop_front(end))
      .str();
}

std::vector<char> joinWith(ArrayRef<char> ptx, const CompanionCode &companion) {
  StringRef base = StringRef(ptx.data(), ptx.size()).rtrim('\0');
  std::string all = withVersion(base, companion.version) + "\n";
  for (const CompanionCode::External &external : companion.externals)
    if (!hasFunction(base, external.name))
      all += external.text + "\n";
  all += companion.text;
  return std::vector<char>(all.c_str(), all.c_str() + all.size() + 1);
}

/// Adds to `reached` the names that items reach from `name`.
static void reach(const PtxModule &module, StringRef name, StringSet<> &reached) {
  if (!reached.insert(name).second)
    return;
  for (const PtxItem &item : module.items)
    if (item.name == name)
      forEachName(item, [&](StringRef used) { reach(module, used, reached); });
}

std::optional<CompanionCode> onlyKernels(const CompanionCode &companion,
                                         const StringSet<> &symbols) {
  // The companion's text is part of a module, and has no version of its own.
  std::string text = ".version 9.0\n" + companion.text;
  Expected<PtxModule> module = parsePtxModule(text);
  if (!module) {
    consumeError(module.takeError());
    return std::nullopt;
  }
  CompanionCode some = companion;
  erase_if(some.kernels, [&](const auto &kernel) { return !symbols.contains(kernel.symbol); });
  StringSet<> reached;
  for (const CompanionKernel &kernel : some.kernels)
    reach(*module, kernel.symbol, reached);
  some.text.clear();
  for (const PtxItem &item : module->items)
    if (reached.contains(item.name))
      some.text += item.text.str() + "\n";
  return some;
}

} // namespace regrain::nvptx
