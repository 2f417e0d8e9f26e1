//===- Bitcode.h - Libraries of device functions ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace regrain {

/// Opens a bitcode file; functions are read when they are needed.
llvm::Expected<std::unique_ptr<llvm::Module>> openBitcode(llvm::StringRef path,
                                                          llvm::LLVMContext &context);

/// Links the functions of `library` that `module` needs, with internal linkage and the attributes
/// of the module's own functions.
llvm::Error linkNeeded(llvm::Module &module, std::unique_ptr<llvm::Module> library);

} // namespace regrain
