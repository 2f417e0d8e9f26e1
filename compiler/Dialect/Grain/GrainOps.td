//===- GrainOps.td - The parallel nest of a kernel ---------*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_DIALECT_GRAIN_OPS
#define REGRAIN_DIALECT_GRAIN_OPS

include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Grain_Dialect : Dialect {
  let name = "grain";
  let cppNamespace = "::regrain::grain";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let summary = "A kernel as one parallel nest: blocks, shared memory, threads, barriers";
  let description = [{
    A kernel is a loop nest over the blocks of the launch. It contains allocations of shared memory
    and a loop nest over the threads of a block. That contains the code of one thread (scf, arith,
    llvm), with barriers that name the loops they synchronise. A *grain* is a schedule of the nest:
    `factors` on a loop says how many iterations of the program's launch one iteration of the loop
    runs.

    ```mlir
    grain.kernel @scale(%p: !llvm.ptr, %n: i32) {
      grain.blocks (%bx, %by, %bz) {
        %tile = grain.shared "tile" : !llvm.array<256 x f32> align 4
        grain.threads (%tx, %ty, %tz) {
          ...
          grain.barrier (%tx, %ty, %tz)
          ...
        }
      }
    }
    ```
  }];
}

// Calls

class Grain_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::regrain::grain";
  let genSpecializedAttr = 0;
}

def Grain_Convergence : Grain_Enum<"Convergence", "what an operation asks of the threads that run it", [
  I32EnumAttrCase<"None", 0, "none">,        // nothing: each thread runs it for itself
  I32EnumAttrCase<"Warp", 1, "warp">,        // the lanes of a warp run it together, or it names a lane
  I32EnumAttrCase<"Unknown", 2, "unknown">]>; // it may synchronise in ways that no grain but the original keeps

def Grain_CalleeKind : Grain_Enum<"CalleeKind", "what a called function stands for", [
  I32EnumAttrCase<"Unknown", 0, "unknown">,
  I32EnumAttrCase<"Function", 1, "function">,           // a device function that is not inlined
  I32EnumAttrCase<"PlainFunction", 17, "plain_function">, // such a function that no other thread takes part in
  I32EnumAttrCase<"Math", 2, "math">,                   // a function of CUDA's mathematical library
  I32EnumAttrCase<"Service", 3, "service">,             // printf, malloc, free, a failed assert
  I32EnumAttrCase<"Assembly", 4, "assembly">,           // inline PTX
  I32EnumAttrCase<"Instruction", 5, "instruction">,     // any instruction that none of the following names
  I32EnumAttrCase<"Register", 6, "register">,           // reads what a register of the running thread holds
  I32EnumAttrCase<"Clock", 7, "clock">,                 // reads the time
  I32EnumAttrCase<"Sleep", 8, "sleep">,                 // lets other threads run for a while
  I32EnumAttrCase<"Fence", 9, "fence">,                 // orders the thread's memory accesses for others
  I32EnumAttrCase<"Atomic", 10, "atomic">,              // an atomic operation on memory of any kind
  I32EnumAttrCase<"Copy", 11, "copy">,                  // copies or fills memory of any kind
  I32EnumAttrCase<"CachedLoad", 12, "cached_load">,     // loads what the launch does not write
  I32EnumAttrCase<"Exchange", 13, "exchange">,          // gives each lane an operand of another lane
  I32EnumAttrCase<"Vote", 14, "vote">,                  // combines operands of the lanes of a warp, for all alike
  I32EnumAttrCase<"Match", 18, "match">,                // combines operands of some lanes, who are told apart
  I32EnumAttrCase<"Matrix", 15, "matrix">,              // a matrix operation of a warp, on memory of any kind
  I32EnumAttrCase<"AddressQuery", 16, "address_query">]>; // asks in which memory a pointer lies

def Grain_CalleeAttr : AttrDef<Grain_Dialect, "Callee"> {
  let mnemonic = "callee";
  let summary = "What analyses may rely on of a function that kernels call";
  let description = [{
    The `grain.callee` of an `llvm.func`. The import attaches it if it knows what the function
    does, or the instruction that the function stands for; its memory effects are those of the
    function. A function without this attribute may do anything.

    ```mlir
    llvm.func @nvvm.shfl.sync.idx.i32(i32) -> i32
        attributes {grain.callee = #grain.callee<exchange, convergence = warp>}
    ```
  }];
  let parameters = (ins EnumParameter<Grain_CalleeKind>:$kind,
                        EnumParameter<Grain_Convergence>:$convergence);
  let assemblyFormat = "`<` $kind `,` `convergence` `=` $convergence `>`";
}

class Grain_Op<string mnemonic, list<Trait> traits = []> : Op<Grain_Dialect, mnemonic, traits>;

def Grain_Factors : ConfinedAttr<DenseI32ArrayAttr, [DenseArrayCount<3>, DenseArrayStrictlyPositive<DenseI32ArrayAttr>]> {
  let summary = "factors for x, y, z";
}

def Grain_DimensionX : I32EnumAttrCase<"X", 0, "x">;
def Grain_DimensionY : I32EnumAttrCase<"Y", 1, "y">;
def Grain_DimensionZ : I32EnumAttrCase<"Z", 2, "z">;
def Grain_Dimension : I32EnumAttr<"Dimension", "a dimension of the launch",
    [Grain_DimensionX, Grain_DimensionY, Grain_DimensionZ]> {
  let cppNamespace = "::regrain::grain";
}

def Grain_KernelOp : Grain_Op<"kernel", [
    IsolatedFromAbove, FunctionOpInterface, AutomaticAllocationScope]> {
  let summary = "A kernel: parameters and one nest over its blocks";
  let description = [{
    The body is one block that ends in `grain.return`. Besides the nest (or one
    `grain.alternatives` that contains nests) it may contain code that is the same for all blocks
    and has no side effect.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    llvm::ArrayRef<mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    llvm::ArrayRef<mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    mlir::Region *getCallableRegion() { return &getBody(); }
    /// The nest over the blocks, null where the kernel has been expanded into alternatives.
    BlocksOp blocks();
  }];
}

def Grain_ReturnOp : Grain_Op<"return", [Pure, HasParent<"KernelOp">, Terminator]> {
  let summary = "Ends a kernel";
  let assemblyFormat = "attr-dict";
}

def Grain_YieldOp : Grain_Op<"yield", [Pure, ReturnLike, Terminator,
    ParentOneOf<["BlocksOp", "ThreadsOp", "AlternativesOp"]>]> {
  let summary = "Ends the body of a nest or of an alternative";
  let assemblyFormat = "attr-dict";
}

def Grain_GridSizeOp : Grain_Op<"grid_size", [Pure]> {
  let summary = "The size of the program's launch in blocks, one dimension";
  let description = [{ What `gridDim` is in the source, whatever the grain. }];
  let arguments = (ins Grain_Dimension:$dimension);
  let results = (outs I32:$result);
  let assemblyFormat = "$dimension attr-dict";
  let hasFolder = 1;
}

def Grain_BlockSizeOp : Grain_Op<"block_size", [Pure]> {
  let summary = "The threads per block of the program's launch, one dimension";
  let description = [{ What `blockDim` is in the source, whatever the grain. }];
  let arguments = (ins Grain_Dimension:$dimension);
  let results = (outs I32:$result);
  let assemblyFormat = "$dimension attr-dict";
  let hasFolder = 1;
}

class Grain_NestOp<string mnemonic, list<Trait> traits> : Grain_Op<mnemonic,
    traits # [SingleBlockImplicitTerminator<"YieldOp">,
     DeclareOpInterfaceMethods<LoopLikeOpInterface, ["getLoopInductionVars", "moveOutOfLoop"]>]> {
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Grain_BlocksOp : Grain_NestOp<"blocks", []> {
  let summary = "The loop nest over the blocks of a launch";
  let description = [{
    Runs its body for blocks of the program's grid, in any order. The three arguments are i32
    coordinates. With factors (f, g, h) one iteration stands for the blocks x..x+f-1, y..y+g-1,
    z..z+h-1 and gets the lowest coordinates, which are multiples of the factors; the body must
    leave out those of its blocks that lie outside the grid. The body contains one `grain.threads`;
    the code beside it is the same for all threads.

    - `known_block`, `known_grid`: the program's block and grid of every launch that runs this nest;
      the runtime runs the original for other launches. Sizes fold to them.
    - `edges`: the dimensions in which the last iteration may stand for blocks outside the grid.
    - `remainder`: a launch runs the iterations from a given one on, and the body runs as in the
      whole nest.
  }];
  let arguments = (ins DefaultValuedAttr<Grain_Factors, "{1, 1, 1}">:$factors,
                       OptionalAttr<Grain_Factors>:$known_block,
                       OptionalAttr<Grain_Factors>:$known_grid,
                       OptionalAttr<ConfinedAttr<DenseBoolArrayAttr, [DenseArrayCount<3>]>>:$edges,
                       UnitAttr:$remainder);
  let extraClassDeclaration = [{
    /// The nest over the threads of a block.
    ThreadsOp threads();
    bool hasEdge(unsigned dimension) { return getEdges() && (*getEdges())[dimension]; }
    /// Returns the number of blocks before coarsening, if it is the same for every launch: the
    /// program's, or those into which its iteration space is reshaped.
    std::optional<int64_t> getKnownCount(unsigned dimension);
    /// Returns the number of iterations of the nest, if it is the same for every launch.
    std::optional<int32_t> getKnownIterations(unsigned dimension);
  }];
}

def Grain_ThreadsOp : Grain_NestOp<"threads", [HasParent<"BlocksOp">]> {
  let summary = "The loop nest over the threads of a block";
  let description = [{
    Runs its body for the threads of one block, concurrently. The three arguments are i32
    coordinates. With factors (f, g, h) the nest has block_size / factors iterations per dimension,
    and the iteration at x stands for the threads x + k * (block_size x / f), k in 0..f-1 (strided
    distribution, which keeps accesses of neighbouring threads adjacent). The factors divide the
    block size; the runtime runs the original for other launches.

    - `contiguous`: the iteration at x stands for x * f + k instead.
    - `fused` (f, g, h): the nest stands for f * g * h neighbouring blocks of the program side by
      side. It has block_size * fused / factors iterations per dimension, and the body derives the
      program's block and thread. The factors of the blocks around it are multiples of these.
    - `shape`: the nest has `shape` / factors iterations per dimension, whatever the program's block
      is, and as many blocks around it as are needed to cover grid_size * block_size threads per
      dimension. The body derives the program's coordinates and leaves out what lies outside.
    - `whole_warps`: the body relies on each launched warp standing for whole warps of the program;
      the runtime runs the original unless the width of the program's and of the launched block in x
      is a multiple of 32.
    - `bound`: the total number of iterations is at most this in every launch that runs the nest;
      the runtime runs the original for other launches.
  }];
  let arguments = (ins DefaultValuedAttr<Grain_Factors, "{1, 1, 1}">:$factors,
                       UnitAttr:$whole_warps, OptionalAttr<Grain_Factors>:$fused,
                       OptionalAttr<Grain_Factors>:$shape, UnitAttr:$contiguous,
                       OptionalAttr<ConfinedAttr<I32Attr, [IntPositive]>>:$bound);
  let extraClassDeclaration = [{
    /// Returns the number of neighbouring blocks of the program side by side; 1 if none are fused.
    int32_t getFusedIn(unsigned dimension) {
      auto fused = getFused();
      return fused ? (*fused)[dimension] : 1;
    }
    /// Returns the number of iterations of the nest, if it is the same for every launch.
    std::optional<int32_t> getKnownIterations(unsigned dimension);
  }];
}

def Grain_SharedOp : Grain_Op<"shared", [HasParent<"BlocksOp">]> {
  let summary = "Allocates shared memory for one block";
  let description = [{
    Each operation is an allocation of its own: copying it copies the memory. The contents are
    undefined at the start of the block. The string is the name of the variable in the source, for
    people to read.
  }];
  let arguments = (ins StrAttr:$name, TypeAttr:$type, I64Attr:$alignment);
  let results = (outs Res<LLVM_PointerInAddressSpace<3>, "", [MemAlloc]>:$result);
  let assemblyFormat = "$name `:` $type `align` $alignment attr-dict";
}

def Grain_LentOp : Grain_Op<"lent", [HasParent<"BlocksOp">]> {
  let summary = "Allocates global memory for one block";
  let description = [{
    Like `grain.shared`, but in memory that the launch is given, which has lentBytes
    (LentMemory.h) for each launched block. Each operation is an allocation of its own. The contents are undefined
    at the start of the block.
  }];
  let arguments = (ins StrAttr:$name, TypeAttr:$type, I64Attr:$alignment);
  let results = (outs Res<LLVM_PointerInAddressSpace<1>, "", [MemAlloc]>:$result);
  let assemblyFormat = "$name `:` $type `align` $alignment attr-dict";
}

def Grain_DynamicSharedOp : Grain_Op<"dynamic_shared", [HasParent<"BlocksOp">]> {
  let summary = "The dynamic shared memory of one block of the program";
  let description = [{
    All operations with the same `copy` denote the same memory. With block
    factors, copy k of n belongs to the k-th block of the iteration.
  }];
  let arguments = (ins StrAttr:$name, I64Attr:$alignment,
                       DefaultValuedAttr<I32Attr, "0">:$copy);
  let results = (outs Res<LLVM_PointerInAddressSpace<3>, "", [MemAlloc]>:$result);
  let assemblyFormat = "$name `align` $alignment (`copy` $copy^)? attr-dict";
}

def Grain_DynamicSharedSizeOp : Grain_Op<"dynamic_shared_size", [Pure]> {
  let summary = "The bytes from one copy of the dynamic shared memory to the next";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def Grain_BarrierOp : Grain_Op<"barrier", []> {
  let summary = "Waits for all iterations of the named loops";
  let description = [{
    The operands are arguments of the enclosing `grain.threads`. Memory accesses
    of all its threads before the barrier happen before those after it.
  }];
  let arguments = (ins Variadic<I32>:$loops);
  let assemblyFormat = "`(` $loops `)` attr-dict";
  let hasVerifier = 1;
}

def Grain_ReductionAnd : I32EnumAttrCase<"And", 0, "and">;
def Grain_ReductionOr : I32EnumAttrCase<"Or", 1, "or">;
def Grain_ReductionCount : I32EnumAttrCase<"Count", 2, "count">;
def Grain_Reduction : I32EnumAttr<"Reduction", "what a reducing barrier computes",
    [Grain_ReductionAnd, Grain_ReductionOr, Grain_ReductionCount]> {
  let cppNamespace = "::regrain::grain";
}

def Grain_BarrierReduceOp : Grain_Op<"barrier_reduce", []> {
  let summary = "A barrier that combines a predicate of all threads";
  let description = [{
    Stands for `__syncthreads_and`, `_or` and `_count`: the predicate is an i32 that is true if it
    is not zero; every thread gets the combined i32.
  }];
  let arguments = (ins Grain_Reduction:$kind, I32:$predicate, Variadic<I32>:$loops);
  let results = (outs I32:$result);
  let assemblyFormat = "$kind $predicate `(` $loops `)` attr-dict";
  let hasVerifier = 1;
}

def Grain_LoopHintOp : Grain_Op<"loop_hint", []> {
  let summary = "Carries the loop metadata of the innermost loop around it";
  let description = [{
    The operation stands in the body of a loop (for `scf.while` in either region), because loop
    operations of other dialects drop attributes when they are rewritten. Export moves the
    annotation to the loop's latch. One copy per loop suffices.
  }];
  let arguments = (ins AnyAttr:$annotation);
  let assemblyFormat = "$annotation attr-dict";
}

def Grain_AlternativesOp : Grain_Op<"alternatives", [HasParent<"KernelOp">,
    NoRegionArguments, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "The same computation at several grains";
  let description = [{
    Each region contains one nest over the blocks; all regions compute the same. `ids` are their
    canonical SPECs; the first is "original".

    ```mlir
    grain.alternatives "original" {
      grain.blocks (%bx, %by, %bz) {...}
    }, "block.x=2" {
      grain.blocks (%bx, %by, %bz) factors [2, 1, 1] {...}
    }
    ```
  }];
  let arguments = (ins StrArrayAttr:$ids);
  let regions = (region VariadicRegion<SizedRegion<1>>:$alternatives);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

#endif
