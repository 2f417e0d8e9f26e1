//===- Contain.cpp - Failures of LLVM that would end the process ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Pipelines/Contain.h"

#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <mutex>
#include <string>

using namespace regrain;
using llvm::CrashRecoveryContext;

/// LLVM's message before it gave up on this thread.
static thread_local std::string fatalReason;

/// Whose messages those about failures are.
static std::string failingTool = "LLVM";

/// Leaves contained work; outside of it, the process ends as usual.
static void onFatalError(void *, const char *reason, bool) {
  if (CrashRecoveryContext *context = CrashRecoveryContext::GetCurrent()) {
    fatalReason = reason;
    context->HandleExit(1);
  }
  llvm::WithColor::error(llvm::errs(), failingTool) << reason << '\n';
}

/// Installs the handlers of fatal errors and crashes.
static void install() {
  static std::once_flag once;
  std::call_once(once, [] {
    CrashRecoveryContext::Enable();
    llvm::install_fatal_error_handler(onFatalError);
  });
}

void regrain::nameFatalErrors(llvm::StringRef tool) {
  failingTool = tool.str();
  install();
}

llvm::Error regrain::runContained(llvm::function_ref<llvm::Error()> work) {
  install();
  fatalReason.clear();
  std::string failure;
  CrashRecoveryContext context;
  bool ended = context.RunSafely([&] {
    if (llvm::Error error = work())
      failure = llvm::toString(std::move(error));
  });
  if (ended && failure.empty())
    return llvm::Error::success();
  if (ended)
    return llvm::createStringError(failure);
  if (!fatalReason.empty())
    return llvm::createStringError("LLVM stopped with an internal error: " + fatalReason);
  // Signals are reported as a shell reports them.
  return llvm::createStringError(std::string("LLVM crashed: ") + strsignal(context.RetCode - 128));
}
