//===- CodeOptions.cpp - How device code is generated ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Driver/CommandLineParser.h"
#include "compiler/Driver/Options.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::opt;
using namespace regrain::options;

namespace regrain {

/// Returns whether the option asks for it, or the macro that asks the headers for it.
bool CommandLineParser::isDefaultStreamPerThread() {
  bool isDefined = any_of(args.filtered(OPT_D), [](const Arg *arg) {
    return StringRef(arg->getValue()).split('=').first == "CUDA_API_PER_THREAD_DEFAULT_STREAM";
  });
  const Arg *stream = args.getLastArg(OPT_default_stream);
  if (!stream)
    return isDefined;
  StringRef kind = stream->getValue();
  if (kind != "legacy" && kind != "null" && kind != "per-thread")
    fail("option '" + stream->getAsString(args) + "': expected legacy, null or per-thread");
  return isDefined || kind == "per-thread";
}

/// Reads whether products may be fused with sums in device code: the last option decides. For
/// device code, clang's "on" is the same as its "fast", because CUDA fuses across statements.
void CommandLineParser::readProducts() {
  const Arg *last = args.getLastArg(OPT_fmad, OPT_ffp_contract_eq);
  if (!last)
    return;
  bool fuses =
      last->getOption().matches(OPT_fmad) ? isTrue(*last) : StringRef(last->getValue()) != "off";
  line.image.codegen.fuseMultiplyAdd = fuses;
  if (!fuses)
    line.frontend.deviceArgs.push_back("-ffp-contract=off");
  else if (args.hasArg(OPT_ffp_contract_eq))
    line.frontend.deviceArgs.push_back("-ffp-contract=fast");
}

void CommandLineParser::readCodegen() {
  CodegenOptions &codegen = line.image.codegen;
  codegen.optLevel = args.hasArg(OPT_G) ? 0 : 3;
  codegen.debugInfo = args.hasArg(OPT_G)          ? DebugInfo::Full
                      : args.hasArg(OPT_lineinfo) ? DebugInfo::Lines
                                                  : DebugInfo::None;
  codegen.fastMath = args.hasArg(OPT_use_fast_math);
  codegen.verbose = line.verbose;
  if (const Arg *limit = args.getLastArg(OPT_maxrregcount))
    if (StringRef(limit->getValue()).getAsInteger(10, codegen.maxRegisters))
      fail("option '" + limit->getAsString(args) + "': expected a number of registers");
  for (const Arg *arg : args.filtered(OPT_Xptxas))
    append(codegen.ptxasArgs, splitPassedOn(arg->getValue()));
  if (args.hasArg(OPT_resource_usage))
    codegen.ptxasArgs.push_back("-v");

  FrontendOptions &frontend = line.frontend;
  frontend.fastMath = codegen.fastMath;
  frontend.debug = codegen.debugInfo == DebugInfo::Full;
  if (const Arg *ftz = args.getLastArg(OPT_ftz); ftz && isTrue(*ftz))
    frontend.deviceArgs.push_back("-fgpu-flush-denormals-to-zero");
  readProducts();
  if (isDefaultStreamPerThread())
    // clang's driver passes this on only for HIP.
    append(frontend.clangArgs, {"-Xclang", "-fgpu-default-stream=per-thread"});
  if (const Arg *machine = args.getLastArg(OPT_machine))
    if (StringRef(machine->getValue()) != "64")
      fail("option '" + machine->getAsString(args) + "': only 64 bits are supported");
}

} // namespace regrain
