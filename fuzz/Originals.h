//===- Originals.h - The original kernels of a batch ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One file with all kernels is compiled for the CPU at -O0, again at -O3 if some are
// to be optimised, and for each AMD GPU. It also gives the grain IR from which grains
// start.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Pipelines/Prepare.h"
#include "fuzz/Amdgpu.h"
#include "fuzz/Batch.h"

namespace regrain::fuzz {

/// The level of the compiler's users, which vectorises loops.
inline constexpr unsigned highestLevel = 3;

/// Returns whether the code of a seed's kernel, including its original, is optimised as
/// a user's is.
bool isOptimised(uint64_t seed, const BatchOptions &options);

/// Returns the name of a batch's kernel in the file.
std::string symbolOf(size_t kernel);

class Originals {
public:
  /// Both must outlive this object.
  Originals(const std::vector<Subject> &subjects, const BatchOptions &options)
      : subjects(subjects), options(options) {}

  /// Must be called before all other members.
  llvm::Error compile();

  const DeviceWork &work() const { return prepared.works.front(); }
  const ImportedModule &imported() const { return *work().imported; }
  const DeviceKernel &deviceKernel(uint32_t index) const;
  /// Returns the CPU, then the AMD GPUs as LLVM IR.
  llvm::ArrayRef<SelectedTarget> targets() const { return selected; }
  /// Returns them in the order of the targets after the first.
  llvm::ArrayRef<AmdgpuOriginals> amdgpu() const { return lowered; }
  /// Returns the module that every target gets.
  const llvm::Module &module() const { return *device; }
  /// Returns the module that targets get which fuse products and sums, in the same context.
  std::unique_ptr<llvm::Module> moduleWithFusions();
  /// Returns the context of module().
  llvm::LLVMContext &context() { return deviceContext; }

  /// Returns why the CPU has no code for a kernel that other targets may have code for; null if it
  /// has code.
  const Refusal *refusalOf(uint32_t index) const;
  /// Returns the machine with all other kernels; grains may be added.
  Machine &machine() { return *plain; }
  /// Returns the machine with the kernels that are optimised.
  Machine &optimisedMachine() { return *optimised; }

private:
  bool mayBeRefused(const std::string &symbol) const;
  llvm::Error compileDeviceSide();
  llvm::Error prepare();
  llvm::Error select();
  llvm::Error compileOptimised();
  llvm::Error compileForAmdgpu();
  llvm::Expected<std::unique_ptr<llvm::Module>> read(llvm::ArrayRef<char> bitcode);
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
  RefusedKernels refused; ///< kernels without code for the CPU
  std::vector<AmdgpuOriginals> lowered;
};

} // namespace regrain::fuzz
