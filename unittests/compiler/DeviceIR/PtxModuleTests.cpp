//===- PtxModuleTests.cpp - The parts of a PTX file -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/PtxModule.h"

#include "gtest/gtest.h"

using namespace regrain;

namespace {

PtxModule parsed(llvm::StringRef text) {
  llvm::Expected<PtxModule> module = parsePtxModule(text);
  EXPECT_TRUE(bool(module)) << (module ? "" : llvm::toString(module.takeError()));
  return module ? *module : PtxModule();
}

std::string errorOf(llvm::StringRef text) {
  llvm::Expected<PtxModule> module = parsePtxModule(text);
  return module ? "" : llvm::toString(module.takeError());
}

std::vector<std::string> namesIn(const PtxItem &item) {
  std::vector<std::string> names;
  forEachName(item, [&](llvm::StringRef name) { names.push_back(name.str()); });
  return names;
}

constexpr llvm::StringLiteral header = ".version 8.4\n.target sm_90\n.address_size 64\n";

TEST(PtxModule, Declarations_HaveTheirNamesAndBodies) {
  std::string text = (header + R"(
.extern .func  (.param .b32 func_retval0) vprintf
(
	.param .b64 vprintf_param_0
)
;
.const .align 4 .b8 coef[32];   // { a brace in a comment
.global .attribute(.managed) .align 4 .u32 man;
.global .align 8 .u64 table[2] = {generic(coef), f};
.extern .shared .align 16 .b8 dyn[];
.func  (.param .b32 func_retval0) f(
	.param .b32 f_param_0
)
{
	ret;
}
.visible .entry k(
	.param .u64 k_param_0
)
.maxntid 256, 1, 1
{
	.pragma "nounroll}";
	ret;
}
)")
                         .str();
  PtxModule module = parsed(text);
  EXPECT_EQ(module.version, 84u);
  ASSERT_EQ(module.items.size(), 7u);
  const char *names[] = {"vprintf", "coef", "man", "table", "dyn", "f", "k"};
  using Kind = PtxItem::Kind;
  Kind kinds[] = {Kind::Declaration, Kind::Variable, Kind::Variable, Kind::Variable,
                  Kind::Variable,    Kind::Function, Kind::Kernel};
  for (size_t i = 0; i < module.items.size(); ++i) {
    EXPECT_EQ(module.items[i].name, names[i]);
    EXPECT_EQ(module.items[i].kind, kinds[i]) << names[i];
  }
  EXPECT_EQ(module.items[0].text.back(), ';');
  EXPECT_EQ(namesIn(module.items[3]), (std::vector<std::string>{"generic", "coef", "f"}));
  EXPECT_TRUE(module.items[6].body.starts_with("{"));
  EXPECT_TRUE(module.items[6].body.ends_with("}"));
}

TEST(PtxModule, UnknownDeclarations_AreErrors) {
  EXPECT_NE(errorOf((header + ".alias f, g;").str()).find("not known: .alias"), std::string::npos);
  EXPECT_NE(errorOf((header + "add.s32 %r1, %r2;").str()).find("not known"), std::string::npos);
  EXPECT_NE(errorOf((header + ".visible .entry k() { ret;").str()).find("unfinished"),
            std::string::npos);
  EXPECT_NE(errorOf((header + ".global .u32 a, b;").str()).find("several"), std::string::npos);
  EXPECT_EQ(errorOf("// nothing\n"), "the PTX names no version");
}

TEST(PtxModule, NamesInCode_AreNeitherInstructionsNorRegistersNorLabels) {
  std::string text = (header + R"(.entry k() {
	.reg .f32 %f<5>;
$L1:
	@%p1 bra 	$L2;
	ld.global.L1::no_allocate.v4.f32 	{%f1, %f2, %f3, %f4}, [table+16];
	mov.u64 	%rd1, add;
	add.s64 	%rd2, %rd1, 4;
	call.uni (retval0),
	helper,
	(
	param0
	);
$L2:	st.const.b8 [s], 0f3F800000;
})")
                         .str();
  PtxModule module = parsed(text);
  ASSERT_EQ(module.items.size(), 1u);
  EXPECT_EQ(namesIn(module.items[0]),
            (std::vector<std::string>{"$L2", "table", "add", "retval0", "helper", "param0", "s"}));
}

TEST(PtxModule, OwnNamesAndPredicatesOfCode_AreNoNames) {
  std::string text = (header + R"(.entry k() {
	{ .reg .s32 tmp, other;
	.reg .pred q;
	@q add.s32 tmp, other, 1;
	@!q bra add;
	}
	mov.u64 %rd1, table;
})")
                         .str();
  PtxModule module = parsed(text);
  ASSERT_EQ(module.items.size(), 1u);
  EXPECT_EQ(namesIn(module.items[0]), (std::vector<std::string>{"add", "table"}));
}

TEST(PtxModule, Parameters_AreLaidOutByTheirAlignment) {
  std::string text = (header + R"(.entry k(
	.param .u8 a,
	.param .u64 .ptr .global .align 16 b,
	.param .align 4 .b8 c[6],
	.param .f64 d
) { ret; } .entry none() { ret; } .entry odd(.param .texref t) { ret; })")
                         .str();
  PtxModule module = parsed(text);
  ASSERT_EQ(module.items.size(), 3u);
  // The alignment of what a pointer points to says nothing of the pointer.
  std::vector<PtxParameter> expected = {{0, 1}, {8, 8}, {16, 6}, {24, 8}};
  auto parameters = parametersOf(module.items[0]);
  ASSERT_TRUE(parameters);
  EXPECT_EQ(*parameters, expected);
  EXPECT_TRUE(parametersOf(module.items[1])->empty());
  EXPECT_FALSE(parametersOf(module.items[2]));
}

TEST(PtxModule, Sizes_AreThoseOfAllElements) {
  std::string text =
      (header + ".global .align 4 .b8 a[24];\n.global .f64 b;\n.global .align 4 .u32 c[3] = {1};")
          .str();
  PtxModule module = parsed(text);
  ASSERT_EQ(module.items.size(), 3u);
  EXPECT_EQ(sizeOf(module.items[0]), 24u);
  EXPECT_EQ(sizeOf(module.items[1]), 8u);
  EXPECT_EQ(sizeOf(module.items[2]), 12u);
}

} // namespace
