//===- KernelTexts.cpp - The kernels of a PTX module ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/PtxText/KernelTexts.h"

#include "compiler/DeviceIR/PtxModule.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace regrain::nvptx {

static std::optional<PtxModule> parsed(StringRef ptx) {
  Expected<PtxModule> module = parsePtxModule(ptx);
  if (module)
    return std::move(*module);
  consumeError(module.takeError());
  return std::nullopt;
}

static bool isKernel(const PtxItem &item) { return item.kind == PtxItem::Kind::Kernel; }

/// Returns `ptx` with the text that `textOf` returns in place of each kernel.
static std::string replaceKernels(StringRef ptx, const PtxModule &module,
                                  function_ref<std::string(const PtxItem &)> textOf) {
  std::string result;
  const char *done = ptx.begin();
  for (const PtxItem &item : make_filter_range(module.items, isKernel)) {
    result.append(done, item.text.begin());
    result += textOf(item);
    done = item.text.end();
  }
  result.append(done, ptx.end());
  return result;
}

std::optional<std::string> onlyKernels(StringRef ptx, const StringSet<> &kept) {
  std::optional<PtxModule> module = parsed(ptx);
  if (!module)
    return std::nullopt;
  StringSet<> named;
  for (const PtxItem &item : module->items)
    forEachName(item, [&](StringRef name) { named.insert(name); });
  return replaceKernels(ptx, *module, [&](const PtxItem &kernel) {
    bool stays = kept.contains(kernel.name) || named.contains(kernel.name);
    return stays ? kernel.text.str() : std::string();
  });
}

std::optional<std::string> withKernelsOf(StringRef ptx, StringRef other,
                                         const StringSet<> &symbols) {
  std::optional<PtxModule> module = parsed(ptx), otherModule = parsed(other);
  if (!module || !otherModule)
    return std::nullopt;
  auto nameOf = [](const PtxItem &kernel) { return kernel.name.str(); };
  if (replaceKernels(ptx, *module, nameOf) != replaceKernels(other, *otherModule, nameOf))
    return std::nullopt;
  StringMap<StringRef> others;
  for (const PtxItem &item : make_filter_range(otherModule->items, isKernel))
    others[item.name] = item.text;
  return replaceKernels(ptx, *module, [&](const PtxItem &kernel) {
    return (symbols.contains(kernel.name) ? others.lookup(kernel.name) : kernel.text).str();
  });
}

std::optional<std::string> withRegisterLimits(StringRef ptx, const StringMap<unsigned> &limits) {
  std::optional<PtxModule> module = parsed(ptx);
  if (!module)
    return std::nullopt;
  return replaceKernels(ptx, *module, [&](const PtxItem &kernel) {
    size_t body = kernel.body.begin() - kernel.text.begin();
    StringRef head = kernel.text.take_front(body);
    auto limit = limits.find(kernel.name);
    if (limit == limits.end() || head.contains(".maxnreg") || head.contains(".minnctapersm"))
      return kernel.text.str();
    return (head + ".maxnreg " + Twine(limit->second) + "\n" + kernel.text.drop_front(body)).str();
  });
}

} // namespace regrain::nvptx
