// RUN: regrain-opt %s --grain-expand-alternatives="specs=block.x=2;thread.x=2;block.x=2" --verify-diagnostics | FileCheck %s

// CHECK-LABEL: grain.kernel @both
// CHECK: grain.alternatives "original" {
// CHECK-NEXT: grain.blocks (%{{.*}}, %{{.*}}, %{{.*}}) {
// CHECK: }, "block.x=2" {
// CHECK: grain.blocks {{.*}} factors [2, 1, 1] attributes {edges = array<i1: true, false, false>} {
// CHECK: grain.threads (%{{.*}}, %{{.*}}, %{{.*}}) {
// CHECK: }, "thread.x=2" {
// CHECK: grain.blocks (%{{.*}}, %{{.*}}, %{{.*}}) {
// CHECK: grain.threads {{.*}} factors [2, 1, 1] {
// CHECK-NOT: }, "block.x=2" {
// CHECK: grain.return
grain.kernel @both(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %i = arith.addi %bx, %tx : i32
      %slot = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %n, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}

// Refused alternatives are omitted.

// CHECK-LABEL: grain.kernel @refused
// CHECK: grain.alternatives "original" {
// CHECK-NOT: "block.x=2"
// CHECK-NOT: "thread.x=2"
grain.kernel @refused(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      // expected-remark@+2 {{coarsen-threads: a barrier is in a loop}}
      // expected-remark@+1 {{coarsen-blocks: a barrier is in a loop}}
      scf.for %i = %zero to %tx step %one : i32 {
        grain.barrier (%tx, %ty, %tz)
        llvm.store %bx, %p : i32, !llvm.ptr
      }
    }
  }
  grain.return
}
