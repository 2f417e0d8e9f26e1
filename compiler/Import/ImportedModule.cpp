//===- ImportedModule.cpp - Device LLVM IR to grain IR --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Import/Park.h"
#include "compiler/Import/Prepare.h"
#include "compiler/Import/Raisable.h"
#include "compiler/Import/RaiseLoops.h"
#include "compiler/Import/ShownConstants.h"
#include "compiler/Import/Skeleton.h"
#include "compiler/Import/Structure.h"
#include "compiler/Import/WrapNest.h"
#include "compiler/Refusal/DebugPosition.h"
#include "compiler/Refusal/FirstError.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMIRToLLVMTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/LLVMIRToNVVMTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Import.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace mlir;
using namespace regrain;

namespace {

class Importer {
public:
  Importer(ImportedModule::Contents &contents, MLIRContext &context)
      : contents(contents), context(context) {}

  llvm::Error run(const llvm::Module &device, ArrayRef<std::string> symbols);

private:
  llvm::Error load(const llvm::Module &device);
  void selectKernels(ArrayRef<std::string> symbols);
  void dropRefused();
  llvm::Error translate(const llvm::Module &module);
  OwningOpRef<ModuleOp> translateKernels(const llvm::Module &module,
                                         ArrayRef<llvm::Function *> wanted);
  void raise(LLVM::LLVMFuncOp function);
  void reject(StringRef symbol, RefusalKind kind, std::string reason);

  ImportedModule::Contents &contents;
  MLIRContext &context;
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> module;
  std::vector<llvm::Function *> kernels;
  llvm::StringMap<SourcePosition> definitions; ///< of kernels
  ParkedIntrinsics parked;
  SharedVariables shared;
};

llvm::SmallVector<char, 0> bitcodeOf(const llvm::Module &module) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::WriteBitcodeToFile(module, stream);
  return bytes;
}

/// Copies the module into the importer's own context, since the caller's may be in use.
llvm::Error Importer::load(const llvm::Module &device) {
  llvm::SmallVector<char, 0> bytes = bitcodeOf(device);
  llvm::MemoryBufferRef buffer(StringRef(bytes.data(), bytes.size()), device.getName());
  auto parsed = llvm::parseBitcodeFile(buffer, llvmContext);
  if (!parsed)
    return parsed.takeError();
  module = std::move(*parsed);
  for (llvm::GlobalVariable &global : module->globals())
    if (!global.hasName())
      global.setName("unnamed");
  return llvm::Error::success();
}

void Importer::selectKernels(ArrayRef<std::string> symbols) {
  for (const std::string &symbol : symbols) {
    llvm::Function *function = module->getFunction(symbol);
    if (function && !function->isDeclaration())
      kernels.push_back(function);
    else
      contents.notRaised.try_emplace(
          symbol, Refusal{RefusalKind::NoBody, "it is declared in this file, but not defined"});
  }
}

void Importer::dropRefused() {
  llvm::DenseSet<const llvm::Function *> cooperating = findCooperating(*module);
  llvm::erase_if(kernels, [&](llvm::Function *kernel) {
    std::optional<Refusal> refusal = checkRaisable(*kernel, cooperating);
    if (refusal)
      contents.notRaised.try_emplace(kernel->getName().str(), std::move(*refusal));
    return refusal.has_value();
  });
}

void Importer::reject(StringRef symbol, RefusalKind kind, std::string reason) {
  contents.notRaised.try_emplace(symbol.str(),
                                 Refusal{kind, std::move(reason), definitions.lookup(symbol)});
}

OwningOpRef<ModuleOp> Importer::translateKernels(const llvm::Module &module,
                                                 ArrayRef<llvm::Function *> wanted) {
  return translateLLVMIRToModule(extractKernels(module, wanted), &context,
                                 /*emitExpensiveWarnings=*/false);
}

/// Translates all kernels at once; if that fails, finds out which of them fail.
llvm::Error Importer::translate(const llvm::Module &module) {
  FirstError error(context);
  contents.module = translateKernels(module, kernels);
  if (contents.module)
    return llvm::Error::success();
  llvm::erase_if(kernels, [&](llvm::Function *kernel) {
    FirstError ownError(context);
    if (translateKernels(module, kernel))
      return false;
    reject(kernel->getName(), RefusalKind::UnknownLLVM,
           "its LLVM IR cannot be imported: " + ownError.message);
    return true;
  });
  contents.module = translateKernels(module, kernels);
  if (contents.module)
    return llvm::Error::success();
  return llvm::createStringError("the device module cannot be imported: " + error.message);
}

void Importer::raise(LLVM::LLVMFuncOp function) {
  std::string symbol = function.getName().str();
  FirstError error(context);
  if (failed(structure(function, [&](Operation &op) { return isBlockBarrier(op, parked); }))) {
    reject(symbol, RefusalKind::ControlFlow, error.message);
    function.erase();
    return;
  }
  grain::KernelOp kernel = wrapNest(function, parked, shared);
  if (failed(raiseLoops(kernel)) || failed(verify(kernel))) {
    reject(symbol, RefusalKind::MalformedImport, "its grain IR is invalid: " + error.message);
    kernel.erase();
  }
}

/// Erases declarations that nothing in grain IR refers to.
void eraseUnusedSymbols(ModuleOp module) {
  llvm::DenseSet<StringAttr> used;
  module.walk([&](Operation *op) {
    for (NamedAttribute attribute : op->getAttrs())
      attribute.getValue().walk(
          [&](SymbolRefAttr reference) { used.insert(reference.getRootReference()); });
  });
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (isa<LLVM::LLVMFuncOp, LLVM::GlobalOp>(op) &&
        !used.contains(SymbolTable::getSymbolName(&op)))
      op.erase();
}

llvm::Error Importer::run(const llvm::Module &device, ArrayRef<std::string> symbols) {
  if (llvm::Error error = load(device))
    return error;
  selectKernels(symbols);
  keepHeldAddresses(*module);
  llvm::Expected<bool> isStaying = prepareForAll(*module, kernels);
  if (!isStaying)
    return isStaying.takeError();
  std::unique_ptr<llvm::Module> base = llvm::CloneModule(*module);
  if (llvm::Error error = *isStaying ? inlineStaying(*module, kernels) : llvm::Error::success())
    return error;
  prepareForImport(*module, kernels);
  dropRefused();
  // A function that was inlined everywhere, or is called only by rejected kernels, would still
  // count as a user of shared memory.
  dropUnreached(*module, kernels);
  llvm::SetVector<const llvm::GlobalVariable *> shown = findShownConstants(*module);
  for (const llvm::GlobalVariable *constant : shown) {
    contents.shownConstants.push_back(constant->getName().str());
    base->getNamedGlobal(constant->getName())->setLinkage(llvm::GlobalValue::ExternalLinkage);
  }
  contents.base = bitcodeOf(*base);
  for (llvm::Function *kernel : kernels)
    definitions[kernel->getName()] = definitionOf(*kernel);
  CalleeTable functions = describeFunctions(*module, kernels);
  shared = findSharedVariables(*module, kernels);
  ParkedInstructions instructions = park(*module, kernels, importableIntrinsics(context));
  parked = std::move(instructions.intrinsics);
  if (llvm::Error error = translate(*module))
    return error;
  attachFacts(*contents.module, functions);
  attachFacts(*contents.module, instructions.callees);
  contents.skeleton = makeSkeleton(*module, kernels, shown);
  for (llvm::Function *kernel : kernels)
    raise(contents.module->lookupSymbol<LLVM::LLVMFuncOp>(kernel->getName()));
  eraseUnusedSymbols(*contents.module);
  return llvm::Error::success();
}

} // namespace

ImportedModule::ImportedModule() : state(std::make_unique<Contents>()) {}
ImportedModule::~ImportedModule() = default;
ImportedModule::ImportedModule(ImportedModule &&) = default;
ImportedModule &ImportedModule::operator=(ImportedModule &&) = default;

ModuleOp ImportedModule::module() const { return *state->module; }

const RefusedKernels &ImportedModule::notRaised() const { return state->notRaised; }

ArrayRef<char> ImportedModule::base() const { return state->base; }

ArrayRef<std::string> ImportedModule::shownConstants() const { return state->shownConstants; }

void regrain::registerGrainIRDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect, DLTIDialect, func::FuncDialect,
                  grain::GrainDialect, LLVM::LLVMDialect, NVVM::NVVMDialect, scf::SCFDialect,
                  ub::UBDialect>();
  registerLLVMDialectImport(registry);
  registerNVVMDialectImport(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

llvm::Expected<ImportedModule> regrain::importDeviceModule(const llvm::Module &device,
                                                           ArrayRef<std::string> kernels,
                                                           MLIRContext &context) {
  DialectRegistry registry;
  registerGrainIRDialects(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  ImportedModule imported;
  if (llvm::Error error = Importer(*imported.state, context).run(device, kernels))
    return std::move(error);
  return imported;
}
