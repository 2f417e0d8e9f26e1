//===- Builtins.h - Functions that the device supplies ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each gives an empty Builtin for a name that it does not know.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "interpreter/Program.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Intrinsics.h"

namespace regrain {

/// LLVM's own intrinsics on integers and floating-point numbers.
Builtin findGenericMath(const llvm::CallBase &call);

/// Of these, those on integers alone.
Builtin findIntegerIntrinsic(llvm::Intrinsic::ID id);
/// Of these, those with several results or of one number's parts.
Builtin findNumberParts(const llvm::CallBase &call);
/// Of these, those that give a result and whether it overflows, of any width.
Builtin findOverflowing(llvm::Intrinsic::ID id);
/// Whether a number is in one of the classes of a mask, as llvm.is.fpclass has it.
Builtin classTest();

/// Intrinsics of amdgcn.
Builtin findAmdgcn(const llvm::CallBase &call);
/// Those in which lanes of a wave meet.
Builtin findAmdgcnLanes(const llvm::CallBase &call);
/// Those on numbers.
Builtin findAmdgcnMath(const llvm::CallBase &call);

/// The functions of libdevice; `name` is without "__nv_".
Builtin findLibraryMath(llvm::StringRef name);
/// Those of libdevice and NVVM on integers; operands say the width.
Builtin findIntegerMath(llvm::StringRef name);

/// NVVM's intrinsics on numbers; `name` is without "llvm.nvvm.".
Builtin findNvvmMath(llvm::StringRef name);

/// "atomic.load.inc.32.p0", "atomic.add.gen.i.cta.i32.p0", ...
Builtin findAtomic(llvm::StringRef name);

} // namespace regrain
