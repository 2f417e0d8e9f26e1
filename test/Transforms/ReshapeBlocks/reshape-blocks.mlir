// RUN: regrain-opt %s --grain-reshape-blocks="shape=128,1,2" --canonicalize --cse | FileCheck %s

// Computations that only use the index of the launch need no division.

// CHECK-LABEL: grain.kernel @index
grain.kernel @index(%p: !llvm.ptr, %value: i32) {
  // CHECK: grain.blocks (%[[BX:[^,]*]], %{{.*}}, %[[BZ:[^)]*]]) {
  grain.blocks (%bx, %by, %bz) {
    // CHECK: grain.threads (%[[PX:[^,]*]], %{{.*}}, %[[PZ:[^)]*]]) attributes {shape = array<i32: 128, 1, 2>} {
    grain.threads (%tx, %ty, %tz) {
      // CHECK-NOT: arith.divui
      // CHECK: %[[START:.*]] = arith.muli %[[BX]], %c128_i32
      // CHECK: %[[INDEX:.*]] = arith.addi %[[START]], %[[PX]]
      // CHECK: %[[TOTAL:.*]] = arith.muli
      // CHECK: arith.cmpi ult, %[[INDEX]], %[[TOTAL]]
      // CHECK: scf.if %{{.*}} {
      // CHECK-NEXT: getelementptr %{{.*}}[%[[INDEX]]]
      %size = grain.block_size x
      %start = arith.muli %size, %bx : i32
      %i = arith.addi %tx, %start : i32
      %slot = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %value, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}

// Otherwise the program's coordinates are computed; stack memory stays at the top.

// CHECK-LABEL: grain.kernel @coordinates
grain.kernel @coordinates(%p: !llvm.ptr) {
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // CHECK: %[[BLOCK:.*]] = arith.divui %[[INDEX:.*]], %[[SIZE:.*]] :
      // CHECK: %[[THREAD:.*]] = arith.remui %[[INDEX]], %[[SIZE]] :
      // CHECK: llvm.alloca
      // CHECK: scf.if
      // CHECK: llvm.store %[[BLOCK]]
      // CHECK: llvm.store %[[THREAD]]
      %own = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
      llvm.store %bx, %own : i32, !llvm.ptr
      llvm.store %tx, %p : i32, !llvm.ptr
    }
  }
  grain.return
}
