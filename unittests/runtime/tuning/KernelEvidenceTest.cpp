//===- tuning/KernelEvidenceTest.cpp - What classes tell each other -------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/kernel_evidence.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace regrain;

namespace {

/// A class of launches that differ in their grids alone.
LaunchClass classOf(int32_t logWaves) { return {{256, 1, 1}, 0, 16, logWaves}; }

Gain about(double ratio, double width = 0.002) {
  return {ratio, ratio * (1 - width), ratio * (1 + width)};
}

/// Candidate a is faster in all classes, and b in large ones.
KernelEvidence small() {
  KernelEvidence evidence;
  for (int32_t waves : {-3, -2, 6}) {
    evidence.noteGain(classOf(waves), "a", about(waves < 0 ? 1.05 : 1.5));
    evidence.noteGain(classOf(waves), "b", about(waves < 0 ? 1 : 3));
    evidence.noteChoice(classOf(waves), waves < 0 ? "a" : "b");
  }
  return evidence;
}

TEST(KernelEvidence, NothingIsKnown_GainIsNone) {
  KernelEvidence evidence;
  EXPECT_EQ(evidence.gainElsewhere(classOf(0), "a"), 1);
  EXPECT_EQ(evidence.winsElsewhere(classOf(0), "a"), 0U);
  EXPECT_NEAR(evidence.shortfall(classOf(0), "a", about(1.1), 1.1), 0, 1e-9);
}

TEST(KernelEvidence, OwnClass_IsNotElsewhere) {
  KernelEvidence evidence = small();
  EXPECT_EQ(evidence.winsElsewhere(classOf(-3), "a"), 1U);
  EXPECT_EQ(evidence.winsElsewhere(classOf(6), "b"), 0U);
  evidence.noteGain(classOf(0), "a", about(9));
  EXPECT_LT(evidence.gainElsewhere(classOf(0), "a"), 1.5);
}

TEST(KernelEvidence, ChoiceChanges_LastOneCounts) {
  KernelEvidence evidence = small();
  evidence.noteChoice(classOf(-2), "original");
  EXPECT_EQ(evidence.winsElsewhere(classOf(-1), "a"), 1U);
}

TEST(KernelEvidence, NearClasses_CountMore) {
  KernelEvidence evidence = small();
  EXPECT_NEAR(evidence.gainElsewhere(classOf(-4), "a"), 1.05, 0.01);
  EXPECT_NEAR(evidence.gainElsewhere(classOf(-4), "b"), 1, 0.01);
  EXPECT_NEAR(evidence.gainElsewhere(classOf(7), "b"), 3, 0.1);
}

TEST(KernelEvidence, OtherIntegers_AreFartherAway) {
  KernelEvidence evidence;
  LaunchClass own = classOf(0), near = own, far = own;
  own.integers = {1, {6}};
  near.integers = {1, {5}};
  far.integers = {1, {2}};
  evidence.noteGain(near, "a", about(1.2));
  evidence.noteGain(far, "a", about(0.8));
  EXPECT_GT(evidence.gainElsewhere(own, "a"), 1.1);
}

TEST(KernelEvidence, OtherBlocks_AreFartherAway) {
  KernelEvidence evidence;
  LaunchClass other = classOf(0);
  other.block = {64, 1, 1};
  evidence.noteGain(other, "a", about(0.8));
  evidence.noteGain(classOf(2), "a", about(1.2));
  EXPECT_GT(evidence.gainElsewhere(classOf(0), "a"), 1.05);
}

TEST(KernelEvidence, UncertainGain_CountsLittle) {
  KernelEvidence evidence;
  evidence.noteGain(classOf(1), "a", {2, 1, 3});
  evidence.noteGain(classOf(-1), "a", about(1.1));
  EXPECT_NEAR(evidence.gainElsewhere(classOf(0), "a"), 1.1, 0.02);
}

TEST(KernelEvidence, NotSlowerHereAndFasterElsewhere_IsRecommended) {
  KernelEvidence evidence = small();
  LaunchClass own = classOf(-4);
  EXPECT_TRUE(evidence.recommends(own, "a", about(1), 1.01));
  EXPECT_FALSE(evidence.recommends(own, "a", about(0.995), 1.01)) << "may be slower";
  EXPECT_FALSE(evidence.recommends(own, "a", about(1.05, 0.1), 1.01)) << "is not known well";
  EXPECT_FALSE(evidence.recommends(own, "b", about(1), 1.01)) << "is not faster in near classes";
  evidence.noteChoice(classOf(-3), "original");
  evidence.noteChoice(classOf(-2), "original");
  EXPECT_FALSE(evidence.recommends(own, "a", about(1), 1.01)) << "was proved nowhere";
}

TEST(KernelEvidence, EqualInOwnClass_OthersTellThemApart) {
  KernelEvidence evidence = small();
  LaunchClass own = classOf(-4);
  EXPECT_LT(evidence.shortfall(own, "a", about(1.08), 1.081),
            evidence.shortfall(own, "b", about(1.081), 1.081));
}

TEST(KernelEvidence, OwnGainsFarApart_OwnClassDecides) {
  KernelEvidence evidence = small();
  LaunchClass own = classOf(-4);
  EXPECT_GT(evidence.shortfall(own, "a", about(1.0), 1.5),
            evidence.shortfall(own, "b", about(1.5), 1.5));
}

/// Three classes chose "a", which gains a tenth there.
KernelEvidence agreeing() {
  KernelEvidence evidence;
  for (int waves : {1, 2, 3}) {
    evidence.noteGain(classOf(waves), "a", about(1.1));
    evidence.noteChoice(classOf(waves), "a");
  }
  return evidence;
}

TEST(KernelEvidence, ThreeClassesAgree_OthersAreToldTheCandidate) {
  EXPECT_EQ(agreeing().agreed(classOf(0)), "a");
  EXPECT_FALSE(agreeing().agreed(classOf(2))) << "two others do";
}

TEST(KernelEvidence, NearClassesKeepTheOriginal_NothingIsTold) {
  KernelEvidence evidence = agreeing();
  evidence.noteChoice(classOf(-1), "original"); // as near as the first
  EXPECT_FALSE(evidence.agreed(classOf(0)));
  KernelEvidence farther = agreeing();
  farther.noteChoice(classOf(-3), "original");
  EXPECT_EQ(farther.agreed(classOf(0)), "a");
}

TEST(KernelEvidence, AgreedCandidateIsSlowerInNearClasses_NothingIsTold) {
  KernelEvidence evidence = agreeing();
  for (int waves : {1, 2, 3})
    evidence.noteGain(classOf(waves), "a", about(1.005));
  EXPECT_FALSE(evidence.agreed(classOf(0)));
}

TEST(KernelEvidence, OriginalsAgree_NothingIsTold) {
  KernelEvidence evidence;
  for (int waves : {1, 2, 3})
    evidence.noteChoice(classOf(waves), "original");
  EXPECT_FALSE(evidence.agreed(classOf(0)));
  EXPECT_FALSE(KernelEvidence().agreed(classOf(0)));
}

TEST(KernelEvidence, ChoiceElsewhere_IsOneOfAnotherClassThatIsNotTheOriginal) {
  KernelEvidence evidence;
  evidence.noteChoice(classOf(1), "original");
  evidence.noteChoice(classOf(2), "a");
  EXPECT_TRUE(evidence.hasChoiceElsewhere(classOf(1)));
  EXPECT_FALSE(evidence.hasChoiceElsewhere(classOf(2)));
}

} // namespace
