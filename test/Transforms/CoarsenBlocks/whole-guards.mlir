// RUN: regrain-opt %s --grain-coarsen-blocks="factors=2 whole=true" --cse --split-input-file | FileCheck %s

// Two blocks run side by side if both exist and the last thread of each passes both guards. The guards are gone there, and
// remain where blocks run one by one.
// CHECK-LABEL: grain.kernel @nested
// CHECK: grain.threads
// CHECK: %[[FIRST:.*]] = arith.select %{{.*}}, %{{.*}}, %false
// CHECK: %[[ONE:.*]] = arith.andi %{{.*}}, %[[FIRST]]
// CHECK: %[[SECOND:.*]] = arith.select %{{.*}}, %{{.*}}, %false
// CHECK: %[[BOTH:.*]] = arith.andi %[[ONE]], %[[SECOND]]
// CHECK: scf.if %[[BOTH]] {
// CHECK-NOT: scf.if
// CHECK-COUNT-2: llvm.store
// CHECK: } else {
// CHECK: scf.for
// CHECK-COUNT-3: scf.if
// CHECK: llvm.store
// CHECK-NOT: llvm.store
grain.kernel @nested(%a: !llvm.ptr, %n: i32, %m: i32) {
  %c64 = arith.constant 64 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %c64 : i32
      %i = arith.addi %first, %tx : i32
      %isBelow = arith.cmpi slt, %i, %n : i32
      scf.if %isBelow {
        %isAbove = arith.cmpi sge, %i, %m : i32
        scf.if %isAbove {
          %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
          llvm.store %i, %p : i32, !llvm.ptr
        }
      }
    }
  }
  grain.return
}

// -----

// The first and the last thread do not tell whether all of them pass.
// CHECK-LABEL: grain.kernel @odd
// CHECK: scf.if
// CHECK: scf.if
// CHECK: llvm.store
// CHECK: scf.if
// CHECK: llvm.store
grain.kernel @odd(%a: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %c64 : i32
      %i = arith.addi %first, %tx : i32
      %low = arith.andi %i, %c1 : i32
      %isOdd = arith.cmpi ne, %low, %c0 : i32
      scf.if %isOdd {
        %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        llvm.store %i, %p : i32, !llvm.ptr
      }
    }
  }
  grain.return
}
