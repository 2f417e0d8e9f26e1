//===- Originals.h - The kernels of a batch as they are ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One file with all kernels, compiled for the CPU at -O0, again at -O3 where some
// are to be optimised, and for each AMD GPU; and the grain IR that grains start from.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Pipelines/Prepare.h"
#include "fuzz/Amdgpu.h"
#include "fuzz/Batch.h"
#include <map>

namespace regrain::fuzz {

/// That of the compiler's users, which vectorises loops.
inline constexpr unsigned highestLevel = 3;

/// Whether the code of a seed's kernel, its original's too, is optimised as a user's is.
bool isOptimised(uint64_t seed, const BatchOptions &options);

/// The name of a batch's kernel in the file.
std::string symbolOf(size_t kernel);

class Originals {
public:
  /// Both outlive this.
  Originals(const std::vector<Subject> &subjects, const BatchOptions &options)
      : subjects(subjects), options(options) {}

  /// Comes before all else.
  llvm::Error compile();

  const DeviceWork &work() const { return prepared.works.front(); }
  const ImportedModule &imported() const { return *work().imported; }
  const DeviceKernel &deviceKernel(uint32_t index) const;
  /// The CPU, then the AMD GPUs as LLVM IR.
  llvm::ArrayRef<SelectedTarget> targets() const { return selected; }
  /// In the order of the targets behind the first.
  llvm::ArrayRef<AmdgpuOriginals> amdgpu() const { return lowered; }
  /// What every target gets.
  const llvm::Module &module() const { return *device; }
  /// That of module().
  llvm::LLVMContext &context() { return deviceContext; }

  /// Why the CPU has no code for a kernel that other targets may have code for; empty where it
  /// has some.
  std::string missing(uint32_t index) const;
  /// With all other kernels; grains may be added.
  Machine &machine() { return *plain; }
  /// With those kernels that are optimised.
  Machine &optimisedMachine() { return *optimised; }

private:
  bool mayBeMissing(const std::string &symbol) const;
  llvm::Error compileDeviceSide();
  llvm::Error prepare();
  llvm::Error select();
  llvm::Error compileOptimised();
  llvm::Error compileForAmdgpu();
  llvm::Expected<Machine> load(llvm::ArrayRef<std::string> symbols, unsigned optLevel);

  const std::vector<Subject> &subjects;
  const BatchOptions &options;
  ImageOptions imageOptions;
  DeviceCode code;
  PreparedDevices prepared;
  std::vector<SelectedTarget> selected;
  llvm::LLVMContext deviceContext;
  std::unique_ptr<llvm::Module> device;
  std::optional<Machine> plain, optimised;
  std::map<std::string, std::string> missingReasons; ///< by symbol
  std::vector<AmdgpuOriginals> lowered;
};

} // namespace regrain::fuzz
