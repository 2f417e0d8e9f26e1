//===- RunKernel.h - Short kernels for tests --------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "interpreter/Interpreter.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

namespace regrain {

/// A device module and the memory of its launches.
class RunKernel : public testing::Test {
protected:
  /// Adds the layout, the declarations that tests use, and `text`.
  void parse(llvm::StringRef text) {
    std::string all = R"(
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.barrier0.popc(i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare i32 @llvm.nvvm.redux.sync.add(i32, i32)
)";
    parseModule(all + text.str());
  }

  /// Parses a whole module.
  void parseModule(const std::string &text) {
    llvm::SMDiagnostic diagnostic;
    module = llvm::parseAssemblyString(text, diagnostic, context);
    ASSERT_TRUE(module) << diagnostic.getMessage().str() << " in line " << diagnostic.getLineNo();
  }

  /// Returns the kind of fault, nothing if the run succeeds; `message` has
  /// details.
  std::optional<FaultKind> run(const KernelLaunch &launch, const InterpreterOptions &options = {}) {
    std::optional<FaultKind> kind;
    message.clear();
    llvm::Error error = interpretKernel(*module, "k", launch, memory, options);
    llvm::handleAllErrors(std::move(error), [&](const Fault &fault) {
      kind = fault.kind;
      llvm::raw_string_ostream stream(message);
      fault.log(stream);
    });
    return kind;
  }

  /// Launches "k(ptr out)" on `count` zeros and returns the contents
  /// afterwards.
  std::vector<int32_t> runOn(size_t count, uint32_t grid, uint32_t block,
                             const InterpreterOptions &options = {}) {
    out = memory.copyIn(std::vector<int32_t>(count));
    KernelLaunch launch = {{grid, 1, 1}, {block, 1, 1}, 0, {}};
    EXPECT_EQ(run(launch.with(out), options), std::nullopt) << message;
    return memory.copyOut<int32_t>(out, count);
  }

  /// Launches "k(ptr out)" on one block and `count` zeros.
  std::optional<FaultKind> faultOn(size_t count, uint32_t block,
                                   const InterpreterOptions &options = {}, uint32_t grid = 1) {
    out = memory.copyIn(std::vector<int32_t>(count));
    KernelLaunch launch = {{grid, 1, 1}, {block, 1, 1}, 0, {}};
    return run(launch.with(out), options);
  }

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  DeviceMemory memory;
  uint64_t out = 0;
  std::string message;
};

} // namespace regrain
