// RUN: regrain-opt %s --grain-coarsen-threads="factors=2,1,1" | FileCheck %s --implicit-check-not=_scopes
// RUN: regrain-opt %s --grain-coarsen-blocks="factors=2,1,1" | FileCheck %s --implicit-check-not=_scopes
// RUN: regrain-opt %s | FileCheck %s --check-prefix=ORIGINAL
// Scopes are what remains of `__restrict__` in a function that was inlined: they also concern
// one thread of the program, and a thread that runs several has none where these meet.

#domain = #llvm.alias_scope_domain<id = distinct[0]<>>
#scope = #llvm.alias_scope<id = distinct[1]<>, domain = #domain>

// CHECK: grain.barrier
// ORIGINAL: alias_scopes
// ORIGINAL: noalias_scopes
grain.kernel @shifts(%p: !llvm.ptr, %q: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %x = llvm.load %p {alias_scopes = [#scope]} : !llvm.ptr -> i32
      grain.barrier (%tx, %ty, %tz)
      llvm.store %x, %q {noalias_scopes = [#scope]} : i32, !llvm.ptr
    }
  }
  grain.return
}
