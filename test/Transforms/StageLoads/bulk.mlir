// Whole rows are copied at once, as far as threads load them in all lines.
// RUN: regrain-opt %s --grain-stage-loads=bulk --cse --split-input-file 2>&1 | FileCheck %s --implicit-check-not=remark

// Of lines of 66 elements, threads load all of the middle, and 64 elements of the first and the last one. A thread
// copies 256 bytes of each of these 10 lines, lines one after the other by different warps of 16. Then 20 elements
// are left. Lines lie in the array as in lines of memory: 31 elements in front of the middle, 97 of 128 in all.
// CHECK-LABEL: grain.kernel @star
// CHECK: %[[TILE:.*]] = grain.shared "__regrain_staged_bulk" : !llvm.array<1280 x i32> align 128
// CHECK: %[[LANE:.*]] = arith.remui %[[THREAD:.*]], %c32_i32
// CHECK: %[[WARP:.*]] = arith.divui %[[THREAD]], %c32_i32
// CHECK: %[[FIRST:.*]] = arith.muli %[[LANE]], %c16_i32
// CHECK: %[[LINE:.*]] = arith.addi %[[FIRST]], %[[WARP]]
// CHECK: arith.cmpi ult, %[[LINE]], %c10_i32
// CHECK: scf.if
// CHECK: arith.addi %c1_i32, %c31_i32
// CHECK: %[[TO:.*]] = llvm.getelementptr inbounds %[[TILE]]
// CHECK: "llvm.intr.memcpy"(%[[TO]], %{{.*}}, %c256_i64) <{isVolatile = false}> : (!llvm.ptr<3>, !llvm.ptr, i64) -> ()
// CHECK: arith.cmpi ult, %[[THREAD]], %c20_i32
// CHECK: llvm.load %{{.*}} invariant {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK-NOT: llvm.load %{{.*}} invariant
// CHECK: grain.barrier
// CHECK-NOT: invariant
grain.kernel @star(%a: !llvm.ptr {llvm.align = 16 : i64, llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %any: i32) {
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

// A line has a whole number of pieces of 16 bytes in the middle, and an element on each side.
// CHECK-LABEL: grain.kernel @line
// CHECK: grain.shared "__regrain_staged_bulk" : !llvm.array<128 x i32> align 128
// CHECK: "llvm.intr.memcpy"(%{{.*}}, %{{.*}}, %c256_i64)
// CHECK: arith.cmpi ult, %{{.*}}, %c2_i32
// CHECK: llvm.load %{{.*}} invariant {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK: } else {
// CHECK-NOT: memcpy
// CHECK: grain.barrier
grain.kernel @line(%a: !llvm.ptr {llvm.align = 16 : i64, llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c64 = arith.constant 64 : i32
  %c0 = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    %first = arith.muli %bx, %c64 : i32
    grain.threads (%tx, %ty, %tz) {
      %i = arith.addi %first, %tx : i32
      %isFirst = arith.cmpi sgt, %i, %c0 : i32
      %isLast = arith.cmpi slt, %i, %n : i32
      %inside = arith.andi %isFirst, %isLast : i1
      scf.if %inside {
        %at = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %before = llvm.getelementptr %at[-4] : (!llvm.ptr) -> !llvm.ptr, i8
        %after = llvm.getelementptr %at[4] : (!llvm.ptr) -> !llvm.ptr, i8
        %x = llvm.load %before invariant : !llvm.ptr -> f32
        %y = llvm.load %at invariant : !llvm.ptr -> f32
        %z = llvm.load %after invariant : !llvm.ptr -> f32
        %s = llvm.fadd %x, %y : f32
        %t = llvm.fadd %s, %z : f32
        %to = llvm.getelementptr %b[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        llvm.store %t, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}
