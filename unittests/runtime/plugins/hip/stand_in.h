//===- stand_in.h - A libamdhip64.so that runs on the CPU -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library with the entry points, structures and enumerations of one version of HIP. It
// records its calls, answers as a test has asked, and otherwise does on the CPU device what
// is asked of it. A code object is known by the image of the program that it lies in: the
// CPU's code from the same image runs in its place. Of any other code object only launches
// are recorded.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plugins/hip/library.h"

#include <map>
#include <string>
#include <vector>

/// What was asked and what is answered.
struct HipStandIn {
  std::vector<std::string> calls;
  std::map<std::string, regrain::hip::HipResult> results; ///< by symbol; else what comes of it
  int devices = 1;
  std::string chip = "gfx90a:sramecc+:xnack-";
  std::string board = "Stand-in GPU";
  std::map<int, int> attributes; ///< over those of the stand-in's own GPU

  std::string loadedCode;                  ///< the first bytes, as far as they are text
  std::map<std::string, uint64_t> globals; ///< of code that only the tests know
  int changedCodes = 0;                    ///< whose bytes were others when they were unloaded
  int legacyHandles = 0;                   ///< how often CUDA's handle of the legacy stream came

  struct {
    unsigned grid[3], block[3], dynamicSharedBytes;
    regrain::hip::HipStream stream;
    void **parameters;
  } launched = {};

  /// What was made and not given back, by the symbol that makes it.
  std::map<std::string, int> live;

  bool called(const std::string &symbol) const;
  /// Returns whether a call of `first` came before one of `second`.
  bool calledInOrder(const std::string &first, const std::string &second) const;
  int liveObjects() const;
  void reset() { *this = HipStandIn(); }
};

HipStandIn &hipStandIn();
