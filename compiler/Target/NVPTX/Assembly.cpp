//===- Assembly.cpp - PTX to machine code and its figures -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Assembly.h"

#include "compiler/Target/NVPTX/CompanionText.h"
#include "compiler/Target/NVPTX/InstructionOrder.h"
#include "compiler/Target/NVPTX/Occupancy.h"
#include "compiler/Target/NVPTX/Ptxas.h"
#include "llvm/ADT/STLExtras.h"

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

/// Returns the base module, whose PTX is `text`, assembled again with the companion's kernels. If
/// that fails, returns `made`, the assembled module as it is, with those kernels refused.
static CompiledModule withCompanion(Assembly assembly, const CompiledModule &text,
                                    CompiledModule made, const CompanionCode &companion) {
  SmallVector<unsigned> threads(assembly.threads);
  CompiledModule both = text;
  for (const CompanionKernel &kernel : companion.kernels) {
    auto original = find_if(made.kernels,
                            [&](const KernelCode &code) { return code.symbol == kernel.original; });
    threads.push_back(threads[original - made.kernels.begin()]);
    both.kernels.emplace_back().symbol = kernel.symbol;
  }
  both.code = joinWith(both.code, companion);
  assembly.threads = threads;
  Expected<CompiledModule> all = assembled(assembly, std::move(both));
  if (all)
    return std::move(*all);
  std::string why = "ptxas does not take nvcc's code with Regrain's: " + toString(all.takeError());
  for (const CompanionKernel &kernel : companion.kernels) {
    KernelCode &code = made.kernels.emplace_back();
    code.symbol = kernel.symbol;
    code.refusal = Refusal{RefusalKind::VendorCode, why};
  }
  return made;
}

Expected<CompiledModule> assembleBest(const Assembly &assembly, const CompiledModule &text,
                                      const PtxGenerator &generator, Generated &generated,
                                      const CompanionCode &companion) {
  auto finish = [&](const CompiledModule &ptx, CompiledModule made) {
    return companion.kernels.empty() ? std::move(made)
                                     : withCompanion(assembly, ptx, std::move(made), companion);
  };
  Expected<CompiledModule> first = assembled(assembly, text);
  if (!first || !generated.again || !takesManyRegisters(first->kernels))
    return first ? finish(text, std::move(*first)) : std::move(first);
  mlir::TimingScope timing = assembly.options.time(generatePhase);
  Expected<std::vector<char>> ptx = generator.inOtherOrder(generated);
  timing.stop();
  if (!ptx)
    return ptx.takeError();
  CompiledModule second = text;
  second.code = std::move(*ptx);
  Expected<CompiledModule> other = assembled(assembly, second);
  if (!other)
    consumeError(other.takeError()); // it took too long
  else if (takesFewer(other->kernels, first->kernels))
    return finish(second, std::move(*other));
  return finish(text, std::move(*first));
}

} // namespace regrain::nvptx
