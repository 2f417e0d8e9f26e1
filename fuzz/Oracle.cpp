//===- Oracle.cpp - Kernels interpreted, as a second opinion --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Oracle.h"

#include "compiler/Target/Target.h"
#include "fuzz/interpreter/Interpreter.h"

using namespace llvm;

namespace regrain::fuzz {

namespace {

constexpr uint64_t mostSteps = 8'000'000;

/// Copies the buffers' first contents in, in the order of the parameters.
std::array<uint64_t, bufferCount> fill(const std::array<Buffer, bufferCount> &buffers,
                                       DeviceMemory &memory) {
  std::array<uint64_t, bufferCount> addresses;
  for (uint32_t i = 0; i < bufferCount; ++i) {
    std::vector<uint32_t> words(buffers[i].elements);
    for (uint32_t j = 0; j < words.size(); ++j)
      words[j] = initialBits(i, j);
    addresses[i] = memory.copyIn(words);
  }
  return addresses;
}

/// `scratch`: the address of the launch's own memory, 0 where the grain takes none.
KernelLaunch launchOf(const Kernel &kernel, const LaunchShape &shape, const Grain &grain,
                      const std::array<uint64_t, bufferCount> &addresses, uint64_t scratch) {
  KernelLaunch launch = {shape.grid, shape.block, shape.dynamicSharedBytes, {}};
  for (uint64_t address : addresses)
    launch.with(address);
  launch.with(argumentOf(kernel)).with(kernel.size);
  launch.with(kernel.arguments[0]).with(kernel.arguments[1]);
  if (scratch)
    launch.with(scratch);
  for (uint32_t extent : kernel.shape.grid)
    if (grain.takesGrid())
      launch.with(extent);
  for (uint32_t extent : kernel.shape.block)
    if (grain.takesBlock())
      launch.with(extent);
  return launch;
}

/// What the runtime does after loading a module: a slot holds a variable's address.
Error fillSlots(ArrayRef<std::string> variables, DeviceMemory &memory) {
  for (const std::string &variable : variables) {
    std::optional<uint64_t> address = memory.addressOf(variable);
    std::optional<uint64_t> slot = memory.addressOf(slotNameFor(variable));
    MemoryRegion *region = slot ? memory.find(*slot, sizeof(uint64_t)) : nullptr;
    if (!address || !region)
      return makeFault(FaultKind::BadLaunch, "no slot for the variable " + variable);
    std::memcpy(region->bytes.data(), &*address, sizeof(uint64_t));
  }
  return Error::success();
}

Interpretation describe(Error error) {
  Interpretation result;
  handleAllErrors(
      std::move(error),
      [&](const Fault &fault) {
        bool isUnable = fault.kind == FaultKind::Unsupported || fault.kind == FaultKind::StepLimit;
        result.kind = isUnable ? Interpretation::Unable : Interpretation::Faulty;
        // Reasons that are counted name no place.
        raw_string_ostream stream(result.reason);
        if (isUnable)
          stream << toString(fault.kind) << (fault.kind == FaultKind::Unsupported ? ": " : "")
                 << (fault.kind == FaultKind::Unsupported ? fault.what : "");
        else
          fault.log(stream);
      },
      [&](const ErrorInfoBase &other) {
        result.kind = Interpretation::Unable;
        result.reason = other.message();
      });
  return result;
}

} // namespace

Interpretation interpret(const InterpretedCode &code, const Kernel &kernel,
                         const ScaledLaunch &scaled, const Grain &grain, uint64_t seed) {
  DeviceMemory memory;
  std::array<Buffer, bufferCount> buffers = buffersOf(kernel);
  std::array<uint64_t, bufferCount> addresses = fill(buffers, memory);
  for (const llvm::Module *module : {code.variables, code.whole})
    if (Error error = memory.defineVariables(*module))
      return describe(std::move(error));
  if (Error error = fillSlots(code.slots, memory))
    return describe(std::move(error));
  InterpreterOptions options;
  options.seed = seed;
  options.stepLimit = mostSteps;
  options.switchAtAccesses = true;
  options.sameBarrier = true;
  options.races = RaceCheck::Grid;
  uint64_t scratch = scaled.scratchBytes ? memory.allocate(scaled.scratchBytes) : 0;
  if (hasBlocks(scaled.whole))
    if (Error error = interpretKernel(*code.whole, code.symbol,
                                      launchOf(kernel, scaled.whole, grain, addresses, scratch),
                                      memory, options))
      return describe(std::move(error));
  if (scaled.remainder) {
    KernelLaunch launch = launchOf(kernel, scaled.remainder->shape, grain, addresses, scratch);
    for (uint32_t block : scaled.remainder->first)
      launch.with(block);
    if (Error error = interpretKernel(*code.rest, code.restSymbol, launch, memory, options))
      return describe(std::move(error));
  }
  Interpretation result;
  for (uint32_t i = 0; i < bufferCount; ++i) {
    if (!memory.isDefined(addresses[i], buffers[i].elements * sizeof(uint32_t)))
      return {
          Interpretation::Faulty, std::string(buffers[i].name) + " holds an undefined value", {}};
    result.contents[i] = memory.copyOut<uint32_t>(addresses[i], buffers[i].elements);
  }
  return result;
}

} // namespace regrain::fuzz
