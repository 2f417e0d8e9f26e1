//===- Coordinates.cpp - Coordinates of a thread --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/Coordinates.h"
#include "runtime/image/launch_limits.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace regrain::amdgpu {

namespace {

/// Computes one dimension of the coordinates; `dimension` is 0 for x.
class Coordinates {
public:
  Coordinates(IRBuilder<> &builder, unsigned dimension, unsigned codeObjectVersion)
      : builder(builder), dimension(dimension), packed(codeObjectVersion < 5) {}

  Value *thread() {
    constexpr Intrinsic::ID ids[] = {Intrinsic::amdgcn_workitem_id_x,
                                     Intrinsic::amdgcn_workitem_id_y,
                                     Intrinsic::amdgcn_workitem_id_z};
    CallInst *call = builder.CreateIntrinsic(ids[dimension], {}, {});
    call->setMetadata(LLVMContext::MD_range, range(32, 0, maxBlockThreads));
    call->addRetAttr(Attribute::NoUndef);
    return call;
  }

  Value *block() {
    constexpr Intrinsic::ID ids[] = {Intrinsic::amdgcn_workgroup_id_x,
                                     Intrinsic::amdgcn_workgroup_id_y,
                                     Intrinsic::amdgcn_workgroup_id_z};
    return builder.CreateIntrinsic(ids[dimension], {}, {});
  }

  Value *blockSize() {
    LoadInst *size = load(builder.getInt16Ty(), (packed ? 4 : 12) + 2 * dimension);
    size->setMetadata(LLVMContext::MD_range, range(16, 1, maxBlockThreads + 1));
    return builder.CreateZExt(size, builder.getInt32Ty());
  }

  Value *gridSize() {
    LoadInst *size = load(builder.getInt32Ty(), (packed ? 12 : 0) + 4 * dimension);
    return packed ? builder.CreateExactUDiv(size, blockSize()) : size;
  }

private:
  MDNode *range(unsigned bits, uint64_t low, uint64_t high) {
    return MDBuilder(builder.getContext()).createRange(APInt(bits, low), APInt(bits, high));
  }

  /// Loads a constant that the launch has written at this byte.
  LoadInst *load(Type *type, unsigned offset) {
    Value *base = builder.CreateIntrinsic(
        packed ? Intrinsic::amdgcn_dispatch_ptr : Intrinsic::amdgcn_implicitarg_ptr, {}, {});
    Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
    LoadInst *value =
        builder.CreateAlignedLoad(type, address, Align(type->getIntegerBitWidth() / 8));
    MDNode *empty = MDNode::get(builder.getContext(), {});
    value->setMetadata(LLVMContext::MD_invariant_load, empty);
    value->setMetadata(LLVMContext::MD_noundef, empty);
    return value;
  }

  IRBuilder<> &builder;
  unsigned dimension;
  bool packed; ///< in the dispatch packet
};

struct Register {
  StringLiteral name;
  Value *(Coordinates::*read)();
};

constexpr Register registers[] = {{"tid", &Coordinates::thread},
                                  {"ntid", &Coordinates::blockSize},
                                  {"ctaid", &Coordinates::block},
                                  {"nctaid", &Coordinates::gridSize}};

} // namespace

void defineCoordinates(Module &module, unsigned codeObjectVersion) {
  IRBuilder<> builder(module.getContext());
  for (const Register &entry : registers)
    for (unsigned dimension = 0; dimension < 3; ++dimension) {
      Function *function = module.getFunction(
          ("nvvm_read_ptx_sreg_" + entry.name + "_" + Twine("xyz"[dimension])).str());
      if (!function || !function->isDeclaration() ||
          function->getFunctionType() != FunctionType::get(builder.getInt32Ty(), false))
        continue;
      builder.SetInsertPoint(BasicBlock::Create(module.getContext(), "", function));
      Coordinates coordinates(builder, dimension, codeObjectVersion);
      builder.CreateRet((coordinates.*entry.read)());
      function->setLinkage(GlobalValue::InternalLinkage);
      function->setVisibility(GlobalValue::DefaultVisibility);
      function->addFnAttr(Attribute::AlwaysInline);
      function->setDoesNotThrow();
    }
}

} // namespace regrain::amdgpu
