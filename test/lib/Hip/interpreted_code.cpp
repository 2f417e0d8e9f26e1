//===- interpreted_code.cpp - A libamdhip64.so that interprets ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules are LLVM IR for amdgcn, which --image-form=ir puts in the place
// of a code object, and launches interpret it; memory, streams, events and
// graphs are those of the stand-in, which the CPU device implements. A fault of
// a kernel ends the process with a line that describes it.
//
// HIP_INTERPRETER_CHIP is the GPU that the library reports (gfx90a),
// HIP_INTERPRETER_SEED determines the order of threads, and with
// HIP_INTERPRETER_RACES=1 unsynchronised accesses of threads of one block are faults.
//
//===----------------------------------------------------------------------===//
#include "interpreter/AmdgpuDispatch.h"
#include "interpreter/Interpreter.h"
#include "interpreter/Program.h"
#include "unittests/runtime/plugins/hip/stand_in_calls.h"

#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <deque>

using namespace regrain;

namespace {

constexpr unsigned localBytes = 65536;

/// The memory that the CPU device has allocated, for kernels as well as for the program.
class CpuMemory final : public ForeignMemory {
public:
  uint64_t allocate(uint64_t size) override {
    void *pointer = nullptr;
    return backend().allocate(size, pointer) == cudaSuccess ? reinterpret_cast<uintptr_t>(pointer)
                                                            : 0;
  }
  bool contains(uint64_t address) override {
    cudaPointerAttributes attributes = {};
    return backend().pointerAttributes(reinterpret_cast<void *>(address), attributes) ==
               cudaSuccess &&
           attributes.type != cudaMemoryTypeUnregistered;
  }
};

std::string setting(const char *name, const char *otherwise) {
  const char *value = std::getenv(name);
  return value && *value ? value : otherwise;
}

[[noreturn]] void fail(const llvm::Twine &why) {
  llvm::errs() << "hip interpreter: " << why << "\n";
  std::_Exit(125);
}

/// The device is queried before anything else.
const bool isChipSet = [] {
  hipStandIn().chip = setting("HIP_INTERPRETER_CHIP", "gfx90a");
  return true;
}();

} // namespace

struct regrain::hip::HipFunctionObject {
  HipModuleObject &module;
  const llvm::Function &kernel;
};

struct regrain::hip::HipModuleObject {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> ir;
  CpuMemory cpuMemory;
  DeviceMemory memory{&cpuMemory};
  std::deque<HipFunctionObject> functions;
};

namespace {

/// A launch that has not run; in a graph it may run often, so it stays.
struct PendingLaunch {
  HipFunctionObject &function;
  KernelLaunch launch;
  unsigned residentBlocks;

  static void run(void *self) {
    // The order of threads differs in each launch.
    static uint64_t launches = std::stoull(setting("HIP_INTERPRETER_SEED", "0")) << 32;
    static std::mutex one;
    std::lock_guard lock(one);
    auto &[function, launch, residentBlocks] = *static_cast<PendingLaunch *>(self);
    InterpreterOptions options;
    options.seed = launches++;
    options.stepLimit = 4'000'000'000;
    options.residentBlocks = residentBlocks;
    if (setting("HIP_INTERPRETER_RACES", "") == "1")
      options.races = RaceCheck::Block;
    function.module.memory.refreshForeign();
    llvm::StringRef name = function.kernel.getName();
    if (llvm::Error error =
            interpretKernel(*function.module.ir, name, launch, function.module.memory, options))
      fail(name + ": " + llvm::toString(std::move(error)));
  }
};

/// The bytes of each parameter have the size that the kernel expects.
KernelLaunch launchOf(const HipFunctionObject &function, void **parameters) {
  const llvm::DataLayout &layout = function.module.ir->getDataLayout();
  KernelLaunch launch;
  for (const llvm::Argument &argument : function.kernel.args()) {
    llvm::Type *inMemory = argument.getPointeeInMemoryValueType();
    uint64_t size = layout.getTypeAllocSize(inMemory ? inMemory : argument.getType());
    const auto *bytes = static_cast<const uint8_t *>(parameters[argument.getArgNo()]);
    launch.arguments.emplace_back(bytes, bytes + size);
  }
  return launch;
}

} // namespace

HipResult standIn_moduleLoadData(HipModuleHandle *module, const void *image) {
  return answer("hipModuleLoadData", [&] {
    auto object = std::make_unique<HipModuleObject>();
    llvm::SMDiagnostic diagnostic;
    llvm::StringRef text(static_cast<const char *>(image));
    object->ir = llvm::parseIR({text, "code object"}, diagnostic, object->context);
    if (!object->ir)
      return cudaErrorInvalidKernelImage;
    if (llvm::Error error = object->memory.defineVariables(*object->ir))
      fail(llvm::toString(std::move(error)));
    *module = object.release();
    return cudaSuccess;
  });
}

/// Launches that wait in streams keep the module.
HipResult standIn_moduleUnload(HipModuleHandle) {
  return answer("hipModuleUnload", [] { return cudaSuccess; });
}

HipResult standIn_moduleGetFunction(HipFunctionHandle *function, HipModuleHandle module,
                                    const char *name) {
  return answer("hipModuleGetFunction", [&] {
    const llvm::Function *kernel = module->ir->getFunction(name);
    if (!kernel || kernel->getCallingConv() != llvm::CallingConv::AMDGPU_KERNEL)
      return cudaErrorSymbolNotFound;
    *function = &module->functions.emplace_back(HipFunctionObject{*module, *kernel});
    return cudaSuccess;
  });
}

HipResult standIn_moduleGetGlobal(void **address, size_t *bytes, HipModuleHandle module,
                                  const char *name) {
  return answer("hipModuleGetGlobal", [&] {
    const llvm::GlobalVariable *variable = module->ir->getNamedGlobal(name);
    std::optional<uint64_t> found = module->memory.addressOf(name);
    if (!variable || !found || variable->hasLocalLinkage())
      return cudaErrorSymbolNotFound;
    *address = reinterpret_cast<void *>(*found);
    *bytes = module->ir->getDataLayout().getTypeAllocSize(variable->getValueType());
    return cudaSuccess;
  });
}

HipResult standIn_funcGetAttribute(int *value, int attribute, HipFunctionHandle function) {
  return answer("hipFuncGetAttribute", [&] {
    enum { MaxThreads, Shared, MaxDynamicShared = 8 };
    int shared = Program(*function->module.ir, function->module.memory, 0).staticShared();
    *value = attribute == MaxThreads         ? int(mostThreads(function->kernel))
             : attribute == Shared           ? shared
             : attribute == MaxDynamicShared ? int(localBytes) - shared
                                             : 0;
    return cudaSuccess;
  });
}

HipResult standIn_maxActiveBlocks(int *blocks, HipFunctionHandle, int, size_t, unsigned) {
  return answer("hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", [&] {
    *blocks = 1;
    return cudaSuccess;
  });
}

/// Interprets a kernel in the order of the stream. All blocks of a cooperative launch are resident.
static HipResult launch(const char *symbol, HipFunctionHandle function, Extent grid, Extent block,
                        unsigned dynamicSharedBytes, HipStream stream, void **parameters,
                        bool isCooperative) {
  return answerOn(stream, symbol, [&](cudaStream_t on) {
    if (dynamicSharedBytes > localBytes)
      return cudaErrorInvalidValue;
    KernelLaunch launch = launchOf(*function, parameters);
    launch.grid = grid;
    launch.block = block;
    launch.dynamicSharedBytes = dynamicSharedBytes;
    unsigned resident = isCooperative ? grid[0] * grid[1] * grid[2] : 4;
    auto *pending = new PendingLaunch{*function, std::move(launch), resident};
    return backend().launchHostFunction(on, PendingLaunch::run, pending);
  });
}

HipResult standIn_launchKernel(HipFunctionHandle function, unsigned gridX, unsigned gridY,
                               unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ,
                               unsigned dynamicSharedBytes, HipStream stream, void **parameters,
                               void **) {
  return launch("hipModuleLaunchKernel", function, {gridX, gridY, gridZ}, {blockX, blockY, blockZ},
                dynamicSharedBytes, stream, parameters, /*isCooperative=*/false);
}

HipResult standIn_launchCooperativeKernel(HipFunctionHandle function, unsigned gridX,
                                          unsigned gridY, unsigned gridZ, unsigned blockX,
                                          unsigned blockY, unsigned blockZ,
                                          unsigned dynamicSharedBytes, HipStream stream,
                                          void **parameters) {
  return launch("hipModuleLaunchCooperativeKernel", function, {gridX, gridY, gridZ},
                {blockX, blockY, blockZ}, dynamicSharedBytes, stream, parameters,
                /*isCooperative=*/true);
}
