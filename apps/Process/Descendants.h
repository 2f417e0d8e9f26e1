//===- Descendants.h - The processes below this one -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that stays in the process group of the one that started it has no group of its own
// to kill. Instead, the orphans of its descendants are adopted (PR_SET_CHILD_SUBREAPER), and every
// process below this one is killed.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <sys/types.h>

namespace regrain::process {

/// Makes orphans below this process its children.
void adoptOrphans();

/// Reaps adopted orphans that have ended before `program`.
void reapOrphans(pid_t program);

/// Returns whether the process is below this one and alive (not a zombie).
[[nodiscard]] bool isLivingDescendant(pid_t process);

/// Kills every living process below this one.
void killDescendants();

/// Reaps the killed descendants, and waits for them.
void reapDescendants();

} // namespace regrain::process
