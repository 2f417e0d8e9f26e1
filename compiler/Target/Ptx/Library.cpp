//===- Library.cpp - Inline PTX in the device library ---------------------===//
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

/// An instruction whose operands, words of 32 bits, are those of a library function.
struct Known {
  StringLiteral opcode;
  StringLiteral function;
  unsigned operands;
};

constexpr Known known[] = {
    {"membar.cta", "nvvm_membar_cta", 0},
    {"membar.gl", "nvvm_membar_gl", 0},
    {"membar.sys", "nvvm_membar_sys", 0},
    {"fence.acq_rel.cta", "nvvm_membar_cta", 0},
    {"fence.acq_rel.cluster", "nvvm_membar_gl", 0},
    {"fence.acq_rel.gpu", "nvvm_membar_gl", 0},
    {"fence.acq_rel.sys", "nvvm_membar_sys", 0},
    {"fence.sc.cta", "nvvm_membar_cta", 0},
    {"fence.sc.cluster", "nvvm_membar_gl", 0},
    {"fence.sc.gpu", "nvvm_membar_gl", 0},
    {"fence.sc.sys", "nvvm_membar_sys", 0},
    {"bar.sync", "nvvm_barrier", 2},
    {"barrier.sync", "nvvm_barrier", 2},
    {"bar.arrive", "regrain_bar_arrive", 2},
    {"barrier.arrive", "regrain_bar_arrive", 2},
    {"bar.sync", "nvvm_bar_sync", 1},
    {"barrier.sync", "nvvm_bar_sync", 1},
    {"barrier.sync.aligned", "nvvm_bar_sync", 1},
    {"bar.warp.sync", "nvvm_bar_warp_sync", 1},
    {"nanosleep.u32", "nvvm_nanosleep", 1},
    {"trap", "regrain_trap", 0},
    {"brkpt", "regrain_breakpoint", 0},
};

Type word{'b', 32, 1}, predicate{'p', 1, 1};

bool callKnown(Emitter &emitter) {
  std::string opcode = join(emitter.instruction.opcode, ".");
  for (const Known &entry : known) {
    if (entry.opcode != opcode || emitter.instruction.operands.size() != entry.operands)
      continue;
    SmallVector<Value *> values;
    for (unsigned i = 0; i < entry.operands; ++i)
      values.push_back(emitter.value(i, word));
    if (is_contained(values, nullptr))
      return false;
    emitter.call(entry.function, emitter.builder.getVoidTy(), values);
    return true;
  }
  return false;
}

/// Emits shfl.sync.down.b32 d|p, a, b, c, mask.
bool emitShuffle(Emitter &emitter) {
  IRBuilder<> &builder = emitter.builder;
  bool sync = emitter.take("sync");
  StringRef kind = emitter.takeAny({"up", "down", "bfly", "idx"});
  std::optional<Type> type = emitter.takeType();
  if (!sync || kind.empty() || !type || type->kind != 'b' || type->bits != 32 || !emitter.isRead(5))
    return false;
  SmallVector<Value *> values = {emitter.value(4, word)};
  for (unsigned i = 1; i <= 3; ++i)
    values.push_back(emitter.value(i, word));
  if (is_contained(values, nullptr))
    return false;
  const Operand &to = emitter.instruction.operands[0];
  std::string function = ("nvvm_shfl_sync_" + kind + "_i32").str();
  if (to.kind != Operand::Pair)
    return emitter.set(to, emitter.call(function, builder.getInt32Ty(), values));
  Value *both = emitter.call(function + "p", builder.getInt64Ty(), values);
  Value *inside = builder.CreateTrunc(builder.CreateLShr(both, 32), builder.getInt1Ty());
  return emitter.set(to.parts[0], builder.CreateTrunc(both, builder.getInt32Ty())) &&
         emitter.set(to.parts[1], inside);
}

/// Emits vote.sync.any.pred d, p, mask.
bool emitVote(Emitter &emitter) {
  bool sync = emitter.take("sync");
  StringRef kind = emitter.takeAny({"all", "any", "uni", "ballot"});
  std::optional<Type> type = emitter.takeType();
  bool isBallot = kind == "ballot";
  if (!sync || kind.empty() || !type || type->isPredicate() == isBallot || !emitter.isRead(3) ||
      (isBallot && type->bits != 32))
    return false;
  Value *bit = emitter.value(1, predicate), *mask = emitter.value(2, word);
  if (!bit || !mask)
    return false;
  return emitter.set(0, emitter.call(("nvvm_vote_" + kind + "_sync").str(),
                                     emitter.llvmType(isBallot ? word : predicate), {mask, bit}));
}

/// Emits match.any.sync.b32 d, a, mask.
bool emitMatch(Emitter &emitter) {
  bool any = emitter.take("any"), sync = emitter.take("sync");
  std::optional<Type> type = emitter.takeType();
  if (!any || !sync || !type || type->kind != 'b' || type->bits < 32 || !emitter.isRead(3))
    return false;
  Value *a = emitter.value(1, *type), *mask = emitter.value(2, word);
  if (!a || !mask)
    return false;
  std::string function = "nvvm_match_any_sync_i" + std::to_string(type->bits);
  return emitter.set(0, emitter.call(function, emitter.llvmType(word), {mask, a}));
}

/// Emits redux.sync.max.s32 d, a, mask.
bool emitReduction(Emitter &emitter) {
  bool sync = emitter.take("sync");
  StringRef kind = emitter.takeAny({"add", "min", "max", "and", "or", "xor"});
  std::optional<Type> type = emitter.takeType();
  bool orders = kind == "min" || kind == "max", bits = !orders && kind != "add";
  if (!sync || kind.empty() || !type || type->bits != 32 || type->isFloat() ||
      (type->kind == 'b') != bits || !emitter.isRead(3))
    return false;
  Value *a = emitter.value(1, *type), *mask = emitter.value(2, word);
  if (!a || !mask)
    return false;
  std::string function =
      ("nvvm_redux_sync_" + Twine(orders && !type->isSigned() ? "u" : "") + kind).str();
  return emitter.set(0, emitter.call(function, emitter.llvmType(word), {a, mask}));
}

} // namespace

bool emitLibraryCall(Emitter &emitter, StringRef name) {
  // Launches of these targets follow each other.
  if (name == "griddepcontrol")
    return emitter.takeAny({"wait", "launch_dependents"}) != "" && emitter.isRead(0);
  // discard lets the contents of a line be anything, so they may stay.
  if (name == "prefetch" || name == "prefetchu" || name == "pmevent" || name == "applypriority" ||
      name == "discard")
    return true;
  if (name == "shfl")
    return emitShuffle(emitter);
  if (name == "vote")
    return emitVote(emitter);
  if (name == "match")
    return emitMatch(emitter);
  if (name == "redux")
    return emitReduction(emitter);
  if (name == "activemask")
    return emitter.take("b32") && emitter.isRead(1) &&
           emitter.set(0, emitter.call("nvvm_activemask", emitter.builder.getInt32Ty(), {}));
  return callKnown(emitter);
}

} // namespace regrain::ptx
