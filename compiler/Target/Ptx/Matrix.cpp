//===- Matrix.cpp - Products of matrices in inline PTX --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Ptx/Emitter.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace regrain::ptx {

namespace {

/// A shape and the type of both factors, with the words that a lane has of each.
struct Product {
  StringLiteral shape, type;
  unsigned left, right;
};

constexpr Product products[] = {
    {"m16n8k8", "f16", 2, 1},   {"m16n8k16", "f16", 4, 2},  {"m16n8k8", "bf16", 2, 1},
    {"m16n8k16", "bf16", 4, 2}, {"m16n8k32", "e4m3", 4, 2},
};

/// Operands are vectors also where they have one word.
ArrayRef<Operand> partsOf(const Operand &operand, size_t count) {
  if (operand.kind == Operand::Vector)
    return operand.parts.size() == count ? ArrayRef(operand.parts) : ArrayRef<Operand>();
  return count == 1 ? ArrayRef(operand) : ArrayRef<Operand>();
}

/// Appends the words of an operand; returns false if it has another number of them.
bool appendWords(Emitter &emitter, const Operand &operand, size_t count, size_t padded,
                 SmallVectorImpl<Value *> &words) {
  IRBuilder<> &builder = emitter.builder;
  ArrayRef<Operand> parts = partsOf(operand, count);
  for (const Operand &part : parts)
    words.push_back(emitter.value(part, builder.getInt32Ty()));
  words.append(padded - count, builder.getInt32(0));
  return !parts.empty() && !is_contained(words, nullptr);
}

/// The four numbers of a lane: as floats, or rounded to halves, two in a word.
class Sums {
public:
  Sums(Emitter &emitter, bool areHalves)
      : emitter(emitter), builder(emitter.builder), areHalves(areHalves),
        type(FixedVectorType::get(builder.getFloatTy(), 4)) {}

  Value *read(const Operand &operand) {
    ArrayRef<Operand> parts = partsOf(operand, areHalves ? 2 : 4);
    Value *sums = parts.empty() ? nullptr : PoisonValue::get(type);
    for (size_t i = 0; sums && i < 4; ++i) {
      Value *sum = emitter.value(parts[areHalves ? i / 2 : i], partType());
      if (sum && areHalves)
        sum = builder.CreateFPExt(builder.CreateExtractElement(sum, i % 2), builder.getFloatTy());
      sums = sum ? builder.CreateInsertElement(sums, sum, i) : nullptr;
    }
    return sums;
  }

  bool write(const Operand &operand, Value *sums) {
    ArrayRef<Operand> parts = partsOf(operand, areHalves ? 2 : 4);
    if (areHalves)
      sums = builder.CreateFPTrunc(sums, FixedVectorType::get(builder.getHalfTy(), 4));
    for (auto [i, part] : enumerate(parts)) {
      int first = int(2 * i);
      Value *value = areHalves ? builder.CreateShuffleVector(sums, {first, first + 1})
                               : builder.CreateExtractElement(sums, i);
      if (!emitter.set(part, value))
        return false;
    }
    return !parts.empty();
  }

  llvm::Type *vectorType() const { return type; }

private:
  llvm::Type *partType() const {
    return areHalves ? static_cast<llvm::Type *>(FixedVectorType::get(builder.getHalfTy(), 2))
                     : builder.getFloatTy();
  }

  Emitter &emitter;
  IRBuilder<> &builder;
  bool areHalves;
  FixedVectorType *type;
};

/// Emits d = a * b + c by the function of the device library, which has four words of a and two of
/// b; words that a short k does not have are 0.
bool emitProduct(Emitter &emitter, const Product &product, bool areHalves) {
  ArrayRef<Operand> operands = emitter.instruction.operands;
  SmallVector<Value *> arguments = {emitter.builder.getInt32(~0u)};
  if (!appendWords(emitter, operands[1], product.left, 4, arguments) ||
      !appendWords(emitter, operands[2], product.right, 2, arguments))
    return false;
  Sums sums(emitter, areHalves);
  arguments.push_back(sums.read(operands[3]));
  if (!arguments.back())
    return false;
  std::string function = ("regrain_mma_sync_" + product.shape + "_" + product.type).str();
  return sums.write(operands[0], emitter.call(function, sums.vectorType(), arguments));
}

} // namespace

bool emitMatrix(Emitter &emitter, StringRef) {
  if (emitter.instruction.operands.size() != 4)
    return false;
  std::string opcode = join(emitter.instruction.opcode, ".");
  for (const Product &product : products)
    for (StringRef sum : {"f32", "f16"}) {
      std::string factors = ("." + product.type + "." + product.type + ".").str();
      std::string known =
          ("mma.sync.aligned." + product.shape + ".row.col." + sum + factors + sum).str();
      if (opcode == known && (sum == "f32" || product.type == "f16"))
        return emitProduct(emitter, product, sum == "f16");
    }
  return false;
}

} // namespace regrain::ptx
