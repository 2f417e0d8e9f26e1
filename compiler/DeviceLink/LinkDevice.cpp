//===- LinkDevice.cpp - Device code of several objects to one module ------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceLink/LinkDevice.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/DeviceLink/LaunchMetadata.h"
#include "compiler/Frontend/DeviceFacts.h"
#include "compiler/Frontend/OfferedVariants.h"
#include "compiler/Frontend/Restrict.h"
#include "compiler/Frontend/Unsupported.h"
#include "compiler/Target/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/Linker/Linker.h"

using namespace llvm;

namespace regrain {
namespace {

constexpr StringLiteral flushFlag = "nvvm-reflect-ftz";

/// The modules of one device program before they become one.
class DeviceLinker {
public:
  DeviceLinker(ArrayRef<LinkableObject> objects, Architecture arch) : objects(objects), arch(arch) {
    code.context = std::make_unique<LLVMContext>();
  }

  Expected<DeviceCode> link(std::vector<std::string> &linked);

private:
  struct Input {
    const LinkableObject *object;
    std::unique_ptr<Module> module;
    bool isSelected = false;
  };

  Error read();
  void select(Input &input);
  void selectNeededMembers();
  void selectOtherMembers();
  bool definesNeeded(const Input &input) const;
  bool definesAgain(const Input &input) const;
  void agreeOnFlags();
  void agreeOnSharedMemory();
  Error combine();
  std::string reasonAgainst(const GlobalValue &undefined) const;

  ArrayRef<LinkableObject> objects;
  Architecture arch;
  DeviceCode code;
  std::vector<Input> inputs;
  StringMap<const LinkableObject *> definedIn;
  StringSet<> weaklyDefined; ///< templates and inline functions, which several objects define
  StringMap<std::vector<StringRef>> neededBy; ///< names of objects, by symbol
  std::vector<std::string> errors;
};

Error DeviceLinker::read() {
  for (const LinkableObject &object : objects) {
    if (object.units.empty())
      continue;
    size_t before = inputs.size();
    for (const DeviceUnit &unit : object.units) {
      if (unit.arch != arch)
        continue;
      auto module = parseBitcodeFile(MemoryBufferRef(unit.bitcode, object.name), *code.context);
      if (!module)
        return createStringError(object.name + ": " + toString(module.takeError()));
      inputs.push_back({&object, std::move(*module)});
    }
    if (inputs.size() == before)
      errors.push_back(object.name + " has no device code for " + arch.chip() +
                       "; compile it for the architectures that the device link names");
  }
  return errors.empty() ? Error::success() : createStringError(join(errors, "\n"));
}

void DeviceLinker::select(Input &input) {
  input.isSelected = true;
  for (const GlobalValue &global : input.module->global_values()) {
    StringRef name = global.getName();
    if (global.hasLocalLinkage() || name.starts_with("llvm."))
      continue;
    if (global.isDeclarationForLinker()) {
      neededBy[name].push_back(input.object->name);
    } else if (global.isStrongDefinitionForLinker()) {
      auto [known, isNew] = definedIn.try_emplace(name, input.object);
      if (!isNew)
        errors.push_back("'" + demangle(name) + "' is defined in " + known->second->name +
                         " and in " + input.object->name + "; device code has it once");
    } else {
      weaklyDefined.insert(name);
    }
  }
}

bool DeviceLinker::definesNeeded(const Input &input) const {
  return any_of(input.module->global_values(), [&](const GlobalValue &global) {
    return global.isStrongDefinitionForLinker() && !global.hasLocalLinkage() &&
           neededBy.contains(global.getName()) && !definedIn.contains(global.getName()) &&
           !weaklyDefined.contains(global.getName());
  });
}

bool DeviceLinker::definesAgain(const Input &input) const {
  return any_of(input.module->global_values(), [&](const GlobalValue &global) {
    return global.isStrongDefinitionForLinker() && !global.hasLocalLinkage() &&
           definedIn.contains(global.getName());
  });
}

void DeviceLinker::selectNeededMembers() {
  for (bool changed = true; changed;) {
    changed = false;
    for (Input &input : inputs)
      if (!input.isSelected && definesNeeded(input)) {
        select(input);
        changed = true;
      }
  }
}

void DeviceLinker::selectOtherMembers() {
  for (Input &input : inputs)
    if (!input.isSelected && !definesAgain(input)) {
      select(input);
      selectNeededMembers();
    }
}

/// Lets the library's functions treat denormals exactly if one of the modules asks for it. The
/// program's own functions carry this as attributes.
void DeviceLinker::agreeOnFlags() {
  bool flushesAlways = all_of(inputs, [](const Input &input) {
    auto *flag = mdconst::extract_or_null<ConstantInt>(input.module->getModuleFlag(flushFlag));
    return !input.isSelected || (flag && flag->isOne());
  });
  for (Input &input : inputs)
    if (input.module->getModuleFlag(flushFlag))
      input.module->setModuleFlag(Module::Override, flushFlag, flushesAlways);
}

/// Gives dynamic shared memory, which each file declares with a type of its own, the largest
/// alignment that a file asks for.
void DeviceLinker::agreeOnSharedMemory() {
  StringMap<Align> alignments;
  auto forEach = [&](function_ref<void(GlobalVariable &, Align &)> apply) {
    for (Input &input : inputs)
      for (GlobalVariable &global : input.module->globals())
        if (global.isDeclaration() && global.getAddressSpace() == sharedSpace)
          apply(global, alignments[global.getName()]);
  };
  forEach([](GlobalVariable &global, Align &largest) {
    largest = std::max(largest, global.getAlign().valueOrOne());
  });
  forEach([](GlobalVariable &global, Align &largest) { global.setAlignment(largest); });
}

Error DeviceLinker::combine() {
  agreeOnFlags();
  agreeOnSharedMemory();
  code.module = std::make_unique<Module>("device-link", *code.context);
  DiagnosticScope diagnostics(*code.context);
  Linker linker(*code.module);
  for (Input &input : inputs) {
    if (!input.isSelected)
      continue;
    if (code.module->getTargetTriple().empty()) {
      code.module->setTargetTriple(input.module->getTargetTriple());
      code.module->setDataLayout(input.module->getDataLayout());
    }
    if (linker.linkInModule(std::move(input.module)))
      return createStringError(input.object->name + ": " + toString(diagnostics.takeError()));
  }
  return Error::success();
}

std::string DeviceLinker::reasonAgainst(const GlobalValue &undefined) const {
  auto users = neededBy.find(undefined.getName());
  std::string needing =
      users == neededBy.end() ? "" : "; it is needed by " + join(users->second, ", ");
  return describeUndefined(undefined) + " is not defined in any object of the device link" +
         needing;
}

Expected<DeviceCode> DeviceLinker::link(std::vector<std::string> &linked) {
  if (Error error = read())
    return std::move(error);
  for (Input &input : inputs)
    if (!input.object->isMember)
      select(input);
  selectNeededMembers();
  selectOtherMembers();
  if (!errors.empty())
    return createStringError(join(errors, "\n"));
  for (const Input &input : inputs)
    if (input.isSelected)
      linked.push_back(input.object->name);
  if (Error error = combine())
    return std::move(error);
  auto variants = takeVariants(*code.module);
  if (!variants)
    return make_error<Diagnosed>();
  code.variants = std::move(*variants);
  code.kernels = findKernels(*code.module);
  code.variables = findVariables(*code.module);
  takeLaunches(code);
  fixClusters(code);
  if (reportWrongVariants(code) ||
      reportUnsupported(*code.module, code.kernels,
                        [&](const GlobalValue &undefined) { return reasonAgainst(undefined); }))
    return make_error<Diagnosed>();
  keepRestrictToOneThread(*code.module);
  return std::move(code);
}

} // namespace

Expected<DeviceCode> linkDevice(ArrayRef<LinkableObject> objects, Architecture arch,
                                std::vector<std::string> &linked) {
  return DeviceLinker(objects, arch).link(linked);
}

} // namespace regrain
