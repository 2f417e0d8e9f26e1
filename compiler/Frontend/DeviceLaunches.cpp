//===- DeviceLaunches.cpp - Kernels that device code starts ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/DeviceLaunches.h"
#include "compiler/Frontend/PassingConsumer.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Sema/SemaDiagnostic.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace regrain {
namespace {

constexpr const char *launchError =
    "starting a kernel in device code (dynamic parallelism) is not supported: start it from the "
    "host";
constexpr const char *runtimeAdvice =
    "CUDA's runtime for device code (dynamic parallelism) is not supported: call it on the host";

/// Returns whether the error may be about a call of a function of the other side.
bool isAboutCall(const Diagnostic &diagnostic) {
  return diagnostic.getID() == diag::err_ref_bad_target ||
         diagnostic.getID() == diag::err_ovl_no_viable_function_in_call;
}

/// Returns the end of the statement that has a launch at the location or behind it; an invalid
/// location if there is no launch.
SourceLocation endOfLaunch(const Diagnostic &diagnostic) {
  if (!isAboutCall(diagnostic) || diagnostic.getLocation().isInvalid())
    return {};
  const SourceManager &sources = diagnostic.getSourceManager();
  SourceLocation start = sources.getExpansionLoc(diagnostic.getLocation());
  auto [file, offset] = sources.getDecomposedLoc(start);
  llvm::StringRef text = sources.getBufferData(file).substr(offset);
  size_t length = text.find(';');
  return text.take_front(length).contains("<<<") ? start.getLocWithOffset(length)
                                                 : SourceLocation();
}

class DeviceLaunches : public PassingConsumer {
public:
  using PassingConsumer::PassingConsumer;

  void HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic &diagnostic) override {
    if (level == DiagnosticsEngine::Note && isReplaced)
      return;
    isReplaced = level >= DiagnosticsEngine::Error && replace(diagnostic);
    if (isReplaced)
      return;
    PassingConsumer::HandleDiagnostic(level, diagnostic);
    advise(level, diagnostic);
  }

private:
  /// Prints the error for a launch, once. Returns whether the diagnostic is about a launch.
  bool replace(const Diagnostic &diagnostic) {
    SourceLocation end = endOfLaunch(diagnostic);
    if (end.isInvalid())
      return false;
    if (end == lastLaunch)
      return true;
    lastLaunch = end;
    ++NumErrors;
    PresumedLoc where = diagnostic.getSourceManager().getPresumedLoc(diagnostic.getLocation());
    llvm::errs() << where.getFilename() << ':' << where.getLine() << ':' << where.getColumn()
                 << ": ";
    llvm::WithColor::error(llvm::errs()) << launchError << '\n';
    return true;
  }

  /// Adds what to do about a call of the runtime API, of which clang says that it is the host's.
  void advise(DiagnosticsEngine::Level level, const Diagnostic &diagnostic) {
    if (level != DiagnosticsEngine::Note)
      isOfRuntime = diagnostic.getID() == diag::err_ovl_no_viable_function_in_call &&
                    nameOfCallee(diagnostic).starts_with("cuda");
    else if (isOfRuntime && diagnostic.getID() == diag::note_ovl_candidate_bad_target)
      llvm::WithColor::note(llvm::errs()) << runtimeAdvice << '\n';
  }

  static std::string nameOfCallee(const Diagnostic &diagnostic) {
    llvm::SmallString<64> text;
    diagnostic.FormatDiagnostic(text);
    auto [before, name] = llvm::StringRef(text).split('\'');
    return name.str();
  }

  SourceLocation lastLaunch;
  bool isReplaced = false, isOfRuntime = false;
};

} // namespace

std::unique_ptr<DiagnosticConsumer>
withDeviceLaunches(std::unique_ptr<DiagnosticConsumer> consumer) {
  return std::make_unique<DeviceLaunches>(std::move(consumer));
}

} // namespace regrain
