//===- CodeContent.cpp - One function or variable as bytes ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Identity/CodeContent.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/LEB128.h"

using namespace llvm;
using namespace regrain;

namespace {

/// The kind of what follows in the bytes, where several kinds are possible.
enum class Tag : uint8_t { Nothing, Local, Content, Item, Assembly, Metadata, Text };

class Encoder {
public:
  Encoder(CodeContent &content, const AnnotationTexts &annotations)
      : content(content), annotations(annotations) {}

  void encode(const GlobalValue &global);
  void encode(const MDNode &node, bool ofTypes);

private:
  void tag(Tag tag) { content.bytes.push_back(uint8_t(tag)); }
  void number(uint64_t value) {
    uint8_t buffer[10];
    content.bytes.append(buffer, buffer + encodeULEB128(value, buffer));
  }
  void text(StringRef text) {
    number(text.size());
    content.bytes.append(text.bytes_begin(), text.bytes_end());
  }
  void bits(const APInt &value) {
    number(value.getBitWidth());
    for (unsigned i = 0; i < value.getNumWords(); ++i)
      number(value.getRawData()[i]);
  }
  void item(ContentItem item);
  void type(const Type *type);
  void attributes(AttributeList list);
  void attribute(Attribute attribute);
  void constant(const Constant &value);
  void operand(const Value *value);
  void metadata(const llvm::Metadata *metadata, bool ofTypes);
  void body(const Function &function);
  void instruction(const Instruction &instruction);
  void order(const Instruction &instruction, AtomicOrdering ordering, SyncScope::ID scope);
  void details(const Instruction &instruction);
  void call(const CallBase &call);
  void attachments(const Instruction &instruction);

  CodeContent &content;
  const AnnotationTexts &annotations;
  DenseMap<const Value *, unsigned> locals;
  DenseMap<const void *, unsigned> itemNumbers;
};

void Encoder::item(ContentItem item) {
  auto [known, isNew] = itemNumbers.try_emplace(item.getOpaqueValue(), itemNumbers.size());
  if (isNew)
    content.references.push_back(item);
  tag(Tag::Item);
  number(known->second);
}

/// Encodes a structure by its contents, because the context numbers the names of structures.
void Encoder::type(const Type *type) {
  number(type->getTypeID());
  if (auto *integer = dyn_cast<IntegerType>(type))
    number(integer->getBitWidth());
  else if (auto *pointer = dyn_cast<PointerType>(type))
    number(pointer->getAddressSpace());
  else if (auto *array = dyn_cast<ArrayType>(type))
    number(array->getNumElements());
  else if (auto *vector = dyn_cast<VectorType>(type))
    number(vector->getElementCount().getKnownMinValue());
  else if (auto *structure = dyn_cast<StructType>(type))
    number(structure->isPacked() | structure->isOpaque() << 1);
  else if (auto *function = dyn_cast<FunctionType>(type))
    number(function->isVarArg());
  else if (auto *extension = dyn_cast<TargetExtType>(type))
    text(extension->getName());
  number(type->getNumContainedTypes());
  for (const Type *contained : type->subtypes())
    this->type(contained);
}

void Encoder::attribute(Attribute attribute) {
  if (attribute.isStringAttribute()) {
    text(attribute.getKindAsString());
    return text(attribute.getValueAsString());
  }
  text(Attribute::getNameFromAttrKind(attribute.getKindAsEnum()));
  if (attribute.isTypeAttribute()) {
    if (attribute.getValueAsType())
      type(attribute.getValueAsType());
  } else if (attribute.isIntAttribute()) {
    number(attribute.getValueAsInt());
  } else if (!attribute.isEnumAttribute()) {
    text(attribute.getAsString());
  }
}

/// Returns whether an attribute names the chip, which is no part of what the function does.
bool namesChip(Attribute attribute) {
  return attribute.isStringAttribute() && (attribute.getKindAsString() == "target-cpu" ||
                                           attribute.getKindAsString() == "target-features");
}

void Encoder::attributes(AttributeList list) {
  number(list.getNumAttrSets());
  for (AttributeSet set : list) {
    for (Attribute attribute : set)
      if (!namesChip(attribute))
        this->attribute(attribute);
    text("");
  }
}

void Encoder::constant(const Constant &value) {
  if (auto *global = dyn_cast<GlobalValue>(&value))
    return item({global, false});
  tag(Tag::Content);
  number(value.getValueID());
  type(value.getType());
  if (auto *integer = dyn_cast<ConstantInt>(&value))
    return bits(integer->getValue());
  if (auto *real = dyn_cast<ConstantFP>(&value))
    return bits(real->getValueAPF().bitcastToAPInt());
  if (auto *data = dyn_cast<ConstantDataSequential>(&value))
    return text(data->getRawDataValues());
  if (auto *expression = dyn_cast<ConstantExpr>(&value)) {
    number(expression->getOpcode());
    number(expression->getRawSubclassOptionalData());
    if (auto *address = dyn_cast<GEPOperator>(expression)) {
      type(address->getSourceElementType());
      if (std::optional<ConstantRange> range = address->getInRange()) {
        bits(range->getLower());
        bits(range->getUpper());
      }
    }
  }
  number(value.getNumOperands());
  for (const Use &use : value.operands())
    operand(use);
}

void Encoder::operand(const Value *value) {
  if (!value)
    return tag(Tag::Nothing);
  if (auto local = locals.find(value); local != locals.end()) {
    tag(Tag::Local);
    return number(local->second);
  }
  if (auto *constant = dyn_cast<Constant>(value))
    return this->constant(*constant);
  if (auto *wrapped = dyn_cast<MetadataAsValue>(value))
    return metadata(wrapped->getMetadata(), /*ofTypes=*/false);
  if (auto *assembly = dyn_cast<InlineAsm>(value)) {
    tag(Tag::Assembly);
    type(assembly->getFunctionType());
    text(assembly->getAsmString());
    text(assembly->getConstraintString());
    number(assembly->hasSideEffects() | assembly->isAlignStack() << 1 | assembly->canThrow() << 2 |
           assembly->getDialect() << 3);
    return;
  }
  // The block belongs to another function and its address is taken.
  tag(Tag::Nothing);
}

/// Encodes metadata. Names of types ("int", "_ZTS4Pair") are left out: the references say which
/// accesses share a type.
void Encoder::metadata(const llvm::Metadata *metadata, bool ofTypes) {
  bool isName = ofTypes && isa_and_nonnull<MDString>(metadata);
  if (!metadata || isName || isa<DINode, DILocation, DIExpression, DIArgList>(metadata))
    return tag(Tag::Nothing);
  if (auto *value = dyn_cast<ValueAsMetadata>(metadata)) {
    tag(Tag::Metadata);
    return operand(value->getValue());
  }
  if (auto *node = dyn_cast<MDNode>(metadata))
    return item({node, ofTypes});
  tag(Tag::Text);
  text(cast<MDString>(metadata)->getString());
}

void Encoder::encode(const MDNode &node, bool ofTypes) {
  number(node.isDistinct());
  number(node.getNumOperands());
  for (const MDOperand &operand : node.operands())
    metadata(operand, ofTypes);
}

/// Returns whether the callee is the C library's assert() or the system call behind it.
bool isAssertion(const Function *callee) {
  return callee &&
         (callee->getName() == "__assertfail" || callee->getName().contains("__assert_fail"));
}

void Encoder::call(const CallBase &call) {
  number(call.getCallingConv());
  type(call.getFunctionType());
  attributes(call.getAttributes());
  for (unsigned i = 0; i < call.getNumOperandBundles(); ++i) {
    OperandBundleUse bundle = call.getOperandBundleAt(i);
    text(bundle.getTagName());
    number(bundle.Inputs.size());
  }
  // These operands name the file, the line and the function of the assertion, so they are left out.
  const Function *callee = call.getCalledFunction();
  bool asserts = isAssertion(callee) && callee->arg_size() >= 4;
  for (auto [index, use] : enumerate(call.operands()))
    operand(asserts && index >= 1 && index <= 3 && isa<Constant>(use) ? nullptr : use.get());
}

void Encoder::order(const Instruction &instruction, AtomicOrdering ordering, SyncScope::ID scope) {
  number(unsigned(ordering));
  number(std::min<unsigned>(scope, SyncScope::System + 1));
  if (scope <= SyncScope::System)
    return;
  SmallVector<StringRef> names; // the context numbers the other scopes
  instruction.getContext().getSyncScopeNames(names);
  text(names[scope]);
}

/// Encodes what an instruction has besides its type, flags and operands.
void Encoder::details(const Instruction &instruction) {
  if (auto *alloca = dyn_cast<AllocaInst>(&instruction)) {
    type(alloca->getAllocatedType());
    number(alloca->getAlign().value());
  } else if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    number(load->getAlign().value() << 1 | load->isVolatile());
    order(*load, load->getOrdering(), load->getSyncScopeID());
  } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    number(store->getAlign().value() << 1 | store->isVolatile());
    order(*store, store->getOrdering(), store->getSyncScopeID());
  } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    number(exchange->getAlign().value() << 2 | exchange->isVolatile() << 1 | exchange->isWeak());
    order(*exchange, exchange->getSuccessOrdering(), exchange->getSyncScopeID());
    number(unsigned(exchange->getFailureOrdering()));
  } else if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) {
    number(update->getAlign().value() << 1 | update->isVolatile());
    order(*update, update->getOrdering(), update->getSyncScopeID());
    number(update->getOperation());
  } else if (auto *fence = dyn_cast<FenceInst>(&instruction)) {
    order(*fence, fence->getOrdering(), fence->getSyncScopeID());
  } else if (auto *compare = dyn_cast<CmpInst>(&instruction)) {
    number(compare->getPredicate());
  } else if (auto *address = dyn_cast<GetElementPtrInst>(&instruction)) {
    type(address->getSourceElementType());
  } else if (auto *extract = dyn_cast<ExtractValueInst>(&instruction)) {
    for (unsigned index : extract->indices())
      number(index);
  } else if (auto *insert = dyn_cast<InsertValueInst>(&instruction)) {
    for (unsigned index : insert->indices())
      number(index);
  } else if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction)) {
    for (int lane : shuffle->getShuffleMask())
      number(uint64_t(int64_t(lane) + 1));
  } else if (auto *phi = dyn_cast<PHINode>(&instruction)) {
    for (const BasicBlock *block : phi->blocks())
      operand(block);
  } else if (auto *call = dyn_cast<CallInst>(&instruction)) {
    number(call->getTailCallKind());
  }
}

/// Encodes attached metadata. Kinds are encoded by their names, because the context numbers those
/// that it does not know.
void Encoder::attachments(const Instruction &instruction) {
  SmallVector<std::pair<unsigned, MDNode *>> attached;
  instruction.getAllMetadataOtherThanDebugLoc(attached);
  if (attached.empty())
    return;
  SmallVector<StringRef> names;
  instruction.getContext().getMDKindNames(names);
  sort(attached, [&](auto &a, auto &b) { return names[a.first] < names[b.first]; });
  for (auto [kind, node] : attached) {
    if (names[kind] == "srcloc")
      continue;
    text(names[kind]);
    metadata(node, kind == LLVMContext::MD_tbaa || kind == LLVMContext::MD_tbaa_struct);
  }
}

void Encoder::instruction(const Instruction &instruction) {
  number(instruction.getOpcode());
  type(instruction.getType());
  number(instruction.getRawSubclassOptionalData());
  details(instruction);
  number(instruction.getNumOperands());
  if (auto *call = dyn_cast<CallBase>(&instruction))
    this->call(*call);
  else
    for (const Use &use : instruction.operands())
      operand(use);
  attachments(instruction);
}

void Encoder::body(const Function &function) {
  for (const Argument &argument : function.args())
    locals[&argument] = locals.size();
  auto isPart = [](const Instruction &instruction) { return !isa<DbgInfoIntrinsic>(instruction); };
  for (const BasicBlock &block : function) {
    locals[&block] = locals.size();
    for (const Instruction &instruction : make_filter_range(block, isPart))
      locals[&instruction] = locals.size();
  }
  for (const Instruction &instruction : make_filter_range(instructions(function), isPart))
    this->instruction(instruction);
}

void Encoder::encode(const GlobalValue &global) {
  number(global.getValueID());
  type(global.getValueType());
  number(global.getAddressSpace());
  if (auto known = annotations.find(&global); known != annotations.end())
    for (const std::string &annotation : known->second)
      text(annotation);
  // All dynamic shared memory is the same, whatever its name.
  bool isKnownByName = global.isDeclaration() && global.getAddressSpace() != sharedSpace;
  text(isKnownByName ? global.getName() : "");
  if (auto *object = dyn_cast<GlobalObject>(&global)) {
    number(object->getAlign().valueOrOne().value());
    text(object->getSection());
  }
  if (auto *variable = dyn_cast<GlobalVariable>(&global)) {
    number(variable->isConstant() | variable->isExternallyInitialized() << 1);
    operand(variable->hasInitializer() ? variable->getInitializer() : nullptr);
  } else if (auto *alias = dyn_cast<GlobalAlias>(&global)) {
    operand(alias->getAliasee());
  } else if (auto *function = dyn_cast<Function>(&global)) {
    number(function->getCallingConv());
    attributes(function->getAttributes());
    body(*function);
  }
}

} // namespace

CodeContent regrain::contentOf(ContentItem item, const AnnotationTexts &annotations) {
  CodeContent content;
  Encoder encoder(content, annotations);
  if (auto *node = dyn_cast<const MDNode *>(item.getPointer()))
    encoder.encode(*node, item.getInt());
  else
    encoder.encode(*cast<const GlobalValue *>(item.getPointer()));
  return content;
}
