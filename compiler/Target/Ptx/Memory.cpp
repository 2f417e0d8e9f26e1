//===- Memory.cpp - Memory accesses in inline PTX -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Ptx/Emitter.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace regrain::ptx {

namespace {

/// The properties of an access besides its type.
struct Manner {
  AddressSpace space = genericSpace;
  unsigned elements = 1;
  bool isVolatile = false, isConstant = false;
  bool hasPolicy = false; ///< a last operand says how long the second cache keeps what is accessed
  AtomicOrdering order = AtomicOrdering::NotAtomic;
  std::string scope; ///< one of the target's scopes
};

/// Returns AMD's name of the scope; a target without scopes ignores it.
std::string takeScope(Emitter &emitter) {
  StringRef name = emitter.takeAny({"cta", "cluster", "gpu", "sys"});
  return name == "cta" ? "workgroup" : name == "sys" ? "" : "agent";
}

Manner takeManner(Emitter &emitter) {
  Manner manner;
  emitter.take("weak");
  StringRef order = emitter.takeAny({"relaxed", "acquire", "release", "acq_rel"});
  manner.order = StringSwitch<AtomicOrdering>(order)
                     .Case("relaxed", AtomicOrdering::Monotonic)
                     .Case("acquire", AtomicOrdering::Acquire)
                     .Case("release", AtomicOrdering::Release)
                     .Case("acq_rel", AtomicOrdering::AcquireRelease)
                     .Default(AtomicOrdering::NotAtomic);
  manner.scope = takeScope(emitter);
  manner.isVolatile = emitter.take("volatile");
  manner.space = emitter.takeSpace();
  // These bypass the first cache, so that another multiprocessor's writes are seen.
  manner.isVolatile |= !emitter.takeAny({"cg", "cv", "wt"}).empty();
  manner.isConstant = emitter.take("nc");
  emitter.takeAny({"ca", "cs", "lu", "wb"});
  emitter.takeAny({"L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last",
                   "L1::no_allocate"});
  emitter.takeAny({"L2::evict_normal", "L2::evict_first", "L2::evict_last"});
  manner.hasPolicy = emitter.take("L2::cache_hint");
  emitter.takeAny({"L2::64B", "L2::128B", "L2::256B"});
  manner.elements = emitter.take("v2") ? 2 : emitter.take("v4") ? 4 : 1;
  return manner;
}

void fence(Emitter &emitter, const Manner &manner, AtomicOrdering order) {
  emitter.builder.CreateFence(order, emitter.context().getOrInsertSyncScopeID(manner.scope));
}

/// Returns whether fences order the access: an access of several elements is not atomic.
bool ordersByFence(const Manner &manner) {
  return manner.elements > 1 && manner.order != AtomicOrdering::NotAtomic;
}

template <typename Access>
void setManner(Emitter &emitter, Access &access, const Manner &manner, unsigned bytes) {
  access.setAlignment(Align(bytes * manner.elements));
  access.setVolatile(manner.isVolatile || ordersByFence(manner));
  if (manner.order != AtomicOrdering::NotAtomic && manner.elements == 1)
    access.setAtomic(manner.order, emitter.context().getOrInsertSyncScopeID(manner.scope));
}

/// Returns whether `operand` has as many elements as the access.
bool isOfElements(const Operand &operand, const Manner &manner) {
  return operand.kind == Operand::Vector
             ? manner.elements > 1 && operand.parts.size() == manner.elements
             : manner.elements == 1;
}

/// Returns whether the target has atomic accesses of the type's size.
bool hasAtomics(Emitter &emitter, Type type) {
  constexpr unsigned widestOfAmd = 64;
  const Module &module = *emitter.builder.GetInsertBlock()->getModule();
  return type.bits <= widestOfAmd || !Triple(module.getTargetTriple()).isAMDGPU();
}

bool isAccessed(Type type) { return !type.isPredicate() && type.lanes == 1; }

bool emitLoad(Emitter &emitter) {
  IRBuilder<> &builder = emitter.builder;
  std::optional<Type> type = emitter.takeType();
  Manner manner = takeManner(emitter);
  bool orders =
      manner.order == AtomicOrdering::Monotonic || manner.order == AtomicOrdering::Acquire;
  if (!type || !isAccessed(*type) || !emitter.isRead(manner.hasPolicy ? 3 : 2) ||
      (manner.order != AtomicOrdering::NotAtomic && !(orders && hasAtomics(emitter, *type))))
    return false;
  const Operand &to = emitter.instruction.operands[0];
  Value *address = addressOf(emitter, emitter.instruction.operands[1], manner.space);
  bool isVector = to.kind == Operand::Vector;
  if (!address || !isOfElements(to, manner))
    return false;
  llvm::Type *element = builder.getIntNTy(type->bits);
  LoadInst *load = builder.CreateLoad(
      isVector ? FixedVectorType::get(element, manner.elements) : element, address);
  setManner(emitter, *load, manner, type->bits / 8);
  if (manner.isConstant && !manner.isVolatile)
    load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(emitter.context(), {}));
  if (ordersByFence(manner) && manner.order == AtomicOrdering::Acquire)
    fence(emitter, manner, AtomicOrdering::Acquire);
  if (!isVector)
    return emitter.set(to, load, /*extend=*/true, type->isSigned());
  for (auto [i, part] : enumerate(to.parts))
    if (!emitter.set(part, builder.CreateExtractElement(load, i), true, type->isSigned()))
      return false;
  return true;
}

bool emitStore(Emitter &emitter) {
  IRBuilder<> &builder = emitter.builder;
  std::optional<Type> type = emitter.takeType();
  Manner manner = takeManner(emitter);
  bool orders =
      manner.order == AtomicOrdering::Monotonic || manner.order == AtomicOrdering::Release;
  if (!type || !isAccessed(*type) || !emitter.isRead(manner.hasPolicy ? 3 : 2) ||
      manner.isConstant || manner.space == constantSpace ||
      (manner.order != AtomicOrdering::NotAtomic && !(orders && hasAtomics(emitter, *type))))
    return false;
  const Operand &from = emitter.instruction.operands[1];
  Value *address = addressOf(emitter, emitter.instruction.operands[0], manner.space);
  bool isVector = from.kind == Operand::Vector;
  if (!address || !isOfElements(from, manner))
    return false;
  llvm::Type *element = builder.getIntNTy(type->bits);
  Value *all = isVector ? PoisonValue::get(FixedVectorType::get(element, manner.elements))
                        : emitter.value(from, element, /*cut=*/true);
  for (auto [i, part] : enumerate(from.parts)) {
    Value *value = emitter.value(part, element, /*cut=*/true);
    if (!value)
      return false;
    all = builder.CreateInsertElement(all, value, i);
  }
  if (!all)
    return false;
  if (ordersByFence(manner) && manner.order == AtomicOrdering::Release)
    fence(emitter, manner, AtomicOrdering::Release);
  setManner(emitter, *builder.CreateStore(all, address), manner, type->bits / 8);
  return true;
}

std::optional<AtomicRMWInst::BinOp> operationOf(StringRef name, Type type) {
  if (type.isFloat())
    return name == "add" ? std::optional(AtomicRMWInst::FAdd) : std::nullopt;
  return StringSwitch<std::optional<AtomicRMWInst::BinOp>>(name)
      .Case("add", AtomicRMWInst::Add)
      .Case("exch", AtomicRMWInst::Xchg)
      .Case("and", AtomicRMWInst::And)
      .Case("or", AtomicRMWInst::Or)
      .Case("xor", AtomicRMWInst::Xor)
      .Case("min", type.isSigned() ? AtomicRMWInst::Min : AtomicRMWInst::UMin)
      .Case("max", type.isSigned() ? AtomicRMWInst::Max : AtomicRMWInst::UMax)
      .Case("inc", AtomicRMWInst::UIncWrap)
      .Case("dec", AtomicRMWInst::UDecWrap)
      .Default(std::nullopt);
}

/// Emits atom d, [a], b and red [a], b, which order nothing unless they say so.
bool emitUpdate(Emitter &emitter, bool isReduction) {
  IRBuilder<> &builder = emitter.builder;
  std::optional<Type> type = emitter.takeType();
  Manner manner = takeManner(emitter);
  if (manner.order == AtomicOrdering::NotAtomic)
    manner.order = AtomicOrdering::Monotonic;
  StringRef name =
      emitter.takeAny({"add", "exch", "and", "or", "xor", "min", "max", "inc", "dec", "cas"});
  bool compares = name == "cas";
  size_t first = isReduction ? 0 : 1;
  bool isExchange = compares || name == "exch";
  if (!type || !isAccessed(*type) || type->bits < (compares ? 16 : 32) || name.empty() ||
      !hasAtomics(emitter, *type) || (type->bits > 64 && !isExchange) || manner.isVolatile ||
      manner.isConstant || manner.elements > 1 ||
      !emitter.isRead(first + (compares ? 3 : 2) + manner.hasPolicy) ||
      (compares && (isReduction || type->isFloat())))
    return false;
  Value *address = addressOf(emitter, emitter.instruction.operands[first], manner.space);
  Value *b = emitter.value(first + 1, *type);
  SyncScope::ID scope = emitter.context().getOrInsertSyncScopeID(manner.scope);
  if (!address || !b)
    return false;
  if (compares) {
    Value *c = emitter.value(first + 2, *type);
    if (!c)
      return false;
    auto *exchange = builder.CreateAtomicCmpXchg(
        address, b, c, MaybeAlign(type->bits / 8), manner.order,
        AtomicCmpXchgInst::getStrongestFailureOrdering(manner.order), scope);
    return emitter.set(0, builder.CreateExtractValue(exchange, 0));
  }
  auto operation = operationOf(name, *type);
  if (!operation)
    return false;
  Value *before = builder.CreateAtomicRMW(*operation, address, b, MaybeAlign(type->bits / 8),
                                          manner.order, scope);
  return isReduction || emitter.set(0, before);
}

/// Emits createpolicy.fractional.L2::evict_first.b64 p, 0.5 and its other forms. A policy says how
/// long the second cache keeps what is accessed with it, which no target without PTX asks.
bool emitPolicy(Emitter &emitter) {
  StringRef form = emitter.takeAny({"fractional", "range", "cvt"});
  if (form == "cvt")
    emitter.take("L2");
  for (int i = 0; i < 2 && form != "cvt"; ++i)
    emitter.takeAny(
        {"L2::evict_last", "L2::evict_normal", "L2::evict_first", "L2::evict_unchanged"});
  if (form == "range")
    emitter.take("global");
  bool isKnown =
      emitter.take("b64") &&
      (form == "range" ? emitter.isRead(4)
       : form == "cvt" ? emitter.isRead(2)
                       : form == "fractional" && (emitter.isRead(1) || emitter.isRead(2)));
  return isKnown && emitter.set(0, emitter.builder.getInt64(0));
}

} // namespace

Value *addressOf(Emitter &emitter, const Operand &operand, AddressSpace space) {
  IRBuilder<> &builder = emitter.builder;
  if (operand.kind != Operand::Memory || operand.parts.size() != 1)
    return nullptr;
  const Operand &base = operand.parts[0];
  Value *address = emitter.value(base, builder.getInt64Ty());
  Value *word =
      !address && space == sharedSpace ? emitter.value(base, builder.getInt32Ty()) : nullptr;
  // A constant is the offset in a window at which the shared memory of a GPU's block is.
  if ((!address && !word) || (space == sharedSpace && address && isa<ConstantInt>(address)))
    return nullptr;
  Value *number = word ? word : address;
  if (operand.number)
    number = builder.CreateAdd(number, ConstantInt::get(number->getType(), operand.number));
  return word ? sharedPointer(emitter, number)
              : builder.CreateIntToPtr(number, builder.getPtrTy(space));
}

Value *sharedPointer(Emitter &emitter, Value *word) {
  IRBuilder<> &builder = emitter.builder;
  const DataLayout &layout = builder.GetInsertBlock()->getModule()->getDataLayout();
  bool isWhole = layout.getPointerSizeInBits(sharedSpace) == 32;
  Value *address =
      isWhole ? word : emitter.call("regrain_shared_address", builder.getInt64Ty(), {word});
  return builder.CreateIntToPtr(address, builder.getPtrTy(sharedSpace));
}

bool emitMemory(Emitter &emitter, StringRef name) {
  if (name == "ld" || name == "ldu")
    return emitLoad(emitter);
  if (name == "st")
    return emitStore(emitter);
  if (name == "createpolicy")
    return emitPolicy(emitter);
  return emitUpdate(emitter, name == "red");
}

} // namespace regrain::ptx
