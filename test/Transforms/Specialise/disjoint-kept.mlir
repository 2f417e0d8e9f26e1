// RUN: regrain-opt %s --split-input-file --grain-specialise="known=for.aliases=none" --verify-diagnostics | FileCheck %s

// None of these has changed.
// CHECK-NOT: grain.disjoint
// CHECK-NOT: llvm.noalias

// expected-remark@+1 {{specialise: the kernel has fewer than two pointer parameters; to lift this: leave out this piece}}
grain.kernel @one(%p: !llvm.ptr, %s: !llvm.ptr {llvm.byval = !llvm.struct<(i32)>}) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      llvm.store %bx, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// expected-remark@+1 {{the kernel writes no memory that outlives it}}
grain.kernel @only_reads(%p: !llvm.ptr, %q: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %v = llvm.load %p : !llvm.ptr -> i32
      llvm.store %v, %s : i32, !llvm.ptr<3>
    }
  }
  grain.return
}

// -----

grain.kernel @loaded(%p: !llvm.ptr, %q: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{a pointer that is loaded, returned by a call or made from a number may point anywhere}}
      %r = llvm.load %p : !llvm.ptr -> !llvm.ptr
      llvm.store %bx, %r : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The launch shows no pointers in structures.
grain.kernel @structure(%p: !llvm.ptr, %q: !llvm.ptr, %s: !llvm.ptr {llvm.byval = !llvm.struct<(ptr)>}) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{may point anywhere}}
      %r = llvm.load %s : !llvm.ptr -> !llvm.ptr
      llvm.store %bx, %r : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

grain.kernel @number(%p: !llvm.ptr, %q: !llvm.ptr, %address: i64) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{may point anywhere}}
      %r = llvm.inttoptr %address : i64 to !llvm.ptr
      llvm.store %bx, %r : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

grain.kernel @from_null(%p: !llvm.ptr, %q: !llvm.ptr, %address: i64) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{may point anywhere}}
      %null = llvm.mlir.zero : !llvm.ptr
      %r = llvm.getelementptr %null[%address] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.store %bx, %r : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

llvm.func @malloc(i64) -> !llvm.ptr attributes {grain.callee = #grain.callee<service, convergence = none>}
grain.kernel @heap(%p: !llvm.ptr, %q: !llvm.ptr, %bytes: i64) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{may point anywhere}}
      %r = llvm.call @malloc(%bytes) : (i64) -> !llvm.ptr
      llvm.store %bx, %q : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

llvm.func @f(i32)
grain.kernel @call(%p: !llvm.ptr, %q: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{a call, assembly or fence may access memory by itself, or order accesses for others}}
      llvm.call @f(%tx) : (i32) -> ()
      llvm.store %bx, %q : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// Whatever is declared of assembly, it may read at an address.
grain.kernel @assembly(%p: !llvm.ptr, %q: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{a call or assembly may access memory by itself}}
      %v = llvm.inline_asm "ld.u32 $0, [$1];", "=r,l" %p : (!llvm.ptr) -> i32
      llvm.store %v, %q : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

grain.kernel @fence(%p: !llvm.ptr, %q: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      llvm.store %bx, %q : i32, !llvm.ptr
      // expected-remark@+1 {{or order accesses for others}}
      llvm.fence seq_cst
    }
  }
  grain.return
}

// -----

// The kernel may wait for another launch, and then read what it has written.
grain.kernel @flag(%p: !llvm.ptr, %q: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{a volatile or atomic access may show what another launch or the host has written}}
      %v = llvm.load volatile %p : !llvm.ptr -> i32
      llvm.store %v, %q : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

grain.kernel @ticket(%p: !llvm.ptr, %q: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{a volatile or atomic access may show}}
      %v = llvm.atomicrmw add %p, %tx monotonic : !llvm.ptr, i32
      llvm.store %v, %q : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// A texture may be the memory of an argument.
llvm.func @tex(i64, i32) -> i32 attributes {grain.callee = #grain.callee<cached_load, convergence = none>, memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none>}
grain.kernel @texture(%p: !llvm.ptr, %q: !llvm.ptr, %handle: i64) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{a call or assembly may access memory by itself}}
      %v = llvm.call @tex(%handle, %tx) : (i64, i32) -> i32
      llvm.store %v, %q : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The import does not call a volatile copy one.
llvm.func @memcpy.p0.p0.i64(!llvm.ptr, !llvm.ptr, i64) attributes {grain.callee = #grain.callee<unknown, convergence = none>}
grain.kernel @volatile_copy(%p: !llvm.ptr, %q: !llvm.ptr, %bytes: i64) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{a call or assembly may access memory by itself}}
      llvm.call @memcpy.p0.p0.i64(%q, %p, %bytes) : (!llvm.ptr, !llvm.ptr, i64) -> ()
    }
  }
  grain.return
}
