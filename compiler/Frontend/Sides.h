//===- Sides.h - The sides that a function is written for -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"

#include <optional>

namespace regrain {

/// The attributes `host` and `device` of a function. It is for the host if it has none.
struct Sides {
  bool host = false, device = false;
  friend bool operator==(const Sides &, const Sides &) = default;
};

/// A constexpr function has both sides without having been given them, which clang overlooks.
template <typename Side> bool isGiven(const clang::FunctionDecl &function) {
  const clang::Attr *side = function.getAttr<Side>();
  return side && !side->isImplicit();
}

inline Sides sidesOf(const clang::FunctionDecl &function) {
  return {isGiven<clang::CUDAHostAttr>(function), isGiven<clang::CUDADeviceAttr>(function)};
}

inline void setSides(clang::FunctionDecl &function, Sides sides) {
  clang::ASTContext &context = function.getASTContext();
  function.dropAttrs<clang::CUDAHostAttr, clang::CUDADeviceAttr>();
  if (sides.host)
    function.addAttr(clang::CUDAHostAttr::Create(context));
  if (sides.device)
    function.addAttr(clang::CUDADeviceAttr::Create(context));
}

/// Whether it is an explicit specialisation of a template.
inline bool isSpecialisation(const clang::FunctionDecl &function) {
  unsigned lists = function.getNumTemplateParameterLists();
  return lists && function.getTemplateParameterList(lists - 1)->empty();
}

/// Returns the sides of the templates with the function's name, if they are alike.
std::optional<Sides> sidesOfTemplates(const clang::FunctionDecl &function);

} // namespace regrain
