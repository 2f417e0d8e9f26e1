// RUN: regrain-opt %s --split-input-file --pass-pipeline='builtin.module(grain.kernel(grain-coarsen-blocks{factors=1,1,8 loop},cse,grain-keep-windows{ahead=3}))' 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

// A step loads the plane of the third one behind it. The first step makes these loads for all steps up to there, each under
// the conditions of its step.

// CHECK-LABEL: grain.kernel @planes(
// CHECK: scf.for %[[K:[^ ]*]] = %{{.*}} to %[[END:[^ ]*]] step %[[ONE:[^ ]*]] iter_args(%{{[^ ]*}} = %{{[^ ]*}}, %{{[^ ]*}} = %{{[^ ]*}}, %[[A0:[^ ]*]] = %{{[^ ]*}}, %[[A1:[^ ]*]] = %{{[^ ]*}}, %[[A2:[^ ]*]] = %{{[^ ]*}}, %[[RAN:[^ ]*]] = %{{[^ ]*}}) -> (f32, f32, f32, f32, f32, i1)
// CHECK-NOT: llvm.load
// CHECK: %[[WINDOW:[^ ]*]]:5 = scf.if %[[RAN]] -> (f32, f32, f32, f32, f32) {
// CHECK-NEXT: scf.yield %{{.*}}, %{{.*}}, %[[A0]], %[[A1]], %[[A2]]
// CHECK-NEXT: } else {
// CHECK-COUNT-3: llvm.load
// CHECK: %[[FIRST:[^ ]*]] = scf.if %{{[^ ]*}} -> (f32) {
// CHECK: llvm.load
// CHECK: } else {
// CHECK: %[[SECOND:[^ ]*]] = scf.if %{{[^ ]*}} -> (f32) {
// CHECK: llvm.load
// CHECK: } else {
// CHECK: scf.yield %{{.*}}, %{{.*}}, %{{.*}}, %[[FIRST]], %[[SECOND]]
// CHECK: %[[N1:[^ ]*]] = arith.addi %[[K]], %[[ONE]]
// CHECK: %[[N2:[^ ]*]] = arith.addi %[[N1]], %[[ONE]]
// CHECK: %[[N3:[^ ]*]] = arith.addi %[[N2]], %[[ONE]]
// CHECK: %[[MORE:[^ ]*]] = arith.cmpi slt, %[[N3]], %[[END]]
// CHECK: %[[NEW:[^ ]*]] = scf.if %{{[^ ]*}} -> (f32) {
// CHECK: llvm.load
// CHECK: } else {
// CHECK-NOT: llvm.load
// CHECK: llvm.fadd %[[WINDOW]]#0, %[[WINDOW]]#1
// CHECK: llvm.store
// CHECK: scf.yield %[[WINDOW]]#1, %[[WINDOW]]#2, %[[WINDOW]]#3, %[[WINDOW]]#4, %[[NEW]], %true
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

// Three vectors of the window take 48 registers, and as many for each of two further steps.
// REMARK: remark: {{.*}}the window and what is loaded ahead would take 144 registers for each thread
// CHECK-LABEL: grain.kernel @wide(
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: grain.return
grain.kernel @wide(%u: !llvm.ptr, %f: !llvm.ptr, %slice: i64) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) attributes {shape = array<i32: 32, 1, 1>} {
      %k = arith.addi %bz, %tz : i32
      %x = arith.extsi %tx : i32 to i64
      %z = arith.extsi %k : i32 to i64
      %plane = arith.muli %z, %slice : i64
      %at = arith.addi %plane, %x : i64
      %above = arith.addi %at, %slice : i64
      %o0 = arith.constant 0 : i64
      %a0 = arith.addi %at, %o0 : i64
      %b0 = arith.addi %above, %o0 : i64
      %pa0 = llvm.getelementptr %u[%a0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %va0 = llvm.load %pa0 : !llvm.ptr -> vector<16xf32>
      %pb0 = llvm.getelementptr %u[%b0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %vb0 = llvm.load %pb0 : !llvm.ptr -> vector<16xf32>
      %w0 = llvm.fadd %va0, %vb0 : vector<16xf32>
      %o1 = arith.constant 4096 : i64
      %a1 = arith.addi %at, %o1 : i64
      %b1 = arith.addi %above, %o1 : i64
      %pa1 = llvm.getelementptr %u[%a1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %va1 = llvm.load %pa1 : !llvm.ptr -> vector<16xf32>
      %pb1 = llvm.getelementptr %u[%b1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %vb1 = llvm.load %pb1 : !llvm.ptr -> vector<16xf32>
      %w1 = llvm.fadd %va1, %vb1 : vector<16xf32>
      %o2 = arith.constant 8192 : i64
      %a2 = arith.addi %at, %o2 : i64
      %b2 = arith.addi %above, %o2 : i64
      %pa2 = llvm.getelementptr %u[%a2] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %va2 = llvm.load %pa2 : !llvm.ptr -> vector<16xf32>
      %pb2 = llvm.getelementptr %u[%b2] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %vb2 = llvm.load %pb2 : !llvm.ptr -> vector<16xf32>
      %w2 = llvm.fadd %va2, %vb2 : vector<16xf32>
      %s1 = llvm.fadd %w0, %w1 : vector<16xf32>
      %sum = llvm.fadd %s1, %w2 : vector<16xf32>
      %t = llvm.getelementptr %f[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sum, %t : vector<16xf32>, !llvm.ptr
    }
  }
  grain.return
}
