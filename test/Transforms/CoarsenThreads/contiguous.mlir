// RUN: regrain-opt %s --grain-coarsen-threads="factors=1,4,1 contiguous" --canonicalize --cse --verify-diagnostics | FileCheck %s

// A launched thread runs four neighbours in y: 4 * y, 4 * y + 1, ...

// CHECK-LABEL: grain.kernel @neighbours
grain.kernel @neighbours(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    // CHECK: grain.threads (%[[TX:[^,]*]], %[[TY:[^,]*]], %{{.*}}) factors [1, 4, 1] attributes {contiguous} {
    grain.threads (%tx, %ty, %tz) {
      // CHECK-NEXT: %[[Y0:.*]] = arith.muli %[[TY]], %c4_i32
      // CHECK-NEXT: %[[Y1:.*]] = arith.addi %[[Y0]], %c1_i32
      // CHECK-NEXT: %[[Y2:.*]] = arith.addi %[[Y0]], %c2_i32
      // CHECK-NEXT: %[[Y3:.*]] = arith.addi %[[Y0]], %c3_i32
      // CHECK: llvm.getelementptr %{{.*}}[%[[Y0]]]
      // CHECK: llvm.getelementptr %{{.*}}[%[[Y1]]]
      // CHECK: llvm.getelementptr %{{.*}}[%[[Y2]]]
      // CHECK: llvm.getelementptr %{{.*}}[%[[Y3]]]
      // CHECK-COUNT-4: llvm.store %[[TX]]
      // CHECK-NOT: llvm.store
      %slot = llvm.getelementptr %p[%ty] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %tx, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}

llvm.func @nvvm.shfl.sync(i32, i32) -> i32 attributes {grain.callee = #grain.callee<exchange, convergence = warp>, convergent, memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = readwrite>}

// The lanes of a warp would no longer be adjacent.

// CHECK-LABEL: grain.kernel @lanes
// CHECK-NOT: factors
grain.kernel @lanes(%p: !llvm.ptr, %lane: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{coarsen-threads: a warp operation needs the lanes of a warp to be neighbouring threads}}
      %other = llvm.call @nvvm.shfl.sync(%tx, %lane) : (i32, i32) -> i32
      llvm.store %other, %p : i32, !llvm.ptr
    }
  }
  grain.return
}
