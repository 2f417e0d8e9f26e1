//===- Machine.h - Compiled kernels, loaded and run -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Frontend/Frontend.h"
#include "fuzz/Data.h"
#include "runtime/core/alternative.h"
#include "runtime/plugins/cpu/abi.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"

namespace regrain::fuzz {

/// The contents of a kernel's buffers after a launch.
using Contents = std::array<std::vector<uint32_t>, bufferCount>;

/// Objects of the CPU target in this process. What they call back is the CPU
/// device's own.
class Machine {
public:
  static llvm::Expected<Machine> create();

  llvm::Error add(llvm::ArrayRef<char> object);
  llvm::Expected<const RegrainCpuKernel *> find(const std::string &symbol);

private:
  explicit Machine(std::unique_ptr<llvm::orc::LLJIT> jit) : jit(std::move(jit)) {}
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

/// Whether the launch of `kernel` has what `grain` is compiled for; Misfit::None
/// where it has.
Misfit compareKnown(const Kernel &kernel, const DeviceKernel &device, const LaunchShape &program,
                    const Grain &grain);

inline bool hasBlocks(const LaunchShape &shape) {
  return shape.grid[0] != 0 && shape.grid[1] != 0 && shape.grid[2] != 0;
}

/// The launches that one of the program becomes at a grain.
struct ScaledLaunch {
  LaunchShape whole; ///< with no blocks where none is filled
  std::optional<RemainderLaunch> remainder;
  uint64_t scratchBytes = 0; ///< of all blocks of either launch, 0: the grain takes none
};

/// Runs `whole` and `rest`, the code of the remainder, where there is one, on
/// fresh buffers that lie between pages which nobody may touch. What `grain` is
/// told of the program's launch is appended to the parameters.
llvm::Expected<Contents> launch(const RegrainCpuKernel &whole, const RegrainCpuKernel *rest,
                                const Kernel &kernel, const DeviceKernel &device,
                                const ScaledLaunch &scaled, const Grain &grain);

/// The first difference, as "out[12] is 3 instead of 4"; empty where there is none.
std::string firstDifference(const Kernel &kernel, const Contents &got, const Contents &wanted);

} // namespace regrain::fuzz
