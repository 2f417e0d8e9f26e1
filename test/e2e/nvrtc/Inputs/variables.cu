static __constant__ int weights[3] = {1, 2, 3};
static __device__ int total = 40, unused = 50;
__constant__ int offset = 5;
__device__ int unusedOffset = 6;
static const __device__ int fixed[2] = {7, 8};

namespace space {
static __device__ int hidden = 60;
__device__ int shown = 70;
} // namespace space

namespace {
__device__ int unnamed = 80;
}

template <class T> __device__ T value = 90;

extern "C" __global__ void readAll(int *out) {
  static __device__ int calls = 100;
  out[0] = weights[0] + weights[1] + weights[2];
  out[1] = total;
  out[2] = offset;
  out[3] = space::hidden;
  out[4] = space::shown;
  out[5] = unnamed;
  out[6] = calls++;
  out[7] = value<int> + fixed[blockIdx.x];
}
