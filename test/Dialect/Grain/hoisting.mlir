// RUN: regrain-opt %s --loop-invariant-code-motion | FileCheck %s

// Values that are the same for all iterations leave the nests; barriers,
// accesses and registers of the running thread stay.

// CHECK-LABEL: grain.kernel @hoist
// CHECK: %[[SIZE:.*]] = grain.grid_size x
// CHECK: arith.addi %[[SIZE]]
// CHECK: grain.blocks (%[[BX:[^,]*]],
// CHECK: arith.addi %[[BX]]
// CHECK: grain.threads (%[[TX:[^,]*]],
// CHECK-NEXT: llvm.load
// CHECK-NEXT: grain.barrier
// CHECK-NEXT: nvvm.read.ptx.sreg.laneid
grain.kernel @hoist(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %old = llvm.load %p : !llvm.ptr -> i32
      grain.barrier (%tx, %ty, %tz)
      %lane = nvvm.read.ptx.sreg.laneid : i32
      %gx = grain.grid_size x
      %more = arith.addi %gx, %n : i32
      %block = arith.addi %bx, %more : i32
      %mine = arith.addi %tx, %block : i32
      %both = arith.addi %mine, %lane : i32
      %sum = arith.addi %both, %old : i32
      llvm.store %sum, %p : i32, !llvm.ptr
    }
  }
  grain.return
}
