// RUN: regrain-opt %s --grain-stage-loops --cse --split-input-file 2>&1 | FileCheck %s --implicit-check-not=remark

// A matrix product. Rows of 16 iterations are 20 elements apart. The barrier stands in the version for blocks in
// which the last thread passes both conditions. What is left of the loop, and the other blocks, load as before.
// CHECK-LABEL: grain.kernel @product
// CHECK-DAG: %[[ROWS:.*]] = grain.shared "__regrain_staged_ring" : !llvm.array<640 x i32> align 16
// CHECK-DAG: %[[COLUMNS:.*]] = grain.shared "__regrain_staged_ring" : !llvm.array<512 x i32> align 16
// CHECK: grain.threads (%[[TX:.*]], %[[TY:.*]], %{{.*}}) {
// CHECK: %[[RIGHT:.*]] = arith.addi %{{.*}}, %c15_i32
// CHECK: %[[FITS:.*]] = arith.cmpi slt, %[[RIGHT]], %arg4
// CHECK: %[[LOW:.*]] = arith.addi %{{.*}}, %c15_i32
// CHECK: %[[BOTH:.*]] = arith.cmpi slt, %[[LOW]], %arg3
// CHECK: %[[WHOLE:.*]] = arith.select %[[FITS]], %[[BOTH]], %false
// CHECK: scf.if %[[WHOLE]] {
// CHECK-NOT: scf.if
// CHECK: %[[COUNT:.*]] = arith.select %{{.*}}, %{{.*}}, %c0_i32
// CHECK: %[[TILES:.*]] = arith.divui %[[COUNT]], %c16_i32
// CHECK: %[[ANY:.*]] = arith.cmpi ne, %[[TILES]], %c0_i32
// CHECK: scf.if %[[ANY]] {
// CHECK-COUNT-2: llvm.load %{{.*}} invariant {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK: %[[SUM:.*]] = scf.for %[[T:.*]] = %c0_i32 to %[[TILES]] step %c1_i32 iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (f32)
// CHECK-NEXT: grain.barrier(%[[TX]], %[[TY]]
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[T]], %c1_i32
// CHECK-NEXT: %[[MORE:.*]] = arith.cmpi slt, %[[NEXT]], %[[TILES]]
// CHECK-NEXT: scf.if %[[MORE]] {
// CHECK-NEXT: %[[OTHER:.*]] = arith.andi %[[NEXT]], %c1_i32
// CHECK: arith.muli %[[OTHER]], %c320_i32
// CHECK-COUNT-2: llvm.load %{{.*}} invariant {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK: %[[THIS:.*]] = arith.andi %[[T]], %c1_i32
// CHECK: scf.for %[[J:.*]] = %c0_i32 to %c16_i32 step %c1_i32 iter_args(%{{.*}} = %[[BEFORE]]) -> (f32)
// CHECK-NEXT: grain.loop_hint #loop_annotation
// CHECK-NOT: invariant
// CHECK: scf.yield
// CHECK: %[[DONE:.*]] = arith.muli %[[TILES]], %c16_i32
// CHECK: %[[ALL:.*]] = arith.cmpi eq, %[[DONE]], %[[COUNT]]
// CHECK: %[[START:.*]] = arith.select %[[ALL]], %arg5, %{{.*}}
// CHECK: scf.for %{{.*}} = %[[START]] to %arg5 step %{{.*}} iter_args(%{{.*}} = %[[SUM]]) -> (f32)
// CHECK-COUNT-2: llvm.load %{{.*}} invariant : !llvm.ptr -> f32
// CHECK: } else {
// CHECK: scf.if
// CHECK-NOT: grain.barrier
// CHECK-COUNT-2: llvm.load %{{.*}} invariant : !llvm.ptr -> f32
grain.kernel @product(%c: !llvm.ptr {llvm.noalias}, %a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %m: i32, %n: i32, %k: i32) {
  %zero = llvm.mlir.constant(0.000000e+00 : f32) : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    %fx = arith.muli %bx, %c16 : i32
    %fy = arith.muli %by, %c16 : i32
    grain.threads (%tx, %ty, %tz) {
      %x = arith.addi %fx, %tx : i32
      %y = arith.addi %fy, %ty : i32
      %isColumn = arith.cmpi slt, %x, %n : i32
      %isRow = arith.cmpi slt, %y, %m : i32
      %inside = arith.andi %isColumn, %isRow : i1
      scf.if %inside {
        %row = arith.muli %y, %k overflow<nsw> : i32
        %sum = scf.for %i = %c0 to %k step %c1 iter_args(%s = %zero) -> (f32) : i32 {
          %ai = arith.addi %row, %i overflow<nsw> : i32
          %ap = llvm.getelementptr %a[%ai] : (!llvm.ptr, i32) -> !llvm.ptr, f32
          %av = llvm.load %ap invariant : !llvm.ptr -> f32
          %in = arith.muli %i, %n overflow<nsw> : i32
          %bi = arith.addi %in, %x overflow<nsw> : i32
          %bp = llvm.getelementptr %b[%bi] : (!llvm.ptr, i32) -> !llvm.ptr, f32
          %bv = llvm.load %bp invariant : !llvm.ptr -> f32
          %next = llvm.intr.fmuladd(%av, %bv, %s) : (f32, f32, f32) -> f32
          scf.yield %next : f32
        }
        %first = arith.muli %y, %n overflow<nsw> : i32
        %ci = arith.addi %first, %x overflow<nsw> : i32
        %cp = llvm.getelementptr %c[%ci] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        llvm.store %sum, %cp : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// All threads read the same numbers: tiles have 64 iterations, and no version is needed. The step is 3, and the
// counter has 64 bits. Elements in between are not copied.
// CHECK-LABEL: grain.kernel @common
// CHECK: grain.shared "__regrain_staged_ring" : !llvm.array<380 x i16> align 16
// CHECK-NOT: scf.if %{{.*}} -> (f32)
// CHECK: arith.divui %{{.*}}, %c3_i64
// CHECK: arith.divui %{{.*}}, %c64_i64
// CHECK: grain.barrier
// CHECK: scf.for %[[J:.*]] = %c0_i64 to %c64_i64 step %c1_i64
// CHECK: %[[NARROW:.*]] = arith.trunci %[[J]] : i64 to i32
// CHECK: arith.muli %[[NARROW]], %c3_i32
// CHECK: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<3> -> i16
grain.kernel @common(%c: !llvm.ptr {llvm.noalias}, %a: !llvm.ptr {llvm.noalias}, %from: i64, %to: i64) {
  %zero = arith.constant 0 : i16
  %c3 = arith.constant 3 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 256, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %sum = scf.for %i = %from to %to step %c3 iter_args(%s = %zero) -> (i16) : i64 {
        %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i16
        %v = llvm.load %p invariant : !llvm.ptr -> i16
        %next = arith.xori %s, %v : i16
        scf.yield %next : i16
      }
      %q = llvm.getelementptr %c[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i16
      llvm.store %sum, %q : i16, !llvm.ptr
    }
  }
  grain.return
}

// -----

// Two blocks side by side. Their columns are 16 apart unless that wraps, which is tested for the block.
// CHECK-LABEL: grain.kernel @wraps
// CHECK: grain.shared "__regrain_staged_ring" : !llvm.array<1024 x i32> align 16
// CHECK-NOT: grain.shared
// CHECK: %[[ONE:.*]] = arith.extsi %[[SECOND:.*]] : i32 to i64
// CHECK: %[[TWO:.*]] = arith.extsi %[[FIRST:.*]] : i32 to i64
// CHECK: %[[SUM:.*]] = arith.addi %[[TWO]], %c16_i64
// CHECK: arith.cmpi eq, %[[ONE]], %[[SUM]]
// CHECK: scf.if
// CHECK: grain.barrier
// CHECK: } else {
// CHECK-NOT: grain.barrier
grain.kernel @wraps(%c: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %n: i32) {
  %zero = llvm.mlir.constant(0.000000e+00 : f32) : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  grain.blocks (%bx, %by, %bz) factors [2, 1, 1] attributes {known_block = array<i32: 16, 16, 1>} {
    %nextBlock = arith.addi %bx, %c1 overflow<nsw> : i32
    %fx = arith.muli %bx, %c16 : i32
    %gx = arith.muli %nextBlock, %c16 : i32
    grain.threads (%tx, %ty, %tz) {
      %x = arith.addi %fx, %tx : i32
      %u = arith.addi %gx, %tx : i32
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) : i32 {
        %in = arith.muli %i, %n overflow<nsw> : i32
        %bi = arith.addi %in, %x overflow<nsw> : i32
        %bp = llvm.getelementptr %b[%bi] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %bv = llvm.load %bp invariant : !llvm.ptr -> f32
        %di = arith.addi %in, %u overflow<nsw> : i32
        %dp = llvm.getelementptr %b[%di] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %dv = llvm.load %dp invariant : !llvm.ptr -> f32
        %t = llvm.fadd %bv, %dv : f32
        %next = llvm.fadd %s, %t : f32
        scf.yield %next : f32
      }
      %ci = arith.addi %x, %ty : i32
      %cp = llvm.getelementptr %c[%ci] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %sum, %cp : f32, !llvm.ptr
    }
  }
  grain.return
}
