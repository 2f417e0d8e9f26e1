//===- SplitCopies.cpp - Copies of rows as loads and stores ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/KeepRows/SplitCopies.h"

#include "compiler/Analysis/Access.h"
#include "compiler/Analysis/Callee.h"
#include "compiler/Analysis/ZeroBits.h"
#include "mlir/IR/Matchers.h"
#include "runtime/image/launch_limits.h"

using namespace mlir;
using namespace regrain;

/// The bytes of a copy that become loads.
static constexpr uint64_t mostBytes = 128;

namespace {

/// A copy of a known size, of which one side is an array of the thread, and the other one is
/// memory that a parameter points to.
struct Copy {
  LLVM::CallOp call;
  Value to, from;
  uint64_t bytes;
};

} // namespace

static std::optional<Copy> copyOf(LLVM::CallOp call, Accesses &accesses) {
  if (kindOf(call) != CalleeKind::Copy || call.getArgOperands().size() < 3)
    return std::nullopt;
  Value to = call.getArgOperands()[0], from = call.getArgOperands()[1];
  APInt bytes;
  if (!isa<LLVM::LLVMPointerType>(from.getType()) ||
      !matchPattern(call.getArgOperands()[2], m_ConstantInt(&bytes)) || bytes.isZero() ||
      bytes.ugt(mostBytes))
    return std::nullopt;
  Base written = accesses.at(call, to, true).kind, read = accesses.at(call, from, false).kind;
  bool isOfRow = (written == Base::Stack && read == Base::Parameter) ||
                 (written == Base::Parameter && read == Base::Stack);
  return isOfRow ? std::optional(Copy{call, to, from, bytes.getZExtValue()}) : std::nullopt;
}

/// Returns the low bits that are zero in an operand of the copy: as far as they are seen, or the
/// program has declared them.
static unsigned zeroBitsOf(const Copy &copy, unsigned operand, Value address) {
  LLVM::LLVMFuncOp callee = calleeOf(copy.call);
  auto declared =
      callee ? callee.getArgAttrOfType<IntegerAttr>(operand, LLVM::LLVMDialect::getAlignAttrName())
             : IntegerAttr();
  unsigned ofDeclared = declared ? llvm::countr_zero(uint64_t(declared.getInt())) : 0;
  return std::max(ofDeclared, zeroBitsOf(address));
}

/// Returns the type of an access to so many bytes.
static Type typeOf(MLIRContext *context, uint64_t bytes) {
  if (bytes == widestAccess)
    return VectorType::get({widestAccess / 4}, IntegerType::get(context, 32));
  return IntegerType::get(context, unsigned(8 * bytes));
}

static void split(Copy copy) {
  OpBuilder builder(copy.call);
  Location location = copy.call.getLoc();
  unsigned zeros =
      std::min({zeroBitsOf(copy, 0, copy.to), zeroBitsOf(copy, 1, copy.from),
                unsigned(llvm::countr_zero(copy.bytes)), unsigned(llvm::Log2_32(widestAccess))});
  uint64_t width = uint64_t(1) << zeros;
  Type type = typeOf(builder.getContext(), width);
  auto at = [&](Value base, uint64_t byte) -> Value {
    return builder.create<LLVM::GEPOp>(location, base.getType(), builder.getI8Type(), base,
                                       LLVM::GEPArg(int32_t(byte)), /*inbounds=*/true);
  };
  SmallVector<Value> parts; // all are read before one is written
  for (uint64_t byte = 0; byte < copy.bytes; byte += width)
    parts.push_back(
        builder.create<LLVM::LoadOp>(location, type, at(copy.from, byte), unsigned(width)));
  for (auto [index, part] : llvm::enumerate(parts))
    builder.create<LLVM::StoreOp>(location, part, at(copy.to, index * width), unsigned(width));
  copy.call.erase();
}

bool regrain::splitCopies(grain::KernelOp kernel) {
  SmallVector<Copy> copies;
  Accesses accesses(kernel);
  kernel.walk([&](LLVM::CallOp call) {
    if (std::optional<Copy> copy = copyOf(call, accesses))
      copies.push_back(*copy);
  });
  for (const Copy &copy : copies)
    split(copy);
  return !copies.empty();
}
