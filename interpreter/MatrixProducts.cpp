//===- MatrixProducts.cpp - PTX's products of matrices --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma.sync in inline PTX, with sums of single precision. The places of the matrices are those of
// the PTX ISA, "Matrix Fragments for mma". PTX leaves the order of a sum open; here it is fused
// multiply-adds in the order of k.
//
//===----------------------------------------------------------------------===//
#include "interpreter/Builtins.h"
#include "interpreter/Machine.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;
using namespace regrain;

namespace {

struct Product {
  StringLiteral opcode;
  unsigned k, width; ///< of a number, in bits
  const fltSemantics &(*format)();
  unsigned ofWord() const { return 32 / width; }
  unsigned words() const { return k / (4 * ofWord()); } ///< of a row in a lane
};

constexpr Product products[] = {
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", 8, 16, APFloat::IEEEhalf},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 16, 16, APFloat::IEEEhalf},
    {"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", 8, 16, APFloat::BFloat},
    {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 16, 16, APFloat::BFloat},
    {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", 32, 8, APFloat::Float8E4M3FN},
};

/// A number, which may be undefined.
using Number = std::optional<float>;

/// Returns number `k` of row or column `at` in lanes 4 * at to 4 * at + 3, whose words begin at
/// `operand` and are `stride` apart.
Number numberAt(Machine &machine, ArrayRef<Thread *> lanes, const Product &product, unsigned at,
                unsigned k, unsigned operand, unsigned stride) {
  unsigned ofWord = product.ofWord(), ofGroup = 4 * ofWord;
  Thread &lane = *lanes[4 * at + k % ofGroup / ofWord];
  Scalar word = machine.read(lane, *lane.wait.step, operand + k / ofGroup * stride);
  unsigned shift = k % ofWord * product.width;
  uint64_t mask = maskOf(product.width);
  if (word.undefined >> shift & mask)
    return std::nullopt;
  APFloat number(product.format(), APInt(product.width, word.bits >> shift & mask));
  bool isExact = false;
  number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &isExact);
  return number.convertToFloat();
}

Scalar sumOf(Machine &machine, ArrayRef<Thread *> lanes, const Product &product, unsigned lane,
             unsigned element) {
  unsigned words = product.words(), isLower = element / 2;
  const Thread &own = *lanes[lane];
  Scalar before = machine.read(own, *own.wait.step, 3 * words + element);
  float sum = bit_cast<float>(uint32_t(before.bits));
  bool isDefined = !before.undefined;
  for (unsigned k = 0; k < product.k; ++k) {
    Number a = numberAt(machine, lanes, product, lane / 4, k, isLower, 2);
    Number b = numberAt(machine, lanes, product, lane % 4 * 2 + element % 2, k, 2 * words, 1);
    isDefined &= a && b;
    sum = std::fma(a.value_or(0), b.value_or(0), sum);
  }
  return isDefined ? Scalar{bit_cast<uint32_t>(sum), 0} : unknown(32);
}

bool multiply(Machine &machine, ArrayRef<Thread *> lanes, const Product &product) {
  if (is_contained(lanes, nullptr))
    return machine.fail(FaultKind::Deadlock, "a lane of the warp is absent at mma.sync");
  std::vector<std::array<Scalar, 4>> sums(lanes.size());
  for (unsigned lane = 0; lane < lanes.size(); ++lane)
    for (unsigned i = 0; i < 4; ++i)
      sums[lane][i] = sumOf(machine, lanes, product, lane, i);
  for (auto [lane, own] : zip_equal(lanes, sums))
    for (unsigned i = 0; i < 4; ++i)
      machine.write(*lane, *lane->wait.step, own[i], i);
  return true;
}

/// Returns "{$2, $3}" for two operands from 2 on.
std::string listOf(unsigned first, unsigned count) {
  std::string text;
  for (unsigned i = first; i < first + count; ++i)
    text += (text.empty() ? "{$" : ", $") + std::to_string(i);
  return text + "}";
}

/// Sums are operands of their own, or the results.
bool isText(StringRef text, const Product &product) {
  unsigned words = product.words();
  std::string start = (product.opcode + " " + listOf(0, 4) + ", " + listOf(4, 2 * words) + ", " +
                       listOf(4 + 2 * words, words) + ", ")
                          .str();
  return text.consume_front(start) && (text == listOf(0, 4) || text == listOf(4 + 3 * words, 4));
}

} // namespace

Builtin regrain::findMatrixProduct(StringRef text) {
  for (const Product &product : products)
    if (isText(text, product))
      return together([&product](Machine &machine, ArrayRef<Thread *> lanes,
                                 const Step &) { return multiply(machine, lanes, product); },
                      /*mask=*/~0u);
  return {};
}
