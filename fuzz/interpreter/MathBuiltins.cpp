//===- MathBuiltins.cpp - Numbers -----------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/interpreter/Arithmetic.h"
#include "fuzz/interpreter/Builtins.h"
#include "fuzz/interpreter/Machine.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/IntrinsicInst.h"
#include <cmath>

using namespace llvm;
using namespace regrain;

namespace {

/// The defined operands of one lane; their width is that of the first.
struct Operands {
  uint64_t a = 0, b = 0, c = 0;
  unsigned width = 0;
  APInt number(uint64_t operand) const { return APInt(width, operand); }
  int64_t sa() const { return signExtend(a, width); }
  int64_t sb() const { return signExtend(b, width); }
};

using Integer = uint64_t (*)(const Operands &);

/// Lane by lane; undefined where an operand is.
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

/// In the precision of the result: `single` for float, else `wide`.
struct Floating {
  float (*single)(float, float, float);
  double (*wide)(double, double, double);
};

Builtin floats(Floating function) {
  return [function](Machine &machine, Thread &thread, const Step &step) {
    const auto &call = *cast<CallBase>(step.instruction);
    for (auto [i, leaf] : enumerate(step.leaves)) {
      double operands[3] = {};
      uint64_t undefined = 0;
      bool isPoison = false;
      for (unsigned k = 0; k < std::min<unsigned>(call.arg_size(), 3); ++k) {
        Scalar scalar = machine.read(thread, step, k, i);
        undefined |= scalar.undefined;
        isPoison |= scalar.isPoison;
        Type *type = call.getArgOperand(k)->getType()->getScalarType();
        operands[k] = type->isIntegerTy() ? double(signExtend(scalar.bits, widthOf(type)))
                                          : toDouble(type, scalar.bits);
      }
      auto [a, b, c] = operands;
      double value = leaf.type->isFloatTy() ? function.single(float(a), float(b), float(c))
                                            : function.wide(a, b, c);
      machine.write(thread, step,
                    undefined ? unknown(leaf.width, isPoison) : floatResult(leaf.type, value), i);
    }
    return true;
  };
}

#define FLOATING(expression)                                                                       \
  Floating {                                                                                       \
    [](float a, float b, float c) -> float {                                                       \
      using T [[maybe_unused]] = float;                                                            \
      (void)a, (void)b, (void)c;                                                                   \
      return expression;                                                                           \
    },                                                                                             \
        [](double a, double b, double c) -> double {                                               \
          using T [[maybe_unused]] = double;                                                       \
          (void)a, (void)b, (void)c;                                                               \
          return expression;                                                                       \
        }                                                                                          \
  }

constexpr double pi = 3.14159265358979323846;

/// `name` as in libm, without the "f" of single precision.
std::optional<Floating> findFloating(StringRef name) {
#define LIBM(name) .Case(#name, FLOATING(std::name(a)))
  return StringSwitch<std::optional<Floating>>(name) LIBM(sin) LIBM(cos) LIBM(tan) LIBM(asin)
      LIBM(acos) LIBM(atan) LIBM(sinh) LIBM(cosh) LIBM(tanh) LIBM(asinh) LIBM(acosh) LIBM(atanh)
          LIBM(exp) LIBM(exp2) LIBM(expm1) LIBM(log) LIBM(log2) LIBM(log10) LIBM(log1p) LIBM(cbrt)
              LIBM(erf) LIBM(erfc) LIBM(tgamma) LIBM(lgamma) LIBM(sqrt) LIBM(fabs) LIBM(floor)
                  LIBM(ceil) LIBM(trunc) LIBM(rint) LIBM(nearbyint) LIBM(round)
                      .Case("roundeven", FLOATING(std::nearbyint(a)))
                      .Case("exp10", FLOATING(std::pow(T(10), a)))
                      .Case("rsqrt", FLOATING(1 / std::sqrt(a)))
                      .Case("rcbrt", FLOATING(1 / std::cbrt(a)))
                      .Case("sinpi", FLOATING(T(std::sin(pi * a))))
                      .Case("cospi", FLOATING(T(std::cos(pi * a))))
                      .Case("saturate", FLOATING(a > 0 ? (a < 1 ? a : 1) : 0))
                      .Case("pow", FLOATING(std::pow(a, b)))
                      .Case("powi", FLOATING(std::pow(a, b)))
                      .Case("atan2", FLOATING(std::atan2(a, b)))
                      .Case("hypot", FLOATING(std::hypot(a, b)))
                      .Case("fmod", FLOATING(std::fmod(a, b)))
                      .Case("remainder", FLOATING(std::remainder(a, b)))
                      .Case("fdim", FLOATING(std::fdim(a, b)))
                      .Case("copysign", FLOATING(std::copysign(a, b)))
                      .Case("nextafter", FLOATING(std::nextafter(a, b)))
                      .Case("ldexp", FLOATING(std::ldexp(a, int(b))))
                      .Cases("fmin", "minnum", FLOATING(std::fmin(a, b)))
                      .Cases("fmax", "maxnum", FLOATING(std::fmax(a, b)))
                      .Cases("fma", "fma.rn", FLOATING(std::fma(a, b, c)))
                      .Case("fmuladd", FLOATING(T(a * b) + c))
                      .Case("add.rn", FLOATING(a + b))
                      .Case("sub.rn", FLOATING(a - b))
                      .Case("mul.rn", FLOATING(a * b))
                      .Cases("div.rn", "div.approx", FLOATING(a / b))
                      .Cases("rcp.rn", "rcp.approx", FLOATING(1 / a))
                      .Cases("sqrt.rn", "sqrt.approx", FLOATING(std::sqrt(a)))
                      .Case("rsqrt.approx", FLOATING(1 / std::sqrt(a)))
                      .Case("ex2.approx", FLOATING(std::exp2(a)))
                      .Case("lg2.approx", FLOATING(std::log2(a)))
                      .Case("fdividef", FLOATING(a / b))
                      .Default(std::nullopt);
#undef LIBM
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

/// libdevice's integer functions; operands say the width.
Integer findInteger(StringRef name) {
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
      .Cases("byte_perm", "prmt", permuteBytes)
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

Integer findIntegerIntrinsic(Intrinsic::ID id) {
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

/// Rounds a number, then converts it; out of range gives the nearest, NaN 0.
Builtin toIntegers(bool isSigned, double (*rounded)(double)) {
  return [=](Machine &machine, Thread &thread, const Step &step) {
    Scalar scalar = machine.read(thread, step, 0);
    Type *from = cast<CallBase>(step.instruction)->getArgOperand(0)->getType();
    unsigned width = step.leaves[0].width;
    double value = rounded(toDouble(from, scalar.bits));
    double limit = std::ldexp(1.0, isSigned ? width - 1 : width);
    uint64_t bits = 0;
    if (value >= limit)
      bits = isSigned ? maskOf(width - 1) : maskOf(width);
    else if (isSigned && value < -limit)
      bits = uint64_t(1) << (width - 1);
    else if (isSigned && !std::isnan(value))
      bits = int64_t(value);
    else if (value > 0)
      bits = uint64_t(value);
    machine.write(thread, step,
                  scalar.undefined ? unknown(width, scalar.isPoison)
                                   : Scalar{bits & maskOf(width), 0});
    return true;
  };
}

/// float2int_rn, double2ull_rz, ...
Builtin findConversion(StringRef name) {
  auto [operation, mode] = name.rsplit('_');
  auto [from, to] = operation.split('2');
  auto rounded = StringSwitch<double (*)(double)>(mode)
                     .Case("rn", [](double value) { return std::nearbyint(value); })
                     .Case("rz", [](double value) { return std::trunc(value); })
                     .Case("rd", [](double value) { return std::floor(value); })
                     .Case("ru", [](double value) { return std::ceil(value); })
                     .Default(nullptr);
  bool fromFloat = from == "float" || from == "double";
  bool known = to == "int" || to == "uint" || to == "ll" || to == "ull";
  return rounded && fromFloat && known ? toIntegers(!to.starts_with("u"), rounded) : Builtin();
}

/// Classifications of a number, as an integer.
Builtin classify(int (*test)(double)) {
  return [test](Machine &machine, Thread &thread, const Step &step) {
    Scalar scalar = machine.read(thread, step, 0);
    Type *from = cast<CallBase>(step.instruction)->getArgOperand(0)->getType();
    uint64_t bits = test(toDouble(from, scalar.bits)) & maskOf(step.leaves[0].width);
    machine.write(thread, step,
                  scalar.undefined ? unknown(step.leaves[0].width, scalar.isPoison)
                                   : Scalar{bits, 0});
    return true;
  };
}

} // namespace

Builtin regrain::findGenericMath(const CallBase &call) {
  if (Integer function = findIntegerIntrinsic(call.getIntrinsicID()))
    return integers(function);
  if (Builtin found = findNumberParts(call))
    return found;
  // llvm.sin.f32, llvm.fma.v2f16
  StringRef name = call.getCalledFunction()->getName();
  name.consume_front("llvm.");
  if (auto function = findFloating(name.rsplit('.').first))
    return floats(*function);
  return {};
}

Builtin regrain::findLibraryMath(StringRef name) {
  if (Integer function = findInteger(name))
    return integers(function);
  if (Builtin conversion = findConversion(name))
    return conversion;
  if (auto test =
          StringSwitch<int (*)(double)>(name)
              .Cases("isnand", "isnanf", [](double x) -> int { return std::isnan(x); })
              .Cases("isinfd", "isinff", [](double x) -> int { return std::isinf(x); })
              .Cases("isfinited", "finitef", [](double x) -> int { return std::isfinite(x); })
              .Cases("signbitd", "signbitf", [](double x) -> int { return std::signbit(x); })
              .Default(nullptr))
    return classify(test);
  // fadd_rn, dmul_rn, frcp_rn, fmaf_rn, fma_rn
  if (StringRef operation = name; operation.consume_back("_rn")) {
    if (operation == "fma" || operation == "fmaf")
      return floats(*findFloating("fma"));
    if (auto function = findFloating((operation.drop_front() + ".rn").str()))
      return floats(*function);
    return {};
  }
  name.consume_front("fast_");
  if (auto function = findFloating(name))
    return floats(*function);
  if (auto function = name.consume_back("f") ? findFloating(name) : std::nullopt)
    return floats(*function);
  return {};
}

Builtin regrain::findNvvmMath(StringRef name) {
  if (Integer function = findInteger(name))
    return integers(function);
  // fma.rn.f, sqrt.rn.ftz.f, fmin.d
  std::string base = name.rsplit('.').first.str();
  if (StringRef(base).ends_with(".ftz"))
    base.resize(base.size() - 4);
  if (base == "round")
    base = "rint";
  if (auto function = findFloating(base))
    return floats(*function);
  return {};
}

Builtin regrain::findAtomic(StringRef name) {
  name.consume_front("atomic.");
  name.consume_front("load.");
  StringRef operation = name.take_until([](char c) { return c == '.'; });
  bool compares = operation == "cas";
  bool floating = name.contains(".f.") || name.contains(".f32") || name.contains(".f64");
  auto op = StringSwitch<std::optional<AtomicRMWInst::BinOp>>(operation)
                .Case("add", floating ? AtomicRMWInst::FAdd : AtomicRMWInst::Add)
                .Cases("exch", "cas", AtomicRMWInst::Xchg)
                .Case("and", AtomicRMWInst::And)
                .Case("or", AtomicRMWInst::Or)
                .Case("xor", AtomicRMWInst::Xor)
                .Case("max", AtomicRMWInst::Max)
                .Case("min", AtomicRMWInst::Min)
                .Case("inc", AtomicRMWInst::UIncWrap)
                .Case("dec", AtomicRMWInst::UDecWrap)
                .Default(std::nullopt);
  if (!op)
    return {};
  return [op = *op, compares](Machine &machine, Thread &thread, const Step &step) {
    const Leaf &leaf = step.leaves[0];
    Scalar address = machine.read(thread, step, 0), old;
    Machine::Access access = {leaf.width / 8, /*atomic=*/true};
    if (!machine.load(thread, address, leaf, access, old))
      return false;
    machine.write(thread, step, old);
    Scalar operand = machine.read(thread, step, compares ? 2 : 1);
    if (compares) {
      Scalar expected = machine.read(thread, step, 1);
      if (old.undefined || expected.undefined)
        return machine.fail(FaultKind::UndefinedValue, "what an atomic operation compares");
      if (old.bits != expected.bits)
        return true;
    }
    return machine.store(thread, address, leaf, access, update(op, leaf.type, old, operand));
  };
}
