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

// The outer condition decides whether the inner one may be evaluated: otherwise it may be poison.
// CHECK-LABEL: grain.kernel @nested
// CHECK: scf.if %{{.*}} {
// CHECK: scf.if

grain.kernel @nested(%p: !llvm.ptr, %outer: i1, %inner: i1) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.if %outer {
        scf.if %inner {
          llvm.store %tx, %p : i32, !llvm.ptr
        }
      }
    }
  }
  grain.return
}

// A loop that runs once keeps its hint to itself.
// CHECK-LABEL: grain.kernel @once
// CHECK: scf.for

grain.kernel @once(%p: !llvm.ptr) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.for %i = %zero to %one step %one : i32 {
        llvm.store %i, %p : i32, !llvm.ptr
      }
    }
  }
  grain.return
}
