//===- KernelFacts.cpp - What keys of grains ask of a kernel --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Alternatives/KernelFacts.h"

#include "compiler/Alternatives/Model.h"

using namespace regrain;

/// The accesses to shared memory for each to global memory that are many.
static constexpr double muchShared = 8;

bool regrain::holds(KernelFact fact, const Statistics &statistics) {
  switch (fact) {
  case KernelFact::HasSharedArrays:
    return gainWithoutShared(statistics, Grain()) > 1;
  case KernelFact::StreamsStores:
    return statistics.streamsStores;
  case KernelFact::ChoosesAddresses:
    return statistics.choosesAddresses;
  case KernelFact::StreamsLoads:
    return statistics.streamsLoads;
  case KernelFact::ScattersLoads:
    return statistics.scattersLoads;
  case KernelFact::HasShortLoops:
    return statistics.choosesControlFlow && statistics.loops.hasShort;
  case KernelFact::HasSearches:
    return statistics.loops.hasSearch;
  case KernelFact::HasOtherLoops:
    return statistics.choosesControlFlow && statistics.loops.hasOther;
  case KernelFact::GuardsInLoops:
    return statistics.choosesControlFlow && statistics.loops.hasGuards;
  case KernelFact::SharesFootprint:
    return statistics.sharesFootprint;
  case KernelFact::MeetsPointers:
    return statistics.meetsPointers;
  case KernelFact::ConflictsInBanks:
    return statistics.conflictsInBanks;
  case KernelFact::DealsIterations:
    return statistics.dealsIterations;
  case KernelFact::TransposesAccesses: // only in the shapes of Statistics::transposed
  case KernelFact::StagesLoops:        // only in the shapes of Statistics::stagedLoops
  case KernelFact::ExchangesInWarps:   // only at the factors of Statistics::warpExchanges
  case KernelFact::RereadsRows:        // only for the launches of Statistics::keptRows
    return false;
  case KernelFact::PairsArithmetic:
    // Without loops, only neighbours (addContiguous) make pairs.
    return statistics.pairsNumbers &&
           (!statistics.isWidenable || statistics.loops.hasShort || statistics.loops.hasOther);
  case KernelFact::SumsInLoops:
    return statistics.sumsInLoops;
  }
  return false;
}

bool regrain::readsMuchShared(const Statistics &statistics) {
  double shared = 0, global = 0;
  for (const auto &[mask, counts] : statistics.work) {
    shared += counts[unsigned(Work::Shared)].at(assumedTrips);
    global += counts[unsigned(Work::Global)].at(assumedTrips);
  }
  return statistics.sharedBytes && statistics.use.thread[0] && statistics.use.thread[1] &&
         shared >= muchShared * global;
}
