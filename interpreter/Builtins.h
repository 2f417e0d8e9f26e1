//===- Builtins.h - Functions that the device supplies ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each function returns an empty Builtin for a name that it does not know.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "interpreter/Program.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Intrinsics.h"

namespace regrain {

/// Finds LLVM's own intrinsics on integers and floating-point numbers.
Builtin findGenericMath(const llvm::CallBase &call);

/// Finds those on integers only.
Builtin findIntegerIntrinsic(llvm::Intrinsic::ID id);
/// Finds those with several results, or on the parts of one number.
Builtin findNumberParts(const llvm::CallBase &call);
/// Finds those that return a result and whether it overflows, of any width.
Builtin findOverflowing(llvm::Intrinsic::ID id);
/// Tests whether a number is in one of the classes of a mask, as llvm.is.fpclass
/// does.
Builtin classTest();

/// Returns whether a flat pointer lies in the memory that a function of AddressSpaces tells.
Builtin isInSpace(bool (*contains)(uint64_t flat));

/// Lets the lanes that meet at an instruction do `operation`: those of a mask, or those that are
/// there.
Builtin together(std::function<bool(Machine &, llvm::ArrayRef<Thread *>, const Step &)> operation,
                 uint32_t mask = 0);

/// Finds products of matrices in inline PTX; `text` is without its semicolon.
Builtin findMatrixProduct(llvm::StringRef text);

/// Finds the intrinsics of amdgcn.
Builtin findAmdgcn(const llvm::CallBase &call);
/// Finds those that exchange values between lanes of a wave.
Builtin findAmdgcnLanes(const llvm::CallBase &call);
/// Finds those of the matrix cores.
Builtin findAmdgcnMatrix(const llvm::CallBase &call);
/// Finds those on numbers.
Builtin findAmdgcnMath(const llvm::CallBase &call);

/// Finds the functions of libdevice; `name` is without "__nv_".
Builtin findLibraryMath(llvm::StringRef name);
/// Finds those of libdevice and NVVM on integers; the operands determine the
/// width.
Builtin findIntegerMath(llvm::StringRef name);

/// Finds NVVM's barriers, shuffles, votes, matches and reductions; `name` is without "llvm.nvvm.".
Builtin findCollective(llvm::StringRef name);

/// Finds NVVM's intrinsics on numbers; `name` is without "llvm.nvvm.".
Builtin findNvvmMath(llvm::StringRef name);

/// Finds copies of rows, and the barriers that count them, by their assembly.
Builtin findBulkCopy(llvm::StringRef text);

/// Finds "atomic.load.inc.32.p0", "atomic.add.gen.i.cta.i32.p0", ...
Builtin findAtomic(llvm::StringRef name);

} // namespace regrain
