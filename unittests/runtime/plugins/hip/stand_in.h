//===- stand_in.h - A libamdhip64.so that runs on the CPU -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stand-in is a library with the entry points, structures and enumerations of one
// version of HIP. It records its calls, returns what a test has set, and otherwise performs
// the call on the CPU device. A code object is recognised by the image of the program that
// contains it: the CPU's code from the same image runs in its place. For any other code
// object, only launches are recorded.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plugins/hip/library.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

/// The recorded calls and the results.
struct HipStandIn {
  std::vector<std::string> calls;
  std::map<std::string, regrain::hip::HipResult> results; ///< by symbol; otherwise the actual one
  int devices = 1;
  std::string chip = "gfx90a:sramecc+:xnack-";
  std::string board = "Stand-in GPU";
  std::map<int, int> attributes; ///< replace those of the stand-in's own GPU

  std::string loadedCode;                  ///< the first bytes, as far as they are text
  std::map<std::string, uint64_t> globals; ///< of code that only the tests know
  int changedCodes = 0;                    ///< whose bytes had changed when they were unloaded
  int legacyHandles = 0;                   ///< number of uses of CUDA's handle of the legacy stream

  struct {
    unsigned grid[3], block[3], dynamicSharedBytes;
    regrain::hip::HipStream stream;
    void **parameters;
  } launched = {};
  std::function<void(void **parameters)> onLaunch; ///< called while the parameters live

  /// The number of objects made and not released, by the symbol that makes
  /// them.
  std::map<std::string, int> live;

  bool called(const std::string &symbol) const;
  /// Returns whether a call of `first` came before one of `second`.
  bool calledInOrder(const std::string &first, const std::string &second) const;
  int liveObjects() const;
  void reset() { *this = HipStandIn(); }
};

HipStandIn &hipStandIn();
