__global__ void addMuch(int *sum) { atomicAdd(sum, 25000000); }
inline void addInHeader(int *sum) { addMuch<<<{2}, {2}>>>(sum); }
