// RUN: regrain-opt %s --grain-specialise="known=for.block=64x1x1,for.grid=10x7x1,for.arg1=2048,for.arg2=-5" --canonicalize | FileCheck %s
// RUN: regrain-opt %s --grain-specialise="known=for.block=64x1x1" --grain-fuse-blocks="factors=4,1,1" --grain-coarsen-threads="factors=8,1,1" --canonicalize --cse | FileCheck %s --check-prefix=THEN
// RUN: regrain-opt %s --grain-specialise="known=for.block=64x2x1" --grain-reshape-blocks="shape=128,1,1" --canonicalize --cse | FileCheck %s --check-prefix=RESHAPED

// Sizes and parameters are constants, inside and beside the nest; a single
// block or thread is the first; parameters keep their places.

// CHECK-LABEL: grain.kernel @sizes
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr, %{{.*}}: i32, %{{.*}}: i64)
// CHECK: grain.blocks (%[[BX:[^,]*]], %[[BY:[^,]*]], %{{[^)]*}}) attributes {known_block = array<i32: 64, 1, 1>, known_grid = array<i32: 10, 7, 1>} {
// CHECK: grain.threads (%[[TX:[^,]*]], %[[TY:[^,]*]], %[[TZ:[^)]*]]) {
// CHECK-NEXT: %[[START:.*]] = arith.muli %[[BX]], %c64_i32 : i32
// CHECK-NEXT: %[[I:.*]] = arith.addi %[[START]], %[[TX]] : i32
// CHECK-NEXT: %[[INSIDE:.*]] = arith.cmpi slt, %[[I]], %c2048_i32 : i32
// CHECK-NEXT: scf.if %[[INSIDE]] {
// CHECK-NEXT: %[[SLOT:.*]] = llvm.getelementptr %[[P]][%[[I]]]
// CHECK-NEXT: llvm.store %c7_i32, %[[SLOT]]
// CHECK-NEXT: llvm.store %c0_i32, %[[SLOT]]
// CHECK-NEXT: llvm.store %[[BY]], %[[SLOT]]
// CHECK-NEXT: llvm.store %c-5_i64, %[[SLOT]]
// CHECK: grain.barrier(%[[TX]], %[[TY]], %[[TZ]])

// Sizes that later steps need are known, too: four blocks of 64 threads are
// fused, and each of them has 8 threads of 8 elements at a distance of 8.

// THEN-LABEL: grain.kernel @sizes
// THEN: grain.blocks {{.*}} factors [4, 1, 1] attributes {known_block = array<i32: 64, 1, 1>}
// THEN-NOT: grain.block_size
// THEN: grain.threads (%[[TX:[^,]*]], {{.*}}) factors [8, 1, 1]
// THEN-DAG: %[[BLOCK:.*]] = arith.divui %[[TX]], %c8_i32
// THEN-DAG: %[[THREAD:.*]] = arith.remui %[[TX]], %c8_i32
// THEN: %[[START:.*]] = arith.muli %[[BLOCK]], %c64_i32 overflow<nsw, nuw>
// THEN: %[[FIRST:.*]] = arith.addi %[[THREAD]], %[[START]] overflow<nsw, nuw>
// THEN: arith.addi %[[FIRST]], %c8_i32 overflow<nsw, nuw>
// THEN-NOT: grain.block_size

grain.kernel @sizes(%p: !llvm.ptr, %n: i32, %wide: i64) {
  %grid = grain.grid_size y
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %size = grain.block_size x
      %start = arith.muli %size, %bx : i32
      %i = arith.addi %start, %tx : i32
      %inside = arith.cmpi slt, %i, %n : i32
      scf.if %inside {
        %slot = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        llvm.store %grid, %slot : i32, !llvm.ptr
        llvm.store %ty, %slot : i32, !llvm.ptr
        llvm.store %by, %slot : i32, !llvm.ptr
        llvm.store %wide, %slot : i64, !llvm.ptr
      }
      grain.barrier (%tx, %ty, %tz)
    }
  }
  grain.return
}

// A barrier whose condition the specialisation decides is no longer an obstacle.

// CHECK-LABEL: grain.kernel @decided
// CHECK: grain.threads
// CHECK-NEXT: llvm.store
// CHECK-NEXT: grain.barrier
// CHECK-NEXT: llvm.store
// CHECK-NEXT: }
grain.kernel @decided(%p: !llvm.ptr, %n: i32, %wide: i64) {
  %zero = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.cmpi eq, %ty, %zero : i32
      scf.if %first {
        llvm.store %tx, %p : i32, !llvm.ptr
        grain.barrier (%tx, %ty, %tz)
        llvm.store %bx, %p : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// The index of the launch is still recognised: there is no division by the known size.

// RESHAPED-LABEL: grain.kernel @index
// RESHAPED: grain.threads {{.*}} attributes {shape = array<i32: 128, 1, 1>} {
// RESHAPED-NOT: arith.divui
// RESHAPED-NOT: arith.remui
// RESHAPED: grain.return
grain.kernel @index(%p: !llvm.ptr, %value: i32, %wide: i64) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %size = grain.block_size x
      %start = arith.muli %size, %bx : i32
      %i = arith.addi %tx, %start : i32
      %slot = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %value, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}
