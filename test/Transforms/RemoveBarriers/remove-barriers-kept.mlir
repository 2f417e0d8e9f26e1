// RUN: regrain-opt --grain-remove-barriers --verify-each %s | FileCheck %s
// These barriers order something, or may do so: each kernel keeps all of them.

llvm.func @unknown()
llvm.func @llvm.nvvm.membar.gl() attributes {grain.callee = #grain.callee<fence, convergence = none>}
llvm.func @llvm.nvvm.bar.warp.sync(i32) attributes {grain.callee = #grain.callee<instruction, convergence = warp>, convergent}

// It is another thread's element.
// CHECK-LABEL: grain.kernel @neighbour(
// CHECK-COUNT-1: grain.barrier
grain.kernel @neighbour(%p: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %other = llvm.getelementptr inbounds %s[%tx, 1] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<1 x i32>
      %v = llvm.load %other : !llvm.ptr<3> -> i32
      %to = llvm.getelementptr inbounds %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %v, %to : i32, !llvm.ptr
    }
  }
  grain.return
}

// Threads of a block share its global memory; addresses may be equal.
// CHECK-LABEL: grain.kernel @global(
// CHECK-COUNT-1: grain.barrier
grain.kernel @global(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %tx, %own : i32, !llvm.ptr
      grain.barrier (%tx, %ty, %tz)
      %v = llvm.load %q : !llvm.ptr -> i32
      llvm.store %v, %own : i32, !llvm.ptr
    }
  }
  grain.return
}

// Around the back edge, the load meets the next iteration's store, and both
// barriers are needed.
// CHECK-LABEL: grain.kernel @back_edge(
// CHECK-COUNT-2: grain.barrier
grain.kernel @back_edge(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%old = %c0) -> i32 : i32 {
        llvm.store %i, %own : i32, !llvm.ptr<3>
        grain.barrier (%tx, %ty, %tz)
        %v = llvm.load %s : !llvm.ptr<3> -> i32
        grain.barrier (%tx, %ty, %tz)
        %new = arith.addi %old, %v : i32
        scf.yield %new : i32
      }
      %to = llvm.getelementptr inbounds %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %sum, %to : i32, !llvm.ptr
    }
  }
  grain.return
}

// The same happens through both regions of a while.
// CHECK-LABEL: grain.kernel @back_edge_of_while(
// CHECK-COUNT-2: grain.barrier
grain.kernel @back_edge_of_while(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %end = scf.while (%i = %c0) : (i32) -> i32 {
        llvm.store %i, %own : i32, !llvm.ptr<3>
        grain.barrier (%tx, %ty, %tz)
        %v = llvm.load %s : !llvm.ptr<3> -> i32
        %again = arith.cmpi slt, %v, %n : i32
        scf.condition(%again) %i : i32
      } do {
      ^bb0(%i: i32):
        grain.barrier (%tx, %ty, %tz)
        %j = arith.addi %i, %c1 : i32
        scf.yield %j : i32
      }
    }
  }
  grain.return
}

// A barrier that some iterations or one side skip ends nothing for certain: the
// store reaches the second.
// CHECK-LABEL: grain.kernel @passed_by(
// CHECK-COUNT-2: grain.barrier
grain.kernel @passed_by(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %n, %own : i32, !llvm.ptr<3>
      %more = arith.cmpi sgt, %n, %c0 : i32
      scf.if %more {
        grain.barrier (%tx, %ty, %tz)
        %w = llvm.load %s : !llvm.ptr<3> -> i32
        llvm.store %w, %p : i32, !llvm.ptr
      }
      grain.barrier (%tx, %ty, %tz)
      %v = llvm.load %s : !llvm.ptr<3> -> i32
      %to = llvm.getelementptr inbounds %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %v, %to : i32, !llvm.ptr
    }
  }
  grain.return
}

// Atomic and volatile accesses, fences, calls and warp operations are on either side.
// CHECK-LABEL: grain.kernel @opaque(
// CHECK-COUNT-6: grain.barrier
grain.kernel @opaque(%p: !llvm.ptr, %n: i32) {
  %all = arith.constant -1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %n, %own : i32, !llvm.ptr
      grain.barrier (%tx, %ty, %tz)
      %old = llvm.atomicrmw add %p, %n monotonic : !llvm.ptr, i32
      grain.barrier (%tx, %ty, %tz)
      %own_again = llvm.load %own : !llvm.ptr -> i32
      grain.barrier (%tx, %ty, %tz)
      llvm.call @llvm.nvvm.membar.gl() : () -> ()
      grain.barrier (%tx, %ty, %tz)
      llvm.store volatile %own_again, %own : i32, !llvm.ptr
      grain.barrier (%tx, %ty, %tz)
      llvm.call @llvm.nvvm.bar.warp.sync(%all) : (i32) -> ()
      grain.barrier (%tx, %ty, %tz)
      llvm.call @unknown() : () -> ()
    }
  }
  grain.return
}

// A clock measures the time of what precedes it.
// CHECK-LABEL: grain.kernel @clock(
// CHECK-COUNT-1: grain.barrier
grain.kernel @clock(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %start = nvvm.read.ptx.sreg.clock : i32
      grain.barrier (%tx, %ty, %tz)
      %own = llvm.getelementptr inbounds %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %start, %own : i32, !llvm.ptr
    }
  }
  grain.return
}

// A reducing barrier has a result.
// CHECK-LABEL: grain.kernel @reducing(
// CHECK-COUNT-1: grain.barrier_reduce
grain.kernel @reducing(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %any = grain.barrier_reduce or %tx (%tx, %ty, %tz)
    }
  }
  grain.return
}

// A barrier of only a part of the loops is neither removed nor counted as an end.
// CHECK-LABEL: grain.kernel @in_part(
// CHECK-COUNT-2: grain.barrier
grain.kernel @in_part(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx)
      grain.barrier (%tx, %ty, %tz)
      %v = llvm.load %s : !llvm.ptr<3> -> i32
      llvm.store %v, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// A thread waits for another one, elsewhere in the kernel.
// CHECK-LABEL: grain.kernel @waits(
// CHECK-COUNT-1: grain.barrier
grain.kernel @waits(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %v = llvm.load %own : !llvm.ptr -> i32
      grain.barrier (%tx, %ty, %tz)
      %w = llvm.load %own : !llvm.ptr -> i32
      %any = grain.barrier_reduce or %tx (%tx, %ty, %tz)
      scf.while : () -> () {
        %flag = llvm.load volatile %p : !llvm.ptr -> i32
        %again = arith.cmpi eq, %flag, %c0 : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// Something that the load would move past writes there: this thread, or another
// one before the preceding barrier; or the load is not in the barrier's block.
// CHECK-LABEL: grain.kernel @load_stays(
// CHECK-COUNT-2: grain.barrier
grain.kernel @load_stays(%p: !llvm.ptr {llvm.noalias}, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %tx, %own : i32, !llvm.ptr
      grain.barrier (%tx, %ty, %tz)
      %other = llvm.getelementptr inbounds %p[%n] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %old = llvm.load %other : !llvm.ptr -> i32
      grain.barrier (%tx, %ty, %tz)
      llvm.store %old, %own : i32, !llvm.ptr
    }
  }
  grain.return
}

// CHECK-LABEL: grain.kernel @own_store_between(
// CHECK-COUNT-2: grain.barrier
grain.kernel @own_store_between(%p: !llvm.ptr {llvm.noalias}, %q: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %mine = llvm.getelementptr inbounds %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %mine : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %v = llvm.load %s : !llvm.ptr<3> -> i32
      %own = llvm.getelementptr inbounds %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %v, %own : i32, !llvm.ptr
      %other = llvm.getelementptr inbounds %p[%n] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %old = llvm.load %other : !llvm.ptr -> i32
      grain.barrier (%tx, %ty, %tz)
      llvm.store %old, %own : i32, !llvm.ptr
    }
  }
  grain.return
}

// CHECK-LABEL: grain.kernel @load_under_condition(
// CHECK-COUNT-2: grain.barrier
grain.kernel @load_under_condition(%p: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %mine = llvm.getelementptr inbounds %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %mine : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %v = llvm.load %s : !llvm.ptr<3> -> i32
      %more = arith.cmpi sgt, %n, %tx : i32
      %old = scf.if %more -> i32 {
        %other = llvm.getelementptr inbounds %p[%n] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %w = llvm.load %other : !llvm.ptr -> i32
        scf.yield %w : i32
      } else {
        scf.yield %c0 : i32
      }
      grain.barrier (%tx, %ty, %tz)
      %own = llvm.getelementptr inbounds %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %sum = arith.addi %v, %old : i32
      llvm.store %sum, %own : i32, !llvm.ptr
    }
  }
  grain.return
}

// Nothing distinguishes the rows of a block, yet each has its own timing: one would
// see what another has written after the barrier, or late what it wrote before.
// CHECK-LABEL: grain.kernel @rows_read_first(
// CHECK-COUNT-1: grain.barrier
grain.kernel @rows_read_first(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %v = llvm.load %own : !llvm.ptr -> i32
      grain.barrier (%tx, %ty, %tz)
      %w = arith.addi %v, %n : i32
      llvm.store %w, %own : i32, !llvm.ptr
    }
  }
  grain.return
}

// CHECK-LABEL: grain.kernel @rows_write_twice(
// CHECK-COUNT-1: grain.barrier
grain.kernel @rows_write_twice(%p: !llvm.ptr {llvm.noalias}, %q: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %tx, %own : i32, !llvm.ptr
      llvm.store %n, %own : i32, !llvm.ptr
      grain.barrier (%tx, %ty, %tz)
      %v = llvm.load %own : !llvm.ptr -> i32
    }
  }
  grain.return
}

// CHECK-LABEL: grain.kernel @rows_write_in_loop(
// CHECK-COUNT-1: grain.barrier
grain.kernel @rows_write_in_loop(%p: !llvm.ptr {llvm.noalias}, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      scf.for %i = %c0 to %n step %c1 : i32 {
        llvm.store %i, %own : i32, !llvm.ptr
      }
      grain.barrier (%tx, %ty, %tz)
      %v = llvm.load %own : !llvm.ptr -> i32
    }
  }
  grain.return
}

// noalias concerns one thread: memory that others read through one pointer may
// be written through another.
// CHECK-LABEL: grain.kernel @shift_in_place(
// CHECK-COUNT-1: grain.barrier
grain.kernel @shift_in_place(%to: !llvm.ptr {llvm.noalias}, %from: !llvm.ptr {llvm.noalias}) {
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %next = arith.addi %tx, %c1 : i32
      %beside = llvm.getelementptr inbounds %from[%next] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %v = llvm.load %beside : !llvm.ptr -> i32
      grain.barrier (%tx, %ty, %tz)
      %own = llvm.getelementptr inbounds %to[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %v, %own : i32, !llvm.ptr
    }
  }
  grain.return
}

// A ticket distinguishes rows that do not read their coordinate: one writes, all read.
// CHECK-LABEL: grain.kernel @rows_with_tickets(
// CHECK-COUNT-2: grain.barrier
grain.kernel @rows_with_tickets(%drawn: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %counter = llvm.getelementptr inbounds %drawn[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %own = llvm.getelementptr inbounds %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %ticket = llvm.atomicrmw add %counter, %c1 syncscope("device") monotonic : !llvm.ptr, i32
      grain.barrier (%tx, %ty, %tz)
      %first = arith.cmpi eq, %ticket, %c0 : i32
      scf.if %first {
        llvm.store %c1, %own : i32, !llvm.ptr<3>
      }
      grain.barrier (%tx, %ty, %tz)
      %v = llvm.load %own : !llvm.ptr<3> -> i32
      %to = llvm.getelementptr inbounds %out[%ticket] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %v, %to : i32, !llvm.ptr
    }
  }
  grain.return
}

// A launched block of fused blocks may have more than 64 threads in z, so another thread stores what
// a thread loads 64 elements further.
// CHECK-LABEL: grain.kernel @far_in_z(
// CHECK-COUNT-1: grain.barrier
grain.kernel @far_in_z(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<2048 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %s[%tz] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tz, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %other = llvm.getelementptr inbounds %s[%tz, 64] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<1 x i32>
      %v = llvm.load %other : !llvm.ptr<3> -> i32
      %to = llvm.getelementptr inbounds %p[%tz] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %v, %to : i32, !llvm.ptr
    }
  }
  grain.return
}

// Of the other pointer nothing is known.
// CHECK-LABEL: grain.kernel @one_disjoint(
// CHECK-COUNT-1: grain.barrier
grain.kernel @one_disjoint(%p: !llvm.ptr {grain.disjoint}, %q: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %tx, %own : i32, !llvm.ptr
      grain.barrier (%tx, %ty, %tz)
      %other = llvm.getelementptr inbounds %q[%n] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %v = llvm.load %other : !llvm.ptr -> i32
      llvm.store %v, %own : i32, !llvm.ptr
    }
  }
  grain.return
}
