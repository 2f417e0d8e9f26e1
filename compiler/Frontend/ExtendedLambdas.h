//===- ExtendedLambdas.h - nvcc's kinds of lambdas --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc's traits, such as __nv_is_extended_device_lambda_closure_type(T), ask how the program
// qualified a lambda. Its type does not say that, so a type of this kind gets a member type by
// whose name regrain_lambda_traits.h finds it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/AST/ASTConsumer.h"
#include <memory>

namespace regrain {

/// Returns a consumer that marks each extended lambda, which is one of a host function whose
/// qualifiers the program wrote, when its type is complete.
std::unique_ptr<clang::ASTConsumer> markExtendedLambdas();

} // namespace regrain
