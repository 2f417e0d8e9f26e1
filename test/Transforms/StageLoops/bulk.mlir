// Rows of one matrix begin at multiples of 16 bytes: a thread copies 64 columns of each at once, in front of the loop and
// in it. Nothing says that of the other one.
// RUN: regrain-opt %s --grain-stage-loops=bulk --cse 2>&1 | FileCheck %s --implicit-check-not=remark

// CHECK-LABEL: grain.kernel @product
// CHECK-DAG: %[[ROWS:.*]] = grain.shared "__regrain_staged_ring" : !llvm.array<160 x i32> align 16
// CHECK-DAG: %[[COLUMNS:.*]] = grain.shared "__regrain_staged_ring_bulk" : !llvm.array<2048 x i32> align 128
// CHECK: scf.if
// CHECK: llvm.load %{{.*}} invariant {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK: "llvm.intr.memcpy"(%{{.*}}, %{{.*}}, %c256_i64)
// CHECK: scf.for
// CHECK-NEXT: grain.barrier
// CHECK: llvm.load %{{.*}} invariant {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK: "llvm.intr.memcpy"(%{{.*}}, %{{.*}}, %c256_i64)
// CHECK-NOT: memcpy
grain.kernel @product(%c: !llvm.ptr {llvm.noalias}, %a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.align = 16 : i64, llvm.noalias}, %m: i32, %any: i32, %k: i32) {
  %zero = llvm.mlir.constant(0.000000e+00 : f32) : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c4 = arith.constant 4 : i32
  %m4 = arith.constant -4 : i32
  %n = arith.andi %any, %m4 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 4, 1>} {
    %fx = arith.muli %bx, %c64 : i32
    %fy = arith.muli %by, %c4 : i32
    grain.threads (%tx, %ty, %tz) {
      %x = arith.addi %fx, %tx : i32
      %y = arith.addi %fy, %ty : i32
      %isColumn = arith.cmpi slt, %x, %n : i32
      %isRow = arith.cmpi slt, %y, %m : i32
      %inside = arith.andi %isColumn, %isRow : i1
      scf.if %inside {
        %row = arith.muli %y, %k overflow<nsw> : i32
        %sum = scf.for %i = %c0 to %k step %c1 iter_args(%s = %zero) -> (f32) : i32 {
          %ai = arith.addi %row, %i overflow<nsw> : i32
          %ap = llvm.getelementptr %a[%ai] : (!llvm.ptr, i32) -> !llvm.ptr, f32
          %av = llvm.load %ap invariant : !llvm.ptr -> f32
          %in = arith.muli %i, %n overflow<nsw> : i32
          %bi = arith.addi %in, %x overflow<nsw> : i32
          %bp = llvm.getelementptr %b[%bi] : (!llvm.ptr, i32) -> !llvm.ptr, f32
          %bv = llvm.load %bp invariant : !llvm.ptr -> f32
          %next = llvm.intr.fmuladd(%av, %bv, %s) : (f32, f32, f32) -> f32
          scf.yield %next : f32
        }
        %first = arith.muli %y, %n overflow<nsw> : i32
        %ci = arith.addi %first, %x overflow<nsw> : i32
        %cp = llvm.getelementptr %c[%ci] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        llvm.store %sum, %cp : f32, !llvm.ptr
      }
    }
  }
  grain.return
}
