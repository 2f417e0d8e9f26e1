//===- LowerNest.cpp - The nest to the launch -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Export/Lower.h"

#include "compiler/Analysis/DisjointArguments.h"
#include "compiler/DeviceIR/StagedName.h"
#include "compiler/Dialect/Grain/LentMemory.h"
#include "compiler/Dialect/Grain/Parameters.h"
#include "compiler/Export/Export.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace regrain;

namespace {

using Factors = ArrayRef<int32_t>;

std::string legalName(StringRef name) {
  std::string legal = name.str();
  for (char &c : legal)
    if (!llvm::isAlnum(c) && c != '_')
      c = '_';
  return legal;
}

/// The arithmetic does not wrap, because all coordinates and sizes of a launch are below 2^31.
constexpr auto noWrap = arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;

class Lowering {
public:
  Lowering(grain::KernelOp kernel, grain::BlocksOp blocks, StringRef symbol)
      : kernel(kernel), blocks(blocks), threads(blocks.threads()), symbol(symbol), builder(kernel),
        blockFactors(blocks.getFactors()), threadFactors(threads.getFactors()),
        blockLent(grain::lentBytes(blocks)) {
    for (grain::LentOp array : blocks.getBody().getOps<grain::LentOp>())
      lentOffsets[array] = grain::lentBefore(blocks, array);
  }

  LLVM::LLVMFuncOp run() {
    createFunction();
    SmallVector<Operation *> operations;
    function.walk([&](Operation *op) { operations.push_back(op); });
    for (Operation *op : operations)
      lower(op);
    // Barriers no longer use the coordinates, so coordinates without other uses are not read.
    inlineNest(blocks, &Lowering::blockIndex, blockFactors);
    inlineNest(threads, &Lowering::threadIndex, {1, 1, 1});
    return function;
  }

private:
  using ReadIndex = Value (Lowering::*)(Location, unsigned);

  void createFunction();
  void inlineNest(Operation *nest, ReadIndex read, Factors factors);
  void lower(Operation *op);
  Value scaled(Location location, Value value, int32_t factor);
  Value gridSize(Location location, unsigned dimension);
  Value allocate(grain::SharedOp op);
  Value locate(grain::DynamicSharedOp op);
  Value locate(grain::LentOp op);
  Value copyBytes(Location location);
  LLVM::GlobalOp createShared(Location location, StringRef name, Type type, LLVM::Linkage linkage,
                              int64_t alignment);

  template <typename X, typename Y, typename Z> Value read(Location location, unsigned dimension) {
    Type i32 = builder.getI32Type();
    switch (dimension) {
    case 0:
      return builder.create<X>(location, i32);
    case 1:
      return builder.create<Y>(location, i32);
    default:
      return builder.create<Z>(location, i32);
    }
  }
  Value blockIndex(Location location, unsigned dimension);
  Value threadIndex(Location location, unsigned dimension) {
    return read<NVVM::ThreadIdXOp, NVVM::ThreadIdYOp, NVVM::ThreadIdZOp>(location, dimension);
  }
  Value blockSize(Location location, unsigned dimension) {
    if (threads.getShape())
      return programBlock[dimension];
    Value launched =
        read<NVVM::BlockDimXOp, NVVM::BlockDimYOp, NVVM::BlockDimZOp>(location, dimension);
    Value nest = scaled(location, launched, threadFactors[dimension]);
    int32_t fused = threads.getFusedIn(dimension);
    if (fused == 1)
      return nest;
    Value count = builder.create<arith::ConstantIntOp>(location, fused, 32);
    return builder.create<arith::DivUIOp>(location, nest, count);
  }
  void replace(Operation *op, Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }

  grain::KernelOp kernel;
  grain::BlocksOp blocks;
  grain::ThreadsOp threads;
  StringRef symbol;
  OpBuilder builder;
  SmallVector<int32_t, 3> blockFactors, threadFactors;
  uint64_t blockLent;                                ///< bytes
  llvm::DenseMap<Operation *, uint64_t> lentOffsets; ///< offsets in the memory of a block
  Value lent; ///< appended parameter; null without lent memory
  ValueRange programGrid, programBlock, firstBlock; ///< appended parameters, if there are any
  LLVM::LLVMFuncOp function;
  LLVM::GlobalOp dynamicShared;
  unsigned sharedCount = 0;
};

void Lowering::createFunction() {
  SmallVector<Type> types(kernel.getArgumentTypes());
  unsigned own = types.size();
  types.append(grain::appendedParameters(blocks));
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()), types);
  function = builder.create<LLVM::LLVMFuncOp>(kernel.getLoc(), symbol, type);
  for (unsigned index = 0; index < own; ++index)
    if (DictionaryAttr attributes = kernel.getArgAttrDict(index))
      function.setArgAttrs(index, attributes);
  for (unsigned index = 0; index < own; ++index)
    function.removeArgAttr(index, disjointAttribute);
  function.getBody().takeBody(kernel.getBody());
  Block &body = function.getBody().front();
  for (unsigned index = own; index < types.size(); ++index)
    body.addArgument(types[index], kernel.getLoc());
  ValueRange appended = body.getArguments().drop_front(own);
  if (blockLent) {
    lent = appended.front();
    appended = appended.drop_front();
  }
  programGrid = appended.take_front(grain::takesGrid(blocks) ? 3 : 0);
  programBlock = threads.getShape() ? appended.slice(3, 3) : ValueRange();
  firstBlock = blocks.getRemainder() ? appended.take_back(3) : ValueRange();
  Operation *end = body.getTerminator();
  builder.setInsertionPoint(end);
  builder.create<LLVM::ReturnOp>(end->getLoc(), ValueRange());
  end->erase();
}

Value Lowering::scaled(Location location, Value value, int32_t factor) {
  if (factor == 1)
    return value;
  Value constant = builder.create<arith::ConstantIntOp>(location, factor, 32);
  return builder.create<arith::MulIOp>(location, value, constant, noWrap);
}

/// Inlines the body of a nest in its place, for the running block or thread.
void Lowering::inlineNest(Operation *nest, ReadIndex read, Factors factors) {
  builder.setInsertionPoint(nest);
  Block &body = nest->getRegion(0).front();
  for (BlockArgument argument : body.getArguments()) {
    if (argument.use_empty())
      continue;
    unsigned dimension = argument.getArgNumber();
    argument.replaceAllUsesWith(
        scaled(nest->getLoc(), (this->*read)(nest->getLoc(), dimension), factors[dimension]));
  }
  for (Operation &op : llvm::make_early_inc_range(body.without_terminator()))
    op.moveBefore(nest);
  nest->erase();
}

/// Returns the block index for which the launched block runs. If joined blocks may lie outside the
/// grid, the last block of a dimension is launched first: it runs its blocks one after the other,
/// and the launch would wait for it if it started last. A remainder starts at the block that it is
/// given.
Value Lowering::blockIndex(Location location, unsigned dimension) {
  Value index = read<NVVM::BlockIdXOp, NVVM::BlockIdYOp, NVVM::BlockIdZOp>(location, dimension);
  if (blocks.getRemainder())
    return builder.create<arith::AddIOp>(location, index, firstBlock[dimension], noWrap);
  if (!blocks.hasEdge(dimension))
    return index;
  Value size = read<NVVM::GridDimXOp, NVVM::GridDimYOp, NVVM::GridDimZOp>(location, dimension);
  Value zero = builder.create<arith::ConstantIntOp>(location, 0, 32);
  Value one = builder.create<arith::ConstantIntOp>(location, 1, 32);
  Value isFirst = builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::eq, index, zero);
  auto less = [&](Value value) -> Value {
    return builder.create<arith::SubIOp>(location, value, one, arith::IntegerOverflowFlags::nuw);
  };
  // The maximum lets what is known of the launch bound the result.
  Value positive = builder.create<arith::MaxUIOp>(location, index, one);
  return builder.create<arith::SelectOp>(location, isFirst, less(size), less(positive));
}

Value Lowering::gridSize(Location location, unsigned dimension) {
  if (grain::takesGrid(blocks))
    return programGrid[dimension];
  return read<NVVM::GridDimXOp, NVVM::GridDimYOp, NVVM::GridDimZOp>(location, dimension);
}

LLVM::GlobalOp Lowering::createShared(Location location, StringRef name, Type type,
                                      LLVM::Linkage linkage, int64_t alignment) {
  OpBuilder before(function);
  return before.create<LLVM::GlobalOp>(location, type, /*isConstant=*/false, linkage, name,
                                       Attribute(), alignment, NVVM::kSharedMemorySpace);
}

Value Lowering::allocate(grain::SharedOp op) {
  std::string name = legalName((symbol + "_" + op.getName() + "_" + Twine(sharedCount++)).str());
  LLVM::GlobalOp global =
      createShared(op.getLoc(), name, op.getType(), LLVM::Linkage::Internal, op.getAlignment());
  return builder.create<LLVM::AddressOfOp>(op.getLoc(), global);
}

/// Creates the bytes of one copy of the program's dynamic shared memory; the copies share the
/// launched bytes.
Value Lowering::copyBytes(Location location) {
  Type i32 = builder.getI32Type();
  Value bytes =
      builder
          .create<LLVM::InlineAsmOp>(location, i32, ValueRange(), dynamicSharedBytesAssembly, "=r",
                                     /*has_side_effects=*/false, /*is_align_stack=*/false,
                                     LLVM::AsmDialectAttr(), ArrayAttr())
          .getResult(0);
  auto constant = [&](int64_t value) {
    return builder.create<arith::ConstantIntOp>(location, value, 32).getResult();
  };
  int64_t copies = 1;
  for (int32_t factor : blockFactors)
    copies *= factor;
  Value each = builder.create<arith::DivUIOp>(location, bytes, constant(copies));
  return builder.create<arith::AndIOp>(location, each, constant(-dynamicSharedAlignment));
}

Value Lowering::locate(grain::DynamicSharedOp op) {
  Location location = op.getLoc();
  int64_t alignment = std::max<int64_t>(op.getAlignment(), dynamicSharedAlignment);
  // Targets know rings by their names.
  bool isRing = op.getName().contains(stagedName);
  if (!dynamicShared)
    dynamicShared = createShared(
        location, legalName((symbol + "_" + (isRing ? op.getName() : "dynamic")).str()),
        LLVM::LLVMArrayType::get(builder.getI8Type(), 0), LLVM::Linkage::External, alignment);
  if (alignment > static_cast<int64_t>(dynamicShared.getAlignment().value_or(1)))
    dynamicShared.setAlignment(alignment);
  Value address = builder.create<LLVM::AddressOfOp>(location, dynamicShared);
  if (op.getCopy() == 0)
    return address;
  Value copy = builder.create<arith::ConstantIntOp>(location, op.getCopy(), 32);
  Value offset = builder.create<arith::MulIOp>(location, copyBytes(location), copy);
  return builder.create<LLVM::GEPOp>(location, op.getType(), builder.getI8Type(), address,
                                     ArrayRef<LLVM::GEPArg>{offset}, /*inbounds=*/true);
}

/// Creates the address of lent memory. The memories of launched blocks follow each other, with x
/// varying fastest.
Value Lowering::locate(grain::LentOp op) {
  Location location = op.getLoc();
  if (op->hasAttr(grain::ofLaunchAttribute))
    return builder.create<LLVM::AddrSpaceCastOp>(location, op.getResult().getType(), lent);
  Type i64 = builder.getI64Type();
  auto wide = [&](Value value) -> Value {
    return builder.create<arith::ExtUIOp>(location, i64, value);
  };
  Value index = wide(read<NVVM::BlockIdXOp, NVVM::BlockIdYOp, NVVM::BlockIdZOp>(location, 2));
  for (unsigned dimension : {1u, 0u}) {
    Value size =
        wide(read<NVVM::GridDimXOp, NVVM::GridDimYOp, NVVM::GridDimZOp>(location, dimension));
    Value block =
        wide(read<NVVM::BlockIdXOp, NVVM::BlockIdYOp, NVVM::BlockIdZOp>(location, dimension));
    index = builder.create<arith::AddIOp>(
        location, builder.create<arith::MulIOp>(location, index, size, noWrap), block, noWrap);
  }
  Value stride = builder.create<arith::ConstantIntOp>(location, blockLent, 64);
  Value offset = builder.create<arith::MulIOp>(location, index, stride, noWrap);
  Value within = builder.create<arith::ConstantIntOp>(location, lentOffsets.lookup(op), 64);
  offset = builder.create<arith::AddIOp>(location, offset, within, noWrap);
  Value base = builder.create<LLVM::AddrSpaceCastOp>(location, op.getResult().getType(), lent);
  return builder.create<LLVM::GEPOp>(location, op.getResult().getType(), builder.getI8Type(), base,
                                     ArrayRef<LLVM::GEPArg>{offset}, /*inbounds=*/true);
}

StringRef reductionIntrinsic(grain::Reduction kind) {
  switch (kind) {
  case grain::Reduction::And:
    return "llvm.nvvm.barrier0.and";
  case grain::Reduction::Or:
    return "llvm.nvvm.barrier0.or";
  case grain::Reduction::Count:
    return "llvm.nvvm.barrier0.popc";
  }
  llvm_unreachable("all reductions are handled");
}

void Lowering::lower(Operation *op) {
  builder.setInsertionPoint(op);
  Location location = op->getLoc();
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](grain::GridSizeOp size) {
        replace(op, gridSize(location, static_cast<unsigned>(size.getDimension())));
      })
      .Case([&](grain::BlockSizeOp size) {
        replace(op, blockSize(location, static_cast<unsigned>(size.getDimension())));
      })
      .Case([&](grain::SharedOp shared) { replace(op, allocate(shared)); })
      .Case([&](grain::DynamicSharedOp shared) { replace(op, locate(shared)); })
      .Case([&](grain::LentOp array) { replace(op, locate(array)); })
      .Case([&](grain::DynamicSharedSizeOp) { replace(op, copyBytes(location)); })
      .Case([&](grain::BarrierOp) {
        builder.create<NVVM::Barrier0Op>(location);
        op->erase();
      })
      .Case([&](grain::BarrierReduceOp reduce) {
        replace(op, builder
                        .create<LLVM::CallIntrinsicOp>(
                            location, builder.getI32Type(),
                            builder.getStringAttr(reductionIntrinsic(reduce.getKind())),
                            ValueRange(reduce.getPredicate()))
                        .getResult(0));
      });
}

} // namespace

FailureOr<LLVM::LLVMFuncOp> regrain::lowerNest(grain::KernelOp kernel, StringRef symbol) {
  grain::BlocksOp blocks = kernel.blocks();
  if (!blocks)
    return kernel.emitError("one of its alternatives must be chosen before it is lowered");
  LLVM::LLVMFuncOp function = Lowering(kernel, blocks, symbol).run();
  kernel.erase();
  return function;
}
