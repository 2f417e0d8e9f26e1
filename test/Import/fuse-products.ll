; RUN: regrain-translate %s | FileCheck %s
; Products and sums that may be contracted become one operation before a kernel
; is re-grained, as LLVM's code generator fuses them in the original.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @kernel(ptr %p, float %a, float %b, float %c, float %d) {
; CHECK-LABEL: grain.kernel @kernel
; CHECK-SAME: %[[P:[^:]*]]: !llvm.ptr, %[[A:[^:]*]]: f32, %[[B:[^:]*]]: f32, %[[C:[^:]*]]: f32, %[[D:[^:]*]]: f32

; a * b + c
; CHECK: %[[SUM:.*]] = llvm.intr.fmuladd(%[[A]], %[[B]], %[[C]])
  %m0 = fmul contract float %a, %b
  %s0 = fadd contract float %m0, %c
  store volatile float %s0, ptr %p

; c - a * b: the sign goes to a factor
; CHECK: %[[NEG:.*]] = llvm.fneg %[[A]]
; CHECK: %[[DIFF:.*]] = llvm.intr.fmuladd(%[[NEG]], %[[B]], %[[D]])
  %m1 = fmul contract float %a, %b
  %s1 = fsub contract float %d, %m1
  store volatile float %s1, ptr %p

; Of two products, the left one is fused; the right one stays a product.
; CHECK: %[[RIGHT:.*]] = llvm.fmul %[[C]], %[[D]]
; CHECK: %[[BOTH:.*]] = llvm.intr.fmuladd(%[[A]], %[[C]], %[[RIGHT]])
  %m2 = fmul contract float %a, %c
  %m3 = fmul contract float %c, %d
  %s2 = fadd contract float %m2, %m3
  store volatile float %s2, ptr %p

; These are kept: the sum, or the product, may not be contracted.
; CHECK: %[[M4:.*]] = llvm.fmul %[[B]], %[[C]]
; CHECK: llvm.fadd %[[M4]], %[[D]]
  %m4 = fmul contract float %b, %c
  %s4 = fadd float %m4, %d
  store volatile float %s4, ptr %p
; CHECK: %[[M5:.*]] = llvm.fmul %[[B]], %[[D]]
; CHECK: llvm.fadd %[[M5]], %[[A]]
  %m5 = fmul float %b, %d
  %s5 = fadd contract float %m5, %a
  store volatile float %s5, ptr %p
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @kernel, !"kernel", i32 1}
