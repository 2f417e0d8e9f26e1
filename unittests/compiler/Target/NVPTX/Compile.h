//===- Compile.h - Compilation of device IR to PTX for tests ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/DeviceIR/Annotations.h"
#include "compiler/Target/NVPTX/NVPTX.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

#include <string>

namespace regrain::test {

/// There is no toolkit, and no free math library either.
inline NVPTXOptions nothingInstalled() {
  NVPTXOptions options;
  options.useToolkit = false;
  options.libclc = "/nonexistent";
  return options;
}

struct Result {
  CompiledModule module;
  std::string error; ///< empty on success

  std::string text() const { return std::string(module.code.begin(), module.code.end()); }
  bool has(const char *piece) const { return text().find(piece) != std::string::npos; }
};

struct Request {
  std::string target = "ptx";
  NVPTXOptions toolkit = nothingInstalled();
  CodegenOptions codegen;
  bool alternative = false;
};

inline std::vector<std::string> kernelsOf(const llvm::Module &module) {
  std::vector<std::string> kernels;
  for (const llvm::GlobalValue *kernel : annotatedWith(module, "kernel"))
    kernels.push_back(kernel->getName().str());
  return kernels;
}

inline Result compileKernels(const std::string &ir, std::vector<std::string> kernels,
                             const Request &request = {}) {
  Result result;
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(ir, diagnostic, context);
  if (!module) {
    ADD_FAILURE() << diagnostic.getMessage().str() << " in line " << diagnostic.getLineNo();
    return result;
  }
  if (kernels.empty())
    kernels = kernelsOf(*module);
  auto target = createNVPTXTarget(request.target, request.toolkit);
  if (!target) {
    result.error = llvm::toString(target.takeError());
    return result;
  }
  auto compiled =
      request.alternative
          ? (*target)->compileAlternative(std::move(module), kernels, request.codegen, {})
          : (*target)->compileBase(std::move(module), kernels, request.codegen);
  if (!compiled)
    result.error = llvm::toString(compiled.takeError());
  else
    result.module = std::move(*compiled);
  return result;
}

inline Result compile(const std::string &ir, const Request &request = {}) {
  return compileKernels(ir, {}, request);
}

} // namespace regrain::test
