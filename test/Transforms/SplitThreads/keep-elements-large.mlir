// More elements than a lane has registers for are not kept; fewer are.
// RUN: regrain-opt %s '--grain-split-threads=shape=64,1,1 elements=64' 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: regrain-opt %s '--grain-split-threads=shape=64,1,1 elements=8' 2>&1 | FileCheck %s --check-prefix=SMALL

// LARGE: remark: {{.*}}the rows would take 256 registers for each lane
// SMALL-NOT: remark
// SMALL: grain.threads {{.*}} attributes {grain.split = 32 : i32
grain.kernel @large(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32) {
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
      %s2 = scf.for %j = %c0 to %n step %c1 iter_args(%s = %s1) -> (i32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %target[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %next = arith.addi %s, %v : i32
        scf.yield %next : i32
      }
      %s3 = scf.for %j = %c0 to %n step %c1 iter_args(%s = %s2) -> (i32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %next = arith.addi %s, %v : i32
        scf.yield %next : i32
      }
      %s4 = scf.for %j = %c0 to %n step %c1 iter_args(%s = %s3) -> (i32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %target[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %next = arith.addi %s, %v : i32
        scf.yield %next : i32
      }
      %s5 = scf.for %j = %c0 to %n step %c1 iter_args(%s = %s4) -> (i32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %next_element = llvm.getelementptr inbounds %from[1] : (!llvm.ptr) -> !llvm.ptr, i32
        %v = llvm.load %next_element : !llvm.ptr -> i32
        %next = arith.addi %s, %v : i32
        scf.yield %next : i32
      }
      %s6 = scf.for %j = %c0 to %n step %c1 iter_args(%s = %s5) -> (i32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %next_element = llvm.getelementptr inbounds %from[1] : (!llvm.ptr) -> !llvm.ptr, i32
        %v = llvm.load %next_element : !llvm.ptr -> i32
        %next = arith.addi %s, %v : i32
        scf.yield %next : i32
      }
      %s7 = scf.for %j = %c0 to %n step %c1 iter_args(%s = %s6) -> (i32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %next_element = llvm.getelementptr inbounds %from[2] : (!llvm.ptr) -> !llvm.ptr, i32
        %v = llvm.load %next_element : !llvm.ptr -> i32
        %next = arith.addi %s, %v : i32
        scf.yield %next : i32
      }
      %t = scf.for %j = %c0 to %n step %c1 iter_args(%s = %s7) -> (i32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %next_element = llvm.getelementptr inbounds %from[2] : (!llvm.ptr) -> !llvm.ptr, i32
        %v = llvm.load %next_element : !llvm.ptr -> i32
        %next = arith.addi %s, %v : i32
        scf.yield %next : i32
      }
      llvm.store %t, %out : i32, !llvm.ptr
    }
  }
  grain.return
}
