// RUN: regrain-opt %s --grain-coarsen-threads="factors=2,2,1 contiguous" --verify-diagnostics | FileCheck %s --check-prefix=KEPT
// RUN: regrain-opt %s --grain-coarsen-threads="factors=3,1,1 contiguous" --verify-diagnostics | FileCheck %s --check-prefix=KEPT
// RUN: regrain-opt %s --grain-coarsen-threads="factors=64,1,1 contiguous" --verify-diagnostics | FileCheck %s --check-prefix=KEPT

// Neighbours in other numbers, or in y, are not lanes of one warp.

llvm.func @nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32) -> i32 attributes {grain.callee = #grain.callee<exchange, convergence = warp>, convergent, memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = readwrite>}

// KEPT: grain.kernel @shuffle
// KEPT-NOT: factors
grain.kernel @shuffle(%p: !llvm.ptr) {
  %all = arith.constant -1 : i32
  %one = arith.constant 1 : i32
  %last = arith.constant 31 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %v = llvm.load %slot : !llvm.ptr -> i32
      // expected-remark@+1 {{coarsen-threads: a warp operation needs the lanes of a warp to be neighbouring threads}}
      %a = llvm.call @nvvm.shfl.sync.bfly.i32(%all, %v, %one, %last) : (i32, i32, i32, i32) -> i32
      llvm.store %a, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}
