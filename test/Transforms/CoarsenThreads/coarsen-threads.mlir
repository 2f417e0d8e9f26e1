// RUN: regrain-opt %s --grain-coarsen-threads="factors=2,1,1" --canonicalize --verify-diagnostics | FileCheck %s

// The distribution is strided by the launched block; the value of all threads
// is computed once, loads and stores of the copies are adjacent.

// CHECK-LABEL: grain.kernel @strided
grain.kernel @strided(%in: !llvm.ptr, %out: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    // CHECK: %[[SIZE:.*]] = grain.block_size x
    // CHECK: %[[STRIDE:.*]] = arith.divui %[[SIZE]], %c2_i32
    // CHECK: grain.threads (%[[TX:[^,]*]], %{{.*}}, %{{.*}}) factors [2, 1, 1] {
    grain.threads (%tx, %ty, %tz) {
      // CHECK: %[[TX1:.*]] = arith.addi %[[TX]], %[[STRIDE]] overflow<nsw, nuw>
      // CHECK: %[[TWICE:.*]] = arith.muli %{{.*}}, %{{.*}} : i32
      // CHECK-NOT: arith.muli
      %twice = arith.muli %n, %bx : i32
      // CHECK: arith.addi %[[TX]], %[[TWICE]]
      // CHECK: arith.addi %[[TX1]], %[[TWICE]]
      %i = arith.addi %tx, %twice : i32
      %source = llvm.getelementptr %in[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      // CHECK: llvm.load
      // CHECK-NEXT: llvm.load
      %value = llvm.load %source : !llvm.ptr -> f32
      %target = llvm.getelementptr %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      // CHECK: llvm.store
      // CHECK-NEXT: llvm.store
      llvm.store %value, %target : f32, !llvm.ptr
    }
  }
  grain.return
}

// Factors multiply; the distances of the joined threads stay those of the launch.

// CHECK-LABEL: grain.kernel @twice
grain.kernel @twice(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    // CHECK: arith.divui %{{.*}}, %c8_i32
    // CHECK: grain.threads {{.*}} factors [8, 3, 1] {
    grain.threads (%tx, %ty, %tz) factors [4, 3, 1] {
      %target = llvm.getelementptr %out[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %zero = llvm.mlir.constant(0.0 : f32) : f32
      llvm.store %zero, %target : f32, !llvm.ptr
    }
  }
  grain.return
}

// A loop and a branch with the same control for all threads are jammed, their
// carried values and results doubled; the barrier is kept once, the hint too.

// CHECK-LABEL: grain.kernel @jam
grain.kernel @jam(%p: !llvm.ptr, %n: i32, %c: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    %tile = grain.shared "tile" : !llvm.array<256 x i32> align 4
    // CHECK: grain.threads (%[[TX:[^,]*]], %[[TY:[^,]*]], %[[TZ:[^)]*]])
    grain.threads (%tx, %ty, %tz) {
      // CHECK: scf.for {{.*}} iter_args(%{{.*}}, %{{.*}}) -> (i32, i32)
      %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %tx) -> (i32) : i32 {
        // CHECK-COUNT-1: grain.loop_hint
        // CHECK-NOT: grain.loop_hint
        grain.loop_hint "hint"
        %slot = llvm.getelementptr %tile[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
        // CHECK-COUNT-2: llvm.store
        llvm.store %acc, %slot : i32, !llvm.ptr<3>
        // CHECK: grain.barrier(%[[TX]], %[[TY]], %[[TZ]])
        // CHECK-NOT: grain.barrier
        grain.barrier (%tx, %ty, %tz)
        // CHECK: scf.if %{{.*}} -> (i32, i32) {
        %next = scf.if %c -> i32 {
          // CHECK-COUNT-2: llvm.load
          %loaded = llvm.load %slot : !llvm.ptr<3> -> i32
          scf.yield %loaded : i32
        } else {
          scf.yield %acc : i32
        }
        scf.yield %next : i32
      }
      %target = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %sum, %target : i32, !llvm.ptr
    }
  }
  grain.return
}

// A while loop whose end is the same for all threads is jammed, too.

// CHECK-LABEL: grain.kernel @jam_while
grain.kernel @jam_while(%p: !llvm.ptr, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // CHECK: scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (i32, i32, i32) -> (i32, i32, i32)
      %end:2 = scf.while (%s = %n, %v = %tx) : (i32, i32) -> (i32, i32) {
        %more = arith.cmpi sgt, %s, %zero : i32
        scf.condition(%more) %s, %v : i32, i32
      } do {
      ^bb0(%s: i32, %v: i32):
        // CHECK-COUNT-1: grain.barrier
        // CHECK-NOT: grain.barrier
        grain.barrier (%tx, %ty, %tz)
        %half = arith.shrsi %s, %one : i32
        %w = arith.muli %v, %s : i32
        scf.yield %half, %w : i32, i32
      }
      %target = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %end#1, %target : i32, !llvm.ptr
    }
  }
  grain.return
}

// A guard with accesses is versioned: together if all are inside, otherwise one
// by one.

// CHECK-LABEL: grain.kernel @guard
grain.kernel @guard(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // CHECK: %[[C0:.*]] = arith.cmpi slt
      // CHECK: %[[C1:.*]] = arith.cmpi slt
      // CHECK: %[[ALL:.*]] = arith.andi %[[C0]], %[[C1]]
      %inside = arith.cmpi slt, %tx, %n : i32
      // CHECK: scf.if %[[ALL]] {
      // CHECK: llvm.load
      // CHECK-NEXT: llvm.load
      // CHECK: } else {
      // CHECK-NEXT: scf.if %[[C0]] {
      // CHECK: llvm.load
      // CHECK: scf.if %[[C1]] {
      // CHECK: llvm.load
      scf.if %inside {
        %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %old = llvm.load %slot : !llvm.ptr -> i32
        %new = arith.addi %old, %n : i32
        llvm.store %new, %slot : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// The early exit has the code in the other branch.

// CHECK-LABEL: grain.kernel @early_exit
grain.kernel @early_exit(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // CHECK: %[[C0:.*]] = arith.cmpi sge
      // CHECK: %[[C1:.*]] = arith.cmpi sge
      // CHECK: %[[ANY:.*]] = arith.ori %[[C0]], %[[C1]]
      // CHECK: scf.if %[[ANY]] {
      // CHECK: scf.if %[[C0]] {
      // CHECK: scf.if %[[C1]] {
      // CHECK: llvm.load
      // CHECK: } else {
      // CHECK: llvm.load
      // CHECK-NEXT: llvm.load
      %outside = arith.cmpi sge, %tx, %n : i32
      scf.if %outside {
      } else {
        %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %old = llvm.load %slot : !llvm.ptr -> i32
        llvm.store %old, %p : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// A loop whose end differs between the threads is copied whole.

// CHECK-LABEL: grain.kernel @own_loops
grain.kernel @own_loops(%p: !llvm.ptr) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // CHECK: scf.for %{{.*}} to %[[TX:.*]] step
      // CHECK: scf.for %{{.*}} to %{{.*}} step
      scf.for %i = %zero to %tx step %one : i32 {
        llvm.store %i, %p : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// A value that differs in y is the same for threads that are joined in x.

// CHECK-LABEL: grain.kernel @other_dimension
grain.kernel @other_dimension(%p: !llvm.ptr) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // CHECK-COUNT-1: scf.for
      // CHECK-NOT: scf.for
      scf.for %i = %zero to %ty step %one : i32 {
        %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        llvm.store %i, %slot : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// Stack memory is a thread's own; so is the result of atomics.

// CHECK-LABEL: grain.kernel @own_memory
grain.kernel @own_memory(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // CHECK-COUNT-2: llvm.alloca
      %size = llvm.mlir.constant(1 : i32) : i32
      %own = llvm.alloca %size x i32 : (i32) -> !llvm.ptr
      // CHECK: %[[T0:.*]] = llvm.atomicrmw
      // CHECK: %[[T1:.*]] = llvm.atomicrmw
      %ticket = llvm.atomicrmw add %p, %n monotonic : !llvm.ptr, i32
      // CHECK: llvm.store %[[T0]]
      // CHECK: llvm.store %[[T1]]
      llvm.store %ticket, %own : i32, !llvm.ptr
    }
  }
  grain.return
}

// Copies that run in step load from one address together, and only once.

// CHECK-LABEL: grain.kernel @same_address
grain.kernel @same_address(%p: !llvm.ptr, %q: !llvm.ptr {llvm.noalias}) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // CHECK-COUNT-1: llvm.load %arg1
      // CHECK-NOT: llvm.load %arg1
      // CHECK-COUNT-1: llvm.load %arg0
      // CHECK-NOT: llvm.load %arg0
      %fixed = llvm.load %q : !llvm.ptr -> i32
      %other = llvm.load %p : !llvm.ptr -> i32
      %sum = arith.addi %fixed, %other : i32
      // CHECK-COUNT-1: llvm.store
      // CHECK-NOT: llvm.store
      llvm.store %sum, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// A reducing barrier takes the predicates of all copies; a count is their sum.

// CHECK-LABEL: grain.kernel @reduce
grain.kernel @reduce(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // CHECK: %[[P0:.*]] = arith.cmpi ne
      // CHECK: %[[P1:.*]] = arith.cmpi ne
      // CHECK: %[[BOTH:.*]] = arith.andi %[[P0]], %[[P1]]
      // CHECK: %[[WIDE:.*]] = arith.extui %[[BOTH]]
      // CHECK: grain.barrier_reduce and %[[WIDE]]
      %all = grain.barrier_reduce and %tx (%tx, %ty, %tz)
      // CHECK: arith.ori
      // CHECK: grain.barrier_reduce or
      %any = grain.barrier_reduce or %tx (%tx, %ty, %tz)
      // CHECK: %[[N0:.*]] = grain.barrier_reduce count
      // CHECK: %[[N1:.*]] = grain.barrier_reduce count
      // CHECK: arith.addi %[[N0]], %[[N1]]
      %count = grain.barrier_reduce count %tx (%tx, %ty, %tz)
      %some = arith.addi %all, %any : i32
      %sum = arith.addi %some, %count : i32
      llvm.store %sum, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// A barrier behind `if (tid >= n) return;` is first freed from its guard.

// CHECK-LABEL: grain.kernel @guarded_barrier
grain.kernel @guarded_barrier(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // CHECK: llvm.store
      // CHECK: {{^        }}grain.barrier
      // CHECK: llvm.store
      %inside = arith.cmpi slt, %tx, %n : i32
      scf.if %inside {
        llvm.store %tx, %p : i32, !llvm.ptr
        grain.barrier (%tx, %ty, %tz)
        llvm.store %n, %p : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// Control around a barrier may depend on a load from one address: CUDA requires
// that it is the same for all threads of the block.

// CHECK-LABEL: grain.kernel @loaded_end
grain.kernel @loaded_end(%p: !llvm.ptr) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %n = llvm.load %p : !llvm.ptr -> i32
      // CHECK-COUNT-1: scf.for
      // CHECK-COUNT-1: grain.barrier
      // CHECK-NOT: scf.for
      scf.for %i = %zero to %n step %one : i32 {
        grain.barrier (%tx, %ty, %tz)
        llvm.store %tx, %p : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// Operations of a warp require whole warps, and their guards are not versioned.

llvm.func @nvvm.shfl.sync(i32, i32) -> i32 attributes {grain.callee = #grain.callee<exchange, convergence = warp>, convergent, memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = readwrite>}

// CHECK-LABEL: grain.kernel @shuffle
grain.kernel @shuffle(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    // CHECK: grain.threads {{.*}} factors [2, 1, 1] whole_warps {
    grain.threads (%tx, %ty, %tz) {
      // CHECK-NOT: arith.andi
      // CHECK-COUNT-2: scf.if
      %inside = arith.cmpi slt, %tx, %n : i32
      scf.if %inside {
        %lane = nvvm.read.ptx.sreg.laneid : i32
        %old = llvm.load %p : !llvm.ptr -> i32
        %other = llvm.call @nvvm.shfl.sync(%old, %lane) : (i32, i32) -> i32
        llvm.store %other, %p : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// A retried compare-and-exchange makes progress by itself.

// CHECK-LABEL: grain.kernel @retry
grain.kernel @retry(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = llvm.load %p : !llvm.ptr -> i32
      // CHECK-COUNT-2: scf.while
      %end = scf.while (%seen = %first) : (i32) -> i32 {
        %new = arith.addi %seen, %tx : i32
        %pair = llvm.cmpxchg %p, %seen, %new monotonic monotonic : !llvm.ptr, i32
        %old = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
        %again = arith.cmpi ne, %old, %seen : i32
        scf.condition(%again) %old : i32
      } do {
      ^bb0(%old: i32):
        scf.yield %old : i32
      }
    }
  }
  grain.return
}

// Pure calls are kept once if their operands are the same.

llvm.func @__nv_sinf(f32) -> f32 attributes {grain.callee = #grain.callee<math, convergence = none>, memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none>}

// CHECK-LABEL: grain.kernel @pure_call
grain.kernel @pure_call(%p: !llvm.ptr, %x: f32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // CHECK-COUNT-1: llvm.call @__nv_sinf
      // CHECK-NOT: llvm.call @__nv_sinf
      %y = llvm.call @__nv_sinf(%x) : (f32) -> f32
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %y, %slot : f32, !llvm.ptr
    }
  }
  grain.return
}
