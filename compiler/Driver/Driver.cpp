//===- Driver.cpp - regrain cc --------------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Driver/Driver.h"

#include "compiler/DeviceIR/ArchitectureNumbers.h"
#include "compiler/Driver/Architectures.h"
#include "compiler/Driver/OptionHelp.h"
#include "compiler/Driver/Phases.h"
#include "compiler/Driver/ToolkitFolder.h"
#include "compiler/Help/HelpText.h"
#include "compiler/Pipelines/Contain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace llvm;

namespace regrain {
namespace {

/// Prints the answer to --help, --version and similar options.
void answer(Action action, unsigned cudaVersion) {
  switch (action) {
  case Action::Help:
    outs() << help::helpText(describeCompiler());
    break;
  case Action::HelpOnExplain:
    outs() << help::helpText(describeExplain());
    break;
  case Action::ListVirtual:
  case Action::ListReal:
    for (int arch : architectureNumbers)
      outs() << (action == Action::ListReal ? "sm_" : "compute_") << arch << '\n';
    break;
  default:
    // Build systems look for the words up to "driver".
    outs() << "nvcc: NVIDIA (R) Cuda compiler driver, in the place of which this is "
              "Regrain " REGRAIN_VERSION ", with clang " LLVM_VERSION_STRING "\n"
              "Cuda compilation tools, release "
           << emulatedRelease(cudaVersion) << ", V" << emulatedVersion(cudaVersion) << '\n';
    break;
  }
}

/// Ends the process like an interrupted program and removes temporary files.
void stopOnInterrupt() {
  abandonCommand();
  _exit(1);
}

/// Returns the exit code of a command that ends with `status`: if some of its output could not be
/// written, it has failed, and a message says so.
int endOutput(StringRef tool, int status) {
  outs().flush();
  if (!outs().has_error())
    return status;
  WithColor::error(errs(), tool) << "cannot write to standard output: " << outs().error().message()
                                 << '\n';
  outs().clear_error();
  return status == 0 ? 1 : status;
}

/// Returns `argv` between the flags of the environment.
SmallVector<const char *> withEnvironment(ArrayRef<char *> arguments, StringSaver &saver) {
  SmallVector<const char *> all;
  auto addVariable = [&](StringRef name) {
    if (std::optional<std::string> flags = sys::Process::GetEnv(name))
      cl::TokenizeGNUCommandLine(*flags, saver, all);
  };
  addVariable("NVCC_PREPEND_FLAGS");
  all.append(arguments.begin(), arguments.end());
  addVariable("NVCC_APPEND_FLAGS");
  return all;
}

} // namespace

int runDriver(StringRef tool, ArrayRef<char *> arguments, ImageReader &reader,
              CompileObserver *observer) {
  BumpPtrAllocator storage;
  StringSaver saver(storage);
  Expected<CommandLine> line = parseCommandLine(withEnvironment(arguments, saver));
  if (!line) {
    printError(line.takeError(), tool);
    return 1;
  }
  for (const std::string &warning : line->warnings)
    WithColor::warning(errs(), tool) << warning << '\n';
  Expected<Installation> installation = findInstallation(line->toolkitRoot);
  if (line->action >= Action::Help) {
    answer(line->action, installation ? installation->cudaVersion : newestCudaVersion);
    consumeError(installation.takeError()); // an incomplete installation has answers, too
    return endOutput(tool, 0);
  }
  if (!installation) {
    printError(installation.takeError(), tool);
    return 1;
  }
  line->frontend.cudaVersion = line->cudaVersion.value_or(installation->cudaVersion);
  if (line->verbose || line->dryRun)
    errs() << describeToolkitFolder(*installation, line->deviceArchitectures);
  sys::SetInterruptFunction(stopOnInterrupt);
  nameFatalErrors(tool);
  initializeFrontend();
  line->frontend.tool = tool.str();
  mlir::DefaultTimingManager timing; // prints to stderr when it is destroyed, if it is enabled
  timing.setEnabled(line->timesPhases);
  mlir::TimingScope all = timing.getRootScope();
  line->image.codegen.timing = &all;
  return endOutput(tool, Phases(*line, *installation, tool, reader, observer).run());
}

} // namespace regrain
