//===- SpecialisationSides.cpp - Sides of explicit specialisations --------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/SpecialisationSides.h"

#include "compiler/Frontend/Sides.h"
#include "clang/Basic/ParsedAttrInfo.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

namespace regrain {

std::optional<Sides> sidesOfTemplates(const clang::FunctionDecl &function) {
  std::optional<Sides> sides;
  for (const clang::NamedDecl *found : function.getDeclContext()->lookup(function.getDeclName())) {
    auto *primary = llvm::dyn_cast<clang::FunctionTemplateDecl>(found);
    if (!primary)
      continue;
    if (sides && *sides != sidesOf(*primary->getTemplatedDecl()))
      return std::nullopt;
    sides = sidesOf(*primary->getTemplatedDecl());
  }
  return sides;
}

namespace {

using namespace clang;

/// The specialisation that clang is looking at, with the sides that are written.
struct Seen {
  FunctionDecl *function = nullptr;
  Sides written;
};
thread_local Seen seen;

/// Gives the specialisation and what clang has made for it its own sides.
void restore() {
  if (FunctionDecl *function = std::exchange(seen.function, nullptr))
    for (FunctionDecl *declaration : function->redecls())
      setSides(*declaration, seen.written);
}

/// An attribute beside `host` and `device` in our headers.
class SideAttribute : public ParsedAttrInfo {
public:
  SideAttribute(const Spelling &spelling, bool Sides::*side) : side(side) { Spellings = spelling; }

  AttrHandling handleDeclAttribute(Sema &sema, Decl *decl, const ParsedAttr &) const override {
    auto *function = dyn_cast<FunctionDecl>(decl);
    if (!function || !isSpecialisation(*function) || function->hasAttr<CUDAGlobalAttr>())
      return AttributeApplied;
    if (seen.function != function)
      seen = {function, {}};
    seen.written.*side = true;
    // No token is read before clang has looked for the template.
    sema.PP.setTokenWatcher([](const Token &) { restore(); });
    if (std::optional<Sides> sides = sidesOfTemplates(*function))
      setSides(*function, *sides);
    return AttributeApplied;
  }

private:
  bool Sides::*side;
};

constexpr ParsedAttrInfo::Spelling hostSpelling = {AttributeCommonInfo::AS_GNU, "regrain_host"},
                                   deviceSpelling = {AttributeCommonInfo::AS_GNU, "regrain_device"};

class HostSideAttribute : public SideAttribute {
public:
  HostSideAttribute() : SideAttribute(hostSpelling, &Sides::host) {}
};

class DeviceSideAttribute : public SideAttribute {
public:
  DeviceSideAttribute() : SideAttribute(deviceSpelling, &Sides::device) {}
};

const ParsedAttrInfoRegistry::Add<HostSideAttribute> host("regrain_host",
                                                          "a function of the host side");
const ParsedAttrInfoRegistry::Add<DeviceSideAttribute> device("regrain_device",
                                                              "a function of the device side");

} // namespace

void matchSpecialisationSides() { seen = {}; }

} // namespace regrain
