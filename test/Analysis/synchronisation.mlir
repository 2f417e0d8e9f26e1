// RUN: regrain-opt --test-synchronisation --test-waiting -verify-diagnostics %s -o /dev/null
// The analysis covers barriers, convergence and loops that wait.

llvm.func @nvvm.shfl.sync.idx.i32(i32) -> i32 attributes {grain.callee = #grain.callee<exchange, convergence = warp>, convergent, memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = readwrite>}
llvm.func @sync() attributes {convergent}
#domain = #llvm.alias_scope_domain<id = distinct[0]<>>
#scope = #llvm.alias_scope<id = distinct[1]<>, domain = #domain>
llvm.func @looks(i32) -> i32 attributes {grain.callee = #grain.callee<function, convergence = none>}
llvm.func @plain(i32) -> i32 attributes {grain.callee = #grain.callee<plain_function, convergence = none>}

// expected-remark@+1 {{does not wait}}
grain.kernel @convergence(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+2 {{warp, tells apart, publishes}}
      // expected-remark@+1 {{the first to tell threads apart}}
      %lane = nvvm.read.ptx.sreg.laneid : i32
      // expected-remark@+1 {{tells apart}}
      %clock = nvvm.read.ptx.sreg.clock : i32
      // expected-remark@+1 {{warp, tells apart}}
      %other = llvm.call @nvvm.shfl.sync.idx.i32(%n) : (i32) -> i32
      // expected-remark@+1 {{unknown convergence, tells apart, sees, publishes, of a block}}
      llvm.call @sync() : () -> ()
      // expected-remark@+1 {{tells apart, sees, publishes, of a block}}
      %told = llvm.call @looks(%n) : (i32) -> i32
      // expected-remark@+1 {{tells apart}}
      %same = llvm.call @plain(%n) : (i32) -> i32
      // The attributes of the pointers of an inlined function count.
      llvm.intr.experimental.noalias.scope.decl #scope
      // expected-remark@+1 {{warp, tells apart, sees, publishes}}
      %seen = llvm.load volatile %p : !llvm.ptr -> i32
      // expected-remark@+1 {{warp, publishes}}
      llvm.store volatile %seen, %p : i32, !llvm.ptr
      %loaded = llvm.load %p : !llvm.ptr -> i32
      %less = arith.cmpi slt, %bx, %n : i32
      // expected-remark@+1 {{holds a barrier}}
      scf.if %less {
        // expected-remark@+1 {{barrier}}
        grain.barrier (%tx, %ty, %tz)
        scf.if %less {
          llvm.store %n, %p : i32, !llvm.ptr
        }
      }
      // expected-remark@+1 {{barrier}}
      %any = grain.barrier_reduce or %n (%tx, %ty, %tz)
    }
  }
  grain.return
}

// A lock is a wait; a retried compare-and-exchange and drawn tickets make
// progress.
grain.kernel @lock(%p: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        // expected-remark@+2 {{tells apart, sees, publishes}}
        // expected-remark@+1 {{the first to tell threads apart}}
        %pair = llvm.cmpxchg %p, %c0, %c1 monotonic monotonic : !llvm.ptr, i32
        %taken = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
        %true = arith.constant true
        %again = arith.xori %taken, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// expected-remark@+1 {{does not wait}}
grain.kernel @retry(%p: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = llvm.load %p : !llvm.ptr -> i32
      %last = scf.while (%seen = %first) : (i32) -> i32 {
        %more = arith.addi %seen, %c1 : i32
        // expected-remark@+2 {{tells apart, sees, publishes}}
        // expected-remark@+1 {{the first to tell threads apart}}
        %pair = llvm.cmpxchg %p, %seen, %more monotonic monotonic : !llvm.ptr, i32
        %now = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
        %again = arith.cmpi ne, %now, %seen : i32
        scf.condition(%again) %now : i32
      } do {
      ^bb0(%now: i32):
        scf.yield %now : i32
      }
    }
  }
  grain.return
}

grain.kernel @flag(%p: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        // expected-remark@+2 {{warp, tells apart, sees, publishes}}
        // expected-remark@+1 {{the first to tell threads apart}}
        %seen = llvm.load volatile %p : !llvm.ptr -> i32
        %again = arith.cmpi eq, %seen, %c0 : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// A flag may end a loop by where the thread stores, not only by what.
grain.kernel @flag_as_index(%p: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.alloca %c2 x i32 : (i32) -> !llvm.ptr
      llvm.store %c0, %own : i32, !llvm.ptr
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        // expected-remark@+2 {{warp, tells apart, sees, publishes}}
        // expected-remark@+1 {{the first to tell threads apart}}
        %seen = llvm.load volatile %p : !llvm.ptr -> i32
        %at = llvm.getelementptr %own[%seen] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        llvm.store %c1, %at : i32, !llvm.ptr
        %end = llvm.load %own : !llvm.ptr -> i32
        %again = arith.cmpi eq, %end, %c0 : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// What is read beside the counter does not decide on the end.
// expected-remark@+1 {{does not wait}}
grain.kernel @counts_beside(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %sum, %i = scf.while (%s = %c0, %k = %c0) : (i32, i32) -> (i32, i32) {
        %more = arith.cmpi ult, %k, %n : i32
        %next:3 = scf.if %more -> (i32, i32, i1) {
          // expected-remark@+2 {{warp, tells apart, sees, publishes}}
          // expected-remark@+1 {{the first to tell threads apart}}
          %seen = llvm.load volatile %p : !llvm.ptr -> i32
          %t = arith.addi %s, %seen : i32
          %l = arith.addi %k, %c1 : i32
          %again = arith.cmpi ult, %l, %n : i32
          scf.yield %t, %l, %again : i32, i32, i1
        } else {
          scf.yield %s, %k, %more : i32, i32, i1
        }
        scf.condition(%next#2) %next#0, %next#1 : i32, i32
      } do {
      ^bb0(%s: i32, %k: i32):
        scf.yield %s, %k : i32, i32
      }
    }
  }
  grain.return
}

// The trips of an inner loop depend on its bounds.
grain.kernel @ends_by_trips(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        // expected-remark@+2 {{warp, tells apart, sees, publishes}}
        // expected-remark@+1 {{the first to tell threads apart}}
        %seen = llvm.load volatile %p : !llvm.ptr -> i32
        %counted, %trips = scf.for %k = %c0 to %seen step %c1 iter_args(%a = %n, %b = %c0) -> (i32, i32) : i32 {
          %more = arith.addi %b, %c1 : i32
          scf.yield %a, %more : i32, i32
        }
        %again = arith.cmpi eq, %trips, %c0 : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// A value that is carried through loops and branches decides in the next iteration.
grain.kernel @ends_by_carried(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      %last = scf.while (%f = %c0) : (i32) -> i32 {
        %flag = scf.for %k = %c0 to %n step %c1 iter_args(%a = %f) -> (i32) : i32 {
          %odd = arith.cmpi ne, %a, %k : i32
          %chosen = scf.if %odd -> (i32) {
            // expected-remark@+2 {{warp, tells apart, sees, publishes}}
            // expected-remark@+1 {{the first to tell threads apart}}
            %seen = llvm.load volatile %p : !llvm.ptr -> i32
            scf.yield %seen : i32
          } else {
            scf.yield %a : i32
          }
          scf.yield %chosen : i32
        }
        %again = arith.cmpi eq, %f, %c0 : i32
        scf.condition(%again) %flag : i32
      } do {
      ^bb0(%f: i32):
        scf.yield %f : i32
      }
    }
  }
  grain.return
}

// The launch itself writes to its shared memory, so nothing else is waited for.
grain.kernel @own_flag(%p: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) {
    %flag = grain.shared "flag" : i32 align 4
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits for the launch itself}}
      scf.while : () -> () {
        // expected-remark@+2 {{warp, tells apart, sees, publishes}}
        // expected-remark@+1 {{the first to tell threads apart}}
        %seen = llvm.load volatile %flag : !llvm.ptr<3> -> i32
        %again = arith.cmpi eq, %seen, %c0 : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// What the loop stores there may come from elsewhere.
grain.kernel @passed_flag(%p: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) {
    %flag = grain.shared "flag" : i32 align 4
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{waits}}
      scf.while : () -> () {
        // expected-remark@+2 {{warp, tells apart, sees, publishes}}
        // expected-remark@+1 {{the first to tell threads apart}}
        %seen = llvm.load volatile %flag : !llvm.ptr<3> -> i32
        // expected-remark@+1 {{warp, tells apart, sees, publishes}}
        %outside = llvm.load volatile %p : !llvm.ptr -> i32
        // expected-remark@+1 {{warp, publishes}}
        llvm.store volatile %outside, %flag : i32, !llvm.ptr<3>
        %again = arith.cmpi eq, %seen, %c0 : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}
