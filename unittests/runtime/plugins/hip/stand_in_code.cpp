//===- stand_in_code.cpp - A libamdhip64.so on the CPU: code --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A code object in an image of the running program is that image's module: its entries run
// as the CPU's code for the same kernel and alternative, its variables are the CPU's, and
// nothing reads its slots. Any other code object belongs to a test, or to the plugin, whose
// kernel is executed by hand.
//
//===----------------------------------------------------------------------===//
#include "runtime/image/elf_images.h"
#include "unittests/runtime/plugins/hip/stand_in_calls.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <iterator>

using namespace regrain;

namespace {

constexpr int sharedMemoryOfABlock = 65536;

/// The code of one image on the CPU, while any of its modules is loaded.
struct CpuCode {
  const image::Image *image;
  std::vector<std::pair<const image::Module *, std::unique_ptr<Module>>> modules;
};

} // namespace

struct regrain::hip::HipFunctionObject {
  std::string name;
  std::unique_ptr<Function> onCpu; ///< null: the code is not in any image
  std::vector<ParameterLayout> parameters;
};

struct regrain::hip::HipModuleObject {
  const char *code;
  std::string bytes;
  std::shared_ptr<CpuCode> onCpu; ///< null: only a test knows the code
  const image::Module *module = nullptr;
  std::map<std::string, uint64_t> slots;
  std::vector<std::unique_ptr<HipFunctionObject>> functions;
};

namespace {

const std::vector<EmbeddedImage> &programImages() {
  static const std::vector<EmbeddedImage> *images = [] {
    std::ifstream file("/proc/self/exe", std::ios::binary);
    std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
    return new std::vector<EmbeddedImage>(findImages(bytes).images);
  }();
  return *images;
}

/// An ELF file ends with its section headers; a test's own code is text.
size_t sizeOf(const char *code) {
  if (std::memcmp(code, ELFMAG, SELFMAG) != 0)
    return std::strlen(code);
  Elf64_Ehdr header;
  std::memcpy(&header, code, sizeof header);
  return header.e_shoff + size_t(header.e_shnum) * header.e_shentsize;
}

std::shared_ptr<CpuCode> cpuCodeOf(const image::Image &image, cudaError_t &status) {
  static std::map<const image::Image *, std::weak_ptr<CpuCode>> known;
  if (auto found = known[&image].lock())
    return found;
  auto code = std::make_shared<CpuCode>(CpuCode{&image, {}});
  for (const image::Module *module : *image.modules()) {
    if (backend().codeRank(*module) < 0)
      continue;
    std::unique_ptr<Module> loaded;
    std::string reason;
    status = backend().loadModule(*module, loaded, reason);
    if (status != cudaSuccess)
      return nullptr;
    code->modules.emplace_back(module, std::move(loaded));
  }
  known[&image] = code;
  return code;
}

/// Finds the image that has `object` as a module.
cudaError_t attachImage(HipModuleObject &object) {
  cudaError_t status = cudaSuccess;
  for (const EmbeddedImage &embedded : programImages()) {
    if (embedded.opened.status != ImageStatus::Ok || !embedded.opened.image->modules())
      continue;
    for (const image::Module *module : *embedded.opened.image->modules())
      if (module->kind() == image::CodeKind::Hsaco &&
          module->code()->size() == object.bytes.size() &&
          std::memcmp(module->code()->data(), object.bytes.data(), object.bytes.size()) == 0) {
        object.module = module;
        object.onCpu = cpuCodeOf(*embedded.opened.image, status);
        return status;
      }
  }
  return status;
}

/// Returns the parameters of a launch of the entry, in the order of HIP's
/// kernelParams.
std::vector<ParameterLayout> layoutOf(const image::Image &image, const image::Entry &entry) {
  const image::Kernel &kernel = *image.kernels()->Get(entry.kernel());
  const image::Alternative &alternative = *kernel.alternatives()->Get(entry.alternative());
  std::vector<ParameterLayout> layout;
  if (kernel.parameters())
    for (const image::Parameter *parameter : *kernel.parameters())
      layout.push_back({parameter->offset(), parameter->size()});
  if (alternative.scratch_bytes())
    layout.push_back({alternative.scratch_offset(), sizeof(uint64_t)});
  unsigned appended =
      3 * (alternative.takes_grid() + alternative.takes_block() + entry.remainder());
  for (unsigned i = 0; i < appended; ++i)
    layout.push_back({uint32_t(alternative.parameters_offset() + 4 * i), 4});
  return layout;
}

cudaError_t findOnCpu(HipModuleObject &object, const image::Entry &wanted, HipFunctionObject &out) {
  out.parameters = layoutOf(*object.onCpu->image, wanted);
  for (auto &[module, loaded] : object.onCpu->modules)
    for (const image::Entry *entry : *module->entries())
      if (entry->kernel() == wanted.kernel() && entry->alternative() == wanted.alternative() &&
          entry->remainder() == wanted.remainder())
        return loaded->function(entry->symbol()->c_str(), out.onCpu);
  return cudaErrorSymbolNotFound;
}

cudaError_t findFunction(HipModuleObject &object, const char *name, HipFunctionObject &out) {
  if (!object.onCpu)
    return std::strcmp(name, "absent") == 0 ? cudaErrorSymbolNotFound : cudaSuccess;
  for (const image::Entry *entry : *object.module->entries())
    if (std::strcmp(entry->symbol()->c_str(), name) == 0)
      return findOnCpu(object, *entry, out);
  return cudaErrorSymbolNotFound;
}

cudaError_t findGlobal(HipModuleObject &object, const char *name, void *&address, size_t &bytes) {
  std::map<std::string, uint64_t> &words = object.onCpu ? object.slots : hipStandIn().globals;
  if (object.onCpu && object.module->slots())
    for (const image::Slot *slot : *object.module->slots())
      object.slots.try_emplace(slot->slot()->str());
  if (auto found = words.find(name); found != words.end()) {
    address = &found->second;
    bytes = sizeof found->second;
    return cudaSuccess;
  }
  cudaError_t status = cudaErrorInvalidSymbol;
  if (object.onCpu && object.module->base())
    for (auto &[module, loaded] : object.onCpu->modules)
      if (status != cudaSuccess)
        status = loaded->variable(name, address, bytes);
  return status == cudaErrorInvalidSymbol ? cudaErrorSymbolNotFound : status;
}

} // namespace

HipResult standIn_moduleLoadData(HipModuleHandle *module, const void *image) {
  return answerCounted("hipModuleLoadData", "hipModuleLoadData", 1, [&] {
    auto object = std::make_unique<HipModuleObject>();
    object->code = static_cast<const char *>(image);
    object->bytes.assign(object->code, sizeOf(object->code));
    hipStandIn().loadedCode = object->bytes.c_str();
    cudaError_t status = attachImage(*object);
    if (status == cudaSuccess)
      *module = object.release();
    return status;
  });
}

HipResult standIn_moduleUnload(HipModuleHandle module) {
  return answerCounted("hipModuleUnload", "hipModuleLoadData", -1, [&] {
    hipStandIn().changedCodes += module->bytes != std::string(module->code, module->bytes.size());
    delete module;
    return cudaSuccess;
  });
}

HipResult standIn_moduleGetFunction(HipFunctionHandle *function, HipModuleHandle module,
                                    const char *name) {
  return answer("hipModuleGetFunction", [&] {
    auto object = std::make_unique<HipFunctionObject>();
    object->name = name;
    cudaError_t status = findFunction(*module, name, *object);
    if (status != cudaSuccess)
      return status;
    *function = object.get();
    module->functions.push_back(std::move(object));
    return cudaSuccess;
  });
}

HipResult standIn_moduleGetGlobal(void **address, size_t *bytes, HipModuleHandle module,
                                  const char *name) {
  return answer("hipModuleGetGlobal", [&] { return findGlobal(*module, name, *address, *bytes); });
}

/// Does the work of compare.cu, on the parameters of its kernel.
static void comparePages(void **parameters) {
  auto parameter = [&]<typename T>(int i, T) { return *static_cast<T *>(parameters[i]); };
  const char *left = parameter(0, static_cast<const char *>(nullptr));
  const char *right = parameter(1, static_cast<const char *>(nullptr));
  size_t bytes = parameter(2, size_t()), pageBytes = parameter(3, size_t());
  auto *differs = parameter(4, static_cast<unsigned char *>(nullptr));
  for (size_t at = 0; at < bytes; at += pageBytes)
    if (std::memcmp(left + at, right + at, std::min(pageBytes, bytes - at)) != 0)
      differs[at / pageBytes] = 1;
}

/// For a test's code, the value is 100 and the attribute.
HipResult standIn_funcGetAttribute(int *value, int attribute, HipFunctionHandle function) {
  return answer("hipFuncGetAttribute", [&] {
    cudaFuncAttributes found = {};
    cudaError_t status = function->onCpu ? function->onCpu->attributes(found) : cudaSuccess;
    const int values[] = {found.maxThreadsPerBlock,
                          int(found.sharedSizeBytes),
                          0,
                          int(found.localSizeBytes),
                          found.numRegs,
                          30,
                          0,
                          0,
                          sharedMemoryOfABlock - int(found.sharedSizeBytes),
                          0};
    *value = function->onCpu ? values[attribute] : 100 + attribute;
    return status;
  });
}

HipResult standIn_maxActiveBlocks(int *blocks, HipFunctionHandle function, int threads,
                                  size_t dynamicSharedBytes, unsigned flags) {
  return answer("hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", [&] {
    *blocks = 1;
    return function->onCpu
               ? function->onCpu->maxActiveBlocks(threads, dynamicSharedBytes, flags, *blocks)
               : cudaSuccess;
  });
}

/// Launches a kernel as `symbol`, on the CPU if its code is in an image.
static HipResult launch(const char *symbol, HipFunctionHandle function, Extent grid, Extent block,
                        unsigned dynamicSharedBytes, HipStream stream, void **parameters,
                        bool isCooperative) {
  {
    std::lock_guard lock(recordLock());
    hipStandIn().launched = {{grid[0], grid[1], grid[2]},
                             {block[0], block[1], block[2]},
                             dynamicSharedBytes,
                             stream,
                             parameters};
    if (hipStandIn().onLaunch)
      hipStandIn().onLaunch(parameters);
  }
  return answerOn(stream, symbol, [&](cudaStream_t on) {
    if (dynamicSharedBytes > sharedMemoryOfABlock)
      return cudaErrorInvalidValue;
    Launch launch = {grid,         block, dynamicSharedBytes, on, parameters, function->parameters,
                     isCooperative};
    if (function->name == "regrain_compare_pages") {
      cudaError_t status = backend().synchronize();
      comparePages(parameters);
      return status;
    }
    return function->onCpu ? backend().launch(*function->onCpu, launch) : cudaSuccess;
  });
}

HipResult standIn_launchKernel(HipFunctionHandle function, unsigned gridX, unsigned gridY,
                               unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ,
                               unsigned dynamicSharedBytes, HipStream stream, void **parameters,
                               void **) {
  return launch("hipModuleLaunchKernel", function, {gridX, gridY, gridZ}, {blockX, blockY, blockZ},
                dynamicSharedBytes, stream, parameters, /*isCooperative=*/false);
}

#if REGRAIN_STAND_IN_VERSION >= 505
HipResult standIn_launchCooperativeKernel(HipFunctionHandle function, unsigned gridX,
                                          unsigned gridY, unsigned gridZ, unsigned blockX,
                                          unsigned blockY, unsigned blockZ,
                                          unsigned dynamicSharedBytes, HipStream stream,
                                          void **parameters) {
  return launch("hipModuleLaunchCooperativeKernel", function, {gridX, gridY, gridZ},
                {blockX, blockY, blockZ}, dynamicSharedBytes, stream, parameters,
                /*isCooperative=*/true);
}
#endif
