// RUN: regrain-opt %s --split-input-file --pass-pipeline='builtin.module(grain.kernel(grain-coarsen-blocks{factors=1,1,4 loop},cse,grain-keep-windows{required},canonicalize))' | FileCheck %s

// Of the four elements that later steps read again, the two sums are carried that these steps begin with: of one plane
// for the step after the next, and of two planes for the next. The order of sums is the program's.

// CHECK-LABEL: grain.kernel @box(
// CHECK: scf.for %{{.*}} iter_args(%[[RAN:.*]] = %false, %[[TWO:.*]] = %{{.*}}, %[[ONE:.*]] = %{{.*}}) -> (i1, f32, f32)
// CHECK: scf.if
// CHECK: %[[OLD:.*]]:2 = scf.if %[[RAN]] -> (f32, f32) {
// CHECK-NEXT: scf.yield %[[TWO]], %[[ONE]]
// CHECK-NEXT: } else {
// CHECK: %[[A0:.*]] = llvm.load
// CHECK: %[[A1:.*]] = llvm.load
// CHECK: %[[B0:.*]] = llvm.load
// CHECK: %[[B1:.*]] = llvm.load
// CHECK: %[[A:.*]] = llvm.fadd %[[A0]], %[[A1]]
// CHECK: %[[A2:.*]] = llvm.fadd %[[A]], %[[B0]]
// CHECK: %[[AB:.*]] = llvm.fadd %[[A2]], %[[B1]]
// CHECK: %[[B:.*]] = llvm.fadd %[[B0]], %[[B1]]
// CHECK: scf.yield %[[AB]], %[[B]]
// CHECK: %[[C0:.*]] = llvm.load
// CHECK: %[[C1:.*]] = llvm.load
// CHECK-NOT: llvm.load
// CHECK: %[[SUM:.*]] = llvm.fadd %[[OLD]]#0, %[[C0]]
// CHECK: llvm.fadd %[[SUM]], %[[C1]]
// CHECK: llvm.store
// CHECK: %[[NEXT:.*]] = llvm.fadd %[[OLD]]#1, %[[C0]]
// CHECK: %[[BC:.*]] = llvm.fadd %[[NEXT]], %[[C1]]
// CHECK: %[[C:.*]] = llvm.fadd %[[C0]], %[[C1]]
// CHECK-NEXT: scf.yield %[[BC]], %[[C]]
// CHECK: grain.return
grain.kernel @box(%u: !llvm.ptr, %f: !llvm.ptr, %slice: i32, %nz: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) attributes {shape = array<i32: 32, 1, 1>} {
      %k = arith.addi %bz, %tz : i32
      %low = arith.cmpi sgt, %k, %zero : i32
      %high = arith.cmpi slt, %k, %nz : i32
      %both = arith.andi %low, %high : i1
      scf.if %both {
        %x = arith.extsi %tx : i32 to i64
        %z = arith.extsi %k : i32 to i64
        %s = arith.extsi %slice : i32 to i64
        %plane = arith.muli %z, %s : i64
        %at = arith.addi %plane, %x : i64
        %below = arith.subi %at, %s : i64
        %above = arith.addi %at, %s : i64
        %beside = arith.addi %at, %one : i64
        %below_beside = arith.addi %below, %one : i64
        %above_beside = arith.addi %above, %one : i64
        %pa0 = llvm.getelementptr %u[%below] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %pa1 = llvm.getelementptr %u[%below_beside] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %pb0 = llvm.getelementptr %u[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %pb1 = llvm.getelementptr %u[%beside] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %pc0 = llvm.getelementptr %u[%above] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %pc1 = llvm.getelementptr %u[%above_beside] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %a0 = llvm.load %pa0 : !llvm.ptr -> f32
        %a1 = llvm.load %pa1 : !llvm.ptr -> f32
        %b0 = llvm.load %pb0 : !llvm.ptr -> f32
        %b1 = llvm.load %pb1 : !llvm.ptr -> f32
        %c0 = llvm.load %pc0 : !llvm.ptr -> f32
        %c1 = llvm.load %pc1 : !llvm.ptr -> f32
        %s1 = llvm.fadd %a0, %a1 : f32
        %s2 = llvm.fadd %s1, %b0 : f32
        %s3 = llvm.fadd %s2, %b1 : f32
        %s4 = llvm.fadd %s3, %c0 : f32
        %r = llvm.fadd %s4, %c1 : f32
        %t = llvm.getelementptr %f[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %r, %t : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// A sum that begins with what the step loads is of no earlier step.

// CHECK-LABEL: grain.kernel @new_first(
// CHECK: scf.if %{{.*}} -> (f32, f32, f32, f32) {
// CHECK: grain.return
grain.kernel @new_first(%u: !llvm.ptr, %f: !llvm.ptr, %slice: i32, %nz: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) attributes {shape = array<i32: 32, 1, 1>} {
      %k = arith.addi %bz, %tz : i32
      %low = arith.cmpi sgt, %k, %zero : i32
      %high = arith.cmpi slt, %k, %nz : i32
      %both = arith.andi %low, %high : i1
      scf.if %both {
        %x = arith.extsi %tx : i32 to i64
        %z = arith.extsi %k : i32 to i64
        %s = arith.extsi %slice : i32 to i64
        %plane = arith.muli %z, %s : i64
        %at = arith.addi %plane, %x : i64
        %below = arith.subi %at, %s : i64
        %above = arith.addi %at, %s : i64
        %beside = arith.addi %at, %one : i64
        %below_beside = arith.addi %below, %one : i64
        %above_beside = arith.addi %above, %one : i64
        %pa0 = llvm.getelementptr %u[%below] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %pa1 = llvm.getelementptr %u[%below_beside] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %pb0 = llvm.getelementptr %u[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %pb1 = llvm.getelementptr %u[%beside] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %pc0 = llvm.getelementptr %u[%above] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %pc1 = llvm.getelementptr %u[%above_beside] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %a0 = llvm.load %pa0 : !llvm.ptr -> f32
        %a1 = llvm.load %pa1 : !llvm.ptr -> f32
        %b0 = llvm.load %pb0 : !llvm.ptr -> f32
        %b1 = llvm.load %pb1 : !llvm.ptr -> f32
        %c0 = llvm.load %pc0 : !llvm.ptr -> f32
        %c1 = llvm.load %pc1 : !llvm.ptr -> f32
        %s1 = llvm.fadd %c0, %c1 : f32
        %s2 = llvm.fadd %s1, %b0 : f32
        %s3 = llvm.fadd %s2, %b1 : f32
        %s4 = llvm.fadd %s3, %a0 : f32
        %r = llvm.fadd %s4, %a1 : f32
        %t = llvm.getelementptr %f[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %r, %t : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// A division that may fault does not run behind the last step.

// CHECK-LABEL: grain.kernel @division(
// CHECK: scf.if %{{.*}} -> (i32, i32, i32, i32) {
// CHECK: grain.return
grain.kernel @division(%u: !llvm.ptr, %f: !llvm.ptr, %slice: i32, %nz: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) attributes {shape = array<i32: 32, 1, 1>} {
      %k = arith.addi %bz, %tz : i32
      %low = arith.cmpi sgt, %k, %zero : i32
      %high = arith.cmpi slt, %k, %nz : i32
      %both = arith.andi %low, %high : i1
      scf.if %both {
        %x = arith.extsi %tx : i32 to i64
        %z = arith.extsi %k : i32 to i64
        %s = arith.extsi %slice : i32 to i64
        %plane = arith.muli %z, %s : i64
        %at = arith.addi %plane, %x : i64
        %below = arith.subi %at, %s : i64
        %above = arith.addi %at, %s : i64
        %beside = arith.addi %at, %one : i64
        %below_beside = arith.addi %below, %one : i64
        %above_beside = arith.addi %above, %one : i64
        %pa0 = llvm.getelementptr %u[%below] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %pa1 = llvm.getelementptr %u[%below_beside] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %pb0 = llvm.getelementptr %u[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %pb1 = llvm.getelementptr %u[%beside] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %pc0 = llvm.getelementptr %u[%above] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %pc1 = llvm.getelementptr %u[%above_beside] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %a0 = llvm.load %pa0 : !llvm.ptr -> i32
        %a1 = llvm.load %pa1 : !llvm.ptr -> i32
        %b0 = llvm.load %pb0 : !llvm.ptr -> i32
        %b1 = llvm.load %pb1 : !llvm.ptr -> i32
        %c0 = llvm.load %pc0 : !llvm.ptr -> i32
        %c1 = llvm.load %pc1 : !llvm.ptr -> i32
        %s1 = arith.divsi %a0, %a1 : i32
        %s2 = arith.divsi %s1, %b0 : i32
        %s3 = arith.divsi %s2, %b1 : i32
        %s4 = arith.addi %s3, %c0 : i32
        %r = arith.addi %s4, %c1 : i32
        %t = llvm.getelementptr %f[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %r, %t : i32, !llvm.ptr
      }
    }
  }
  grain.return
}
