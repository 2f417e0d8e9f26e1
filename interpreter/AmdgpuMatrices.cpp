//===- AmdgpuMatrices.cpp - Matrix cores of amdgcn ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places of the matrices are those of "AMD Instinct MI300 Instruction Set Architecture",
// "Matrix Arithmetic Instructions". The order of a sum and its rounding are not documented; here
// it is fused multiply-adds in the order of k.
//
//===----------------------------------------------------------------------===//
#include "interpreter/Builtins.h"
#include "interpreter/Machine.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;
using namespace regrain;

namespace {

constexpr unsigned side = 16, ofLane = 4;

/// A number, which may be undefined.
using Number = std::optional<float>;

/// Reads row or column `at` of a factor: lane 16 * q + `at` has the numbers 4 * q to 4 * q + 3.
std::array<Number, side> readFactor(Machine &machine, ArrayRef<Thread *> lanes, const Step &step,
                                    unsigned operand, Type *type, unsigned at) {
  std::array<Number, side> numbers;
  for (unsigned k = 0; k < side; ++k) {
    Scalar bits = machine.read(*lanes[k / ofLane * side + at], step, operand, k % ofLane);
    if (!bits.undefined)
      numbers[k] = float(toDouble(type, bits.bits));
  }
  return numbers;
}

Number multiplyAdd(ArrayRef<Number> row, ArrayRef<Number> column, Number sum) {
  for (auto [a, b] : zip_equal(row, column))
    sum = a && b && sum ? Number(std::fma(*a, *b, *sum)) : std::nullopt;
  return sum;
}

/// Multiplies 16 rows with 16 columns. Lane 16 * q + j has column j of the rows 4 * q to 4 * q + 3
/// of the result. The instruction ignores which lanes are active, so all must be there.
bool multiply(Machine &machine, ArrayRef<Thread *> lanes, const Step &step, Type *type) {
  if (is_contained(lanes, nullptr))
    return machine.fail(FaultKind::DivergentBarrier,
                        Twine(count(lanes, nullptr)) +
                            " lanes of a wave are absent at a matrix instruction");
  std::vector<std::array<Number, side>> rows, columns;
  for (unsigned i = 0; i < side; ++i) {
    rows.push_back(readFactor(machine, lanes, step, 0, type, i));
    columns.push_back(readFactor(machine, lanes, step, 1, type, i));
  }
  Type *floatType = Type::getFloatTy(type->getContext());
  for (unsigned lane = 0; lane < lanes.size(); ++lane)
    for (unsigned i = 0; i < ofLane; ++i) {
      Scalar before = machine.read(*lanes[lane], step, 2, i);
      Number sum;
      if (!before.undefined)
        sum = float(toDouble(floatType, before.bits));
      sum = multiplyAdd(rows[lane / side * ofLane + i], columns[lane % side], sum);
      machine.write(*lanes[lane], step, sum ? Scalar{fromDouble(floatType, *sum), 0} : unknown(32),
                    i);
    }
  return true;
}

/// Returns whether no operand is broadcast or permuted between groups of lanes.
bool isPlain(const CallBase &call) {
  return all_of(seq(3u, 6u), [&](unsigned operand) {
    return cast<ConstantInt>(call.getArgOperand(operand))->isZero();
  });
}

} // namespace

Builtin regrain::findAmdgcnMatrix(const CallBase &call) {
  Intrinsic::ID id = call.getIntrinsicID();
  bool areHalves = id == Intrinsic::amdgcn_mfma_f32_16x16x16f16;
  if ((!areHalves && id != Intrinsic::amdgcn_mfma_f32_16x16x16bf16_1k) || !isPlain(call))
    return {};
  LLVMContext &context = call.getContext();
  Type *type = areHalves ? Type::getHalfTy(context) : Type::getBFloatTy(context);
  return together([type](Machine &machine, ArrayRef<Thread *> lanes, const Step &step) {
    return multiply(machine, lanes, step, type);
  });
}
