//===- launch_rule.cpp - How a variant of a kernel is launched ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/image/launch_rule.h"

#include <cstring>

namespace regrain {
namespace {

uint64_t masked(uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & ((uint64_t(1) << bits) - 1);
}

int64_t asSigned(uint64_t value, unsigned bits) {
  return int64_t(value << (64 - bits)) >> (64 - bits);
}

/// Divides numbers of `bits`. The quotient of the least number and -1 wraps.
std::optional<uint64_t> divide(RuleOp op, uint64_t left, uint64_t right, unsigned bits) {
  if (right == 0)
    return std::nullopt;
  if (op == RuleOp::DivideUnsigned)
    return left / right;
  if (op == RuleOp::RemainderUnsigned)
    return left % right;
  int64_t dividend = asSigned(left, bits), divisor = asSigned(right, bits);
  if (divisor == -1)
    return op == RuleOp::DivideSigned ? 0 - uint64_t(dividend) : 0;
  return uint64_t(op == RuleOp::DivideSigned ? dividend / divisor : dividend % divisor);
}

std::optional<uint64_t> shift(RuleOp op, uint64_t left, uint64_t right, unsigned bits) {
  if (right >= bits)
    return std::nullopt;
  if (op == RuleOp::ShiftLeft)
    return left << right;
  return op == RuleOp::ShiftRightUnsigned ? left >> right : uint64_t(asSigned(left, bits) >> right);
}

/// Computes an operation of two numbers of `bits`.
std::optional<uint64_t> compute(RuleOp op, uint64_t left, uint64_t right, unsigned bits) {
  switch (op) {
  case RuleOp::Add:
    return left + right;
  case RuleOp::Subtract:
    return left - right;
  case RuleOp::Multiply:
    return left * right;
  case RuleOp::And:
    return left & right;
  case RuleOp::Or:
    return left | right;
  case RuleOp::Xor:
    return left ^ right;
  case RuleOp::Equal:
    return left == right;
  case RuleOp::LessUnsigned:
    return left < right;
  case RuleOp::LessSigned:
    return asSigned(left, bits) < asSigned(right, bits);
  case RuleOp::ShiftLeft:
  case RuleOp::ShiftRightUnsigned:
  case RuleOp::ShiftRightSigned:
    return shift(op, left, right, bits);
  default:
    return divide(op, left, right, bits);
  }
}

/// Evaluates a step; `done` are the results of all earlier ones.
std::optional<uint64_t> evaluate(const LaunchRule &rule, const RuleStep &step,
                                 std::span<const std::optional<uint64_t>> done,
                                 const LaunchExtents &given, void *const *arguments) {
  switch (step.op) {
  case RuleOp::Constant:
    return step.value;
  case RuleOp::Given:
    return given[step.first];
  case RuleOp::Argument:
    return readArgument(step, arguments);
  case RuleOp::Select:
    return done[step.first] ? done[*done[step.first] ? step.second : step.third] : std::nullopt;
  default:
    break;
  }
  std::optional<uint64_t> left = done[step.first];
  if (!left || step.op == RuleOp::Resize)
    return left;
  unsigned bits = rule.steps[step.first].bits;
  if (step.op == RuleOp::ExtendSigned)
    return uint64_t(asSigned(*left, bits));
  std::optional<uint64_t> right = done[step.second];
  return right ? compute(step.op, *left, *right, bits) : std::nullopt;
}

bool isArgument(const RuleStep &step, std::span<const uint32_t> parameterBytes) {
  return step.bits % 8 == 0 && step.first < parameterBytes.size() &&
         uint64_t(step.second) + step.bits / 8 <= parameterBytes[step.first];
}

} // namespace

const char *findWrong(const LaunchRule &rule, std::span<const uint32_t> parameterBytes) {
  if (rule.steps.size() > mostRuleSteps)
    return "it has too many steps";
  for (uint32_t index = 0; index < rule.steps.size(); ++index) {
    const RuleStep &step = rule.steps[index];
    if (uint8_t(step.op) >= ruleOps || step.bits == 0 || step.bits > 64)
      return "it has an unknown step";
    if (step.op == RuleOp::Given && step.first >= launchExtents)
      return "it reads an extent that no launch has";
    if (step.op == RuleOp::Argument && !isArgument(step, parameterBytes))
      return "it reads an argument that the kernel does not have";
    const uint32_t operands[] = {step.first, step.second, step.third};
    for (unsigned i = 0; i < operandsOf(step.op); ++i)
      if (operands[i] >= index)
        return "a step needs a later one";
  }
  if (rule.results.size() != launchExtents && !rule.saysOriginal())
    return "it does not have all extents of a launch";
  for (uint32_t result : rule.results)
    if (result >= rule.steps.size())
      return "a result is no step";
  return nullptr;
}

void setClusters(LaunchRule &rule, bool ofOriginal, const std::array<uint32_t, 3> &blocks) {
  size_t first = (ofOriginal ? launchExtents : 0) + clusterExtents;
  for (size_t d = 0; d < blocks.size(); ++d) {
    rule.results[first + d] = uint32_t(rule.steps.size());
    rule.steps.push_back({.op = RuleOp::Constant, .value = blocks[d]});
  }
}

uint64_t readArgument(const RuleStep &step, void *const *arguments) {
  uint64_t value = 0;
  std::memcpy(&value, static_cast<const char *>(arguments[step.first]) + step.second,
              step.bits / 8);
  return value;
}

std::optional<std::vector<uint64_t>> evaluate(const LaunchRule &rule, const LaunchExtents &given,
                                              void *const *arguments) {
  std::vector<std::optional<uint64_t>> done;
  done.reserve(rule.steps.size());
  for (const RuleStep &step : rule.steps) {
    std::optional<uint64_t> value = evaluate(rule, step, done, given, arguments);
    done.push_back(value ? std::optional(masked(*value, step.bits)) : std::nullopt);
  }
  std::vector<uint64_t> results;
  for (uint32_t result : rule.results) {
    if (!done[result])
      return std::nullopt;
    results.push_back(*done[result]);
  }
  return results;
}

} // namespace regrain
