// RUN: regrain-opt --test-uniformity -verify-diagnostics %s -o /dev/null
// The analysis tells on what values and control depend.

grain.kernel @values(%p: !llvm.ptr, %q: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    // expected-remark@+1 {{value [bx by bz]}}
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{value []}}
      %size = grain.block_size x
      // expected-remark@+1 {{value []}}
      %uniform = arith.addi %size, %n : i32
      // expected-remark@+1 {{value [bx by]}}
      %block = arith.addi %bx, %by : i32
      // expected-remark@+1 {{value [ty]}}
      %thread = arith.addi %ty, %n : i32
      // expected-remark@+1 {{value [bz ty]}}
      %both = arith.addi %thread, %bz : i32
      // expected-remark@+1 {{value [block-memory thread-memory]}}
      %memory = llvm.load %p : !llvm.ptr -> i32
      // expected-remark@+1 {{value []}}
      %constant = llvm.load %q : !llvm.ptr -> i32
      // expected-remark@+1 {{value [bx by bz tx ty tz block-memory thread-memory]}}
      %volatile = llvm.load volatile %p : !llvm.ptr -> i32
      // expected-remark@+1 {{value [bx by bz tz]}}
      %own = llvm.getelementptr inbounds %s[0, %tz] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<64 x i32>
      // expected-remark@+1 {{value [tx ty tz]}}
      %lane = nvvm.read.ptx.sreg.laneid : i32
      // expected-remark@+1 {{value []}}
      %any = grain.barrier_reduce or %thread (%tx, %ty, %tz)
      // expected-remark@+1 {{value [bz]}}
      %all = grain.barrier_reduce and %both (%tx, %ty, %tz)
      // expected-remark@+1 {{value [block-memory]}}
      %count = grain.barrier_reduce count %memory (%tx, %ty, %tz)
      // expected-remark@+1 {{value [tx]}}
      %less = arith.cmpi slt, %tx, %n : i32
      // expected-remark@+2 {{value [bx by tx]}}
      // expected-remark@+1 {{control [tx]}}
      %chosen = scf.if %less -> (i32) {
        scf.yield %n : i32
      } else {
        scf.yield %block : i32
      }
      // expected-remark@+2 {{value [ty]}}
      // expected-remark@+1 {{control []}}
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%carried = %c0) -> (i32) : i32 {
        // expected-remark@+1 {{value [ty]}}
        %next = arith.addi %carried, %ty : i32
        scf.yield %next : i32
      }
      // expected-remark@+2 {{value [tx]}}
      // expected-remark@+1 {{control [tx]}}
      %bounded = scf.for %i = %c0 to %tx step %c1 iter_args(%carried = %c0) -> (i32) : i32 {
        // expected-remark@+1 {{value []}}
        %next = arith.addi %carried, %n : i32
        scf.yield %next : i32
      }
      // expected-remark@+2 {{value [bx tz]}}
      // expected-remark@+1 {{control [bx tz]}}
      %left = scf.while (%i = %tz) : (i32) -> i32 {
        // expected-remark@+1 {{value [bx tz]}}
        %again = arith.cmpi slt, %i, %bx : i32
        scf.condition(%again) %i : i32
      } do {
      ^bb0(%i: i32):
        // expected-remark@+1 {{value [tz]}}
        %more = arith.addi %i, %c1 : i32
        scf.yield %more : i32
      }
      // expected-remark@+1 {{value [bx by bz tx ty tz block-memory thread-memory]}}
      %old = llvm.atomicrmw add %p, %n monotonic : !llvm.ptr, i32
    }
  }
  grain.return
}
