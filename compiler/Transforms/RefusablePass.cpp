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

/// The attribute that holds the refusal on the kernel of a pipeline that has failed.
static constexpr llvm::StringLiteral refusalName = "grain.refusal";

LogicalResult regrain::settle(grain::KernelOp kernel, const Refusal &refusal, bool required) {
  if (!required) {
    emitRemark(refusal);
    return success();
  }
  mlir::emitError(Location(refusal.location)) << refusal.stage << ": " << refusal.reason;
  Builder builder(kernel.getContext());
  auto position =
      FileLineColLoc::get(builder.getStringAttr(refusal.file), refusal.line, refusal.column);
  kernel->setAttr(refusalName,
                  builder.getDictionaryAttr(
                      {builder.getNamedAttr("kind", builder.getI32IntegerAttr(int(refusal.kind))),
                       builder.getNamedAttr("location", refusal.location),
                       builder.getNamedAttr("position", position),
                       builder.getNamedAttr("reason", builder.getStringAttr(refusal.reason)),
                       builder.getNamedAttr("stage", builder.getStringAttr(refusal.stage))}));
  return failure();
}

std::optional<Refusal> regrain::refusalOf(grain::KernelOp kernel) {
  auto noted = kernel->getAttrOfType<DictionaryAttr>(refusalName);
  if (!noted)
    return std::nullopt;
  auto text = [&](StringRef name) { return noted.getAs<StringAttr>(name).getValue().str(); };
  auto position = noted.getAs<FileLineColLoc>("position");
  return Refusal{RefusalKind(noted.getAs<IntegerAttr>("kind").getInt()),
                 text("stage"),
                 position.getFilename().str(),
                 position.getLine(),
                 position.getColumn(),
                 text("reason"),
                 noted.getAs<LocationAttr>("location")};
}

LogicalResult regrain::transformAll(
    grain::KernelOp kernel, ArrayRef<uint32_t> given, bool required,
    llvm::function_ref<LogicalResult(grain::BlocksOp &, const Factors &, Refusal &)> transform) {
  if (given.size() > 3 || llvm::is_contained(given, 0u))
    return kernel.emitError("expects one to three numbers of at least 1");
  Factors factors{1, 1, 1};
  llvm::copy(given, factors.begin());
  SmallVector<grain::BlocksOp> nests;
  kernel.walk([&](grain::BlocksOp nest) { nests.push_back(nest); });
  for (grain::BlocksOp nest : nests) {
    Refusal refusal;
    if (failed(transform(nest, factors, refusal)) && failed(settle(kernel, refusal, required)))
      return failure();
  }
  return success();
}
