// RUN: not regrain-opt %s --grain-coarsen-blocks="factors=0" 2>&1 | FileCheck %s
// RUN: not regrain-opt %s --grain-coarsen-threads="factors=2,2,2,2" 2>&1 | FileCheck %s
// RUN: not regrain-opt %s --grain-expand-alternatives="specs=block=8" 2>&1 | FileCheck %s --check-prefix=SPEC
// RUN: not regrain-opt %s --grain-expand-alternatives="specs=black.x=8" 2>&1 | FileCheck %s --check-prefix=SPEC

// CHECK: error: expects one to three numbers of at least 1
// SPEC: error: expects factors per dimension, not 'bl{{a|o}}ck
grain.kernel @kernel() {
  grain.blocks (%bx, %by, %bz) { grain.threads (%tx, %ty, %tz) {} }
  grain.return
}
