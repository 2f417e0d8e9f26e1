// RUN: regrain-opt %s --grain-coarsen-blocks="factors=4,1,1 common=true" --verify-diagnostics | FileCheck %s
// RUN: regrain-opt %s --grain-coarsen-blocks="factors=4,1,1 common=true reassociate=true" 2>&1 | FileCheck %s --check-prefix=SUMS

// None of these has changed.
// CHECK-NOT: factors

// Floating-point numbers are added in another order only if they may be.
// SUMS: grain.kernel @floats
// SUMS: factors [4, 1, 1]
// SUMS: grain.kernel @result

llvm.func @use(!llvm.ptr<3>) attributes {grain.callee = #grain.callee<function, convergence = none>}

// The order of additions decides about the rounding.

grain.kernel @floats(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %f0, %own : f32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      // expected-remark@+1 {{coarsen-blocks: floating-point numbers are added up in a shared array, and would be added in another order; to lift this: leave out shared=common}}
      %old = llvm.atomicrmw fadd %own, %f0 monotonic : !llvm.ptr<3>, f32
      grain.barrier (%tx, %ty, %tz)
      %all = llvm.load %own : !llvm.ptr<3> -> f32
      %was = llvm.atomicrmw fadd %p, %all monotonic : !llvm.ptr, f32
    }
  }
  grain.return
}

// A thread sees how many threads of its block came before it.

grain.kernel @result(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %c0, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      // expected-remark@+1 {{the result of an atomic operation on a shared array is used}}
      %old = llvm.atomicrmw add %own, %bx monotonic : !llvm.ptr<3>, i32
      llvm.store %old, %p : i32, !llvm.ptr
      grain.barrier (%tx, %ty, %tz)
      %all = llvm.load %own : !llvm.ptr<3> -> i32
      %was = llvm.atomicrmw add %p, %all monotonic : !llvm.ptr, i32
    }
  }
  grain.return
}

// The order of a sum and a maximum matters.

grain.kernel @kinds(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %c0, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %old = llvm.atomicrmw add %own, %bx monotonic : !llvm.ptr<3>, i32
      // expected-remark@+1 {{atomic operations of several kinds update a shared array}}
      %other = llvm.atomicrmw umax %own, %bx monotonic : !llvm.ptr<3>, i32
      grain.barrier (%tx, %ty, %tz)
      %all = llvm.load %own : !llvm.ptr<3> -> i32
      %was = llvm.atomicrmw add %p, %all monotonic : !llvm.ptr, i32
    }
  }
  grain.return
}

// A sum of 64 bits carries from one element to the next.

grain.kernel @widths(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %c0, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %old = llvm.atomicrmw add %own, %bx monotonic : !llvm.ptr<3>, i32
      %wide = arith.extui %bx : i32 to i64
      // expected-remark@+1 {{atomic operations of several kinds update a shared array}}
      %other = llvm.atomicrmw add %s, %wide monotonic : !llvm.ptr<3>, i64
      grain.barrier (%tx, %ty, %tz)
      %all = llvm.load %own : !llvm.ptr<3> -> i32
      %was = llvm.atomicrmw add %p, %all monotonic : !llvm.ptr, i32
    }
  }
  grain.return
}

// The last value stays.

grain.kernel @exchange(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %c0, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      // expected-remark@+1 {{the atomic operations on a shared array have another result in another order}}
      %old = llvm.atomicrmw xchg %own, %bx monotonic : !llvm.ptr<3>, i32
      grain.barrier (%tx, %ty, %tz)
      %all = llvm.load %own : !llvm.ptr<3> -> i32
      %was = llvm.atomicrmw xchg %p, %all monotonic : !llvm.ptr, i32
    }
  }
  grain.return
}

// Each block adds its first value.

grain.kernel @first_value(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      // expected-remark@+1 {{a shared array is filled with other values than 0}}
      llvm.store %c1, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %old = llvm.atomicrmw add %own, %bx monotonic : !llvm.ptr<3>, i32
      grain.barrier (%tx, %ty, %tz)
      %all = llvm.load %own : !llvm.ptr<3> -> i32
      %was = llvm.atomicrmw add %p, %all monotonic : !llvm.ptr, i32
    }
  }
  grain.return
}

// What is left of a sum depends on all of it.

grain.kernel @part(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %low = arith.constant 0 : i8
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %c0, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %old = llvm.atomicrmw add %own, %bx monotonic : !llvm.ptr<3>, i32
      grain.barrier (%tx, %ty, %tz)
      // expected-remark@+1 {{a store changes a part of an element of a shared array}}
      llvm.store %low, %own : i8, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %all = llvm.load %own : !llvm.ptr<3> -> i32
      %was = llvm.atomicrmw add %p, %all monotonic : !llvm.ptr, i32
    }
  }
  grain.return
}

// Each block begins with its own number.

grain.kernel @own_value(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      // expected-remark@+1 {{joined blocks fill a shared array in different ways}}
      llvm.store %bx, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %old = llvm.atomicrmw umax %own, %n monotonic : !llvm.ptr<3>, i32
      grain.barrier (%tx, %ty, %tz)
      %all = llvm.load %own : !llvm.ptr<3> -> i32
      %was = llvm.atomicrmw umax %p, %all monotonic : !llvm.ptr, i32
    }
  }
  grain.return
}

// Blocks clear different elements.

grain.kernel @own_condition(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %some = arith.cmpi ult, %tx, %bx : i32
      scf.if %some {
        // expected-remark@+1 {{joined blocks fill a shared array in different ways}}
        llvm.store %c0, %own : i32, !llvm.ptr<3>
      }
      grain.barrier (%tx, %ty, %tz)
      %old = llvm.atomicrmw add %own, %bx monotonic : !llvm.ptr<3>, i32
      grain.barrier (%tx, %ty, %tz)
      %all = llvm.load %own : !llvm.ptr<3> -> i32
      %was = llvm.atomicrmw add %p, %all monotonic : !llvm.ptr, i32
    }
  }
  grain.return
}

// A block also stores what it has counted.

grain.kernel @otherwise(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %c0, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %old = llvm.atomicrmw add %own, %bx monotonic : !llvm.ptr<3>, i32
      grain.barrier (%tx, %ty, %tz)
      %all = llvm.load %own : !llvm.ptr<3> -> i32
      %was = llvm.atomicrmw add %p, %all monotonic : !llvm.ptr, i32
      %to = llvm.getelementptr %p[%bx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      // expected-remark@+1 {{what is read from a shared array is used otherwise than to flush it by the same atomic operation}}
      llvm.store %all, %to : i32, !llvm.ptr
    }
  }
  grain.return
}

// A block sees what other blocks have added before it.

grain.kernel @ticket(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %c0, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %old = llvm.atomicrmw add %own, %bx monotonic : !llvm.ptr<3>, i32
      grain.barrier (%tx, %ty, %tz)
      %all = llvm.load %own : !llvm.ptr<3> -> i32
      // expected-remark@+1 {{the result of the atomic operation that flushes a shared array is used}}
      %was = llvm.atomicrmw add %p, %all monotonic : !llvm.ptr, i32
      llvm.store %was, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// This is the maximum of the blocks' sums.

grain.kernel @other_flush(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %c0, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %old = llvm.atomicrmw add %own, %bx monotonic : !llvm.ptr<3>, i32
      grain.barrier (%tx, %ty, %tz)
      %all = llvm.load %own : !llvm.ptr<3> -> i32
      // expected-remark@+1 {{a shared array is flushed by another atomic operation than updates it}}
      %was = llvm.atomicrmw umax %p, %all monotonic : !llvm.ptr, i32
    }
  }
  grain.return
}

// Each block has its own sum.

grain.kernel @own_address(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %c0, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %old = llvm.atomicrmw add %own, %bx monotonic : !llvm.ptr<3>, i32
      grain.barrier (%tx, %ty, %tz)
      %all = llvm.load %own : !llvm.ptr<3> -> i32
      %to = llvm.getelementptr %p[%bx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      // expected-remark@+1 {{joined blocks flush a shared array to different addresses}}
      %was = llvm.atomicrmw add %to, %all monotonic : !llvm.ptr, i32
    }
  }
  grain.return
}

// Each block adds another element of its own to one address.

grain.kernel @own_element(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %c0, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %old = llvm.atomicrmw add %own, %bx monotonic : !llvm.ptr<3>, i32
      grain.barrier (%tx, %ty, %tz)
      %from = llvm.getelementptr %s[%bx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      // expected-remark@+1 {{joined blocks flush different elements of a shared array to the same address}}
      %all = llvm.load %from : !llvm.ptr<3> -> i32
      %was = llvm.atomicrmw add %p, %all monotonic : !llvm.ptr, i32
    }
  }
  grain.return
}

// Some blocks throw away what they have counted.

grain.kernel @own_flush(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %c0, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %old = llvm.atomicrmw add %own, %bx monotonic : !llvm.ptr<3>, i32
      grain.barrier (%tx, %ty, %tz)
      %all = llvm.load %own : !llvm.ptr<3> -> i32
      %some = arith.cmpi ult, %bx, %n : i32
      // expected-remark@+1 {{joined blocks flush a shared array under different conditions}}
      scf.if %some {
        %was = llvm.atomicrmw add %p, %all monotonic : !llvm.ptr, i32
      }
    }
  }
  grain.return
}

// Small numbers are not added.

grain.kernel @large_only(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %c0, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %old = llvm.atomicrmw add %own, %bx monotonic : !llvm.ptr<3>, i32
      grain.barrier (%tx, %ty, %tz)
      %all = llvm.load %own : !llvm.ptr<3> -> i32
      // expected-remark@+1 {{a condition depends on what is read from a shared array}}
      %large = arith.cmpi ugt, %all, %c1 : i32
      scf.if %large {
        %was = llvm.atomicrmw add %p, %all monotonic : !llvm.ptr, i32
      }
    }
  }
  grain.return
}

// One element decides about another.

grain.kernel @other_element(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %c0, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %old = llvm.atomicrmw add %own, %bx monotonic : !llvm.ptr<3>, i32
      grain.barrier (%tx, %ty, %tz)
      %all = llvm.load %own : !llvm.ptr<3> -> i32
      %first = llvm.load %s : !llvm.ptr<3> -> i32
      // expected-remark@+1 {{a condition depends on what is read from a shared array}}
      %any = arith.cmpi ne, %first, %c0 : i32
      scf.if %any {
        %was = llvm.atomicrmw add %p, %all monotonic : !llvm.ptr, i32
      }
    }
  }
  grain.return
}

// Elements that are not zero do more.

grain.kernel @more_in_guard(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %c0, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %old = llvm.atomicrmw add %own, %bx monotonic : !llvm.ptr<3>, i32
      grain.barrier (%tx, %ty, %tz)
      %all = llvm.load %own : !llvm.ptr<3> -> i32
      // expected-remark@+1 {{a condition depends on what is read from a shared array}}
      %any = arith.cmpi ne, %all, %c0 : i32
      scf.if %any {
        %was = llvm.atomicrmw add %p, %all monotonic : !llvm.ptr, i32
        llvm.store %c1, %p : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// A function may do anything.

grain.kernel @passed(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %c0, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %old = llvm.atomicrmw add %own, %bx monotonic : !llvm.ptr<3>, i32
      // expected-remark@+1 {{a shared array is accessed in another way than by plain loads, plain stores and atomic arithmetic}}
      llvm.call @use(%s) : (!llvm.ptr<3>) -> ()
      grain.barrier (%tx, %ty, %tz)
      %all = llvm.load %own : !llvm.ptr<3> -> i32
      %was = llvm.atomicrmw add %p, %all monotonic : !llvm.ptr, i32
    }
  }
  grain.return
}

// Volatile loads see what others do.

grain.kernel @volatile(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %c0, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %old = llvm.atomicrmw add %own, %bx monotonic : !llvm.ptr<3>, i32
      grain.barrier (%tx, %ty, %tz)
      // expected-remark@+1 {{a shared array is accessed in another way than by plain loads}}
      %all = llvm.load volatile %own : !llvm.ptr<3> -> i32
      %was = llvm.atomicrmw add %p, %all monotonic : !llvm.ptr, i32
    }
  }
  grain.return
}

// Nothing is counted.

grain.kernel @plain(%p: !llvm.ptr, %n: i32) {
  // expected-remark@+1 {{no atomic operation accumulates in a shared array}}
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      llvm.store %bx, %s : i32, !llvm.ptr<3>
    }
  }
  grain.return
}

// The launch has dynamic shared memory for one of the joined blocks.

grain.kernel @dynamic(%p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : i32 align 4
    // expected-remark@+1 {{each of the joined blocks needs its own dynamic shared memory, because no atomic operation accumulates in it}}
    %pool = grain.dynamic_shared "pool" align 16
    grain.threads (%tx, %ty, %tz) {
      llvm.store %c0, %s : i32, !llvm.ptr<3>
      llvm.store %bx, %pool : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %old = llvm.atomicrmw add %s, %bx monotonic : !llvm.ptr<3>, i32
      grain.barrier (%tx, %ty, %tz)
      %all = llvm.load %s : !llvm.ptr<3> -> i32
      %was = llvm.atomicrmw add %p, %all monotonic : !llvm.ptr, i32
    }
  }
  grain.return
}
