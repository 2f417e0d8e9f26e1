//===- Footprint.cpp - What a kernel asks of global memory ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Footprint.h"

#include "compiler/Analysis/Access.h"
#include "compiler/Analysis/AddressSum.h"
#include "compiler/Analysis/LoopsAround.h"
#include "compiler/Analysis/Polynomial.h"
#include "compiler/Refusal/Refuse.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"
#include <tuple>

using namespace mlir;
using namespace regrain;

namespace {

/// Collects the accesses of one kernel.
class FootprintCollector {
public:
  explicit FootprintCollector(grain::KernelOp kernel)
      : kernel(kernel), layout(DataLayout::closest(kernel)), accesses(kernel), uniformity(kernel),
        loopsAround(kernel) {}

  std::vector<AccessFootprint> run() {
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (std::optional<Access> access = accesses.of(op); access && mayBeGlobal(*access))
        add(*access);
    });
    return std::move(found);
  }

private:
  /// Returns false for memory of a block or a thread, and for operations that only order accesses.
  static bool mayBeGlobal(const Access &access) {
    if (isa<LLVM::FenceOp>(access.op) || isa<NVVM::NVVMDialect>(access.op->getDialect()))
      return false;
    bool isOwn = access.kind == Base::Shared || access.kind == Base::DynamicShared ||
                 access.kind == Base::Stack || access.kind == Base::ByValue;
    return !isOwn && access.addressSpace != sharedSpace && access.addressSpace != localSpace;
  }

  void add(const Access &access) {
    AccessFootprint &made = found.emplace_back();
    made.memory = memoryOf(access);
    made.reads = access.reads;
    made.writes = access.writes;
    made.bytes = access.size.value_or(0);
    SourcePosition where = positionInKernel(access.op);
    made.file = where.file;
    made.line = where.line;
    LoopsAround::Place place = loopsAround.of(access.op);
    made.isConditional = place.isConditional;
    made.loops = loopsAround.describe(place.loops);
    made.unknown = fillAxes(access, place.loops, made);
    if (!made.unknown.empty())
      made.axes.clear();
  }

  std::string memoryOf(const Access &access) const {
    if (access.kind == Base::Parameter)
      return "parameter " + std::to_string(cast<BlockArgument>(access.base).getArgNumber());
    if (access.kind == Base::Variable)
      return access.base.getDefiningOp<LLVM::AddressOfOp>().getGlobalName().str();
    return "other memory";
  }

  /// Splits the address into axes; returns why that is not possible, or nothing.
  std::string fillAxes(const Access &access, ArrayRef<Operation *> loops, AccessFootprint &made) {
    Value address =
        TypeSwitch<Operation *, Value>(access.op)
            .Case<LLVM::LoadOp, LLVM::StoreOp>([](auto op) { return op.getAddr(); })
            .Case<LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>([](auto op) { return op.getPtr(); })
            .Default([](Operation *) { return Value(); });
    if (!address || !access.size)
      return "it is no plain access";
    std::optional<Polynomial> place = offsetOf(address, access);
    if (!place)
      return "its address is not a sum of products";
    for (const auto &[monomial, factor] : place->terms)
      if (std::string why = addTerm(monomial, factor, loops, made); !why.empty())
        return why;
    llvm::sort(made.axes, [](const FootprintAxis &a, const FootprintAxis &b) {
      return std::tie(a.unit, a.sizes) < std::tie(b.unit, b.sizes);
    });
    return "";
  }

  /// Returns the bytes behind the base. A base that has no name is a part of the sum.
  std::optional<Polynomial> offsetOf(Value address, const Access &access) {
    std::optional<AddressSum> bytes = addressSumOf(address, layout);
    if (!bytes)
      return std::nullopt;
    Polynomial sum = Polynomial::constant(bytes->constant);
    for (const AddressSum::Term &term : bytes->terms)
      sum.add(term.bytes, polynomials.of(term.index));
    if (access.kind == Base::Unknown)
      sum.add(1, polynomials.symbol(bytes->base));
    return sum.isSmall() ? std::optional(sum) : std::nullopt;
  }

  /// Adds a product to its axis; returns why that is not possible, or nothing.
  std::string addTerm(const Monomial &monomial, int64_t factor, ArrayRef<Operation *> loops,
                      AccessFootprint &made) {
    FootprintAxis part;
    part.loops.assign(loops.size(), 0);
    int64_t *place = &part.offset;
    Monomial others;
    for (unsigned symbol : monomial) {
      Symbol what = polynomials.symbols()[symbol];
      if (what.kind == Symbol::BlockSize) {
        part.sizes.push_back(what.dimension);
      } else if (what.kind == Symbol::Other) {
        if (overlap(uniformity.of(what.value), Dependence::Threads))
          return "its address depends on the thread in another way than linearly";
        markVarying(what.value, loops, made);
        others.push_back(symbol);
      } else if (place != &part.offset) {
        return "its address is a product of coordinates or trips";
      } else {
        place = what.kind == Symbol::Thread
                    ? &part.threads[what.dimension]
                    : &part.loops[llvm::find(loops, what.value.getParentBlock()->getParentOp()) -
                                  loops.begin()];
      }
    }
    *place = factor;
    llvm::sort(part.sizes);
    part.unit = others.empty() ? 0 : units.try_emplace(others, units.size() + 1).first->second;
    addPart(part, made);
    return "";
  }

  /// Marks the loops in which the value is computed anew.
  static void markVarying(Value value, ArrayRef<Operation *> loops, AccessFootprint &made) {
    for (auto [loop, told] : llvm::zip_equal(loops, made.loops))
      told.varies |= loop->isProperAncestor(value.getParentBlock()->getParentOp()) ||
                     loop == value.getParentBlock()->getParentOp();
  }

  static void addPart(const FootprintAxis &part, AccessFootprint &made) {
    auto same = llvm::find_if(made.axes, [&](const FootprintAxis &axis) {
      return axis.unit == part.unit && axis.sizes == part.sizes;
    });
    if (same == made.axes.end()) {
      made.axes.push_back(part);
      return;
    }
    same->offset += part.offset;
    for (unsigned d = 0; d < 3; ++d)
      same->threads[d] += part.threads[d];
    for (size_t i = 0; i < part.loops.size(); ++i)
      same->loops[i] += part.loops[i];
  }

  grain::KernelOp kernel;
  DataLayout layout;
  Accesses accesses;
  Uniformity uniformity;
  LoopsAround loopsAround;
  Polynomials polynomials;
  std::map<Monomial, uint32_t> units;
  std::vector<AccessFootprint> found;
};

} // namespace

std::vector<AccessFootprint> regrain::footprintsOf(grain::KernelOp kernel) {
  return FootprintCollector(kernel).run();
}
