//===- Access.cpp - Which memory an operation accesses --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Access.h"

#include "compiler/Analysis/AddressSum.h"
#include "compiler/Analysis/Barriers.h"
#include "compiler/Analysis/Callee.h"
#include "compiler/Analysis/TypeLayout.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace regrain;

//===----------------------------------------------------------------------===//
// Where an address points
//===----------------------------------------------------------------------===//

Accesses::Accesses(grain::KernelOp kernel)
    : kernel(kernel), typeLayout(DataLayout::closest(kernel)), forms(kernel),
      sameAddress(forms, typeLayout) {}

bool Accesses::dependsOn(Value value, Dependence dependence) {
  if (!dependences)
    dependences.emplace(kernel);
  return overlap(dependences->of(value), dependence);
}

bool Accesses::areToldApart() {
  if (!summary)
    summary.emplace(kernel);
  return summary->findTellingApart() != nullptr;
}

/// Returns true if the index times the size stays within 64 bits in every summand.
static bool isNarrow(const Affine &index, int64_t size) {
  auto isSmall = [](const Affine::Summand &summand) {
    return summand.variable.value.getType().isInteger(32) && std::abs(summand.factor) < INT16_MAX;
  };
  return std::abs(index.constant) < INT32_MAX && size < INT16_MAX &&
         llvm::all_of(index.summands, isSmall);
}

std::optional<Affine> Accesses::offsetOf(LLVM::GEPOp gep) {
  std::optional<AddressSum> step = stepOf(gep, typeLayout);
  if (!step)
    return std::nullopt;
  std::optional<Affine> offset = Affine();
  offset->constant = step->constant;
  bool cannotWrap = std::abs(step->constant) < INT32_MAX;
  for (const AddressSum::Term &term : step->terms) {
    Affine form = forms.of(term.index);
    cannotWrap &= isNarrow(form, term.bytes);
    offset = addTimes(*offset, term.bytes, form);
    if (!offset)
      return std::nullopt;
  }
  return gep.getInbounds() || cannotWrap ? offset : std::nullopt;
}

static Base baseKindOf(grain::KernelOp kernel, Value base) {
  if (auto argument = dyn_cast<BlockArgument>(base)) {
    if (argument.getOwner()->getParentOp() != kernel)
      return Base::Unknown;
    bool isByValue =
        !!kernel.getArgAttr(argument.getArgNumber(), LLVM::LLVMDialect::getByValAttrName());
    return isByValue ? Base::ByValue : Base::Parameter;
  }
  return llvm::TypeSwitch<Operation *, Base>(base.getDefiningOp())
      .Case([](grain::SharedOp) { return Base::Shared; })
      .Case([](grain::DynamicSharedOp) { return Base::DynamicShared; })
      .Case([](LLVM::AllocaOp) { return Base::Stack; })
      .Case([](LLVM::AddressOfOp) { return Base::Variable; })
      .Default(Base::Unknown);
}

/// Returns the first value in the kernel that denotes the same base.
static Value representative(grain::KernelOp kernel, Value base) {
  Value first = base;
  auto findFirst = [&](auto like, auto isSame) {
    kernel.walk([&](decltype(like) op) {
      if (!isSame(op))
        return WalkResult::advance();
      first = op.getResult();
      return WalkResult::interrupt();
    });
  };
  if (auto dynamic = base.getDefiningOp<grain::DynamicSharedOp>())
    findFirst(dynamic,
              [&](grain::DynamicSharedOp op) { return op.getCopy() == dynamic.getCopy(); });
  else if (auto address = base.getDefiningOp<LLVM::AddressOfOp>())
    findFirst(address, [&](LLVM::AddressOfOp op) {
      return op.getGlobalNameAttr() == address.getGlobalNameAttr();
    });
  return first;
}

Value Accesses::representativeOf(Value base) {
  auto [known, isNew] = representatives.try_emplace(base);
  if (isNew)
    known->second = representative(kernel, base);
  return known->second;
}

Access Accesses::locate(Operation *op, Value address, Type type) {
  Access access = locate(op, address);
  if (std::optional<TypeLayout> layout = layoutOf(type, typeLayout))
    access.size = layout->size;
  return access;
}

Access Accesses::at(LLVM::CallOp copy, Value address, bool writes) {
  Access access = locate(copy, address);
  access.reads = !writes;
  access.writes = writes;
  access.isOrdered = true;
  return access;
}

Access Accesses::locate(Operation *op, Value address) {
  Access access;
  access.op = op;
  access.offset = Affine();
  while (true) {
    if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(address.getType());
        pointer && access.addressSpace == genericSpace)
      access.addressSpace = pointer.getAddressSpace();
    Operation *definition = address.getDefiningOp();
    if (!isa_and_nonnull<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(definition))
      break;
    if (auto gep = dyn_cast<LLVM::GEPOp>(definition)) {
      std::optional<Affine> own = access.offset ? offsetOf(gep) : std::nullopt;
      access.offset = own ? addTimes(*access.offset, 1, *own) : std::nullopt;
    }
    address = definition->getOperand(0);
  }
  access.kind = baseKindOf(kernel, address);
  access.base = representativeOf(address);
  return access;
}

std::optional<Access> Accesses::of(Operation *op) {
  auto known = found.find(op);
  if (known == found.end())
    known = found.try_emplace(op, find(op)).first;
  return known->second;
}

std::optional<Access> Accesses::find(Operation *op) {
  if (op->getNumRegions() != 0 || regrain::isBarrier(op) || !hasEffect(op) ||
      isa<grain::LoopHintOp, grain::SharedOp, grain::DynamicSharedOp, LLVM::AllocaOp,
          LLVM::AssumeOp, LLVM::NoAliasScopeDeclOp>(op))
    return std::nullopt;
  constexpr auto notAtomic = LLVM::AtomicOrdering::not_atomic;
  return llvm::TypeSwitch<Operation *, Access>(op)
      .Case([&](LLVM::LoadOp load) {
        Access access = locate(op, load.getAddr(), load.getType());
        access.reads = true;
        access.isOrdered = load.getVolatile_() || load.getOrdering() != notAtomic;
        return access;
      })
      .Case([&](LLVM::StoreOp store) {
        Access access = locate(op, store.getAddr(), store.getValue().getType());
        access.writes = true;
        access.isOrdered = store.getVolatile_() || store.getOrdering() != notAtomic;
        return access;
      })
      .Case<LLVM::LifetimeStartOp, LLVM::LifetimeEndOp>([&](auto bound) {
        // What memory on the stack holds is lost, so this is a write of unknown size.
        Access access = locate(op, bound.getPtr());
        access.writes = true;
        return access;
      })
      .Case<LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>([&](Operation *atomic) {
        Access access = locate(op, atomic->getOperand(0), atomic->getOperand(1).getType());
        access.reads = access.writes = access.isOrdered = true;
        return access;
      })
      .Default([](Operation *unknown) {
        Access access;
        access.op = unknown;
        access.reads = access.writes = access.isOrdered = true;
        return access;
      });
}

//===----------------------------------------------------------------------===//
// What an address depends on
//===----------------------------------------------------------------------===//

bool Accesses::isInvariantIn(const Access &access, Operation *loop) const {
  auto isInside = [&](Value value) {
    return loop->isAncestor(value.getParentBlock()->getParentOp());
  };
  return access.base && access.offset && (access.isFixed() || !isInside(access.base)) &&
         llvm::none_of(access.offset->summands, [&](const Affine::Summand &summand) {
           return isInside(summand.variable.value);
         });
}

bool Accesses::isSameForAllThreads(const Access &access) {
  auto differs = [&](Value value) {
    return dependsOn(value, Dependence::Threads | Dependence::ThreadMemory);
  };
  if (!access.base || !access.offset || access.kind == Base::Stack || differs(access.base))
    return false;
  return llvm::none_of(access.offset->summands, [&](const Affine::Summand &summand) {
    return differs(summand.variable.value);
  });
}

std::optional<int64_t> Accesses::stridePerLane(const Access &access) {
  auto threads = access.op->getParentOfType<grain::ThreadsOp>();
  auto differs = [&](Value value) {
    return dependsOn(value, Dependence::ThreadX | Dependence::ThreadMemory);
  };
  if (!threads || !access.base || !access.offset || access.kind == Base::Stack ||
      differs(access.base))
    return std::nullopt;
  Value x = threads.getBody().getArgument(0);
  for (const Affine::Summand &summand : access.offset->summands)
    if (summand.variable.value != x && differs(summand.variable.value))
      return std::nullopt;
  return access.offset->factorOf({x});
}

bool Accesses::isInBounds(const Access &access) {
  if (!access.base || !access.offset || !access.size)
    return false;
  Type type;
  if (auto shared = access.base.getDefiningOp<grain::SharedOp>()) {
    type = shared.getType();
  } else if (auto address = access.base.getDefiningOp<LLVM::AddressOfOp>()) {
    if (auto global = SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(
            kernel, address.getGlobalNameAttr()))
      type = global.getGlobalType();
  }
  std::optional<TypeLayout> layout = type ? layoutOf(type, typeLayout) : std::nullopt;
  std::optional<Affine> back = addTimes(Affine(), -1, *access.offset);
  SmallVector<Affine> facts = forms.factsAt(access.op);
  return layout && back && forms.isAtLeast(*access.offset, 0, facts) &&
         forms.isAtLeast(*back, *access.size - layout->size, facts);
}
