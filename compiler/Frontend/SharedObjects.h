//===- SharedObjects.h - Objects in shared memory ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `__shared__ cuda::barrier<cuda::thread_scope_block> bar;` is legal CUDA: no constructor and no
// destructor runs, and the program initialises the object by a function. clang refuses a variable
// in shared memory unless its constructor and destructor are empty, and offers no way to allow it.
//
// So a local variable of a class type has the attribute `device` while clang checks its
// initialiser, for which clang can allow any. It gets the attribute `shared` when the function
// around it is complete, which is before code is generated for it. Then clang checks all variables
// on the device again by its own rules. The macro __shared__ also has an attribute of our own for
// this.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"

namespace regrain {

/// Returns a consumer that moves the variables to shared memory before `consumers`, one of which
/// generates code, see them. A warning names objects of the program's own classes whose constructor
/// does not run. An initialiser that the program wrote is an error.
std::unique_ptr<clang::ASTConsumer>
placeSharedObjects(clang::CompilerInstance &instance,
                   std::vector<std::unique_ptr<clang::ASTConsumer>> consumers);

} // namespace regrain
