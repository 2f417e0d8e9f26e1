//===- PadShared.cpp - Rows of shared arrays in other banks ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/PadShared/PadShared.h"

#include "compiler/Analysis/AddressSum.h"
#include "compiler/Analysis/BankConflicts.h"
#include "compiler/Analysis/TypeLayout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "runtime/image/launch_limits.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace regrain;

namespace {

/// The static shared memory that every GPU gives to a block.
constexpr int64_t mostShared = 48 * 1024;

/// A use of an address in an array.
struct Place {
  OpOperand *address;
  Type type; ///< of what is accessed
};

/// Returns the type that the user of an address accesses there, or null if it does something else.
Type accessedBy(OpOperand &address) {
  return llvm::TypeSwitch<Operation *, Type>(address.getOwner())
      .Case([](LLVM::LoadOp load) { return load.getType(); })
      .Case([&](LLVM::StoreOp store) {
        return address.getOperandNumber() == 1 ? store.getValue().getType() : Type();
      })
      .Case<LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>([&](Operation *atomic) {
        return address.getOperandNumber() == 0 ? atomic->getOperand(1).getType() : Type();
      })
      .Default([](Operation *) { return Type(); });
}

/// Calls `with` for an operation that has an alignment of its own.
template <typename Function> void visitAligned(Operation *op, Function with) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<LLVM::LoadOp, LLVM::StoreOp, LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(
          [&](auto access) {
            if (access.getAlignment())
              with(access);
          });
}

class ArrayPadding {
public:
  explicit ArrayPadding(grain::SharedOp array)
      : array(array), layout(DataLayout::closest(array)), whole(layoutOf(array.getType(), layout)) {
  }

  /// Chooses a layout of at most `mostBytes`; refuses an array that cannot be padded.
  std::optional<Refusal> plan(ArrayRef<BankAccess> accesses, int64_t mostBytes);
  /// Returns the bytes that the padding adds.
  int64_t addedBytes() const { return padding.sizeOf(whole->size) - whole->size; }
  void apply();

private:
  std::optional<Refusal> follow(Value address);
  std::optional<Refusal> check(OpOperand &address, Type type);
  Value createShift(OpBuilder &builder, const Place &place);

  grain::SharedOp array;
  DataLayout layout;
  std::optional<TypeLayout> whole;
  SmallVector<Place> places;
  int64_t granule = 1; ///< the bytes of the largest access
  RowPadding padding;
};

/// Collects the accesses through `address`.
std::optional<Refusal> ArrayPadding::follow(Value address) {
  for (OpOperand &use : address.getUses()) {
    Operation *user = use.getOwner();
    if (Type type = accessedBy(use)) {
      if (auto refusal = check(use, type))
        return refusal;
    } else if ((isa<LLVM::GEPOp>(user) && use.getOperandNumber() == 0) ||
               isa<LLVM::AddrSpaceCastOp>(user)) {
      if (auto refusal = follow(user->getResult(0)))
        return refusal;
    } else {
      return refuse(user, RefusalKind::SharedAddress,
                    "the kernel uses an address of a shared array whose accesses conflict in banks "
                    "for something other than an access");
    }
  }
  return std::nullopt;
}

/// Refuses an access that may lie in two rows.
std::optional<Refusal> ArrayPadding::check(OpOperand &address, Type type) {
  Operation *op = address.getOwner();
  std::optional<TypeLayout> size = layoutOf(type, layout);
  if (!size || !llvm::isPowerOf2_64(size->size) || size->size > int64_t(widestAccess) ||
      !addressSumOf(address.get(), layout))
    return refuse(op, RefusalKind::NothingPadded,
                  "an access to the shared array is of a type whose place in a row is not known");
  int64_t alignment = size->alignment;
  visitAligned(op, [&](auto access) { alignment = *access.getAlignment(); });
  if (std::min<int64_t>(alignment, array.getAlignment()) < size->size)
    return refuse(op, RefusalKind::NothingPadded,
                  "an access to the shared array is not aligned to its size, so that it may lie in "
                  "two rows");
  granule = std::max(granule, size->size);
  places.push_back({&address, type});
  return std::nullopt;
}

std::optional<Refusal> ArrayPadding::plan(ArrayRef<BankAccess> accesses, int64_t mostBytes) {
  if (auto refusal = follow(array))
    return refusal;
  constexpr int64_t unlimited = std::numeric_limits<int64_t>::max();
  if (std::optional<RowPadding> found = findPadding(array, accesses, granule, mostBytes)) {
    padding = *found;
    return std::nullopt;
  }
  if (findPadding(array, accesses, granule, unlimited))
    return refuse(array, RefusalKind::SharedMemory,
                  "a block would have more than 48 KiB of shared memory with padded rows");
  return refuse(array, RefusalKind::NothingPadded,
                "no padding of rows lets the lanes wait less for each other");
}

/// Creates the bytes by which an access moves. Its offset is computed in 32 bits, which hold every
/// offset in a block's shared memory.
Value ArrayPadding::createShift(OpBuilder &builder, const Place &place) {
  Location location = place.address->getOwner()->getLoc();
  AddressSum sum = *addressSumOf(place.address->get(), layout);
  auto constant = [&](int64_t value) {
    return builder.create<arith::ConstantIntOp>(location, value, 32).getResult();
  };
  Type i32 = builder.getI32Type();
  Value offset = constant(sum.constant);
  for (auto [index, bytes] : sum.terms) {
    Type type = index.getType();
    Value narrow = index;
    if (type.isIndex())
      narrow = builder.create<arith::IndexCastOp>(location, i32, index);
    else if (type.getIntOrFloatBitWidth() > 32)
      narrow = builder.create<arith::TruncIOp>(location, i32, index);
    else if (type.getIntOrFloatBitWidth() < 32)
      narrow = builder.create<arith::ExtSIOp>(location, i32, index);
    Value part = builder.create<arith::MulIOp>(location, narrow, constant(bytes));
    offset = builder.create<arith::AddIOp>(location, offset, part);
  }
  Value row = builder.create<arith::DivUIOp>(location, offset, constant(padding.row));
  return builder.create<arith::MulIOp>(location, row, constant(padding.pad));
}

void ArrayPadding::apply() {
  for (const Place &place : places) {
    Operation *op = place.address->getOwner();
    OpBuilder builder(op);
    Value address = place.address->get();
    Value shift = createShift(builder, place);
    place.address->set(builder.create<LLVM::GEPOp>(op->getLoc(), address.getType(),
                                                   builder.getI8Type(), address,
                                                   ArrayRef<LLVM::GEPArg>{shift},
                                                   /*inbounds=*/true));
    visitAligned(op, [&](auto access) {
      uint64_t kept = llvm::MinAlign(*access.getAlignment(), padding.pad);
      access.setAlignment(kept);
    });
  }
  OpBuilder builder(array);
  array.setType(LLVM::LLVMArrayType::get(builder.getI8Type(), padding.sizeOf(whole->size)));
}

/// The arrays of a kernel that are padded, or why there are none.
struct PaddedArrays {
  explicit PaddedArrays(grain::KernelOp kernel);

  std::vector<ArrayPadding> arrays;
  std::optional<Refusal> refusal; ///< the first one
};

PaddedArrays::PaddedArrays(grain::KernelOp kernel) {
  std::vector<BankAccess> accesses = bankAccessesOf(kernel);
  DataLayout layout = DataLayout::closest(kernel);
  int64_t bytes = 0;
  kernel.walk([&](grain::SharedOp array) {
    std::optional<TypeLayout> size = layoutOf(array.getType(), layout);
    bytes += size ? size->size : mostShared;
  });
  kernel.walk([&](grain::SharedOp array) {
    std::vector<BankAccess> own;
    llvm::copy_if(accesses, std::back_inserter(own),
                  [&](const BankAccess &access) { return access.array == array; });
    std::optional<TypeLayout> size = layoutOf(array.getType(), layout);
    if (!size || !worstConflict(own))
      return;
    ArrayPadding padding(array);
    if (auto why = padding.plan(own, mostShared - bytes + size->size)) {
      refusal = refusal ? refusal : why;
      return;
    }
    bytes += padding.addedBytes();
    arrays.push_back(std::move(padding));
  });
  if (arrays.empty() && !refusal)
    refusal = refuse(kernel, RefusalKind::NothingPadded,
                     "no lanes of a warp are known to access one bank of a static shared array at "
                     "different addresses");
}

} // namespace

bool regrain::canPadShared(grain::KernelOp kernel) { return !PaddedArrays(kernel).arrays.empty(); }

std::optional<Refusal> regrain::padShared(grain::KernelOp kernel) {
  PaddedArrays padded(kernel);
  if (padded.arrays.empty())
    return padded.refusal;
  for (ArrayPadding &array : padded.arrays)
    array.apply();
  return std::nullopt;
}
