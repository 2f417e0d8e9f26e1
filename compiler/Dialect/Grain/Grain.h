//===- Grain.h - The parallel nest of a kernel ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "compiler/Dialect/Grain/GrainDialect.h.inc"
#include "compiler/Dialect/Grain/GrainEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "compiler/Dialect/Grain/GrainAttributes.h.inc"

#define GET_OP_CLASSES
#include "compiler/Dialect/Grain/GrainOps.h.inc"
