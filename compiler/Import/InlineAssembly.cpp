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

/// Returns whether the names of all registers in the text begin with one of `names`. Operands are
/// written with '$'.
static bool readsOnly(StringRef text, ArrayRef<StringLiteral> names) {
  for (text = text.split('%').second; !text.empty(); text = text.split('%').second)
    if (none_of(names, [&](StringRef name) { return text.starts_with(name); }))
      return false;
  return true;
}

/// The first parts of opcodes that each thread runs by itself.
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

/// Returns whether a modifier involves other threads: old code exchanges values between lanes by
/// volatile accesses, and asynchronous accesses signal a barrier.
static bool concernsOthers(StringRef modifier) {
  return modifier == "volatile" || modifier == "mmio" || modifier == "async" || modifier == "proxy";
}

/// Returns the opcode of a statement without its brackets, label and predicate, such as
/// "atom.add.sys.u32"; empty if the statement has none, or declares registers.
static StringRef opcodeOf(StringRef statement) {
  constexpr StringLiteral around = "{} \t\r\n";
  statement = statement.ltrim(around).rtrim(around);
  if (size_t colon = statement.find(':');
      colon != StringRef::npos &&
      statement.take_front(colon).find_first_of(" \t[") == StringRef::npos)
    statement = statement.drop_front(colon + 1).ltrim(around);
  if (statement.consume_front("@"))
    statement = statement.drop_until(isSpace).ltrim();
  return statement.starts_with(".reg ") ? "" : statement.take_until(isSpace);
}

/// The first parts of opcodes that the lanes of a warp run together.
static const StringSet<> &instructionsOfTheWarp() {
  static const StringSet<> instructions = {"activemask", "ldmatrix", "match", "mma", "movmatrix",
                                           "redux",      "shfl",     "vote",  "wmma"};
  return instructions;
}

static bool isOf(StringRef statement, ArrayRef<const StringSet<> *> kinds) {
  SmallVector<StringRef> words;
  StringRef opcode = opcodeOf(statement);
  opcode.split(words, '.');
  return opcode.empty() ||
         (any_of(kinds, [&](const StringSet<> *kind) { return kind->contains(words.front()); }) &&
          none_of(words, concernsOthers));
}

/// Returns whether all instructions belong to one of `kinds`; false for text with comments, which
/// is not parsed.
static bool hasOnly(StringRef text, ArrayRef<const StringSet<> *> kinds) {
  return !text.contains("//") && !text.contains("/*") &&
         all_of(split(text, ';'), [&](StringRef statement) { return isOf(statement, kinds); });
}

bool regrain::concernsOneThread(const InlineAsm &assembly) {
  StringRef text = assembly.getAsmString();
  return readsOnly(text, {"clock", "globaltimer", "smid", "nsmid"}) &&
         hasOnly(text, &instructionsOfOneThread());
}

bool regrain::isOfBlockScope(const InlineAsm &assembly) {
  return any_of(split(assembly.getAsmString(), ';'), [](StringRef statement) {
    SmallVector<StringRef> words;
    opcodeOf(statement).split(words, '.');
    return is_contained(words, "cta");
  });
}

bool regrain::concernsWarp(const InlineAsm &assembly) {
  StringRef text = assembly.getAsmString();
  return readsOnly(text, {"lane", "clock", "globaltimer", "smid", "nsmid"}) &&
         hasOnly(text, {&instructionsOfOneThread(), &instructionsOfTheWarp()});
}

/// The first parts of further opcodes that touch only registers, the device's memory and the
/// threads of the launch.
static const StringSet<> &instructionsOfTheLaunch() {
  static const StringSet<> instructions = {
      // jumps
      "bra", "brx", "exit", "ret",
      // interaction of threads
      "activemask", "bar", "barrier", "elect", "getctarank", "mapa", "match", "mbarrier", "redux",
      "setmaxnreg", "shfl", "vote",
      // matrices and copies
      "cp", "createpolicy", "ldmatrix", "mma", "movmatrix", "stmatrix", "wgmma", "wmma",
      // textures, which are only read
      "tex", "tld4", "txq",
      // several values in a register
      "vabsdiff", "vabsdiff2", "vabsdiff4", "vadd", "vadd2", "vadd4", "vavrg2", "vavrg4", "vmad",
      "vmax", "vmax2", "vmax4", "vmin", "vmin2", "vmin4", "vset", "vset2", "vset4", "vshl", "vshr",
      "vsub", "vsub2", "vsub4"};
  return instructions;
}

static std::string withoutComments(StringRef text) {
  std::string code;
  while (!text.empty()) {
    size_t comment = std::min(text.find("//"), text.find("/*"));
    code += text.take_front(comment);
    text = text.drop_front(std::min(comment, text.size()));
    StringRef end = text.starts_with("//") ? "\n" : "*/";
    text = text.drop_front(std::min(text.find(end, 2), text.size()));
    text.consume_front("*/");
  }
  return code;
}

std::string regrain::findForeignOpcode(const InlineAsm &assembly) {
  std::string text = withoutComments(assembly.getAsmString());
  for (StringRef statement : split(text, ';')) {
    StringRef opcode = opcodeOf(statement);
    SmallVector<StringRef> words;
    opcode.split(words, '.');
    bool isKnown = instructionsOfOneThread().contains(words.front()) ||
                   instructionsOfTheLaunch().contains(words.front());
    bool reachesHost = is_contained(words, "sys") || is_contained(words, "mmio");
    if (!opcode.empty() && (!isKnown || reachesHost))
      return opcode.str();
  }
  return "";
}
