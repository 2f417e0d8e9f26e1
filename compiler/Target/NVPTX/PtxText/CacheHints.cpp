//===- CacheHints.cpp - Cache hints in PTX --------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The qualifiers, their order and what they require are those of "ld", "ld.global.nc" and "st" in
// NVIDIA's PTX ISA manual.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/PtxText/CacheHints.h"

#include "compiler/DeviceIR/Architecture.h"
#include "compiler/Target/NVPTX/PtxText/StreamMarks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace regrain::nvptx {

static constexpr StringLiteral streamingQualifier = ".cs";

/// Returns the qualifier of the first-level cache's policy; empty for other words.
static StringRef policyQualifier(const CacheHints &hints) {
  return StringSwitch<StringRef>(hints.loads)
      .Case("evict-first", ".L1::evict_first")
      .Case("no-allocate", ".L1::no_allocate")
      .Default("");
}

static std::string prefetchQualifier(const CacheHints &hints) {
  return hints.prefetch.empty() ? "" : ".L2::" + hints.prefetch + "B";
}

unsigned requiredPtxVersion(const CacheHints &hints) {
  constexpr unsigned withLevels = 74;
  return policyQualifier(hints).empty() && hints.prefetch.empty() ? 0 : withLevels;
}

std::optional<Refusal> refuseHints(const CacheHints &hints, StringRef arch) {
  std::optional<Architecture> chip = Architecture::parse(arch.drop_front(3));
  auto refuseBelow = [&](unsigned least, const Twine &piece) -> std::optional<Refusal> {
    if (chip && chip->number >= least)
      return std::nullopt;
    std::string capability = std::to_string(least / 10) + "." + std::to_string(least % 10);
    return Refusal{RefusalKind::NotOnTarget, (piece + " needs compute capability " + capability +
                                              ", and this code is for " + arch)
                                                 .str()};
  };
  if (!policyQualifier(hints).empty())
    if (auto refused = refuseBelow(70, "loads=" + hints.loads))
      return refused;
  if (!hints.prefetch.empty())
    return refuseBelow(hints.prefetch == "256" ? 80 : 75, "prefetch=" + hints.prefetch);
  return std::nullopt;
}

/// Returns whether `text` starts with a type such as ".v4.f32" or ".u8", as all accesses do in PTX
/// of LLVM that have no other qualifiers.
static bool startsWithType(StringRef text) {
  if (!text.consume_front(".v2"))
    text.consume_front(".v4");
  return text.size() > 2 && text[0] == '.' && StringRef("bfsu").contains(text[1]) &&
         isDigit(text[2]);
}

/// Returns a line of PTX with the hints of its access; nothing if it cannot have any.
static std::optional<std::string> hinted(StringRef line, StreamMark mark, const CacheHints &hints) {
  bool isLoad = line.consume_front("\tld");
  if (!isLoad && !line.consume_front("\tst"))
    return std::nullopt;
  bool isGlobal = line.consume_front(".global");
  bool isReadOnly =
      isLoad && isGlobal && (line.consume_front(".nc") || mark == StreamMark::OnlyRead);
  if (!startsWithType(line))
    return std::nullopt;
  std::string text = isLoad ? "\tld" : "\tst";
  text += isGlobal ? ".global" : "";
  StringRef policy = isLoad ? policyQualifier(hints) : "";
  bool isStream = mark != StreamMark::None;
  if (isStream && policy.empty())
    text += streamingQualifier;
  text += isReadOnly ? ".nc" : "";
  if (isStream && isGlobal)
    text += policy;
  if (isLoad && isGlobal)
    text += prefetchQualifier(hints);
  return text + line.str();
}

std::string writeHints(StringRef ptx, const CacheHints &hints) {
  std::string result;
  result.reserve(ptx.size());
  bool isAssembly = false; // of the program
  StreamMark mark = StreamMark::None;
  while (!ptx.empty()) {
    if (StreamMark next = takeStreamMark(ptx); next != StreamMark::None) {
      mark = next;
      continue;
    }
    StringRef line = ptx.take_front(std::min(ptx.find('\n'), ptx.size() - 1) + 1);
    ptx = ptx.drop_front(line.size());
    if (line.trim() == "// begin inline asm")
      isAssembly = true;
    else if (line.trim() == "// end inline asm")
      isAssembly = false;
    std::optional<std::string> access = isAssembly ? std::nullopt : hinted(line, mark, hints);
    result += access ? *access : line.str();
    if (line.starts_with("\tld.") || line.starts_with("\tst."))
      mark = StreamMark::None;
  }
  return result;
}

bool hasHints(StringRef ptx, const CacheHints &hints) {
  StringRef ofLoads = policyQualifier(hints);
  if (hints.loads == "streaming")
    ofLoads = streamingQualifier;
  return ptx.contains(ofLoads) && ptx.contains(prefetchQualifier(hints));
}

} // namespace regrain::nvptx
