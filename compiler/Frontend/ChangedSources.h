//===- ChangedSources.h - Sources whose text is changed ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc takes a few forms of source text that clang refuses while it parses, so they are changed
// before clang reads them. No change moves a line. Only lists in launches make a file longer, so
// that errors behind them, in their line, are reported at later columns.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/Support/VirtualFileSystem.h"

namespace regrain {

/// Returns `files` with the changes of AssemblyForms.h, AttributeOrder.h, BracedLaunches.h,
/// CycleCounter.h, LaunchBrackets.h, MemberTemplates.h, PragmaMacros.h, SharedAlignment.h and
/// VariableArrays.h.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
withChangedSources(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files);

} // namespace regrain
