//===- Machine.cpp - Loading and running compiled kernels -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Machine.h"

#include "apps/Process/Ending.h"
#include "runtime/plugins/cpu/device_calls.h"
#include "runtime/plugins/cpu/execution.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <csignal>
#include <cstring>
#include <set>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

using namespace llvm;

namespace regrain::fuzz {

namespace {

/// The processor time in seconds that a launch may take whose threads may wait.
constexpr unsigned mostSeconds = 1;

/// Memory whose last byte is followed by a page that faults. Child processes share it.
class GuardedMemory {
public:
  explicit GuardedMemory(size_t bytes) {
    size_t page = size_t(getpagesize());
    used = alignTo(bytes, 16);
    mapped = alignTo(used, page) + 2 * page;
    void *found = mmap(nullptr, mapped, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
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

  uint32_t *words = nullptr; ///< null if there was no memory

private:
  char *base = nullptr;
  size_t used, mapped;
};

/// The arguments of a kernel: buffers between pages that fault on access,
/// values by position, and their addresses.
class Handed {
public:
  Handed(const Task &task, const DeviceKernel &device) : task(task) {
    for (const Task::Buffer &buffer : task.buffers) {
      memory.push_back(std::make_unique<GuardedMemory>(buffer.words.size() * sizeof(uint32_t)));
      words.push_back(memory.back()->words);
    }
    pointers.reserve(task.parameters.size());
    for (const Task::Parameter &parameter : task.parameters) {
      if (parameter.buffer) {
        pointers.push_back(words[*parameter.buffer] + parameter.offset);
        values.push_back(&pointers.back());
      } else {
        values.push_back(const_cast<uint8_t *>(parameter.bytes.data()));
      }
    }
    for (const DeviceKernel::Parameter &parameter : device.parameters)
      parameters.push_back({parameter.offset, parameter.size});
  }
  Handed(const Handed &) = delete;

  /// Fills the buffers with their initial contents; returns false if there was
  /// no memory.
  bool fill() {
    for (size_t i = 0; i < words.size(); ++i) {
      if (!words[i])
        return false;
      llvm::copy(task.buffers[i].words, words[i]);
    }
    return true;
  }
  /// Allocates the launch's memory; returns false if there was none.
  bool appendLent(uint64_t bytes) {
    memory.push_back(std::make_unique<GuardedMemory>(bytes));
    lent = memory.back()->words;
    const ParameterLayout &last = parameters.back();
    parameters.push_back({uint32_t(alignTo(last.offset + last.size, 8)), sizeof lent});
    values.push_back(&lent);
    return lent != nullptr;
  }
  /// `extents` must outlive the launches.
  void append(std::array<uint32_t, 3> &extents) {
    for (uint32_t &extent : extents) {
      const ParameterLayout &last = parameters.back();
      parameters.push_back({uint32_t(alignTo(last.offset + last.size, 4)), sizeof(uint32_t)});
      values.push_back(&extent);
    }
  }
  /// Runs one launch; the error says how it failed.
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
    for (size_t i = 0; i < words.size(); ++i)
      result.emplace_back(words[i], words[i] + task.buffers[i].words.size());
    return result;
  }

private:
  const Task &task;
  std::vector<std::unique_ptr<GuardedMemory>> memory;
  std::vector<uint32_t *> words;    ///< of each buffer
  std::vector<uint32_t *> pointers; ///< that are passed to the kernel
  uint32_t *lent = nullptr;
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
  supply("regrain_cpu_enter_thread", &regrain_cpu_enter_thread);
  supply("regrain_cpu_leave_thread", &regrain_cpu_leave_thread);
  supply("regrain_cpu_meet", &regrain_cpu_meet);
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

Misfit compareKnown(const Task &task, const DeviceKernel &device, const LaunchShape &program,
                    const Grain &grain) {
  std::vector<ParameterLayout> parameters;
  std::vector<void *> values(device.parameters.size());
  std::vector<uint32_t> pointers;
  std::vector<uintptr_t> addresses(values.size()); // only their alignment is known
  std::set<uint32_t> buffers;                      // each is memory of its own
  for (auto [number, parameter] : llvm::enumerate(device.parameters)) {
    parameters.push_back({parameter.offset, parameter.size});
    if (!parameter.pointer)
      continue;
    pointers.push_back(uint32_t(number));
    addresses[number] = task.parameters[number].offset * sizeof(uint32_t);
    values[number] = &addresses[number];
    if (std::optional<uint32_t> buffer = task.parameters[number].buffer)
      buffers.insert(*buffer);
  }
  auto integers = task.integers;
  for (auto &[number, value] : integers)
    values[number] = &value;
  bool areApart = buffers.size() == pointers.size();
  return regrain::compareKnown(grain.known, program,
                               {values.data(), parameters, pointers, areApart});
}

char WaitsForEver::ID;

/// Runs `work` in a process of its own, because machine code that does not end
/// cannot be stopped in another way.
static Error runApart(llvm::function_ref<Error()> work) {
  constexpr int failed = 1;
  pid_t child = fork();
  if (child == 0) {
    // The limit is in processor time: a busy machine does not make a launch
    // look hung.
    itimerval limit = {{0, 0}, {mostSeconds, 0}};
    if (setitimer(ITIMER_PROF, &limit, nullptr) != 0)
      _exit(failed);
    Error error = work();
    bool ended = !error;
    consumeError(std::move(error));
    _exit(ended ? 0 : failed);
  }
  if (child < 0)
    return createStringError("no process for the launch");
  process::Ending ending = process::reap(child);
  if (ending.signal == SIGPROF)
    return make_error<WaitsForEver>(mostSeconds);
  if (ending.signal)
    return createStringError("the launch died of signal " + std::to_string(ending.signal));
  return ending.isSuccess() ? Error::success()
                            : createStringError("the launch ended with an error");
}

Expected<Contents> launch(const RegrainCpuKernel &whole, const RegrainCpuKernel *rest,
                          const Task &task, const DeviceKernel &device, const ScaledLaunch &scaled,
                          const Grain &grain) {
  Handed handed(task, device);
  if (!handed.fill())
    return createStringError("no memory for a buffer");
  Shape program = task.shape;
  std::array<uint32_t, 3> first = {};
  if (scaled.lentBytes && !handed.appendLent(scaled.lentBytes))
    return createStringError("no memory for the launch");
  if (grain.takesGrid())
    handed.append(program.grid);
  if (grain.takesBlock())
    handed.append(program.block);
  auto run = [&]() -> Error {
    if (Error error = handed.run(whole, scaled.whole))
      return error;
    if (!scaled.remainder)
      return Error::success();
    first = scaled.remainder->first;
    handed.append(first);
    return handed.run(*rest, scaled.remainder->shape);
  };
  if (Error error = task.mayWait ? runApart(run) : run())
    return std::move(error);
  return handed.contents();
}

std::string firstDifference(const Task &task, const Contents &got, const Contents &wanted) {
  for (size_t i = 0; i < task.buffers.size(); ++i) {
    const Task::Buffer &buffer = task.buffers[i];
    for (size_t j = 0; buffer.isExact && j < buffer.words.size(); ++j) {
      uint32_t a = got[i][j], b = wanted[i][j];
      // It is unspecified from which operand a NaN comes.
      bool bothNaN = buffer.isFloat && std::isnan(realOf(a)) && std::isnan(realOf(b));
      if (a != b && !bothNaN)
        return buffer.name + "[" + std::to_string(j) + "] is " + std::to_string(a) +
               " instead of " + std::to_string(b);
    }
  }
  return "";
}

} // namespace regrain::fuzz
