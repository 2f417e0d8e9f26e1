//===- Acts.h - Acts of a cooperating program -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <vector>

namespace regrain::fuzz::cooperation {

class Builder;

struct ActKind {
  const char *name; ///< its name in the summary
  unsigned weight;  ///< how often it is drawn, relative to the others
  void (*write)(Builder &builder);
};

/// The act after which no other one may come: the last in the list.
inline constexpr const char *leavingAct = "threads leave";

/// Returns all acts. Plans refer to them by their numbers in this list.
const std::vector<ActKind> &actKinds();

// Barriers.cpp
void exchangeThroughMemory(Builder &b);
void announce(Builder &b);
void shareColumns(Builder &b);
void shiftInPlace(Builder &b);
void mixInPlace(Builder &b);

// Locks.cpp
void protect(Builder &b);
void countPermits(Builder &b);

// Tickets.cpp
void tally(Builder &b);
void drainQueue(Builder &b);
void electLast(Builder &b);
void drawTogether(Builder &b);
void retry(Builder &b);

// Handshakes.cpp
void waitForThread(Builder &b);
void lookByAdding(Builder &b);
void meetElsewhere(Builder &b);
void meetInRounds(Builder &b);
void takeTurns(Builder &b);
void passTokens(Builder &b);
void chainBlocks(Builder &b);

// Ends.cpp
void leave(Builder &b);
void countToTheEnd(Builder &b);

} // namespace regrain::fuzz::cooperation
