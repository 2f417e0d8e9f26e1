//===- Originals.cpp - The original kernels of a batch --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Originals.h"

#include "compiler/Target/CPU/CPU.h"
#include "fuzz/Random.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace regrain::fuzz {

static const Architecture deviceArch = 70;

bool isOptimised(uint64_t seed, const BatchOptions &options) {
  return Random(seed ^ 0x766563746f72).percent(options.optimised);
}

std::string symbolOf(size_t kernel) { return "k" + std::to_string(kernel); }

const Refusal *Originals::refusalOf(uint32_t index) const {
  auto found = refused.find(symbolOf(index));
  return found == refused.end() ? nullptr : &found->second;
}

bool Originals::mayBeRefused(const std::string &symbol) const {
  for (size_t i = 0; i < subjects.size(); ++i)
    if (symbolOf(i) == symbol)
      return std::holds_alternative<cooperation::Program>(subjects[i].kernel);
  return false;
}

const DeviceKernel &Originals::deviceKernel(uint32_t index) const {
  return *find_if(code.kernels,
                  [&](const DeviceKernel &kernel) { return kernel.symbol == symbolOf(index); });
}

Error Originals::compile() {
  if (Error error = compileDeviceSide())
    return error;
  if (Error error = prepare())
    return error;
  if (Error error = select())
    return error;
  Expected<Machine> loaded = load(work().kernelSymbols(), /*optLevel=*/0);
  if (!loaded)
    return loaded.takeError();
  plain.emplace(std::move(*loaded));
  if (Error error = compileForAmdgpu())
    return error;
  return compileOptimised();
}

Error Originals::compileDeviceSide() {
  SmallString<128> path;
  int file = -1;
  if (std::error_code error = sys::fs::createTemporaryFile("regrain-fuzz", "cu", file, path))
    return createStringError(error, "cannot write the kernels");
  auto removeFile = make_scope_exit([&] { sys::fs::remove(path); });
  raw_fd_ostream stream(file, /*shouldClose=*/true);
  stream << printPreludes();
  // Reasons name places in the kernel's own program, as --print shows it.
  for (size_t i = 0; i < subjects.size(); ++i)
    stream << "#line " << kernelLineOf(subjects[i].kernel) << " \"seed "
           << seedOf(subjects[i].kernel) << "\"\n"
           << print(subjects[i].kernel, symbolOf(i));
  stream.close();
  FrontendOptions frontend;
  frontend.source = std::string(path);
  frontend.headers = options.headers;
  frontend.clangArgs = {"-w"};
  Expected<DeviceCode> compiled = compileDevice(frontend, deviceArch);
  if (!compiled)
    return compiled.takeError();
  code = std::move(*compiled);
  return Error::success();
}

/// Makes the grain IR, and the device module in a context of this object.
Error Originals::prepare() {
  imageOptions.alternatives = 1;
  Expected<PreparedDevices> made = prepareDevices({ArchedDevice{deviceArch, &code}}, imageOptions);
  if (!made)
    return made.takeError();
  prepared = std::move(*made);
  prepared.context->disableMultithreading();
  Expected<std::unique_ptr<llvm::Module>> module = read(work().originalsFor(/*fixed=*/false));
  if (!module)
    return module.takeError();
  device = std::move(*module);
  return Error::success();
}

Expected<std::unique_ptr<llvm::Module>> Originals::read(ArrayRef<char> bitcode) {
  return parseBitcodeFile(MemoryBufferRef(StringRef(bitcode.data(), bitcode.size()), "device"),
                          deviceContext);
}

std::unique_ptr<llvm::Module> Originals::moduleWithFusions() {
  return cantFail(read(work().originalsFor(/*fixed=*/true)));
}

Error Originals::select() {
  std::vector<std::string> warnings, names = {"cpu"};
  for (const std::string &chip : options.amdgpu)
    names.push_back(chip);
  Expected<std::vector<SelectedTarget>> found = selectTargets(names, CodeForm::IR, warnings);
  if (!found)
    return found.takeError();
  selected = std::move(*found);
  return Error::success();
}

Error Originals::compileForAmdgpu() {
  CodegenOptions codegen;
  codegen.optLevel = 0;
  codegen.fuseMultiplyAdd = false; // as on the CPU
  for (const SelectedTarget &target : targets().drop_front()) {
    Expected<AmdgpuOriginals> compiled =
        AmdgpuOriginals::compile(target, *device, work().kernelSymbols(), codegen);
    if (!compiled)
      return compiled.takeError();
    lowered.push_back(std::move(*compiled));
  }
  return Error::success();
}

Error Originals::compileOptimised() {
  std::vector<std::string> symbols;
  for (size_t i = 0; i < subjects.size(); ++i)
    if (isOptimised(seedOf(subjects[i].kernel), options))
      symbols.push_back(symbolOf(i));
  if (symbols.empty())
    return Error::success();
  Expected<Machine> loaded = load(symbols, highestLevel);
  if (!loaded)
    return loaded.takeError();
  optimised.emplace(std::move(*loaded));
  return Error::success();
}

/// Loads kernels into a machine of their own.
Expected<Machine> Originals::load(ArrayRef<std::string> symbols, unsigned optLevel) {
  CodegenOptions codegen;
  codegen.optLevel = optLevel;
  Expected<CompiledModule> compiled =
      CPUTarget().compileBase(CloneModule(*device), symbols, codegen);
  if (!compiled)
    return compiled.takeError();
  for (const KernelCode &kernel : compiled->kernels) {
    if (!kernel.refusal)
      continue;
    // Other kernels use only what every target supports.
    if (!mayBeRefused(kernel.symbol))
      return createStringError(kernel.symbol + ": " + kernel.refusal->reason);
    refused.try_emplace(kernel.symbol, *kernel.refusal);
  }
  Expected<Machine> created = Machine::create();
  if (!created)
    return created.takeError();
  if (Error error = created->add(compiled->code))
    return std::move(error);
  return created;
}

} // namespace regrain::fuzz
