// The sine needs a library of mathematics for PTX.
__global__ void sine(float *data) { data[threadIdx.x] = sinf(data[threadIdx.x]); }
