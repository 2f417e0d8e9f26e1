// RUN: regrain-opt %s --grain-specialise="known=for.pointers=16,for.arg1=12n,for.arg2=3n,for.arg3=256n,for.arg4=8n" | FileCheck %s
// RUN: regrain-opt %s --grain-specialise="known=for.pointers=8" | FileCheck %s --check-prefix=EIGHT

// Pointer parameters get the alignment, unless they have a larger one; a structure has its own. Of a
// multiple, the bits are masked that are 0: two of twelve, none of three, all of a byte that is a
// multiple of 256.

// CHECK-LABEL: grain.kernel @all
// CHECK-SAME: (%[[P:[^:]*]]: !llvm.ptr {llvm.align = 16 : i64, llvm.noalias}, %[[N:[^:]*]]: i32, %[[ODD:[^:]*]]: i32, %[[BYTE:[^:]*]]: i8, %[[WIDE:[^:]*]]: i64,
// CHECK-SAME: !llvm.ptr {llvm.align = 8 : i64, llvm.byval = !llvm.struct<(ptr)>}, %[[Q:[^:]*]]: !llvm.ptr {llvm.align = 32 : i64})
// CHECK-DAG: %[[N4:.*]] = arith.andi %[[N]], %c-4_i32 : i32
// CHECK-DAG: %[[BYTE0:.*]] = arith.andi %[[BYTE]], %c0_i8 : i8
// CHECK-DAG: %[[WIDE8:.*]] = arith.andi %[[WIDE]], %c-8_i64 : i64
// CHECK: grain.blocks
// CHECK: llvm.getelementptr %[[P]][%[[N4]]]
// CHECK: llvm.store volatile %[[ODD]]
// CHECK: llvm.store volatile %[[BYTE0]]
// CHECK: llvm.store volatile %[[WIDE8]]

// EIGHT-LABEL: grain.kernel @all
// EIGHT-SAME: !llvm.ptr {llvm.align = 8 : i64, llvm.noalias}
// EIGHT-SAME: !llvm.ptr {llvm.align = 32 : i64})
// EIGHT-NOT: arith.andi

grain.kernel @all(%p: !llvm.ptr {llvm.noalias}, %n: i32, %odd: i32, %byte: i8, %wide: i64,
                  %s: !llvm.ptr {llvm.align = 8 : i64, llvm.byval = !llvm.struct<(ptr)>},
                  %q: !llvm.ptr {llvm.align = 32 : i64}) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %slot = llvm.getelementptr %p[%n] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store volatile %odd, %slot : i32, !llvm.ptr
      llvm.store volatile %byte, %s : i8, !llvm.ptr
      llvm.store volatile %wide, %q : i64, !llvm.ptr
    }
  }
  grain.return
}
