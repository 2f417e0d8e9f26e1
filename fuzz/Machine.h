//===- Machine.h - Loading and running compiled kernels ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Frontend/Frontend.h"
#include "fuzz/Task.h"
#include "runtime/core/alternative.h"
#include "runtime/plugins/cpu/abi.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"

namespace regrain::fuzz {

/// Loads objects of the CPU target into this process. The functions that they
/// call are the CPU device's own.
class Machine {
public:
  static llvm::Expected<Machine> create();

  llvm::Error add(llvm::ArrayRef<char> object);
  llvm::Expected<const RegrainCpuKernel *> find(const std::string &symbol);

private:
  explicit Machine(std::unique_ptr<llvm::orc::LLJIT> jit) : jit(std::move(jit)) {}
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

/// The error of a launch that has not ended after `seconds` of processor time.
class WaitsForEver : public llvm::ErrorInfo<WaitsForEver> {
public:
  static char ID;
  explicit WaitsForEver(unsigned seconds) : seconds(seconds) {}
  void log(llvm::raw_ostream &out) const override {
    out << "waits for ever: no end after " << seconds << " s";
  }
  std::error_code convertToErrorCode() const override {
    return std::make_error_code(std::errc::timed_out);
  }

private:
  unsigned seconds;
};

/// Compares the launch of a task with the values for which `grain` is compiled;
/// returns Misfit::None if all agree.
Misfit compareKnown(const Task &task, const DeviceKernel &device, const LaunchShape &program,
                    const Grain &grain);

inline bool hasBlocks(const LaunchShape &shape) {
  return shape.grid[0] != 0 && shape.grid[1] != 0 && shape.grid[2] != 0;
}

/// The launches that one launch of the program becomes at a grain.
struct ScaledLaunch {
  LaunchShape whole; ///< no blocks if none is filled
  std::optional<RemainderLaunch> remainder;
  uint64_t lentBytes = 0; ///< for all blocks of either launch, 0: the grain needs none
};

/// Runs `whole`, and `rest`, the code of the remainder, if there is one, on fresh
/// buffers between pages that fault on access. The parameters that `grain` appends
/// are passed. A task that may wait runs in a process of its own, which is killed
/// if it takes too long.
llvm::Expected<Contents> launch(const RegrainCpuKernel &whole, const RegrainCpuKernel *rest,
                                const Task &task, const DeviceKernel &device,
                                const ScaledLaunch &scaled, const Grain &grain);

/// Returns the first difference, such as "out[12] is 3 instead of 4"; empty if
/// there is none.
std::string firstDifference(const Task &task, const Contents &got, const Contents &wanted);

} // namespace regrain::fuzz
