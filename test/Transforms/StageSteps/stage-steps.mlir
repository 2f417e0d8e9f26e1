// The planes of a march lie in a ring of four: three that a step reads, and one that is copied meanwhile.
// DEFINE: %{march} = grain-coarsen-blocks{factors=1,1,8 loop},cse
// RUN: regrain-opt %s --pass-pipeline='builtin.module(grain.kernel(%{march},grain-stage-steps{bulk},grain-clean-up))' 2>&1 | FileCheck %s --check-prefixes=CHECK,BULK --implicit-check-not=remark
// RUN: regrain-opt %s --pass-pipeline='builtin.module(grain.kernel(%{march},grain-stage-steps,grain-clean-up))' 2>&1 | FileCheck %s --check-prefixes=CHECK,PIECES --implicit-check-not=remark
// RUN: sed 's/llvm.align = 16 : i64, //' %s | regrain-opt --pass-pipeline='builtin.module(grain.kernel(%{march},grain-stage-steps,grain-clean-up))' 2>&1 | FileCheck %s --check-prefixes=CHECK,ELEMENTS --implicit-check-not=remark

// Of the planes, five lines of 65 elements are loaded. With bulk copies, a line begins 31 elements behind a line of
// memory, and the next one begins 96 elements later.
// CHECK-LABEL: grain.kernel @star
// BULK: %[[RING:.*]] = grain.shared "__regrain_staged_ring_bulk" : !llvm.array<1920 x i32> align 128
// PIECES: %[[RING:.*]] = grain.shared "__regrain_staged_ring" : !llvm.array<1360 x i32> align 16
// ELEMENTS: %[[RING:.*]] = grain.shared "__regrain_staged_ring" : !llvm.array<1300 x i32> align 16

// The planes of the first step.
// CHECK: scf.for %[[EARLY:.*]] = %c0_i32 to %c3_i32 step %c1_i32
// CHECK-NEXT: %[[PLACE:.*]] = arith.remui %[[EARLY]], %c4_i32
// CHECK-NEXT: arith.muli %[[PLACE]]
// The threads that load a plane are those of the step in which they do, if it exists.
// CHECK: %[[STEP:.*]] = arith.subi %[[EARLY]], %c1_i32
// CHECK-NEXT: %[[Z:.*]] = arith.addi %{{.*}}, %[[STEP]]
// CHECK: %[[BELOW:.*]] = arith.cmpi sgt, %[[Z]], %c0_i32
// CHECK-NEXT: llvm.freeze %[[BELOW]]
// CHECK: arith.cmpi ult, %[[STEP]], %c8_i32
// A line is copied at once, in pieces of 16 bytes, or by elements; if threads load from it.
// BULK: %[[AT:.*]] = arith.subi %[[FIRST:.*]], %c-31_i32
// BULK-NEXT: arith.andi %[[AT]], %c-4_i32
// BULK-NEXT: %[[END:.*]] = arith.subi %[[LAST:.*]], %c-35_i32
// BULK-NEXT: arith.andi %[[END]], %c-4_i32
// BULK: "llvm.intr.memcpy"(%{{.*}}) <{isVolatile = false}> : (!llvm.ptr<3>, !llvm.ptr, i64) -> ()
// PIECES: %[[PIECE:.*]] = llvm.load %{{.*}} invariant {alignment = 16 : i64} : !llvm.ptr -> vector<4xi32>
// PIECES: llvm.store %[[PIECE]]
// ELEMENTS: %[[ELEMENT:.*]] = llvm.load %{{.*}} invariant {alignment = 4 : i64} : !llvm.ptr -> i32
// ELEMENTS: llvm.store %[[ELEMENT]]

// CHECK: scf.for %[[K:.*]] = %c0_i32 to %c8_i32 step %c1_i32
// CHECK-NEXT: grain.barrier
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[K]], %c3_i32
// CHECK-NEXT: %[[EXISTS:.*]] = arith.cmpi ult, %[[NEXT]], %c10_i32
// CHECK-NEXT: scf.if %[[EXISTS]]
// CHECK-NEXT: arith.remui %[[NEXT]], %c4_i32
// CHECK: arith.remui %[[K]], %c4_i32
// CHECK: %[[ONE:.*]] = arith.addi %[[K]], %c1_i32
// CHECK-NEXT: arith.remui %[[ONE]], %c4_i32
// CHECK: %[[TWO:.*]] = arith.addi %[[K]], %c2_i32
// CHECK-NEXT: arith.remui %[[TWO]], %c4_i32
// CHECK-COUNT-5: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
// CHECK-NOT: llvm.load
// CHECK-NOT: grain.steps
grain.kernel @star(%u: !llvm.ptr {llvm.align = 16 : i64, llvm.noalias}, %f: !llvm.ptr {llvm.noalias}, %any: i32, %ny: i32, %nz: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m4 = arith.constant -4 : i32
  %c64 = arith.constant 64 : i32
  %c4 = arith.constant 4 : i32
  %nx = arith.andi %any, %m4 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 4, 1>} {
    %fx = arith.muli %bx, %c64 : i32
    %fy = arith.muli %by, %c4 : i32
    grain.threads (%tx, %ty, %tz) {
      %x = arith.addi %fx, %tx : i32
      %y = arith.addi %fy, %ty : i32
      %left = arith.cmpi ne, %x, %zero : i32
      %right = arith.cmpi slt, %x, %nx : i32
      %low = arith.cmpi sge, %y, %one : i32
      %high = arith.cmpi slt, %y, %ny : i32
      %below = arith.cmpi sgt, %bz, %zero : i32
      %above = arith.cmpi sge, %bz, %nz : i32
      %inRow = arith.andi %left, %right : i1
      %inColumn = arith.andi %low, %high : i1
      %inPlane = arith.andi %inRow, %inColumn : i1
      scf.if %inPlane {
        scf.if %below {
          scf.if %above {
          } else {
            %x64 = arith.extsi %x : i32 to i64
            %y64 = arith.extsi %y : i32 to i64
            %z64 = arith.extsi %bz : i32 to i64
            %row = arith.extsi %nx : i32 to i64
            %rows = arith.extsi %ny : i32 to i64
            %slice = arith.muli %row, %rows : i64
            %yr = arith.muli %y64, %row : i64
            %zs = arith.muli %z64, %slice : i64
            %xy = arith.addi %x64, %yr : i64
            %i = arith.addi %xy, %zs : i64
            %i0 = arith.subi %i, %slice : i64
            %i1 = arith.addi %i, %slice : i64
            %i2 = arith.subi %i, %row : i64
            %p = llvm.getelementptr %u[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
            %p0 = llvm.getelementptr %u[%i0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
            %p1 = llvm.getelementptr %u[%i1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
            %p2 = llvm.getelementptr %u[%i2] : (!llvm.ptr, i64) -> !llvm.ptr, f32
            %p3 = llvm.getelementptr %p[-1] : (!llvm.ptr) -> !llvm.ptr, f32
            %v = llvm.load %p invariant : !llvm.ptr -> f32
            %v0 = llvm.load %p0 invariant : !llvm.ptr -> f32
            %v1 = llvm.load %p1 invariant : !llvm.ptr -> f32
            %v2 = llvm.load %p2 invariant : !llvm.ptr -> f32
            %v3 = llvm.load %p3 invariant : !llvm.ptr -> f32
            %s0 = llvm.fadd %v, %v0 : f32
            %s1 = llvm.fadd %s0, %v1 : f32
            %s2 = llvm.fadd %s1, %v2 : f32
            %s3 = llvm.fadd %s2, %v3 : f32
            %t = llvm.getelementptr %f[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
            llvm.store %s3, %t : f32, !llvm.ptr
          }
        }
      }
    }
  }
  grain.return
}
