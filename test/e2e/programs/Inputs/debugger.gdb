set breakpoint pending on
set pagination off
set debuginfod enabled off
break reverse
run
info locals
delete
break debugger.cu:39 if threadIdx.x == 7 && blockIdx.x == 2
continue
echo behind the barrier\n
print blockIdx
print threadIdx
print blockDim
print i
print other
print factor
break scaled
continue
backtrace 2
delete
continue
