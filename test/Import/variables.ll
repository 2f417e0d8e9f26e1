; RUN: regrain-translate --round-trip %s | FileCheck %s
; The base module owns writable variables; each module has its own read-only data.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-DAG: @counter = external addrspace(1) externally_initialized global i32, align 8
; CHECK-DAG: @flags = external {{.*}}addrspace(1) externally_initialized global [2 x i8], align 1
; CHECK-DAG: @settings = external {{.*}}addrspace(4) externally_initialized global [16 x float], align 4
; CHECK-DAG: @table = internal unnamed_addr addrspace(1) constant [2 x i32] [i32 5, i32 7], align 4
; CHECK-DAG: @.str = internal unnamed_addr constant [3 x i8] c"hi\00", align 1
; CHECK-NOT: @untouched
; CHECK: define void @uses
@counter = addrspace(1) externally_initialized global i32 3, align 8
; No pass may narrow it to the bit that this module needs.
@flags = internal addrspace(1) global [2 x i8] zeroinitializer, align 1
@settings = addrspace(4) externally_initialized global [16 x float] zeroinitializer, align 4
@table = internal unnamed_addr addrspace(1) constant [2 x i32] [i32 5, i32 7], align 4
@.str = private unnamed_addr constant [3 x i8] c"hi\00", align 1
@untouched = addrspace(1) global i32 0

define void @uses(ptr %p, i32 %i) {
  %slot = getelementptr [2 x i32], ptr addrspace(1) @table, i32 0, i32 %i
  %value = load i32, ptr addrspace(1) %slot
  %old = atomicrmw add ptr addrspace(1) @counter, i32 %value syncscope("device") monotonic
  %setting = load float, ptr addrspace(4) getelementptr ([16 x float], ptr addrspace(4) @settings, i32 0, i32 3)
  store float %setting, ptr %p
  store i8 1, ptr addrspace(1) @flags
  call void @puts(ptr @.str)
  ret void
}

declare void @puts(ptr)

; CHECK: atomicrmw add ptr addrspace(1) @counter, i32 %{{.*}} syncscope("device") monotonic

!nvvm.annotations = !{!0}
!0 = !{ptr @uses, !"kernel", i32 1}
