//===- Access.cpp - Which memory an operation accesses --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Access.h"

#include "compiler/Analysis/Barriers.h"
#include "compiler/Analysis/Convergence.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace regrain;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

namespace {
struct Layout {
  int64_t size;
  int64_t alignment;
};
} // namespace

/// As the data layout of nvptx64 says: natural alignment throughout.
static std::optional<Layout> layoutOf(Type type) {
  auto scalar = [](int64_t bytes) {
    int64_t size = llvm::PowerOf2Ceil(bytes);
    return Layout{size, size};
  };
  if (type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= 128)
    return scalar(llvm::divideCeil(type.getIntOrFloatBitWidth(), 8));
  if (isa<LLVM::LLVMPointerType>(type))
    return scalar(8);
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    std::optional<Layout> element = layoutOf(array.getElementType());
    if (!element || array.getNumElements() > INT32_MAX)
      return std::nullopt;
    return Layout{element->size * int64_t(array.getNumElements()), element->alignment};
  }
  if (auto vector = dyn_cast<VectorType>(type)) {
    std::optional<Layout> element = layoutOf(vector.getElementType());
    if (!element || vector.getRank() != 1 || vector.isScalable())
      return std::nullopt;
    return scalar(element->size * vector.getNumElements());
  }
  auto record = dyn_cast<LLVM::LLVMStructType>(type);
  if (!record || record.isOpaque())
    return std::nullopt;
  Layout layout{0, 1};
  for (Type member : record.getBody()) {
    std::optional<Layout> own = layoutOf(member);
    if (!own)
      return std::nullopt;
    int64_t alignment = record.isPacked() ? 1 : own->alignment;
    layout.size = llvm::alignTo(layout.size, alignment) + own->size;
    layout.alignment = std::max(layout.alignment, alignment);
  }
  layout.size = llvm::alignTo(layout.size, layout.alignment);
  return layout;
}

/// Where member `index` of `record` starts.
static std::optional<int64_t> memberOffset(LLVM::LLVMStructType record, int64_t index) {
  int64_t end = 0;
  for (auto [position, member] : llvm::enumerate(record.getBody())) {
    std::optional<Layout> own = layoutOf(member);
    if (!own)
      return std::nullopt;
    end = llvm::alignTo(end, record.isPacked() ? 1 : own->alignment);
    if (int64_t(position) == index)
      return end;
    end += own->size;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Where an address points
//===----------------------------------------------------------------------===//

Accesses::Accesses(grain::KernelOp kernel) : kernel(kernel), forms(kernel) {}

bool Accesses::dependsOn(Value value, Dependence dependence) {
  if (!dependences)
    dependences.emplace(kernel);
  return overlap(dependences->of(value), dependence);
}

bool Accesses::namesLanes() {
  if (!lanesAreNamed)
    lanesAreNamed = findConvergent(kernel, Convergence::Warp) != nullptr;
  return *lanesAreNamed;
}

std::optional<Affine> Accesses::offsetOf(LLVM::GEPOp gep) {
  std::optional<Affine> offset = Affine();
  Type type = gep.getElemType();
  bool isNarrow = true;
  for (auto [position, index] : llvm::enumerate(gep.getIndices())) {
    auto constant = dyn_cast<IntegerAttr>(index);
    if (auto record = dyn_cast<LLVM::LLVMStructType>(type); record && position != 0) {
      std::optional<int64_t> start =
          constant ? memberOffset(record, constant.getInt()) : std::nullopt;
      if (!start)
        return std::nullopt;
      offset->constant += *start;
      type = record.getBody()[constant.getInt()];
      continue;
    }
    if (position != 0) {
      auto array = dyn_cast<LLVM::LLVMArrayType>(type);
      if (!array)
        return std::nullopt;
      type = array.getElementType();
    }
    std::optional<Layout> layout = layoutOf(type);
    if (!layout)
      return std::nullopt;
    Affine form;
    if (constant)
      form.constant = constant.getInt();
    else if (auto value = cast<Value>(index); value.getType().isIntOrIndex())
      form = forms.of(value);
    else
      return std::nullopt;
    isNarrow &= std::abs(form.constant) < INT32_MAX && layout->size < INT16_MAX;
    for (const Affine::Summand &summand : form.summands)
      isNarrow &=
          summand.variable.value.getType().isInteger(32) && std::abs(summand.factor) < INT16_MAX;
    offset = addTimes(*offset, layout->size, form);
    if (!offset)
      return std::nullopt;
  }
  return gep.getInbounds() || isNarrow ? offset : std::nullopt;
}

static Base kindOf(grain::KernelOp kernel, Value base) {
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

/// The first value in the kernel that denotes the same base.
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
  Access access;
  access.op = op;
  if (std::optional<Layout> layout = layoutOf(type))
    access.size = layout->size;
  access.offset = Affine();
  while (true) {
    if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(address.getType());
        pointer && access.addressSpace == 0)
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
  access.kind = kindOf(kernel, address);
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
          LLVM::AssumeOp>(op))
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
// What two accesses have in common
//===----------------------------------------------------------------------===//

static bool isExclusive(grain::KernelOp kernel, const Access &access) {
  return access.kind == Base::Parameter &&
         kernel.getArgAttr(cast<BlockArgument>(access.base).getArgNumber(),
                           LLVM::LLVMDialect::getNoAliasAttrName());
}

/// Whether the bases are different memory.
bool Accesses::areDistinct(const Access &first, const Access &second, Who who) const {
  auto either = [&](auto predicate) { return predicate(first) || predicate(second); };
  if (either([](const Access &access) { return !access.base; }))
    return false;
  if (first.addressSpace != second.addressSpace && first.addressSpace != 0 &&
      second.addressSpace != 0)
    return true;
  auto isPrivate = [](const Access &access) {
    return access.kind == Base::Stack || access.kind == Base::ByValue;
  };
  auto isShared = [](const Access &access) {
    return access.kind == Base::Shared || access.kind == Base::DynamicShared;
  };
  if ((who != Who::Same && either(isPrivate)) || (who == Who::OtherBlock && either(isShared)))
    return true;
  if (first.base == second.base ||
      either([](const Access &access) { return access.kind == Base::Unknown; }))
    return false;
  if (!either([](const Access &access) { return access.kind == Base::Parameter; }))
    return true;
  return either(isPrivate) || either(isShared) ||
         either([&](const Access &access) { return isExclusive(kernel, access); });
}

/// Of two accesses with the same base.
bool Accesses::areApart(const Access &first, const Access &second, ArrayRef<Affine> facts,
                        Differs differs) {
  std::optional<Affine> distance =
      addTimes(*first.offset, -1, AffineForms::inOther(*second.offset, differs));
  if (!distance)
    return false;
  std::optional<Affine> back = addTimes(Affine(), -1, *distance);
  return forms.isAtLeast(*distance, *second.size, facts, differs) ||
         (back && forms.isAtLeast(*back, *first.size, facts, differs));
}

bool Accesses::isRead(Value coordinate) const {
  return llvm::any_of(coordinate.getUsers(), [](Operation *user) { return !isBarrier(user); });
}

/// Two iterations of `nest` differ in a coordinate, by a multiple of its step: in
/// the first of `order`, or else in the second, or else in the third; up or down.
bool Accesses::areApartInOtherThread(const Access &first, const Access &second,
                                     ArrayRef<Affine> facts, Differs differs, Region &nest,
                                     ArrayRef<int32_t> steps, bool tellApart,
                                     ArrayRef<unsigned> order) {
  SmallVector<Affine> known(facts);
  for (unsigned dimension : order) {
    Value coordinate = nest.getArgument(dimension);
    int32_t step = steps[dimension];
    Affine up;
    up.summands = {{{coordinate, false}, 1}, {{coordinate, true}, -1}};
    Affine down = *addTimes(Affine(), -1, up);
    if (tellApart || isRead(coordinate)) {
      for (Affine direction : {up, down}) {
        Affine contrary = *addTimes(Affine(), -1, direction);
        contrary.constant = step - 1;
        if (forms.isAtLeast(contrary, 0, known, differs))
          continue; // no two threads are that way round
        direction.constant = -step;
        known.push_back(direction);
        if (!areApart(first, second, known, differs))
          return false;
        known.pop_back();
      }
    }
    known.push_back(up);
    known.push_back(down);
  }
  return true;
}

/// Threads run iterations of the loops in their nest each at its own time.
static bool isInLoop(Value value) {
  for (Operation *op = value.getParentBlock()->getParentOp(); op; op = op->getParentOp()) {
    if (isa<scf::ForOp, scf::WhileOp, scf::ExecuteRegionOp>(op))
      return true;
    if (isa<grain::ThreadsOp>(op))
      return false;
  }
  return false;
}

bool Accesses::mayAlias(const Access &first, const Access &second, Who who, Operation *apart) {
  if (areDistinct(first, second, who))
    return false;
  if (!first.base || first.base != second.base || !first.offset || !second.offset || !first.size ||
      !second.size)
    return true;
  auto differs = [&](Value value) {
    if (who == Who::Same)
      return apart && apart->isAncestor(value.getParentBlock()->getParentOp());
    Dependence others =
        who == Who::OtherBlock ? Dependence::All : Dependence::Threads | Dependence::ThreadMemory;
    return dependsOn(value, others) || isInLoop(value);
  };
  bool isFixed = first.kind != Base::Unknown && first.kind != Base::Stack;
  if (!isFixed && differs(first.base))
    return true;
  SmallVector<Affine> facts = forms.factsAt(first.op);
  for (const Affine &fact : forms.factsAt(second.op))
    facts.push_back(AffineForms::inOther(fact, differs));
  if (who == Who::Same)
    return !areApart(first, second, facts, differs);
  auto threads = first.op->getParentOfType<grain::ThreadsOp>();
  auto blocks = first.op->getParentOfType<grain::BlocksOp>();
  if (!threads || !blocks)
    return true;
  bool isBlock = who == Who::OtherBlock;
  Region &nest = isBlock ? blocks.getBody() : threads.getBody();
  constexpr int32_t ones[] = {1, 1, 1};
  ArrayRef<int32_t> steps = isBlock ? blocks.getFactors() : ones;
  bool tellApart = isBlock || who == Who::AnyThread || namesLanes();
  // The longest strides first, whichever way an array lies.
  constexpr std::array<std::array<unsigned, 3>, 2> orders = {{{2, 1, 0}, {0, 1, 2}}};
  return llvm::none_of(orders, [&](const std::array<unsigned, 3> &order) {
    return areApartInOtherThread(first, second, facts, differs, nest, steps, tellApart, order);
  });
}

bool Accesses::mustAlias(const Access &first, const Access &second) const {
  return first.base && first.base == second.base && first.offset && second.offset &&
         *first.offset == *second.offset && first.size && first.size == second.size;
}

//===----------------------------------------------------------------------===//
// What an address depends on
//===----------------------------------------------------------------------===//

bool Accesses::isInvariantIn(const Access &access, Operation *loop) const {
  auto isInside = [&](Value value) {
    return loop->isAncestor(value.getParentBlock()->getParentOp());
  };
  bool isFixed = access.kind != Base::Unknown && access.kind != Base::Stack;
  return access.base && access.offset && (isFixed || !isInside(access.base)) &&
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
  std::optional<Layout> layout = type ? layoutOf(type) : std::nullopt;
  std::optional<Affine> back = addTimes(Affine(), -1, *access.offset);
  SmallVector<Affine> facts = forms.factsAt(access.op);
  return layout && back && forms.isAtLeast(*access.offset, 0, facts) &&
         forms.isAtLeast(*back, *access.size - layout->size, facts);
}
