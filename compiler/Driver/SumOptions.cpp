//===- SumOptions.cpp - Whether sums may have another order ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Driver/CommandLineParser.h"
#include "compiler/Driver/Options.h"
#include "runtime/image/sum_order.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::opt;
using namespace regrain::options;

namespace regrain {

/// Returns whether clang's own flags permit it in device code. nvcc's --use_fast_math does not.
static bool permitReordering(const InputArgList &args) {
  bool permit = false;
  for (const Arg *arg : args.filtered(OPT_f)) {
    StringRef name = arg->getValue();
    bool isPositive = !name.consume_front("no-");
    constexpr StringLiteral flags[] = {"fast-math", "associative-math",
                                       "unsafe-math-optimizations"};
    if (is_contained(flags, name))
      permit = isPositive;
  }
  return permit;
}

/// Removes the choices that need what was not permitted. Returns whether there were any.
static bool removeReordered(TunedChoices &choices) {
  bool isRemoved = false;
  for (KernelChoices &kernel : choices.kernels) {
    size_t before = kernel.alternatives.size();
    erase_if(kernel.alternatives, [](const std::string &id) { return reordersSums(id); });
    erase_if(kernel.classes,
             [](const ClassChoice &choice) { return reordersSums(choice.alternative); });
    if (reordersSums(kernel.chosen))
      kernel.chosen = "original";
    isRemoved |= kernel.alternatives.size() != before;
  }
  return isRemoved;
}

void CommandLineParser::readSumOrder() {
  line.image.reordersSums = args.hasArg(OPT_reassociate) || permitReordering(args);
  if (line.image.reordersSums)
    return;
  for (const GrainRequest &request : line.image.coarsen)
    if (OrError<GrainSpec> spec = parseGrainSpec(request.spec); spec && reordersSums(spec->grain))
      fail("option '--coarsen=" + request.glob + ":" + request.spec +
           "': sums in another order change results by rounding; --reassociate permits them");
  if (removeReordered(line.image.choices))
    line.warnings.push_back(line.image.choicesFile +
                            " chose sums in another order, which change results by rounding; these "
                            "launches run the original, unless --reassociate permits it");
}

} // namespace regrain
