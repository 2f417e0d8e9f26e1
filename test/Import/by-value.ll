; RUN: regrain-translate %s | FileCheck %s
; A parameter passed by value that the kernel writes is copied in the body of
; the threads, so that each copy of a coarser thread has its own; one that is
; only read is not copied.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.Table = type { [40 x i32] }

; CHECK-LABEL: grain.kernel @written(%arg0: !llvm.ptr {{.*}}llvm.byval
; CHECK: grain.threads
; CHECK: %[[COPY:.*]] = llvm.alloca
; CHECK: llvm.call @memcpy{{.*}}(%[[COPY]], %arg0,
define void @written(ptr byval(%struct.Table) align 4 %table, ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %index = zext i32 %tid to i64
  %entry = getelementptr inbounds [40 x i32], ptr %table, i64 0, i64 %index
  store i32 %tid, ptr %entry
  %first = load i32, ptr %table
  %to = getelementptr inbounds i32, ptr %out, i64 %index
  store i32 %first, ptr %to
  ret void
}

; CHECK-LABEL: grain.kernel @read(
; CHECK-NOT: llvm.alloca
define void @read(ptr byval(%struct.Table) align 4 %table, ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %index = zext i32 %tid to i64
  %entry = getelementptr inbounds [40 x i32], ptr %table, i64 0, i64 %index
  %value = load i32, ptr %entry
  %to = getelementptr inbounds i32, ptr %out, i64 %index
  store i32 %value, ptr %to
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

!nvvm.annotations = !{!0, !1}
!0 = !{ptr @written, !"kernel", i32 1}
!1 = !{ptr @read, !"kernel", i32 1}
