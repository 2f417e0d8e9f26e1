//===- RefusablePass.cpp - A pass that may be refused ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/RefusablePass.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace regrain;

/// The attribute that holds the refused step on the kernel of a pipeline that has failed.
static constexpr llvm::StringLiteral refusalName = "grain.refusal";

static void note(grain::KernelOp kernel, const RefusedStep &step) {
  Builder builder(kernel.getContext());
  const SourcePosition &where = step.refusal.where;
  auto position = FileLineColLoc::get(builder.getStringAttr(where.file), where.line, where.column);
  auto kind = builder.getI32IntegerAttr(int(step.refusal.kind));
  kernel->setAttr(
      refusalName,
      builder.getDictionaryAttr(
          {builder.getNamedAttr("kind", kind), builder.getNamedAttr("position", position),
           builder.getNamedAttr("reason", builder.getStringAttr(step.refusal.reason)),
           builder.getNamedAttr("step", builder.getStringAttr(step.name))}));
}

std::optional<RefusedStep> regrain::refusedStepOf(grain::KernelOp kernel) {
  auto noted = kernel->getAttrOfType<DictionaryAttr>(refusalName);
  if (!noted)
    return std::nullopt;
  auto text = [&](StringRef name) { return noted.getAs<StringAttr>(name).getValue().str(); };
  auto kind = RefusalKind(noted.getAs<IntegerAttr>("kind").getInt());
  auto position = noted.getAs<FileLineColLoc>("position");
  SourcePosition where = {position.getFilename().str(), position.getLine(), position.getColumn()};
  return RefusedStep{text("step"), {kind, text("reason"), std::move(where)}};
}

void regrain::emitRemark(const RefusedStep &step, MLIRContext *context) {
  mlir::emitRemark(locationOf(step.refusal.where, context))
      << step.name << ": " << step.refusal.reason
      << "; to lift this: " << remedyFor(step.refusal.kind);
}

LogicalResult regrain::settle(const Pass &pass, grain::KernelOp kernel,
                              std::optional<Refusal> refusal, bool required) {
  if (!refusal)
    return success();
  StringRef name = pass.getArgument();
  name.consume_front("grain-");
  RefusedStep step = {name.str(), std::move(*refusal)};
  if (!required) {
    emitRemark(step, kernel.getContext());
    return success();
  }
  mlir::emitError(locationOf(step.refusal.where, kernel.getContext()))
      << step.name << ": " << step.refusal.reason;
  note(kernel, step);
  return failure();
}

LogicalResult regrain::transformAll(
    const Pass &pass, grain::KernelOp kernel, ArrayRef<uint32_t> given, bool required,
    llvm::function_ref<std::optional<Refusal>(grain::BlocksOp &, const Factors &)> transform) {
  if (given.size() > 3 || llvm::is_contained(given, 0u))
    return kernel.emitError("expects one to three numbers of at least 1");
  Factors factors{1, 1, 1};
  llvm::copy(given, factors.begin());
  SmallVector<grain::BlocksOp> nests;
  kernel.walk([&](grain::BlocksOp nest) { nests.push_back(nest); });
  for (grain::BlocksOp nest : nests)
    if (failed(settle(pass, kernel, transform(nest, factors), required)))
      return failure();
  return success();
}
