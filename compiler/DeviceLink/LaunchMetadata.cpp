//===- LaunchMetadata.cpp - Launches within a device module ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceLink/LaunchMetadata.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace regrain {
namespace {

constexpr StringLiteral metadataName = "regrain.launches";

/// A launch is the node {symbol, file, line, block, grid, arguments}. A size that is not known is
/// an empty node; the arguments are pairs of number and value.
class LaunchWriter {
public:
  explicit LaunchWriter(Module &module)
      : context(module.getContext()), launches(*module.getOrInsertNamedMetadata(metadataName)) {}

  void write(StringRef symbol, const SeenLaunch &launch) {
    SmallVector<Metadata *> arguments;
    for (auto [parameter, value] : launch.known.arguments)
      arguments.append({number(parameter), number(value)});
    launches.addOperand(
        MDNode::get(context, {MDString::get(context, symbol), MDString::get(context, launch.file),
                              number(launch.line), sizes(launch.known.block),
                              sizes(launch.known.grid), MDNode::get(context, arguments)}));
  }

private:
  Metadata *number(int64_t value) {
    return ConstantAsMetadata::get(ConstantInt::getSigned(Type::getInt64Ty(context), value));
  }

  Metadata *sizes(const std::optional<Factors> &known) {
    SmallVector<Metadata *> numbers;
    if (known)
      for (uint32_t size : *known)
        numbers.push_back(number(size));
    return MDNode::get(context, numbers);
  }

  LLVMContext &context;
  NamedMDNode &launches;
};

int64_t numberAt(const MDNode &node, unsigned index) {
  return mdconst::extract<ConstantInt>(node.getOperand(index))->getSExtValue();
}

std::optional<Factors> sizesAt(const MDNode &launch, unsigned index) {
  auto &node = *cast<MDNode>(launch.getOperand(index));
  if (node.getNumOperands() == 0)
    return std::nullopt;
  Factors sizes;
  for (auto [dimension, size] : enumerate(sizes))
    size = static_cast<uint32_t>(numberAt(node, dimension));
  return sizes;
}

SeenLaunch readLaunch(const MDNode &node) {
  SeenLaunch launch;
  launch.file = cast<MDString>(node.getOperand(1))->getString().str();
  launch.line = static_cast<unsigned>(numberAt(node, 2));
  launch.known.block = sizesAt(node, 3);
  launch.known.grid = sizesAt(node, 4);
  auto &arguments = *cast<MDNode>(node.getOperand(5));
  for (unsigned i = 0; i + 1 < arguments.getNumOperands(); i += 2)
    launch.known.arguments[static_cast<uint32_t>(numberAt(arguments, i))] =
        numberAt(arguments, i + 1);
  return launch;
}

} // namespace

void recordLaunches(DeviceCode &code) {
  LaunchWriter writer(*code.module);
  for (const DeviceKernel &kernel : code.kernels)
    for (const SeenLaunch &launch : kernel.launches)
      writer.write(kernel.symbol, launch);
  for (const auto &[symbol, launches] : code.launchesElsewhere)
    for (const SeenLaunch &launch : launches)
      writer.write(symbol, launch);
}

void takeLaunches(DeviceCode &code) {
  NamedMDNode *recorded = code.module->getNamedMetadata(metadataName);
  if (!recorded)
    return;
  for (const MDNode *node : recorded->operands()) {
    StringRef symbol = cast<MDString>(node->getOperand(0))->getString();
    auto kernel =
        find_if(code.kernels, [&](const DeviceKernel &known) { return known.symbol == symbol; });
    if (kernel == code.kernels.end())
      continue;
    SeenLaunch launch = readLaunch(*node);
    bool isNew = none_of(kernel->launches,
                         [&](const SeenLaunch &known) { return known.known == launch.known; });
    if (isNew)
      kernel->launches.push_back(std::move(launch));
  }
  recorded->eraseFromParent();
}

} // namespace regrain
