// Lanes that would take several iterations at a time leave these kernels unchanged, each for another
// reason; lanes that take one share some of them.
// RUN: regrain-opt %s '--grain-split-threads=shape=64,1,1 width=4' --split-input-file 2>&1 | FileCheck %s
// RUN: regrain-opt %s '--grain-split-threads=shape=64,1,1 width=4' --split-input-file 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=SAME --implicit-check-not=shape
// RUN: not regrain-opt %s '--grain-split-threads=shape=64,1,1 width=3' --split-input-file 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WIDTH

// WIDTH: expects 4, 8, 16 or 32 lanes, or those of a block, each of which takes 1, 2, 4 or 8 iterations
// SAME: grain.kernel @strided

// CHECK: remark: {{.*}}no loop that lanes share accesses neighbouring elements in iterations that one lane could take together
grain.kernel @strided(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %own = arith.extsi %thread : i32 to i64
      %start = arith.muli %thread, %n overflow<nsw> : i32
      %far = arith.extsi %start : i32 to i64
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %target = llvm.getelementptr inbounds %out[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %result = llvm.getelementptr inbounds %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %c2 = arith.constant 2 : i32
      scf.for %j = %c0 to %n step %c2 : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %target[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// The loop ends before each of 32 lanes has 4 iterations.
// CHECK: remark: {{.*}}no loop that lanes share accesses neighbouring elements
grain.kernel @short(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %own = arith.extsi %thread : i32 to i64
      %start = arith.muli %thread, %n overflow<nsw> : i32
      %far = arith.extsi %start : i32 to i64
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %target = llvm.getelementptr inbounds %out[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %result = llvm.getelementptr inbounds %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %end = arith.constant 127 : i32
      scf.for %j = %c0 to %end step %c1 : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %target[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// What is accessed depends on what has been loaded.
// CHECK: remark: {{.*}}no loop that lanes share accesses neighbouring elements
grain.kernel @guarded(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %own = arith.extsi %thread : i32 to i64
      %start = arith.muli %thread, %n overflow<nsw> : i32
      %far = arith.extsi %start : i32 to i64
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %target = llvm.getelementptr inbounds %out[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %result = llvm.getelementptr inbounds %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %zero = llvm.mlir.constant(0.0 : f32) : f32
      %value = llvm.load %row : !llvm.ptr -> f32
      %is = llvm.fcmp "ogt" %value, %zero : f32
      scf.for %j = %c0 to %n step %c1 : i32 {
        scf.if %is {
          %at = arith.extui %j : i32 to i64
          %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          %v = llvm.load %from : !llvm.ptr -> f32
          %to = llvm.getelementptr inbounds %target[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          llvm.store %v, %to : f32, !llvm.ptr
        }
      }
    }
  }
  grain.return
}

// -----

// What keeps lanes from sharing a thread keeps wide ones from it, too.
// CHECK: remark: {{.*}}the kernel has no loop that counts
grain.kernel @straight(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %own = arith.extsi %thread : i32 to i64
      %start = arith.muli %thread, %n overflow<nsw> : i32
      %far = arith.extsi %start : i32 to i64
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %target = llvm.getelementptr inbounds %out[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %result = llvm.getelementptr inbounds %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %value = llvm.load %row : !llvm.ptr -> f32
      llvm.store %value, %result : f32, !llvm.ptr
    }
  }
  grain.return
}
