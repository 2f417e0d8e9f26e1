// RUN: regrain-opt %s --grain-split-guards | FileCheck %s

// The parts keep the guard; a value that is live across the barrier is poison outside.

// CHECK-LABEL: grain.kernel @parts
grain.kernel @parts(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // CHECK: %[[C:.*]] = arith.cmpi slt
      // CHECK: %[[V:.*]] = scf.if %[[C]] -> (i32) {
      // CHECK:   llvm.load
      // CHECK: } else {
      // CHECK:   llvm.mlir.poison
      // CHECK: }
      // CHECK: grain.barrier
      // CHECK: scf.if %[[C]] {
      // CHECK-NEXT: llvm.store %[[V]]
      %inside = arith.cmpi slt, %tx, %n : i32
      scf.if %inside {
        %value = llvm.load %p : !llvm.ptr -> i32
        grain.barrier (%tx, %ty, %tz)
        llvm.store %value, %p : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// This is the same through a loop with an end that all threads know. It ends by
// its step, so that no thread need be inside.

// CHECK-LABEL: grain.kernel @loop
grain.kernel @loop(%p: !llvm.ptr, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // CHECK-NOT: grain.barrier_reduce
      // CHECK: %[[C:.*]] = arith.cmpi sge
      // CHECK: arith.addi %{{.*}}, %{{.*}} : i32
      // CHECK: scf.for
      // CHECK:   scf.if %[[C]] {
      // CHECK-NEXT: } else {
      // CHECK:     llvm.store
      // CHECK:   grain.barrier
      // CHECK: scf.if %[[C]] {
      // CHECK-NEXT: } else {
      // CHECK:   llvm.store
      %outside = arith.cmpi sge, %tx, %n : i32
      scf.if %outside {
      } else {
        %end = arith.addi %n, %one : i32
        scf.for %i = %zero to %end step %one : i32 {
          llvm.store %i, %p : i32, !llvm.ptr
          grain.barrier (%tx, %ty, %tz)
        }
        llvm.store %n, %p : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// A loop that might not end for threads outside is entered with a thread inside.

// CHECK-LABEL: grain.kernel @while
grain.kernel @while(%p: !llvm.ptr, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // CHECK: %[[C:.*]] = arith.cmpi slt
      // CHECK: %[[INSIDE:.*]] = arith.extui %[[C]]
      // CHECK: %[[ANY:.*]] = grain.barrier_reduce or %[[INSIDE]]
      // CHECK: %[[ENTER:.*]] = arith.cmpi ne, %[[ANY]]
      // CHECK: scf.if %[[ENTER]] {
      // CHECK:   scf.while
      // CHECK:     grain.barrier
      %inside = arith.cmpi slt, %tx, %n : i32
      scf.if %inside {
        %end = scf.while (%i = %n) : (i32) -> i32 {
          %more = arith.cmpi sgt, %i, %zero : i32
          scf.condition(%more) %i : i32
        } do {
        ^bb0(%i: i32):
          grain.barrier (%tx, %ty, %tz)
          llvm.store %i, %p : i32, !llvm.ptr
          %half = arith.shrsi %i, %one : i32
          scf.yield %half : i32
        }
      }
    }
  }
  grain.return
}

// These are guards in guards; the code of the threads outside comes first.

// CHECK-LABEL: grain.kernel @nested
grain.kernel @nested(%p: !llvm.ptr, %n: i32, %m: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // CHECK: %[[C:.*]] = arith.cmpi slt
      // CHECK: scf.if %[[C]] {
      // CHECK-NEXT: } else {
      // CHECK-NEXT:   llvm.store %{{.*}}, %{{.*}} : i32
      // CHECK: %[[D:.*]] = arith.cmpi slt
      // CHECK: {{^        }}grain.barrier
      // CHECK: scf.if %[[D]] {
      // CHECK: scf.if %[[C]] {
      // CHECK: llvm.store
      %inside = arith.cmpi slt, %tx, %n : i32
      scf.if %inside {
        %deep = arith.cmpi slt, %tx, %m : i32
        scf.if %deep {
          grain.barrier (%tx, %ty, %tz)
          llvm.store %n, %p : i32, !llvm.ptr
        }
      } else {
        llvm.store %m, %p : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// Threads outside pass a predicate that changes nothing.

// CHECK-LABEL: grain.kernel @reduce
grain.kernel @reduce(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // CHECK: %[[C:.*]] = arith.cmpi slt
      // CHECK: %[[TRUE:.*]] = arith.constant 1 : i32
      // CHECK: %[[P:.*]] = arith.select %[[C]], %{{.*}}, %[[TRUE]]
      // CHECK: grain.barrier_reduce and %[[P]]
      %inside = arith.cmpi slt, %tx, %n : i32
      scf.if %inside {
        %value = llvm.load %p : !llvm.ptr -> i32
        %all = grain.barrier_reduce and %value (%tx, %ty, %tz)
        llvm.store %all, %p : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// The value of a mathematical function may be computed by threads outside, too.

llvm.func @__nv_logf(f32) -> f32 attributes {grain.callee = #grain.callee<math, convergence = none>, memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none>}

// CHECK-LABEL: grain.kernel @math
grain.kernel @math(%p: !llvm.ptr, %n: i32, %x: f32) {
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // CHECK: %[[C:.*]] = arith.cmpi slt
      // CHECK: %[[LOG:.*]] = llvm.call @__nv_logf
      // CHECK: %[[SAME:.*]] = llvm.fcmp "ogt" %[[LOG]]
      // CHECK: scf.if %[[SAME]] {
      // CHECK-NEXT: grain.barrier
      // CHECK-NEXT: scf.if %[[C]] {
      // CHECK-NEXT: llvm.store
      %inside = arith.cmpi slt, %tx, %n : i32
      scf.if %inside {
        %log = llvm.call @__nv_logf(%x) : (f32) -> f32
        %same = llvm.fcmp "ogt" %log, %zero : f32
        scf.if %same {
          grain.barrier (%tx, %ty, %tz)
          llvm.store %n, %p : i32, !llvm.ptr
        }
      }
    }
  }
  grain.return
}

// A result combines the values of both branches; the code of the threads
// outside comes first.

// CHECK-LABEL: grain.kernel @result
grain.kernel @result(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // CHECK: %[[C:.*]] = arith.cmpi slt
      // CHECK: %[[OUT:.*]] = scf.if %[[C]] -> (i32) {
      // CHECK-NEXT: llvm.mlir.poison
      // CHECK: } else {
      // CHECK-NEXT: %[[L:.*]] = llvm.load %[[P:.*]] :
      // CHECK-NEXT: scf.yield %[[L]]
      // CHECK: grain.barrier
      // CHECK-NEXT: %[[IN:.*]] = scf.if %[[C]] -> (i32) {
      // CHECK-NEXT: %[[M:.*]] = llvm.load
      // CHECK-NEXT: scf.yield %[[M]]
      // CHECK: %[[R:.*]] = arith.select %[[C]], %[[IN]], %[[OUT]] : i32
      // CHECK-NEXT: llvm.store %[[R]], %[[P]]
      %inside = arith.cmpi slt, %tx, %n : i32
      %value = scf.if %inside -> i32 {
        grain.barrier (%tx, %ty, %tz)
        %own = llvm.load %p : !llvm.ptr -> i32
        scf.yield %own : i32
      } else {
        %other = llvm.load %p : !llvm.ptr -> i32
        scf.yield %other : i32
      }
      llvm.store %value, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// This is a result through a loop that might not end for threads outside, in the else branch.

// CHECK-LABEL: grain.kernel @result_of_while
grain.kernel @result_of_while(%p: !llvm.ptr, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // CHECK: %[[C:.*]] = arith.cmpi sge
      // CHECK: %[[ANY:.*]] = grain.barrier_reduce or
      // CHECK: %[[ENTER:.*]] = arith.cmpi ne, %[[ANY]]
      // CHECK: %[[IN:.*]] = scf.if %[[ENTER]] -> (i32) {
      // CHECK:   %[[W:.*]] = scf.while
      // CHECK:   scf.yield %[[W]]
      // CHECK: } else {
      // CHECK:   llvm.mlir.poison
      // CHECK: arith.select %[[C]], %{{.*}}, %[[IN]] : i32
      %outside = arith.cmpi sge, %tx, %n : i32
      %value = scf.if %outside -> i32 {
        scf.yield %n : i32
      } else {
        %end = scf.while (%i = %n) : (i32) -> i32 {
          %more = arith.cmpi sgt, %i, %zero : i32
          scf.condition(%more) %i : i32
        } do {
        ^bb0(%i: i32):
          grain.barrier (%tx, %ty, %tz)
          %half = arith.shrsi %i, %one : i32
          scf.yield %half : i32
        }
        scf.yield %end : i32
      }
      llvm.store %value, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// The n-th barriers of both branches become one; values are live across them.

// CHECK-LABEL: grain.kernel @both
grain.kernel @both(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // CHECK: %[[C:.*]] = arith.cmpi slt
      // CHECK: %[[A:.*]]:2 = scf.if %[[C]] -> (i32, i32) {
      // CHECK-NEXT: llvm.mlir.poison
      // CHECK-NEXT: %[[V:.*]] = llvm.load
      // CHECK-NEXT: scf.yield %[[V]], %
      // CHECK: } else {
      // CHECK-NEXT: llvm.mlir.poison
      // CHECK-NEXT: %[[W:.*]] = llvm.load
      // CHECK-NEXT: scf.yield %{{.*}}, %[[W]]
      // CHECK: grain.barrier
      // CHECK-NEXT: scf.if %[[C]] {
      // CHECK-NEXT: llvm.store %[[A]]#0
      // CHECK-NEXT: } else {
      // CHECK-NEXT: llvm.store %[[A]]#1
      // CHECK-NEXT: }
      // CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : i32
      // CHECK-NEXT: %[[P:.*]] = arith.select %[[C]], %{{.*}}, %[[ZERO]]
      // CHECK-NEXT: %[[COUNT:.*]] = grain.barrier_reduce count %[[P]]
      // CHECK-NEXT: %[[R:.*]] = arith.select %[[C]], %[[COUNT]], %[[A]]#1
      // CHECK-NEXT: llvm.store %[[R]]
      %inside = arith.cmpi slt, %tx, %n : i32
      %result = scf.if %inside -> i32 {
        %value = llvm.load %p : !llvm.ptr -> i32
        grain.barrier (%tx, %ty, %tz)
        llvm.store %value, %q : i32, !llvm.ptr
        %count = grain.barrier_reduce count %n (%tx, %ty, %tz)
        scf.yield %count : i32
      } else {
        %value = llvm.load %q : !llvm.ptr -> i32
        grain.barrier (%tx, %ty, %tz)
        llvm.store %value, %p : i32, !llvm.ptr
        scf.yield %value : i32
      }
      llvm.store %result, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// A condition that threads outside cannot compute does not hold for them.

// CHECK-LABEL: grain.kernel @loaded_condition
grain.kernel @loaded_condition(%p: !llvm.ptr, %n: i32) {
  %zero = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // CHECK: %[[C:.*]] = arith.cmpi sge
      // CHECK: %[[SET:.*]] = scf.if %[[C]] -> (i1) {
      // CHECK:   arith.cmpi ne
      // CHECK: %[[FALSE:.*]] = arith.constant false
      // CHECK: %[[D:.*]] = arith.select %[[C]], %[[FALSE]], %[[SET]]
      // CHECK-NEXT: grain.barrier
      // CHECK-NEXT: scf.if %[[D]] {
      // CHECK-NEXT: scf.if %[[C]] {
      // CHECK-NEXT: } else {
      // CHECK-NEXT: llvm.store
      %outside = arith.cmpi sge, %tx, %n : i32
      scf.if %outside {
      } else {
        %value = llvm.load volatile %p : !llvm.ptr -> i32
        %set = arith.cmpi ne, %value, %zero : i32
        scf.if %set {
          grain.barrier (%tx, %ty, %tz)
          llvm.store %n, %p : i32, !llvm.ptr
        }
      }
    }
  }
  grain.return
}
