// RUN: regrain-opt %s --pass-pipeline='builtin.module(grain.kernel(grain-pipeline{spec=thread.x=2:contiguous,for.block=64x1x1,bound=64}))' | FileCheck %s
// RUN: regrain-opt %s --pass-pipeline='builtin.module(grain.kernel(grain-pipeline{spec=block.x=3:remainder}))' | FileCheck %s --check-prefix=WHOLE
// RUN: regrain-opt %s --pass-pipeline='builtin.module(grain.kernel(grain-pipeline{spec=block.x=3:remainder remainder}))' | FileCheck %s --check-prefix=REST
// RUN: not regrain-opt %s --pass-pipeline='builtin.module(grain.kernel(grain-pipeline{spec=block.x=2,thread.y=2:contiguous,stores=nontemporal,for.arg1=4}))' --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=PASSES
// RUN: not regrain-opt %s --pass-pipeline='builtin.module(grain.kernel(grain-pipeline{spec=stores=nontemporal}))' 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not regrain-opt %s --pass-pipeline='builtin.module(grain.kernel(grain-pipeline{spec=thread=2}))' 2>&1 | FileCheck %s --check-prefix=TOTAL
// RUN: not regrain-opt %s --pass-pipeline='builtin.module(grain.kernel(grain-pipeline{spec=thread.q=2}))' 2>&1 | FileCheck %s --check-prefix=WRONG

// The barrier names the loops of the coarsened nest, not a computed coordinate.
// CHECK-LABEL: grain.kernel @exchange
// CHECK: grain.threads (%[[X:.*]], %[[Y:.*]], %[[Z:.*]]) factors [2, 1, 1] attributes {bound = 64 : i32, contiguous}
// CHECK: grain.barrier(%[[X]], %[[Y]], %[[Z]])

// These are the launch of the blocks that fill a launched one, and the launch of the others.
// WHOLE: grain.blocks {{.*}} factors [3, 1, 1]
// REST: grain.blocks
// REST-NOT: factors
// REST-SAME: remainder

// PASSES: grain-specialise{known=for.arg1=4 required=true}
// PASSES-SAME: grain-clean-up,grain-coarsen-blocks{apart=false common=false factors=2,1,1 loop=false reassociate=false required=true whole=false}
// PASSES-SAME: grain-coarsen-threads{contiguous=true factors=1,2,1 joins-guards=false required=true}
// PASSES-SAME: grain-clean-up,grain-privatise-shared,grain-remove-barriers,grain-forward-memory,grain-promote-in-loops
// PASSES-SAME: grain-stream-stores{required=true},grain-check-launch{required=true}

// REFUSED: error: stream-stores:
// TOTAL: error: expects factors per dimension, not 'thread=2'
// WRONG: error: {{.*}}thread.q

grain.kernel @exchange(%p: !llvm.ptr, %n: i32) {
  %two = arith.constant 2 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %bx, %own : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %next = arith.xori %tx, %two : i32
      %other = llvm.getelementptr inbounds %s[%next] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %v = llvm.load %other : !llvm.ptr<3> -> i32
      %sum = llvm.load %p : !llvm.ptr -> i32
      %both = arith.addi %v, %sum : i32
      llvm.store %both, %p : i32, !llvm.ptr
    }
  }
  grain.return
}
