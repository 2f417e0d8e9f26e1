//===- OfferedVariants.cpp - Variants that the source offers --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/OfferedVariants.h"

#include "compiler/DeviceIR/Annotations.h"
#include "compiler/DeviceIR/References.h"
#include "compiler/Frontend/DeviceFacts.h"
#include "compiler/Frontend/LaunchRules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace regrain {
namespace {

/// The fields of the constant.
enum OfferField { Original, Variant, Rule, RuleOfOriginal, Ulps, Line, File };

bool isOffer(const GlobalVariable &variable) {
  auto *type = dyn_cast<StructType>(variable.getValueType());
  return type && type->hasName() && variable.hasInitializer() &&
         type->getName().starts_with("struct.regrain::detail::offer");
}

Constant *field(const GlobalVariable &offer, OfferField which) {
  return offer.getInitializer()->getAggregateElement(which);
}

/// Returns the function that a field names; null if there is none.
Function *functionIn(const GlobalVariable &offer, OfferField which) {
  return dyn_cast<Function>(field(offer, which)->stripPointerCasts());
}

unsigned numberIn(const GlobalVariable &offer, OfferField which) {
  auto *number = dyn_cast<ConstantInt>(field(offer, which));
  return number ? unsigned(number->getZExtValue()) : 0;
}

std::string textIn(const GlobalVariable &offer, OfferField which) {
  auto *text = dyn_cast<GlobalVariable>(field(offer, which)->stripPointerCasts());
  auto *data = text && text->hasInitializer() ? dyn_cast<ConstantDataArray>(text->getInitializer())
                                              : nullptr;
  return data && data->isCString() ? data->getAsCString().str() : "";
}

SmallVector<Function *> rulesOf(ArrayRef<GlobalVariable *> offers) {
  SetVector<Function *> rules;
  for (const GlobalVariable *offer : offers)
    for (OfferField which : {Rule, RuleOfOriginal})
      if (Function *rule = functionIn(*offer, which))
        rules.insert(rule);
  return rules.takeVector();
}

void printError(const std::string &file, unsigned line, const Twine &text) {
  errs() << file << ':' << line << ": ";
  WithColor::error(errs()) << text << '\n';
}

/// Removes functions that nothing uses any more, and what they alone use.
void eraseUnused(ArrayRef<Function *> candidates) {
  SmallSetVector<Function *, 16> left(candidates.begin(), candidates.end());
  for (bool isChanged = true; std::exchange(isChanged, false);)
    for (Function *function : SmallVector<Function *>(left.getArrayRef())) {
      function->removeDeadConstantUsers();
      if (!function->use_empty() || !function->isDiscardableIfUnused())
        continue;
      left.remove(function);
      function->eraseFromParent();
      isChanged = true;
    }
}

void eraseOffers(Module &device, ArrayRef<GlobalVariable *> offers) {
  SmallVector<Function *> called;
  for (const Function *function : functionsReachedFrom(rulesOf(offers)))
    called.push_back(device.getFunction(function->getName()));
  removeFromUsedLists(device, [&](Constant *used) { return is_contained(offers, used); });
  for (GlobalVariable *offer : offers) {
    auto *file = dyn_cast<GlobalVariable>(field(*offer, File)->stripPointerCasts());
    offer->eraseFromParent();
    if (file && file->use_empty() && file->hasLocalLinkage())
      file->eraseFromParent();
  }
  eraseUnused(called);
}

/// Reads the rule of an offer, and that of the original if there is one. Prints an error if the
/// image cannot hold it.
std::optional<LaunchRule> readRules(const GlobalVariable &offer, const Module &simplified,
                                    const std::string &name) {
  std::optional<LaunchRule> joined;
  for (OfferField which : {Rule, RuleOfOriginal}) {
    const Function *function = functionIn(offer, which);
    if (!function)
      continue;
    std::variant<LaunchRule, NoRule> read = readRule(*simplified.getFunction(function->getName()));
    if (auto *no = std::get_if<NoRule>(&read)) {
      bool isKnown = no->where.isKnown();
      printError(isKnown ? no->where.file : textIn(offer, File),
                 isKnown ? no->where.line : numberIn(offer, Line),
                 "the rule of " + std::string(which == Rule ? "variant '" : "the original of '") +
                     name + "' cannot be evaluated with a launch: " + no->reason);
      return std::nullopt;
    }
    LaunchRule rule = std::get<LaunchRule>(std::move(read));
    joined = joined ? joinRules(std::move(*joined), rule) : std::move(rule);
  }
  return joined;
}

const DeviceKernel *findKernel(const DeviceCode &code, StringRef symbol) {
  auto found = find_if(code.kernels, [&](const auto &kernel) { return kernel.symbol == symbol; });
  return found == code.kernels.end() ? nullptr : &*found;
}

/// Returns why the variant cannot run in place of its original; an empty text if it can.
std::string whyWrong(const DeviceCode &code, const OfferedVariant &offered) {
  const DeviceKernel *original = findKernel(code, offered.original);
  const DeviceKernel *variant = findKernel(code, offered.variant);
  if (!original || !variant)
    return "it and its original must be kernels that the file defines";
  if (original == variant)
    return "it is the original itself";
  if (offered.name.empty())
    return "its name cannot be part of a grain";
  SmallVector<uint32_t> bytes =
      map_to_vector(original->parameters, [](const auto &parameter) { return parameter.size; });
  const char *wrong = findWrong(offered.rule, {bytes.data(), bytes.size()});
  return wrong ? std::string("its rule cannot be evaluated: ") + wrong : "";
}

} // namespace

/// Returns whether the offer is known: files that are linked may include a header with it.
static bool isKnown(ArrayRef<OfferedVariant> variants, const OfferedVariant &offered) {
  return any_of(variants, [&](const OfferedVariant &one) {
    return one.original == offered.original && one.variant == offered.variant &&
           one.ulps == offered.ulps && one.rule == offered.rule;
  });
}

std::optional<std::vector<OfferedVariant>> takeVariants(Module &device) {
  SmallVector<GlobalVariable *> offers;
  for (GlobalVariable &variable : device.globals())
    if (isOffer(variable))
      offers.push_back(&variable);
  std::vector<OfferedVariant> variants;
  if (offers.empty())
    return variants;
  SmallVector<Function *> rules = rulesOf(offers);
  std::unique_ptr<Module> simplified =
      simplifyRules(device, SmallVector<const Function *>(rules.begin(), rules.end()));
  bool isWrong = false;
  for (const GlobalVariable *offer : offers) {
    OfferedVariant offered;
    offered.original = functionIn(*offer, Original)->getName().str();
    offered.variant = functionIn(*offer, Variant)->getName().str();
    offered.name = nameOfVariant(nameOfKernel(offered.variant));
    offered.ulps = numberIn(*offer, Ulps);
    offered.file = textIn(*offer, File);
    offered.line = numberIn(*offer, Line);
    std::optional<LaunchRule> rule = readRules(*offer, *simplified, offered.name);
    isWrong |= !rule;
    offered.rule = rule.value_or(LaunchRule());
    if (!isKnown(variants, offered))
      variants.push_back(std::move(offered));
  }
  eraseOffers(device, offers);
  return isWrong ? std::nullopt : std::optional(std::move(variants));
}

void fixClusters(DeviceCode &code) {
  for (OfferedVariant &offered : code.variants) {
    const DeviceKernel *variant = findKernel(code, offered.variant);
    const DeviceKernel *original = findKernel(code, offered.original);
    if (variant && variant->cluster)
      setClusters(offered.rule, /*ofOriginal=*/false, *variant->cluster);
    if (original && original->cluster && offered.rule.saysOriginal())
      setClusters(offered.rule, /*ofOriginal=*/true, *original->cluster);
  }
}

bool reportWrongVariants(const DeviceCode &code) {
  bool isWrong = false;
  std::set<std::pair<std::string, std::string>> known;
  for (const OfferedVariant &offered : code.variants) {
    std::string why = whyWrong(code, offered);
    if (why.empty() && !known.insert({offered.original, offered.name}).second)
      why = "its original has a variant of that name already";
    if (why.empty())
      continue;
    printError(offered.file, offered.line,
               "'" + nameOfKernel(offered.variant) + "' cannot be a variant of '" +
                   nameOfKernel(offered.original) + "': " + why);
    isWrong = true;
  }
  return isWrong;
}

void setApartOffered(DeviceCode &code, const std::set<std::string> &named) {
  std::set<std::string> unnamed, offered;
  for (const OfferedVariant &one : code.variants)
    for (const std::string &symbol : {one.original, one.variant})
      if (!named.contains(symbol))
        unnamed.insert(symbol);
  erase_if(code.variants,
           [&](const OfferedVariant &one) { return unnamed.contains(one.original); });
  for (const OfferedVariant &one : code.variants)
    if (unnamed.contains(one.variant))
      offered.insert(one.variant);
  std::vector<DeviceKernel> kernels;
  for (DeviceKernel &kernel : code.kernels) {
    if (!unnamed.contains(kernel.symbol))
      kernels.push_back(std::move(kernel));
    else if (offered.contains(kernel.symbol))
      code.offeredKernels.push_back(std::move(kernel));
    else
      removeKernel(*code.module->getFunction(kernel.symbol));
  }
  code.kernels = std::move(kernels);
}

} // namespace regrain
