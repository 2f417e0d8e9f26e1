// RUN: regrain-opt %s --grain-specialise="known=for.aliases=none" | FileCheck %s
// RUN: regrain-opt %s --grain-specialise="known=for.aliases=none" --grain-coarsen-blocks="factors=2,1,1" | FileCheck %s --check-prefix=COARSE

// All pointer parameters are in different allocations. Nothing orders the threads, so all are also exclusive to each
// thread. A structure is no pointer, and its own memory.

// CHECK-LABEL: grain.kernel @copy
// CHECK-SAME: (%{{.*}}: !llvm.ptr {grain.disjoint, llvm.noalias}, %{{.*}}: !llvm.ptr {grain.disjoint, llvm.noalias}, %{{.*}}: i32, %{{.*}}: !llvm.ptr {llvm.byval = !llvm.struct<(i32, i32)>})
grain.kernel @copy(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %s: !llvm.ptr {llvm.byval = !llvm.struct<(i32, i32)>}) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %from = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %to = llvm.getelementptr %q[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %v = llvm.load %from : !llvm.ptr -> i32
      %w = llvm.load %s : !llvm.ptr -> i32
      %null = llvm.mlir.zero : !llvm.ptr
      %given = llvm.icmp "ne" %q, %null : !llvm.ptr
      %sum = arith.addi %v, %w : i32
      llvm.store %sum, %to : i32, !llvm.ptr
    }
  }
  grain.return
}

// Behind the barrier, a thread may read what another has written through %q. LLVM would not know that. Coarsening keeps
// what holds for all threads together.

// CHECK-LABEL: grain.kernel @ordered
// CHECK-SAME: (%{{.*}}: !llvm.ptr {grain.disjoint, llvm.noalias}, %{{.*}}: !llvm.ptr {grain.disjoint})
// COARSE-LABEL: grain.kernel @ordered
// COARSE-SAME: (%{{.*}}: !llvm.ptr {grain.disjoint, llvm.noalias}, %{{.*}}: !llvm.ptr {grain.disjoint})
grain.kernel @ordered(%p: !llvm.ptr, %q: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %v = llvm.load %p : !llvm.ptr -> i32
      %to = llvm.getelementptr %q[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %v, %to : i32, !llvm.ptr
      grain.barrier (%tx, %ty, %tz)
      %w = llvm.load %q : !llvm.ptr -> i32
      llvm.store %w, %to : i32, !llvm.ptr
    }
  }
  grain.return
}

// An atomic operation shows nothing if its result is not used, but it orders accesses. What is written through a
// selected pointer may be either.

// CHECK-LABEL: grain.kernel @histogram
// CHECK-SAME: (%{{.*}}: !llvm.ptr {grain.disjoint, llvm.noalias}, %{{.*}}: !llvm.ptr {grain.disjoint})
grain.kernel @histogram(%p: !llvm.ptr, %q: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %v = llvm.load %p : !llvm.ptr -> i32
      %old = llvm.atomicrmw add %q, %v monotonic : !llvm.ptr, i32
    }
  }
  grain.return
}

// CHECK-LABEL: grain.kernel @selected
// CHECK-SAME: (%{{.*}}: !llvm.ptr {grain.disjoint}, %{{.*}}: !llvm.ptr {grain.disjoint}, %{{.*}}: i1)
grain.kernel @selected(%p: !llvm.ptr, %q: !llvm.ptr, %first: i1) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %either = arith.select %first, %p, %q : !llvm.ptr
      llvm.store %tx, %either : i32, !llvm.ptr
      grain.barrier (%tx, %ty, %tz)
    }
  }
  grain.return
}

// Lanes and threads of the block may see each other in shared memory.

// CHECK-LABEL: grain.kernel @shared
// CHECK-SAME: (%{{.*}}: !llvm.ptr {grain.disjoint, llvm.noalias}, %{{.*}}: !llvm.ptr {grain.disjoint})
grain.kernel @shared(%p: !llvm.ptr, %q: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %v = llvm.load %p : !llvm.ptr -> i32
      %rank = llvm.atomicrmw add %s, %v monotonic : !llvm.ptr<3>, i32
      %w = llvm.load volatile %s : !llvm.ptr<3> -> i32
      %to = llvm.getelementptr %q[%rank] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %w, %to : i32, !llvm.ptr
    }
  }
  grain.return
}

// A pointer that a loop carries comes from a parameter. A variable is no allocation.

llvm.mlir.global external @table() : !llvm.array<4 x i32>
// CHECK-LABEL: grain.kernel @carried
// CHECK-SAME: (%{{.*}}: !llvm.ptr {grain.disjoint, llvm.noalias}, %{{.*}}: !llvm.ptr {grain.disjoint, llvm.noalias}, %{{.*}}: i32)
grain.kernel @carried(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %table = llvm.mlir.addressof @table : !llvm.ptr
      scf.for %i = %c0 to %n step %c1 iter_args(%at = %q) -> !llvm.ptr : i32 {
        %v = llvm.load %p : !llvm.ptr -> i32
        llvm.store %v, %at : i32, !llvm.ptr
        llvm.store %v, %table : i32, !llvm.ptr
        %next = llvm.getelementptr %at[1] : (!llvm.ptr) -> !llvm.ptr, i32
        scf.yield %next : !llvm.ptr
      }
    }
  }
  grain.return
}

// These calls access memory only at pointers that they are given. What a copy writes is not told apart, so that only
// kernels without an order of accesses have exclusive parameters.

llvm.func @__nv_sincosf(f32, !llvm.ptr, !llvm.ptr) attributes {grain.callee = #grain.callee<math, convergence = none>}
llvm.func @memcpy.p0.p0.i64(!llvm.ptr, !llvm.ptr, i64) attributes {grain.callee = #grain.callee<copy, convergence = none>}
llvm.func @llvm.nvvm.ldg.global.i.i32.p0(!llvm.ptr, i32) -> i32 attributes {grain.callee = #grain.callee<cached_load, convergence = none>}
llvm.func @llvm.nvvm.bar.warp.sync(i32) attributes {grain.callee = #grain.callee<instruction, convergence = warp>, convergent}

// CHECK-LABEL: grain.kernel @calls
// CHECK-SAME: (%{{.*}}: !llvm.ptr {grain.disjoint, llvm.noalias}, %{{.*}}: !llvm.ptr {grain.disjoint, llvm.noalias}, %{{.*}}: f32)
grain.kernel @calls(%p: !llvm.ptr, %q: !llvm.ptr, %x: f32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %bytes = arith.constant 24 : i64
      llvm.call @__nv_sincosf(%x, %q, %q) : (f32, !llvm.ptr, !llvm.ptr) -> ()
      llvm.call @memcpy.p0.p0.i64(%q, %p, %bytes) : (!llvm.ptr, !llvm.ptr, i64) -> ()
    }
  }
  grain.return
}

// CHECK-LABEL: grain.kernel @lanes
// CHECK-SAME: (%{{.*}}: !llvm.ptr {grain.disjoint, llvm.noalias}, %{{.*}}: !llvm.ptr {grain.disjoint})
grain.kernel @lanes(%p: !llvm.ptr, %q: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %four = arith.constant 4 : i32
      %all = arith.constant -1 : i32
      %v = llvm.call @llvm.nvvm.ldg.global.i.i32.p0(%p, %four) : (!llvm.ptr, i32) -> i32
      %to = llvm.getelementptr %q[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %v, %to : i32, !llvm.ptr
      llvm.call @llvm.nvvm.bar.warp.sync(%all) : (i32) -> ()
      %w = llvm.load %q : !llvm.ptr -> i32
      llvm.store %w, %to : i32, !llvm.ptr
    }
  }
  grain.return
}
