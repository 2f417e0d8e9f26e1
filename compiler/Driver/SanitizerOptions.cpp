//===- SanitizerOptions.cpp - -fsanitize for device code ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang's driver passes the options on to the host side. On the device side it drops
// them, so they are translated here to those of its front end.
//
//===----------------------------------------------------------------------===//
#include "compiler/Driver/CommandLineParser.h"
#include "compiler/Driver/Options.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace regrain::options;

namespace regrain {
namespace {

/// The checks of undefined behaviour that make sense in device code, which has no type information
/// at run time.
constexpr StringLiteral undefinedChecks[] = {"alignment",
                                             "array-bounds",
                                             "bool",
                                             "builtin",
                                             "enum",
                                             "float-cast-overflow",
                                             "integer-divide-by-zero",
                                             "nonnull-attribute",
                                             "null",
                                             "object-size",
                                             "pointer-overflow",
                                             "return",
                                             "returns-nonnull-attribute",
                                             "shift-base",
                                             "shift-exponent",
                                             "signed-integer-overflow",
                                             "unreachable",
                                             "vla-bound"};

SmallVector<StringRef> expand(StringRef kind) {
  if (kind == "undefined")
    return {std::begin(undefinedChecks), std::end(undefinedChecks)};
  if (kind == "shift")
    return {"shift-base", "shift-exponent"};
  if (kind == "bounds")
    return {"array-bounds"};
  return {kind};
}

/// After these, the program cannot continue.
bool isRecoverable(StringRef check) { return check != "unreachable" && check != "return"; }

/// The checks that the options ask for, the later ones over the earlier ones.
struct Requested {
  SmallSetVector<StringRef, 32> kinds;
  bool recovers = true;
};

Requested readRequested(const opt::ArgList &args) {
  Requested requested;
  for (const opt::Arg *arg : args.filtered(OPT_f)) {
    StringRef option = arg->getValue();
    bool adds = option.consume_front("sanitize=");
    if (option.starts_with("no-sanitize-recover"))
      requested.recovers = false;
    if (!adds && !option.consume_front("no-sanitize="))
      continue;
    SmallVector<StringRef> parts;
    option.split(parts, ',');
    for (StringRef part : parts)
      for (StringRef kind : expand(part))
        if (adds)
          requested.kinds.insert(kind);
        else
          requested.kinds.remove(kind);
  }
  return requested;
}

} // namespace

void CommandLineParser::readSanitizers() {
  auto [kinds, recovers] = readRequested(args);
  Sanitizers sanitizers;
  sanitizers.address = kinds.contains("address");
  sanitizers.thread = kinds.contains("thread");
  std::vector<std::string> checks;
  std::vector<std::string> recoverable;
  for (StringRef kind : kinds) {
    if (kind != "address" && kind != "thread" && !is_contained(undefinedChecks, kind))
      continue;
    checks.push_back(kind.str());
    sanitizers.undefined |= is_contained(undefinedChecks, kind);
    if (is_contained(undefinedChecks, kind) && isRecoverable(kind))
      recoverable.push_back(kind.str());
  }
  if (checks.empty())
    return;
  if (line.image.targets != std::vector<std::string>{"cpu"}) {
    line.warnings.push_back("-fsanitize does not apply to device code, which needs --targets=cpu");
    return;
  }
  line.image.codegen.sanitizers = sanitizers;
  // Reports name lines.
  line.image.codegen.debugInfo = std::max(line.image.codegen.debugInfo, DebugInfo::Lines);
  append(line.frontend.deviceArgs, {"-Xclang", "-fsanitize=" + join(checks, ",")});
  if (recovers && !recoverable.empty())
    append(line.frontend.deviceArgs, {"-Xclang", "-fsanitize-recover=" + join(recoverable, ",")});
}

} // namespace regrain
