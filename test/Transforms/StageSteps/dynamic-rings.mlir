// Rings in dynamic shared memory, with two planes copied ahead: a ring of five, of which the first step needs three.
// DEFINE: %{march} = grain-coarsen-blocks{factors=1,1,8 loop},cse
// DEFINE: %{rings} = grain-stage-steps{bulk ahead=2 dynamic-bytes=65536}
// RUN: regrain-opt %S/stage-steps.mlir --pass-pipeline='builtin.module(grain.kernel(%{march},%{rings},grain-clean-up))' 2>&1 | FileCheck %s --implicit-check-not=remark
//
// What does not fit, and a program that uses such memory itself: all of its arrays begin at the same address.
// RUN: regrain-opt %S/stage-steps.mlir --pass-pipeline='builtin.module(grain.kernel(%{march},grain-stage-steps{bulk ahead=2 dynamic-bytes=9000}))' 2>&1 | FileCheck %s --check-prefix=SMALL --implicit-check-not='__regrain_staged'
// RUN: sed -e 's/.*grain.blocks (.*/&\n%%own = grain.dynamic_shared "own" align 16/' -e 's/.*grain.threads (.*/&\nllvm.store %%zero, %%own : i32, !llvm.ptr<3>/' %S/stage-steps.mlir | regrain-opt --pass-pipeline='builtin.module(grain.kernel(%{march},%{rings}))' 2>&1 | FileCheck %s --check-prefix=OWN --implicit-check-not='__regrain_staged'
// RUN: sed -e 's/.*grain.blocks (.*/&\n%%own = grain.dynamic_shared_size/' -e 's/.bx, .c64/%%bx, %%own/' %S/stage-steps.mlir | regrain-opt --pass-pipeline='builtin.module(grain.kernel(%{march},%{rings}))' 2>&1 | FileCheck %s --check-prefix=OWN --implicit-check-not='__regrain_staged'

// CHECK-LABEL: grain.kernel @star
// CHECK-NOT: grain.shared
// CHECK: %[[ALL:.*]] = grain.dynamic_shared "__regrain_staged_ring_ahead2_bulk" align 128
// CHECK: scf.for %{{.*}} = %c0_i32 to %c4_i32 step %c1_i32
// CHECK-NEXT: arith.remui %{{.*}}, %c5_i32
// CHECK: scf.for %[[K:.*]] = %c0_i32 to %c8_i32 step %c1_i32
// CHECK-NEXT: grain.barrier
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[K]], %c4_i32
// CHECK-NEXT: %[[EXISTS:.*]] = arith.cmpi ult, %[[NEXT]], %c10_i32
// CHECK-NEXT: scf.if %[[EXISTS]]
// CHECK-NEXT: arith.remui %[[NEXT]], %c5_i32
// CHECK: arith.remui %[[K]], %c5_i32
// CHECK: } {grain.rings}
// SMALL: remark: {{.*}}this one cannot, because the block's shared memory does not suffice
// OWN: remark: {{.*}}the program uses dynamic shared memory itself
