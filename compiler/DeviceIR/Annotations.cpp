//===- Annotations.cpp - nvvm.annotations of a module ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/Annotations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace regrain {

static constexpr StringLiteral annotationsName = "nvvm.annotations";

std::optional<uint64_t> Annotation::Property::number() const {
  auto *number = mdconst::dyn_extract_or_null<ConstantInt>(value);
  return number ? std::optional(number->getZExtValue()) : std::nullopt;
}

bool Annotation::has(StringRef key) const {
  return any_of(properties, [&](const Property &property) { return property.key == key; });
}

/// Reads what the nodes say of one function or variable, or of all if `only` is null. The first
/// operand of a node is the subject, then come keys and their values.
static SmallVector<Annotation> read(const Module &module, const GlobalValue *only) {
  SmallVector<Annotation> annotations;
  const NamedMDNode *list = module.getNamedMetadata(annotationsName);
  for (unsigned i = 0; list && i < list->getNumOperands(); ++i) {
    const MDNode &node = *list->getOperand(i);
    auto *subject = node.getNumOperands() > 0
                        ? mdconst::dyn_extract_or_null<GlobalValue>(node.getOperand(0))
                        : nullptr;
    if (!subject || (only && subject != only))
      continue;
    Annotation &annotation = annotations.emplace_back();
    annotation.subject = subject;
    for (unsigned key = 1; key + 1 < node.getNumOperands(); key += 2)
      if (auto *name = dyn_cast_or_null<MDString>(node.getOperand(key)))
        annotation.properties.push_back({name->getString(), node.getOperand(key + 1)});
  }
  return annotations;
}

static MDNode *toNode(const Annotation &annotation) {
  LLVMContext &context = annotation.subject->getContext();
  SmallVector<Metadata *> operands = {ValueAsMetadata::get(annotation.subject)};
  for (const Annotation::Property &property : annotation.properties)
    operands.append({MDString::get(context, property.key), property.value});
  return MDNode::get(context, operands);
}

SmallVector<Annotation> readAnnotations(const Module &module) { return read(module, nullptr); }

void writeAnnotations(Module &module, ArrayRef<Annotation> annotations) {
  NamedMDNode *list = module.getOrInsertNamedMetadata(annotationsName);
  list->clearOperands();
  for (const Annotation &annotation : annotations)
    list->addOperand(toNode(annotation));
}

Annotation makeAnnotation(GlobalValue &subject, ArrayRef<NumberedKey> properties) {
  Annotation annotation{&subject, {}};
  Type *type = Type::getInt32Ty(subject.getContext());
  for (auto [key, number] : properties)
    annotation.properties.push_back({key, ValueAsMetadata::get(ConstantInt::get(type, number))});
  return annotation;
}

unsigned annotation(const GlobalValue &subject, StringRef key) {
  for (const Annotation &annotation : read(*subject.getParent(), &subject))
    for (const Annotation::Property &property : annotation.properties)
      if (std::optional<uint64_t> number = property.number(); number && property.key == key)
        return static_cast<unsigned>(*number);
  return 0;
}

void annotate(GlobalValue &subject, StringRef key, unsigned value) {
  subject.getParent()
      ->getOrInsertNamedMetadata(annotationsName)
      ->addOperand(toNode(makeAnnotation(subject, {{key, value}})));
}

void setAnnotation(GlobalValue &subject, StringRef key, unsigned value) {
  SmallVector<Annotation> annotations = readAnnotations(*subject.getParent());
  for (Annotation &annotation : annotations)
    if (annotation.subject == &subject)
      erase_if(annotation.properties,
               [&](const Annotation::Property &property) { return property.key == key; });
  annotations.push_back(makeAnnotation(subject, {{key, value}}));
  writeAnnotations(*subject.getParent(), annotations);
}

void dropAnnotations(Function &kernel) {
  Module &module = *kernel.getParent();
  if (!module.getNamedMetadata(annotationsName))
    return;
  SmallVector<Annotation> annotations = readAnnotations(module);
  erase_if(annotations,
           [&](const Annotation &annotation) { return annotation.subject == &kernel; });
  writeAnnotations(module, annotations);
}

void removeKernel(Function &kernel) {
  dropAnnotations(kernel);
  removeFromUsedLists(*kernel.getParent(),
                      [&](Constant *used) { return used->stripPointerCasts() == &kernel; });
  kernel.removeDeadConstantUsers();
  kernel.deleteBody();
  kernel.setComdat(nullptr);
  if (kernel.use_empty())
    kernel.eraseFromParent();
}

void dropAnnotations(Module &module) {
  if (NamedMDNode *list = module.getNamedMetadata(annotationsName))
    list->eraseFromParent();
}

SmallSetVector<const GlobalValue *, 8> annotatedWith(const Module &module, StringRef key) {
  SmallSetVector<const GlobalValue *, 8> subjects;
  for (const Annotation &annotation : readAnnotations(module))
    if (annotation.has(key))
      subjects.insert(annotation.subject);
  return subjects;
}

unsigned boundThreads(const Function &kernel) {
  for (std::string key : {"reqntid", "maxntid"}) {
    unsigned threads = annotation(kernel, key + "x");
    for (const char *dimension : {"y", "z"})
      threads *= std::max(1u, annotation(kernel, key + dimension));
    if (threads)
      return threads;
  }
  return 0;
}

/// The keys by which newer versions of LLVM know the dimensions.
static constexpr StringLiteral clusterKeys[] = {"cluster_dim_x", "cluster_dim_y", "cluster_dim_z"};

std::optional<ClusterExtent> clusterExtent(const Function &kernel) {
  ClusterExtent extent;
  for (auto [size, key] : zip_equal(extent, clusterKeys))
    size = annotation(kernel, key);
  return extent[0] ? std::optional(extent) : std::nullopt;
}

void annotateClusters(Function &kernel, const ClusterExtent &extent) {
  for (auto [size, key] : zip_equal(extent, clusterKeys))
    annotate(kernel, key, size);
}

unsigned blockThreads(const Function &kernel) {
  constexpr unsigned usual = 256;
  unsigned threads = boundThreads(kernel);
  return threads ? threads : usual;
}

} // namespace regrain
