// These kernels are left unchanged, each for another reason.
// RUN: regrain-opt %s '--grain-split-threads=lanes=4 warps shape=128,1,1' --split-input-file 2>&1 | FileCheck %s
// RUN: regrain-opt %s '--grain-split-threads=lanes=4 warps shape=128,1,1' --split-input-file 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=SAME --implicit-check-not=shape
// SAME: grain.kernel @inLoop

// CHECK: remark: {{.*}}lanes of a warp interact in the loop
grain.kernel @inLoop(%out: !llvm.ptr {llvm.noalias}, %to: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %all = arith.constant -1 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %warp = arith.shrui %thread, %c5 : i32
      %lane = arith.andi %tx, %c31 : i32
      %leads = arith.cmpi eq, %lane, %c0 : i32
      %own = arith.extui %warp : i32 to i64
      %begin = arith.muli %warp, %n overflow<nsw> : i32
      %far = arith.extsi %begin : i32 to i64
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %target = llvm.getelementptr inbounds %to[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %result = llvm.getelementptr inbounds %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %both = scf.for %j = %lane to %n step %c32 iter_args(%s = %c0) -> (i32) : i32 {
        %at = arith.extsi %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %other = nvvm.shfl.sync bfly %all, %v, %c1, %c31 : i32 -> i32
        %more = arith.addi %s, %other : i32
        scf.yield %more : i32
      }
      scf.if %leads {
        llvm.store %both, %result : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}lanes of a warp take different ways through code that stores, and go on with its values
grain.kernel @storesAndGoesOn(%out: !llvm.ptr {llvm.noalias}, %to: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %all = arith.constant -1 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %warp = arith.shrui %thread, %c5 : i32
      %lane = arith.andi %tx, %c31 : i32
      %leads = arith.cmpi eq, %lane, %c0 : i32
      %own = arith.extui %warp : i32 to i64
      %begin = arith.muli %warp, %n overflow<nsw> : i32
      %far = arith.extsi %begin : i32 to i64
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %target = llvm.getelementptr inbounds %to[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %result = llvm.getelementptr inbounds %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %most = scf.for %j = %lane to %n step %c32 iter_args(%s = %c0) -> (i32) : i32 {
        %at = arith.extsi %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %more = arith.maxsi %s, %v : i32
        scf.yield %more : i32
      }
      %both = scf.if %leads -> (i32) {
        llvm.store %most, %result : i32, !llvm.ptr
        scf.yield %c1 : i32
      } else {
        scf.yield %most : i32
      }
      %place = llvm.getelementptr inbounds %target[%own] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %both, %place : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}lanes of several warps cannot add floating-point numbers in the program's order
grain.kernel @inOrder(%out: !llvm.ptr {llvm.noalias}, %to: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %all = arith.constant -1 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %warp = arith.shrui %thread, %c5 : i32
      %lane = arith.andi %tx, %c31 : i32
      %leads = arith.cmpi eq, %lane, %c0 : i32
      %own = arith.extui %warp : i32 to i64
      %begin = arith.muli %warp, %n overflow<nsw> : i32
      %far = arith.extsi %begin : i32 to i64
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %target = llvm.getelementptr inbounds %to[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %result = llvm.getelementptr inbounds %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %zero = llvm.mlir.constant(0.0 : f32) : f32
      %sum = scf.for %j = %lane to %n step %c32 iter_args(%s = %zero) -> (f32) : i32 {
        %at = arith.extsi %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %more = llvm.fadd %s, %v : f32
        scf.yield %more : f32
      }
      llvm.store %sum, %result : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}each iteration of the loop needs a value of the iteration before it
grain.kernel @running(%out: !llvm.ptr {llvm.noalias}, %to: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %all = arith.constant -1 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %warp = arith.shrui %thread, %c5 : i32
      %lane = arith.andi %tx, %c31 : i32
      %leads = arith.cmpi eq, %lane, %c0 : i32
      %own = arith.extui %warp : i32 to i64
      %begin = arith.muli %warp, %n overflow<nsw> : i32
      %far = arith.extsi %begin : i32 to i64
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %target = llvm.getelementptr inbounds %to[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %result = llvm.getelementptr inbounds %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %least = llvm.mlir.constant(0xFF800000 : f32) : f32
      %m = scf.for %j = %lane to %n step %c32 iter_args(%best = %least) -> (f32) : i32 {
        %at = arith.extsi %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %larger = llvm.intr.maxnum(%best, %v) : (f32, f32) -> f32
        scf.yield %larger : f32
      }
      llvm.store %m, %result : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}an operation several times that concerns other threads
grain.kernel @waits(%out: !llvm.ptr {llvm.noalias}, %to: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %all = arith.constant -1 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %warp = arith.shrui %thread, %c5 : i32
      %lane = arith.andi %tx, %c31 : i32
      %leads = arith.cmpi eq, %lane, %c0 : i32
      %own = arith.extui %warp : i32 to i64
      %begin = arith.muli %warp, %n overflow<nsw> : i32
      %far = arith.extsi %begin : i32 to i64
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %target = llvm.getelementptr inbounds %to[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %result = llvm.getelementptr inbounds %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %most = scf.for %j = %lane to %n step %c32 iter_args(%s = %c0) -> (i32) : i32 {
        %at = arith.extsi %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %more = arith.maxsi %s, %v : i32
        scf.yield %more : i32
      }
      %old = llvm.load volatile %result : !llvm.ptr -> i32
      llvm.store %old, %result : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}an operation several times that concerns other threads
grain.kernel @adds(%out: !llvm.ptr {llvm.noalias}, %to: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %all = arith.constant -1 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %warp = arith.shrui %thread, %c5 : i32
      %lane = arith.andi %tx, %c31 : i32
      %leads = arith.cmpi eq, %lane, %c0 : i32
      %own = arith.extui %warp : i32 to i64
      %begin = arith.muli %warp, %n overflow<nsw> : i32
      %far = arith.extsi %begin : i32 to i64
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %target = llvm.getelementptr inbounds %to[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %result = llvm.getelementptr inbounds %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %most = scf.for %j = %lane to %n step %c32 iter_args(%s = %c0) -> (i32) : i32 {
        %at = arith.extsi %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %more = arith.maxsi %s, %v : i32
        scf.yield %more : i32
      }
      %old = llvm.atomicrmw add %result, %most monotonic : !llvm.ptr, i32
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}the threads of a block cooperate
grain.kernel @meets(%out: !llvm.ptr {llvm.noalias}, %to: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %all = arith.constant -1 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %warp = arith.shrui %thread, %c5 : i32
      %lane = arith.andi %tx, %c31 : i32
      %leads = arith.cmpi eq, %lane, %c0 : i32
      %own = arith.extui %warp : i32 to i64
      %begin = arith.muli %warp, %n overflow<nsw> : i32
      %far = arith.extsi %begin : i32 to i64
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %target = llvm.getelementptr inbounds %to[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %result = llvm.getelementptr inbounds %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %most = scf.for %j = %lane to %n step %c32 iter_args(%s = %c0) -> (i32) : i32 {
        %at = arith.extsi %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %more = arith.maxsi %s, %v : i32
        scf.yield %more : i32
      }
      grain.barrier(%tx, %ty, %tz)
      llvm.store %most, %result : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}the kernel has no loop that counts
grain.kernel @onlySomeLanes(%out: !llvm.ptr {llvm.noalias}, %to: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %all = arith.constant -1 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %warp = arith.shrui %thread, %c5 : i32
      %lane = arith.andi %tx, %c31 : i32
      %leads = arith.cmpi eq, %lane, %c0 : i32
      %own = arith.extui %warp : i32 to i64
      %begin = arith.muli %warp, %n overflow<nsw> : i32
      %far = arith.extsi %begin : i32 to i64
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %target = llvm.getelementptr inbounds %to[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %result = llvm.getelementptr inbounds %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      scf.if %leads {
        %most = scf.for %j = %lane to %n step %c32 iter_args(%s = %c0) -> (i32) : i32 {
        %at = arith.extsi %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %more = arith.maxsi %s, %v : i32
        scf.yield %more : i32
      }
        llvm.store %most, %result : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}what they point to may overlap
grain.kernel @overlaps(%out: !llvm.ptr, %to: !llvm.ptr, %in: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %all = arith.constant -1 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %warp = arith.shrui %thread, %c5 : i32
      %lane = arith.andi %tx, %c31 : i32
      %leads = arith.cmpi eq, %lane, %c0 : i32
      %own = arith.extui %warp : i32 to i64
      %begin = arith.muli %warp, %n overflow<nsw> : i32
      %far = arith.extsi %begin : i32 to i64
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %target = llvm.getelementptr inbounds %to[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %result = llvm.getelementptr inbounds %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %most = arith.addi %lane, %c1 : i32
      %both = arith.addi %most, %c1 : i32
      scf.for %j = %lane to %n step %c32  : i32 {
        %at = arith.extsi %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %place = llvm.getelementptr inbounds %target[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %less = arith.subi %both, %v : i32
        llvm.store %less, %place : i32, !llvm.ptr
      }
    }
  }
  grain.return
}
