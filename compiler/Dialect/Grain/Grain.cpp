//===- Grain.cpp - The parallel nest of a kernel --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Dialect/Grain/Grain.h"

#include "compiler/Dialect/Grain/ThreadSplit.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include "compiler/Dialect/Grain/GrainDialect.cpp.inc"
#include "compiler/Dialect/Grain/GrainEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "compiler/Dialect/Grain/GrainAttributes.cpp.inc"

using namespace mlir;

namespace regrain::grain {

void GrainDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/Dialect/Grain/GrainAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "compiler/Dialect/Grain/GrainOps.cpp.inc"
      >();
}

Operation *GrainDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                             Location location) {
  return arith::ConstantOp::materialize(builder, value, type, location);
}

//===----------------------------------------------------------------------===//
// grain.kernel
//===----------------------------------------------------------------------===//

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> arguments, ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag, std::string &) -> Type {
    return builder.getFunctionType(arguments, results);
  };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false, getFunctionTypeAttrName(result.name), buildType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void KernelOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false,
                                           getFunctionTypeAttrName(), getArgAttrsAttrName(),
                                           getResAttrsAttrName());
}

LogicalResult KernelOp::verify() {
  if (!getFunctionType().getResults().empty())
    return emitOpError("returns nothing");
  Block &block = getBody().front();
  if (block.empty() || !isa<ReturnOp>(block.back()))
    return emitOpError("expects its body to end in 'grain.return'");
  auto isNest = [](Operation &op) { return isa<BlocksOp, AlternativesOp>(op); };
  if (llvm::count_if(block, isNest) != 1)
    return emitOpError("expects exactly one 'grain.blocks' or one "
                       "'grain.alternatives'");
  return success();
}

//===----------------------------------------------------------------------===//
// grain.blocks and grain.threads
//===----------------------------------------------------------------------===//

constexpr StringLiteral factorsKeyword = "factors";
constexpr StringLiteral wholeWarpsKeyword = "whole_warps";

/// Parses `(%x, %y, %z) (factors [f, g, h])? (attributes {...})? { body }`.
static ParseResult parseNest(OpAsmParser &parser, OperationState &result, StringAttr factorsName,
                             StringAttr wholeWarpsName) {
  SmallVector<OpAsmParser::Argument, 3> coordinates;
  if (parser.parseArgumentList(coordinates, OpAsmParser::Delimiter::Paren))
    return failure();
  Type i32 = parser.getBuilder().getI32Type();
  for (OpAsmParser::Argument &coordinate : coordinates)
    coordinate.type = i32;
  if (succeeded(parser.parseOptionalKeyword(factorsKeyword))) {
    Attribute factors = DenseI32ArrayAttr::parse(parser, Type());
    if (!factors)
      return failure();
    result.addAttribute(factorsName, factors);
  }
  if (wholeWarpsName && succeeded(parser.parseOptionalKeyword(wholeWarpsKeyword)))
    result.addAttribute(wholeWarpsName, parser.getBuilder().getUnitAttr());
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  return parser.parseRegion(*result.addRegion(), coordinates);
}

static void printNest(OpAsmPrinter &printer, Operation *op, Region &body, ArrayRef<int32_t> factors,
                      bool wholeWarps, ArrayRef<StringRef> elided) {
  printer << " (";
  llvm::interleaveComma(body.getArguments(), printer, [&](BlockArgument value) {
    printer.printRegionArgument(value, {}, /*omitType=*/true);
  });
  printer << ")";
  if (llvm::any_of(factors, [](int32_t factor) { return factor != 1; })) {
    printer << " " << factorsKeyword << " [";
    llvm::interleaveComma(factors, printer);
    printer << "]";
  }
  if (wholeWarps)
    printer << " " << wholeWarpsKeyword;
  printer.printOptionalAttrDictWithKeyword(op->getAttrs(), elided);
  printer << " ";
  printer.printRegion(body, /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/false);
}

static LogicalResult verifyCoordinates(Operation *op, Block &body) {
  if (body.getNumArguments() != 3 ||
      !llvm::all_of(body.getArgumentTypes(), [](Type type) { return type.isSignlessInteger(32); }))
    return op->emitOpError("expects three i32 coordinates");
  return success();
}

/// Hoists `op` unless its value differs between threads. A special register (threadIdx, laneid,
/// ...) has its value only for the running thread, although the operation that reads it is pure.
static void hoistUnlessPerThread(Operation *op, Operation *nest) {
  if (op->getDialect() && op->getDialect()->getNamespace() == "nvvm")
    return;
  op->moveBefore(nest);
}

ParseResult BlocksOp::parse(OpAsmParser &parser, OperationState &result) {
  if (parseNest(parser, result, getFactorsAttrName(result.name), {}))
    return failure();
  ensureTerminator(*result.regions.front(), parser.getBuilder(), result.location);
  return success();
}

void BlocksOp::print(OpAsmPrinter &printer) {
  printNest(printer, *this, getBody(), getFactors(), false, {getFactorsAttrName()});
}

LogicalResult BlocksOp::verify() {
  if (failed(verifyCoordinates(*this, getBody().front())))
    return failure();
  if (llvm::range_size(getBody().getOps<ThreadsOp>()) != 1)
    return emitOpError("expects exactly one 'grain.threads'");
  return success();
}

SmallVector<Region *> BlocksOp::getLoopRegions() { return {&getBody()}; }

std::optional<SmallVector<Value>> BlocksOp::getLoopInductionVars() {
  return SmallVector<Value>(getBody().getArguments());
}

void BlocksOp::moveOutOfLoop(Operation *op) { hoistUnlessPerThread(op, *this); }

ParseResult ThreadsOp::parse(OpAsmParser &parser, OperationState &result) {
  if (parseNest(parser, result, getFactorsAttrName(result.name),
                getWholeWarpsAttrName(result.name)))
    return failure();
  ensureTerminator(*result.regions.front(), parser.getBuilder(), result.location);
  return success();
}

void ThreadsOp::print(OpAsmPrinter &printer) {
  printNest(printer, *this, getBody(), getFactors(), getWholeWarps(),
            {getFactorsAttrName(), getWholeWarpsAttrName()});
}

LogicalResult ThreadsOp::verify() { return verifyCoordinates(*this, getBody().front()); }

SmallVector<Region *> ThreadsOp::getLoopRegions() { return {&getBody()}; }

std::optional<SmallVector<Value>> ThreadsOp::getLoopInductionVars() {
  return SmallVector<Value>(getBody().getArguments());
}

void ThreadsOp::moveOutOfLoop(Operation *op) { hoistUnlessPerThread(op, *this); }

BlocksOp KernelOp::blocks() {
  auto nests = getBody().getOps<BlocksOp>();
  return nests.empty() ? BlocksOp() : *nests.begin();
}

ThreadsOp BlocksOp::threads() { return *getBody().getOps<ThreadsOp>().begin(); }

std::optional<int64_t> BlocksOp::getKnownCount(unsigned dimension) {
  if (!getKnownGrid())
    return std::nullopt;
  int64_t blocks = (*getKnownGrid())[dimension];
  auto shape = threads().getShape();
  if (!shape)
    return blocks;
  if (!getKnownBlock())
    return std::nullopt;
  int64_t total = blocks * (*getKnownBlock())[dimension];
  if (dimension == 0)
    total *= lanesPerThread(threads());
  return llvm::divideCeil(total, (*shape)[dimension]);
}

std::optional<int32_t> BlocksOp::getKnownIterations(unsigned dimension) {
  std::optional<int64_t> count = getKnownCount(dimension);
  if (!count)
    return std::nullopt;
  return llvm::divideCeil(*count, getFactors()[dimension]);
}

std::optional<int32_t> ThreadsOp::getKnownIterations(unsigned dimension) {
  auto known = (*this)->getParentOfType<BlocksOp>().getKnownBlock();
  if (!known && !getShape())
    return std::nullopt;
  int32_t threads =
      getShape() ? (*getShape())[dimension] : (*known)[dimension] * getFusedIn(dimension);
  return threads / getFactors()[dimension];
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

static OpFoldResult foldSize(Operation *op, Dimension dimension,
                             std::optional<ArrayRef<int32_t>> known) {
  if (!known)
    return {};
  return IntegerAttr::get(op->getResult(0).getType(), (*known)[static_cast<unsigned>(dimension)]);
}

OpFoldResult GridSizeOp::fold(FoldAdaptor) {
  auto blocks = (*this)->getParentOfType<BlocksOp>();
  return blocks ? foldSize(*this, getDimension(), blocks.getKnownGrid()) : OpFoldResult();
}

OpFoldResult BlockSizeOp::fold(FoldAdaptor) {
  auto blocks = (*this)->getParentOfType<BlocksOp>();
  return blocks ? foldSize(*this, getDimension(), blocks.getKnownBlock()) : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// Verifies that the loops are distinct coordinates of the closest `grain.threads`.
static LogicalResult verifyLoops(Operation *op, OperandRange loops) {
  auto threads = op->getParentOfType<ThreadsOp>();
  if (!threads)
    return op->emitOpError("expects to be in a 'grain.threads'");
  if (loops.empty())
    return op->emitOpError("names no loop");
  llvm::SmallPtrSet<Value, 3> seen;
  for (Value loop : loops) {
    auto argument = dyn_cast<BlockArgument>(loop);
    if (!argument || argument.getOwner() != &threads.getBody().front())
      return op->emitOpError("expects arguments of the enclosing 'grain.threads'");
    if (!seen.insert(loop).second)
      return op->emitOpError("names a loop twice");
  }
  return success();
}

LogicalResult BarrierOp::verify() { return verifyLoops(*this, getLoops()); }

LogicalResult BarrierReduceOp::verify() { return verifyLoops(*this, getLoops()); }

//===----------------------------------------------------------------------===//
// grain.alternatives
//===----------------------------------------------------------------------===//

ParseResult AlternativesOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<Attribute> ids;
  auto parseAlternative = [&]() -> ParseResult {
    StringAttr id;
    Region *region = result.addRegion();
    if (parser.parseAttribute(id) || parser.parseRegion(*region))
      return failure();
    ensureTerminator(*region, parser.getBuilder(), result.location);
    ids.push_back(id);
    return success();
  };
  if (parser.parseCommaSeparatedList(parseAlternative) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  result.addAttribute(getIdsAttrName(result.name), parser.getBuilder().getArrayAttr(ids));
  return success();
}

void AlternativesOp::print(OpAsmPrinter &printer) {
  printer << " ";
  llvm::interleaveComma(llvm::zip(getIds(), getAlternatives()), printer, [&](auto alternative) {
    auto [id, region] = alternative;
    printer << id << " ";
    printer.printRegion(region,
                        /*printEntryBlockArgs=*/false,
                        /*printBlockTerminators=*/false);
  });
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {getIdsAttrName()});
}

LogicalResult AlternativesOp::verify() {
  if (getIds().size() != getAlternatives().size() || getIds().empty())
    return emitOpError("expects one id for each region");
  if (cast<StringAttr>(getIds()[0]).getValue() != "original")
    return emitOpError("expects \"original\" first");
  llvm::StringSet<> seen;
  for (auto id : getIds().getAsRange<StringAttr>())
    if (!seen.insert(id.getValue()).second)
      return emitOpError("has two alternatives ") << id;
  for (Region &region : getAlternatives())
    if (llvm::range_size(region.getOps<BlocksOp>()) != 1)
      return emitOpError("expects exactly one 'grain.blocks' in each alternative");
  return success();
}

} // namespace regrain::grain

#define GET_OP_CLASSES
#include "compiler/Dialect/Grain/GrainOps.cpp.inc"
