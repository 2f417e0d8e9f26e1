// RUN: regrain-opt %s --grain-coarsen-threads="factors=8,1,1 contiguous" --verify-diagnostics | FileCheck %s

// None of these has changed.
// CHECK-NOT: factors

llvm.func @nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32) -> i32 attributes {grain.callee = #grain.callee<exchange, convergence = warp>, convergent, memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = readwrite>}
llvm.func @nvvm.match.any.sync.i32(i32, i32) -> i32 attributes {grain.callee = #grain.callee<match, convergence = warp>, convergent, memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = readwrite>}
llvm.func @asm.shfl.down.add(f32, i32, i32, f32, i32) -> f32 attributes {grain.callee = #grain.callee<assembly, convergence = warp>, convergent, memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = readwrite>}
llvm.func @asm(i32) -> i32 attributes {grain.callee = #grain.callee<assembly, convergence = warp>, convergent, memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = readwrite>}

// A joined lane may be one that the mask leaves out.

grain.kernel @half(%p: !llvm.ptr) {
  %half = arith.constant 65535 : i32
  %one = arith.constant 1 : i32
  %last = arith.constant 31 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %v = llvm.load %slot : !llvm.ptr -> i32
      // expected-remark@+1 {{coarsen-threads: a warp operation may leave out lanes, which joined threads cannot}}
      %a = llvm.call @nvvm.shfl.sync.bfly.i32(%half, %v, %one, %last) : (i32, i32, i32, i32) -> i32
      llvm.store %a, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}

// The end of the row may be within a warp.

grain.kernel @guarded(%p: !llvm.ptr, %n: i32) {
  %all = arith.constant -1 : i32
  %one = arith.constant 1 : i32
  %last = arith.constant 31 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %inside = arith.cmpi slt, %tx, %n : i32
      scf.if %inside {
        %v = llvm.load %slot : !llvm.ptr -> i32
        // expected-remark@+1 {{coarsen-threads: lanes of a warp may not all run a warp operation}}
        %a = llvm.call @nvvm.shfl.sync.bfly.i32(%all, %v, %one, %last) : (i32, i32, i32, i32) -> i32
        llvm.store %a, %slot : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// Eight joined lanes have the same control here, but a warp has four of these groups.

grain.kernel @part_of_warp(%p: !llvm.ptr) {
  %all = arith.constant -1 : i32
  %one = arith.constant 1 : i32
  %eight = arith.constant 8 : i32
  %last = arith.constant 31 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %v = llvm.load %slot : !llvm.ptr -> i32
      %inside = arith.cmpi ult, %tx, %eight : i32
      scf.if %inside {
        // expected-remark@+1 {{coarsen-threads: lanes of a warp may not all run a warp operation}}
        %a = llvm.call @nvvm.shfl.sync.bfly.i32(%all, %v, %one, %last) : (i32, i32, i32, i32) -> i32
        llvm.store %a, %slot : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// Each of eight copies would move eight values.

grain.kernel @chosen(%p: !llvm.ptr) {
  %all = arith.constant -1 : i32
  %last = arith.constant 31 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %v = llvm.load %slot : !llvm.ptr -> i32
      // expected-remark@+1 {{coarsen-threads: the lanes of a shuffle choose whose value they get, and more than 4 of them are joined}}
      %a = llvm.call @nvvm.shfl.sync.bfly.i32(%all, %v, %v, %last) : (i32, i32, i32, i32) -> i32
      llvm.store %a, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}

grain.kernel @matched(%p: !llvm.ptr) {
  %all = arith.constant -1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %v = llvm.load %slot : !llvm.ptr -> i32
      // expected-remark@+1 {{coarsen-threads: a warp operation needs the lanes of a warp to be neighbouring threads}}
      %a = llvm.call @nvvm.match.any.sync.i32(%all, %v) : (i32, i32) -> i32
      llvm.store %a, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}

// What is added is not the lane's own value.

grain.kernel @adds_another(%p: !llvm.ptr) {
  %all = arith.constant -1 : i32
  %one = arith.constant 1 : i32
  %last = arith.constant 31 : i32
  %zero = arith.constant 0.0 : f32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %v = llvm.load %slot : !llvm.ptr -> f32
      // expected-remark@+1 {{coarsen-threads: a warp operation needs the lanes of a warp to be neighbouring threads}}
      %a = llvm.call @asm.shfl.down.add(%v, %one, %last, %zero, %all) : (f32, i32, i32, f32, i32) -> f32
      llvm.store %a, %slot : f32, !llvm.ptr
    }
  }
  grain.return
}

grain.kernel @unknown_assembly(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      // expected-remark@+1 {{coarsen-threads: a warp operation needs the lanes of a warp to be neighbouring threads}}
      %a = llvm.call @asm(%tx) : (i32) -> i32
      llvm.store %a, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}

// Old code exchanges values so.

grain.kernel @volatile(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      // expected-remark@+1 {{coarsen-threads: a warp operation needs the lanes of a warp to be neighbouring threads}}
      %v = llvm.load volatile %slot : !llvm.ptr -> i32
      llvm.store %v, %p : i32, !llvm.ptr
    }
  }
  grain.return
}
