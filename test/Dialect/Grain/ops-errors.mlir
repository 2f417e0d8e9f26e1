// RUN: regrain-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{expects exactly one 'grain.blocks' or one 'grain.alternatives'}}
grain.kernel @no_nest() {
  grain.return
}

// -----

// expected-error@+1 {{expects exactly one 'grain.blocks' or one 'grain.alternatives'}}
grain.kernel @two_nests() {
  grain.blocks (%bx, %by, %bz) { grain.threads (%tx, %ty, %tz) {} }
  grain.blocks (%bx, %by, %bz) { grain.threads (%tx, %ty, %tz) {} }
  grain.return
}

// -----

// expected-error@+1 {{returns nothing}}
grain.kernel @result() -> i32 {
  grain.blocks (%bx, %by, %bz) { grain.threads (%tx, %ty, %tz) {} }
  grain.return
}

// -----

// expected-error@+1 {{expects its body to end in 'grain.return'}}
grain.kernel @no_return() {
  "grain.yield"() : () -> ()
}

// -----

grain.kernel @two_coordinates() {
  // expected-error@+1 {{expects three i32 coordinates}}
  grain.blocks (%bx, %by) { grain.threads (%tx, %ty, %tz) {} }
  grain.return
}

// -----

grain.kernel @no_threads() {
  // expected-error@+1 {{expects exactly one 'grain.threads'}}
  grain.blocks (%bx, %by, %bz) {}
  grain.return
}

// -----

grain.kernel @zero_factor() {
  // expected-error@+1 {{attribute 'factors' failed to satisfy constraint}}
  grain.blocks (%bx, %by, %bz) factors [0, 1, 1] { grain.threads (%tx, %ty, %tz) {} }
  grain.return
}

// -----

grain.kernel @two_factors() {
  // expected-error@+1 {{attribute 'factors' failed to satisfy constraint}}
  grain.blocks (%bx, %by, %bz) factors [2, 1] { grain.threads (%tx, %ty, %tz) {} }
  grain.return
}

// -----

grain.kernel @no_factor() {
  // expected-error@+1 {{expected '['}}
  grain.blocks (%bx, %by, %bz) factors "x" { grain.threads (%tx, %ty, %tz) {} }
  grain.return
}

// -----

grain.kernel @threads_in_threads() {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-error@+1 {{expects parent op 'grain.blocks'}}
      grain.threads (%ux, %uy, %uz) {}
    }
  }
  grain.return
}

// -----

grain.kernel @barrier_of_blocks() {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-error@+1 {{expects arguments of the enclosing 'grain.threads'}}
      grain.barrier (%bx)
    }
  }
  grain.return
}

// -----

grain.kernel @barrier_of_a_sum(%n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %sum = arith.addi %tx, %n : i32
      // expected-error@+1 {{expects arguments of the enclosing 'grain.threads'}}
      grain.barrier (%sum)
    }
  }
  grain.return
}

// -----

grain.kernel @barrier_without_loops() {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-error@+1 {{names no loop}}
      grain.barrier ()
    }
  }
  grain.return
}

// -----

grain.kernel @barrier_twice(%n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-error@+1 {{names a loop twice}}
      %any = grain.barrier_reduce or %n (%tx, %tx)
    }
  }
  grain.return
}

// -----

grain.kernel @barrier_outside(%n: i32) {
  // expected-error@+1 {{expects to be in a 'grain.threads'}}
  grain.barrier (%n)
  grain.blocks (%bx, %by, %bz) { grain.threads (%tx, %ty, %tz) {} }
  grain.return
}

// -----

grain.kernel @not_the_original_first() {
  // expected-error@+1 {{expects "original" first}}
  grain.alternatives "block.x=2" {
    grain.blocks (%bx, %by, %bz) { grain.threads (%tx, %ty, %tz) {} }
  }
  grain.return
}

// -----

grain.kernel @same_id() {
  // expected-error@+1 {{has two alternatives "original"}}
  grain.alternatives "original" {
    grain.blocks (%bx, %by, %bz) { grain.threads (%tx, %ty, %tz) {} }
  }, "original" {
    grain.blocks (%bx, %by, %bz) { grain.threads (%tx, %ty, %tz) {} }
  }
  grain.return
}

// -----

grain.kernel @empty_alternative() {
  // expected-error@+1 {{expects exactly one 'grain.blocks' in each alternative}}
  grain.alternatives "original" {
  }
  grain.return
}

// -----

grain.kernel @ids() {
  // expected-error@+1 {{expects one id for each region}}
  "grain.alternatives"() <{ids = ["original", "block.x=2"]}> ({
    grain.blocks (%bx, %by, %bz) { grain.threads (%tx, %ty, %tz) {} }
  }) : () -> ()
  grain.return
}

// -----

grain.kernel @shared_in_threads() {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-error@+1 {{expects parent op 'grain.blocks'}}
      %tile = grain.shared "tile" : !llvm.array<4 x f32> align 4
    }
  }
  grain.return
}
