//===- TypeLayoutTests.cpp - Layout of types in memory --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference is llvm::DataLayout with the layout of nvptx64, which the module imports.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/TypeLayout.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/Import.h"
#include "mlir/Target/LLVMIR/TypeToLLVM.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "gtest/gtest.h"

using namespace regrain;

namespace {

class TypeLayouts : public testing::Test {
protected:
  TypeLayouts() : context(dialects()), translator(llvmContext) {
    context.loadAllAvailableDialects();
    auto source = std::make_unique<llvm::Module>("device", llvmContext);
    source->setDataLayout("e-i64:64-i128:128-v16:16-v32:32-n16:32:64");
    reference = source->getDataLayout();
    module = mlir::translateLLVMIRToModule(std::move(source), &context);
  }

  static mlir::DialectRegistry dialects() {
    mlir::DialectRegistry registry;
    mlir::registerAllFromLLVMIRTranslations(registry);
    registry.insert<mlir::DLTIDialect>();
    return registry;
  }

  mlir::Type parse(const char *text) { return mlir::parseType(text, &context); }

  llvm::LLVMContext llvmContext;
  mlir::MLIRContext context;
  mlir::LLVM::TypeToLLVMIRTranslator translator;
  llvm::DataLayout reference{""};
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

TEST_F(TypeLayouts, AreLLVMs) {
  mlir::DataLayout layout(*module);
  for (const char *text : {"i1",
                           "i8",
                           "i24",
                           "i32",
                           "i64",
                           "i96",
                           "i128",
                           "f16",
                           "bf16",
                           "f32",
                           "f64",
                           "!llvm.ptr",
                           "!llvm.ptr<3>",
                           "vector<2xf16>",
                           "vector<3xi8>",
                           "vector<3xf32>",
                           "vector<2xf64>",
                           "!llvm.array<3 x i24>",
                           "!llvm.array<2 x vector<3xf32>>",
                           "!llvm.struct<()>",
                           "!llvm.struct<(i8, i64)>",
                           "!llvm.struct<(i8, i128)>",
                           "!llvm.struct<(i8, ptr)>",
                           "!llvm.struct<packed (i8, i64)>",
                           "!llvm.struct<(i8, vector<4xf32>)>",
                           "!llvm.array<2 x struct<(i8, struct<(i8, i64)>)>>"}) {
    llvm::Type *type = translator.translateType(parse(text));
    std::optional<TypeLayout> own = layoutOf(parse(text), layout);
    ASSERT_TRUE(own) << text;
    EXPECT_EQ(own->size, int64_t(reference.getTypeAllocSize(type))) << text;
    EXPECT_EQ(own->alignment, int64_t(reference.getABITypeAlign(type).value())) << text;
  }
}

TEST_F(TypeLayouts, OffsetsOfMembersAreLLVMs) {
  mlir::DataLayout layout(*module);
  for (const char *text : {"!llvm.struct<(i8, i64, i16, i128, vector<2xf16>, f64)>",
                           "!llvm.struct<packed (i8, i64, i16)>"}) {
    auto record = mlir::cast<mlir::LLVM::LLVMStructType>(parse(text));
    auto *type = llvm::cast<llvm::StructType>(translator.translateType(record));
    for (unsigned index = 0; index < record.getBody().size(); ++index)
      EXPECT_EQ(memberOffset(record, index, layout),
                int64_t(reference.getStructLayout(type)->getElementOffset(index)))
          << text << " member " << index;
    EXPECT_FALSE(memberOffset(record, record.getBody().size(), layout));
  }
}

TEST_F(TypeLayouts, WhatHasNoneIsNotKnown) {
  mlir::DataLayout layout(*module);
  for (const char *text : {"none", "i256", "vector<[4]xf32>", "vector<2x2xf32>", "vector<8xi1>",
                           "!llvm.struct<\"later\", opaque>", "!llvm.array<2 x i256>",
                           "!llvm.struct<(i8, i256)>", "!llvm.array<4294967296 x i8>"})
    EXPECT_FALSE(layoutOf(parse(text), layout)) << text;
}

} // namespace
