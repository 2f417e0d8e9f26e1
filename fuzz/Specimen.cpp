//===- Specimen.cpp - A random kernel of either kind ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Specimen.h"

#include "fuzz/Data.h"
#include "fuzz/Forms.h"
#include "fuzz/Generator.h"
#include "fuzz/LaunchWait.h"
#include "fuzz/Printer.h"
#include "fuzz/Random.h"
#include "fuzz/Reducer.h"
#include "fuzz/Walk.h"
#include "fuzz/cooperation/Generator.h"
#include "fuzz/patterns/Patterns.h"
#include <cstring>

namespace regrain::fuzz {

namespace {

template <typename T> std::vector<uint8_t> toBytes(const T &value) {
  std::vector<uint8_t> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

Task makeTask(const Kernel &kernel) {
  Task task;
  task.seed = kernel.seed;
  task.shape = kernel.shape;
  task.dynamicBytes = dynamicBytes(kernel);
  uint32_t number = 0;
  for (const Buffer &buffer : buffersOf(kernel)) {
    uint32_t before = displacement(kernel, number);
    std::vector<uint32_t> words(before + buffer.elements);
    for (uint32_t i = 0; i < buffer.elements; ++i)
      words[before + i] = initialBits(number, i);
    task.buffers.push_back({buffer.name, std::move(words), number == realBuffer});
    task.parameters.push_back({number++, before});
  }
  auto pass = [&](const auto &value) { task.parameters.push_back({{}, 0, toBytes(value)}); };
  pass(argumentOf(kernel));
  for (auto [parameter, value] : integerArguments(kernel)) {
    task.integers.push_back({parameter, value});
    pass(value);
  }
  LaunchWait start = launchWaitOf(kernel);
  task.awaitsLaunch = start.isAsked;
  task.hintsFollowWaits = start.mayHintBehind();
  task.dimensions = kernel.dimensions;
  task.sharesMemory = !kernel.shared.empty();
  for (const Variable &variable : kernel.variables)
    task.hasFlags |= variable.isFlag;
  walkBlocks(kernel.body, [&](const std::vector<Stmt> &block) {
    for (const Stmt &stmt : block)
      task.exchangesElements |= stmt.kind == StmtKind::ElementExchange;
  });
  return task;
}

Task makeTask(const cooperation::Program &program) {
  Task task;
  task.seed = program.plan.seed;
  task.shape = program.shape;
  task.dynamicBytes = program.dynamicBytes;
  for (const cooperation::Memory &memory : program.memory)
    task.buffers.push_back(
        {"memory" + std::to_string(task.buffers.size()), memory.contents(), false, memory.isExact});
  for (const cooperation::Parameter &parameter : program.parameters) {
    std::vector<uint8_t> bytes(parameter.words.size() * sizeof(uint32_t));
    std::memcpy(bytes.data(), parameter.words.data(), bytes.size());
    if (!parameter.memory && !parameter.isStruct)
      task.integers.push_back({uint32_t(task.parameters.size()), parameter.words.front()});
    task.parameters.push_back({parameter.memory, parameter.offset, std::move(bytes)});
  }
  task.mayWait = program.waits;
  task.grains = program.grains;
  task.isPattern = program.plan.isPattern;
  task.ordersByFences = program.ordersByFences;
  task.dimensions = program.dimensions;
  task.sharesMemory = program.hasShared;
  return task;
}

/// Calls the function of the same name for either kind.
template <typename OfKernel, typename OfProgram>
auto visit(const Specimen &specimen, OfKernel ofKernel, OfProgram ofProgram) {
  if (const Kernel *kernel = std::get_if<Kernel>(&specimen))
    return ofKernel(*kernel);
  return ofProgram(std::get<cooperation::Program>(specimen));
}

template <typename T> std::vector<Specimen> specimensOf(std::vector<T> forms) {
  return {std::make_move_iterator(forms.begin()), std::make_move_iterator(forms.end())};
}

} // namespace

Specimen drawSpecimen(uint64_t seed, const Shares &shares) {
  if (Random(seed ^ 0x6b696e64).percent(shares.cooperating))
    return cooperation::generate(seed);
  if (Random(seed ^ 0x666f726d73).percent(shares.patterns))
    return patterns::generate(seed);
  return generate(seed);
}

uint64_t seedOf(const Specimen &specimen) {
  return visit(
      specimen, [](const Kernel &kernel) { return kernel.seed; },
      [](const cooperation::Program &program) { return program.plan.seed; });
}

Task taskOf(const Specimen &specimen) {
  return std::visit([](const auto &kind) { return makeTask(kind); }, specimen);
}

std::string printPreludes() { return printPrelude() + cooperation::printPrelude(); }

std::string print(const Specimen &specimen, const std::string &name) {
  return std::visit([&](const auto &kind) { return print(kind, name); }, specimen);
}

std::string printProgram(const Specimen &specimen, const std::string &name) {
  return std::visit([&](const auto &kind) { return printProgram(kind, name); }, specimen);
}

unsigned kernelLineOf(const Specimen &specimen) {
  return std::holds_alternative<Kernel>(specimen) ? kernelLine() : cooperation::kernelLine();
}

std::set<std::string> formsOf(const Specimen &specimen) {
  return visit(
      specimen, [](const Kernel &kernel) { return formsOf(kernel); },
      [](const cooperation::Program &program) { return program.forms; });
}

std::string findWrong(const Specimen &specimen, const Contents &got) {
  auto *program = std::get_if<cooperation::Program>(&specimen);
  return program ? cooperation::findWrong(*program, got) : "";
}

std::vector<Specimen> smallerForms(const Specimen &specimen) {
  return std::visit([](const auto &kind) { return specimensOf(smallerForms(kind)); }, specimen);
}

} // namespace regrain::fuzz
