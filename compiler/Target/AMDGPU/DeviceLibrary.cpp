//===- DeviceLibrary.cpp - Device functions and OCML ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/DeviceLibrary.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/DeviceIR/ProductFunctions.h"
#include "compiler/Folders/Folders.h"
#include "compiler/Target/AMDGPU/Retarget.h"
#include "compiler/Target/Bitcode.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;

// The library's bitcode; REGRAIN_AMDGPU_LIBRARY is the path of the file.
asm(".section .rodata\n"
    ".balign 16\n"
    "regrainAMDGPULibraryBegin:\n"
    ".incbin \"" REGRAIN_AMDGPU_LIBRARY "\"\n"
    "regrainAMDGPULibraryEnd:\n"
    ".previous\n");
extern "C" const char regrainAMDGPULibraryBegin[], regrainAMDGPULibraryEnd[];

namespace regrain::amdgpu {

/// Returns the folders to search. If HIP_DEVICE_LIB_PATH names a folder, it is the only one.
static std::vector<std::string> libraryFolders() {
  std::vector<std::string> folders;
  if (std::optional<std::string> value = sys::Process::GetEnv("HIP_DEVICE_LIB_PATH");
      value && !value->empty())
    return {*value};
  if (std::optional<std::string> value = sys::Process::GetEnv("ROCM_PATH"))
    folders.push_back(*value + "/amdgcn/bitcode");
  folders.push_back(inFolder(thirdPartyFolder(), "amdgcn/bitcode"));
  folders.insert(folders.end(),
                 {"/opt/rocm/amdgcn/bitcode", "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode",
                  "/usr/lib/amdgcn/bitcode", "/usr/lib64/amdgcn/bitcode"});
  return folders;
}

Expected<std::string> findDeviceLibraries(StringRef given) {
  std::vector<std::string> folders = libraryFolders();
  if (!given.empty())
    folders = {given.str()};
  for (const std::string &folder : folders)
    if (sys::fs::is_regular_file(folder + "/ocml.bc"))
      return folder;
  return createStringError("no device libraries for AMD GPUs: ocml.bc is not in " +
                           join(folders, ", ") + " (Debian: the package rocm-device-libs)");
}

static bool needs(const Module &module, StringRef prefix) {
  return any_of(module, [&](const Function &function) {
    return function.isDeclaration() && !function.isIntrinsic() && !function.use_empty() &&
           function.getName().starts_with(prefix);
  });
}

/// Links a library. Module flags of the module take precedence over the library's.
static Error link(Module &module, Expected<std::unique_ptr<Module>> library) {
  if (!library)
    return library.takeError();
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  for (StringRef name : {"llvm.module.flags", "llvm.ident", "opencl.ocl.version"})
    if (NamedMDNode *node = (*library)->getNamedMetadata(name))
      node->eraseFromParent();
  return linkNeeded(module, std::move(*library));
}

static Expected<std::unique_ptr<Module>> mark(Expected<std::unique_ptr<Module>> library,
                                              StringRef attribute) {
  if (library)
    for (Function &function : **library)
      if (!function.isDeclaration())
        function.addFnAttr(attribute);
  return library;
}

static Expected<std::unique_ptr<Module>> openOwn(LLVMContext &context) {
  StringRef bytes(regrainAMDGPULibraryBegin, regrainAMDGPULibraryEnd - regrainAMDGPULibraryBegin);
  return mark(getLazyBitcodeModule({bytes, "device library"}, context), ownAttribute);
}

/// Defines the constants of ROCm-Device-Libs, "doc/OCML.md", "Controls".
static void defineControls(Module &module, const Chip &chip, const LibrarySettings &settings) {
  auto define = [&](StringRef name, unsigned bits, uint64_t value) {
    GlobalVariable *control = module.getNamedGlobal(name);
    if (!control)
      return;
    Type *type = Type::getIntNTy(module.getContext(), bits);
    auto *defined = new GlobalVariable(module, type, true, GlobalValue::InternalLinkage,
                                       ConstantInt::get(type, value), "", nullptr,
                                       GlobalValue::NotThreadLocal, constantSpace);
    control->replaceAllUsesWith(defined);
    control->eraseFromParent();
    defined->setName(name);
  };
  define("regrain_wave_size", 32, chip.waveSize);
  define("__oclc_finite_only_opt", 8, 0);
  define("__oclc_unsafe_math_opt", 8, 0);
  define("__oclc_daz_opt", 8, settings.flushToZero);
  define("__oclc_correctly_rounded_sqrt32", 8, 1);
  define("__oclc_wavefrontsize64", 8, chip.waveSize == 64);
  define("__oclc_ISA_version", 32, chip.isaVersion());
  define("__oclc_ABI_version", 32, settings.codeObjectVersion * 100);
}

/// Lets products of matrices be those of the chip's matrix cores, where these compute as PTX
/// requires: codes of 8 bits are no subnormal halves.
static void takeMatrixCores(Module &module, MatrixCores cores) {
  if (cores == MatrixCores::None)
    return;
  for (Function &function : module) {
    StringRef name = function.getName();
    if (function.isDeclaration() && name.starts_with("regrain_mma_sync_") &&
        (cores == MatrixCores::KeepSubnormals || name.ends_with("_e4m3")))
      function.setName(name + "_cores");
  }
}

/// Opens ROCm's library of functions that are not mathematical. If such a function waits in a loop,
/// it does so safely.
static Expected<std::unique_ptr<Module>> openSystem(StringRef path, LLVMContext &context) {
  return mark(openBitcode(path, context), systemAttribute);
}

Error linkDeviceLibrary(Module &module, const Chip &chip, const LibrarySettings &settings) {
  joinFactors(module);
  takeMatrixCores(module, chip.matrixCores);
  if (Error error = link(module, openOwn(module.getContext())))
    return error;
  if (needs(module, "__ocml_"))
    if (Error error = link(module, openBitcode(settings.folder + "/ocml.bc", module.getContext())))
      return error;
  if (needs(module, "__ockl_"))
    if (Error error = link(module, openSystem(settings.folder + "/ockl.bc", module.getContext())))
      return error;
  defineControls(module, chip, settings);
  return Error::success();
}

} // namespace regrain::amdgpu
