//===- Program.h - A decoded device module ----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions are sequences of steps whose operands are numbers: registers of the
// frame from 0 upwards, constants below 0. If a step cannot be executed, this is
// determined here and reported when the step is reached.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "interpreter/AddressSpaces.h"
#include "interpreter/Convergence.h"
#include "interpreter/DeviceMemory.h"
#include "interpreter/Values.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include <functional>
#include <memory>
#include <optional>

namespace regrain {

class Machine;
struct Thread;
struct FunctionCode;
struct Step;

/// Executes a call of a function without a body, or an instruction on wide
/// integers; returns false on a fault.
using Builtin = std::function<bool(Machine &, Thread &, const Step &)>;

/// Parallel copies of a sequence of registers.
struct Move {
  int32_t to, from;
  unsigned count;
};

struct Step {
  const llvm::Instruction *instruction = nullptr;
  llvm::SmallVector<int32_t, 4> operands; ///< the first scalar of each
  int32_t result = -1;
  llvm::SmallVector<Leaf, 1> leaves; ///< of the result, or of the stored value
  llvm::SmallVector<unsigned, 2> targets;
  int64_t offset = 0; ///< getelementptr: the constant part
  struct Scaled {
    int32_t index;
    unsigned width;
    int64_t scale;
  };
  llvm::SmallVector<Scaled, 2> scaled;
  Builtin builtin;         ///< the implementation of a call or of an operation on wide integers
  std::string unsupported; ///< why it cannot be executed
};

struct StepBlock {
  std::vector<Step> steps;
  llvm::DenseMap<unsigned, std::vector<Move>> moves; ///< by predecessor
};

struct FunctionCode {
  const llvm::Function *function = nullptr;
  unsigned registers = 0;
  std::vector<StepBlock> blocks;
  llvm::SmallVector<int32_t, 4> arguments;
  std::optional<ProgramOrder> order; ///< if lanes meet by the place that they have reached
};

inline constexpr uint64_t functionWindow = 0x3000'0000'0000;

class Program {
public:
  /// Variables are looked up in `memory`.
  Program(const llvm::Module &module, const DeviceMemory &memory, uint64_t dynamicSharedBytes);

  /// Returns the code of `function`, which the first call decodes.
  const FunctionCode &get(const llvm::Function &function);

  /// Returns the function at an address; null if there is none.
  const llvm::Function *at(uint64_t address) const;

  /// Returns a scalar of a constant.
  Scalar constant(int32_t operand, unsigned index) const { return constants[~operand + index]; }

  /// Gives the scalars of a constant; returns false for an unknown type or
  /// expression.
  [[nodiscard]] bool evaluate(const llvm::Constant &constant, llvm::SmallVectorImpl<Scalar> &out);

  /// Returns new shared memory for a block.
  std::vector<MemoryRegion> sharedMemory() const;

  /// Returns a variable that is used and has no memory; empty if all have.
  const std::string &missingVariable() const { return missing; }

  const llvm::DataLayout &layout() const { return dataLayout; }
  const AddressSpaces &spaces() const { return addressSpaces; }
  uint64_t dynamicShared() const { return dynamicBytes; }
  /// Returns the bytes of shared memory before the dynamic part.
  uint64_t staticShared() const { return staticBytes; }

private:
  friend class Decoder;
  int32_t constantSlot(const llvm::Constant &constant);
  bool evaluateExpression(const llvm::ConstantExpr &expression, llvm::SmallVectorImpl<Scalar> &out);
  bool castAddress(const llvm::ConstantExpr &cast, Scalar from, llvm::SmallVectorImpl<Scalar> &out);
  std::optional<uint64_t> addressOf(const llvm::GlobalValue &value);
  void layOutShared(const llvm::Module &module);

  const DeviceMemory &memory;
  const llvm::DataLayout &dataLayout;
  AddressSpaces addressSpaces;
  uint64_t dynamicBytes, staticBytes = 0;
  std::vector<Scalar> constants;
  llvm::DenseMap<const llvm::Constant *, int32_t> slots;
  llvm::DenseMap<const llvm::GlobalValue *, uint64_t> addresses;
  std::vector<std::pair<uint64_t, uint64_t>> shared; ///< flat address, size
  std::vector<const llvm::Function *> functions;
  llvm::DenseMap<const llvm::Function *, std::unique_ptr<FunctionCode>> decoded;
  std::string missing;
};

/// Returns the implementation of calls of `callee`, which has no body; empty if
/// there is none.
Builtin findBuiltin(const llvm::CallBase &call, llvm::StringRef name);

/// Does the same for inline assembly.
Builtin findAssembly(const llvm::CallBase &call);

/// Returns the kernel's parameter whose address a text computes, as in KeptParameters. The call has
/// no operand; it gets that parameter.
std::optional<unsigned> parameterNamedBy(const llvm::CallBase &call);

} // namespace regrain
