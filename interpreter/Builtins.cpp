//===- Builtins.cpp - Functions that the device supplies ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Builtins.h"

#include "interpreter/Elementwise.h"
#include "interpreter/Machine.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace regrain;

namespace {

Builtin nothing() {
  return [](Machine &, Thread &, const Step &) { return true; };
}

Builtin fence() {
  return [](Machine &machine, Thread &, const Step &) {
    machine.offerSwitch();
    return true;
  };
}

/// The launch in front may still write what was read, or read what was written.
Builtin awaitLaunchInFront() {
  return [](Machine &machine, Thread &thread, const Step &) {
    thread.hasAwaitedLaunch = true;
    return !thread.hasUsedMemory ||
           machine.fail(FaultKind::Race,
                        "an access to memory before the wait for the launch in front");
  };
}

/// The launch behind may use what the launch in front of this one has written.
Builtin letNextLaunchBegin() {
  return [](Machine &machine, Thread &thread, const Step &) {
    return !machine.hintsFollowWaits() || thread.hasAwaitedLaunch ||
           machine.fail(FaultKind::Race,
                        "a hint to the launch behind before the wait for the launch in front");
  };
}

Builtin endThread() {
  return [](Machine &machine, Thread &thread, const Step &) {
    machine.exit(thread);
    return true;
  };
}

Builtin trap(std::string what) {
  return [what](Machine &machine, Thread &, const Step &) {
    return machine.fail(FaultKind::Trap, what);
  };
}

template <typename Read> Builtin special(Read read) {
  return [read](Machine &machine, Thread &thread, const Step &step) {
    machine.write(thread, step, {read(machine, thread) & maskOf(step.leaves[0].width), 0});
    return true;
  };
}

/// Finds tid.x and similar registers; `rest` has no prefix.
Builtin findRegister(StringRef name) {
  using Extent = std::array<uint32_t, 3>;
  auto [base, dimension] = name.split('.');
  unsigned d = dimension == "y" ? 1 : dimension == "z" ? 2 : 0;
  auto lane = [](uint64_t (*of)(unsigned)) {
    return special([of](Machine &, Thread &thread) { return of(thread.clock.lane()); });
  };
  auto extent = [d](auto get) {
    return special(
        [d, get](Machine &machine, Thread &thread) -> uint64_t { return get(machine, thread)[d]; });
  };
  if (base == "tid")
    return extent([](Machine &, Thread &thread) -> Extent { return thread.index; });
  if (base == "ctaid")
    return extent([](Machine &, Thread &thread) -> Extent { return thread.block->index; });
  if (base == "ntid")
    return extent([](Machine &machine, Thread &) -> Extent { return machine.launch.block; });
  if (base == "nctaid")
    return extent([](Machine &machine, Thread &) -> Extent { return machine.launch.grid; });
  if (name == "warpsize" || name == "WARP_SZ")
    return special([](Machine &, Thread &) -> uint64_t { return 32; });
  if (name == "dynamic_smem_size")
    return special(
        [](Machine &machine, Thread &) -> uint64_t { return machine.program.dynamicShared(); });
  if (name == "warpid")
    return special([](Machine &, Thread &thread) -> uint64_t { return thread.clock.warp(); });
  return StringSwitch<Builtin>(name)
      .Case("laneid", lane([](unsigned lane) -> uint64_t { return lane; }))
      .Case("lanemask.eq", lane([](unsigned lane) -> uint64_t { return 1ull << lane; }))
      .Case("lanemask.lt", lane([](unsigned lane) -> uint64_t { return maskOf(lane); }))
      .Case("lanemask.le", lane([](unsigned lane) -> uint64_t { return maskOf(lane + 1); }))
      .Case("lanemask.gt", lane([](unsigned lane) -> uint64_t { return ~maskOf(lane + 1); }))
      .Case("lanemask.ge", lane([](unsigned lane) -> uint64_t { return ~maskOf(lane); }))
      .Default(Builtin());
}

/// Adds the products of the bytes of two words to a third one.
Builtin multiplyBytes(bool isOneSigned, bool isOtherSigned) {
  return [=](Machine &machine, Thread &thread, const Step &step) {
    Scalar one = machine.read(thread, step, 0), other = machine.read(thread, step, 1),
           sum = machine.read(thread, step, 2);
    auto byte = [](uint64_t word, unsigned at, bool isSigned) {
      return isSigned ? int32_t(int8_t(word >> at)) : int32_t(uint8_t(word >> at));
    };
    uint32_t result = sum.bits;
    for (unsigned at = 0; at < 32; at += 8)
      result += uint32_t(byte(one.bits, at, isOneSigned) * byte(other.bits, at, isOtherSigned));
    bool isUndefined = one.undefined || other.undefined || sum.undefined;
    bool isPoison = one.isPoison || other.isPoison || sum.isPoison;
    machine.write(thread, step, isUndefined ? unknown(32, isPoison) : Scalar{result, 0});
    return true;
  };
}

/// Rounds a float to a number of 8 bits. What is too large becomes the largest number, and what is
/// none has the code of no number without a sign.
uint8_t codeOf(float number, const fltSemantics &format) {
  APFloat code(number), largest = APFloat::getLargest(format);
  if (code.isNaN())
    return 0x7f;
  bool losesBits = false;
  bool isNegative = code.isNegative();
  code.clearSign();
  largest.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &losesBits);
  if (code > largest)
    code = largest;
  code.convert(format, APFloat::rmNearestTiesToEven, &losesBits);
  return uint8_t(code.bitcastToAPInt().getZExtValue() | (isNegative ? 0x80 : 0));
}

/// Rounds two floats; the second one has the upper bits.
Builtin roundToCodes(const fltSemantics &format) {
  return [&format](Machine &machine, Thread &thread, const Step &step) {
    Scalar low = machine.read(thread, step, 0), high = machine.read(thread, step, 1);
    auto code = [&](const Scalar &number) {
      return unsigned(codeOf(llvm::bit_cast<float>(uint32_t(number.bits)), format));
    };
    bool isUndefined = low.undefined || high.undefined, isPoison = low.isPoison || high.isPoison;
    machine.write(thread, step,
                  isUndefined ? unknown(16, isPoison) : Scalar{code(low) | code(high) << 8, 0});
    return true;
  };
}

Builtin findNvvm(StringRef name) {
  if (name.consume_front("read.ptx.sreg."))
    return findRegister(name);
  if (name.starts_with("membar.") || name.starts_with("fence.") || name == "nanosleep")
    return fence();
  if (name == "cp.async.wait.all")
    return nothing();
  if (name == "exit")
    return endThread();
  if (name.starts_with("ldg.") || name.starts_with("ldu."))
    return [](Machine &machine, Thread &thread, const Step &step) {
      uint64_t align = machine.read(thread, step, 1).bits;
      for (auto [i, leaf] : enumerate(step.leaves)) {
        Scalar value;
        if (!machine.load(thread, machine.read(thread, step, 0), leaf, {align}, value))
          return false;
        machine.write(thread, step, value, i);
      }
      return true;
    };
  if (name == "isspacep.shared")
    return isInSpace(AddressSpaces::isShared);
  if (name == "isspacep.local")
    return isInSpace(AddressSpaces::isLocal);
  if (name == "isspacep.global")
    return isInSpace(AddressSpaces::isOfGrid);
  if (name.starts_with("atomic."))
    return findAtomic(name);
  if (Builtin found = findCollective(name))
    return found;
  return findNvvmMath(name);
}

/// Implements memcpy, memmove and memset.
Builtin moveBytes(bool fills) {
  return [fills](Machine &machine, Thread &thread, const Step &step) {
    uint64_t size = 0;
    if (!machine.readDefined(thread, step, 2, "the size of a copy", size))
      return false;
    if (size == 0)
      return true;
    Scalar to = machine.readAddress(thread, step, 0);
    Scalar from = fills ? Scalar() : machine.readAddress(thread, step, 1);
    if (to.undefined || from.undefined)
      return machine.fail(FaultKind::UndefinedValue, "the address of a copy");
    return fills ? machine.fill(thread, to.bits, machine.read(thread, step, 1), size)
                 : machine.copy(thread, to.bits, from.bits, size);
  };
}

/// An asynchronous copy (cp.async) happens at once: at the earliest point at which it may. Its
/// target is a short address.
/// If it `isPartial`, operand 2 is the number of bytes that are copied, and zeros follow them.
Builtin copyAsynchronously(uint64_t size, bool isPartial) {
  return [=](Machine &machine, Thread &thread, const Step &step) {
    uint64_t copied = size;
    if (isPartial && !machine.readDefined(thread, step, 2, "the size of a copy", copied))
      return false;
    Scalar to = machine.read(thread, step, 0), from = machine.readAddress(thread, step, 1);
    if (to.undefined || from.undefined)
      return machine.fail(FaultKind::UndefinedValue, "the address of a copy");
    uint64_t target = AddressSpaces::sharedBase() + uint32_t(to.bits);
    copied = std::min(copied & maskOf(32), size);
    return (!copied || machine.copy(thread, target, from.bits, copied)) &&
           (copied == size || machine.fill(thread, target + copied, {0, 0}, size - copied));
  };
}

Builtin lifetimeStart() {
  return [](Machine &machine, Thread &thread, const Step &step) {
    uint64_t size = machine.read(thread, step, 0).bits;
    uint64_t address = machine.readAddress(thread, step, 1).bits;
    return int64_t(size) <= 0 || machine.fill(thread, address, unknown(8), size);
  };
}

Builtin readClock() {
  return [](Machine &machine, Thread &thread, const Step &step) {
    machine.write(thread, step, {machine.clock(), 0});
    return true;
  };
}

Builtin findIntrinsic(const CallBase &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::memcpy:
  case Intrinsic::memmove:
    return moveBytes(/*fills=*/false);
  case Intrinsic::memset:
    return moveBytes(/*fills=*/true);
  case Intrinsic::lifetime_start:
    return lifetimeStart();
  case Intrinsic::lifetime_end:
  case Intrinsic::assume:
  case Intrinsic::donothing:
  case Intrinsic::prefetch:
  case Intrinsic::experimental_noalias_scope_decl:
    return nothing();
  case Intrinsic::trap:
    return trap("the kernel traps");
  case Intrinsic::ptrmask:
    return elementwise([](const CallBase &, const Leaf &, const ElementBits &operands) {
      return operands[0] & operands[1];
    });
  case Intrinsic::readcyclecounter:
  case Intrinsic::readsteadycounter:
    return readClock();
  default:
    return findGenericMath(call);
  }
}

} // namespace

Builtin regrain::isInSpace(bool (*contains)(uint64_t)) {
  return [contains](Machine &machine, Thread &thread, const Step &step) {
    Scalar flat = machine.read(thread, step, 0);
    machine.write(thread, step,
                  flat.undefined ? unknown(1, flat.isPoison) : Scalar{contains(flat.bits), 0});
    return true;
  };
}

Builtin regrain::findBuiltin(const CallBase &call, StringRef name) {
  if (AddressSpaces(*call.getModule()).areSegmented())
    return name.starts_with("llvm.amdgcn.") ? findAmdgcn(call)
           : call.getIntrinsicID()          ? findIntrinsic(call)
                                            : Builtin();
  if (name.consume_front("llvm.nvvm."))
    return findNvvm(name);
  if (name.starts_with("llvm."))
    return findIntrinsic(call);
  if (name == "__assertfail")
    return trap("an assertion fails");
  if (name == "malloc")
    return [](Machine &machine, Thread &thread, const Step &step) {
      uint64_t size = 0;
      if (!machine.readDefined(thread, step, 0, "the size of an allocation", size))
        return false;
      machine.write(thread, step, {machine.memory.allocateFromHeap(size), 0});
      return true;
    };
  if (name == "free")
    return [](Machine &machine, Thread &thread, const Step &step) {
      uint64_t address = 0;
      if (!machine.readDefined(thread, step, 0, "what is freed", address))
        return false;
      return address == 0 || machine.memory.freeOnHeap(address) ||
             machine.fail(FaultKind::OutOfBounds, "what is freed was not allocated");
    };
  if (name.consume_front("__nv_"))
    return findLibraryMath(name);
  return {};
}

std::optional<unsigned> regrain::parameterNamedBy(const CallBase &call) {
  StringRef text = cast<InlineAsm>(call.getCalledOperand())->getAsmString();
  unsigned number = 0;
  if (!text.consume_back("; cvta.param.u64 $0, %place; }") ||
      text.rsplit("_param_").second.getAsInteger(10, number) ||
      number >= call.getFunction()->arg_size())
    return std::nullopt;
  return number;
}

static Builtin copyOperand() {
  return [](Machine &machine, Thread &thread, const Step &step) {
    machine.write(thread, step, machine.read(thread, step, 0));
    return true;
  };
}

Builtin regrain::findAssembly(const CallBase &call) {
  StringRef text = cast<InlineAsm>(call.getCalledOperand())->getAsmString();
  StringRef trimmed = text.trim();
  trimmed.consume_back(";");
  if (trimmed.empty())
    return nothing();
  if (trimmed == "exit")
    return endThread();
  uint64_t number = 0; // as in KeepNulls
  if (StringRef digits = trimmed;
      digits.consume_front("mov.u64 $0, ") && !digits.getAsInteger(10, number))
    return [number](Machine &machine, Thread &thread, const Step &step) {
      machine.write(thread, step, {number, 0});
      return true;
    };
  if (trimmed == "mov.b64 $0, $1" || parameterNamedBy(call)) // as in GenericAddresses
    return copyOperand();
  if (trimmed.consume_front("dp4a."))
    return multiplyBytes(/*isOneSigned=*/trimmed.starts_with("s32."),
                         /*isOtherSigned=*/trimmed.contains(".s32 "));
  if (Builtin product = findMatrixProduct(trimmed))
    return product;
  uint64_t bytes = 0;
  if (StringRef copied = trimmed;
      (copied.consume_front("cp.async.ca.shared.global [$0], [$1], ") ||
       copied.consume_front("cp.async.cg.shared.global [$0], [$1], ")) &&
      !copied.consumeInteger(10, bytes) && (copied.empty() || copied == ", $2"))
    return copyAsynchronously(bytes, /*isPartial=*/!copied.empty());
  if (trimmed == "{cvt.rn.satfinite.e4m3x2.f32 $0, $2, $1;}")
    return roundToCodes(APFloat::Float8E4M3FN());
  if (trimmed == "{cvt.rn.satfinite.e5m2x2.f32 $0, $2, $1;}")
    return roundToCodes(APFloat::Float8E5M2());
  if (Builtin found = findBulkCopy(trimmed))
    return found;
  if (trimmed.starts_with("membar.") || trimmed.starts_with("fence."))
    return fence();
  if (trimmed == "griddepcontrol.launch_dependents")
    return letNextLaunchBegin();
  if (trimmed == "griddepcontrol.wait")
    return awaitLaunchInFront();
  if (trimmed.consume_front("mov.u32 $0, %") && trimmed != "clock")
    return findRegister(trimmed);
  return {};
}
