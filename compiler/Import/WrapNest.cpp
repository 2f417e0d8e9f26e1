//===- WrapNest.cpp - A kernel's body as a nest ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Import/WrapNest.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/Import/Prepare.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace mlir;
using namespace regrain;

namespace {

/// Returns the name of the variable in the source, for people to read.
std::string sourceName(StringRef symbol) {
  std::string name = llvm::demangle(symbol);
  size_t scope = name.rfind("::");
  if (scope != std::string::npos)
    name.erase(0, scope + 2);
  return name;
}

llvm::Intrinsic::ID parkedIntrinsic(Operation &op, const ParkedIntrinsics &parked) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  return call && call.getCallee() ? parked.lookup(*call.getCallee())
                                  : llvm::Intrinsic::not_intrinsic;
}

std::optional<grain::Reduction> reduction(llvm::Intrinsic::ID id) {
  switch (id) {
  case llvm::Intrinsic::nvvm_barrier0_and:
    return grain::Reduction::And;
  case llvm::Intrinsic::nvvm_barrier0_or:
    return grain::Reduction::Or;
  case llvm::Intrinsic::nvvm_barrier0_popc:
    return grain::Reduction::Count;
  default:
    return std::nullopt;
  }
}

class Wrap {
public:
  Wrap(LLVM::LLVMFuncOp function, const ParkedIntrinsics &parked, const SharedVariables &shared)
      : function(function), parked(parked), sharedVariables(shared), builder(function) {}

  grain::KernelOp run() {
    createNest();
    SmallVector<Operation *> operations;
    threads.walk([&](Operation *op) { operations.push_back(op); });
    for (Operation *op : operations)
      rewrite(op);
    function.erase();
    return kernel;
  }

private:
  void createNest();
  void rewrite(Operation *op);
  void rewriteAddress(LLVM::AddressOfOp op);
  void rewriteBarrier(LLVM::CallOp op);

  template <typename Nest> Nest createNestOp() {
    auto factors = builder.getDenseI32ArrayAttr({1, 1, 1});
    OperationState state(function.getLoc(), Nest::getOperationName());
    state.addAttribute(
        Nest::getFactorsAttrName(OperationName(Nest::getOperationName(), function.getContext())),
        factors);
    Region *region = state.addRegion();
    Type i32 = builder.getI32Type();
    Block &block = region->emplaceBlock();
    block.addArguments({i32, i32, i32}, SmallVector<Location>(3, function.getLoc()));
    auto nest = cast<Nest>(builder.create(state));
    builder.setInsertionPointToStart(&block);
    builder.create<grain::YieldOp>(function.getLoc());
    builder.setInsertionPointToStart(&block);
    return nest;
  }

  /// Replaces a read of the launch by a coordinate or by a size.
  void replaceByCoordinate(Operation *op, grain::ThreadsOp, unsigned dimension) {
    replace(op, threads.getBody().getArgument(dimension));
  }
  void replaceByCoordinate(Operation *op, grain::BlocksOp, unsigned dimension) {
    replace(op, blocks.getBody().getArgument(dimension));
  }
  template <typename Size> void replaceBySize(Operation *op, grain::Dimension dimension) {
    OpBuilder at(op);
    replace(op, at.create<Size>(op->getLoc(), dimension));
  }
  void replace(Operation *op, Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }

  LLVM::LLVMFuncOp function;
  const ParkedIntrinsics &parked;
  const SharedVariables &sharedVariables;
  OpBuilder builder;
  grain::KernelOp kernel;
  grain::BlocksOp blocks;
  grain::ThreadsOp threads;
  llvm::StringMap<Value> allocations;
};

void Wrap::createNest() {
  Block &body = function.getBody().front();
  auto type = builder.getFunctionType(function.getArgumentTypes(), {});
  kernel = builder.create<grain::KernelOp>(function.getLoc(), function.getName(), type,
                                           function.getArgAttrsAttr(), ArrayAttr());
  Block &kernelBody = kernel.getBody().emplaceBlock();
  for (BlockArgument argument : body.getArguments())
    argument.replaceAllUsesWith(kernelBody.addArgument(argument.getType(), argument.getLoc()));
  builder.setInsertionPointToStart(&kernelBody);
  blocks = createNestOp<grain::BlocksOp>();
  threads = createNestOp<grain::ThreadsOp>();
  builder.setInsertionPointToEnd(&kernelBody);
  builder.create<grain::ReturnOp>(function.getLoc());
  Operation *end = threads.getBody().front().getTerminator();
  for (Operation &op : llvm::make_early_inc_range(body.without_terminator()))
    op.moveBefore(end);
}

void Wrap::rewrite(Operation *op) {
  using grain::BlockSizeOp, grain::GridSizeOp, grain::Dimension;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](NVVM::ThreadIdXOp) { replaceByCoordinate(op, threads, 0); })
      .Case([&](NVVM::ThreadIdYOp) { replaceByCoordinate(op, threads, 1); })
      .Case([&](NVVM::ThreadIdZOp) { replaceByCoordinate(op, threads, 2); })
      .Case([&](NVVM::BlockIdXOp) { replaceByCoordinate(op, blocks, 0); })
      .Case([&](NVVM::BlockIdYOp) { replaceByCoordinate(op, blocks, 1); })
      .Case([&](NVVM::BlockIdZOp) { replaceByCoordinate(op, blocks, 2); })
      .Case([&](NVVM::BlockDimXOp) { replaceBySize<BlockSizeOp>(op, Dimension::X); })
      .Case([&](NVVM::BlockDimYOp) { replaceBySize<BlockSizeOp>(op, Dimension::Y); })
      .Case([&](NVVM::BlockDimZOp) { replaceBySize<BlockSizeOp>(op, Dimension::Z); })
      .Case([&](NVVM::GridDimXOp) { replaceBySize<GridSizeOp>(op, Dimension::X); })
      .Case([&](NVVM::GridDimYOp) { replaceBySize<GridSizeOp>(op, Dimension::Y); })
      .Case([&](NVVM::GridDimZOp) { replaceBySize<GridSizeOp>(op, Dimension::Z); })
      .Case([&](LLVM::AddressOfOp address) { rewriteAddress(address); })
      .Case([&](LLVM::CallOp call) { rewriteBarrier(call); });
}

void Wrap::rewriteAddress(LLVM::AddressOfOp op) {
  auto found = sharedVariables.find(op.getGlobalName());
  if (found == sharedVariables.end())
    return;
  Value &allocation = allocations[op.getGlobalName()];
  if (!allocation) {
    OpBuilder before(threads);
    std::string name = sourceName(op.getGlobalName());
    auto alignment = static_cast<int64_t>(found->second.alignment);
    auto global = SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(op, op.getGlobalNameAttr());
    if (found->second.isDynamic)
      allocation =
          before.create<grain::DynamicSharedOp>(global.getLoc(), op.getType(), name, alignment, 0);
    else
      allocation = before.create<grain::SharedOp>(global.getLoc(), op.getType(), name,
                                                  global.getType(), alignment);
  }
  replace(op, allocation);
}

void Wrap::rewriteBarrier(LLVM::CallOp op) {
  if (!isBlockBarrier(*op, parked))
    return;
  OpBuilder at(op);
  ValueRange loops = threads.getBody().getArguments();
  std::optional<grain::Reduction> kind = reduction(parkedIntrinsic(*op, parked));
  if (kind) {
    replace(op, at.create<grain::BarrierReduceOp>(op.getLoc(), *kind, op.getOperand(0), loops));
    return;
  }
  at.create<grain::BarrierOp>(op.getLoc(), loops);
  op.erase();
}

} // namespace

bool regrain::isBlockBarrier(Operation &op, const ParkedIntrinsics &parked) {
  llvm::Intrinsic::ID id = parkedIntrinsic(op, parked);
  return id == llvm::Intrinsic::nvvm_barrier0 || reduction(id);
}

grain::KernelOp regrain::wrapNest(LLVM::LLVMFuncOp function, const ParkedIntrinsics &parked,
                                  const SharedVariables &shared) {
  return Wrap(function, parked, shared).run();
}

SharedVariables regrain::findSharedVariables(llvm::Module &module,
                                             ArrayRef<llvm::Function *> kernels) {
  SharedVariables result;
  llvm::SmallPtrSet<const llvm::Function *, 16> known(kernels.begin(), kernels.end());
  const llvm::DataLayout &layout = module.getDataLayout();
  for (llvm::GlobalVariable &global : module.globals()) {
    if (global.getAddressSpace() != sharedSpace ||
        !llvm::all_of(findUsers(global), [&](auto *user) { return known.contains(user); }))
      continue;
    bool isDynamic = global.isDeclaration() || layout.getTypeAllocSize(global.getValueType()) == 0;
    result[global.getName()] = {isDynamic, layout.getPreferredAlign(&global).value()};
  }
  return result;
}
