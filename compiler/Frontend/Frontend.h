//===- Frontend.h - .cu to LLVM IR and host objects -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only part of the compiler that knows clang.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "runtime/image/grain.h"
#include <memory>
#include <string>
#include <vector>

namespace regrain {

/// Everything that clang needs to know about one source file.
struct FrontendOptions {
  std::string source;
  std::vector<std::string> clangArgs; ///< -I, -D, -std=, -O, -g, ... as given
  std::string headers;                ///< folder of our CUDA headers
  bool fastMath = false;
  bool lineInfo = false;
};

struct DeviceKernel {
  std::string symbol; ///< mangled
  std::string name;   ///< demangled
  std::string file;
  unsigned line = 0;
  struct Parameter {
    uint32_t offset, size;
  };
  std::vector<Parameter> parameters;
  unsigned maxThreads = 0; ///< __launch_bounds__, 0: none
  bool usesDynamicShared = false;
};

struct DeviceVariable {
  enum Kind { Device, Constant, Managed };
  std::string symbol;
  Kind kind = Device;
  uint64_t size = 0;
  uint32_t align = 1;
};

/// The device side of a translation unit: nvptx64 LLVM IR on which no LLVM pass
/// has run, with line tables, libdevice not linked.
struct DeviceCode {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  std::vector<DeviceKernel> kernels;
  std::vector<DeviceVariable> variables;
};

/// Compiles the device side for __CUDA_ARCH__ = arch * 10 (arch 70, 90, ...).
/// Diagnostics go to stderr as clang prints them; the error is then only
/// "compilation failed".
llvm::Expected<DeviceCode> compileDevice(const FrontendOptions &options, unsigned arch);

/// Compiles the host side to an object file with `imagePath` embedded.
/// Writes `output` and, where asked for in clangArgs, the dependency file.
llvm::Error compileHost(const FrontendOptions &options, llvm::StringRef imagePath,
                        llvm::StringRef output);

} // namespace regrain
