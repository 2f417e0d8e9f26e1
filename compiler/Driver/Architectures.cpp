//===- Architectures.cpp - The GPUs on a command line ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/Architectures.h"
#include "compiler/Driver/NativeGpus.h"
#include "compiler/Target/NVPTX/NVPTX.h"
#include "compiler/Target/Registry/Registry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace regrain {
namespace {

/// The architectures that both LLVM 19 and a current toolkit support.
constexpr unsigned architectures[] = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90};

std::string cubinName(unsigned arch) { return "sm_" + std::to_string(arch); }
std::string ptxName(unsigned arch) { return "compute_" + std::to_string(arch); }

Error malformed(const Twine &option, StringRef value, const Twine &expected) {
  return createStringError(option + ": '" + value + "' is not " + expected);
}

SmallVector<StringRef> splitList(StringRef list) {
  if (list.consume_front("["))
    list.consume_back("]");
  SmallVector<StringRef> parts;
  list.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef &part : parts)
    part = part.trim(" '\"\\");
  return parts;
}

} // namespace

ArrayRef<unsigned> knownArchitectures() { return architectures; }

void TargetList::addOnce(std::string name) {
  if (!is_contained(targets, name))
    targets.push_back(std::move(name));
}

void TargetList::warnOnce(std::string sentence) {
  if (!is_contained(notes, sentence))
    notes.push_back(std::move(sentence));
}

void TargetList::add(Gpu gpu) { addOnce(gpu.isVirtual ? ptxName(gpu.arch) : cubinName(gpu.arch)); }

Expected<TargetList::Gpu> TargetList::parseGpu(StringRef value) {
  StringRef digits = value;
  bool isVirtual = digits.consume_front("compute_");
  if (!isVirtual)
    digits.consume_front("sm_");
  unsigned arch = 0;
  if (digits.ends_with("a") && !digits.drop_back().empty() && isDigit(digits.front()))
    return createStringError("architecture '" + value + "' is not supported; use '" +
                             value.drop_back() + "'");
  if (digits.getAsInteger(10, arch) || arch < 10)
    return malformed("architecture", value, "of the form sm_90 or compute_90");
  if (is_contained(architectures, arch))
    return Gpu{arch, isVirtual};

  const unsigned *next = upper_bound(architectures, arch);
  if (next == std::end(architectures)) {
    arch = *std::prev(next);
    warnOnce(("architecture '" + value + "' is newer than this compiler; PTX for '" +
              ptxName(arch) + "' is made, which such a GPU runs")
                 .str());
    return Gpu{arch, /*isVirtual=*/true};
  }
  warnOnce(("architecture '" + value + "' is " +
            (next == std::begin(architectures) ? "retired" : "not known") + "; '" +
            (isVirtual ? ptxName(*next) : cubinName(*next)) + "' is taken instead")
               .str());
  return Gpu{*next, isVirtual};
}

/// Adds the target of another family, such as "gfx90a".
Error TargetList::addNamed(const TargetFamily &family, StringRef name) {
  if (Error error = family.check(name))
    return error;
  addOnce(name.str());
  return Error::success();
}

/// Adds the GPUs of this machine.
Error TargetList::addNative(bool withPtx) {
  std::vector<unsigned> found = nativeGpus();
  if (found.empty())
    warnOnce("architecture 'native': this machine has no NVIDIA GPU; without another target, PTX "
             "is made");
  for (unsigned arch : found)
    if (Error error = addGpu(cubinName(arch), withPtx))
      return error;
  return Error::success();
}

Error TargetList::addGpu(StringRef value, bool withPtx) {
  for (StringRef part : splitList(value)) {
    if (part == "all" || part == "all-major") {
      for (unsigned arch : architectures)
        if (part == "all" || arch % 10 == 0)
          addOnce(cubinName(arch));
      addOnce(ptxName(std::end(architectures)[-1]));
      continue;
    }
    const TargetFamily *family = findFamily(part);
    if (family && family->isGPU() && family != &nvptxFamily()) {
      if (Error error = addNamed(*family, part))
        return error;
      continue;
    }
    if (part == "native") {
      if (Error error = addNative(withPtx))
        return error;
      continue;
    }
    Expected<Gpu> gpu = parseGpu(part);
    if (!gpu)
      return gpu.takeError();
    add(*gpu);
    if (withPtx)
      add({gpu->arch, /*isVirtual=*/true});
  }
  return Error::success();
}

Error TargetList::addGencode(StringRef value) {
  StringRef rest = value.trim(" '\"");
  auto [archPart, codePart] = rest.split(',');
  if (!archPart.consume_front("arch=") || !codePart.consume_front("code="))
    return malformed("-gencode", value, "of the form arch=compute_90,code=sm_90");
  return addArchAndCode(archPart, codePart);
}

Error TargetList::addArchAndCode(StringRef arch, StringRef code) {
  Expected<Gpu> source = parseGpu(arch);
  if (!source)
    return source.takeError();
  SmallVector<StringRef> parts = splitList(code);
  if (parts.empty())
    return malformed("-code", code, "a list of GPUs");
  for (StringRef part : parts)
    if (Error error = addGpu(part, /*withPtx=*/false))
      return error;
  return Error::success();
}

Error TargetList::addTarget(StringRef name) {
  const TargetFamily *family = findFamily(name);
  if (!family)
    return malformed("--targets", name, "a target: " + targetNames());
  // Architectures that are not known are served by others.
  if (family == &nvptxFamily() && name != "ptx")
    return addGpu(name, /*withPtx=*/false);
  return addNamed(*family, name);
}

std::vector<unsigned> TargetList::deviceArchitectures() const {
  std::vector<unsigned> result;
  for (StringRef name : targets) {
    unsigned arch = findFamily(name)->deviceArch(name);
    if (!is_contained(result, arch))
      result.push_back(arch);
  }
  return result;
}

} // namespace regrain
