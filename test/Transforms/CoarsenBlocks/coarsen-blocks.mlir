// RUN: regrain-opt %s --grain-coarsen-blocks="factors=2,1,1" --canonicalize --cse --verify-diagnostics | FileCheck %s

// Shared memory is copied for each block; barriers of the blocks are merged; the
// edge of the grid runs its blocks one after the other on the first copy.

// CHECK-LABEL: grain.kernel @tile
grain.kernel @tile(%p: !llvm.ptr, %n: i32) {
  // CHECK: grain.blocks (%[[BX:[^,]*]], %{{.*}}, %{{.*}}) factors [2, 1, 1] attributes {edges = array<i1: true, false, false>} {
  grain.blocks (%bx, %by, %bz) {
    // CHECK-DAG: %[[BX1:.*]] = arith.addi %[[BX]], %c1_i32
    // CHECK-DAG: %[[T0:.*]] = grain.shared "tile"
    // CHECK-DAG: %[[T1:.*]] = grain.shared "tile"
    %tile = grain.shared "tile" : !llvm.array<256 x i32> align 4
    // CHECK: %[[GRID:.*]] = grain.grid_size x
    // CHECK: %[[ALL:.*]] = arith.cmpi ult, %[[BX1]], %[[GRID]]
    // CHECK: grain.threads (%[[TX:[^,]*]], %[[TY:[^,]*]], %[[TZ:[^)]*]]) {
    grain.threads (%tx, %ty, %tz) {
      // CHECK: scf.if %[[ALL]] {
      // CHECK: llvm.getelementptr %[[T0]]
      // CHECK: llvm.getelementptr %[[T1]]
      // CHECK: llvm.store
      // CHECK-NEXT: llvm.store
      // CHECK-NEXT: grain.barrier
      // CHECK-NEXT: llvm.load
      // CHECK-NEXT: llvm.load
      // CHECK: } else {
      // CHECK: scf.for %[[K:.*]] = %c0_i32 to %c2_i32 step %c1_i32
      // CHECK: %[[B:.*]] = arith.addi %[[BX]], %[[K]]
      // CHECK: %[[EXISTS:.*]] = arith.cmpi ult, %[[B]]
      // CHECK: scf.if %[[EXISTS]] {
      // CHECK: llvm.getelementptr %[[T0]]
      // CHECK: llvm.store
      // CHECK: grain.barrier
      // CHECK: llvm.load
      // CHECK: llvm.store
      // CHECK-NEXT: }
      // CHECK-NEXT: grain.barrier(%[[TX]], %[[TY]], %[[TZ]])
      %slot = llvm.getelementptr %tile[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %bx, %slot : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %other = llvm.load %slot : !llvm.ptr<3> -> i32
      %at = arith.addi %bx, %tx : i32
      %target = llvm.getelementptr %p[%at] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %other, %target : i32, !llvm.ptr
    }
  }
  grain.return
}

// Copy k of dynamic shared memory is the k-th block's; factors multiply, and an
// iteration of the old nest starts at multiples of its factor.

// CHECK-LABEL: grain.kernel @dynamic
grain.kernel @dynamic(%p: !llvm.ptr) {
  // CHECK: grain.blocks (%[[BX:[^,]*]], {{.*}} factors [6, 1, 1] attributes {edges = array<i1: true, false, false>} {
  grain.blocks (%bx, %by, %bz) factors [3, 1, 1] {
    // CHECK: arith.addi %[[BX]], %c3_i32
    // CHECK: grain.dynamic_shared "pool" align 16{{$}}
    // CHECK: grain.dynamic_shared "pool" align 16 copy 2
    // CHECK: grain.dynamic_shared "pool" align 16 copy 3
    // CHECK: grain.dynamic_shared "pool" align 16 copy 5
    %pool = grain.dynamic_shared "pool" align 16
    %last = grain.dynamic_shared "pool" align 16 copy 2
    grain.threads (%tx, %ty, %tz) {
      llvm.store %bx, %pool : i32, !llvm.ptr<3>
      llvm.store %bx, %last : i32, !llvm.ptr<3>
    }
  }
  grain.return
}

// Values outside of the threads that depend on the block are computed for each
// block, also at the edge; without shared memory the edge needs no barrier.

// CHECK-LABEL: grain.kernel @beside
grain.kernel @beside(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    // CHECK: arith.shli
    // CHECK: arith.shli
    %base = arith.shli %bx, %bx : i32
    grain.threads (%tx, %ty, %tz) {
      // CHECK: } else {
      // CHECK: arith.shli
      // CHECK-NOT: grain.barrier
      llvm.store %base, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// A barrier is under control that depends on the block, and is the same for its
// threads: the copies run one after the other, including barriers.

// CHECK-LABEL: grain.kernel @block_condition
grain.kernel @block_condition(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // CHECK: scf.if
      // CHECK: scf.if
      // CHECK-NEXT: llvm.store
      // CHECK-NEXT: grain.barrier
      // CHECK: scf.if
      // CHECK-NEXT: llvm.store
      // CHECK-NEXT: grain.barrier
      // CHECK: } else {
      %inside = arith.cmpi slt, %bx, %n : i32
      scf.if %inside {
        llvm.store %bx, %p : i32, !llvm.ptr
        grain.barrier (%tx, %ty, %tz)
        llvm.store %n, %p : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// The guard of a global index differs between blocks and threads: it is split,
// and its parts are guards without a barrier.

// CHECK-LABEL: grain.kernel @global_guard
grain.kernel @global_guard(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // CHECK: scf.if
      // CHECK: scf.if
      // CHECK-NEXT: llvm.store
      // CHECK: scf.if
      // CHECK-NEXT: llvm.store
      // CHECK: {{^          }}grain.barrier
      // CHECK: } else {
      %size = grain.block_size x
      %first = arith.muli %bx, %size : i32
      %i = arith.addi %first, %tx : i32
      %inside = arith.cmpi slt, %i, %n : i32
      scf.if %inside {
        llvm.store %i, %p : i32, !llvm.ptr
        grain.barrier (%tx, %ty, %tz)
        llvm.store %n, %p : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// A condition that differs between threads is split although the joined blocks agree
// on it: in the edge loop, threads outside would meet the others at another barrier.

// CHECK-LABEL: grain.kernel @thread_condition
grain.kernel @thread_condition(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // CHECK: scf.if
      // CHECK: scf.if
      // CHECK-NEXT: llvm.store
      // CHECK-NEXT: llvm.store
      // CHECK-NEXT: }
      // CHECK-NEXT: grain.barrier
      // CHECK: } else {
      // CHECK: scf.for
      // CHECK: scf.if
      // CHECK: scf.if
      // CHECK-NEXT: llvm.store
      // CHECK-NEXT: }
      // CHECK-NEXT: grain.barrier
      %inside = arith.cmpi slt, %tx, %n : i32
      scf.if %inside {
        llvm.store %bx, %p : i32, !llvm.ptr
        grain.barrier (%tx, %ty, %tz)
      }
    }
  }
  grain.return
}

// Each block has its own reduction.

// CHECK-LABEL: grain.kernel @reduce
grain.kernel @reduce(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // CHECK: grain.barrier_reduce or
      // CHECK-NEXT: grain.barrier_reduce or
      %mine = arith.addi %bx, %tx : i32
      %any = grain.barrier_reduce or %mine (%tx, %ty, %tz)
      llvm.store %any, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// Stack memory is allocated at the top of the thread; the edge uses the first copy's.

// CHECK-LABEL: grain.kernel @stack
grain.kernel @stack(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    // CHECK: grain.threads
    grain.threads (%tx, %ty, %tz) {
      // CHECK-NEXT: %[[A0:.*]] = llvm.alloca
      // CHECK-NEXT: %[[A1:.*]] = llvm.alloca
      // CHECK: llvm.store %{{.*}}, %[[A0]]
      // CHECK-NEXT: llvm.store %{{.*}}, %[[A1]]
      // CHECK: } else {
      // CHECK: llvm.store %{{.*}}, %[[A0]]
      // CHECK-NOT: llvm.alloca
      %one = llvm.mlir.constant(1 : i32) : i32
      %own = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
      llvm.store %bx, %own : i32, !llvm.ptr
    }
  }
  grain.return
}

// A warp stays a warp.

llvm.func @nvvm.bar.warp.sync(i32) attributes {grain.callee = #grain.callee<instruction, convergence = warp>, convergent}

// CHECK-LABEL: grain.kernel @warp
grain.kernel @warp(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    // CHECK: grain.threads (%{{.*}}, %{{.*}}, %{{.*}}) {
    grain.threads (%tx, %ty, %tz) {
      llvm.call @nvvm.bar.warp.sync(%n) : (i32) -> ()
    }
  }
  grain.return
}
