// Functions of libdevice, in single and double precision, that have clang's code. Others have forms
// of their own (docs/decisions/0092).
__global__ void singles(float *v) {
  float x = v[threadIdx.x];
  v[threadIdx.x] = fmaxf(expf(-x) + sqrtf(x) / logf(x), 1.0f);
}

__global__ void doubles(double *v) {
  double x = v[threadIdx.x];
  v[threadIdx.x] = sqrt(x) / ilogb(x);
}
