// Elements of which a thread takes neighbours are dealt so that neighbouring threads take neighbours, and the reverse.
// RUN: regrain-opt %s --grain-deal-iterations --grain-clean-up --split-input-file | FileCheck %s
// RUN: regrain-opt %s --grain-deal-iterations=dealing=blocked --grain-clean-up --split-input-file 2>&1 | FileCheck %s --check-prefix=BLOCKED

// The number of iterations is a parameter: x * m + j becomes x + j * size.
// CHECK-LABEL: grain.kernel @parameter
// CHECK: grain.threads (%[[X:[^,]*]],
// CHECK: %[[SIZE:.*]] = grain.block_size x
// CHECK: %[[FIXED:.*]] = arith.addi %{{[0-9]*}}, %[[X]] : i32
// CHECK-NEXT: scf.for %[[J:.*]] = %c0_i32 to %arg3 step %c1_i32
// CHECK-NEXT: %[[MOVED:.*]] = arith.muli %[[SIZE]], %[[J]] : i32
// CHECK-NEXT: %[[I:.*]] = arith.addi %[[FIXED]], %[[MOVED]] : i32
// CHECK-NEXT: %[[RUNS:.*]] = arith.cmpi slt, %[[I]], %arg2
// CHECK-NEXT: scf.if %[[RUNS]] {
// CHECK-NEXT: arith.extsi %[[I]]
// BLOCKED: remark: {{.*}}the loop uses a value that may differ between threads in another way than the number of the element
grain.kernel @parameter(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %m overflow<nsw> : i32
      scf.for %j = %c0 to %m step %c1 : i32 {
        %i = arith.addi %start, %j overflow<nsw> : i32
        %runs = arith.cmpi slt, %i, %n : i32
        scf.if %runs {
          %at = arith.extsi %i : i32 to i64
          %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          %v = llvm.load %from : !llvm.ptr -> f32
          %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          llvm.store %v, %to : f32, !llvm.ptr
        }
      }
    }
  }
  grain.return
}

// -----

// A constant number, and an `or` instead of a sum.
// CHECK-LABEL: grain.kernel @constant
// CHECK: grain.threads (%[[X:[^,]*]],
// CHECK: %[[SIZE:.*]] = grain.block_size x
// CHECK: %[[FIXED:.*]] = arith.addi %{{[0-9]*}}, %[[X]] : i32
// CHECK-NEXT: scf.for %[[J:.*]] = %c0_i32 to %c8_i32 step %c1_i32
// CHECK-NEXT: %[[MOVED:.*]] = arith.muli %[[SIZE]], %[[J]] : i32
// CHECK-NEXT: %[[I:.*]] = arith.addi %[[FIXED]], %[[MOVED]] : i32
// CHECK-NEXT: %[[RUNS:.*]] = arith.cmpi slt, %[[I]], %arg2
// CHECK-NEXT: scf.if %[[RUNS]] {
// CHECK-NEXT: arith.extsi %[[I]]
// BLOCKED: remark: {{.*}}another way than the number of the element
grain.kernel @constant(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %c3 = arith.constant 3 : i32
      %start = arith.shli %thread, %c3 overflow<nsw> : i32
      scf.for %j = %c0 to %c8 step %c1 : i32 {
        %i = arith.ori %start, %j : i32
        %runs = arith.cmpi slt, %i, %n : i32
        scf.if %runs {
          %at = arith.extsi %i : i32 to i64
          %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          %v = llvm.load %from : !llvm.ptr -> f32
          %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          llvm.store %v, %to : f32, !llvm.ptr
        }
      }
    }
  }
  grain.return
}

// -----

// The counter is the element, and the last thread has fewer: the new loop counts to the number of a thread's elements.
// CHECK-LABEL: grain.kernel @ragged
// CHECK: grain.threads (%[[X:[^,]*]],
// CHECK: %[[SIZE:.*]] = grain.block_size x
// CHECK: %[[FIXED:.*]] = arith.addi %{{[0-9]*}}, %[[X]] : i32
// CHECK-NEXT: scf.for %[[J:.*]] = %c0_i32 to %c8_i32 step %c1_i32
// CHECK-NEXT: %[[MOVED:.*]] = arith.muli %[[SIZE]], %[[J]] : i32
// CHECK-NEXT: %[[I:.*]] = arith.addi %[[FIXED]], %[[MOVED]] : i32
// CHECK-NEXT: %[[RUNS:.*]] = arith.cmpi slt, %[[I]], %arg2
// CHECK-NEXT: scf.if %[[RUNS]] {
// CHECK-NEXT: arith.extsi %[[I]]
// BLOCKED: remark: {{.*}}threads are not known to run equally many iterations
grain.kernel @ragged(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %c8 overflow<nsw> : i32
      %behind = arith.addi %start, %c8 overflow<nsw> : i32
      %end = arith.minsi %behind, %n : i32
      scf.for %j = %start to %end step %c1 : i32 {
        %at = arith.extsi %j : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// Neighbouring threads take neighbouring elements: x + j * size becomes x * m + j.
// BLOCKED-LABEL: grain.kernel @cyclic
// BLOCKED: grain.threads (%[[X:[^,]*]],
// BLOCKED: %[[OWN:.*]] = arith.muli %[[X]], %c8_i32 : i32
// BLOCKED-NEXT: %[[FIXED:.*]] = arith.addi %{{.*}}, %[[OWN]] : i32
// BLOCKED-NEXT: scf.for %[[J:.*]] = %c0_i32 to %c8_i32 step
// BLOCKED-NEXT: arith.addi %[[FIXED]], %[[J]] : i32
grain.kernel @cyclic(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %t = arith.addi %first, %tx : i32
      %all = arith.muli %first, %c8 : i32
      %start = arith.addi %all, %tx : i32
      scf.for %j = %c0 to %c8 step %c1 : i32 {
        %jump = arith.muli %j, %size overflow<nsw> : i32
        %i = arith.addi %start, %jump overflow<nsw> : i32
        %runs = arith.cmpi slt, %i, %n : i32
        scf.if %runs {
          %at = arith.extsi %i : i32 to i64
          %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          %v = llvm.load %from : !llvm.ptr -> f32
          %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          llvm.store %v, %to : f32, !llvm.ptr
        }
      }
    }
  }
  grain.return
}

// -----

// A known block, in place. Each row of threads is dealt for itself.
// CHECK-LABEL: grain.kernel @in_place
// CHECK: grain.threads (%[[X:[^,]*]], %[[Y:[^,]*]],
// CHECK: %[[ROW:.*]] = arith.muli %[[Y]], %arg2 : i32
// CHECK-NEXT: %[[FIXED:.*]] = arith.addi %[[X]], %[[ROW]] : i32
// CHECK-NEXT: scf.for %[[J:.*]] = %c0_i32
// CHECK-NEXT: %[[MOVED:.*]] = arith.muli %[[J]], %c64_i32
// CHECK-NEXT: arith.addi %[[FIXED]], %[[MOVED]]
grain.kernel @in_place(%out: !llvm.ptr, %in: !llvm.ptr, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 2, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %row = arith.muli %ty, %n : i32
      %own = arith.muli %tx, %m overflow<nsw> : i32
      %start = arith.addi %row, %own overflow<nsw> : i32
      scf.for %j = %c0 to %m step %c1 : i32 {
        %i = arith.addi %start, %j overflow<nsw> : i32
        %at = arith.extsi %i : i32 to i64
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %to : !llvm.ptr -> f32
        %w = llvm.fadd %v, %v : f32
        llvm.store %w, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}
