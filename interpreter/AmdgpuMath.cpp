//===- AmdgpuMath.cpp - Numeric functions of amdgcn -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results that the hardware approximates (reciprocals, roots, logarithms,
// sines) are rounded correctly here: within the hardware's permitted error, but
// not with its bits.
//
//===----------------------------------------------------------------------===//
#include "interpreter/Arithmetic.h"
#include "interpreter/Builtins.h"
#include "interpreter/Elementwise.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include <cmath>

using namespace llvm;
using namespace regrain;

namespace {

/// Applies to numbers of the first operand's type, computed in double and
/// rounded once.
template <typename Function> Builtin floating(Function function) {
  return elementwise(
      [function](const CallBase &call, const Leaf &leaf, const ElementBits &operands) {
        std::array<double, 3> values = {};
        for (unsigned k = 0; k < std::min(call.arg_size(), 3u); ++k) {
          Type *type = call.getArgOperand(k)->getType()->getScalarType();
          values[k] = type->isFloatingPointTy() ? toDouble(type, operands[k])
                                                : double(signExtend(operands[k], widthOf(type)));
        }
        return fromDouble(leaf.type, function(values[0], values[1], values[2]));
      });
}

template <typename Function> Builtin integers(Function function) {
  return elementwise([function](const CallBase &, const Leaf &, const ElementBits &o) {
    return uint64_t(function(o[0], o[1], o[2]));
  });
}

constexpr double pi = 3.14159265358979323846;

/// The argument is in revolutions; the hardware has no sine of an infinity.
double turn(double (*function)(double), double revolutions) {
  return function(2 * pi * (revolutions - std::floor(revolutions)));
}

double median(double a, double b, double c) {
  if (std::isnan(a) || std::isnan(b) || std::isnan(c))
    return std::fmin(std::fmin(a, b), c);
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

/// Legacy products are 0 if one factor is 0, for any value of the other.
double legacyProduct(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

/// The result is at most the greatest number below 1, because the difference
/// may round up to 1.
uint64_t fraction(Type *type, double a) {
  if (!std::isfinite(a))
    return fromDouble(type, std::nan(""));
  APFloat below(type->getFltSemantics(), 1);
  below.next(/*nextDown=*/true);
  return std::min(fromDouble(type, a - std::floor(a)), below.bitcastToAPInt().getZExtValue());
}

/// The result is at most the greatest number of `type`, with either sign.
uint64_t clampFinite(Type *type, double value) {
  double most = APFloat::getLargest(type->getFltSemantics()).convertToDouble();
  return fromDouble(type, std::max(-most, std::min(most, value)));
}

Builtin exponent() {
  return elementwise([](const CallBase &call, const Leaf &, const ElementBits &operands) {
    double value = toDouble(call.getArgOperand(0)->getType(), operands[0]);
    int result = 0;
    if (std::isfinite(value))
      std::frexp(value, &result);
    return uint64_t(result);
  });
}

double mantissa(double value) {
  int power = 0;
  return std::isfinite(value) ? std::frexp(value, &power) : value;
}

uint64_t halfTowardsZero(uint64_t single) {
  APFloat value(APFloat::IEEEsingle(), APInt(32, single));
  bool lost = false;
  value.convert(APFloat::IEEEhalf(), APFloat::rmTowardZero, &lost);
  return value.bitcastToAPInt().getZExtValue();
}

/// Returns the first bits of 2/pi after the point.
APInt twoOverPi(unsigned bits) {
  unsigned width = 2 * bits + 64;
  APInt one = APInt::getOneBitSet(width, bits + 16);
  // pi = 16 atan(1/5) - 4 atan(1/239), each by its series
  auto arcus = [&](uint64_t inverse) {
    APInt sum(width, 0), power = one.udiv(inverse);
    for (uint64_t n = 1; power != 0; n += 2, power = power.udiv(inverse * inverse))
      sum = n % 4 == 1 ? sum + power.udiv(n) : sum - power.udiv(n);
    return sum;
  };
  APInt circle = arcus(5) * 16 - arcus(239) * 4;
  return one.shl(bits + 1).udiv(circle).trunc(bits);
}

/// This is v_trig_preop_f64: the 53 bits of 2/pi that matter for an angle of this
/// size.
double partOfTwoOverPi(double angle, uint64_t segment) {
  constexpr unsigned bits = 1201, mantissa = 53;
  static const APInt all = twoOverPi(bits);
  int biased = int(bit_cast<uint64_t>(angle) >> 52 & 0x7ff);
  unsigned skipped = (segment & 31) * mantissa + unsigned(std::max(biased - 1077, 0));
  if (skipped >= bits)
    return 0;
  APInt part = all.shl(skipped).extractBits(mantissa, bits - mantissa);
  int power = -int(mantissa) - int(skipped) + (biased >= 1968 ? 128 : 0);
  return std::ldexp(double(part.getZExtValue()), power);
}

/// Converts two scalars to a vector of two: `function(value)` of each.
template <typename Function> Builtin pack(Function function) {
  return [function](Machine &machine, Thread &thread, const Step &step) {
    for (auto [i, leaf] : enumerate(step.leaves)) {
      Scalar value = machine.read(thread, step, i);
      machine.write(thread, step,
                    value.undefined ? unknown(leaf.width, value.isPoison)
                                    : Scalar{function(value.bits) & maskOf(leaf.width), 0},
                    i);
    }
    return true;
  };
}

uint64_t clampSigned(uint64_t value) {
  return uint64_t(std::clamp<int64_t>(signExtend(value, 32), -32768, 32767));
}

/// Returns bits [offset, offset + width) of 32; a width of 0 gives 0.
uint64_t extract(uint64_t value, uint64_t offset, uint64_t width, bool isSigned) {
  offset &= 31;
  width &= 31;
  if (width == 0)
    return 0;
  unsigned have = std::min<unsigned>(width, 32 - offset);
  uint64_t bits = value >> offset & maskOf(have);
  return isSigned ? uint64_t(signExtend(bits, have)) : bits;
}

Builtin bitField(bool isSigned) {
  return elementwise([isSigned](const CallBase &, const Leaf &, const ElementBits &o) {
    return extract(o[0], o[1], o[2], isSigned);
  });
}

/// This is v_perm_b32: bytes of the second operand are 0 to 3, of the first 4
/// to 7.
uint64_t permute(uint64_t high, uint64_t low, uint64_t selector) {
  uint64_t bytes = high << 32 | low, result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    unsigned pick = selector >> 8 * i & 0xff;
    uint64_t byte = 0;
    if (pick >= 13)
      byte = 0xff;
    else if (pick == 12)
      byte = 0;
    else if (pick >= 8)
      byte = bytes >> (16 * (pick - 8) + 15) & 1 ? 0xff : 0;
    else
      byte = bytes >> 8 * pick & 0xff;
    result |= byte << 8 * i;
  }
  return result;
}

/// Returns the sum of absolute differences of `step` bits each.
uint64_t differences(uint64_t a, uint64_t b, unsigned step, bool masked) {
  uint64_t sum = 0;
  for (unsigned at = 0; at < 32; at += step) {
    uint64_t x = a >> at & maskOf(step), y = b >> at & maskOf(step);
    if (!masked || y != 0)
      sum += x > y ? x - y : y - x;
  }
  return sum;
}

/// Returns the means of bytes, rounded up if the third operand's lowest bit is
/// set.
uint64_t lerp(uint64_t a, uint64_t b, uint64_t round) {
  uint64_t result = 0;
  for (unsigned at = 0; at < 32; at += 8)
    result |= ((a >> at & 255) + (b >> at & 255) + (round >> at & 1)) >> 1 << at;
  return result;
}

/// Returns the number of leading bits that equal the sign; all ones for 0 and
/// -1.
uint64_t signBits(uint64_t value) {
  int64_t number = signExtend(value, 32);
  uint32_t differing = uint32_t(number < 0 ? ~number : number);
  return differing ? countl_zero(differing) : ~uint64_t(0);
}

int64_t low24(uint64_t value) { return signExtend(value & maskOf(24), 24); }

Builtin findApproximation(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::amdgcn_rcp:
    return floating([](double a, double, double) { return 1 / a; });
  case Intrinsic::amdgcn_sqrt:
    return floating([](double a, double, double) { return std::sqrt(a); });
  case Intrinsic::amdgcn_rsq:
    return floating([](double a, double, double) { return 1 / std::sqrt(a); });
  case Intrinsic::amdgcn_rsq_clamp:
    return elementwise([](const CallBase &, const Leaf &leaf, const ElementBits &o) {
      return clampFinite(leaf.type, 1 / std::sqrt(toDouble(leaf.type, o[0])));
    });
  case Intrinsic::amdgcn_log:
    return floating([](double a, double, double) { return std::log2(a); });
  case Intrinsic::amdgcn_exp2:
    return floating([](double a, double, double) { return std::exp2(a); });
  case Intrinsic::amdgcn_sin:
    return floating([](double a, double, double) { return turn(std::sin, a); });
  case Intrinsic::amdgcn_cos:
    return floating([](double a, double, double) { return turn(std::cos, a); });
  default:
    return {};
  }
}

Builtin findFloating(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::amdgcn_fract:
    return elementwise([](const CallBase &, const Leaf &leaf, const ElementBits &o) {
      return fraction(leaf.type, toDouble(leaf.type, o[0]));
    });
  case Intrinsic::amdgcn_frexp_mant:
    return floating([](double a, double, double) { return mantissa(a); });
  case Intrinsic::amdgcn_frexp_exp:
    return exponent();
  case Intrinsic::amdgcn_trig_preop:
    return elementwise([](const CallBase &, const Leaf &leaf, const ElementBits &o) {
      return fromDouble(leaf.type, partOfTwoOverPi(toDouble(leaf.type, o[0]), o[1]));
    });
  case Intrinsic::amdgcn_fmed3:
    return floating(median);
  case Intrinsic::amdgcn_fmul_legacy:
    return floating([](double a, double b, double) { return legacyProduct(a, b); });
  case Intrinsic::amdgcn_fma_legacy:
    return floating([](double a, double b, double c) {
      return a == 0 || b == 0 ? c : double(std::fma(float(a), float(b), float(c)));
    });
  case Intrinsic::amdgcn_fmad_ftz:
    return floating([](double a, double b, double c) { return float(a * b) + c; });
  case Intrinsic::amdgcn_class:
    return classTest();
  case Intrinsic::amdgcn_cvt_pkrtz:
    return pack(halfTowardsZero);
  case Intrinsic::amdgcn_cvt_pk_i16:
    return pack(clampSigned);
  case Intrinsic::amdgcn_cvt_pk_u16:
    return pack([](uint64_t value) { return std::min<uint64_t>(value, 0xffff); });
  default:
    return {};
  }
}

Builtin findInteger(Intrinsic::ID id) {
#define INTEGER(expression)                                                                        \
  integers([]([[maybe_unused]] uint64_t a, [[maybe_unused]] uint64_t b,                            \
              [[maybe_unused]] uint64_t c) { return expression; })
  switch (id) {
  case Intrinsic::amdgcn_ubfe:
    return bitField(/*isSigned=*/false);
  case Intrinsic::amdgcn_sbfe:
    return bitField(/*isSigned=*/true);
  case Intrinsic::amdgcn_mul_u24:
    return INTEGER((a & maskOf(24)) * (b & maskOf(24)));
  case Intrinsic::amdgcn_mul_i24:
    return INTEGER(low24(a) * low24(b));
  case Intrinsic::amdgcn_mulhi_u24:
    return INTEGER((a & maskOf(24)) * (b & maskOf(24)) >> 32);
  case Intrinsic::amdgcn_mulhi_i24:
    return INTEGER(low24(a) * low24(b) >> 32);
  case Intrinsic::amdgcn_alignbyte:
    return INTEGER((a << 32 | b) >> 8 * (c & 3));
  case Intrinsic::amdgcn_perm:
    return INTEGER(permute(a, b, c));
  case Intrinsic::amdgcn_sad_u8:
    return INTEGER(differences(a, b, 8, false) + c);
  case Intrinsic::amdgcn_msad_u8:
    return INTEGER(differences(a, b, 8, true) + c);
  case Intrinsic::amdgcn_sad_hi_u8:
    return INTEGER((differences(a, b, 8, false) << 16) + c);
  case Intrinsic::amdgcn_sad_u16:
    return INTEGER(differences(a, b, 16, false) + c);
  case Intrinsic::amdgcn_lerp:
    return INTEGER(lerp(a, b, c));
  case Intrinsic::amdgcn_sffbh:
    return INTEGER(signBits(a));
  default:
    return {};
  }
#undef INTEGER
}

} // namespace

Builtin regrain::findAmdgcnMath(const CallBase &call) {
  for (Builtin (*find)(Intrinsic::ID) : {findApproximation, findFloating, findInteger})
    if (Builtin found = find(call.getIntrinsicID()))
      return found;
  return {};
}
