// RUN: regrain-opt %s --split-input-file --pass-pipeline='builtin.module(grain.kernel(grain-coarsen-blocks{factors=1,1,4 loop},cse,grain-keep-windows{required}))' | FileCheck %s

// Two of three planes come from the steps before, if the last step ran; otherwise all are loaded.

// CHECK-LABEL: grain.kernel @planes(
// CHECK-DAG: %[[NONE:.*]] = llvm.mlir.poison : f32
// CHECK-DAG: %[[NO:.*]] = arith.constant false
// CHECK: %{{.*}}:3 = scf.for %{{.*}} iter_args(%[[HERE:.*]] = %{{.*}}, %[[ABOVE:.*]] = %{{.*}}, %[[RAN:.*]] = %{{.*}}) -> (f32, f32, i1)
// CHECK-NOT: llvm.load
// CHECK: %[[INSIDE:.*]]:3 = scf.if
// CHECK-NOT: llvm.load
// CHECK: %[[OLD:.*]]:2 = scf.if %[[RAN]] -> (f32, f32) {
// CHECK-NEXT: scf.yield %[[HERE]], %[[ABOVE]]
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[A:.*]] = llvm.load
// CHECK-NEXT: %[[B:.*]] = llvm.load
// CHECK-NEXT: scf.yield %[[A]], %[[B]]
// CHECK: %[[NEW:.*]] = llvm.load
// CHECK-NOT: llvm.load
// CHECK: llvm.fadd %[[OLD]]#0, %[[OLD]]#1
// CHECK: llvm.store
// CHECK: scf.yield %[[OLD]]#1, %[[NEW]], %true
// CHECK: } else {
// CHECK-NEXT: scf.yield %{{.*}}, %{{.*}}, %[[NO]]
// CHECK-NOT: grain.steps
// CHECK: grain.return
grain.kernel @planes(%u: !llvm.ptr, %f: !llvm.ptr, %slice: i32, %nz: i32) {
  %zero = arith.constant 0 : i32
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
        %p = llvm.getelementptr %u[%below] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %a = llvm.load %p : !llvm.ptr -> f32
        %q = llvm.getelementptr %u[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %b = llvm.load %q : !llvm.ptr -> f32
        %r = llvm.getelementptr %u[%above] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %c = llvm.load %r : !llvm.ptr -> f32
        %ab = llvm.fadd %a, %b : f32
        %abc = llvm.fadd %ab, %c : f32
        %t = llvm.getelementptr %f[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %abc, %t : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// An element is needed again two steps later, whatever the step between did: it waits in two
// registers, and there are two flags.

// CHECK-LABEL: grain.kernel @next_but_one(
// CHECK: scf.for %{{.*}} iter_args(%[[ONE:.*]] = %{{.*}}, %[[TWO:.*]] = %{{.*}}, %[[RAN1:.*]] = %{{.*}}, %[[RAN2:.*]] = %{{.*}}) -> (f32, f32, i1, i1)
// CHECK: %[[INSIDE:.*]]:2 = scf.if
// CHECK: scf.if %[[RAN2]] -> (f32) {
// CHECK-NEXT: scf.yield %[[TWO]]
// CHECK: scf.yield %[[INSIDE]]#0, %[[ONE]], %[[INSIDE]]#1, %[[RAN1]]
// CHECK: grain.return
grain.kernel @next_but_one(%u: !llvm.ptr, %f: !llvm.ptr, %slice: i32, %nz: i32) {
  %two = arith.constant 2 : i64
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) attributes {shape = array<i32: 32, 1, 1>} {
      %k = arith.addi %bz, %tz : i32
      %both = arith.cmpi slt, %k, %nz : i32
      scf.if %both {
        %x = arith.extsi %tx : i32 to i64
        %z = arith.extsi %k : i32 to i64
        %s = arith.extsi %slice : i32 to i64
        %plane = arith.muli %z, %s : i64
        %at = arith.addi %plane, %x : i64
        %far = arith.muli %s, %two : i64
        %above = arith.addi %at, %far : i64
        %q = llvm.getelementptr %u[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %b = llvm.load %q : !llvm.ptr -> f32
        %r = llvm.getelementptr %u[%above] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %c = llvm.load %r : !llvm.ptr -> f32
        %sum = llvm.fadd %b, %c : f32
        %t = llvm.getelementptr %f[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %sum, %t : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// A store that comes behind the loads of its own block orders nothing, even to the same array, and
// shared memory does not matter.

// CHECK-LABEL: grain.kernel @in_place(
// CHECK: scf.for %{{.*}} iter_args(%[[OLD:.*]] = %{{.*}}, %[[RAN:.*]] = %{{.*}}) -> (f32, i1)
// CHECK: scf.if %[[RAN]] -> (f32) {
// CHECK-NEXT: scf.yield %[[OLD]]
// CHECK: grain.barrier
// CHECK: llvm.store
// CHECK: grain.return
grain.kernel @in_place(%u: !llvm.ptr, %slice: i32) {
  grain.blocks (%bx, %by, %bz) {
    %held = grain.shared "held" : !llvm.array<32 x f32> align 4
    grain.threads (%tx, %ty, %tz) attributes {shape = array<i32: 32, 1, 1>} {
      %k = arith.addi %bz, %tz : i32
      %x = arith.extsi %tx : i32 to i64
      %z = arith.extsi %k : i32 to i64
      %s = arith.extsi %slice : i32 to i64
      %plane = arith.muli %z, %s : i64
      %at = arith.addi %plane, %x : i64
      %above = arith.addi %at, %s : i64
      %q = llvm.getelementptr %u[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %b = llvm.load %q : !llvm.ptr -> f32
      %r = llvm.getelementptr %u[%above] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %c = llvm.load %r : !llvm.ptr -> f32
      %sum = llvm.fadd %b, %c : f32
      %mine = llvm.getelementptr %held[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
      llvm.store %sum, %mine : f32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %other = llvm.load %held : !llvm.ptr<3> -> f32
      %down = arith.subi %at, %s : i64
      %t = llvm.getelementptr %u[%down] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %other, %t : f32, !llvm.ptr
    }
  }
  grain.return
}
