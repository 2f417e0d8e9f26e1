//===- interpreted_code.h - Modules whose launches interpret ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is what the libraries have in common that stand in for a driver and interpret LLVM IR, which
// --image-form=ir puts in the place of a GPU's code. The CPU device implements memory and streams.
// A fault of a kernel ends the process with a line that describes it.
//
// HIP_INTERPRETER_SEED or CUDA_INTERPRETER_SEED determines the order of threads, and with
// ..._INTERPRETER_RACES=1 unsynchronised accesses of threads of one block are faults.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "interpreter/Interpreter.h"
#include "runtime/core/device.h"
#include "llvm/IR/LLVMContext.h"
#include <deque>

namespace regrain {

/// "HIP" or "CUDA", which the library defines.
extern const char *const interpreterName;

/// Returns the setting NAME_INTERPRETER_`what` of the environment.
std::string interpreterSetting(llvm::StringRef what, const char *otherwise);

struct InterpretedModule;

struct InterpretedKernel {
  InterpretedModule &module;
  const llvm::Function &function;

  int staticShared() const;
  int mostThreads() const;
};

/// The memory that the CPU device has allocated, for kernels as well as for the program.
class CpuMemory final : public ForeignMemory {
public:
  uint64_t allocate(const llvm::GlobalVariable &variable, uint64_t size) override;
  uint64_t allocateFromHeap(uint64_t size) override;
  bool freeOnHeap(uint64_t address) override;
  bool contains(uint64_t address) override;
};

struct InterpretedModule {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> ir;
  CpuMemory cpuMemory;
  DeviceMemory memory{&cpuMemory};
  std::deque<InterpretedKernel> kernels;

  /// Reads a module; null if the text is no LLVM IR.
  static std::unique_ptr<InterpretedModule> load(llvm::StringRef text);

  /// Returns null if there is no such kernel. The result lives as long as the module.
  InterpretedKernel *kernel(llvm::StringRef name);
  /// Returns whether there is such a variable that the program may name.
  bool variable(llvm::StringRef name, uint64_t &address, size_t &bytes) const;
};

/// Interprets a kernel in the order of the stream. `launch.stream` and the array of `launch.values`
/// are as in the driver's call. All blocks of a cooperative launch are resident.
cudaError_t launchInterpreted(InterpretedKernel &kernel, const Launch &launch);

} // namespace regrain
