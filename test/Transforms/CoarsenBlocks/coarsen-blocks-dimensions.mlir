// RUN: regrain-opt %s --grain-coarsen-blocks="factors=2,1,3" --canonicalize --cse | FileCheck %s

// All of the joined blocks must exist in both dimensions; the edge decomposes
// its number, x fastest.

// CHECK-LABEL: grain.kernel @two
grain.kernel @two(%p: !llvm.ptr) {
  // CHECK: grain.blocks (%[[BX:[^,]*]], %[[BY:[^,]*]], %[[BZ:[^)]*]]) factors [2, 1, 3] attributes {edges = array<i1: true, false, true>} {
  grain.blocks (%bx, %by, %bz) {
    // CHECK: %[[X1:.*]] = arith.addi %[[BX]], %c1_i32
    // CHECK: %[[Z1:.*]] = arith.addi %[[BZ]], %c1_i32
    // CHECK: %[[Z2:.*]] = arith.addi %[[BZ]], %c2_i32
    // CHECK: arith.cmpi ult, %[[X1]], %{{.*}}
    // CHECK: arith.cmpi ult, %[[Z2]], %{{.*}}
    // CHECK: %[[ALL:.*]] = arith.andi
    grain.threads (%tx, %ty, %tz) {
      // CHECK: scf.if %[[ALL]] {
      // CHECK-COUNT-6: llvm.store
      // CHECK: } else {
      // CHECK: scf.for %[[K:.*]] = %c0_i32 to %c6_i32
      // CHECK: arith.remui %[[K]], %c2_i32
      // CHECK: %[[Z:.*]] = arith.divui %[[K]], %c2_i32
      // CHECK: arith.addi %[[BZ]], %[[Z]]
      // CHECK: scf.if
      // CHECK-COUNT-1: llvm.store
      // CHECK-NOT: llvm.store
      %at = arith.muli %bx, %bz : i32
      %slot = llvm.getelementptr %p[%at] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %by, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}
