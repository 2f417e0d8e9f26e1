//===- CompanionsTests.cpp - Kernels of the vendor's compiler -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/VendorCode/Companions.h"

#include "gtest/gtest.h"

using namespace regrain;

namespace {

class TakeCompanions : public testing::Test {
protected:
  TakeCompanions() {
    kernel.symbol = "_Z1kPf";
    kernel.parameters = {{0, 8, true}};
  }

  /// Takes the kernel from a module with these declarations and this code.
  Companions take(const std::string &declarations, const std::string &code,
                  const std::string &linkage = ".visible .entry _Z1kPf") {
    text = ".version 9.0\n.target sm_90\n.address_size 64\n" + declarations + "\n" + linkage +
           "(\n.param .u64 p\n)\n{\n" + code + "\nret;\n}\n";
    llvm::Expected<PtxModule> module = parsePtxModule(text);
    EXPECT_TRUE(bool(module)) << (module ? "" : llvm::toString(module.takeError()));
    return takeCompanions(*module, {{&kernel, "k_at_nvcc", registers}}, variables, constants);
  }

  std::string refusal(const std::string &declarations, const std::string &code) {
    Companions taken = take(declarations, code);
    EXPECT_TRUE(taken.code.kernels.empty());
    return taken.refused["k_at_nvcc"];
  }

  static bool contains(const Companions &companions, const std::string &part) {
    return companions.code.text.find(part) != std::string::npos;
  }

  DeviceKernel kernel;
  unsigned registers = 0;
  std::vector<DeviceVariable> variables;
  llvm::StringSet<> constants;
  std::string text;
};

TEST_F(TakeCompanions, Kernel_GetsItsNewName) {
  Companions taken = take("", "mov.u64 %rd1, 0;");
  ASSERT_EQ(taken.code.kernels.size(), 1u);
  EXPECT_EQ(taken.code.kernels[0].symbol, "k_at_nvcc");
  EXPECT_EQ(taken.code.kernels[0].original, "_Z1kPf");
  EXPECT_EQ(taken.code.version, 90u);
  EXPECT_TRUE(contains(taken, ".visible .entry k_at_nvcc("));
}

TEST_F(TakeCompanions, LimitOfRegisters_StandsBeforeTheCode) {
  registers = 64;
  EXPECT_TRUE(contains(take("", ""), ")\n.maxnreg 64\n{"));
}

TEST_F(TakeCompanions, InternalKernel_IsFoundByItsDemangledName) {
  kernel.symbol = "_ZL1kPf";
  Companions taken = take("", "", ".entry _Z1kPf");
  ASSERT_EQ(taken.code.kernels.size(), 1u);
  EXPECT_TRUE(contains(taken, ".visible .entry k_at_nvcc("));
}

TEST_F(TakeCompanions, FunctionsAndTheirTables_AreTakenUnderNewNames) {
  Companions taken = take(".global .align 1 .b8 $str[3] = {1, 2, 3};\n"
                          ".func f(\n.param .b64 f_param_0\n)\n{\nmov.u64 %rd1, $str;\nret;\n}\n"
                          ".func unused()\n{\nret;\n}",
                          "call.uni f, (param0);");
  EXPECT_TRUE(contains(taken, ".global .align 1 .b8 $str__nvcc[3] = {1, 2, 3};"));
  EXPECT_TRUE(contains(taken, ".func f__nvcc("));
  EXPECT_TRUE(contains(taken, "mov.u64 %rd1, $str__nvcc;"));
  EXPECT_TRUE(contains(taken, "call.uni f__nvcc, (param0);"));
  EXPECT_FALSE(contains(taken, "unused"));
}

TEST_F(TakeCompanions, VariablesOfTheProgram_AreTheBaseModules) {
  variables = {{"_ZN12_GLOBAL__N_17counterE", DeviceVariable::Device, 4, 4, true},
               {"coef", DeviceVariable::Constant, 8, 4, false}};
  std::string counter = "_ZN14_INTERNAL_00_a15_GLOBAL__N__0_a7counterE";
  Companions taken = take(".global .align 4 .u32 " + counter + ";\n.const .align 4 .b8 coef[8];",
                          "atom.global.add.u32 %r1, [" + counter +
                              "], 1;\nld.const.f32 %f1, "
                              "[coef+4];");
  EXPECT_TRUE(contains(taken, "[_ZN12_GLOBAL__N_17counterE], 1;")) << taken.code.text;
  EXPECT_TRUE(contains(taken, "[coef+4];"));
  EXPECT_FALSE(contains(taken, ".u32 " + counter));
  EXPECT_FALSE(contains(taken, ".b8 coef"));
}

TEST_F(TakeCompanions, VariablesInAnotherForm_AreRefused) {
  variables = {{"v", DeviceVariable::Device, 8, 4, false}};
  EXPECT_EQ(refusal(".global .align 4 .u32 v;", "st.global.u32 [v], 1;"),
            "it uses v, which Regrain's code has in another form");
  EXPECT_EQ(refusal(".const .align 4 .b8 v[8];", "ld.const.u32 %r1, [v];"),
            "it uses v, which Regrain's code has in another form");
  variables[0].kind = DeviceVariable::Managed;
  EXPECT_EQ(refusal(".global .align 4 .b8 v[8];", "st.global.u32 [v], 1;"),
            "it uses v, which Regrain's code has in another form");
}

TEST_F(TakeCompanions, UnknownVariables_AreRefused_KnownConstantsAreCopied) {
  EXPECT_EQ(refusal(".global .align 4 .u32 v;", "st.global.u32 [v], 1;"),
            "it uses v, which Regrain's code does not have");
  constants.insert("v");
  EXPECT_TRUE(contains(take(".global .align 4 .u32 v = 7;", "ld.global.u32 %r1, [v];"),
                       ".global .align 4 .u32 v__nvcc = 7;"));
}

TEST_F(TakeCompanions, WhatIsReachedThroughOthers_IsChecked) {
  EXPECT_EQ(refusal(".global .align 4 .u32 v;\n.func g()\n{\nst.global.u32 [v], 1;\nret;\n}\n"
                    ".func f()\n{\ncall.uni g, ();\nret;\n}",
                    "call.uni f, ();"),
            "it uses v, which Regrain's code does not have");
}

TEST_F(TakeCompanions, CallsOfUnknownFunctions_AreRefused) {
  EXPECT_EQ(refusal(".extern .func launch ()\n;", "call.uni launch, ();"),
            "it calls launch, which is not defined");
  EXPECT_EQ(refusal("", "prototype_0 : .callprototype ()_ ();\ncall %rd1, (), prototype_0;"),
            "it calls functions by pointers");
  EXPECT_EQ(take(".extern .func vprintf ()\n;", "call.uni vprintf, ();").code.externals.size(), 1u);
}

TEST_F(TakeCompanions, StateOfTheLaunch_IsRefused) {
  EXPECT_EQ(refusal("", "mov.u32 %r1, %envreg2;"), "it needs the state of a cooperative launch");
  EXPECT_EQ(take("", "", ".visible .entry _Z1other").refused["k_at_nvcc"],
            "nvcc's code has no kernel of this name");
  kernel.parameters.push_back({8, 4, false});
  EXPECT_EQ(refusal("", ""), "its parameters in nvcc's code are laid out differently");
}

TEST_F(TakeCompanions, ManagedVariablesAndTextures_AreRefused) {
  EXPECT_EQ(refusal(".global .attribute(.managed) .align 4 .u32 m;", "st.global.u32 [m], 1;"),
            "it uses the managed variable m");
  EXPECT_EQ(refusal(".global .texref t;", "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [t, {%r1}];"),
            "it uses a texture reference");
}

TEST(PlainName, LeavesOutTheNameOfTheUnit) {
  EXPECT_EQ(plainName("_ZL1kPf"), plainName("_Z1kPf"));
  EXPECT_EQ(plainName("_ZN14_INTERNAL_00_a15_GLOBAL__N__0_a7counterE"),
            plainName("_ZN12_GLOBAL__N_17counterE"));
  EXPECT_EQ(plainName("table"), "table");
}

} // namespace
