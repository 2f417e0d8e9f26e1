//===- KernelHash.cpp - What a kernel's code is, in 128 bits --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Identity/KernelHash.h"

#include "compiler/DeviceIR/Annotations.h"
#include "compiler/Identity/CodeContent.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace regrain;

namespace {

using Digest = BLAKE3Result<16>;

/// An item, as the hash of its bytes and the items to which these refer.
struct Digested {
  Digest digest;
  SmallVector<ContentItem, 0> references;
};

/// Returns "=1", or "=1=3" for a list.
std::string valueText(const llvm::Metadata *metadata) {
  if (auto *value = mdconst::dyn_extract_or_null<ConstantInt>(metadata))
    return "=" + toString(value->getValue(), 10, /*Signed=*/false);
  std::string text;
  if (auto *list = dyn_cast_or_null<MDNode>(metadata))
    for (const MDOperand &element : list->operands())
      text += valueText(element);
  return text;
}

AnnotationTexts annotationTexts(const Module &device) {
  AnnotationTexts texts;
  for (const Annotation &annotation : readAnnotations(device))
    for (const Annotation::Property &property : annotation.properties)
      texts[annotation.subject].push_back(property.key.str() + valueText(property.value));
  for (auto &[global, own] : texts)
    sort(own);
  return texts;
}

/// Returns the module flags that change what libdevice does.
std::string reflectedFlags(const Module &device) {
  SmallVector<Module::ModuleFlagEntry> flags;
  device.getModuleFlagsMetadata(flags);
  std::vector<std::string> texts;
  for (const Module::ModuleFlagEntry &flag : flags)
    if (flag.Key->getString().starts_with("nvvm-reflect"))
      texts.push_back(flag.Key->getString().str() + valueText(flag.Val));
  sort(texts);
  return join(texts, ",");
}

std::string toText(const Digest &digest) { return toHex(ArrayRef(digest), /*LowerCase=*/true); }

class KernelHasher {
public:
  explicit KernelHasher(const Module &device)
      : annotations(annotationTexts(device)), flags(reflectedFlags(device)) {}

  /// Hashes everything that the kernel reaches, in the order of the references. The numbers of the
  /// items stand for their names and follow from the code alone.
  std::string hash(const Function &kernel) {
    BLAKE3 hasher;
    hasher.update(flags);
    SmallVector<ContentItem> reached = {{&kernel, false}};
    DenseMap<ContentItem, unsigned> numbers = {{reached.front(), 0}};
    for (size_t i = 0; i < reached.size(); ++i) {
      const Digested &item = digest(reached[i]);
      hasher.update(item.digest);
      for (ContentItem reference : item.references) {
        auto [known, isNew] = numbers.try_emplace(reference, reached.size());
        if (isNew)
          reached.push_back(reference);
        uint8_t number[4];
        support::endian::write32le(number, known->second);
        hasher.update(number);
      }
    }
    return toText(hasher.final<16>());
  }

private:
  const Digested &digest(ContentItem item) {
    auto [known, isNew] = digests.try_emplace(item);
    if (isNew) {
      CodeContent content = contentOf(item, annotations);
      known->second = {BLAKE3::hash<16>(content.bytes), std::move(content.references)};
    }
    return known->second;
  }

  AnnotationTexts annotations;
  std::string flags;
  DenseMap<ContentItem, Digested> digests;
};

} // namespace

std::vector<std::string> regrain::hashKernels(const Module &device,
                                              ArrayRef<const Function *> kernels) {
  KernelHasher hasher(device);
  std::vector<std::string> hashes;
  for (const Function *kernel : kernels)
    hashes.push_back(hasher.hash(*kernel));
  return hashes;
}

std::string regrain::combineHashes(ArrayRef<std::string> hashes) {
  if (all_equal(hashes))
    return hashes.empty() ? "" : hashes.front();
  BLAKE3 hasher;
  for (const std::string &hash : hashes)
    hasher.update(hash);
  return toText(hasher.final<16>());
}
