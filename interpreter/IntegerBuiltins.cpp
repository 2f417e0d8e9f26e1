//===- IntegerBuiltins.cpp - Functions of integers ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Builtins.h"
#include "interpreter/Machine.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace regrain;

namespace {

/// The defined operands of one lane; their width is that of the first one.
struct Operands {
  uint64_t a = 0, b = 0, c = 0;
  unsigned width = 0;
  APInt number(uint64_t operand) const { return APInt(width, operand); }
  int64_t sa() const { return signExtend(a, width); }
  int64_t sb() const { return signExtend(b, width); }
};

using Integer = uint64_t (*)(const Operands &);

/// Applies `function` lane by lane; the result is undefined if an operand is.
Builtin integers(Integer function) {
  return [function](Machine &machine, Thread &thread, const Step &step) {
    const auto &call = *cast<CallBase>(step.instruction);
    for (auto [i, leaf] : enumerate(step.leaves)) {
      Operands operands;
      operands.width = widthOf(call.getArgOperand(0)->getType()->getScalarType());
      uint64_t *fields[] = {&operands.a, &operands.b, &operands.c};
      uint64_t undefined = 0;
      bool isPoison = false;
      for (unsigned k = 0; k < std::min<unsigned>(call.arg_size(), 3); ++k) {
        Scalar scalar = machine.read(thread, step, k, i);
        *fields[k] = scalar.bits;
        undefined |= scalar.undefined;
        isPoison |= scalar.isPoison;
      }
      machine.write(thread, step,
                    undefined ? unknown(leaf.width, isPoison)
                              : Scalar{function(operands) & maskOf(leaf.width), 0},
                    i);
    }
    return true;
  };
}

uint64_t reverse(uint64_t bits, unsigned width) {
  uint64_t result = 0;
  for (unsigned i = 0; i < width; ++i)
    result |= (bits >> i & 1) << (width - 1 - i);
  return result;
}

uint64_t funnel(const Operands &o, bool left) {
  unsigned n = o.c % o.width;
  if (n == 0)
    return left ? o.a : o.b;
  return left ? o.a << n | o.b >> (o.width - n) : o.a << (o.width - n) | o.b >> n;
}

uint64_t leadingZeros(const Operands &o) {
  return o.a ? countl_zero(o.a) - (64 - o.width) : o.width;
}
uint64_t trailingZeros(const Operands &o) { return o.a ? countr_zero(o.a) : o.width; }

uint64_t permuteBytes(const Operands &o) {
  uint64_t bytes = o.b << 32 | o.a, result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    unsigned pick = o.c >> 4 * i & 15;
    uint64_t byte = bytes >> 8 * (pick & 7) & 0xff;
    if (pick & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= byte << 8 * i;
  }
  return result;
}

/// This is CUDA's byte selection: the high bit of a selector is ignored.
uint64_t selectBytes(const Operands &o) {
  Operands masked = o;
  masked.c &= 0x7777;
  return permuteBytes(masked);
}

Integer integerNamed(StringRef name) {
#define INTEGER(expression) [](const Operands &o) -> uint64_t { return uint64_t(expression); }
  return StringSwitch<Integer>(name)
      .Cases("abs", "llabs", INTEGER(o.sa() < 0 ? -uint64_t(o.sa()) : o.a))
      .Cases("min", "llmin", INTEGER(std::min(o.sa(), o.sb())))
      .Cases("max", "llmax", INTEGER(std::max(o.sa(), o.sb())))
      .Cases("umin", "ullmin", INTEGER(std::min(o.a, o.b)))
      .Cases("umax", "ullmax", INTEGER(std::max(o.a, o.b)))
      .Cases("popc", "popcll", INTEGER(popcount(o.a)))
      .Cases("clz", "clzll", leadingZeros)
      .Cases("ffs", "ffsll", INTEGER(o.a ? countr_zero(o.a) + 1 : 0))
      .Cases("brev", "brevll", INTEGER(reverse(o.a, o.width)))
      .Cases("mulhi", "mulhi.i", INTEGER(o.sa() * o.sb() >> 32))
      .Cases("umulhi", "mulhi.ui", INTEGER(o.a * o.b >> 32))
      .Cases("mul64hi", "mulhi.ll", INTEGER(__int128(o.sa()) * o.sb() >> 64))
      .Cases("umul64hi", "mulhi.ull", INTEGER(static_cast<unsigned __int128>(o.a) * o.b >> 64))
      .Cases("mul24", "mul24.i", INTEGER(signExtend(o.a, 24) * signExtend(o.b, 24)))
      .Cases("umul24", "mul24.ui", INTEGER((o.a & 0xffffff) * (o.b & 0xffffff)))
      .Cases("sad", "sad.i", INTEGER(std::llabs(o.sa() - o.sb()) + o.c))
      .Cases("usad", "sad.ui", INTEGER((o.a > o.b ? o.a - o.b : o.b - o.a) + o.c))
      .Case("byte_perm", selectBytes)
      .Case("prmt", permuteBytes)
      .Case("hadd", INTEGER((o.sa() + o.sb()) >> 1))
      .Case("rhadd", INTEGER((o.sa() + o.sb() + 1) >> 1))
      .Case("uhadd", INTEGER((o.a + o.b) >> 1))
      .Case("urhadd", INTEGER((o.a + o.b + 1) >> 1))
      .Cases("float_as_int", "float_as_uint", "int_as_float", "uint_as_float", INTEGER(o.a))
      .Cases("double_as_longlong", "longlong_as_double", INTEGER(o.a))
      .Cases("double2loint", "d2i.lo", INTEGER(o.a))
      .Cases("double2hiint", "d2i.hi", INTEGER(o.a >> 32))
      .Case("hiloint2double", INTEGER(o.a << 32 | o.b))
      .Case("lohi.i2d", INTEGER(o.b << 32 | o.a))
      .Default(nullptr);
}

Integer integerOf(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::smin:
    return INTEGER(std::min(o.sa(), o.sb()));
  case Intrinsic::smax:
    return INTEGER(std::max(o.sa(), o.sb()));
  case Intrinsic::umin:
    return INTEGER(std::min(o.a, o.b));
  case Intrinsic::umax:
    return INTEGER(std::max(o.a, o.b));
  case Intrinsic::uadd_sat:
    return INTEGER(o.number(o.a).uadd_sat(o.number(o.b)).getZExtValue());
  case Intrinsic::usub_sat:
    return INTEGER(o.number(o.a).usub_sat(o.number(o.b)).getZExtValue());
  case Intrinsic::sadd_sat:
    return INTEGER(o.number(o.a).sadd_sat(o.number(o.b)).getZExtValue());
  case Intrinsic::ssub_sat:
    return INTEGER(o.number(o.a).ssub_sat(o.number(o.b)).getZExtValue());
  case Intrinsic::abs:
    return INTEGER(o.sa() < 0 ? -uint64_t(o.sa()) : o.a);
  case Intrinsic::ctpop:
    return INTEGER(popcount(o.a));
  case Intrinsic::ctlz:
    return leadingZeros;
  case Intrinsic::cttz:
    return trailingZeros;
  case Intrinsic::bitreverse:
    return INTEGER(reverse(o.a, o.width));
  case Intrinsic::bswap:
    return INTEGER(byteswap(o.a) >> (64 - o.width));
  case Intrinsic::fshl:
    return INTEGER(funnel(o, true));
  case Intrinsic::fshr:
    return INTEGER(funnel(o, false));
  case Intrinsic::expect:
    return INTEGER(o.a);
  default:
    return nullptr;
  }
}

#undef INTEGER

} // namespace

Builtin regrain::findIntegerMath(StringRef name) {
  Integer function = integerNamed(name);
  return function ? integers(function) : Builtin();
}

Builtin regrain::findIntegerIntrinsic(Intrinsic::ID id) {
  Integer function = integerOf(id);
  return function ? integers(function) : Builtin();
}
