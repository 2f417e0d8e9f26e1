//===- Export.cpp - Grain IR to device LLVM IR ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Export/Export.h"

#include "compiler/Export/Lower.h"
#include "compiler/Import/Skeleton.h"
#include "compiler/Refusal/FirstError.h"
#include "mlir/IR/Builders.h"
#include "mlir/Target/LLVMIR/Export.h"

using namespace mlir;
using namespace regrain;

namespace {

/// Returns a new module with a copy of `kernel` and of what it refers to, because other threads may
/// read the caller's module.
OwningOpRef<ModuleOp> isolate(grain::KernelOp kernel) {
  auto source = kernel->getParentOfType<ModuleOp>();
  OwningOpRef<ModuleOp> result = ModuleOp::create(source.getLoc());
  for (NamedAttribute attribute : source->getDiscardableAttrs())
    (*result)->setDiscardableAttr(attribute.getName(), attribute.getValue());
  OpBuilder builder = OpBuilder::atBlockEnd(result->getBody());
  llvm::DenseSet<StringAttr> used;
  kernel.walk([&](Operation *op) {
    for (NamedAttribute attribute : op->getAttrs())
      attribute.getValue().walk(
          [&](FlatSymbolRefAttr reference) { used.insert(reference.getAttr()); });
  });
  for (Operation &op : *source.getBody())
    if (isa<LLVM::LLVMFuncOp, LLVM::GlobalOp>(op) && used.contains(SymbolTable::getSymbolName(&op)))
      builder.clone(op);
  builder.clone(*kernel);
  return result;
}

LaunchScale scaleOf(grain::BlocksOp blocks) {
  LaunchScale scale;
  grain::ThreadsOp threads = blocks.threads();
  llvm::copy(threads.getFactors(), scale.divisor.begin());
  scale.bound = threads.getBound();
  for (unsigned d = 0; d < 3; ++d) {
    scale.multiplier[d] = threads.getFusedIn(d);
    if (std::optional<int32_t> threadCount = threads.getKnownIterations(d))
      (d ? *scale.block : scale.block.emplace())[d] = *threadCount;
    if (std::optional<int32_t> blockCount = blocks.getKnownIterations(d))
      (d ? *scale.grid : scale.grid.emplace())[d] = *blockCount;
  }
  return scale;
}

llvm::Error exportError(StringRef symbol, StringRef stage, const FirstError &error) {
  return llvm::createStringError("'" + symbol + "' could not be " + stage + ": " + error.message);
}

} // namespace

llvm::Expected<std::unique_ptr<llvm::Module>> regrain::exportKernel(grain::KernelOp kernel,
                                                                    const ImportedModule &imported,
                                                                    StringRef symbol,
                                                                    llvm::LLVMContext &context) {
  FirstError error(*kernel.getContext());
  LaunchScale scale;
  kernel.walk([&](grain::BlocksOp blocks) { scale = scaleOf(blocks); });
  OwningOpRef<ModuleOp> module = isolate(kernel);
  auto copy = *module->getOps<grain::KernelOp>().begin();
  FailureOr<LLVM::LLVMFuncOp> function = lowerNest(copy, symbol);
  if (failed(function) || failed(lowerControlFlow(*function)))
    return exportError(symbol, "lowered", error);
  std::unique_ptr<llvm::Module> body = translateModuleToLLVMIR(*module, context, symbol);
  if (!body)
    return exportError(symbol, "translated to LLVM IR", error);
  return linkIntoSkeleton(imported.contents().skeleton, std::move(body), symbol, kernel.getName(),
                          scale);
}
