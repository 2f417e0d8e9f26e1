// RUN: regrain-opt %s --grain-coarsen-threads="factors=2,1,1 contiguous" --canonicalize --cse | FileCheck %s

// Lanes of a warp are joined: a value of another lane is one of another copy, perhaps in another launched lane.

llvm.func @nvvm.shfl.sync.down.i32(i32, i32, i32, i32) -> i32 attributes {grain.callee = #grain.callee<exchange, convergence = warp>, convergent, memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = readwrite>}
llvm.func @nvvm.shfl.sync.up.f32(i32, f32, i32, i32) -> f32 attributes {grain.callee = #grain.callee<exchange, convergence = warp>, convergent, memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = readwrite>}
llvm.func @nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32) -> i32 attributes {grain.callee = #grain.callee<exchange, convergence = warp>, convergent, memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = readwrite>}
llvm.func @nvvm.shfl.sync.idx.i32(i32, i32, i32, i32) -> i32 attributes {grain.callee = #grain.callee<exchange, convergence = warp>, convergent, memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = readwrite>}
llvm.func @asm.shfl.down.add(f32, i32, i32, f32, i32) -> f32 attributes {grain.callee = #grain.callee<assembly, convergence = warp>, convergent, memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = readwrite>}
llvm.func @asm.laneid() -> i32 attributes {grain.callee = #grain.callee<assembly, convergence = warp>, convergent, memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none>}
llvm.func @nvvm.vote.any.sync(i32, i1) -> i1 attributes {grain.callee = #grain.callee<vote, convergence = warp>, convergent, memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = readwrite>}
llvm.func @nvvm.vote.ballot.sync(i32, i1) -> i32 attributes {grain.callee = #grain.callee<vote, convergence = warp>, convergent, memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = readwrite>}
llvm.func @nvvm.bar.warp.sync(i32) attributes {grain.callee = #grain.callee<instruction, convergence = warp>, convergent}

// By 16: each copy moves by 8 launched lanes of the 16 that have the warp. Across by 1: the copies change places. Down
// by 1: the first copy gets the value of the second, and the second that of the next launched lane, if there is one.

// CHECK-LABEL: grain.kernel @distances
// CHECK: grain.threads ({{.*}}) factors [2, 1, 1] whole_warps attributes {contiguous} {
// CHECK-DAG: %[[PLACE:.*]] = arith.andi %{{.*}}, %c15_i32
// CHECK-DAG: %[[V0:.*]] = llvm.load
// CHECK: %[[A0:.*]] = nvvm.shfl.sync {{ *}}down %c-1_i32, %[[V0]], %c8_i32, %c4127_i32
// CHECK-NEXT: %[[A1:.*]] = nvvm.shfl.sync {{ *}}down %c-1_i32, %{{.*}}, %c8_i32, %c4127_i32
// CHECK-NEXT: %[[NEXT:.*]] = nvvm.shfl.sync {{ *}}down %c-1_i32, %[[A1]], %c1_i32, %c4127_i32
// CHECK-NEXT: %[[LANE:.*]] = arith.shli %[[PLACE]], %c1_i32
// CHECK-NEXT: %[[OWN:.*]] = arith.ori %[[LANE]], %c1_i32
// CHECK-NEXT: %[[OTHER:.*]] = arith.addi %[[OWN]], %c1_i32
// CHECK-NEXT: %[[IS:.*]] = arith.cmpi sle, %[[OTHER]], %c31_i32
// CHECK-NEXT: %[[C1:.*]] = arith.select %[[IS]], %[[NEXT]], %[[A0]]
// CHECK-NEXT: llvm.store %[[A0]]
// CHECK-NEXT: llvm.store %[[C1]]
grain.kernel @distances(%p: !llvm.ptr) {
  %all = arith.constant -1 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %last = arith.constant 31 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %v = llvm.load %slot : !llvm.ptr -> i32
      %a = llvm.call @nvvm.shfl.sync.down.i32(%all, %v, %c16, %last) : (i32, i32, i32, i32) -> i32
      %b = llvm.call @nvvm.shfl.sync.bfly.i32(%all, %a, %c1, %last) : (i32, i32, i32, i32) -> i32
      %c = llvm.call @nvvm.shfl.sync.down.i32(%all, %b, %c1, %last) : (i32, i32, i32, i32) -> i32
      llvm.store %c, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}

// All copies get the value of one lane, which is a second copy, by one shuffle.

// CHECK-LABEL: grain.kernel @broadcast
// CHECK: %[[V1:.*]] = llvm.load
// CHECK-NEXT: %[[A:.*]] = nvvm.shfl.sync {{ *}}idx %c-1_i32, %[[V1]], %c2_i32, %c4127_i32
// CHECK-NEXT: llvm.store %[[A]]
// CHECK-NEXT: llvm.store %[[A]]
grain.kernel @broadcast(%p: !llvm.ptr) {
  %all = arith.constant -1 : i32
  %c5 = arith.constant 5 : i32
  %last = arith.constant 31 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %v = llvm.load %slot : !llvm.ptr -> i32
      %a = llvm.call @nvvm.shfl.sync.idx.i32(%all, %v, %c5, %last) : (i32, i32, i32, i32) -> i32
      llvm.store %a, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}

// Of the two warps in a launched one, only the first may be here.

// CHECK-LABEL: grain.kernel @some_warps
// CHECK: %[[START:.*]] = arith.andi %{{.*}}, %c16_i32
// CHECK-NEXT: %[[GROUP:.*]] = arith.shli %c65535_i32, %[[START]]
// CHECK: scf.if
// CHECK-COUNT-2: nvvm.shfl.sync {{ *}}bfly %[[GROUP]], %{{.*}}, %c1_i32, %c4127_i32
// CHECK: llvm.call @nvvm.bar.warp.sync(%[[GROUP]])
// CHECK-NOT: nvvm.bar.warp.sync
grain.kernel @some_warps(%p: !llvm.ptr) {
  %all = arith.constant -1 : i32
  %c2 = arith.constant 2 : i32
  %c5 = arith.constant 5 : i32
  %last = arith.constant 31 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %v = llvm.load %slot : !llvm.ptr -> i32
      %warp = arith.shrui %tx, %c5 : i32
      %first = arith.cmpi ult, %warp, %c2 : i32
      scf.if %first {
        %a = llvm.call @nvvm.shfl.sync.bfly.i32(%all, %v, %c2, %last) : (i32, i32, i32, i32) -> i32
        llvm.store %a, %slot : i32, !llvm.ptr
        llvm.call @nvvm.bar.warp.sync(%all) : (i32) -> ()
      }
    }
  }
  grain.return
}

// cub's assembly adds the value of another lane if there is one; the leader is one of the first copies.

// CHECK-LABEL: grain.kernel @sums
// CHECK: %[[V0:.*]] = llvm.load
// CHECK: %[[MOVED:.*]] = nvvm.shfl.sync {{ *}}down %c-1_i32, %{{.*}}, %c1_i32, %c4127_i32
// CHECK-NEXT: %[[OTHER:.*]] = arith.bitcast %[[MOVED]]
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[OTHER]], %[[V0]]
// CHECK: arith.select %{{.*}}, %[[SUM]], %[[V0]]
// CHECK: nvvm.shfl.sync {{ *}}down
// CHECK-NOT: llvm.call
// CHECK: %[[LANE:.*]] = arith.andi %{{.*}}, %c31_i32
// CHECK-NEXT: arith.addi %[[LANE]], %c1_i32
grain.kernel @sums(%p: !llvm.ptr) {
  %all = arith.constant -1 : i32
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %last = arith.constant 31 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %v = llvm.load %slot : !llvm.ptr -> f32
      %a = llvm.call @asm.shfl.down.add(%v, %c2, %last, %v, %all) : (f32, i32, i32, f32, i32) -> f32
      %lane = llvm.call @asm.laneid() : () -> i32
      %leads = arith.cmpi eq, %lane, %c0 : i32
      scf.if %leads {
        llvm.store %a, %slot : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// The loop's variable decides which copy's value moves.

// CHECK-LABEL: grain.kernel @distance_of_loop
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[S0:.*]] = %{{.*}}, %[[S1:.*]] = %{{.*}})
// CHECK: %[[BY:.*]] = arith.andi %[[I]], %c31_i32
// CHECK: %[[FAR:.*]] = arith.shrui %[[BY]], %c1_i32
// CHECK: %[[GIVEN:.*]] = arith.select %{{.*}}, %[[S1]], %[[S0]]
// CHECK-NEXT: nvvm.shfl.sync {{ *}}bfly %c-1_i32, %[[GIVEN]], %[[FAR]], %c4127_i32
// CHECK: nvvm.shfl.sync {{ *}}bfly
// CHECK-NOT: nvvm.shfl.sync
grain.kernel @distance_of_loop(%p: !llvm.ptr, %n: i32) {
  %all = arith.constant -1 : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %last = arith.constant 31 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %v = llvm.load %slot : !llvm.ptr -> i32
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %v) -> i32 : i32 {
        %a = llvm.call @nvvm.shfl.sync.bfly.i32(%all, %s, %i, %last) : (i32, i32, i32, i32) -> i32
        %t = arith.addi %s, %a : i32
        scf.yield %t : i32
      }
      llvm.store %sum, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}

// Each lane chooses for itself, so both values move for each copy.

// CHECK-LABEL: grain.kernel @chosen
// CHECK-COUNT-4: nvvm.shfl.sync {{ *}}idx
// CHECK-NOT: nvvm.shfl.sync
grain.kernel @chosen(%p: !llvm.ptr) {
  %all = arith.constant -1 : i32
  %last = arith.constant 31 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %v = llvm.load %slot : !llvm.ptr -> i32
      %a = llvm.call @nvvm.shfl.sync.idx.i32(%all, %v, %v, %last) : (i32, i32, i32, i32) -> i32
      llvm.store %a, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}

// A ballot has a bit for each copy of each launched lane.

// CHECK-LABEL: grain.kernel @votes
// CHECK: %[[GROUP:.*]] = arith.shli %c65535_i32, %[[START:.*]] : i32
// CHECK: %[[JOINED:.*]] = arith.ori %[[IS0:.*]], %[[IS1:.*]] : i1
// CHECK: %[[LANES:.*]] = nvvm.vote.ballot.sync %c-1_i32, %[[JOINED]]
// CHECK-NEXT: %[[OURS:.*]] = arith.andi %[[LANES]], %[[GROUP]]
// CHECK-NEXT: arith.cmpi ne, %[[OURS]], %c0_i32
// CHECK: %[[B0:.*]] = nvvm.vote.ballot.sync %c-1_i32, %[[IS0]]
// CHECK-NEXT: arith.shrui %[[B0]], %[[START]]
// CHECK: %[[B1:.*]] = nvvm.vote.ballot.sync %c-1_i32, %[[IS1]]
// CHECK: %[[SPREAD:.*]] = arith.andi %{{.*}}, %c1431655765_i32
// CHECK-NEXT: arith.shli %[[SPREAD]], %c1_i32
// CHECK-NOT: nvvm.vote
grain.kernel @votes(%p: !llvm.ptr) {
  %all = arith.constant -1 : i32
  %c0 = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %v = llvm.load %slot : !llvm.ptr -> i32
      %is = arith.cmpi ne, %v, %c0 : i32
      %any = llvm.call @nvvm.vote.any.sync(%all, %is) : (i32, i1) -> i1
      %lanes = llvm.call @nvvm.vote.ballot.sync(%all, %is) : (i32, i1) -> i32
      %r = arith.select %any, %lanes, %v : i32
      llvm.store %r, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}
