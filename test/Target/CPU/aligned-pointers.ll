; The alignment of a pointer parameter holds for the pointer that the launch passes; a structure is
; not a pointer.
; RUN: regrain-cpu-test %s --emit=lowered --kernel=k | FileCheck %s

; CHECK: load ptr, ptr %{{.*}}, align 8, !align ![[SIXTEEN:[0-9]+]]
; CHECK-NOT: !align
; CHECK: ![[SIXTEEN]] = !{i64 16}

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define void @k(ptr align 16 %aligned, ptr %any, ptr byval([4 x i32]) align 4 %structure) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr float, ptr %aligned, i32 %t
  %to = getelementptr float, ptr %any, i32 %t
  %value = load float, ptr %from, align 4
  %more = load float, ptr %structure, align 4
  %sum = fadd float %value, %more
  store float %sum, ptr %to, align 4
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
