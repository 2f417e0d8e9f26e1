// RUN: regrain-opt %s --grain-fuse-blocks="factors=4,1,1" --grain-clean-up --grain-coarsen-threads="factors=8,1,1" \
// RUN:   --grain-clean-up | FileCheck %s
// RUN: regrain-opt %s --grain-fuse-blocks="factors=4,1,1" --grain-clean-up --grain-coarsen-threads="factors=3,1,1" \
// RUN:   --grain-clean-up | FileCheck %s --check-prefix=ACROSS

// Threads of fused blocks of a known size are joined with those of their own block: 32 apart in a block of 256, of which
// 32 launched threads are one. They have one block and one guard.

// CHECK-LABEL: grain.kernel @own
// CHECK: grain.threads (%[[X:[a-z0-9]+]],
// CHECK-NEXT: %[[PART:.*]] = arith.divui %[[X]], %c32_i32
// CHECK-NEXT: %[[THREAD:.*]] = arith.remui %[[X]], %c32_i32
// CHECK-NEXT: %[[START:.*]] = arith.muli %[[PART]], %c256_i32
// CHECK-NEXT: %[[FIRST:.*]] = arith.addi %[[THREAD]], %[[START]]
// CHECK: %[[NUMBER:.*]] = arith.divui %[[FIRST]], %c256_i32
// CHECK-NEXT: %[[BLOCK:.*]] = arith.addi %{{.*}}, %[[NUMBER]]
// CHECK-NEXT: %[[OWN:.*]] = arith.remui %[[FIRST]], %c256_i32
// CHECK-NEXT: arith.addi %[[OWN]], %c32_i32
// CHECK: arith.addi %[[OWN]], %c224_i32
// CHECK: arith.cmpi
// CHECK-NOT: arith.cmpi
// CHECK-COUNT-8: llvm.store %[[BLOCK]]
// CHECK: grain.return

// A factor that does not divide the blocks: as far apart as the launched block is wide.

// ACROSS-LABEL: grain.kernel @own
// ACROSS: grain.threads (%[[X:[a-z0-9]+]],
// ACROSS-NEXT: arith.addi %[[X]], %c341_i32
// ACROSS-NEXT: arith.addi %[[X]], %c682_i32
// ACROSS: grain.return
grain.kernel @own(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 256, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %bx, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}

// So are they in blocks of unknown size.

// CHECK-LABEL: grain.kernel @unknown
// CHECK: %[[SIZE:.*]] = grain.block_size x
// CHECK: %[[ALL:.*]] = arith.muli %[[SIZE]], %c4_i32
// CHECK: %[[STRIDE:.*]] = arith.divui %[[ALL]], %c8_i32
// CHECK: arith.addi %{{.*}}, %[[STRIDE]]
// CHECK: grain.return
grain.kernel @unknown(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %bx, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}

// Warps of the program stay whole: of a block of 128, there would be 16 launched threads, half a warp.

// CHECK-LABEL: grain.kernel @warps
// CHECK: grain.threads (%[[X:[a-z0-9]+]],
// CHECK-SAME: whole_warps
// CHECK-NEXT: arith.addi %[[X]], %c64_i32
// CHECK: grain.return
grain.kernel @warps(%p: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  %c31 = arith.constant 31 : i32
  %all = arith.constant -1 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 128, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %up = nvvm.shfl.sync up %all, %tx, %c1, %c31 : i32 -> i32
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %up, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}
