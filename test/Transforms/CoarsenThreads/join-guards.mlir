// RUN: regrain-opt %s --split-input-file --pass-pipeline='builtin.module(grain.kernel(grain-coarsen-threads{factors=4,1,1 contiguous joins-guards required}))' | FileCheck %s

// The first and the last of four neighbours run with the two between them. Where their guard excludes them, they load what
// the next one inside loads, and do not store. What all have in common holds where the inner ones run.

// CHECK-LABEL: grain.kernel @line(
// CHECK-COUNT-4: arith.ori %{{.*}}, %{{.*}} : i1
// CHECK-NEXT: %[[BOTH:.*]] = arith.ori %{{.*}}, %{{.*}} : i1
// CHECK-NEXT: scf.if %[[BOTH]] {
// CHECK-COUNT-4: scf.if
// CHECK: } else {
// CHECK: %[[RUNS0:.*]] = arith.select %{{.*}}, %{{.*}}, %false
// CHECK: %[[RUNS3:.*]] = arith.select %{{.*}}, %{{.*}}, %false
// CHECK: %[[P0:.*]] = llvm.getelementptr
// CHECK-NEXT: %[[P1:.*]] = llvm.getelementptr
// CHECK-NEXT: %[[P2:.*]] = llvm.getelementptr
// CHECK-NEXT: %[[P3:.*]] = llvm.getelementptr
// CHECK-NEXT: %[[AT0:.*]] = arith.select %[[RUNS0]], %[[P0]], %[[P1]] : !llvm.ptr
// CHECK-NEXT: %[[LOADED0:.*]] = llvm.load %[[AT0]]
// CHECK-NEXT: %[[NONE:.*]] = llvm.mlir.poison : f32
// CHECK-NEXT: %[[X0:.*]] = arith.select %[[RUNS0]], %[[LOADED0]], %[[NONE]] : f32
// CHECK-NEXT: %[[X1:.*]] = llvm.load %[[P1]]
// CHECK-NEXT: %[[X2:.*]] = llvm.load %[[P2]]
// CHECK-NEXT: %[[AT3:.*]] = arith.select %[[RUNS3]], %[[P3]], %[[P2]] : !llvm.ptr
// CHECK-NEXT: %[[LOADED3:.*]] = llvm.load %[[AT3]]
// CHECK: %[[ALL:.*]] = arith.andi %[[RUNS0]], %[[RUNS3]] : i1
// CHECK-NEXT: scf.if %[[ALL]] {
// CHECK-COUNT-4: llvm.store
// CHECK: } else {
// CHECK-NEXT: scf.if %[[RUNS0]] {
// CHECK-NEXT: llvm.store
// CHECK-NEXT: }
// CHECK-NEXT: scf.if %[[RUNS3]] {
// CHECK-NEXT: llvm.store
// CHECK-NEXT: }
// CHECK-NEXT: llvm.store
// CHECK-NEXT: llvm.store
grain.kernel @line(%out: !llvm.ptr, %in: !llvm.ptr, %n: i32) {
  %zero = arith.constant 0 : i32
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
        %from = llvm.getelementptr %in[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %x = llvm.load %from : !llvm.ptr -> f32
        %twice = llvm.fadd %x, %x : f32
        %to = llvm.getelementptr %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        llvm.store %twice, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// A row that all neighbours have in common decides nothing where the inner ones run. In a guard in a guard, a copy runs if
// both let it.

// CHECK-LABEL: grain.kernel @nested(
// CHECK: scf.if %{{.*}} {
// CHECK: %[[RUNS0:.*]] = arith.select %{{.*}}, %true{{.*}}, %false
// CHECK: %[[RUNS3:.*]] = arith.select %{{.*}}, %true{{.*}}, %false
// CHECK: scf.if %{{.*}} {
// CHECK: %[[INNER0:.*]] = arith.select %[[RUNS0]], %{{.*}}, %false{{.*}} : i1
// CHECK: %[[INNER3:.*]] = arith.select %[[RUNS3]], %{{.*}}, %false{{.*}} : i1
// CHECK: arith.select %[[INNER0]], %{{.*}} : !llvm.ptr
// CHECK: arith.select %[[INNER3]], %{{.*}} : !llvm.ptr
// CHECK: } else {
// CHECK: scf.if
// CHECK: scf.if
grain.kernel @nested(%out: !llvm.ptr, %in: !llvm.ptr, %n: i32, %rows: i32) {
  %zero = arith.constant 0 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    %start = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %i = arith.addi %start, %tx : i32
      %isBefore = arith.cmpi slt, %i, %n : i32
      %isRow = arith.cmpi slt, %by, %rows : i32
      %isInside = arith.andi %isBefore, %isRow : i1
      scf.if %isInside {
        %isBehind = arith.cmpi sgt, %i, %zero : i32
        scf.if %isBehind {
          %from = llvm.getelementptr %in[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
          %x = llvm.load %from : !llvm.ptr -> f32
          %to = llvm.getelementptr %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
          llvm.store %x, %to : f32, !llvm.ptr
        }
      }
    }
  }
  grain.return
}
