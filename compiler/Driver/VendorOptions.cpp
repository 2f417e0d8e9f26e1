//===- VendorOptions.cpp - The command line of the vendor's compiler ------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Driver/CommandLineParser.h"
#include "compiler/Driver/Options.h"
#include "compiler/Target/CudaToolkit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace llvm::opt;
using namespace regrain::options;

namespace regrain {

/// Returns the nvcc of a toolkit that can translate device code; empty if there is none.
static std::string findNvcc(StringRef toolkitRoot) {
  for (const std::string &root : toolkitRoots(toolkitRoot)) {
    std::string nvcc = inFolder(root, "bin/nvcc");
    if (sys::fs::can_execute(nvcc) && sys::fs::can_execute(inFolder(root, "nvvm/bin/cicc")))
      return nvcc;
  }
  return {};
}

/// Returns whether a folder contains Regrain's headers, which nvcc cannot read.
static bool isOwnFolder(StringRef folder) {
  SmallString<128> real;
  if (sys::fs::real_path(folder, real))
    return false;
  for (const std::string &own : {ownToolkitFolder(), inFolder(ownRoot(), "include")}) {
    SmallString<128> realOwn;
    if (!sys::fs::real_path(own, realOwn) &&
        (real == realOwn || StringRef(real).starts_with((realOwn + "/").str())))
      return true;
  }
  return false;
}

/// Returns nvcc's name for a language standard: it has none with extensions.
static std::string standardOf(StringRef standard) {
  return standard.consume_front("gnu++") ? ("-std=c++" + standard).str()
                                         : ("-std=" + standard).str();
}

/// Returns whether an option -fNAME of clang changes neither the layout of types nor arithmetic in
/// device code. Options that are not known may.
static bool isHarmless(StringRef name) {
  name.consume_front("no-");
  constexpr StringLiteral harmless[] = {"openmp",
                                        "PIC",
                                        "pic",
                                        "PIE",
                                        "pie",
                                        "permissive",
                                        "rtti",
                                        "exceptions",
                                        "plt",
                                        "math-errno",
                                        "strict-aliasing",
                                        "lto",
                                        "common",
                                        "inline",
                                        "unroll-loops",
                                        "omit-frame-pointer",
                                        "visibility",
                                        "stack-protector",
                                        "diagnostics",
                                        "color-diagnostics",
                                        "template-depth",
                                        "constexpr",
                                        "data-sections",
                                        "function-sections",
                                        "gpu-rdc",
                                        "caret-diagnostics"};
  return any_of(harmless, [&](StringRef known) {
    return name == known || name.starts_with((known + "=").str()) ||
           name.starts_with((known + "-").str());
  });
}

/// Adds to nvcc's arguments what shapes device code, or notes why nvcc cannot be used.
void CommandLineParser::passToVendor(const Arg &arg) {
  VendorCompiler &vendor = line.image.vendor;
  switch (arg.getOption().getID()) {
  case OPT_I:
  case OPT_isystem:
    if (!isOwnFolder(arg.getValue()))
      append(vendor.arguments, rendered(arg));
    break;
  case OPT_D:
  case OPT_U:
  case OPT_include_file:
  case OPT_use_fast_math:
  case OPT_ftz:
  case OPT_extended_lambda:
  case OPT_expt_relaxed_constexpr:
  case OPT_default_stream:
  case OPT_ccbin:
  case OPT_Xcompiler:
    append(vendor.arguments, rendered(arg));
    break;
  case OPT_std:
    vendor.arguments.push_back(standardOf(arg.getValue()));
    break;
  case OPT_f:
    if (!isHarmless(arg.getValue()))
      vendor.obstacle = "nvcc has no option " + arg.getAsString(args);
    break;
  case OPT_G:
    vendor.obstacle = "-G asks for code for a debugger";
    break;
  case OPT_iquote:
  case OPT_idirafter:
  case OPT_imacros:
  case OPT_nostdinc:
  case OPT_nostdincxx:
  case OPT_Xclang:
    vendor.obstacle = "nvcc has no option " + arg.getSpelling().str();
    break;
  default:
    break;
  }
}

/// Passes on what shapes device code, as far as Regrain heeds it: divisions and roots stay precise.
/// Warnings and options of clang are left out: nvcc's code is compared with Regrain's on the
/// program's data before it is used.
void CommandLineParser::readVendor() {
  VendorCompiler &vendor = line.image.vendor;
  StringRef given = args.getLastArgValue(OPT_nvcc_eq);
  if (given == "none")
    return;
  vendor.nvcc = given.empty() ? findNvcc(args.getLastArgValue(OPT_cuda_path)) : given.str();
  if (!given.empty() && !sys::fs::can_execute(given))
    fail("option '--nvcc=" + given + "': this is no program");
  vendor.arguments = {"-w", "-allow-unsupported-compiler"};
  if (!line.image.codegen.fuseMultiplyAdd)
    vendor.arguments.push_back("-fmad=false");
  for (const Arg *arg : args)
    passToVendor(*arg);
}

} // namespace regrain
