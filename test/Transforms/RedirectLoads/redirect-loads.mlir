// RUN: regrain-opt %s --split-input-file --pass-pipeline='builtin.module(grain.kernel(grain-coarsen-threads{factors=4,1,1 contiguous joins-guards required},grain-clean-up,grain-redirect-loads{required},grain-clean-up,grain-forward-memory,grain-clean-up))' | FileCheck %s

// Four neighbours read six elements. Those at both ends are read by one that may be excluded, at the address of the next
// one then; all others are read by one that runs.

// CHECK-LABEL: grain.kernel @line(
// CHECK: } else {
// CHECK: %[[LEFT:.*]] = arith.select %{{.*}}, %c-4_i64, %c0_i64 : i64
// CHECK: %[[RIGHT:.*]] = arith.select %{{.*}}, %c4_i64, %c0_i64 : i64
// CHECK-NOT: arith.select
// CHECK: %[[BEFORE:.*]] = llvm.getelementptr %{{.*}}[%[[LEFT]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT: llvm.load %[[BEFORE]]
// CHECK-COUNT-4: llvm.load
// CHECK: %[[BEHIND:.*]] = llvm.getelementptr %{{.*}}[%[[RIGHT]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT: llvm.load %[[BEHIND]]
// CHECK-NOT: llvm.load
// CHECK: grain.return
grain.kernel @line(%out: !llvm.ptr, %in: !llvm.ptr, %n: i32) {
  %zero = arith.constant 0 : i32
  %minus = arith.constant -1 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    %start = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %i = arith.addi %start, %tx : i32
      %isEnd = arith.cmpi sge, %i, %n : i32
      %isFirst = arith.cmpi eq, %i, %zero : i32
      %isOutside = arith.ori %isEnd, %isFirst : i1
      scf.if %isOutside {
      } else {
        %before = arith.addi %i, %minus overflow<nsw> : i32
        %behind = arith.addi %i, %one overflow<nsw> : i32
        %p0 = llvm.getelementptr %in[%before] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %x0 = llvm.load %p0 : !llvm.ptr -> f32
        %p1 = llvm.getelementptr %in[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %x1 = llvm.load %p1 : !llvm.ptr -> f32
        %p2 = llvm.getelementptr %in[%behind] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %x2 = llvm.load %p2 : !llvm.ptr -> f32
        %sides = llvm.fadd %x0, %x2 : f32
        %sum = llvm.fadd %sides, %x1 : f32
        %to = llvm.getelementptr %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        llvm.store %sum, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}
