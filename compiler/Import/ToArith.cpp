//===- ToArith.cpp - LLVM dialect to cf and arith -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Import/Structure.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace {

arith::IntegerOverflowFlags convertFlags(LLVM::IntegerOverflowFlags flags) {
  auto result = arith::IntegerOverflowFlags::none;
  if (bitEnumContainsAny(flags, LLVM::IntegerOverflowFlags::nsw))
    result = result | arith::IntegerOverflowFlags::nsw;
  if (bitEnumContainsAny(flags, LLVM::IntegerOverflowFlags::nuw))
    result = result | arith::IntegerOverflowFlags::nuw;
  return result;
}

arith::CmpIPredicate convertPredicate(LLVM::ICmpPredicate predicate) {
  switch (predicate) {
  case LLVM::ICmpPredicate::eq:
    return arith::CmpIPredicate::eq;
  case LLVM::ICmpPredicate::ne:
    return arith::CmpIPredicate::ne;
  case LLVM::ICmpPredicate::slt:
    return arith::CmpIPredicate::slt;
  case LLVM::ICmpPredicate::sle:
    return arith::CmpIPredicate::sle;
  case LLVM::ICmpPredicate::sgt:
    return arith::CmpIPredicate::sgt;
  case LLVM::ICmpPredicate::sge:
    return arith::CmpIPredicate::sge;
  case LLVM::ICmpPredicate::ult:
    return arith::CmpIPredicate::ult;
  case LLVM::ICmpPredicate::ule:
    return arith::CmpIPredicate::ule;
  case LLVM::ICmpPredicate::ugt:
    return arith::CmpIPredicate::ugt;
  case LLVM::ICmpPredicate::uge:
    return arith::CmpIPredicate::uge;
  }
  llvm_unreachable("all predicates are handled");
}

bool isScalarInteger(Value value) { return isa<IntegerType>(value.getType()); }

/// Creates the operation of arith or cf that does the same as one of the LLVM dialect; returns null
/// if there is none.
class Converter {
public:
  explicit Converter(Operation *op) : builder(op), location(op->getLoc()) {}

  Operation *convert(Operation *op) {
    bool integers = op->getNumResults() == 1 && isScalarInteger(op->getResult(0)) &&
                    llvm::all_of(op->getOperands(), isScalarInteger);
    return llvm::TypeSwitch<Operation *, Operation *>(op)
        .Case<LLVM::BrOp, LLVM::CondBrOp, LLVM::SwitchOp>(
            [&](auto branch) { return control(branch); })
        .Case<LLVM::SelectOp>([&](auto select) { return this->select(select); })
        .Default([&](Operation *) { return integers ? integer(op) : nullptr; });
  }

private:
  Operation *control(LLVM::BrOp op) {
    return builder.create<cf::BranchOp>(location, op.getDest(), op.getDestOperands());
  }
  Operation *control(LLVM::CondBrOp op) {
    return builder.create<cf::CondBranchOp>(location, op.getCondition(), op.getTrueDest(),
                                            op.getTrueDestOperands(), op.getFalseDest(),
                                            op.getFalseDestOperands());
  }
  Operation *control(LLVM::SwitchOp op) {
    SmallVector<ValueRange> operands(op.getCaseOperands().begin(), op.getCaseOperands().end());
    return builder.create<cf::SwitchOp>(
        location, op.getValue(), op.getDefaultDestination(), op.getDefaultOperands(),
        op.getCaseValues().value_or(DenseIntElementsAttr()), op.getCaseDestinations(), operands);
  }
  /// A select with fast-math flags is kept, because arith.select has none.
  Operation *select(LLVM::SelectOp op) {
    if (!op.getCondition().getType().isInteger(1) ||
        op.getFastmathFlags() != LLVM::FastmathFlags::none)
      return nullptr;
    return builder.create<arith::SelectOp>(location, op.getCondition(), op.getTrueValue(),
                                           op.getFalseValue());
  }

  template <typename To, typename From> Operation *wrapping(From op) {
    return builder.create<To>(location, op.getLhs(), op.getRhs(),
                              convertFlags(op.getOverflowFlags()));
  }
  template <typename To, typename From> Operation *binary(From op) {
    return builder.create<To>(location, op.getLhs(), op.getRhs());
  }
  template <typename To, typename From> Operation *cast(From op) {
    return builder.create<To>(location, op.getType(), op.getArg());
  }
  Operation *constant(LLVM::ConstantOp op) {
    auto value = dyn_cast<IntegerAttr>(op.getValue());
    if (!value || value.getType() != op.getType())
      return nullptr;
    return builder.create<arith::ConstantOp>(location, value);
  }

  Operation *integer(Operation *op) {
    return llvm::TypeSwitch<Operation *, Operation *>(op)
        .Case([&](LLVM::ConstantOp o) { return constant(o); })
        .Case([&](LLVM::ICmpOp o) {
          return builder.create<arith::CmpIOp>(location, convertPredicate(o.getPredicate()),
                                               o.getLhs(), o.getRhs());
        })
        .Case([&](LLVM::AddOp o) { return wrapping<arith::AddIOp>(o); })
        .Case([&](LLVM::SubOp o) { return wrapping<arith::SubIOp>(o); })
        .Case([&](LLVM::MulOp o) { return wrapping<arith::MulIOp>(o); })
        .Case([&](LLVM::ShlOp o) { return wrapping<arith::ShLIOp>(o); })
        .Case([&](LLVM::AndOp o) { return binary<arith::AndIOp>(o); })
        .Case([&](LLVM::OrOp o) { return binary<arith::OrIOp>(o); })
        .Case([&](LLVM::XOrOp o) { return binary<arith::XOrIOp>(o); })
        .Case([&](LLVM::LShrOp o) { return binary<arith::ShRUIOp>(o); })
        .Case([&](LLVM::AShrOp o) { return binary<arith::ShRSIOp>(o); })
        .Case([&](LLVM::UDivOp o) { return binary<arith::DivUIOp>(o); })
        .Case([&](LLVM::SDivOp o) { return binary<arith::DivSIOp>(o); })
        .Case([&](LLVM::URemOp o) { return binary<arith::RemUIOp>(o); })
        .Case([&](LLVM::SRemOp o) { return binary<arith::RemSIOp>(o); })
        .Case([&](LLVM::ZExtOp o) { return cast<arith::ExtUIOp>(o); })
        .Case([&](LLVM::SExtOp o) { return cast<arith::ExtSIOp>(o); })
        .Case([&](LLVM::TruncOp o) { return cast<arith::TruncIOp>(o); })
        .Default([](Operation *) { return nullptr; });
  }

  OpBuilder builder;
  Location location;
};

} // namespace

void regrain::convertToArith(LLVM::LLVMFuncOp function) {
  SmallVector<Operation *> operations;
  function.getBody().walk([&](Operation *op) { operations.push_back(op); });
  for (Operation *op : operations)
    if (Operation *converted = Converter(op).convert(op)) {
      op->replaceAllUsesWith(converted);
      op->erase();
    }
}
