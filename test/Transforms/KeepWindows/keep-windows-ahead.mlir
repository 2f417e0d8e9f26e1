// RUN: regrain-opt %s --split-input-file --pass-pipeline='builtin.module(grain.kernel(grain-coarsen-blocks{factors=1,1,4 loop},cse,grain-keep-windows{ahead}))' 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

// The plane that the next step adds is loaded before this one computes, if the next step exists and its conditions hold.
// Without a step before, all three planes are loaded.

// CHECK-LABEL: grain.kernel @planes(
// CHECK: scf.for %[[K:[^ ]*]] = %{{.*}} to %[[END:[^ ]*]] step %[[ONE:[^ ]*]] iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %[[AHEAD:.*]] = %{{.*}}, %[[RAN:.*]] = %{{.*}}) -> (f32, f32, f32, i1)
// CHECK-NOT: llvm.load
// CHECK: %[[WINDOW:.*]]:3 = scf.if %[[RAN]] -> (f32, f32, f32) {
// CHECK-NEXT: scf.yield %{{.*}}, %{{.*}}, %[[AHEAD]]
// CHECK-NEXT: } else {
// CHECK-COUNT-3: llvm.load
// CHECK: %[[NEXT:.*]] = arith.addi %[[K]], %[[ONE]]
// CHECK: %[[MORE:.*]] = arith.cmpi slt, %[[NEXT]], %[[END]]
// CHECK: %[[EXISTS:.*]] = arith.select %[[MORE]], %{{.*}}, %{{.*}} : i1
// CHECK: %[[RUNS:.*]] = arith.select %[[EXISTS]], %{{.*}}, %{{.*}} : i1
// CHECK: %[[NEW:.*]] = scf.if %[[RUNS]] -> (f32) {
// CHECK: llvm.load
// CHECK: } else {
// CHECK-NOT: llvm.load
// CHECK: llvm.fadd %[[WINDOW]]#0, %[[WINDOW]]#1
// CHECK: llvm.store
// CHECK: scf.yield %[[WINDOW]]#1, %[[WINDOW]]#2, %[[NEW]], %true
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

// Whether the next step loads depends on memory.
// REMARK: remark: {{.*}}a step cannot tell whether the next one will load
// CHECK-LABEL: grain.kernel @masked(
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: grain.return
grain.kernel @masked(%u: !llvm.ptr, %f: !llvm.ptr, %mask: !llvm.ptr, %slice: i64) {
  %zero = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) attributes {shape = array<i32: 32, 1, 1>} {
      %k = arith.addi %bz, %tz : i32
      %m = llvm.getelementptr %mask[%k] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %v = llvm.load %m : !llvm.ptr -> i32
      %is = arith.cmpi ne, %v, %zero : i32
      scf.if %is {
        %x = arith.extsi %tx : i32 to i64
        %z = arith.extsi %k : i32 to i64
        %plane = arith.muli %z, %slice : i64
        %at = arith.addi %plane, %x : i64
        %above = arith.addi %at, %slice : i64
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
