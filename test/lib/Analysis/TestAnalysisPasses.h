//===- TestAnalysisPasses.h - Analyses shown to tests -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace regrain::test {

/// --test-access, --test-uniformity, --test-synchronisation: each tells what an
/// analysis found as remarks, for -verify-diagnostics.
void registerAnalysisPasses();

} // namespace regrain::test
