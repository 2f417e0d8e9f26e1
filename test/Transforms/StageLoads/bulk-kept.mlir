// Rows of these kernels are not copied at once, each for another reason.
// RUN: regrain-opt %s --grain-stage-loads=bulk --split-input-file 2>&1 | FileCheck %s --implicit-check-not='__regrain_staged'

// Nothing says how the pointer is aligned.
// CHECK: remark: {{.*}}because its rows are not known to begin at multiples of 16 bytes
grain.kernel @pointer(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %any: i32) {
  %c64 = arith.constant 64 : i32
  %c8 = arith.constant 8 : i32
  %c1 = arith.constant 1 : i32
  %m1 = arith.constant -1 : i32
  %m4 = arith.constant -4 : i32
  %w = arith.andi %any, %m4 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 8, 1>} {
    %fx = arith.muli %bx, %c64 : i32
    %fy = arith.muli %by, %c8 : i32
    grain.threads (%tx, %ty, %tz) {
      %x = arith.addi %fx, %tx : i32
      %y = arith.addi %fy, %ty : i32
      %row = arith.muli %y, %w overflow<nsw> : i32
      %i = arith.addi %row, %x overflow<nsw> : i32
      %at = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %left = llvm.getelementptr %at[-1] : (!llvm.ptr) -> !llvm.ptr, f32
      %right = llvm.getelementptr %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
      %y1 = arith.addi %y, %m1 : i32
      %row1 = arith.muli %y1, %w overflow<nsw> : i32
      %i1 = arith.addi %row1, %x overflow<nsw> : i32
      %up = llvm.getelementptr %a[%i1] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %i2 = arith.addi %i, %w overflow<nsw> : i32
      %down = llvm.getelementptr %a[%i2] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %v0 = llvm.load %at invariant : !llvm.ptr -> f32
      %v1 = llvm.load %left invariant : !llvm.ptr -> f32
      %v2 = llvm.load %right invariant : !llvm.ptr -> f32
      %v3 = llvm.load %up invariant : !llvm.ptr -> f32
      %v4 = llvm.load %down invariant : !llvm.ptr -> f32
      %s0 = llvm.fadd %v0, %v1 : f32
      %s1 = llvm.fadd %s0, %v2 : f32
      %s2 = llvm.fadd %s1, %v3 : f32
      %s3 = llvm.fadd %s2, %v4 : f32
      %to = llvm.getelementptr %b[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %s3, %to : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The length of the rows may be any number.
// CHECK: remark: {{.*}}because its rows are not known to begin at multiples of 16 bytes
grain.kernel @length(%a: !llvm.ptr {llvm.align = 16 : i64, llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %w: i32) {
  %c64 = arith.constant 64 : i32
  %c8 = arith.constant 8 : i32
  %c1 = arith.constant 1 : i32
  %m1 = arith.constant -1 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 8, 1>} {
    %fx = arith.muli %bx, %c64 : i32
    %fy = arith.muli %by, %c8 : i32
    grain.threads (%tx, %ty, %tz) {
      %x = arith.addi %fx, %tx : i32
      %y = arith.addi %fy, %ty : i32
      %row = arith.muli %y, %w overflow<nsw> : i32
      %i = arith.addi %row, %x overflow<nsw> : i32
      %at = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %left = llvm.getelementptr %at[-1] : (!llvm.ptr) -> !llvm.ptr, f32
      %right = llvm.getelementptr %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
      %y1 = arith.addi %y, %m1 : i32
      %row1 = arith.muli %y1, %w overflow<nsw> : i32
      %i1 = arith.addi %row1, %x overflow<nsw> : i32
      %up = llvm.getelementptr %a[%i1] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %i2 = arith.addi %i, %w overflow<nsw> : i32
      %down = llvm.getelementptr %a[%i2] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %v0 = llvm.load %at invariant : !llvm.ptr -> f32
      %v1 = llvm.load %left invariant : !llvm.ptr -> f32
      %v2 = llvm.load %right invariant : !llvm.ptr -> f32
      %v3 = llvm.load %up invariant : !llvm.ptr -> f32
      %v4 = llvm.load %down invariant : !llvm.ptr -> f32
      %s0 = llvm.fadd %v0, %v1 : f32
      %s1 = llvm.fadd %s0, %v2 : f32
      %s2 = llvm.fadd %s1, %v3 : f32
      %s3 = llvm.fadd %s2, %v4 : f32
      %to = llvm.getelementptr %b[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %s3, %to : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// All lines have 8 columns in common.
// CHECK: remark: {{.*}}because its rows have fewer than 256 bytes in common
grain.kernel @short(%a: !llvm.ptr {llvm.align = 16 : i64, llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %any: i32) {
  %c8 = arith.constant 8 : i32
  %c1 = arith.constant 1 : i32
  %m1 = arith.constant -1 : i32
  %m4 = arith.constant -4 : i32
  %w = arith.andi %any, %m4 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 8, 8, 1>} {
    %fx = arith.muli %bx, %c8 : i32
    %fy = arith.muli %by, %c8 : i32
    grain.threads (%tx, %ty, %tz) {
      %x = arith.addi %fx, %tx : i32
      %y = arith.addi %fy, %ty : i32
      %row = arith.muli %y, %w overflow<nsw> : i32
      %i = arith.addi %row, %x overflow<nsw> : i32
      %at = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %left = llvm.getelementptr %at[-1] : (!llvm.ptr) -> !llvm.ptr, f32
      %right = llvm.getelementptr %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
      %y1 = arith.addi %y, %m1 : i32
      %row1 = arith.muli %y1, %w overflow<nsw> : i32
      %i1 = arith.addi %row1, %x overflow<nsw> : i32
      %up = llvm.getelementptr %a[%i1] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %i2 = arith.addi %i, %w overflow<nsw> : i32
      %down = llvm.getelementptr %a[%i2] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %v0 = llvm.load %at invariant : !llvm.ptr -> f32
      %v1 = llvm.load %left invariant : !llvm.ptr -> f32
      %v2 = llvm.load %right invariant : !llvm.ptr -> f32
      %v3 = llvm.load %up invariant : !llvm.ptr -> f32
      %v4 = llvm.load %down invariant : !llvm.ptr -> f32
      %s0 = llvm.fadd %v0, %v1 : f32
      %s1 = llvm.fadd %s0, %v2 : f32
      %s2 = llvm.fadd %s1, %v3 : f32
      %s3 = llvm.fadd %s2, %v4 : f32
      %to = llvm.getelementptr %b[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %s3, %to : f32, !llvm.ptr
    }
  }
  grain.return
}
