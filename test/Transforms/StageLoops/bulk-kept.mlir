// Nothing says how rows are aligned.
// RUN: regrain-opt %s --grain-stage-loops=bulk 2>&1 | FileCheck %s --implicit-check-not='__regrain_staged'

// CHECK: remark: {{.*}}no loop can be staged; this one cannot, because its rows are not known to begin at multiples of 16 bytes
grain.kernel @product(%c: !llvm.ptr {llvm.noalias}, %a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %m: i32, %n: i32, %k: i32) {
  %zero = llvm.mlir.constant(0.000000e+00 : f32) : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    %fx = arith.muli %bx, %c16 : i32
    %fy = arith.muli %by, %c16 : i32
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
