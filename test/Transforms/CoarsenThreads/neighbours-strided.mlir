// RUN: regrain-opt %s --grain-coarsen-threads="factors=4,1,1" --grain-clean-up | FileCheck %s

// Threads that are 32 apart in a block of 128 have one quotient by a multiple of 128, and remainders that are 32 apart.
// Divided by 8, they are 4 apart; what is left is the same for all.

// CHECK-LABEL: grain.kernel @apart
// CHECK: grain.threads
// CHECK-NEXT: %[[ROW:.*]] = arith.divui
// CHECK-NEXT: %[[REST:.*]] = arith.remui
// CHECK-NEXT: arith.addi %[[REST]], %c32_i32 overflow<nsw, nuw>
// CHECK-NEXT: arith.addi %[[REST]], %c64_i32 overflow<nsw, nuw>
// CHECK-NEXT: arith.addi %[[REST]], %c96_i32 overflow<nsw, nuw>
// CHECK-NEXT: %[[PART:.*]] = arith.divui %{{.*}}, %c8_i32
// CHECK-NEXT: arith.addi %[[PART]], %c4_i32 overflow<nsw, nuw>
// CHECK-NEXT: arith.addi %[[PART]], %c8_i32 overflow<nsw, nuw>
// CHECK-NEXT: arith.addi %[[PART]], %c12_i32 overflow<nsw, nuw>
// CHECK-NEXT: %[[LEFT:.*]] = arith.remui %{{.*}}, %c8_i32
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[ROW]], %[[LEFT]]
// CHECK-NOT: {{divui|remui}}
// CHECK-COUNT-4: llvm.store %[[SUM]]
// CHECK: grain.return
grain.kernel @apart(%p: !llvm.ptr, %n: i32) {
  %c8 = arith.constant 8 : i32
  %mask = arith.constant -128 : i32
  %width = arith.andi %n, %mask : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 128, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %row = arith.divui %tx, %width : i32
      %column = arith.remui %tx, %width : i32
      %part = arith.divui %tx, %c8 : i32
      %left = arith.remui %tx, %c8 : i32
      %sum = arith.addi %row, %left : i32
      %slot = llvm.getelementptr %p[%column] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %sum, %slot : i32, !llvm.ptr
      %other = llvm.getelementptr %p[%part] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %column, %other : i32, !llvm.ptr
    }
  }
  grain.return
}

// A multiple of 64 divides the threads of a block of 128, and by 64 the distance of 32 has no quotient.

// CHECK-LABEL: grain.kernel @kept
// CHECK-COUNT-4: arith.divui
// CHECK-COUNT-4: arith.divui %{{.*}}, %c64_i32
// CHECK: grain.return
grain.kernel @kept(%p: !llvm.ptr, %n: i32) {
  %c64 = arith.constant 64 : i32
  %mask = arith.constant -64 : i32
  %width = arith.andi %n, %mask : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 128, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %row = arith.divui %tx, %width : i32
      %part = arith.divui %tx, %c64 : i32
      %sum = arith.addi %row, %part : i32
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %sum, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}

// The size of the block is no power of two, or not known: the numbers of its threads have no multiple in common.

// CHECK-LABEL: grain.kernel @sizes
// CHECK-COUNT-4: arith.divui
// CHECK: grain.return
grain.kernel @sizes(%p: !llvm.ptr, %n: i32) {
  %mask = arith.constant -128 : i32
  %width = arith.andi %n, %mask : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 96, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %row = arith.divui %tx, %width : i32
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %row, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}

// CHECK-LABEL: grain.kernel @any_size
// CHECK-COUNT-4: arith.divui %{{.*}}, %0
// CHECK: grain.return
grain.kernel @any_size(%p: !llvm.ptr, %n: i32) {
  %mask = arith.constant -128 : i32
  %width = arith.andi %n, %mask : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %row = arith.divui %tx, %width : i32
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %row, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}
