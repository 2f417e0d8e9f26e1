; RUN: regrain-translate %s | FileCheck %s
; What synchronises, or tells of the launch, stays convergent; clang marks all.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Assembly that reads the launch as it is on the hardware says nothing of its effects.
; CHECK-DAG: llvm.func @asm() -> i32 attributes {convergent, passthrough
; The lane is a value like another.
; CHECK-DAG: llvm.func @asm1() -> i32 attributes {convergent, memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none>
; A function that computes for its own thread.
; CHECK-DAG: llvm.func {{.*}}@alone(i32) -> i32 attributes {no_inline}
; One that takes a lock.
; CHECK-DAG: llvm.func {{.*}}@lock(!llvm.ptr) attributes {convergent
; CHECK-DAG: llvm.func {{.*}}@vprintf(!llvm.ptr, !llvm.ptr) -> i32{{$}}
define void @kernel(ptr %p) {
  %id = call i32 asm "mov.u32 $0, %ctaid.x;", "=r"() #0
  %lane = call i32 asm "mov.u32 $0, %laneid;", "=r"() #0
  %sum = add i32 %id, %lane
  %value = call i32 @alone(i32 %sum) #1
  call void @lock(ptr %p) #1
  %printed = call i32 @vprintf(ptr %p, ptr %p) #1
  store i32 %value, ptr %p
  ret void
}

define i32 @alone(i32 %x) #2 {
  %square = mul i32 %x, %x
  ret i32 %square
}

define void @lock(ptr %p) #2 {
  br label %again
again:
  %pair = cmpxchg ptr %p, i32 0, i32 1 monotonic monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %again
end:
  ret void
}

declare i32 @vprintf(ptr, ptr) #1

attributes #0 = { convergent nounwind memory(none) }
attributes #1 = { convergent }
attributes #2 = { convergent noinline }

!nvvm.annotations = !{!0}
!0 = !{ptr @kernel, !"kernel", i32 1}
