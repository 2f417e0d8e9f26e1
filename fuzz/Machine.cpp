//===- Machine.cpp - Compiled kernels, loaded and run ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Machine.h"

#include "runtime/plugins/cpu/device_calls.h"
#include "runtime/plugins/cpu/execution.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;

namespace regrain::fuzz {

namespace {

/// Memory whose last byte is followed by a page that faults.
class GuardedMemory {
public:
  explicit GuardedMemory(size_t bytes) {
    size_t page = size_t(getpagesize());
    used = alignTo(bytes, 16);
    mapped = alignTo(used, page) + 2 * page;
    void *found = mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (found == MAP_FAILED)
      return;
    base = static_cast<char *>(found);
    if (mprotect(base + page, mapped - 2 * page, PROT_READ | PROT_WRITE) != 0)
      return;
    words = reinterpret_cast<uint32_t *>(base + mapped - page - used);
  }
  GuardedMemory(const GuardedMemory &) = delete;
  ~GuardedMemory() {
    if (base)
      munmap(base, mapped);
  }

  uint32_t *words = nullptr; ///< null where there was no memory

private:
  char *base = nullptr;
  size_t used, mapped;
};

/// What a kernel is handed: buffers between pages that nobody may touch, values
/// by position, and where each lies.
class Handed {
public:
  Handed(const Kernel &kernel, const DeviceKernel &device)
      : buffers(buffersOf(kernel)), argument(argumentOf(kernel)), size(kernel.size),
        scalars(kernel.arguments) {
    for (uint32_t i = 0; i < bufferCount; ++i) {
      memory.push_back(std::make_unique<GuardedMemory>(buffers[i].elements * sizeof(uint32_t)));
      pointers[i] = memory.back()->words;
      values.push_back(&pointers[i]);
    }
    values.insert(values.end(), {&argument, &size, &scalars[0], &scalars[1]});
    for (const DeviceKernel::Parameter &parameter : device.parameters)
      parameters.push_back({parameter.offset, parameter.size});
  }
  Handed(const Handed &) = delete;

  /// Gives the buffers their first contents; false where there was no memory.
  bool fill() {
    for (uint32_t i = 0; i < bufferCount; ++i) {
      if (!pointers[i])
        return false;
      for (uint32_t j = 0; j < buffers[i].elements; ++j)
        pointers[i][j] = initialBits(i, j);
    }
    return true;
  }
  /// Memory of the launch; false where there was none.
  bool appendScratch(uint64_t bytes) {
    memory.push_back(std::make_unique<GuardedMemory>(bytes));
    scratch = memory.back()->words;
    const ParameterLayout &last = parameters.back();
    parameters.push_back({uint32_t(alignTo(last.offset + last.size, 8)), sizeof scratch});
    values.push_back(&scratch);
    return scratch != nullptr;
  }
  /// `extents` must live as long as the launches.
  void append(std::array<uint32_t, 3> &extents) {
    for (uint32_t &extent : extents) {
      const ParameterLayout &last = parameters.back();
      parameters.push_back({uint32_t(alignTo(last.offset + last.size, 4)), sizeof(uint32_t)});
      values.push_back(&extent);
    }
  }
  /// Runs one launch; the error says how it ended.
  Error run(const RegrainCpuKernel &code, const LaunchShape &shape) {
    if (!hasBlocks(shape))
      return Error::success();
    std::atomic<bool> isCancelled = false;
    Launch call = {shape.grid, shape.block,   uint32_t(shape.dynamicSharedBytes),
                   nullptr,    values.data(), parameters};
    cpu::QueuedLaunch queued(code, call);
    cpu::LaunchRun launchRun(queued, isCancelled);
    cpu::Worker::get().run(launchRun, 0, queued.blockCount());
    if (launchRun.result() != cudaSuccess)
      return createStringError("the launch ended with error " + std::to_string(launchRun.result()));
    return Error::success();
  }
  Contents contents() const {
    Contents result;
    for (uint32_t i = 0; i < bufferCount; ++i)
      result[i].assign(pointers[i], pointers[i] + buffers[i].elements);
    return result;
  }

private:
  std::array<Buffer, bufferCount> buffers;
  std::vector<std::unique_ptr<GuardedMemory>> memory;
  std::array<uint32_t *, bufferCount> pointers = {};
  uint32_t *scratch = nullptr;
  Argument argument;
  uint32_t size;
  std::array<uint32_t, 2> scalars;
  std::vector<void *> values;
  std::vector<ParameterLayout> parameters;
};

float realOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

} // namespace

Expected<Machine> Machine::create() {
  Expected<std::unique_ptr<orc::LLJIT>> jit = orc::LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
  orc::JITDylib &library = (*jit)->getMainJITDylib();
  auto process = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      (*jit)->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  library.addGenerator(std::move(*process));
  orc::MangleAndInterner mangle((*jit)->getExecutionSession(), (*jit)->getDataLayout());
  orc::SymbolMap calls;
  auto supply = [&](const char *name, auto *function) {
    calls[mangle(name)] = {orc::ExecutorAddr::fromPtr(function),
                           JITSymbolFlags::Exported | JITSymbolFlags::Callable};
  };
  supply("regrain_cpu_vprintf", &regrain_cpu_vprintf);
  supply("regrain_cpu_malloc", &regrain_cpu_malloc);
  supply("regrain_cpu_free", &regrain_cpu_free);
  supply("regrain_cpu_assertfail", &regrain_cpu_assertfail);
  supply("regrain_cpu_trap", &regrain_cpu_trap);
  supply("regrain_cpu_pause", &regrain_cpu_pause);
  if (Error error = library.define(orc::absoluteSymbols(std::move(calls))))
    return std::move(error);
  return Machine(std::move(*jit));
}

Error Machine::add(ArrayRef<char> object) {
  return jit->addObjectFile(
      MemoryBuffer::getMemBufferCopy(StringRef(object.data(), object.size()), "kernels"));
}

Expected<const RegrainCpuKernel *> Machine::find(const std::string &symbol) {
  Expected<orc::ExecutorAddr> address = jit->lookup(symbol);
  if (!address)
    return address.takeError();
  return address->toPtr<const RegrainCpuKernel *>();
}

Misfit compareKnown(const Kernel &kernel, const DeviceKernel &device, const LaunchShape &program,
                    const Grain &grain) {
  std::vector<ParameterLayout> parameters;
  for (const DeviceKernel::Parameter &parameter : device.parameters)
    parameters.push_back({parameter.offset, parameter.size});
  std::vector<void *> values(parameters.size());
  auto integers = integerArguments(kernel);
  for (auto &[number, value] : integers)
    values[number] = &value;
  return regrain::compareKnown(grain.known, program, values.data(), parameters);
}

Expected<Contents> launch(const RegrainCpuKernel &whole, const RegrainCpuKernel *rest,
                          const Kernel &kernel, const DeviceKernel &device,
                          const ScaledLaunch &scaled, const Grain &grain) {
  Handed handed(kernel, device);
  if (!handed.fill())
    return createStringError("no memory for a buffer");
  Shape program = kernel.shape;
  std::array<uint32_t, 3> first = {};
  if (scaled.scratchBytes && !handed.appendScratch(scaled.scratchBytes))
    return createStringError("no memory for the launch");
  if (grain.takesGrid())
    handed.append(program.grid);
  if (grain.takesBlock())
    handed.append(program.block);
  if (Error error = handed.run(whole, scaled.whole))
    return std::move(error);
  if (scaled.remainder) {
    first = scaled.remainder->first;
    handed.append(first);
    if (Error error = handed.run(*rest, scaled.remainder->shape))
      return std::move(error);
  }
  return handed.contents();
}

std::string firstDifference(const Kernel &kernel, const Contents &got, const Contents &wanted) {
  std::array<Buffer, bufferCount> buffers = buffersOf(kernel);
  for (uint32_t i = 0; i < bufferCount; ++i)
    for (uint32_t j = 0; j < buffers[i].elements; ++j) {
      uint32_t a = got[i][j], b = wanted[i][j];
      // Which of its operands a NaN is handed on from is nobody's promise.
      bool bothNaN = i == 1 && std::isnan(realOf(a)) && std::isnan(realOf(b));
      if (a != b && !bothNaN)
        return std::string(buffers[i].name) + "[" + std::to_string(j) + "] is " +
               std::to_string(a) + " instead of " + std::to_string(b);
    }
  return "";
}

} // namespace regrain::fuzz
