// Sums of floating-point numbers are dealt if they may be formed in another order; otherwise not. A width that is none is
// an error.
// RUN: regrain-opt %s --grain-deal-strides="reassociate=1" | FileCheck %s
// RUN: not regrain-opt %s --grain-deal-strides="required=1" 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: not regrain-opt %s --grain-deal-strides="width=3" 2>&1 | FileCheck %s --check-prefix=WIDTH

// CHECK-COUNT-4: llvm.atomicrmw fadd
// CHECK: scf.while
// KEPT: an operation of the loop concerns other threads
// WIDTH: width= must be 2, 4, 8 or 16, not 3
grain.kernel @float_sum(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %other: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %size = grain.block_size x
  %grid = grain.grid_size x
  %stride = arith.muli %grid, %size : i32
  grain.blocks (%bx, %by, %bz) {
    %first = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %thread = arith.addi %first, %tx : i32
      %end = scf.while (%i = %thread) : (i32) -> i32 {
        %runs = arith.cmpi slt, %i, %n : i32
        scf.condition(%runs) %i : i32
      } do {
      ^bb0(%i: i32):
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %real = arith.bitcast %v : i32 to f32
        %number = arith.extui %v : i32 to i64
        %to = llvm.getelementptr inbounds %out[%number] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %old = llvm.atomicrmw fadd %to, %real syncscope("device") monotonic : !llvm.ptr, f32
        %next = arith.addi %i, %stride : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}
