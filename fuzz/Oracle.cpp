//===- Oracle.cpp - Interpretation as an independent check ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Oracle.h"

#include "compiler/Target/Target.h"
#include "interpreter/Interpreter.h"
#include "runtime/image/in_step.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace regrain::fuzz {

namespace {

constexpr uint64_t mostSteps = 64'000'000;

/// Copies the buffers' initial contents into memory.
std::vector<uint64_t> fill(const Task &task, DeviceMemory &memory) {
  std::vector<uint64_t> addresses;
  for (const Task::Buffer &buffer : task.buffers)
    addresses.push_back(memory.copyIn(buffer.words));
  return addresses;
}

/// `lent` is the address of the launch's own memory, or 0 if the grain needs
/// none.
KernelLaunch launchOf(const Task &task, const LaunchShape &shape, const Grain &grain,
                      const std::vector<uint64_t> &addresses, uint64_t lent) {
  KernelLaunch launch = {shape.grid, shape.block, shape.dynamicSharedBytes, {}};
  for (const Task::Parameter &parameter : task.parameters) {
    if (parameter.buffer)
      launch.with(addresses[*parameter.buffer] + parameter.offset * sizeof(uint32_t));
    else
      launch.arguments.push_back(parameter.bytes);
  }
  if (lent)
    launch.with(lent);
  for (uint32_t extent : task.shape.grid)
    if (grain.takesGrid())
      launch.with(extent);
  for (uint32_t extent : task.shape.block)
    if (grain.takesBlock())
      launch.with(extent);
  return launch;
}

/// Does the runtime's work after loading a module: a slot gets a variable's
/// address. Code generation drops the slot of a variable that no kernel uses.
Error fillSlots(ArrayRef<std::string> variables, DeviceMemory &memory) {
  for (const std::string &variable : variables) {
    std::optional<uint64_t> address = memory.addressOf(variable);
    std::optional<uint64_t> slot = memory.addressOf(slotNameFor(variable));
    if (!slot)
      continue;
    MemoryRegion *region = memory.find(*slot, sizeof(uint64_t));
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
        bool isEndless = fault.kind == FaultKind::StepLimit;
        bool isUnable = fault.kind == FaultKind::Unsupported || isEndless;
        result.kind = isEndless  ? Interpretation::Endless
                      : isUnable ? Interpretation::Unable
                                 : Interpretation::Faulty;
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

Interpretation interpret(const InterpretedCode &code, const Task &task, const ScaledLaunch &scaled,
                         const Grain &grain, uint64_t seed) {
  DeviceMemory memory;
  std::vector<uint64_t> addresses = fill(task, memory);
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
  if (task.mayWait) {
    options.residentBlocks = task.shape.blocks();
    options.races = task.ordersByFences ? RaceCheck::None : RaceCheck::Block;
  }
  // On other targets, launches follow each other.
  if (!grain.isOriginal() && !Triple(code.whole->getTargetTriple()).isAMDGCN()) {
    options.allWait = task.awaitsLaunch;
    options.hintsFollowWaits = task.awaitsLaunch && task.hintsFollowWaits;
  }
  bool isInStep = inStepOf(grain) != 0;
  uint64_t lent = isInStep           ? memory.copyIn(std::vector<uint32_t>{0})
                  : scaled.lentBytes ? memory.allocate(scaled.lentBytes)
                                     : 0;
  if (hasBlocks(scaled.whole))
    if (Error error =
            interpretKernel(*code.whole, code.symbol,
                            launchOf(task, scaled.whole, grain, addresses, lent), memory, options))
      return describe(std::move(error));
  if (scaled.remainder) {
    KernelLaunch launch = launchOf(task, scaled.remainder->shape, grain, addresses, lent);
    for (uint32_t block : scaled.remainder->first)
      launch.with(block);
    if (Error error = interpretKernel(*code.rest, code.restSymbol, launch, memory, options))
      return describe(std::move(error));
  }
  if (isInStep && memory.copyOut<uint32_t>(lent, 1) != std::vector<uint32_t>{0})
    return {Interpretation::Faulty, "the word of launched blocks is not left at 0", {}};
  Interpretation result;
  for (auto [buffer, address] : llvm::zip_equal(task.buffers, addresses)) {
    if (!memory.isDefined(address, buffer.words.size() * sizeof(uint32_t)))
      return {Interpretation::Faulty, buffer.name + " holds an undefined value", {}};
    result.contents.push_back(memory.copyOut<uint32_t>(address, buffer.words.size()));
  }
  return result;
}

} // namespace regrain::fuzz
