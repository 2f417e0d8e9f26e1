// RUN: regrain-opt --test-waiting -verify-diagnostics %s -o /dev/null
// Loops that draw tickets make progress by themselves, unless tickets are
// returned or their comparison does not settle.

llvm.func @nvvm.shfl.sync.idx.i32(i32) -> i32 attributes {grain.callee = #grain.callee<exchange, convergence = warp>, convergent, memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = readwrite>}
llvm.func @nvvm.membar.gl() attributes {grain.callee = #grain.callee<fence, convergence = none>}
llvm.func @helper(!llvm.ptr) attributes {grain.callee = #grain.callee<function, convergence = none>}
llvm.func @look(!llvm.ptr) -> i32 attributes {grain.callee = #grain.callee<function, convergence = none>}
llvm.func @read(!llvm.ptr) -> i32 attributes {grain.callee = #grain.callee<plain_function, convergence = none>}

// Work is drawn until none is left.
// expected-remark@+1 {{does not wait}}
grain.kernel @work(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.while : () -> () {
        %ticket = llvm.atomicrmw add %p, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %again = arith.cmpi slt, %ticket, %n : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// One lane draws for its warp, as many tickets at once.
// expected-remark@+1 {{does not wait}}
grain.kernel @for_the_warp(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.while : () -> () {
        %first = arith.cmpi eq, %tx, %c0 : i32
        %drawn = scf.if %first -> (i32) {
          %ticket = llvm.atomicrmw add %p, %c1 syncscope("device") monotonic : !llvm.ptr, i32
          scf.yield %ticket : i32
        } else {
          scf.yield %c0 : i32
        }
        %all = llvm.call @nvvm.shfl.sync.idx.i32(%drawn) : (i32) -> i32
        %many = arith.muli %all, %c2 overflow<nsw> : i32
        %own = arith.addi %many, %tx : i32
        %again = arith.cmpi slt, %own, %n : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// An atomic exchange after the loop resets the counter: this is a lock.
grain.kernel @given_back_behind(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        %ticket = llvm.atomicrmw add %p, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %again = arith.cmpi ne, %ticket, %c0 : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
      %old = llvm.atomicrmw xchg %p, %c0 syncscope("device") monotonic : !llvm.ptr, i32
    }
  }
  grain.return
}

// The origin of the address does not matter.
grain.kernel @behind_loaded_index(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        %index = llvm.load %q : !llvm.ptr -> i32
        %lock = llvm.getelementptr %p[%index] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %ticket = llvm.atomicrmw add %lock, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %again = arith.cmpi ne, %ticket, %c0 : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
      %old = llvm.atomicrmw xchg %p, %c0 syncscope("device") monotonic : !llvm.ptr, i32
    }
  }
  grain.return
}

// Another pointer may be another name of the counter.
grain.kernel @given_back_through_another_pointer(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        %ticket = llvm.atomicrmw add %p, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %again = arith.cmpi slt, %ticket, %n : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
      %old = llvm.atomicrmw sub %q, %c1 syncscope("device") monotonic : !llvm.ptr, i32
    }
  }
  grain.return
}

// For another thread it may be, even if this thread has both as noalias.
grain.kernel @given_back_through_restrict(%p: !llvm.ptr {llvm.noalias}, %q: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        %ticket = llvm.atomicrmw add %p, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %again = arith.cmpi slt, %ticket, %n : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
      %old = llvm.atomicrmw sub %q, %c1 syncscope("device") monotonic : !llvm.ptr, i32
    }
  }
  grain.return
}

// The other function draws, too.
// expected-remark@+1 {{does not wait}}
grain.kernel @drawn_through_another_pointer(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.while : () -> () {
        %ticket = llvm.atomicrmw add %p, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %again = arith.cmpi slt, %ticket, %n : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
      %old = llvm.atomicrmw add %q, %c1 syncscope("device") monotonic : !llvm.ptr, i32
    }
  }
  grain.return
}

// A plain store tells other threads nothing without a fence.
// expected-remark@+1 {{does not wait}}
grain.kernel @stored_elsewhere(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.while : () -> () {
        %ticket = llvm.atomicrmw add %p, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %again = arith.cmpi slt, %ticket, %n : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
      llvm.store %c0, %q : i32, !llvm.ptr
    }
  }
  grain.return
}

grain.kernel @stored_elsewhere_behind_a_fence(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        %ticket = llvm.atomicrmw add %p, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %again = arith.cmpi slt, %ticket, %n : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
      llvm.call @nvvm.membar.gl() : () -> ()
      llvm.store %c0, %q : i32, !llvm.ptr
    }
  }
  grain.return
}

// A number of another type is not a counter.
// expected-remark@+1 {{does not wait}}
grain.kernel @float_behind_a_fence(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %x: f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.while : () -> () {
        %ticket = llvm.atomicrmw add %p, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %again = arith.cmpi slt, %ticket, %n : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
      llvm.call @nvvm.membar.gl() : () -> ()
      llvm.store %x, %q : f32, !llvm.ptr
    }
  }
  grain.return
}

// A function may return tickets.
grain.kernel @given_back_in_a_function(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        %ticket = llvm.atomicrmw add %p, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %again = arith.cmpi slt, %ticket, %n : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
      llvm.call @helper(%p) : (!llvm.ptr) -> ()
    }
  }
  grain.return
}

// With another step, another thread may have to change the parity.
grain.kernel @lowest_bit(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        %ticket = llvm.atomicrmw add %p, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %bit = arith.andi %ticket, %c1 : i32
        %again = arith.cmpi eq, %bit, %c0 : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// Two counters increase together until another thread draws from one.
grain.kernel @two_counters(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        %ticket = llvm.atomicrmw add %p, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %second = llvm.atomicrmw add %q, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %again = arith.cmpi eq, %ticket, %second : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// Adding nothing, or a number that may be zero, draws no ticket.
grain.kernel @polled_by_adding_nothing(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        %ticket = llvm.atomicrmw add %p, %c0 syncscope("device") monotonic : !llvm.ptr, i32
        %again = arith.cmpi ne, %ticket, %c0 : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

grain.kernel @polled_by_adding_a_number(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        %ticket = llvm.atomicrmw add %p, %n syncscope("device") monotonic : !llvm.ptr, i32
        %again = arith.cmpi ne, %ticket, %c0 : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// A flag that ends the loop early is a wait, even if the loop also ends otherwise.
grain.kernel @bounded_by_tickets(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        %ticket = llvm.atomicrmw add %p, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %more = arith.cmpi slt, %ticket, %n : i32
        %seen = llvm.load %q atomic syncscope("device") monotonic {alignment = 4 : i64} : !llvm.ptr -> i32
        %unseen = arith.cmpi eq, %seen, %c0 : i32
        %again = arith.andi %more, %unseen : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// A function that is not inlined may read a flag.
grain.kernel @looked_at_in_a_function(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        %seen = llvm.call @look(%p) : (!llvm.ptr) -> i32
        %again = arith.cmpi eq, %seen, %c0 : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// A read with the semantics of a plain load sees only what the thread itself has stored there.
// expected-remark@+1 {{does not wait}}
grain.kernel @read_in_a_function(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.while : () -> () {
        %seen = llvm.call @read(%p) : (!llvm.ptr) -> i32
        %again = arith.cmpi eq, %seen, %c0 : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// Beside a fence it reads again.
grain.kernel @read_in_a_function_beside_a_fence(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        %seen = llvm.call @read(%p) : (!llvm.ptr) -> i32
        %again = arith.cmpi eq, %seen, %c0 : i32
        scf.condition(%again)
      } do {
        llvm.call @nvvm.membar.gl() : () -> ()
        scf.yield
      }
    }
  }
  grain.return
}

// Its store may change what the loop draws.
grain.kernel @given_back_in_a_plain_function(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        %ticket = llvm.atomicrmw add %p, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %again = arith.cmpi slt, %ticket, %n : i32
        scf.condition(%again)
      } do {
        %read = llvm.call @read(%p) : (!llvm.ptr) -> i32
        scf.yield
      }
    }
  }
  grain.return
}

// A plain load is repeated beside a fence, and if the loop polls the same word.
grain.kernel @plain_beside_a_fence(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        llvm.call @nvvm.membar.gl() : () -> ()
        %seen = llvm.load %p : !llvm.ptr -> i32
        %again = arith.cmpi eq, %seen, %c0 : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

grain.kernel @plain_beside_a_poll(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        %old = llvm.atomicrmw add %p, %c0 syncscope("device") monotonic : !llvm.ptr, i32
        %seen = llvm.load %p : !llvm.ptr -> i32
        %again = arith.cmpi eq, %seen, %c0 : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// expected-remark@+1 {{does not wait}}
grain.kernel @plain_alone(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.while : () -> () {
        %seen = llvm.load %p : !llvm.ptr -> i32
        %again = arith.cmpi eq, %seen, %c0 : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// A lock is taken by adding, and another kernel or the host releases it.
grain.kernel @lock_given_back_elsewhere(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        %ticket = llvm.atomicrmw add %p, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %again = arith.cmpi ne, %ticket, %c0 : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// Adding leads away from the end of the loop.
grain.kernel @away_from_the_end(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        %ticket = llvm.atomicrmw add %p, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %again = arith.cmpi sle, %n, %ticket : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// Subtracting leads to the end.
// expected-remark@+1 {{does not wait}}
grain.kernel @down_to_the_end(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.while : () -> () {
        %ticket = llvm.atomicrmw sub %p, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %again = arith.cmpi sle, %n, %ticket : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// The end is where a branch sets a flag that is carried from iteration to iteration.
// expected-remark@+1 {{does not wait}}
grain.kernel @until_done(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c1 = arith.constant 1 : i32
  %false = arith.constant false
  %true = arith.constant true
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %end = scf.while (%done = %false) : (i1) -> i1 {
        %again = arith.xori %done, %true : i1
        scf.condition(%again) %done : i1
      } do {
      ^bb0(%before: i1):
        %ticket = llvm.atomicrmw add %p, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %is_past = arith.cmpi sge, %ticket, %n : i32
        %now = scf.if %is_past -> (i1) {
          scf.yield %true : i1
        } else {
          scf.yield %before : i1
        }
        scf.yield %now : i1
      }
    }
  }
  grain.return
}

// A comparison that selects between two conditions may continue the loop either way.
grain.kernel @leans_both_ways(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %a: i1, %b: i1) {
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        %ticket = llvm.atomicrmw add %p, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %few = arith.cmpi slt, %ticket, %n : i32
        %again = arith.select %few, %a, %b : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// It may do so even if it also keeps the loop going elsewhere.
grain.kernel @leans_both_ways_again(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %a: i1, %b: i1) {
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        %ticket = llvm.atomicrmw add %p, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %few = arith.cmpi slt, %ticket, %n : i32
        %chosen = arith.select %few, %a, %b : i1
        %either = arith.ori %few, %b : i1
        %again = arith.andi %chosen, %either : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// The loop ends where the comparison fails, whatever it selects before.
// expected-remark@+1 {{does not wait}}
grain.kernel @required(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %a: i1, %b: i1) {
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.while : () -> () {
        %ticket = llvm.atomicrmw add %p, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %few = arith.cmpi slt, %ticket, %n : i32
        %chosen = arith.select %few, %a, %b : i1
        %again = arith.andi %chosen, %few : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// No thread draws so many: another thread sets the bit.
grain.kernel @polled_by_adding(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c1 = arith.constant 1 : i64
  %bit = arith.constant 1099511627776 : i64
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        %ticket = llvm.atomicrmw add %p, %c1 syncscope("device") monotonic : !llvm.ptr, i64
        %again = arith.cmpi ult, %ticket, %bit : i64
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// As an unsigned number, a negative limit is far away.
grain.kernel @far_unsigned(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c1 = arith.constant 1 : i32
  %limit = arith.constant -16 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        %ticket = llvm.atomicrmw add %p, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %again = arith.cmpi ult, %ticket, %limit : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// An unknown factor may reverse the order of numbers, and a difference may become negative.
grain.kernel @turned_around(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        %ticket = llvm.atomicrmw add %p, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %product = arith.muli %ticket, %n overflow<nsw> : i32
        %again = arith.cmpi slt, %product, %c0 : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

grain.kernel @below_zero(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %cm1 = arith.constant -1 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        %ticket = llvm.atomicrmw add %p, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %before = arith.addi %ticket, %cm1 : i32
        %again = arith.cmpi ult, %before, %n : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// A number that is added without wrapping may have any value.
// expected-remark@+1 {{does not wait}}
grain.kernel @behind_a_number(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) {
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.while : () -> () {
        %ticket = llvm.atomicrmw add %p, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %sum = arith.addi %ticket, %n overflow<nsw> : i32
        %again = arith.cmpi slt, %sum, %n : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}
