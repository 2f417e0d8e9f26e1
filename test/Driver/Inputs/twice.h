#pragma once
__host__ __device__ inline int twice(int value) { return 2 * value; }
