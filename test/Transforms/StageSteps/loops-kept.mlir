// Loops in which not all threads would meet get no rings.
// RUN: regrain-opt %s --split-input-file --grain-stage-steps 2>&1 | FileCheck %s --implicit-check-not='__regrain_staged'

// A barrier would stand where not all threads come.
// CHECK: remark: {{.*}}the loop over steps stands under a condition
grain.kernel @under(%u: !llvm.ptr {llvm.noalias}, %n: i64, %m: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %eight = arith.constant 8 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %inside = arith.cmpi slt, %tx, %m : i32
      scf.if %inside {
        scf.for %k = %zero to %eight step %one : i32 {
          %z = arith.extsi %k : i32 to i64
          %x = arith.extsi %tx : i32 to i64
          %zn = arith.muli %z, %n : i64
          %i = arith.addi %x, %zn : i64
          %p = llvm.getelementptr %u[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          %v = llvm.load %p invariant : !llvm.ptr -> f32
        } {grain.steps}
      }
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}the number of steps is not known
grain.kernel @unknown_steps(%u: !llvm.ptr {llvm.noalias}, %n: i64, %m: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      scf.for %k = %zero to %m step %one : i32 {
        %z = arith.extsi %k : i32 to i64
        %x = arith.extsi %tx : i32 to i64
        %zn = arith.muli %z, %n : i64
        %i = arith.addi %x, %zn : i64
        %p = llvm.getelementptr %u[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %p invariant : !llvm.ptr -> f32
      } {grain.steps}
    }
  }
  grain.return
}
