// Lanes cannot keep elements of these kernels for later loops, which stay unchanged, each for another
// reason.
// RUN: regrain-opt %s '--grain-split-threads=shape=64,1,1 elements=8' --split-input-file 2>&1 | FileCheck %s
// RUN: regrain-opt %s '--grain-split-threads=shape=64,1,1 elements=8' --split-input-file 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=SAME --implicit-check-not=shape

// SAME: grain.kernel @written

// Something between the loops may write an element.
// CHECK: remark: {{.*}}no loop that lanes share reads what an earlier one has read or written in the same iterations
grain.kernel @written(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %n overflow<nsw> : i32
      %far = arith.extsi %start : i32 to i64
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %target = llvm.getelementptr inbounds %out[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %s1 = scf.for %j = %c0 to %n step %c1 iter_args(%s = %c0) -> (i32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %next = arith.addi %s, %v : i32
        scf.yield %next : i32
      }
      llvm.store %s1, %in : i32, !llvm.ptr
      %t = scf.for %j = %c0 to %n step %c1 iter_args(%s = %s1) -> (i32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %next = arith.addi %s, %v : i32
        scf.yield %next : i32
      }
      llvm.store %t, %out : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// How the later loop ends is known only behind the first one.
// CHECK: remark: {{.*}}no loop that lanes share reads what an earlier one has read or written in the same iterations
grain.kernel @ends(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %n overflow<nsw> : i32
      %far = arith.extsi %start : i32 to i64
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %target = llvm.getelementptr inbounds %out[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %s1 = scf.for %j = %c0 to %n step %c1 iter_args(%s = %c0) -> (i32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %next = arith.addi %s, %v : i32
        scf.yield %next : i32
      }
      %end = llvm.load %out : !llvm.ptr -> i32
      %t = scf.for %j = %c0 to %end step %c1 iter_args(%s = %s1) -> (i32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %next = arith.addi %s, %v : i32
        scf.yield %next : i32
      }
      llvm.store %t, %out : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The later loop ends at the result of a loop, which is another value when that is dealt.
// CHECK: remark: {{.*}}no loop that lanes share reads what an earlier one has read or written in the same iterations
grain.kernel @results(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %n overflow<nsw> : i32
      %far = arith.extsi %start : i32 to i64
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %target = llvm.getelementptr inbounds %out[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %e = scf.for %j = %c0 to %m step %c1 iter_args(%s = %c0) -> (i32) : i32 {
        %next = arith.addi %s, %j : i32
        scf.yield %next : i32
      }
      %s1 = scf.for %j = %c0 to %n step %c1 iter_args(%s = %c0) -> (i32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %next = arith.addi %s, %v : i32
        scf.yield %next : i32
      }
      %t = scf.for %j = %c0 to %e step %c1 iter_args(%s = %s1) -> (i32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %next = arith.addi %s, %v : i32
        scf.yield %next : i32
      }
      llvm.store %t, %out : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The later loop reads other elements.
// CHECK: remark: {{.*}}no loop that lanes share reads what an earlier one has read or written in the same iterations
grain.kernel @others(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %n overflow<nsw> : i32
      %far = arith.extsi %start : i32 to i64
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %target = llvm.getelementptr inbounds %out[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %s1 = scf.for %j = %c0 to %n step %c1 iter_args(%s = %c0) -> (i32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %next = arith.addi %s, %v : i32
        scf.yield %next : i32
      }
      %t = scf.for %j = %c0 to %n step %c1 iter_args(%s = %s1) -> (i32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %next_element = llvm.getelementptr inbounds %from[1] : (!llvm.ptr) -> !llvm.ptr, i32
        %v = llvm.load %next_element : !llvm.ptr -> i32
        %next = arith.addi %s, %v : i32
        scf.yield %next : i32
      }
      llvm.store %t, %out : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// A loop between them may write through another pointer.
// CHECK: remark: {{.*}}no loop that lanes share
grain.kernel @pointers(%out: !llvm.ptr , %in: !llvm.ptr , %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %n overflow<nsw> : i32
      %far = arith.extsi %start : i32 to i64
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %target = llvm.getelementptr inbounds %out[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %s1 = scf.for %j = %c0 to %n step %c1 iter_args(%s = %c0) -> (i32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %next = arith.addi %s, %v : i32
        scf.yield %next : i32
      }
      scf.for %j = %c0 to %n step %c1 : i32 {
        %at = arith.extui %j : i32 to i64
        %to = llvm.getelementptr inbounds %target[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %s1, %to : i32, !llvm.ptr
      }
      %t = scf.for %j = %c0 to %n step %c1 iter_args(%s = %s1) -> (i32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %next = arith.addi %s, %v : i32
        scf.yield %next : i32
      }
      llvm.store %t, %out : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The order of sums is kept.
// CHECK: remark: {{.*}}no loop that lanes share reads what an earlier one has read or written in the same iterations
grain.kernel @ordered(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %n overflow<nsw> : i32
      %far = arith.extsi %start : i32 to i64
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %target = llvm.getelementptr inbounds %out[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %s1 = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %next = llvm.fadd %s, %v : f32
        scf.yield %next : f32
      }
      scf.for %j = %c0 to %n step %c1 : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %p = llvm.fmul %v, %s1 : f32
        %to = llvm.getelementptr inbounds %target[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %p, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// SAME: grain.kernel @otherPitch

// The rows of one loop are an element longer than those of the other.
// CHECK: remark: {{.*}}no loop that lanes share reads what an earlier one has read or written in the same iterations
grain.kernel @otherPitch(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pitch = arith.constant 72 : i64
  %bytes = arith.constant 292 : i64
    %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %row = arith.extui %thread : i32 to i64
      %start = arith.muli %row, %bytes overflow<nsw, nuw> : i64
      %mine = llvm.getelementptr inbounds %in[%start] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %c0) -> (i32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %mine[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %next = arith.addi %s, %v : i32
        scf.yield %next : i32
      }
      %elements = arith.muli %row, %pitch overflow<nsw, nuw> : i64
      scf.for %j = %c0 to %n step %c1 : i32 {
        %at = arith.extui %j : i32 to i64
        %number = arith.addi %elements, %at overflow<nsw, nuw> : i64
        %from = llvm.getelementptr inbounds %in[%number] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %less = arith.subi %v, %sum : i32
        %to = llvm.getelementptr inbounds %out[%number] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %less, %to : i32, !llvm.ptr
      }
    }
  }
  grain.return
}
