// RUN: regrain-opt --test-access -verify-diagnostics %s -o /dev/null
// The analysis tells where accesses point, which threads may access the same bytes, and what is unknown.

// Ranges of the launch, of loops and of conditions; the row of a matrix in
// shared memory against its other elements.
grain.kernel @triangle() {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c15 = arith.constant 15 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<16 x array<16 x f32>> align 4
    %p = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr
    grain.threads (%tx, %ty, %tz) {
      %row = arith.extui %tx : i32 to i64
      scf.for %i = %c0 to %c15 step %c1 : i32 {
        %below = arith.cmpi ugt, %tx, %i : i32
        scf.if %below {
          %column = arith.extui %i : i32 to i64
          %own = llvm.getelementptr inbounds %p[0, %row, %column] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<16 x array<16 x f32>>
          scf.for %j = %c0 to %i step %c1 : i32 {
            %k = arith.extui %j : i32 to i64
            %left = llvm.getelementptr inbounds %p[0, %row, %k] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<16 x array<16 x f32>>
            // expected-remark@+1 {{#0: grain.shared + [64*tx + 4*iv + 0] size 4 space 3 stride 64, #0 must iteration.}}
            %a = llvm.load %left : !llvm.ptr -> f32
            %up = llvm.getelementptr inbounds %p[0, %k, %column] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<16 x array<16 x f32>>
            // expected-remark@+1 {{#1: grain.shared + [64*iv + 4*iv + 0] size 4 space 3 uniform stride 0 in-bounds, #0 iteration thread, #1 must iteration thread.}}
            %b = llvm.load %up : !llvm.ptr -> f32
            %c = llvm.fmul %a, %b : f32
            // expected-remark@+1 {{#2: grain.shared + [64*tx + 4*iv + 0] size 4 space 3 stride 64 invariant, #1 thread, #2 must iteration.}}
            llvm.store %c, %own : f32, !llvm.ptr
          }
        }
      }
    }
  }
  grain.return
}

// The bounds of numbers of more than 64 bits are not known: two threads may have the same ones.
grain.kernel @wide(%p: !llvm.ptr, %a: i128) {
  %c64 = arith.constant 64 : i128
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %t = arith.extui %tx : i32 to i128
      %product = arith.muli %t, %a : i128
      %high = arith.shrui %product, %c64 : i128
      %i = arith.trunci %high : i128 to i32
      %i64 = arith.extsi %i : i32 to i64
      %pi = llvm.getelementptr inbounds %p[%i64] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      // expected-remark@+1 {{#0: arg0 + [4*arith.trunci + 0] size 4, #0 must thread block.}}
      llvm.store %i, %pi : i32, !llvm.ptr
    }
  }
  grain.return
}

// Wrapping.
grain.kernel @wrap(%p: !llvm.ptr, %n: i32) {
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %v = arith.constant 0 : i32
      %a = arith.addi %tx, %c1 : i32
      %a64 = arith.extsi %a : i32 to i64
      %pa = llvm.getelementptr inbounds %p[%a64] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      // expected-remark@+1 {{#0: arg0 + [4*tx + 4] size 4 stride 4, #0 must block.}}
      llvm.store %v, %pa : i32, !llvm.ptr
      %b = arith.addi %n, %tx : i32
      %b64 = arith.extsi %b : i32 to i64
      %pb = llvm.getelementptr inbounds %p[%b64] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      // expected-remark@+1 {{#1: arg0 + [4*arith.addi + 0] size 4, #0 same thread block, #1 must thread block.}}
      llvm.store %v, %pb : i32, !llvm.ptr
      %c = arith.addi %n, %tx overflow<nsw> : i32
      %c64 = arith.extsi %c : i32 to i64
      %pc = llvm.getelementptr inbounds %p[%c64] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      // expected-remark@+1 {{#2: arg0 + [4*arg1 + 4*tx + 0] size 4 stride 4, #0 same thread block, #1 same thread block, #2 must block.}}
      llvm.store %v, %pc : i32, !llvm.ptr
      %d64 = arith.extui %c : i32 to i64
      %pd = llvm.getelementptr inbounds %p[%d64] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      // expected-remark@+1 {{#3: arg0 + [4*arith.extui + 0] size 4, #0 same thread block, #1 same thread block, #2 same thread block, #3 must thread block.}}
      llvm.store %v, %pd : i32, !llvm.ptr
      %e64 = arith.muli %d64, %d64 : i64
      %pe = llvm.getelementptr %p[%e64] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      // expected-remark@+1 {{#4: arg0 + [unknown] size 4, #0 same thread block, #1 same thread block, #2 same thread block, #3 same thread block, #4 same thread block.}}
      llvm.store %v, %pe : i32, !llvm.ptr
    }
  }
  grain.return
}

// Bases.
grain.kernel @bases(%p: !llvm.ptr, %q: !llvm.ptr {llvm.noalias}, %r: !llvm.ptr {llvm.byval = i32}) {
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    %t = grain.shared "t" : !llvm.array<64 x i32> align 4
    %d = grain.dynamic_shared "d" align 4
    %e = grain.dynamic_shared "e" align 4
    %f = grain.dynamic_shared "f" align 4 copy 1
    grain.threads (%tx, %ty, %tz) {
      %stack = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
      // expected-remark@+1 {{#0: arg0 + [0] size 4 uniform stride 0, #0 must block.}}
      %v = llvm.load %p : !llvm.ptr -> i32
      // expected-remark@+1 {{#1: arg1 + [0] size 4 uniform stride 0, #0 thread block, #1 must block.}}
      llvm.store %v, %q : i32, !llvm.ptr
      // expected-remark@+1 {{#2: arg2 + [0] size 4 uniform stride 0, #2 must.}}
      llvm.store %v, %r : i32, !llvm.ptr
      // expected-remark@+1 {{#3: grain.shared + [0] size 4 space 3 uniform stride 0 in-bounds, #3 must.}}
      llvm.store %v, %s : i32, !llvm.ptr<3>
      // expected-remark@+1 {{#4: grain.shared + [0] size 4 space 3 uniform stride 0 in-bounds, #4 must.}}
      llvm.store %v, %t : i32, !llvm.ptr<3>
      // expected-remark@+1 {{#5: grain.dynamic_shared + [0] size 4 space 3 uniform stride 0, #5 must.}}
      llvm.store %v, %d : i32, !llvm.ptr<3>
      // expected-remark@+1 {{#6: grain.dynamic_shared + [0] size 4 space 3 uniform stride 0, #5 must, #6 must.}}
      llvm.store %v, %e : i32, !llvm.ptr<3>
      // expected-remark@+1 {{#7: grain.dynamic_shared + [0] size 4 space 3 uniform stride 0, #7 must.}}
      llvm.store %v, %f : i32, !llvm.ptr<3>
      // expected-remark@+1 {{#8: llvm.alloca + [0] size 4, #8 must.}}
      llvm.store %v, %stack : i32, !llvm.ptr
      // expected-remark@+1 {{#9: arg0 + [0] size 8 uniform stride 0, #0 same block, #1 thread block, #9 must block.}}
      %u = llvm.load %p : !llvm.ptr -> !llvm.ptr
      // expected-remark@+1 {{#10: llvm.load + [0] size 4, #0 same thread block, #1 same thread block, #2 same, #3 same thread, #4 same thread, #5 same thread, #6 same thread, #7 same thread, #8 same, #9 same thread block, #10 must thread block.}}
      llvm.store %v, %u : i32, !llvm.ptr
      %u1 = llvm.addrspacecast %u : !llvm.ptr to !llvm.ptr<1>
      // expected-remark@+1 {{#11: llvm.load + [0] size 4 space 1, #0 same thread block, #1 same thread block, #2 same, #8 same, #9 same thread block, #10 must thread block, #11 must thread block.}}
      llvm.store %v, %u1 : i32, !llvm.ptr<1>
    }
  }
  grain.return
}

// Where memory on the stack begins and ends to exist, its contents are lost. Nothing else is touched.
grain.kernel @lifetimes(%p: !llvm.ptr, %v: i32) {
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %a = llvm.alloca %c1 x i32 : (i32) -> !llvm.ptr
      // expected-remark@+1 {{#0: llvm.alloca}}
      llvm.intr.lifetime.start 4, %a : !llvm.ptr
      // expected-remark@+1 {{#1: arg0 + [0] size 4 uniform stride 0, #1 must block.}}
      llvm.store %v, %p : i32, !llvm.ptr
      // expected-remark@+1 {{#2: llvm.alloca}}
      llvm.store %v, %a : i32, !llvm.ptr
      // expected-remark@+1 {{#3: llvm.alloca}}
      llvm.intr.lifetime.end 4, %a : !llvm.ptr
    }
  }
  grain.return
}
