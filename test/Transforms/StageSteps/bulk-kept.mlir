// What is not copied by whole rows.
// RUN: regrain-opt %s --split-input-file --pass-pipeline='builtin.module(grain.kernel(grain-coarsen-blocks{factors=1,1,8 loop},cse,grain-stage-steps{bulk}))' 2>&1 | FileCheck %s --implicit-check-not='__regrain_staged'

// CHECK: remark: {{.*}}this one cannot, because its rows are not known to begin at multiples of 16 bytes
grain.kernel @unaligned(%u: !llvm.ptr {llvm.noalias}, %f: !llvm.ptr {llvm.noalias}, %n: i64, %m: i32) {
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %x = arith.extsi %tx : i32 to i64
      %y = arith.extsi %ty : i32 to i64
      %z = arith.extsi %bz : i32 to i64
      %zn = arith.muli %z, %n : i64
      %i = arith.addi %x, %zn : i64
      %next = arith.addi %i, %n : i64
      %last = arith.subi %i, %n : i64
      %p0 = llvm.getelementptr %u[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v0 = llvm.load %p0 invariant : !llvm.ptr -> f32
      %p1 = llvm.getelementptr %u[%next] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v1 = llvm.load %p1 invariant : !llvm.ptr -> f32
      %p2 = llvm.getelementptr %u[%last] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v2 = llvm.load %p2 invariant : !llvm.ptr -> f32
      %s1 = llvm.fadd %v0, %v1 : f32
      %s2 = llvm.fadd %s1, %v2 : f32
      %t = llvm.getelementptr %f[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %s2, %t : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}this one cannot, because its rows have fewer than 256 bytes in common
grain.kernel @short_rows(%u: !llvm.ptr {llvm.align = 16 : i64, llvm.noalias}, %f: !llvm.ptr {llvm.noalias}, %n: i64, %any: i64) {
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %x = arith.extsi %tx : i32 to i64
      %y = arith.extsi %ty : i32 to i64
      %z = arith.extsi %bz : i32 to i64
      %zn = arith.muli %z, %n : i64
      %i = arith.addi %x, %zn : i64
      %next = arith.addi %i, %n : i64
      %last = arith.subi %i, %n : i64
      %m4 = arith.constant -4 : i64
      %w = arith.andi %any, %m4 : i64
      %zw = arith.muli %z, %w : i64
      %j = arith.addi %x, %zw : i64
      %jn = arith.addi %j, %w : i64
      %jl = arith.subi %j, %w : i64
      %p0 = llvm.getelementptr %u[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v0 = llvm.load %p0 invariant : !llvm.ptr -> f32
      %p1 = llvm.getelementptr %u[%jn] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v1 = llvm.load %p1 invariant : !llvm.ptr -> f32
      %p2 = llvm.getelementptr %u[%jl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v2 = llvm.load %p2 invariant : !llvm.ptr -> f32
      %s1 = llvm.fadd %v0, %v1 : f32
      %s2 = llvm.fadd %s1, %v2 : f32
      %t = llvm.getelementptr %f[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %s2, %t : f32, !llvm.ptr
    }
  }
  grain.return
}
