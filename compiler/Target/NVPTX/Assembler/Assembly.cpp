//===- Assembly.cpp - PTX to machine code and its figures -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Assembler/Assembly.h"

#include "compiler/Target/NVPTX/Assembler/InstructionOrder.h"
#include "compiler/Target/NVPTX/Assembler/LatencyOrder.h"
#include "compiler/Target/NVPTX/Assembler/Ptxas.h"
#include "compiler/Target/NVPTX/Chip/Occupancy.h"
#include "compiler/Target/NVPTX/PtxText/CompanionText.h"
#include "compiler/Target/NVPTX/PtxText/KernelTexts.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

using namespace llvm;

namespace regrain::nvptx {

/// Assembles the PTX that `text` holds, whose first kernels are those of `assembly.threads`.
static Expected<CompiledModule> assembled(const Assembly &assembly, CompiledModule text) {
  mlir::TimingScope timing = assembly.options.time(assemblePhase);
  Expected<Assembled> made =
      assemble(assembly.ptxas, assembly.arch, ArrayRef(text.code).drop_back(), assembly.options,
               assembly.seconds);
  if (!made)
    return made.takeError();
  unsigned capability = capabilityOf(assembly.arch);
  for (auto [kernel, threads] : zip_equal(text.kernels, assembly.threads)) {
    auto figures = made->kernels.find(kernel.symbol);
    if (kernel.refusal || figures == made->kernels.end())
      continue;
    kernel.resources = figures->second;
    kernel.resources.occupancyThreads = static_cast<int32_t>(threads);
    kernel.resources.occupancyPercent = occupancyPercent(capability, kernel.resources, threads);
  }
  text.code = std::move(made->cubin);
  text.warnings.insert(text.warnings.end(), made->warnings.begin(), made->warnings.end());
  return text;
}

namespace {
/// A module as PTX, and as ptxas assembled it.
struct Version {
  CompiledModule text, made;
};
} // namespace

static Expected<Version> versionOf(const Assembly &assembly, CompiledModule text) {
  Expected<CompiledModule> made = assembled(assembly, text);
  if (!made)
    return made.takeError();
  return Version{std::move(text), std::move(*made)};
}

static StringRef ptxOf(const CompiledModule &text) {
  return StringRef(text.code.data(), text.code.size()).rtrim('\0');
}

static CompiledModule withPtx(CompiledModule text, const std::string &ptx) {
  text.code.assign(ptx.c_str(), ptx.c_str() + ptx.size() + 1);
  return text;
}

/// Returns the module with all of its code in the other order, if that is better for its kernels
/// together.
static std::optional<Version> betterModule(const Assembly &assembly, const Version &first,
                                           CompiledModule other) {
  Expected<Version> second = versionOf(assembly, std::move(other));
  if (second && takesFewer(second->made.kernels, first.made.kernels))
    return std::move(*second);
  consumeError(second.takeError()); // it took too long
  return std::nullopt;
}

/// Returns the module in which each kernel has the order that is better for it; nothing if that is
/// the first one for all of them, or if ptxas takes too long. Kernels that call functions share
/// their order with these, and so with each other.
static std::optional<Version> betterKernels(const Assembly &assembly, const Version &first,
                                            CompiledModule other) {
  StringSet<> large, better;
  for (const KernelCode &kernel : first.made.kernels)
    if (takesManyRegisters(kernel))
      large.insert(kernel.symbol);
  std::optional<std::string> part;
  if (withKernelsOf(ptxOf(first.text), ptxOf(other), large))
    part = onlyKernels(ptxOf(other), large);
  if (!part)
    return betterModule(assembly, first, std::move(other));
  Expected<Version> second = versionOf(assembly, withPtx(first.text, *part));
  if (!second) {
    consumeError(second.takeError()); // it took too long
    return std::nullopt;
  }
  for (auto [candidate, kernel] : zip_equal(second->made.kernels, first.made.kernels))
    if (large.contains(kernel.symbol) && takesFewer(candidate, kernel))
      better.insert(kernel.symbol);
  if (better.empty())
    return std::nullopt;
  std::optional<std::string> mixed = withKernelsOf(ptxOf(first.text), ptxOf(other), better);
  if (*mixed == *part)
    return std::move(*second);
  Expected<Version> both = versionOf(assembly, withPtx(first.text, *mixed));
  if (both)
    return std::move(*both);
  consumeError(both.takeError());
  return std::nullopt;
}

/// Returns what ptxas made of the kernels whose issue times are known, by symbol.
static StringMap<OrderedCode> orderedCode(const Assembly &assembly, const CompiledModule &made) {
  StringMap<OrderedCode> codes;
  StringMap<KernelTimes> allTimes = issueTimesOf(made.code, capabilityOf(assembly.arch));
  for (const KernelCode &kernel : made.kernels) {
    auto times = allTimes.find(kernel.symbol);
    if (kernel.resources.registers > 0 && times != allTimes.end())
      codes[kernel.symbol] = {kernel.resources.registers, kernel.resources.stackBytes,
                              spilledBytes(kernel.resources), kernel.resources.occupancyPercent,
                              std::move(times->second)};
  }
  return codes;
}

namespace {
/// Limits of registers with which kernels are better.
struct RegisterLimits {
  StringMap<unsigned> chosen;
  StringMap<unsigned> untried; ///< with these, kernels may be better
};
} // namespace

/// Assembles the kernels of `limits.untried` alone, with these limits, and chooses those with which
/// they are better than in `codes`. Kernels that are better with more registers than they may take
/// are left to be tried with as many as are allocated without a limit. Returns the assembly;
/// nothing if ptxas does not take the kernels, or takes too long.
static std::optional<Version> tryLimits(const Assembly &assembly, const Version &first,
                                        const StringMap<OrderedCode> &codes,
                                        RegisterLimits &limits) {
  StringMap<unsigned> tried = std::exchange(limits.untried, {});
  StringSet<> kernels;
  for (StringRef symbol : tried.keys())
    kernels.insert(symbol);
  std::optional<std::string> part = onlyKernels(ptxOf(first.text), kernels);
  if (part)
    part = withRegisterLimits(*part, tried);
  if (!part)
    return std::nullopt;
  Expected<Version> second = versionOf(assembly, withPtx(first.text, *part));
  if (!second) {
    consumeError(second.takeError());
    return std::nullopt;
  }
  for (const auto &[symbol, code] : orderedCode(assembly, second->made)) {
    auto limit = tried.find(symbol);
    if (limit == tried.end())
      continue;
    const OrderedCode &original = codes.find(symbol)->second;
    Order order = compareOrders(code, original);
    if (order == Order::Better || gainsWarps(code, original))
      limits.chosen[symbol] = limit->second;
    else if (order == Order::TakesMore)
      limits.untried[symbol] = allocatedRegisters(original.registers);
  }
  return std::move(*second);
}

static bool mayLimitRegisters(const CodegenOptions &options) {
  return options.optLevel >= 2 && !options.maxRegisters && options.debugInfo != DebugInfo::Full &&
         decidingArguments(options.ptxasArgs).empty();
}

/// Returns lower limits for the kernels that have none yet, and of which more threads would be
/// resident then.
static StringMap<unsigned> lowerLimits(const Assembly &assembly, const CompiledModule &made,
                                       const StringMap<OrderedCode> &codes,
                                       const StringMap<unsigned> &chosen) {
  StringMap<unsigned> limits;
  for (auto [kernel, threads] : zip_equal(made.kernels, assembly.threads)) {
    auto code = codes.find(kernel.symbol);
    if (code == codes.end() || chosen.contains(kernel.symbol) || isLarge(code->second.times))
      continue;
    if (unsigned limit = limitForMoreWarps(capabilityOf(assembly.arch), kernel.resources, threads))
      limits[kernel.symbol] = limit;
  }
  return limits;
}

/// Returns the module with a limit of registers for each kernel that is better then. For one that
/// waits for results, more registers are tried, or else the present unit; for each that has no
/// limit then, a lower one. Nothing if there is no such kernel.
static std::optional<Version> betterForLatency(const Assembly &assembly, const Version &first) {
  // With a limit, ptxas takes setmaxnreg seriously, which it ignores otherwise: a warp may then
  // wait for registers that no other one gives up.
  if (!assembly.isBase || !mayLimitRegisters(assembly.options) ||
      ptxOf(first.text).contains("setmaxnreg"))
    return std::nullopt;
  StringMap<OrderedCode> codes = orderedCode(assembly, first.made);
  RegisterLimits limits;
  for (auto [kernel, threads] : zip_equal(first.made.kernels, assembly.threads)) {
    auto code = codes.find(kernel.symbol);
    if (code != codes.end() && waitsForResults(code->second.times))
      limits.untried[kernel.symbol] = limitForResults(capabilityOf(assembly.arch), kernel.resources,
                                                      threads, code->second.times);
  }
  std::optional<Version> last;
  for (unsigned attempt = 0; attempt < 2 && !limits.untried.empty(); ++attempt)
    last = tryLimits(assembly, first, codes, limits);
  limits.untried = lowerLimits(assembly, first.made, codes, limits.chosen);
  if (!limits.untried.empty())
    last = tryLimits(assembly, first, codes, limits);
  if (limits.chosen.empty())
    return std::nullopt;
  std::string ptx = *withRegisterLimits(ptxOf(first.text), limits.chosen);
  if (last && ptx == ptxOf(last->text))
    return last;
  Expected<Version> limited = versionOf(assembly, withPtx(first.text, ptx));
  if (limited)
    return std::move(*limited);
  consumeError(limited.takeError()); // it took too long
  return std::nullopt;
}

/// Returns those of the companion's kernels that ptxas takes alone, and adds the others to
/// `refused`, with its message.
static StringSet<> takenAlone(Assembly assembly, const CompiledModule &text,
                              const CompanionCode &companion, StringMap<std::string> &refused) {
  StringSet<> taken;
  std::optional<std::string> variables = onlyKernels(ptxOf(text), {});
  assembly.threads = {};
  for (const CompanionKernel &kernel : companion.kernels) {
    StringSet<> alone;
    alone.insert(kernel.symbol);
    std::optional<CompanionCode> code = onlyKernels(companion, alone);
    if (!variables || !code)
      return {};
    CompiledModule module;
    module.code = joinWith(ArrayRef(variables->data(), variables->size()), *code);
    if (Error error = assembled(assembly, std::move(module)).takeError())
      refused[kernel.symbol] = toString(std::move(error));
    else
      taken.insert(kernel.symbol);
  }
  return taken;
}

/// Assembles the base module, whose PTX is `text`, with the companion's kernels.
static Expected<CompiledModule> together(Assembly assembly, CompiledModule text,
                                         const CompanionCode &companion) {
  SmallVector<unsigned> threads(assembly.threads);
  for (const CompanionKernel &kernel : companion.kernels) {
    auto original = find_if(text.kernels,
                            [&](const KernelCode &code) { return code.symbol == kernel.original; });
    threads.push_back(threads[original - text.kernels.begin()]);
    text.kernels.emplace_back().symbol = kernel.symbol;
  }
  text.code = joinWith(text.code, companion);
  assembly.threads = threads;
  return assembled(assembly, std::move(text));
}

/// Returns the base module assembled again with the companion's kernels. Those that ptxas does not
/// take are refused; without any, the module stays as it is.
static CompiledModule withCompanion(const Assembly &assembly, Version base,
                                    const CompanionCode &companion) {
  Expected<CompiledModule> all = together(assembly, base.text, companion);
  if (all)
    return std::move(*all);
  std::string why = toString(all.takeError());
  StringMap<std::string> refused;
  CompiledModule result = std::move(base.made);
  if (StringSet<> taken = takenAlone(assembly, base.text, companion, refused);
      !taken.empty() && !refused.empty()) {
    Expected<CompiledModule> some = together(assembly, base.text, *onlyKernels(companion, taken));
    if (some)
      result = std::move(*some);
    else
      consumeError(some.takeError());
  }
  for (const CompanionKernel &kernel : companion.kernels) {
    if (any_of(result.kernels, [&](const auto &made) { return made.symbol == kernel.symbol; }))
      continue;
    KernelCode &code = result.kernels.emplace_back();
    code.symbol = kernel.symbol;
    auto own = refused.find(kernel.symbol);
    code.refusal =
        Refusal{RefusalKind::VendorCode, "ptxas does not take nvcc's code with Regrain's: " +
                                             (own == refused.end() ? why : own->second)};
  }
  return result;
}

Expected<CompiledModule> assembleBest(const Assembly &assembly, CompiledModule text,
                                      const PtxGenerator &generator, Generated &generated,
                                      const CompanionCode &companion) {
  Expected<Version> best = versionOf(assembly, std::move(text));
  if (!best)
    return best.takeError();
  if (generated.again && any_of(best->made.kernels, takesManyRegisters)) {
    mlir::TimingScope timing = assembly.options.time(generatePhase);
    Expected<std::vector<char>> ptx = generator.inOtherOrder(generated);
    if (!ptx)
      return ptx.takeError();
    timing.stop();
    CompiledModule other = best->text;
    other.code = std::move(*ptx);
    if (std::optional<Version> better = betterKernels(assembly, *best, std::move(other)))
      best = std::move(*better);
  }
  if (std::optional<Version> better = betterForLatency(assembly, *best))
    best = std::move(*better);
  return companion.kernels.empty() ? std::move(best->made)
                                   : withCompanion(assembly, std::move(*best), companion);
}

} // namespace regrain::nvptx
