//===- launch_turns.h - Launches of a library -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

/// A kernel with its arguments.
struct LaunchCase {
  const char *name;          ///< null behind the last case
  void (*launch)(int count); ///< queues so many launches
};

/// What launch_turns.cu exports. A failing call of the API ends the process.
struct LaunchLibrary {
  const LaunchCase *(*prepare)(); ///< loads the code of all cases
  void (*finish)();               ///< waits for what was queued
  void *(*capture)(void (*launch)(int), int count);
  void (*replay)(void *graph);
};
