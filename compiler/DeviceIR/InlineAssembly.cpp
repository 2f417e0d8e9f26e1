//===- InlineAssembly.cpp - What inline PTX does --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/InlineAssembly.h"

#include "compiler/DeviceIR/PtxText.h"
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

/// The first parts of opcodes whose results depend on their operands alone.
static const StringSet<> &computations() {
  static const StringSet<> instructions = {
      // arithmetic
      "abs", "add", "addc", "bfe", "bfi", "bfind", "bmsk", "brev", "clz", "copysign", "cos", "div",
      "dp2a", "dp4a", "ex2", "fma", "fns", "lg2", "mad", "mad24", "madc", "max", "min", "mul",
      "mul24", "neg", "popc", "rcp", "rem", "rsqrt", "sad", "sin", "sqrt", "sub", "subc", "szext",
      "tanh", "testp",
      // bits, comparisons, moves
      "and", "cnot", "cvt", "cvta", "isspacep", "lop3", "mov", "not", "or", "prmt", "selp", "set",
      "setp", "shf", "shl", "shr", "slct", "xor",
      // several values in a register
      "vabsdiff", "vabsdiff2", "vabsdiff4", "vadd", "vadd2", "vadd4", "vavrg2", "vavrg4", "vmad",
      "vmax", "vmax2", "vmax4", "vmin", "vmin2", "vmin4", "vset", "vset2", "vset4", "vshl", "vshr",
      "vsub", "vsub2", "vsub4"};
  return instructions;
}

/// The first parts of other opcodes that each thread runs by itself.
static const StringSet<> &effectsOfOneThread() {
  static const StringSet<> instructions = {// memory
                                           "applypriority", "atom", "discard", "fence", "ld", "ldu",
                                           "membar", "prefetch", "prefetchu", "red", "st",
                                           // textures and surfaces
                                           "suld", "suq", "sured", "sust", "tex", "tld4", "txq",
                                           // time, the end of the launch, and those beside it
                                           "nanosleep", "trap", "griddepcontrol"};
  return instructions;
}

/// Returns whether a modifier involves other threads: old code exchanges values between lanes by
/// volatile accesses, asynchronous accesses signal a barrier, and what is qualified by "::" may
/// belong to other blocks of a cluster, unless it is a hint for a cache.
static bool concernsOthers(StringRef modifier) {
  bool isHint = modifier.starts_with("L1::") || modifier.starts_with("L2::");
  return modifier == "volatile" || modifier == "mmio" || modifier == "async" ||
         modifier == "proxy" || (modifier.contains("::") && !isHint && modifier != "shared::cta");
}

/// The first parts of opcodes that the lanes of a warp run together.
static const StringSet<> &instructionsOfTheWarp() {
  static const StringSet<> instructions = {"activemask", "ldmatrix", "match", "mma", "movmatrix",
                                           "redux",      "shfl",     "vote",  "wmma"};
  return instructions;
}

static SmallVector<StringRef> wordsOf(StringRef opcode) {
  SmallVector<StringRef> words;
  opcode.split(words, '.');
  return words;
}

static bool isOf(StringRef opcode, ArrayRef<const StringSet<> *> kinds) {
  SmallVector<StringRef> words = wordsOf(opcode);
  return any_of(kinds, [&](const StringSet<> *kind) { return kind->contains(words.front()); }) &&
         none_of(words, concernsOthers);
}

/// Returns whether all instructions belong to one of `kinds`. Text with comments counts as unknown.
static bool hasOnly(StringRef text, ArrayRef<const StringSet<> *> kinds) {
  return !text.contains("//") && !text.contains("/*") &&
         all_of(regrain::ptx::opcodesOf(text),
                [&](StringRef opcode) { return isOf(opcode, kinds); });
}

bool regrain::concernsOneThread(const InlineAsm &assembly) {
  StringRef text = assembly.getAsmString();
  return readsOnly(text, {"clock", "globaltimer", "smid", "nsmid"}) &&
         hasOnly(text, {&computations(), &effectsOfOneThread()});
}

static bool takesCarry(StringRef opcode) {
  return is_contained({"addc", "madc", "subc"}, wordsOf(opcode).front());
}

static bool leavesCarry(StringRef opcode) { return is_contained(wordsOf(opcode), "cc"); }

bool regrain::sharesCarries(const InlineAsm &assembly) {
  bool isLeft = false;
  for (StringRef opcode : regrain::ptx::opcodesOf(assembly.getAsmString())) {
    if (takesCarry(opcode) && !isLeft)
      return true;
    if (takesCarry(opcode) || leavesCarry(opcode))
      isLeft = leavesCarry(opcode);
  }
  return isLeft;
}

bool regrain::onlyComputes(const InlineAsm &assembly) {
  StringRef text = assembly.getAsmString();
  auto carries = [](StringRef opcode) { return takesCarry(opcode) || leavesCarry(opcode); };
  return !assembly.hasSideEffects() && !text.contains('%') && hasOnly(text, &computations()) &&
         none_of(regrain::ptx::opcodesOf(text), carries);
}

bool regrain::staysFromMemory(const InlineAsm &assembly) {
  return !StringRef(assembly.getConstraintString()).contains("~{memory}") &&
         hasOnly(assembly.getAsmString(), &computations());
}

bool regrain::isOfBlockScope(const InlineAsm &assembly) {
  return any_of(regrain::ptx::opcodesOf(assembly.getAsmString()),
                [](StringRef opcode) { return is_contained(wordsOf(opcode), "cta"); });
}

bool regrain::concernsWarp(const InlineAsm &assembly) {
  StringRef text = assembly.getAsmString();
  return readsOnly(text, {"lane", "clock", "globaltimer", "smid", "nsmid"}) &&
         hasOnly(text, {&computations(), &effectsOfOneThread(), &instructionsOfTheWarp()});
}

bool regrain::staysInRegisters(const InlineAsm &assembly) {
  static const StringSet<> betweenLanes = {"activemask", "match", "redux", "shfl", "vote"};
  StringRef constraints = assembly.getConstraintString();
  StringRef text = assembly.getAsmString();
  return !constraints.contains("~{memory}") && !constraints.contains('*') &&
         readsOnly(text, {"lane"}) && hasOnly(text, {&computations(), &betweenLanes});
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
      "cp", "createpolicy", "ldmatrix", "mma", "movmatrix", "stmatrix", "wgmma", "wmma"};
  return instructions;
}

bool regrain::onlyReadsTextures(const InlineAsm &assembly) {
  SmallVector<StringRef> opcodes = regrain::ptx::opcodesOf(assembly.getAsmString());
  auto reads = [](StringRef opcode) {
    return is_contained({"tex", "tld4", "txq"}, wordsOf(opcode).front());
  };
  // A read may have a predicate as result, of which selp makes a word.
  return regrain::concernsOneThread(assembly) && any_of(opcodes, reads) &&
         all_of(opcodes, [&](StringRef opcode) {
           return reads(opcode) || wordsOf(opcode).front() == "selp";
         });
}

/// Returns whether the opcode reads memory that another block can write.
static bool readsCommonMemory(ArrayRef<StringRef> words) {
  return is_contained({"atom", "ld", "ldu", "suld", "tex"}, words.front()) &&
         none_of(words, [](StringRef word) {
           return word.starts_with("shared") || word.starts_with("param") || word == "const" ||
                  word == "local";
         });
}

bool regrain::mayWaitForOutside(const InlineAsm &assembly) {
  bool jumps = false, reads = false;
  for (StringRef opcode : regrain::ptx::opcodesOf(assembly.getAsmString())) {
    SmallVector<StringRef> words = wordsOf(opcode);
    jumps |= is_contained({"bra", "brx"}, words.front());
    reads |= readsCommonMemory(words);
  }
  return jumps && reads;
}

bool regrain::writesSurface(const InlineAsm &assembly) {
  return any_of(regrain::ptx::opcodesOf(assembly.getAsmString()), [](StringRef opcode) {
    return is_contained({"sured", "sust"}, wordsOf(opcode).front());
  });
}

bool regrain::multipliesFromSharedMemory(const InlineAsm &assembly) {
  StringRef text = assembly.getAsmString();
  auto isOfProducts = [](StringRef opcode) {
    return wordsOf(opcode).front() == "wgmma" || opcode == "fence.proxy.async.shared::cta";
  };
  SmallVector<StringRef> opcodes = regrain::ptx::opcodesOf(text);
  return readsOnly(text, {}) && !text.contains("//") && !text.contains("/*") &&
         any_of(opcodes, isOfProducts) && all_of(opcodes, [&](StringRef opcode) {
           return isOfProducts(opcode) || isOf(opcode, {&computations()});
         });
}

/// Returns whether an instruction that is no computation accesses at most shared memory. Barriers
/// in memory (mbarrier) can lie nowhere else.
static bool staysInSharedMemory(StringRef opcode) {
  static const StringSet<> others = {"bar",  "barrier",  "bra",    "fence", "getctarank",
                                     "mapa", "mbarrier", "membar", "wgmma"};
  SmallVector<StringRef> words = wordsOf(opcode);
  bool isAccess = is_contained({"atom", "ld", "red", "st"}, words.front());
  bool isShared = any_of(words, [](StringRef word) {
    return word == "shared" || word == "shared::cta" || word == "shared::cluster";
  });
  return others.contains(words.front()) || (isAccess && isShared);
}

bool regrain::staysInSharedMemory(const InlineAsm &assembly) {
  StringRef text = assembly.getAsmString();
  SmallVector<StringRef> opcodes = regrain::ptx::opcodesOf(text);
  erase_if(opcodes, [](StringRef opcode) { return isOf(opcode, {&computations()}); });
  bool readsRegister = text.contains('%');
  return !text.contains("//") && !text.contains("/*") && (readsRegister || !opcodes.empty()) &&
         all_of(opcodes, [](StringRef opcode) { return ::staysInSharedMemory(opcode); });
}

bool regrain::mapsToCluster(const InlineAsm &assembly) {
  SmallVector<StringRef> opcodes = regrain::ptx::opcodesOf(assembly.getAsmString());
  return !opcodes.empty() &&
         all_of(opcodes, [](StringRef opcode) { return wordsOf(opcode).front() == "mapa"; });
}

bool regrain::copiesAsynchronously(const InlineAsm &assembly) {
  StringRef text = StringRef(assembly.getAsmString()).trim();
  SmallVector<StringRef> words = wordsOf(text.take_until([](char c) { return isSpace(c); }));
  bool isCopy =
      words.size() >= 5 && words[0] == "cp" && words[1] == "async" &&
      (words[2] == "ca" || words[2] == "cg") &&
      (words[3] == "shared" || words[3] == "shared::cta") && words[4] == "global" &&
      all_of(drop_begin(words, 5), [](StringRef word) { return word.starts_with("L2::"); });
  StringRef operands = text.drop_until([](char c) { return isSpace(c); }).ltrim();
  // Without results, the first two operands are the addresses.
  return isCopy && assembly.getFunctionType()->getReturnType()->isVoidTy() &&
         operands.starts_with("[$0], [$1], ") && operands.ends_with(";") &&
         operands.count(';') == 1 && !text.contains("//") && !text.contains("/*");
}

/// Returns whether the text is this instruction alone, which has no operands.
static bool isInstruction(const InlineAsm &assembly, StringRef opcode) {
  StringRef text = StringRef(assembly.getAsmString()).trim();
  text.consume_back(";");
  return text.rtrim() == opcode && assembly.getFunctionType()->getNumParams() == 0 &&
         assembly.getFunctionType()->getReturnType()->isVoidTy();
}

bool regrain::waitsForLaunch(const InlineAsm &assembly) {
  return isInstruction(assembly, "griddepcontrol.wait");
}

bool regrain::letsNextLaunchBegin(const InlineAsm &assembly) {
  return isInstruction(assembly, "griddepcontrol.launch_dependents");
}

bool regrain::onlyHints(const InlineAsm &assembly) {
  SmallVector<StringRef> opcodes = regrain::ptx::opcodesOf(assembly.getAsmString());
  bool prefetches = !opcodes.empty() && all_of(opcodes, [](StringRef opcode) {
    return is_contained({"prefetch", "prefetchu"}, wordsOf(opcode).front());
  });
  return letsNextLaunchBegin(assembly) || (prefetches && regrain::concernsOneThread(assembly));
}

std::string regrain::findForeignOpcode(const InlineAsm &assembly) {
  for (StringRef opcode : regrain::ptx::opcodesOf(assembly.getAsmString())) {
    SmallVector<StringRef> words = wordsOf(opcode);
    bool isKnown = computations().contains(words.front()) ||
                   effectsOfOneThread().contains(words.front()) ||
                   instructionsOfTheLaunch().contains(words.front());
    bool reachesHost = is_contained(words, "sys") || is_contained(words, "mmio");
    if (!isKnown || reachesHost)
      return opcode.str();
  }
  return "";
}
