// RUN: regrain-opt %s --grain-reshape-blocks="shape=32,4,2 slices=2" --canonicalize --cse | FileCheck %s
// RUN: not regrain-opt %s --grain-reshape-blocks="shape=32,4,2 slices=3" 2>&1 | FileCheck %s --check-prefix=RANGE

// Where the program's blocks have one thread, a block's number is that of a thread.

// RANGE: error: expects slices= with the dimensions 0, 1 and 2

// CHECK-LABEL: grain.kernel @planes
// CHECK: grain.blocks (%{{.*}}, %[[BY:[^,]*]], %[[BZ:[^)]*]]) {
// CHECK: grain.threads (%{{.*}}, %[[PY:[^,]*]], %[[PZ:[^)]*]]) attributes {shape = array<i32: 32, 4, 2>} {
// CHECK: %[[SIZE:.*]] = grain.block_size y
// CHECK: %[[ROW:.*]] = arith.divui %{{.*}}, %[[SIZE]]
// CHECK: %[[DEPTH:.*]] = grain.grid_size z
// CHECK: %[[START:.*]] = arith.muli %[[BZ]], %c2_i32
// CHECK: %[[PLANE:.*]] = arith.addi %[[START]], %[[PZ]]
// CHECK: arith.cmpi ult, %[[PLANE]], %[[DEPTH]]
// CHECK-NOT: arith.divui
// CHECK: llvm.store %[[ROW]]
// CHECK: llvm.store %[[PLANE]]
// CHECK: grain.return
grain.kernel @planes(%p: !llvm.ptr, %q: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      llvm.store %by, %p : i32, !llvm.ptr
      llvm.store %bz, %q : i32, !llvm.ptr
    }
  }
  grain.return
}
