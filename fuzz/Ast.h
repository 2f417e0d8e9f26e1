//===- Ast.h - The fuzzer's kernels -----------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel is a tree of statements and typed expressions, small enough that its
// rules can be checked (Rules.h). Every access to memory names the owner of its
// target, so that the tree alone can rule out races.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace regrain::fuzz {

enum class Type : uint8_t { U32, U64, F32 };

/// The threads that agree on a value, or on reaching a point.
enum class Level : uint8_t { Block, Warp, Thread };

enum class ExprKind : uint8_t {
  Literal,
  Variable,      ///< id is an index into Kernel.variables
  Builtin,       ///< id is a Builtin
  Argument,      ///< id is the number of the scalar argument
  ArgumentTable, ///< an element of the by-value struct's array, at operand 0
  Constant, ///< an element of a __constant__ array, of a __managed__ one if id is 1, at operand 0
  Input,    ///< an element of the read-only buffer, at operand 0
  Own,      ///< the thread's own result slot at operand 0, otherwise number id
  Element,  ///< the current element of the grid-stride loop
  LocalElement, ///< of local array id, at operand 0
  SharedOwn, ///< of shared array id, the thread's own element at operand 0, otherwise the first one
  SharedAny, ///< of shared array id, at operand 0: an index into it, or any number
  Unary,     ///< op of operand 0
  Binary,    ///< op of operands 0 and 1
  Select,    ///< operand 0 ? operand 1 : operand 2
  Convert,   ///< operand 0 to the type
  Call,      ///< function id of the operands
  Disguise,  ///< operand 0, written so that a compiler cannot determine which threads agree on it
};

enum class Builtin : uint8_t {
  ThreadX,
  ThreadY,
  ThreadZ,
  BlockX,
  BlockY,
  BlockZ,
  ThreadsX,
  ThreadsY,
  ThreadsZ,
  BlocksX,
  BlocksY,
  BlocksZ,
  Tid,     ///< linear in the block
  BlockId, ///< linear in the grid
  Gid,     ///< linear in the grid
  WarpId,  ///< tid / 32
  Lane,    ///< tid % 32
  Live,    ///< number of threads of the block that passed the kernel's own guard
  Size,    ///< the scalar n
};
inline constexpr unsigned builtinCount = 19;

enum class Op : uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  And,
  Or,
  Xor,
  Shl,
  Shr, // on unsigned numbers
  AShr,
  SMin,
  UMax, // only for U32
  Less,
  SLess,
  Equal,
  Both,
  Either, // results are 0 or 1
  Not,
  Popc,
  Reverse,
  LeadingZeros, // unary operations
  Fma,          // F32: operand 0 * operand 1 + operand 1
  Quotients,    // of words that become numbers: three by one divisor, and a root
  HalfSum,      // of words that become numbers of 16 bits
  HalfProduct,  // and a sum
  BfloatSum,
  PairFma, // two numbers at a time
  // Of words that become numbers: sums, in branches of a loop, with a product of its own block.
  RealSpread,
  HalfSpread,
  BfloatSpread,
};

struct Expr {
  ExprKind kind = ExprKind::Literal;
  Type type = Type::U32;
  Op op = Op::Add;
  uint32_t id = 0;
  uint64_t value = 0;
  std::vector<Expr> operands;
};

enum class StmtKind : uint8_t {
  Declare,      ///< variable id = expr, or without an initial value
  DeclareIndex, ///< variable id = expr 0, but at least expr 1 and at most expr 2
  Assign,       ///< variable id = expr
  StoreOwn,     ///< result slot id, or at expr 1, = expr 0
  AtomicOwn,    ///< variable aux = atomicAdd(result slot id, expr)
  StoreElement, ///< the current element of the grid-stride loop = expr
  StoreLocal,   ///< local array id [expr 0] = expr 1
  FillShared,   ///< shared array id: every element, each by its owner, from expr
  StoreShared,  ///< shared array id: first own element, or the one at expr 1, = expr 0
  LeaderStore,  ///< shared array id [expr 0] = expr 1, by thread 0
  AtomicShared, ///< shared array id [expr 0] op= expr 1
  AtomicGlobal, ///< counters of operation aux [expr 0] op= expr 1
  AtomicVector, ///< float2 or float4 at the end of the floats, or half2 in result slot id, selected
                ///< by aux, += expr
  Barrier,      ///< aux: its notation
  BarrierVote,  ///< variable id = __syncthreads_{count,and,or}(expr), selected by aux
  WarpSync,
  WarpExchange, ///< variable id = exchange aux of expr 0 by expr 1
  WarpVote,     ///< variable id = vote aux of expr
  Fence,
  TreeReduce,      ///< shared array id, operation aux, over the live threads
  RecordExchange,  ///< variable id = a word of the thread's record, after copies that aux selects;
                   ///< expr 0 goes to a part of a record, expr 1 selects a record
  ElementExchange, ///< variable id = elements of an array that threads fill from expr 0 and
                   ///< exchange in the way that aux selects; expr 1 is a condition
  If,              ///< blocks: then, else
  For,             ///< variable id from 0 to expr % limit; aux: its notation; without expr to the
                   ///< smaller of n and limit, which is at least 1
  While,           ///< variable id from expr % limit down to 0; aux: its notation
  GridStride,      ///< variable id over the thread's elements
  Switch,          ///< on expr; one block for each case; aux: cases that fall through
  Break,           ///< if expr
  Continue,        ///< if expr
  Return,          ///< if expr
};

/// Exchanges below the first number are shuffles; the others are those of cooperative groups.
inline constexpr uint32_t firstGroupExchange = 8, exchangeCount = 20;
/// The exchange that multiplies matrices.
inline constexpr uint32_t matrixExchange = exchangeCount;
inline constexpr uint32_t vectorAtomics = 3; ///< of AtomicVector

struct Stmt {
  StmtKind kind = StmtKind::Barrier;
  uint32_t id = 0;
  uint32_t aux = 0;
  uint32_t limit = 1;         ///< of a loop's trip count
  Level level = Level::Block; ///< of a branch or loop: the threads that agree on the path
  std::vector<Expr> exprs;
  std::vector<std::vector<Stmt>> blocks;
};

struct Variable {
  Type type = Type::U32;
  Level level = Level::Thread;
  bool isFlag = false; ///< a U32 that is 0 or 1
  std::optional<uint32_t> indexOf =
      std::nullopt; ///< the shared array for which it is an element's number
};

enum class Storage : uint8_t { Static, Dynamic, Global };

/// Memory of a block; each thread owns element tid + i * threads.
struct SharedArray {
  Type type = Type::U32;
  Storage storage = Storage::Static;
  uint32_t perThread = 1;
  bool isVolatile = false;
  uint32_t operation = 0; ///< operation of its atomics
};

struct LocalArray {
  uint32_t size = 4;
  bool inStruct = false;
};

/// A device function of U32 parameters that computes one expression.
struct Function {
  uint32_t parameters = 2;
  bool isInline = true;
  Expr body; ///< Argument id refers to parameter id
};

struct Shape {
  std::array<uint32_t, 3> grid = {1, 1, 1};
  std::array<uint32_t, 3> block = {32, 1, 1};
  uint32_t threads() const { return block[0] * block[1] * block[2]; }
  uint32_t blocks() const { return grid[0] * grid[1] * grid[2]; }
};

/// The form in which a kernel excludes threads without work.
enum class Guard : uint8_t {
  None,
  Return, ///< if (gid >= n) return;
  Branch, ///< if (gid < n) { ... }
};

/// What a kernel does with its by-value struct.
enum class Passing {
  Copied,       ///< it reads members
  Written,      ///< a function writes to the table, what was there before
  GridConstant, ///< it is a __grid_constant__, and a function reads the table by its address
};

struct Kernel {
  uint64_t seed = 0;
  Shape shape;
  uint32_t size = 1; ///< the argument n: elements of the grid-stride loops, bound of the guard
  std::array<uint32_t, 2> arguments = {1, 1};
  unsigned dimensions = 1; ///< that the code uses
  Guard guard = Guard::None;
  bool literalThreads = false; ///< block size written as a number
  bool hasLaunchBounds = false;
  bool hasRestrict = false;
  Passing passing = Passing::Copied;
  std::vector<Variable> variables;
  std::vector<SharedArray> shared;
  std::vector<LocalArray> local;
  std::vector<Function> functions;
  std::optional<uint32_t> record = std::nullopt; ///< the form of the records, if there are any
  bool hasVectors = false;                       ///< floats are added by AtomicVector
  std::vector<Stmt> body;
};

inline constexpr uint32_t resultSlots = 4;      ///< U32 of one thread
inline constexpr uint32_t inputElements = 256;  ///< size of the read-only buffer
inline constexpr uint32_t tableElements = 8;    ///< size of the constant and of the by-value table
inline constexpr uint32_t atomicOperations = 6; ///< add, min, max, and, or, xor
inline constexpr uint32_t countersEach = 8;     ///< for each atomic operation

/// Returns the number of elements of a shared array of `kernel`.
inline uint32_t elementsOf(const Kernel &kernel, const SharedArray &array) {
  return kernel.shape.threads() * array.perThread;
}
inline uint32_t bytesOf(Type type) { return type == Type::U64 ? 8 : 4; }

} // namespace regrain::fuzz
