// Functions of libdevice, in single and double precision.
__global__ void singles(float *v) {
  float x = v[threadIdx.x];
  v[threadIdx.x] = sinf(x) + powf(x, 3.5f) * expf(-x) + sqrtf(x) / logf(x) + fmaxf(x, 1.0f);
}

__global__ void doubles(double *v) {
  double x = v[threadIdx.x];
  v[threadIdx.x] = sin(x) + pow(x, 3.5) * exp(-x) + sqrt(x) / log(x) + erf(x);
}
