//===- MathBuiltins.cpp - Functions of floating-point numbers -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/ProductFunctions.h"
#include "interpreter/Arithmetic.h"
#include "interpreter/Builtins.h"
#include "interpreter/Machine.h"

#include "llvm/ADT/StringSwitch.h"
#include <cfenv>
#include <cmath>

using namespace llvm;
using namespace regrain;

namespace {

/// A function in the precision of the result: `single` for float, otherwise
/// `wide`.
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

/// Computes in a rounding mode of <cfenv>. The operands are volatile, so that the computation stays
/// between the changes of the mode.
template <typename T, typename Compute> T inMode(int mode, Compute compute, T a, T b, T c) {
  int before = std::fegetround();
  std::fesetround(mode);
  volatile T x = a, y = b, z = c;
  volatile T result = compute(T(x), T(y), T(z));
  std::fesetround(before);
  return result;
}

/// Finds "add.rm", "fma.rz", ..., which round towards minus infinity, plus infinity or zero.
std::optional<Floating> findDirected(StringRef name) {
#define DIRECTED(operation, mode, fenv, expression)                                                \
  .Case(operation mode,                                                                            \
        FLOATING(inMode<T>(                                                                        \
            fenv, [](T a, T b, T c) -> T { return (void)b, (void)c, expression; }, a, b, c)))
#define IN_EACH_MODE(operation, expression)                                                        \
  DIRECTED(operation, ".rm", FE_DOWNWARD, expression)                                              \
  DIRECTED(operation, ".rp", FE_UPWARD, expression)                                                \
  DIRECTED(operation, ".rz", FE_TOWARDZERO, expression)
  // clang-format off
  return StringSwitch<std::optional<Floating>>(name)
      IN_EACH_MODE("add", a + b)
      IN_EACH_MODE("mul", a * b)
      IN_EACH_MODE("div", a / b)
      IN_EACH_MODE("rcp", 1 / a)
      IN_EACH_MODE("sqrt", std::sqrt(a))
      IN_EACH_MODE("fma", std::fma(a, b, c))
      .Default(std::nullopt);
  // clang-format on
#undef IN_EACH_MODE
#undef DIRECTED
}

constexpr double pi = 3.14159265358979323846;

/// Finds functions of one number that have the same name in libm.
std::optional<Floating> findLibm(StringRef name) {
#define LIBM(name) .Case(#name, FLOATING(std::name(a)))
  return StringSwitch<std::optional<Floating>>(name) LIBM(sin) LIBM(cos) LIBM(tan) LIBM(asin)
      LIBM(acos) LIBM(atan) LIBM(sinh) LIBM(cosh) LIBM(tanh) LIBM(asinh) LIBM(acosh) LIBM(atanh)
          LIBM(exp) LIBM(exp2) LIBM(expm1) LIBM(log) LIBM(log2) LIBM(log10) LIBM(log1p) LIBM(cbrt)
              LIBM(erf) LIBM(erfc) LIBM(tgamma) LIBM(lgamma) LIBM(sqrt) LIBM(fabs) LIBM(floor)
                  LIBM(ceil) LIBM(trunc) LIBM(rint) LIBM(nearbyint) LIBM(round)
                      .Default(std::nullopt);
#undef LIBM
}

/// `name` is as in libm, without the "f" of single precision.
std::optional<Floating> findFloating(StringRef name) {
  return StringSwitch<std::optional<Floating>>(name)
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
      .Default(findLibm(name));
}

/// Rounds a number, then converts it. A value out of range becomes the nearest integer. A NaN
/// becomes 0 from float to 32 bits, otherwise the integer with only the highest bit set.
Builtin toIntegers(bool isSigned, double (*rounded)(double)) {
  return [=](Machine &machine, Thread &thread, const Step &step) {
    Scalar scalar = machine.read(thread, step, 0);
    Type *from = cast<CallBase>(step.instruction)->getArgOperand(0)->getType();
    unsigned width = step.leaves[0].width;
    double value = rounded(toDouble(from, scalar.bits));
    double limit = std::ldexp(1.0, isSigned ? width - 1 : width);
    uint64_t bits = 0;
    if (std::isnan(value))
      bits = from->isFloatTy() && width == 32 ? 0 : uint64_t(1) << (width - 1);
    else if (value >= limit)
      bits = isSigned ? maskOf(width - 1) : maskOf(width);
    else if (isSigned && value < -limit)
      bits = uint64_t(1) << (width - 1);
    else if (isSigned)
      bits = int64_t(value);
    else if (value > 0)
      bits = uint64_t(value);
    machine.write(thread, step,
                  scalar.undefined ? unknown(width, scalar.isPoison)
                                   : Scalar{bits & maskOf(width), 0});
    return true;
  };
}

/// Finds float2int_rn, double2ull_rz, ..., or f2i.rn, d2ull.rz, ...
Builtin findConversion(StringRef name) {
  name.consume_back(".ftz");
  auto [operation, mode] = name.rsplit(name.contains('_') ? '_' : '.');
  auto [from, to] = operation.split('2');
  auto rounded = StringSwitch<double (*)(double)>(mode)
                     .Case("rn", [](double value) { return std::nearbyint(value); })
                     .Case("rz", [](double value) { return std::trunc(value); })
                     .Cases("rd", "rm", [](double value) { return std::floor(value); })
                     .Cases("ru", "rp", [](double value) { return std::ceil(value); })
                     .Default(nullptr);
  bool fromFloat = from == "float" || from == "double" || from == "f" || from == "d";
  bool known = to == "int" || to == "uint" || to == "i" || to == "ui" || to == "ll" || to == "ull";
  return rounded && fromFloat && known ? toIntegers(!to.starts_with("u"), rounded) : Builtin();
}

/// Classifies a number; the result is an integer.
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

/// Rounds two floats to numbers of 16 bits; the first one becomes the upper half of the word. What
/// is no number becomes the one whose bits are all set but for the sign's.
bool roundToHalves(Machine &machine, Thread &thread, const Step &step) {
  for (auto [i, leaf] : enumerate(step.leaves)) {
    Scalar number = machine.read(thread, step, 1 - i);
    bool isNone = std::isnan(bit_cast<float>(uint32_t(number.bits)));
    machine.write(thread, step,
                  number.undefined ? unknown(leaf.width, number.isPoison)
                  : isNone         ? Scalar{maskOf(leaf.width - 1), 0}
                                   : floatResult(leaf.type, bit_cast<float>(uint32_t(number.bits))),
                  i);
  }
  return true;
}

/// llvm.fmuladd: the product is rounded to its type before the sum.
bool addProduct(Machine &machine, Thread &thread, const Step &step) {
  for (auto [i, leaf] : enumerate(step.leaves)) {
    Scalar x = machine.read(thread, step, 0, i), y = machine.read(thread, step, 1, i),
           z = machine.read(thread, step, 2, i);
    Scalar product = floating(Instruction::FMul, leaf.type, x, y);
    Scalar sum = floating(Instruction::FAdd, leaf.type, product, z);
    if (sum.undefined)
      sum = unknown(leaf.width, x.isPoison || y.isPoison || z.isPoison);
    machine.write(thread, step, sum, i);
  }
  return true;
}

} // namespace

Builtin regrain::findGenericMath(const CallBase &call) {
  if (call.getIntrinsicID() == Intrinsic::fmuladd)
    return addProduct;
  if (Builtin found = findIntegerIntrinsic(call.getIntrinsicID()))
    return found;
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
  if (Builtin found = findIntegerMath(name))
    return found;
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
  if (name.ends_with(multiplierSuffix))
    return floats(FLOATING(1));
  name.consume_back(multiplicandSuffix);
  name.consume_front("fast_");
  if (auto function = findFloating(name))
    return floats(*function);
  if (auto function = name.consume_back("f") ? findFloating(name) : std::nullopt)
    return floats(*function);
  return {};
}

Builtin regrain::findNvvmMath(StringRef name) {
  if (Builtin found = findIntegerMath(name))
    return found;
  if (name == "ff2bf16x2.rn" || name == "ff2f16x2.rn")
    return roundToHalves;
  // fma.rn.f, sqrt.rn.ftz.f, fmin.d
  std::string base = name.rsplit('.').first.str();
  if (StringRef(base).ends_with(".ftz"))
    base.resize(base.size() - 4);
  if (base == "round")
    base = "rint";
  if (auto function = findFloating(base))
    return floats(*function);
  if (auto function = findDirected(base))
    return floats(*function);
  return findConversion(name);
}
