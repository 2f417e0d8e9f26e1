//===- image/ContainerTest.cpp - The container refuses what it cannot trust ===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/image/checksum.h"
#include "unittests/runtime/image/ImageBytes.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace regrain;
using namespace regrain::test;

namespace {

TEST(Checksum, KnownValues) {
  EXPECT_EQ(checksum("", 0), 0xEF46DB3751D8E999u);
  EXPECT_EQ(checksum("abc", 3), 0x44BC2CF5AD770999u);
  const char *sentence = "Nobody inspects the spammish repetition";
  EXPECT_EQ(checksum(sentence, std::strlen(sentence)), 0xFBCEA83C8A378BF1u);
}

TEST(Container, RoundTrip) {
  AlignedImage bytes(wrapImage(sampleBody()));
  OpenedImage opened = bytes.open();
  ASSERT_EQ(opened.status, ImageStatus::Ok) << opened.message;
  EXPECT_EQ(opened.totalBytes, bytes.size);
  const image::Kernel &kernel = *opened.image->kernels()->Get(0);
  EXPECT_EQ(kernel.name()->str(), "k(float*)");
  EXPECT_EQ(kernel.alternatives()->Get(1)->block_factors()->x(), 4u);
  EXPECT_EQ(kernel.chosen(), 1u);
}

TEST(Container, SameBody_SameBytes) { EXPECT_EQ(wrapImage(sampleBody()), wrapImage(sampleBody())); }

TEST(Container, BytesBehindTheImage_AreNotLookedAt) {
  std::vector<char> bytes = wrapImage(sampleBody());
  size_t size = bytes.size();
  bytes.resize(size + 100, 'x');
  OpenedImage opened = AlignedImage(bytes).open();
  EXPECT_EQ(opened.status, ImageStatus::Ok);
  EXPECT_EQ(opened.totalBytes, size);
}

TEST(Container, NextChoice_IsAmongTheAlternatives) {
  EXPECT_EQ(AlignedImage(wrapImage(sampleBody(1, "block.x=4", 0, 1, {0, 4, 4}, 1))).open().status,
            ImageStatus::Ok);
  OpenedImage opened =
      AlignedImage(wrapImage(sampleBody(1, "block.x=4", 0, 1, {0, 4, 4}, 2))).open();
  EXPECT_EQ(opened.status, ImageStatus::Damaged);
  EXPECT_NE(opened.message.find("choice"), std::string::npos);
}

TEST(Container, EveryTruncation_IsRefused) {
  std::vector<char> whole = wrapImage(sampleBody());
  for (size_t size = 0; size < whole.size(); ++size) {
    AlignedImage bytes(std::vector<char>(whole.begin(), whole.begin() + size));
    OpenedImage opened = bytes.open();
    EXPECT_NE(opened.status, ImageStatus::Ok) << size;
    EXPECT_EQ(opened.image, nullptr);
    EXPECT_FALSE(opened.message.empty());
  }
}

TEST(Container, EveryFlippedByte_IsRefused) {
  std::vector<char> whole = wrapImage(sampleBody());
  for (size_t at = 0; at < whole.size(); ++at) {
    std::vector<char> bytes = whole;
    bytes[at] ^= 0xff;
    EXPECT_NE(AlignedImage(bytes).open().status, ImageStatus::Ok) << at;
  }
}

// The checksums are adjusted, so that the checks after them are reached.
TEST(Container, EveryFlippedBodyByteWithGoodChecksum_DoesNotCrash) {
  std::vector<uint8_t> body = sampleBody();
  for (size_t at = 0; at < body.size(); ++at)
    for (uint8_t mask : {0x01, 0x80, 0xff}) {
      std::vector<uint8_t> changed = body;
      changed[at] ^= mask;
      OpenedImage opened = AlignedImage(wrapImage(changed)).open();
      EXPECT_EQ(opened.image != nullptr, opened.status == ImageStatus::Ok);
    }
}

TEST(Container, NewerMajor_IsRefusedByName) {
  std::vector<char> bytes = wrapImage(sampleBody());
  bytes[8] = 7;
  OpenedImage opened = AlignedImage(bytes).open();
  EXPECT_EQ(opened.status, ImageStatus::NewerVersion);
  EXPECT_NE(opened.message.find("7.0"), std::string::npos) << opened.message;
}

TEST(Container, WrongIdentifier_IsDamaged) {
  std::vector<uint8_t> body = sampleBody();
  body[4] = 'X';
  EXPECT_EQ(AlignedImage(wrapImage(body)).open().status, ImageStatus::Damaged);
}

TEST(Container, IntegersOutsideOfTheParameters_AreDamaged) {
  auto status = [](image::IntegerArgument integer) {
    return AlignedImage(wrapImage(sampleBody(1, "block.x=4", 0, 1, integer))).open().status;
  };
  EXPECT_EQ(status({0, 0, 8}), ImageStatus::Ok);
  EXPECT_EQ(status({0, 7, 1}), ImageStatus::Ok);
  for (image::IntegerArgument wrong : {image::IntegerArgument(1, 0, 4),
                                       {0, 5, 4},
                                       {0, 0, 3},
                                       {0, 0, 0},
                                       {0, 0, 16},
                                       {0, 0xffffffff, 4}})
    EXPECT_EQ(status(wrong), ImageStatus::Damaged)
        << wrong.parameter() << " " << wrong.offset() << " " << wrong.size();
}

TEST(Container, WrongIndicesAndGrains_AreDamaged) {
  EXPECT_EQ(AlignedImage(wrapImage(sampleBody(2))).open().status, ImageStatus::Damaged);
  EXPECT_EQ(AlignedImage(wrapImage(sampleBody(1, "block.x=0"))).open().status,
            ImageStatus::Damaged);
  EXPECT_EQ(AlignedImage(wrapImage(sampleBody(1, "block.x=1"))).open().status,
            ImageStatus::Damaged);
  EXPECT_EQ(AlignedImage(wrapImage(sampleBody(1, "block.x=4", 9))).open().status,
            ImageStatus::Damaged);
  EXPECT_EQ(AlignedImage(wrapImage(sampleBody(1, "block.x=4", 0, 2))).open().status,
            ImageStatus::Damaged);
}

} // namespace
