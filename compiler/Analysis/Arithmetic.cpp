//===- Arithmetic.cpp - The floating-point operations of a kernel ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Arithmetic.h"

#include "compiler/Analysis/Callee.h"
#include "compiler/Analysis/LoopsAround.h"
#include "compiler/DeviceIR/ProductFunctions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace regrain;

namespace {

bool isFloating(Type type) { return isa<FloatType>(getElementTypeOrSelf(type)); }

uint64_t lanesOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

/// What one execution of an operation computes: a number of operations, or one call of a function.
struct Work {
  Type type; ///< of the numbers
  uint64_t operations = 0;
  std::string function = {};
};

/// Returns the operations that a name of the mathematical library or of an instruction stands for,
/// without the prefix of its family; 0: it is another function.
unsigned operationsNamed(StringRef name) {
  static const llvm::Regex fused("^([fdh])?fma(f|[._]|$)"),
      single("^[fdh]?(add|sub|mul|div)[._]|^fast_fdividef$");
  return fused.match(name) ? 2 : single.match(name) ? 1 : 0;
}

/// Returns whether a function of numbers only chooses, rounds to whole numbers, or sets a sign.
bool isPlain(StringRef name) {
  static const llvm::Regex plain(
      "^(f?abs|f?max|f?min|floor|ceil|trunc|rint|nearbyint|round|roundeven|"
      "copysign|maxnum|minnum|maximum|minimum|saturate)(f|[._]|$)");
  return plain.match(name);
}

Work workNamed(StringRef name, Type type) {
  for (StringRef prefix : {"llvm.", "intr.", "nvvm.", "__nv_"})
    name.consume_front(prefix);
  if (name.ends_with(multiplierSuffix))
    return {type, 0, ""};
  name.consume_back(multiplicandSuffix);
  if (unsigned operations = operationsNamed(name))
    return {type, operations * lanesOf(type)};
  return {type, isPlain(name) ? 0u : 1u, isPlain(name) ? "" : name.str()};
}

bool takesNumbers(Operation *op) { return llvm::any_of(op->getOperandTypes(), isFloating); }

bool givesNumber(Operation *op) {
  return op->getNumResults() == 1 && isFloating(op->getResult(0).getType());
}

/// A function that is not seen may compute anything.
Work workOf(LLVM::CallOp call) {
  LLVM::LLVMFuncOp callee = calleeOf(call);
  Type number = call.getNumResults() == 1 ? call->getResult(0).getType() : Type();
  switch (kindOf(call)) {
  case CalleeKind::Math:
  case CalleeKind::Instruction:
    return callee && takesNumbers(call) && givesNumber(call) ? workNamed(callee.getName(), number)
                                                             : Work();
  case CalleeKind::Matrix:
    return {number, 1, "products of matrices"};
  case CalleeKind::Assembly:
    return takesNumbers(call) || givesNumber(call) ? Work{number, 1, "assembly"} : Work();
  case CalleeKind::Unknown:
  case CalleeKind::Function:
  case CalleeKind::PlainFunction:
    return {number, 1, callee ? callee.getName().str() : "a pointer to a function"};
  default:
    return {};
  }
}

Work workOf(Operation *op) {
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return workOf(call);
  if (isa<LLVM::InlineAsmOp>(op))
    return takesNumbers(op) || givesNumber(op) ? Work{{}, 1, "assembly"} : Work();
  if (!givesNumber(op) || !takesNumbers(op) || op->getNumRegions() != 0)
    return {};
  Type type = op->getResult(0).getType();
  if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, LLVM::FAddOp, LLVM::FSubOp,
          LLVM::FMulOp, LLVM::FDivOp>(op))
    return {type, lanesOf(type)};
  if (isa<LLVM::FMAOp, LLVM::FMulAddOp>(op))
    return {type, 2 * lanesOf(type)};
  // Intrinsics of LLVM that are no operations of their own are functions: llvm.intr.exp.
  StringRef name = op->getName().getStringRef();
  return name.consume_front("llvm.intr.") || isa<LLVM::CallIntrinsicOp>(op) ? workNamed(name, type)
                                                                            : Work();
}

uint32_t bitsOf(Type type) {
  return type && isFloating(type) ? getElementTypeOrSelf(type).getIntOrFloatBitWidth() : 0;
}

} // namespace

std::vector<ArithmeticFootprint> regrain::arithmeticOf(grain::KernelOp kernel) {
  LoopsAround loops(kernel);
  std::vector<ArithmeticFootprint> found;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    Work work = workOf(op);
    if (work.operations == 0)
      return;
    LoopsAround::Place place = loops.of(op);
    ArithmeticFootprint made{bitsOf(work.type), 0, work.function, place.isConditional,
                             loops.describe(place.loops)};
    auto same =
        llvm::find_if(found, [&](const ArithmeticFootprint &each) { return each.isSame(made); });
    if (same == found.end())
      same = found.insert(same, std::move(made));
    same->operations += work.operations;
  });
  return found;
}
