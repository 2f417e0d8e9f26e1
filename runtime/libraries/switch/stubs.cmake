# Writes a function for each that LIBRARY exports (OUTPUT, in assembly). Each one jumps to the
# function of its name that resolve.cpp has found, with all arguments as they are.
# usage: cmake -DNM=nm -DLIBRARY=libregrain-NAME.so -DOUTPUT=stubs.S -P stubs.cmake
execute_process(COMMAND ${NM} -D --defined-only --format=posix ${LIBRARY}
  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n ]+ T [^\n]*" functions "${symbols}")
list(SORT functions)
set(stubs "")
set(names "")
set(count 0)
foreach(line ${functions})
  string(REGEX REPLACE " .*" "" name "${line}")
  string(APPEND stubs "  STUB ${name} ${count}\n")
  string(APPEND names "  .asciz \"${name}\"\n")
  math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${OUTPUT} "\
  .text
  .macro STUB name number
  .globl \\name
  .type \\name, @function
\\name:
  endbr64
  movl $\\number, %r11d
  movq regrainTargets+8*\\number(%rip), %r10
  testq %r10, %r10
  jz regrainFind
  jmp *%r10
  .size \\name, . - \\name
  .endm
${stubs}
  .local regrainFind
  .type regrainFind, @function
regrainFind:
  pushq %rbp
  movq %rsp, %rbp
  andq $-16, %rsp
  subq $192, %rsp
  movq %rdi, 0(%rsp)
  movq %rsi, 8(%rsp)
  movq %rdx, 16(%rsp)
  movq %rcx, 24(%rsp)
  movq %r8, 32(%rsp)
  movq %r9, 40(%rsp)
  movq %rax, 48(%rsp)
  movaps %xmm0, 64(%rsp)
  movaps %xmm1, 80(%rsp)
  movaps %xmm2, 96(%rsp)
  movaps %xmm3, 112(%rsp)
  movaps %xmm4, 128(%rsp)
  movaps %xmm5, 144(%rsp)
  movaps %xmm6, 160(%rsp)
  movaps %xmm7, 176(%rsp)
  movl %r11d, %edi
  call regrainResolve
  movq %rax, %r11
  movq 0(%rsp), %rdi
  movq 8(%rsp), %rsi
  movq 16(%rsp), %rdx
  movq 24(%rsp), %rcx
  movq 32(%rsp), %r8
  movq 40(%rsp), %r9
  movq 48(%rsp), %rax
  movaps 64(%rsp), %xmm0
  movaps 80(%rsp), %xmm1
  movaps 96(%rsp), %xmm2
  movaps 112(%rsp), %xmm3
  movaps 128(%rsp), %xmm4
  movaps 144(%rsp), %xmm5
  movaps 160(%rsp), %xmm6
  movaps 176(%rsp), %xmm7
  leave
  jmp *%r11
  .size regrainFind, . - regrainFind
  .bss
  .balign 8
  .globl regrainTargets
  .hidden regrainTargets
regrainTargets:
  .skip 8*${count}
  .section .rodata
  .globl regrainNames
  .hidden regrainNames
regrainNames:
${names}
  .section .note.GNU-stack,\"\",@progbits
")
