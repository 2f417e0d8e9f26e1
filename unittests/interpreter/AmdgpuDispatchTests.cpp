//===- AmdgpuDispatchTests.cpp - Inputs of kernels of amdgcn --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/interpreter/RunWave.h"

using namespace regrain;

namespace {

TEST_F(RunWave, Coordinates_AreThoseOfTheLaunch) {
  parseFor("gfx90a", R"(
define amdgpu_kernel void @k(ptr addrspace(1) %out) #0 {
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  %y = call i32 @llvm.amdgcn.workitem.id.y()
  %z = call i32 @llvm.amdgcn.workitem.id.z()
  %bx = call i32 @llvm.amdgcn.workgroup.id.x()
  %by = call i32 @llvm.amdgcn.workgroup.id.y()
  %bz = call i32 @llvm.amdgcn.workgroup.id.z()
  %y2 = mul i32 %y, 2
  %z6 = mul i32 %z, 6
  %a = add i32 %x, %y2
  %thread = add i32 %a, %z6
  %by5 = mul i32 %by, 5
  %bz10 = mul i32 %bz, 10
  %b = add i32 %bx, %by5
  %block = add i32 %b, %bz10
  %first = mul i32 %block, 24
  %i = add i32 %first, %thread
  %own = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %i, ptr addrspace(1) %own
  ret void
})");
  constexpr size_t count = 5 * 2 * 3 * 24;
  out = memory.copyIn(std::vector<int32_t>(count));
  ASSERT_EQ(run(KernelLaunch{{5, 2, 3}, {2, 3, 4}, 0, {}}.with(out)), std::nullopt) << message;
  std::vector<int32_t> result = memory.copyOut<int32_t>(out, count);
  for (size_t i = 0; i < count; ++i)
    EXPECT_EQ(result[i], int(i));
}

/// Stores fields at offsets from a pointer as i32: {offset, bits}.
std::string storeFields(const std::string &pointer,
                        const std::vector<std::pair<int, int>> &fields) {
  std::string text = "\ndefine amdgpu_kernel void @k(ptr addrspace(1) %out, i8 %pad) #0 {\n"
                     "  %p = call ptr addrspace(4) @llvm.amdgcn." +
                     pointer + "()\n";
  for (size_t i = 0; i < fields.size(); ++i) {
    std::string n = std::to_string(i), type = "i" + std::to_string(fields[i].second);
    text += "  %p" + n + " = getelementptr i8, ptr addrspace(4) %p, i32 " +
            std::to_string(fields[i].first) + "\n  %l" + n + " = load " + type +
            ", ptr addrspace(4) %p" + n + "\n" +
            (type == "i32" ? "  %v" + n + " = add i32 0, %l" + n
                           : "  %v" + n + " = zext " + type + " %l" + n + " to i32") +
            "\n  %o" + n + " = getelementptr i32, ptr addrspace(1) %out, i32 " + n +
            "\n  store i32 %v" + n + ", ptr addrspace(1) %o" + n + "\n";
  }
  return text + "  ret void\n}\n";
}

constexpr KernelLaunch irregular() { return {{5, 3, 2}, {8, 4, 2}, 1000, {}}; }

TEST_F(RunWave, ImplicitArguments_OfVersion5) {
  parseFor("gfx90a", storeFields("implicitarg.ptr", {{0, 32},
                                                     {4, 32},
                                                     {8, 32},
                                                     {12, 16},
                                                     {14, 16},
                                                     {16, 16},
                                                     {18, 16},
                                                     {20, 16},
                                                     {22, 16},
                                                     {64, 16},
                                                     {80, 32},
                                                     {96, 32},
                                                     {120, 32}}));
  out = memory.copyIn(std::vector<int32_t>(13));
  ASSERT_EQ(run(irregular().with(out).with(int8_t(1))), std::nullopt) << message;
  EXPECT_EQ(memory.copyOut<int32_t>(out, 13),
            (std::vector<int32_t>{5, 3, 2, 8, 4, 2, 0, 0, 0, 3, 0, 0, 1000}));
}

TEST_F(RunWave, ImplicitArguments_OfVersion4AreOffsets) {
  parseFor("gfx90a", storeFields("implicitarg.ptr", {{0, 32}, {12, 16}, {48, 32}}), 400);
  out = memory.copyIn(std::vector<int32_t>(3, 7));
  ASSERT_EQ(run(irregular().with(out).with(int8_t(1))), std::nullopt) << message;
  EXPECT_EQ(memory.copyOut<int32_t>(out, 3), std::vector<int32_t>(3, 0));
  parseFor("gfx90a", storeFields("implicitarg.ptr", {{64, 16}}), 400);
  EXPECT_EQ(run(irregular().with(out).with(int8_t(1))), FaultKind::OutOfBounds);
}

TEST_F(RunWave, DispatchPacket_CountsThreads) {
  for (int version : {400, 500}) {
    parseFor("gfx90a",
             storeFields("dispatch.ptr",
                         {{2, 16}, {4, 16}, {6, 16}, {8, 16}, {12, 32}, {16, 32}, {20, 32}}),
             version);
    out = memory.copyIn(std::vector<int32_t>(7));
    ASSERT_EQ(run(irregular().with(out).with(int8_t(1))), std::nullopt) << message;
    EXPECT_EQ(memory.copyOut<int32_t>(out, 7), (std::vector<int32_t>{3, 8, 4, 2, 40, 12, 4}));
  }
}

TEST_F(RunWave, KernelArguments_LieInTheirSegment) {
  parseFor("gfx1100", R"(
%s = type { i32, [3 x i64] }
define amdgpu_kernel void @k(ptr addrspace(1) %out, i8 %small,
                             ptr addrspace(4) byref(%s) align 8 %s, i16 %last) #0 {
  %p = call ptr addrspace(4) @llvm.amdgcn.kernarg.segment.ptr()
  %psmall = getelementptr i8, ptr addrspace(4) %p, i32 8
  %small2 = load i8, ptr addrspace(4) %psmall
  %ps = getelementptr i8, ptr addrspace(4) %p, i32 16
  %same = icmp eq ptr addrspace(4) %ps, %s
  %plast = getelementptr i8, ptr addrspace(4) %p, i32 48
  %last2 = load i16, ptr addrspace(4) %plast
  %pc = getelementptr %s, ptr addrspace(4) %s, i32 0, i32 1, i32 2
  %c = load i64, ptr addrspace(4) %pc
  %v0 = zext i8 %small2 to i32
  %v1 = zext i1 %same to i32
  %v2 = zext i16 %last2 to i32
  %v3 = trunc i64 %c to i32
  %a = insertelement <4 x i32> poison, i32 %v0, i32 0
  %b = insertelement <4 x i32> %a, i32 %v1, i32 1
  %d = insertelement <4 x i32> %b, i32 %v2, i32 2
  %e = insertelement <4 x i32> %d, i32 %v3, i32 3
  store <4 x i32> %e, ptr addrspace(1) %out
  ret void
})");
  struct {
    int32_t a = 1;
    int64_t c[3] = {10, 11, 12};
  } structure;
  out = memory.copyIn(std::vector<int32_t>(4));
  ASSERT_EQ(run(KernelLaunch().with(out).with(int8_t(3)).with(structure).with(int16_t(5))),
            std::nullopt)
      << message;
  EXPECT_EQ(memory.copyOut<int32_t>(out, 4), (std::vector<int32_t>{3, 1, 5, 12}));
  size_t regions = memory.regions().size();
  ASSERT_EQ(run(KernelLaunch().with(out).with(int8_t(3)).with(structure).with(int16_t(5))),
            std::nullopt);
  EXPECT_EQ(memory.regions().size(), regions) << "the segment ends with the dispatch";
}

TEST_F(RunWave, KernelArguments_AreConstant) {
  parseFor("gfx90a", kernel("%p = call ptr addrspace(4) @llvm.amdgcn.kernarg.segment.ptr()\n"
                            "%q = addrspacecast ptr addrspace(4) %p to ptr\n"
                            "store i32 1, ptr %q\n ret void"));
  EXPECT_EQ(faultOn(1, 1), FaultKind::OutOfBounds);
}

TEST_F(RunWave, SharedMemory_DynamicLiesBehindStatic) {
  parseFor("gfx90a", kernel(R"(
  %f = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @fixed to ptr), i32 %t
  store i32 %t, ptr %f
  %d = getelementptr i32, ptr addrspace(3) @dynamic, i32 %t
  store i32 5, ptr addrspace(3) %d
  call void @llvm.amdgcn.s.barrier()
  %size = call i32 @llvm.amdgcn.groupstaticsize()
  %first = inttoptr i32 %size to ptr addrspace(3)
  %isfirst = icmp eq ptr addrspace(3) %first, @dynamic
  %null = icmp eq ptr addrspace(3) @dynamic, addrspacecast (ptr null to ptr addrspace(3))
  %good = xor i1 %isfirst, %null
  %g = zext i1 %good to i32
  %r = sub i32 63, %t
  %fr = getelementptr i32, ptr addrspace(3) @fixed, i32 %r
  %v = load i32, ptr addrspace(3) %fr
  %w = load i32, ptr addrspace(3) %d
  %s = add i32 %v, %w
  %s2 = add i32 %s, %g
  store i32 %s2, ptr addrspace(1) %own
  ret void)",
                            R"(
@fixed = internal addrspace(3) global [64 x i32] poison, align 4
@dynamic = external addrspace(3) global [0 x i32], align 16)"));
  for (uint64_t seed = 0; seed < 4; ++seed) {
    out = memory.copyIn(std::vector<int32_t>(64));
    ASSERT_EQ(run(KernelLaunch{{2, 1, 1}, {64, 1, 1}, 256, {}}.with(out),
                  {.seed = seed, .switchAtAccesses = true, .races = RaceCheck::Block}),
              std::nullopt)
        << message;
    std::vector<int32_t> result = memory.copyOut<int32_t>(out, 64);
    for (int i = 0; i < 64; ++i)
      EXPECT_EQ(result[i], 63 - i + 6);
  }
  EXPECT_EQ(run(KernelLaunch{{1, 1, 1}, {64, 1, 1}, 252, {}}.with(out)), FaultKind::OutOfBounds);
}

TEST_F(RunWave, SharedMemory_IsUndefinedAtFirst) {
  parseFor("gfx90a", kernel("%v = load i32, ptr addrspace(3) @s\n %c = icmp eq i32 %v, 0\n"
                            "br i1 %c, label %x, label %x\nx:\n ret void",
                            "@s = internal addrspace(3) global i32 zeroinitializer"));
  EXPECT_EQ(faultOn(1, 1), FaultKind::UndefinedValue);
}

TEST_F(RunWave, AddressSpaces_MapThroughApertures) {
  std::vector<int32_t> result = valuesOf("gfx90a", R"(
  %a = alloca i32, addrspace(5)
  store i32 %t, ptr addrspace(5) %a
  %flat = addrspacecast ptr addrspace(5) %a to ptr
  %old = load i32, ptr %flat
  %new = add i32 %old, 1
  store i32 %new, ptr %flat
  %back = addrspacecast ptr %flat to ptr addrspace(5)
  %same = icmp eq ptr addrspace(5) %back, %a
  %isprivate = call i1 @llvm.amdgcn.is.private(ptr %flat)
  %isshared = call i1 @llvm.amdgcn.is.shared(ptr %flat)
  %nullshared = addrspacecast ptr null to ptr addrspace(3)
  %nullbits = ptrtoint ptr addrspace(3) %nullshared to i32
  %nullok = icmp eq i32 %nullbits, -1
  %nullflat = addrspacecast ptr addrspace(3) %nullshared to ptr
  %nullok2 = icmp eq ptr %nullflat, null
  %global = addrspacecast ptr addrspace(1) %out to ptr
  %globalprivate = call i1 @llvm.amdgcn.is.private(ptr %global)
  %good1 = and i1 %same, %isprivate
  %bad = or i1 %isshared, %globalprivate
  %good2 = and i1 %nullok, %nullok2
  %good3 = and i1 %good1, %good2
  %good = icmp ugt i1 %good3, %bad
  %bonus = select i1 %good, i32 1000, i32 0
  %now = load i32, ptr addrspace(5) %a
  %v = add i32 %now, %bonus)",
                                         70);
  for (int i = 0; i < 70; ++i)
    EXPECT_EQ(result[i], 1001 + i);
}

TEST_F(RunWave, AddressSpaces_APrivateAddressIsTheThreadsOwn) {
  // Accessed through shared memory, as a flat pointer, it would be another
  // lane's stack.
  parseFor("gfx90a", kernel(R"(
  %a = alloca i32, addrspace(5)
  store i32 %t, ptr addrspace(5) %a
  %flat = addrspacecast ptr addrspace(5) %a to ptr
  %slot = getelementptr ptr, ptr addrspace(3) @s, i32 %t
  store ptr %flat, ptr addrspace(3) %slot
  call void @llvm.amdgcn.s.barrier()
  %other = xor i32 %t, 1
  %otherslot = getelementptr ptr, ptr addrspace(3) @s, i32 %other
  %theirs = load ptr, ptr addrspace(3) %otherslot
  %v = load i32, ptr %theirs
  ret void)",
                            "@s = internal addrspace(3) global [2 x ptr] poison"));
  EXPECT_EQ(faultOn(2, 2), FaultKind::OutOfBounds);
}

TEST_F(RunWave, AddressSpaces_OffsetsAre32Bits) {
  parseFor("gfx90a", kernel(R"(
  %p = getelementptr i8, ptr addrspace(3) @s, i32 -16
  %q = getelementptr i8, ptr addrspace(3) %p, i32 16
  store i32 1, ptr addrspace(3) %q
  ret void)",
                            "@s = internal addrspace(3) global [4 x i32] poison"));
  EXPECT_EQ(faultOn(1, 1), std::nullopt) << message;
  EXPECT_EQ(module->getDataLayout().getPointerSizeInBits(3), 32u);
}

TEST_F(RunWave, Atomics_HaveScopes) {
  parseFor("gfx90a", kernel(R"(
  %a = atomicrmw add ptr addrspace(1) %out, i32 1 syncscope("agent-one-as") monotonic
  %b = getelementptr i32, ptr addrspace(1) %out, i32 1
  %c = atomicrmw uinc_wrap ptr addrspace(1) %b, i32 9 syncscope("workgroup") acq_rel
  %d = getelementptr i32, ptr addrspace(1) %out, i32 2
  %e = atomicrmw fadd ptr addrspace(1) %d, float 0.5 syncscope("agent") monotonic, !amdgpu.no.fine.grained.memory !1
  %f = getelementptr i32, ptr addrspace(1) %out, i32 3
  %g = call float @llvm.amdgcn.global.atomic.fadd.f32.p1.f32(ptr addrspace(1) %f, float 2.0)
  fence syncscope("wavefront") seq_cst
  ret void)") + "!1 = !{}\n");
  ASSERT_EQ(faultOn(4, 64, {.races = RaceCheck::Grid}), std::nullopt) << message;
  EXPECT_EQ(memory.copyOut<int32_t>(out, 2), (std::vector<int32_t>{64, 4}));
  EXPECT_EQ(memory.copyOut<float>(out, 4)[2], 32);
  EXPECT_EQ(memory.copyOut<float>(out, 4)[3], 128);
}

TEST_F(RunWave, BadLaunches) {
  std::string nothing = kernel("ret void");
  parseFor("gfx90a", nothing);
  EXPECT_EQ(faultOn(1, 1024), std::nullopt) << message;
  EXPECT_EQ(faultOn(1, 1025), FaultKind::BadLaunch);
  parseFor("", nothing);
  EXPECT_EQ(faultOn(1, 1), FaultKind::BadLaunch);
  EXPECT_EQ(faultOn(1, 1, {.waveSize = 32}), std::nullopt) << message;
  parseFor("gfx90a\" \"amdgpu-flat-work-group-size\"=\"1,256", nothing);
  EXPECT_EQ(faultOn(1, 256), std::nullopt) << message;
  EXPECT_EQ(faultOn(1, 257), FaultKind::BadLaunch);
  EXPECT_NE(message.find("at most 256"), std::string::npos) << message;
  parseFor("gfx90a", "define void @k(ptr %out) {\n ret void\n}");
  EXPECT_EQ(faultOn(1, 1), FaultKind::BadLaunch);
}

TEST_F(RunWave, ForswornIntrinsics_AreFaults) {
  parseFor("gfx90a\" \"amdgpu-no-workitem-id-y",
           kernel("%y = call i32 @llvm.amdgcn.workitem.id.y()\n ret void"));
  EXPECT_EQ(faultOn(1, 1), FaultKind::UndefinedValue);
  EXPECT_NE(message.find("llvm.amdgcn.workitem.id.y"), std::string::npos) << message;
  parseFor("gfx90a\" \"amdgpu-no-workitem-id-x", kernel("ret void"));
  EXPECT_EQ(faultOn(1, 1), std::nullopt) << "kernels always have it: " << message;
}

TEST_F(RunWave, Unsupported_ByName) {
  parseFor("gfx90a", kernel("%y = call i32 @llvm.amdgcn.s.getreg(i32 1)\n ret void"));
  EXPECT_EQ(faultOn(1, 1), FaultKind::Unsupported);
  EXPECT_NE(message.find("llvm.amdgcn.s.getreg"), std::string::npos) << message;
  for (std::string name : {"llvm.nvvm.membar.gl", "__nv_sinf", "malloc"}) {
    parseFor("gfx90a", kernel("call void @" + name + "()\n ret void",
                              name.starts_with("llvm") ? "" : "declare void @" + name + "()"));
    EXPECT_EQ(faultOn(1, 1), FaultKind::Unsupported) << name;
  }
}

} // namespace
