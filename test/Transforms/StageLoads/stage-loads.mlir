// RUN: regrain-opt %s --grain-stage-loads --cse --split-input-file 2>&1 | FileCheck %s --implicit-check-not=remark

// Three neighbours: the first copies need no bound, the last two elements are copied by two threads. If the
// conditions hold for the first and the last thread, they hold for all.
// CHECK-LABEL: grain.kernel @line
// CHECK: %[[TILE:.*]] = grain.shared "__regrain_staged" : !llvm.array<66 x i32> align 16
// CHECK: grain.threads (%[[T:.*]], %{{.*}}, %{{.*}}) {
// CHECK: %[[WHOLE:.*]] = arith.select
// CHECK: scf.if %[[WHOLE]] {
// CHECK: llvm.load %{{.*}} invariant {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK: llvm.store
// CHECK: arith.cmpi ult, %{{.*}}, %c66_i32
// CHECK: llvm.load %{{.*}} invariant
// CHECK: } else {
// CHECK: arith.ori
// CHECK: llvm.load %{{.*}} invariant
// CHECK: grain.barrier(%[[T]]
// CHECK: %[[OWN:.*]] = llvm.getelementptr inbounds %[[TILE]][%[[T]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<4 x i8>
// CHECK: scf.if
// CHECK: %[[LEFT:.*]] = llvm.getelementptr inbounds %[[OWN]][0]
// CHECK: llvm.load %[[LEFT]] {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// CHECK: llvm.getelementptr inbounds %[[OWN]][1]
// CHECK: llvm.getelementptr inbounds %[[OWN]][2]
// CHECK-NOT: invariant
grain.kernel @line(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %n: i32) {
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

// -----

// A star with rows at a distance that is an argument: its corners are not copied. The tile has 34 columns
// and 10 rows.
// CHECK-LABEL: grain.kernel @star
// CHECK: grain.shared "__regrain_staged" : !llvm.array<340 x i32> align 16
// CHECK: arith.remui %{{.*}}, %c34_i32
// CHECK: arith.divui %{{.*}}, %c34_i32
// CHECK: grain.barrier
// CHECK: llvm.getelementptr inbounds %{{.*}}[35]
// CHECK: llvm.getelementptr inbounds %{{.*}}[34]
// CHECK: llvm.getelementptr inbounds %{{.*}}[36]
// CHECK: llvm.getelementptr inbounds %{{.*}}[1]
// CHECK: llvm.getelementptr inbounds %{{.*}}[69]
// CHECK-NOT: invariant
grain.kernel @star(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %w: i32) {
  %c32 = arith.constant 32 : i32
  %c8 = arith.constant 8 : i32
  %c1 = arith.constant 1 : i32
  %m1 = arith.constant -1 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 8, 1>} {
    %fx = arith.muli %bx, %c32 : i32
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

// All rows of the block read one line. Its condition depends on the line alone.
// CHECK-LABEL: grain.kernel @common
// CHECK: grain.shared "__regrain_staged" : !llvm.array<32 x i64> align 16
// CHECK: grain.barrier
// CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<3> -> f64
// CHECK-NOT: invariant
grain.kernel @common(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %w: i64) {
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 8, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %x = arith.extsi %tx : i32 to i64
      %y = arith.extsi %ty : i32 to i64
      %inside = arith.cmpi slt, %x, %w : i64
      scf.if %inside {
        %at = llvm.getelementptr inbounds %a[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f64
        %v = llvm.load %at invariant : !llvm.ptr -> f64
        %row = arith.muli %y, %w : i64
        %i = arith.addi %row, %x : i64
        %to = llvm.getelementptr inbounds %b[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f64
        llvm.store %v, %to : f64, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// A condition that is not linear is computed for the threads that load an element, in each block.
// CHECK-LABEL: grain.kernel @odd
// CHECK: grain.shared "__regrain_staged" : !llvm.array<65 x i8> align 16
// CHECK-NOT: } else {
// CHECK: arith.andi %{{.*}}, %c1_i32
// CHECK: arith.andi %{{.*}}, %c1_i32
// CHECK: arith.ori
// CHECK: llvm.load %{{.*}} invariant
// CHECK: grain.barrier
grain.kernel @odd(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}) {
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %low = arith.andi %tx, %c1 : i32
      %isOdd = arith.cmpi ne, %low, %c0 : i32
      scf.if %isOdd {
        %at = llvm.getelementptr inbounds %a[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i8
        %next = llvm.getelementptr inbounds %at[1] : (!llvm.ptr) -> !llvm.ptr, i8
        %v = llvm.load %at invariant : !llvm.ptr -> i8
        %u = llvm.load %next invariant : !llvm.ptr -> i8
        %s = arith.addi %u, %v : i8
        %to = llvm.getelementptr inbounds %b[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i8
        llvm.store %s, %to : i8, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// The inner condition is computed where the outer one holds. The load stands in the other branch of it.
// CHECK-LABEL: grain.kernel @nested
// CHECK: %[[OUTER:.*]] = arith.cmpi ne, %arg2, %c0_i32
// CHECK: %[[INNER:.*]] = arith.cmpi eq, %{{.*}}, %arg2
// CHECK: %[[NOT:.*]] = arith.xori %[[INNER]], %true
// CHECK: arith.select %[[OUTER]], %[[NOT]], %false
// CHECK: grain.barrier
grain.kernel @nested(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %outer = arith.cmpi ne, %n, %c0 : i32
      scf.if %outer {
        %inner = arith.cmpi eq, %tx, %n : i32
        scf.if %inner {
        } else {
          %at = llvm.getelementptr inbounds %a[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
          %next = llvm.getelementptr inbounds %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
          %v = llvm.load %at invariant : !llvm.ptr -> f32
          %u = llvm.load %next invariant : !llvm.ptr -> f32
          %s = llvm.fadd %u, %v : f32
          %to = llvm.getelementptr inbounds %b[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
          llvm.store %s, %to : f32, !llvm.ptr
        }
      }
    }
  }
  grain.return
}

// -----

// Threads that run four neighbours each, at a grain. Nobody loads element 3. The stack array stays in
// front of the copy.
// CHECK-LABEL: grain.kernel @neighbours
// CHECK: grain.shared "__regrain_staged" : !llvm.array<68 x i32> align 16
// CHECK: grain.threads
// CHECK-NEXT: llvm.alloca
// CHECK: arith.cmpi ult, %{{.*}}, %c3_i32
// CHECK: arith.cmpi ult, %{{.*}}, %c64_i32
// CHECK: grain.barrier
// CHECK: arith.muli %{{.*}}, %c4_i32
// CHECK: llvm.getelementptr inbounds %{{.*}}[0]
// CHECK: llvm.getelementptr inbounds %{{.*}}[7]
grain.kernel @neighbours(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}) {
  %c4 = arith.constant 4 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) factors [4, 1, 1] attributes {contiguous} {
      %i = arith.muli %tx, %c4 : i32
      %at = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %p0 = llvm.getelementptr inbounds %at[0] : (!llvm.ptr) -> !llvm.ptr, f32
      %v0 = llvm.load %p0 invariant : !llvm.ptr -> f32
      %p1 = llvm.getelementptr inbounds %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
      %v1 = llvm.load %p1 invariant : !llvm.ptr -> f32
      %p2 = llvm.getelementptr inbounds %at[2] : (!llvm.ptr) -> !llvm.ptr, f32
      %v2 = llvm.load %p2 invariant : !llvm.ptr -> f32
      %p4 = llvm.getelementptr inbounds %at[4] : (!llvm.ptr) -> !llvm.ptr, f32
      %v4 = llvm.load %p4 invariant : !llvm.ptr -> f32
      %p5 = llvm.getelementptr inbounds %at[5] : (!llvm.ptr) -> !llvm.ptr, f32
      %v5 = llvm.load %p5 invariant : !llvm.ptr -> f32
      %p6 = llvm.getelementptr inbounds %at[6] : (!llvm.ptr) -> !llvm.ptr, f32
      %v6 = llvm.load %p6 invariant : !llvm.ptr -> f32
      %p7 = llvm.getelementptr inbounds %at[7] : (!llvm.ptr) -> !llvm.ptr, f32
      %v7 = llvm.load %p7 invariant : !llvm.ptr -> f32
      %own = llvm.alloca %c1 x f32 : (i32) -> !llvm.ptr
      llvm.store %v0, %own : f32, !llvm.ptr
      %s1 = llvm.fadd %v0, %v1 : f32
      %s2 = llvm.fadd %s1, %v2 : f32
      %s4 = llvm.fadd %s2, %v4 : f32
      %s5 = llvm.fadd %s4, %v5 : f32
      %s6 = llvm.fadd %s5, %v6 : f32
      %s7 = llvm.fadd %s6, %v7 : f32
      %t = llvm.load %own : !llvm.ptr -> f32
      %u = llvm.fadd %s7, %t : f32
      %to = llvm.getelementptr inbounds %b[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %u, %to : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The pointer and the rows are aligned, so all but the ends of lines is copied by the widest accesses. The
// elements lie at their places within 16 bytes: 3 in front of each line of 34, and 3 behind it.
// CHECK-LABEL: grain.kernel @aligned
// CHECK: grain.shared "__regrain_staged" : !llvm.array<400 x i32> align 16
// CHECK: arith.remui %{{.*}}, %c10_i32
// CHECK: arith.subi %{{.*}}, %c3_i32
// CHECK: arith.cmpi ult, %{{.*}}, %c31_i32
// CHECK: scf.if
// CHECK: llvm.load %{{.*}} invariant {alignment = 16 : i64} : !llvm.ptr -> vector<4xi32>
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
// CHECK: } else {
// CHECK-COUNT-4: llvm.load %{{.*}} invariant {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK: grain.barrier
// CHECK: arith.muli %{{.*}}, %c40_i32
// CHECK: llvm.getelementptr inbounds %{{.*}}[44]
// CHECK: llvm.getelementptr inbounds %{{.*}}[43]
// CHECK: llvm.getelementptr inbounds %{{.*}}[45]
// CHECK: llvm.getelementptr inbounds %{{.*}}[4]
// CHECK: llvm.getelementptr inbounds %{{.*}}[84]
// CHECK-NOT: invariant
grain.kernel @aligned(%a: !llvm.ptr {llvm.align = 16 : i64, llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %any: i32) {
  %c32 = arith.constant 32 : i32
  %c8 = arith.constant 8 : i32
  %c1 = arith.constant 1 : i32
  %m1 = arith.constant -1 : i32
  %m4 = arith.constant -4 : i32
  %w = arith.andi %any, %m4 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 8, 1>} {
    %fx = arith.muli %bx, %c32 : i32
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
