//===- TestAnalysisPasses.h - Analyses made visible to tests ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace regrain::test {

/// Registers --test-access, --test-uniformity and --test-synchronisation: each
/// reports the results of an analysis as remarks, for -verify-diagnostics.
void registerAnalysisPasses();

} // namespace regrain::test
