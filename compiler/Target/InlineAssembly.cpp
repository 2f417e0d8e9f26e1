//===- InlineAssembly.cpp - Inline PTX to calls ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/InlineAssembly.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace regrain {

namespace {

/// An instruction whose operands are those of a library function, in order.
struct Known {
  StringLiteral text; ///< the opcode
  StringLiteral function;
  unsigned operands;
  bool result;
};

constexpr Known known[] = {
    {"membar.cta", "nvvm_membar_cta", 0, false},
    {"membar.gl", "nvvm_membar_gl", 0, false},
    {"membar.sys", "nvvm_membar_sys", 0, false},
    {"fence.acq_rel.cta", "nvvm_membar_cta", 0, false},
    {"fence.acq_rel.gpu", "nvvm_membar_gl", 0, false},
    {"fence.sc.gpu", "nvvm_membar_gl", 0, false},
    {"bar.sync", "nvvm_barrier", 2, false},
    {"barrier.sync", "nvvm_barrier", 2, false},
    {"bar.arrive", "regrain_bar_arrive", 2, false},
    {"barrier.arrive", "regrain_bar_arrive", 2, false},
    {"bar.sync", "nvvm_bar_sync", 1, false},
    {"barrier.sync", "nvvm_bar_sync", 1, false},
    {"bar.warp.sync", "nvvm_bar_warp_sync", 1, false},
    {"nanosleep.u32", "nvvm_nanosleep", 1, false},
    {"trap", "regrain_trap", 0, false},
    {"activemask.b32", "nvvm_activemask", 0, true},
    {"brev.b32", "__nv_brev", 1, true},
    {"popc.b32", "__nv_popc", 1, true},
    {"clz.b32", "__nv_clz", 1, true},
    {"prmt.b32", "nvvm_prmt", 3, true},
    {"bfe.u32", "regrain_bfe_u32", 3, true},
    {"bfe.s32", "regrain_bfe_s32", 3, true},
    {"bfi.b32", "regrain_bfi_b32", 4, true},
    {"lop3.b32", "regrain_lop3_b32", 4, true},
    {"shf.l.wrap.b32", "regrain_shf_l_wrap", 3, true},
    {"shf.r.wrap.b32", "regrain_shf_r_wrap", 3, true},
    {"shf.l.clamp.b32", "regrain_shf_l_clamp", 3, true},
    {"shf.r.clamp.b32", "regrain_shf_r_clamp", 3, true},
    {"ex2.approx.f32", "nvvm_ex2_approx_f", 1, true},
    {"ex2.approx.ftz.f32", "nvvm_ex2_approx_f", 1, true},
    {"lg2.approx.f32", "nvvm_lg2_approx_f", 1, true},
    {"rcp.approx.f32", "nvvm_rcp_approx_f", 1, true},
    {"rcp.approx.ftz.f32", "nvvm_rcp_approx_f", 1, true},
    {"rsqrt.approx.f32", "nvvm_rsqrt_approx_f", 1, true},
    {"sqrt.approx.f32", "nvvm_sqrt_approx_f", 1, true},
    {"sin.approx.f32", "nvvm_sin_approx_f", 1, true},
    {"cos.approx.f32", "nvvm_cos_approx_f", 1, true},
    {"tanh.approx.f32", "__nv_tanhf", 1, true},
};

/// One PTX instruction: "bar.sync $0, 64;" has the operands "$0" and "64", which
/// point into the text.
struct PtxInstruction {
  std::string opcode;
  SmallVector<StringRef, 6> operands;
};

std::optional<PtxInstruction> parse(StringRef text) {
  text = text.trim();
  text.consume_back(";");
  if (text.contains(';') || text.contains('{'))
    return std::nullopt;
  auto [opcode, rest] = text.split(' ');
  PtxInstruction instruction;
  instruction.opcode = opcode.trim().str();
  SmallVector<StringRef, 6> operands;
  rest.split(operands, ',', -1, /*KeepEmpty=*/false);
  for (StringRef operand : operands)
    if (!operand.trim().empty())
      instruction.operands.push_back(operand.trim());
  return instruction;
}

Value *callLibrary(IRBuilder<> &builder, StringRef name, Type *result,
                   ArrayRef<Value *> arguments) {
  SmallVector<Type *> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  FunctionCallee callee = builder.GetInsertBlock()->getModule()->getOrInsertFunction(
      name, FunctionType::get(result, types, false));
  return builder.CreateCall(callee, arguments);
}

/// The value of operand `text`: "$2" is input 2 - results, "64" a number.
Value *operandValue(CallInst &call, StringRef text, unsigned results) {
  unsigned number = 0;
  if (text.consume_front("$")) {
    if (text.getAsInteger(10, number) || number < results || number - results >= call.arg_size())
      return nullptr;
    return call.getArgOperand(number - results);
  }
  if (text.getAsInteger(0, number))
    return nullptr;
  return ConstantInt::get(Type::getInt32Ty(call.getContext()), number);
}

/// mov.u32 $0, %laneid
std::optional<Value *> readSpecial(CallInst &call, const PtxInstruction &instruction) {
  StringRef name = instruction.operands[1];
  if (instruction.operands[0] != "$0" || !name.consume_front("%") || !call.getType()->isIntegerTy())
    return std::nullopt;
  IRBuilder<> builder(&call);
  bool wide = name == "clock64" || name == "globaltimer";
  if (call.getType()->getIntegerBitWidth() != (wide ? 64u : 32u))
    return std::nullopt;
  std::string function = "nvvm_read_ptx_sreg_" + name.str();
  std::replace(function.begin(), function.end(), '.', '_');
  if (name.starts_with("lanemask_"))
    function = "nvvm_read_ptx_sreg_" + name.str();
  if (name == "dynamic_smem_size")
    function = "regrain_dynamic_smem_size";
  if (name == "WARP_SZ")
    function = "nvvm_read_ptx_sreg_warpsize";
  return callLibrary(builder, function, call.getType(), {});
}

std::optional<Value *> callKnown(CallInst &call, const PtxInstruction &instruction) {
  for (const Known &entry : known) {
    unsigned results = entry.result ? 1 : 0;
    if (instruction.opcode != entry.text ||
        instruction.operands.size() != entry.operands + results ||
        entry.result == call.getType()->isVoidTy())
      continue;
    SmallVector<Value *> arguments;
    for (StringRef operand : ArrayRef(instruction.operands).drop_front(results))
      arguments.push_back(operandValue(call, operand, results));
    if (is_contained(arguments, nullptr) || isa<StructType>(call.getType()))
      return std::nullopt;
    IRBuilder<> builder(&call);
    return callLibrary(builder, entry.function, call.getType(), arguments);
  }
  return std::nullopt;
}

} // namespace

std::string assemblyText(const CallInst &call) {
  StringRef text = cast<InlineAsm>(call.getCalledOperand())->getAsmString();
  SmallVector<StringRef> words;
  SplitString(text, words, " \t\n");
  return join(words, " ");
}

std::optional<Value *> lowerInlineAssembly(CallInst &call) {
  std::string text = assemblyText(call);
  std::optional<PtxInstruction> instruction = parse(text);
  if (!instruction)
    return std::nullopt;
  IRBuilder<> builder(&call);
  if (instruction->opcode.empty() && call.getType()->isVoidTy()) {
    builder.CreateFence(AtomicOrdering::SequentiallyConsistent, SyncScope::SingleThread);
    return nullptr;
  }
  StringRef opcode = instruction->opcode;
  if (opcode.starts_with("prefetch") && call.getType()->isVoidTy())
    return nullptr;
  if (opcode.starts_with("mov.") && instruction->operands.size() == 2)
    return readSpecial(call, *instruction);
  return callKnown(call, *instruction);
}

} // namespace regrain
