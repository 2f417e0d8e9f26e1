//===- Contain.h - Failures of LLVM that would end the process --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Back ends report some of what they cannot compile by report_fatal_error, which
// ends the process, and have faults of their own. One alternative that cannot be
// compiled is no reason to compile nothing.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace regrain {

/// Runs `work`. Where LLVM gives up in it, or it crashes, the error says so:
/// what `work` owned is leaked then, so it must own all that it changes, the
/// LLVMContext before all, and hold no lock that others wait for. Crashes are
/// caught as far as the machine allows: an exhausted stack is not. May be called
/// from several threads at once. From the first call on, the process's handlers
/// of fatal errors and of signals such as SIGSEGV are LLVM's crash recovery.
llvm::Error runContained(llvm::function_ref<llvm::Error()> work);

/// Lets a failure of LLVM outside of contained work, such as a full disk, end the process with a
/// message of `tool` and exit code 1.
void nameFatalErrors(llvm::StringRef tool);

} // namespace regrain
