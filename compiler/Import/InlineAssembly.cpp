//===- InlineAssembly.cpp - What inline PTX does --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Import/InlineAssembly.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

bool regrain::isBarrierAssembly(const InlineAsm &assembly) {
  StringRef text = StringRef(assembly.getAsmString()).trim();
  text.consume_back(";");
  text = text.rtrim();
  return text == "bar.sync 0" || text == "bar.sync\t0" || text == "barrier.sync.aligned 0";
}

/// Whether all registers that PTX names begin with one of `names`. Operands are
/// written with '$'.
static bool readsOnly(StringRef text, ArrayRef<StringLiteral> names) {
  for (text = text.split('%').second; !text.empty(); text = text.split('%').second)
    if (none_of(names, [&](StringRef name) { return text.starts_with(name); }))
      return false;
  return true;
}

bool regrain::readsLaunchRegister(const InlineAsm &assembly) {
  return !readsOnly(assembly.getAsmString(), {"lane", "clock", "globaltimer", "smid", "nsmid"});
}

/// The first words of opcodes that each thread runs for itself.
static const StringSet<> &instructionsOfOneThread() {
  static const StringSet<> instructions = {
      // arithmetic
      "abs", "add", "addc", "bfe", "bfi", "bfind", "bmsk", "brev", "clz", "copysign", "cos", "div",
      "dp2a", "dp4a", "ex2", "fma", "fns", "lg2", "mad", "mad24", "madc", "max", "min", "mul",
      "mul24", "neg", "popc", "rcp", "rem", "rsqrt", "sad", "sin", "sqrt", "sub", "subc", "szext",
      "tanh", "testp",
      // bits, comparisons, moves
      "and", "cnot", "cvt", "cvta", "isspacep", "lop3", "mov", "not", "or", "prmt", "selp", "set",
      "setp", "shf", "shl", "shr", "slct", "xor",
      // memory
      "applypriority", "atom", "discard", "fence", "ld", "ldu", "membar", "prefetch", "prefetchu",
      "red", "st",
      // time, and the end of the launch
      "nanosleep", "trap"};
  return instructions;
}

/// Old code exchanges values between lanes by volatile accesses; asynchronous
/// ones tell a barrier.
static bool concernsOthers(StringRef modifier) {
  return modifier == "volatile" || modifier == "mmio" || modifier == "async" || modifier == "proxy";
}

static bool isOfOneThread(StringRef statement) {
  statement = statement.ltrim("{ \t\r\n").rtrim("} \t\r\n");
  if (statement.consume_front("@"))
    statement = statement.drop_until(isSpace).ltrim();
  if (statement.empty() || statement.starts_with(".reg "))
    return true;
  SmallVector<StringRef> words;
  statement.take_until(isSpace).split(words, '.');
  return instructionsOfOneThread().contains(words.front()) && none_of(words, concernsOthers);
}

bool regrain::concernsOneThread(const InlineAsm &assembly) {
  StringRef text = assembly.getAsmString();
  if (text.contains("//") || text.contains("/*") ||
      !readsOnly(text, {"clock", "globaltimer", "smid", "nsmid"}))
    return false;
  return all_of(split(text, ';'), isOfOneThread);
}
