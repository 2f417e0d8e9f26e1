//===- tuning/TuneRequestTest.cpp - Parsing REGRAIN_TUNE ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/tune_request.h"

#include <gtest/gtest.h>

using namespace regrain;

namespace {

std::string errorOf(const char *text) {
  OrError<TuneRequest> request = parseTuneRequest(text);
  EXPECT_FALSE(request) << text;
  return request ? "" : request.error();
}

TEST(TuneRequest, SessionAlone_HasDefaults) {
  auto request = parseTuneRequest("session=a-1");
  ASSERT_TRUE(request) << request.error();
  EXPECT_EQ(request->session, "a-1");
  EXPECT_EQ(request->mode, TuneRequest::Mode::Replay);
  EXPECT_EQ(request->budgetSeconds, 30);
  EXPECT_EQ(request->ulps, usualUlps);
  EXPECT_EQ(request->sumUlps, usualSumUlps);
  EXPECT_FALSE(request->mayRunUnverified);
}

TEST(TuneRequest, Everything_InAnyOrder) {
  for (const char *text :
       {"session=s=1,mode=in-place,budget=2.5,ulps=0,sum-ulps=9,unverified",
        "sum-ulps=9,ulps=0,unverified,budget=2.5,mode=replay,mode=in-place,session=s=1,"}) {
    auto request = parseTuneRequest(text);
    ASSERT_TRUE(request) << request.error();
    EXPECT_EQ(request->session, "s=1");
    EXPECT_EQ(request->mode, TuneRequest::Mode::InPlace);
    EXPECT_EQ(request->budgetSeconds, 2.5);
    EXPECT_EQ(request->ulps, 0u);
    EXPECT_EQ(request->sumUlps, 9u);
    EXPECT_TRUE(request->mayRunUnverified);
  }
}

TEST(TuneRequest, ModesOfWholeRuns) {
  EXPECT_EQ(parseTuneRequest("session=s,mode=survey")->mode, TuneRequest::Mode::Survey);
  EXPECT_EQ(parseTuneRequest("session=s,mode=review")->mode, TuneRequest::Mode::Review);
}

TEST(TuneRequest, WrongPiece_IsNamed) {
  EXPECT_EQ(errorOf(""), "it lacks session=ID; regrain tune sets it");
  EXPECT_EQ(errorOf("mode=replay"), "it lacks session=ID; regrain tune sets it");
  for (const char *piece : {"session=", "mode=", "mode=fast", "budget=", "budget=0", "budget=-1",
                            "budget=1x", "budget=nan", "budget", "ulps=", "ulps=-1", "ulps=1.5",
                            "ulps", "sum-ulps=x", "unverified=1", "word"})
    EXPECT_EQ(errorOf((std::string("session=s,") + piece).c_str()),
              "'" + std::string(piece) + "' is not understood");
  EXPECT_EQ(errorOf("session=s,,mode=replay"), "'' is not understood");
}

} // namespace
