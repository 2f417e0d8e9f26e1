//===- Architectures.cpp - The GPUs on a command line ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/Architectures.h"
#include "compiler/DeviceIR/ArchitectureNumbers.h"
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

/// PTX for it runs on all later GPUs, with every driver that a current toolkit supports.
constexpr unsigned newestForAll = 90;

/// The first ones with features of a chip, and of a family.
constexpr unsigned firstOfChip = 90, firstOfFamily = 100;

bool isKnown(Architecture arch) {
  return is_contained(architectureNumbers, int(arch.number)) &&
         (arch.features != Architecture::OfChip || arch.number >= firstOfChip) &&
         (arch.features != Architecture::OfFamily || arch.number >= firstOfFamily);
}

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

void TargetList::addOnce(std::string name) {
  if (!is_contained(targets, name))
    targets.push_back(std::move(name));
}

void TargetList::warnOnce(std::string sentence) {
  if (!is_contained(notes, sentence))
    notes.push_back(std::move(sentence));
}

void TargetList::add(Gpu gpu) { addOnce(gpu.isVirtual ? gpu.arch.virtualName() : gpu.arch.chip()); }

Expected<TargetList::Gpu> TargetList::parseGpu(StringRef value) {
  StringRef digits = value;
  bool isVirtual = digits.consume_front("compute_");
  if (!isVirtual)
    digits.consume_front("sm_");
  std::optional<Architecture> arch = Architecture::parse(digits);
  if (!arch)
    return malformed("architecture", value, "of the form sm_90 or compute_90");
  if (isKnown(*arch))
    return Gpu{*arch, isVirtual};
  if (arch->features != Architecture::Common)
    return createStringError("architecture '" + value + "' is not supported; use '" +
                             value.drop_back() + "'");

  const int *next = upper_bound(architectureNumbers, int(arch->number));
  if (next == std::end(architectureNumbers)) {
    Gpu gpu = {newestForAll, /*isVirtual=*/true};
    warnOnce(("architecture '" + value + "' is newer than this compiler; PTX for '" +
              gpu.arch.virtualName() + "' is made, which such a GPU runs")
                 .str());
    return gpu;
  }
  Gpu gpu = {unsigned(*next), isVirtual};
  warnOnce(("architecture '" + value + "' is " +
            (next == std::begin(architectureNumbers) ? "retired" : "not known") + "; '" +
            (isVirtual ? gpu.arch.virtualName() : gpu.arch.chip()) + "' is taken instead")
               .str());
  return gpu;
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
    if (Error error = addGpu(Architecture(arch).chip(), withPtx))
      return error;
  return Error::success();
}

Error TargetList::addGpu(StringRef value, bool withPtx) {
  for (StringRef part : splitList(value)) {
    if (part == "all" || part == "all-major") {
      for (unsigned arch : architectureNumbers)
        if (part == "all" || arch % 10 == 0)
          addOnce(Architecture(arch).chip());
      addOnce(Architecture(std::end(architectureNumbers)[-1]).virtualName());
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

std::vector<Architecture> TargetList::deviceArchitectures() const {
  std::vector<Architecture> result;
  for (StringRef name : targets) {
    Architecture arch = findFamily(name)->deviceArch(name);
    if (!is_contained(result, arch))
      result.push_back(arch);
  }
  return result;
}

} // namespace regrain
