//===- interpreted_code.cpp - Modules whose launches interpret ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/lib/Interpreted/interpreted_code.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/DeviceIR/Annotations.h"
#include "compiler/Target/InlineAssembly.h"
#include "interpreter/AmdgpuDispatch.h"
#include "interpreter/Program.h"
#include "runtime/image/launch_limits.h"
#include "unittests/runtime/plugins/cpu_backend.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <sys/mman.h>

using namespace regrain;

std::string regrain::interpreterSetting(llvm::StringRef what, const char *otherwise) {
  const char *value =
      std::getenv((llvm::Twine(interpreterName) + "_INTERPRETER_" + what).str().c_str());
  return value && *value ? value : otherwise;
}

[[noreturn]] static void fail(const llvm::Twine &why) {
  llvm::errs() << llvm::StringRef(interpreterName).lower() << " interpreter: " << why << "\n";
  std::_Exit(125);
}

//===--- Memory ----------------------------------------------------------===//

namespace {

/// Memory in the window of constant memory, to which pointers of 32 bits are offsets on nvptx64.
/// The interpreter's own memory begins where the window does.
class ConstantWindow {
public:
  static ConstantWindow &get() {
    static ConstantWindow window;
    return window;
  }

  uint64_t allocate(uint64_t size) {
    std::lock_guard lock(mutex);
    uint64_t begin = next;
    if (size > end - begin)
      return 0;
    next += llvm::alignTo(size, 256);
    return begin;
  }
  bool contains(uint64_t address) const { return address >= first && address < end; }

private:
  static constexpr uint64_t bytes = 1 << 28, first = gridWindow + localStride - bytes,
                            end = first + bytes;

  ConstantWindow() {
    void *mapped = mmap(reinterpret_cast<void *>(first), bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
    if (mapped != reinterpret_cast<void *>(first))
      fail("the addresses of constant memory are in use");
  }

  std::mutex mutex;
  uint64_t next = first;
};

/// What kernels have allocated, by its end. Launches run one by one, and so do calls.
std::map<uint64_t, std::unique_ptr<uint8_t[]>> &heap() {
  static auto *allocations = new std::map<uint64_t, std::unique_ptr<uint8_t[]>>;
  return *allocations;
}

uint64_t beginOf(const std::unique_ptr<uint8_t[]> &bytes) {
  return reinterpret_cast<uintptr_t>(bytes.get());
}

} // namespace

uint64_t CpuMemory::allocateFromHeap(uint64_t size) {
  auto bytes = std::make_unique<uint8_t[]>(std::max<uint64_t>(size, 1));
  uint64_t begin = beginOf(bytes);
  heap().emplace(begin + std::max<uint64_t>(size, 1), std::move(bytes));
  return begin;
}

bool CpuMemory::freeOnHeap(uint64_t address) {
  auto found = heap().upper_bound(address);
  bool isKnown = found != heap().end() && beginOf(found->second) == address;
  if (isKnown)
    heap().erase(found);
  return isKnown;
}

uint64_t CpuMemory::allocate(const llvm::GlobalVariable &variable, uint64_t size) {
  if (variable.getAddressSpace() == constantSpace)
    return ConstantWindow::get().allocate(size);
  void *pointer = nullptr;
  cudaError_t status =
      annotation(variable, "managed")
          ? backend().allocateHost(HostMemory::Managed, size, cudaMemAttachGlobal, pointer)
          : backend().allocate(size, pointer);
  return status == cudaSuccess ? reinterpret_cast<uintptr_t>(pointer) : 0;
}

bool CpuMemory::contains(uint64_t address) {
  if (ConstantWindow::get().contains(address))
    return true;
  if (auto found = heap().upper_bound(address);
      found != heap().end() && beginOf(found->second) <= address)
    return true;
  cudaPointerAttributes attributes = {};
  return backend().pointerAttributes(reinterpret_cast<void *>(address), attributes) ==
             cudaSuccess &&
         attributes.type != cudaMemoryTypeUnregistered;
}

//===--- Modules ---------------------------------------------------------===//

std::unique_ptr<InterpretedModule> InterpretedModule::load(llvm::StringRef text) {
  auto module = std::make_unique<InterpretedModule>();
  llvm::SMDiagnostic diagnostic;
  module->ir = llvm::parseIR({text, "code"}, diagnostic, module->context);
  if (!module->ir)
    return nullptr;
  lowerInlineAssembly(*module->ir,
                      [](const llvm::CallInst &call) { return bool(findAssembly(call)); });
  if (llvm::Error error = module->memory.defineVariables(*module->ir))
    fail(llvm::toString(std::move(error)));
  return module;
}

InterpretedKernel *InterpretedModule::kernel(llvm::StringRef name) {
  const llvm::Function *function = ir->getFunction(name);
  bool isKernel = function && !function->isDeclaration() &&
                  (function->getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL ||
                   annotation(*function, "kernel"));
  return isKernel ? &kernels.emplace_back(InterpretedKernel{*this, *function}) : nullptr;
}

bool InterpretedModule::variable(llvm::StringRef name, uint64_t &address, size_t &bytes) const {
  const llvm::GlobalVariable *found = ir->getNamedGlobal(name);
  std::optional<uint64_t> place = memory.addressOf(name);
  if (!found || !place || found->hasLocalLinkage())
    return false;
  address = *place;
  bytes = ir->getDataLayout().getTypeAllocSize(found->getValueType());
  return true;
}

int InterpretedKernel::staticShared() const {
  return int(Program(*module.ir, module.memory, 0).staticShared());
}

int InterpretedKernel::mostThreads() const {
  if (function.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL)
    return int(regrain::mostThreads(function));
  unsigned threads = 1, bounded = 0;
  for (const char *key : {"maxntidx", "maxntidy", "maxntidz"}) {
    unsigned bound = annotation(function, key);
    threads *= std::max(bound, 1u);
    bounded += bound != 0;
  }
  return bounded ? int(threads) : int(maxBlockThreads);
}

//===--- Launches --------------------------------------------------------===//

namespace {

/// A launch that has not run; in a graph it may run often, so it stays.
struct PendingLaunch {
  InterpretedKernel &kernel;
  KernelLaunch launch;
  unsigned residentBlocks;

  static void run(void *self) {
    // The order of threads differs in each launch.
    static uint64_t launches = std::stoull(interpreterSetting("SEED", "0")) << 32;
    static std::mutex one;
    std::lock_guard lock(one);
    auto &[kernel, launch, residentBlocks] = *static_cast<PendingLaunch *>(self);
    InterpreterOptions options;
    options.seed = launches++;
    options.stepLimit = 4'000'000'000;
    options.residentBlocks = residentBlocks;
    if (interpreterSetting("RACES", "") == "1")
      options.races = RaceCheck::Block;
    kernel.module.memory.refreshForeign();
    llvm::StringRef name = kernel.function.getName();
    if (llvm::Error error =
            interpretKernel(*kernel.module.ir, name, launch, kernel.module.memory, options))
      fail(name + ": " + llvm::toString(std::move(error)));
  }
};

/// The bytes of each parameter have the size that the kernel expects.
KernelLaunch argumentsOf(const InterpretedKernel &kernel, void **values) {
  const llvm::DataLayout &layout = kernel.module.ir->getDataLayout();
  KernelLaunch launch;
  for (const llvm::Argument &argument : kernel.function.args()) {
    llvm::Type *inMemory = argument.getPointeeInMemoryValueType();
    uint64_t size = layout.getTypeAllocSize(inMemory ? inMemory : argument.getType());
    const auto *bytes = static_cast<const uint8_t *>(values[argument.getArgNo()]);
    launch.arguments.emplace_back(bytes, bytes + size);
  }
  return launch;
}

} // namespace

cudaError_t regrain::launchInterpreted(InterpretedKernel &kernel, const Launch &launch) {
  KernelLaunch interpreted = argumentsOf(kernel, launch.values);
  interpreted.grid = launch.grid;
  interpreted.block = launch.block;
  interpreted.dynamicSharedBytes = launch.dynamicSharedBytes;
  const auto &[x, y, z] = launch.grid;
  auto *pending =
      new PendingLaunch{kernel, std::move(interpreted), launch.isCooperative ? x * y * z : 4};
  return backend().launchHostFunction(launch.stream, PendingLaunch::run, pending);
}
