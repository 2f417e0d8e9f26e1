// RUN: regrain-opt %s --grain-clean-up | FileCheck %s

// Repeated computations are merged, and constants are folded.
// CHECK-LABEL: grain.kernel @twice
// CHECK: grain.threads
// CHECK: %[[SUM:.*]] = arith.addi
// CHECK-NOT: arith.addi
// CHECK: llvm.store %[[SUM]]
// CHECK: llvm.store %[[SUM]]

grain.kernel @twice(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %two = arith.constant 2 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %unused = arith.addi %two, %two : i32
      %a = arith.addi %tx, %n : i32
      %b = arith.addi %tx, %n : i32
      llvm.store %a, %p : i32, !llvm.ptr
      llvm.store %b, %q : i32, !llvm.ptr
    }
  }
  grain.return
}
