//===- PtxVersion.cpp - The lowest PTX version that code needs ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The versions are those of the "PTX ISA Notes" of each instruction in NVIDIA's PTX ISA manual. The
// code generator takes care of what a chip itself requires; this adds what the program asks for by
// name. Rules are ordered by prefix, and the longest matching one decides. A name without a
// matching rule requires the newest version.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/PtxText/PtxVersion.h"

#include "compiler/DeviceIR/Architecture.h"
#include "compiler/DeviceIR/PtxText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace regrain::nvptx {

namespace {
struct Rule {
  StringLiteral prefix;
  unsigned version;
};
} // namespace

/// Rules for the names after "llvm.nvvm.".
static constexpr Rule intrinsicRules[] = {
    {"abs.", 70},
    {"activemask", 62},
    {"add.", 0},
    {"atomic.", 50},
    {"bar", 60},
    {"barrier.cluster", 80},
    {"bf2h.", 78},
    {"bitcast.", 0},
    {"ceil.", 0},
    {"clz.", 0},
    {"compiler.", 0},
    {"cos.", 0},
    {"cp.async", 70},
    {"cp.async.bulk", 80},
    {"d2", 0},
    {"div.", 0},
    {"ex2.approx.d", 0},
    {"ex2.approx.f", 0},
    {"ex2.approx.f16", 70},
    {"ex2.approx.ftz.f", 0},
    {"exit", 0},
    {"f2", 0},
    {"f2bf16", 70},
    {"f2tf32", 70},
    {"fabs.", 0},
    {"ff2", 70},
    {"ff2.e", 81},
    {"ff.to.e", 81},
    {"fence.sc.cluster", 78},
    {"floor.", 0},
    {"fma.", 70},
    {"fma.rn.d", 0},
    {"fma.rm.d", 0},
    {"fma.rp.d", 0},
    {"fma.rz.d", 0},
    {"fma.rn.f", 0},
    {"fma.rm.f", 0},
    {"fma.rp.f", 0},
    {"fma.rz.f", 0},
    {"fma.rn.ftz.f", 0},
    {"fma.rm.ftz.f", 0},
    {"fma.rp.ftz.f", 0},
    {"fma.rz.ftz.f", 0},
    {"fma.rn.f16", 70},
    {"fma.rn.ftz.f16", 70},
    {"fmax.", 72},
    {"fmax.d", 0},
    {"fmax.f", 0},
    {"fmax.ftz.f", 0},
    {"fmax.f16", 70},
    {"fmax.ftz.f16", 70},
    {"fmin.", 72},
    {"fmin.d", 0},
    {"fmin.f", 0},
    {"fmin.ftz.f", 0},
    {"fmin.f16", 70},
    {"fmin.ftz.f16", 70},
    {"fns", 60},
    {"h2f", 0},
    {"i2", 0},
    {"idp", 50},
    {"getctarank", 78},
    {"is_explicit_cluster", 78},
    {"isspacep.", 0},
    {"isspacep.shared.cluster", 78},
    {"istypep.", 0},
    {"ld", 0},
    {"ldmatrix.", 65},
    {"lg2.", 0},
    {"ll2", 0},
    {"lohi.", 0},
    {"match.", 60},
    {"mapa", 78},
    {"mbarrier.", 70},
    {"membar.", 0},
    {"mma.", 71},
    {"mma.m8n8k4.", 64},
    {"move.", 0},
    {"neg.bf16", 70},
    {"mul", 0},
    {"nanosleep", 63},
    {"popc.", 0},
    {"prmt", 0},
    {"ptr.", 0},
    {"rcp.", 0},
    {"rcp.approx.ftz.f", 0},
    {"read.ptx.sreg.", 41},
    {"read.ptx.sreg.cluster", 78},
    {"read.ptx.sreg.is_explicit", 78},
    {"read.ptx.sreg.ncluster", 78},
    {"redux.", 70},
    {"reflect", 0},
    {"rotate.", 0},
    {"round.", 0},
    {"rsqrt.", 0},
    {"sad.", 0},
    {"saturate.", 0},
    {"setmaxnreg.", 80},
    {"shfl.", 60},
    {"sin.", 0},
    {"sqrt.", 0},
    {"suld.", 0},
    {"suq.", 0},
    {"sust.", 0},
    {"swap.", 0},
    {"tex.", 0},
    {"texsurf.", 0},
    {"tld4.", 0},
    {"trunc.", 0},
    {"txq.", 0},
    {"ui2", 0},
    {"ull2", 0},
    {"vote.", 60},
    {"wmma.", 70},
    {"wmma.m8n8k128.mma.and.", 71},
};

/// Rules for instructions in inline assembly.
static constexpr Rule instructionRules[] = {
    {"abs.", 0},
    {"activemask.", 62},
    {"add", 0},
    {"and.", 0},
    {"atom.", 60},
    {"bar.", 60},
    {"barrier.cluster.", 80},
    {"barrier.sync", 60},
    {"bfe.", 0},
    {"bfi.", 0},
    {"bfind.", 0},
    {"bra", 0},
    {"brev.", 0},
    {"clz.", 0},
    {"cnot.", 0},
    {"copysign.", 0},
    {"cos.", 0},
    {"cp.async.", 70},
    {"cvt.", 0},
    {"cvta.", 0},
    {"cvta.param", 77},
    {"discard.", 74},
    {"div.", 0},
    {"dp2a.", 50},
    {"dp4a.", 50},
    {"ex2.approx.", 0},
    {"ex2.approx.f16", 70},
    {"exit", 0},
    {"fence.", 60},
    {"fence.proxy.", 80},
    {"fma.", 0},
    {"getctarank.", 78},
    {"isspacep.", 0},
    {"ld.const", 0},
    {"ld.global", 0},
    {"ld.local", 0},
    {"ld.param", 0},
    {"ld.shared", 0},
    {"ld.volatile", 0},
    {"ldmatrix.", 65},
    {"lg2.", 0},
    {"lop3.", 43},
    {"mad", 0},
    {"mapa.", 78},
    {"match.", 60},
    {"mbarrier.", 71},
    {"max.", 0},
    {"max.f16", 70},
    {"max.ftz.f16", 70},
    {"membar.", 0},
    {"min.", 0},
    {"min.f16", 70},
    {"min.ftz.f16", 70},
    {"mov.", 0},
    {"mul", 0},
    {"nanosleep.", 63},
    {"neg.", 0},
    {"not.", 0},
    {"or.", 0},
    {"popc.", 0},
    {"prefetch", 0},
    {"prmt.", 0},
    {"rcp.", 0},
    {"red.", 60},
    {"redux.", 70},
    {"rem.", 0},
    {"ret", 0},
    {"rsqrt.", 0},
    {"sad.", 0},
    {"selp.", 0},
    {"set.", 0},
    {"setp.", 0},
    {"shf.", 0},
    {"shfl.", 60},
    {"shl.", 0},
    {"shr.", 0},
    {"sin.", 0},
    {"slct.", 0},
    {"sqrt.", 0},
    {"st.global", 0},
    {"st.local", 0},
    {"st.shared", 0},
    {"st.volatile", 0},
    {"sub", 0},
    {"tanh.", 70},
    {"testp.", 0},
    {"trap", 0},
    {"vote.", 60},
    {"xor.", 0},
};

/// Rules for parts of an instruction's name that require more than the instruction itself.
static constexpr Rule modifierRules[] = {
    {".L1::", 74},    {".L2::", 74},      {".bf16", 78},     {".tf32", 70},    {".e4m3", 81},
    {".e5m2", 81},    {".NaN", 70},       {".relu", 70},     {".xorsign", 72}, {".cluster", 78},
    {".mmio", 82},    {".sc", 60},        {".nan", 70},      {".weak", 60},    {".relaxed", 60},
    {".acquire", 60}, {".release", 60},   {".acq_rel", 60},  {".noftz", 63},   {".tanh", 70},
    {".b128", 83},    {".bulk", 80},      {".unified", 80},  {".s16x2", 80},   {".u16x2", 80},
    {"::cta", 78},    {".expect_tx", 80}, {".try_wait", 78},
};

template <size_t size> static unsigned longestPrefix(StringRef name, const Rule (&rules)[size]) {
  const Rule *best = nullptr;
  for (const Rule &rule : rules)
    if (name.starts_with(rule.prefix) && (!best || rule.prefix.size() > best->prefix.size()))
      best = &rule;
  return best ? best->version : newestPtxVersion;
}

static unsigned versionOfInstruction(StringRef mnemonic) {
  unsigned version = longestPrefix(mnemonic, instructionRules);
  for (const Rule &rule : modifierRules)
    if (mnemonic.contains(rule.prefix))
      version = std::max(version, rule.version);
  if (mnemonic.contains(".b128") && mnemonic.contains(".sys"))
    version = std::max(version, 84u);
  return version;
}

/// Returns the version that inline assembly requires. Directives require nothing.
static unsigned versionOfAssembly(StringRef text) {
  unsigned version = 0;
  for (StringRef opcode : ptx::opcodesOf(text))
    if (isAlpha(opcode.front()))
      version = std::max(version, versionOfInstruction(opcode));
  return version;
}

/// Returns the version that the size of a function's parameters requires. Intrinsics, which may
/// have parameters without a size, are only declared.
static unsigned versionOfParameters(const Function &function) {
  constexpr uint64_t bytesOfOldVersions = 4352;
  if (function.isDeclaration())
    return 0;
  const DataLayout &layout = function.getParent()->getDataLayout();
  uint64_t bytes = 0;
  for (const Argument &argument : function.args()) {
    Type *type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
    MaybeAlign own = argument.hasByValAttr() ? argument.getParamAlign() : std::nullopt;
    bytes =
        alignTo(bytes, own.value_or(layout.getABITypeAlign(type))) + layout.getTypeAllocSize(type);
  }
  return bytes > bytesOfOldVersions ? 81 : 0;
}

unsigned requiredPtxVersion(const Module &module) {
  unsigned version = module.alias_empty() ? 0 : 63;
  for (const Function &function : module) {
    version = std::max(version, versionOfParameters(function));
    StringRef name = function.getName();
    if (name.consume_front("llvm.nvvm.") && !function.use_empty())
      version = std::max(version, longestPrefix(name, intrinsicRules));
    for (const Instruction &instruction : instructions(function)) {
      if (auto *stack = dyn_cast<AllocaInst>(&instruction); stack && !stack->isStaticAlloca())
        version = std::max(version, 73u);
      auto *call = dyn_cast<CallBase>(&instruction);
      auto *assembly = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
      if (assembly)
        version = std::max(version, versionOfAssembly(assembly->getAsmString()));
    }
  }
  return version;
}

/// Returns the first version with a target that LLVM 19 does not know (PTX ISA 9.0, "Target
/// Directives", table of PTX release history).
static unsigned versionOfTarget(Architecture arch) {
  unsigned version = StringSwitch<unsigned>(Architecture(arch.number).chip())
                         .Cases("sm_100", "sm_101", 86)
                         .Case("sm_120", 87)
                         .Cases("sm_103", "sm_121", 88)
                         .Default(90);
  return arch.features == Architecture::OfFamily ? std::max(version, 88u) : version;
}

std::string retarget(StringRef ptx, StringRef arch) {
  std::optional<Architecture> chip = Architecture::parse(arch.drop_front(3));
  SmallVector<StringRef> parts;
  unsigned major = 0, minor = 0;
  if (!chip || !Regex("\\.version ([0-9]+)\\.([0-9])\n\\.target sm_[0-9]+a?").match(ptx, &parts) ||
      parts[1].getAsInteger(10, major) || parts[2].getAsInteger(10, minor))
    return ptx.str();
  unsigned version = std::max(major * 10 + minor, versionOfTarget(*chip));
  StringRef header = parts[0];
  return (ptx.take_front(header.begin() - ptx.begin()) + ".version " + Twine(version / 10) + "." +
          Twine(version % 10) + "\n.target " + arch + ptx.substr(header.end() - ptx.begin()))
      .str();
}

} // namespace regrain::nvptx
