//===- random_generators.cu - The sequences of curand_kernel.h --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels draw from each generator. The references are plain: powers of the steps' matrices, one
// bit or one number at a time; the published vectors of Philox; and numbers that NVIDIA's header
// gives.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"

// nvcc needs this for the calls on the host.
#define QUALIFIERS static __forceinline__ __host__ __device__
#include <curand_kernel.h>
#include <curand_mtgp32_host.h>

#include <array>
#include <bitset>
#include <type_traits>

using u32 = unsigned int;
using u64 = unsigned long long;

constexpr u64 seed = 0x123456789abcdef0;
constexpr int threads = 64, drawn = 12;

/// Each thread draws from a subsequence, behind an offset.
template <class State> __global__ void draw(u32 *out, u64 subsequences, u64 offset) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  State state;
  curand_init(seed, thread * subsequences, offset * thread, &state);
  for (int i = 0; i < drawn; ++i)
    out[drawn * thread + i] = curand(&state);
}

/// The map of XORWOW's five words, and its powers.
class BitMatrix {
public:
  using Row = std::bitset<160>;
  static BitMatrix step() {
    BitMatrix m;
    for (int column = 0; column < 160; ++column) {
      u32 x[5] = {};
      x[column / 32] = 1u << column % 32;
      u32 t = x[0] ^ (x[0] >> 2), newest = x[4] ^ (x[4] << 4) ^ (t ^ (t << 1));
      u32 next[5] = {x[1], x[2], x[3], x[4], newest};
      for (int row = 0; row < 160; ++row)
        m.rows[row][column] = next[row / 32] >> row % 32 & 1;
    }
    return m;
  }
  BitMatrix squared() const {
    BitMatrix m;
    for (int row = 0; row < 160; ++row)
      for (int i = 0; i < 160; ++i)
        if (rows[row][i])
          m.rows[row] ^= rows[i];
    return m;
  }
  void apply(u32 *x) const {
    Row old, next;
    for (int i = 0; i < 160; ++i)
      old[i] = x[i / 32] >> i % 32 & 1;
    for (int i = 0; i < 160; ++i)
      next[i] = (rows[i] & old).count() & 1;
    for (int i = 0; i < 5; ++i)
      x[i] = u32((next >> 32 * i & Row(0xffffffff)).to_ulong());
  }

private:
  Row rows[160];
};

struct XorwowReference {
  std::vector<BitMatrix> powers = {BitMatrix::step()};
  u32 x[5], counter;

  XorwowReference() {
    while (powers.size() < 131)
      powers.push_back(powers.back().squared());
  }
  void skip(u64 n, int first) {
    for (int bit = 0; bit < 64; ++bit)
      if (n >> bit & 1)
        powers[first + bit].apply(x);
  }
  void start(u64 subsequence, u64 offset) {
    u32 low = (u32(seed) ^ 0xaad26b49) * 1099087573,
        high = (u32(seed >> 32) ^ 0xf7dcefdd) * 2591861531u;
    u32 initial[5] = {123456789 + low, 362436069 ^ low, 521288629 + high, 88675123 ^ high,
                      5783321 + low};
    std::copy(initial, initial + 5, x);
    counter = 6615241 + high + low + 362437 * u32(offset);
    skip(subsequence, 67);
    skip(offset, 0);
  }
  u32 next() {
    powers[0].apply(x);
    counter += 362437;
    return x[4] + counter;
  }
};

/// The two recurrences of MRG32k3a, as matrices modulo their primes.
struct MrgReference {
  using Matrix = std::array<std::array<u64, 3>, 3>;
  static constexpr u64 prime[2] = {4294967087, 4294944443};
  std::vector<Matrix> powers[2];
  u64 s[2][3];

  MrgReference() {
    powers[0] = {Matrix{{{0, 1, 0}, {0, 0, 1}, {prime[0] - 810728, 1403580, 0}}}};
    powers[1] = {Matrix{{{0, 1, 0}, {0, 0, 1}, {prime[1] - 1370589, 0, 527612}}}};
    for (int part = 0; part < 2; ++part)
      while (powers[part].size() < 191) {
        const Matrix &a = powers[part].back();
        Matrix square = {};
        for (int i = 0; i < 9; ++i)
          for (int k = 0; k < 3; ++k)
            square[i / 3][i % 3] =
                (square[i / 3][i % 3] + a[i / 3][k] * a[k][i % 3] % prime[part]) % prime[part];
        powers[part].push_back(square);
      }
  }
  void apply(int part, const Matrix &m) {
    u64 next[3] = {};
    for (int i = 0; i < 9; ++i)
      next[i / 3] = (next[i / 3] + m[i / 3][i % 3] * s[part][i % 3] % prime[part]) % prime[part];
    std::copy(next, next + 3, s[part]);
  }
  void skip(u64 n, int first) {
    for (int bit = 0; bit < 64; ++bit)
      for (int part = 0; part < 2; ++part)
        if (n >> bit & 1)
          apply(part, powers[part][first + bit]);
  }
  void start(u64 subsequence, u64 offset) {
    u64 low = u32(seed) ^ 0x55555555, high = u32(seed >> 32) ^ 0xaaaaaaaa;
    for (int i = 0; i < 3; ++i) {
      s[0][i] = 12345 * (i == 1 ? high : low) % prime[0];
      s[1][i] = 12345 * (i == 1 ? low : high) % prime[1];
    }
    skip(subsequence, 76);
    skip(offset, 0);
  }
  u32 next() {
    skip(1, 0);
    u64 z = (s[0][2] + prime[0] - s[1][2] % prime[0]) % prime[0];
    return u32(double(z ? z : prime[0]) * 1.000000048662);
  }
};

/// One counter at a time, with the round as the paper writes it.
struct PhiloxReference {
  u64 subsequence, position;
  void start(u64 s, u64 offset) {
    subsequence = s;
    position = offset;
  }
  static void block(u32 *c, u32 k0, u32 k1) {
    for (int round = 0; round < 10; ++round) {
      u64 p0 = u64(c[0]) * 0xD2511F53, p1 = u64(c[2]) * 0xCD9E8D57;
      u32 next[4] = {u32(p1 >> 32) ^ c[1] ^ k0, u32(p1), u32(p0 >> 32) ^ c[3] ^ k1, u32(p0)};
      std::copy(next, next + 4, c);
      k0 += 0x9E3779B9;
      k1 += 0xBB67AE85;
    }
  }
  u32 next() {
    u32 c[4] = {u32(position >> 2), u32(position >> 34), u32(subsequence), u32(subsequence >> 32)};
    block(c, u32(seed), u32(seed >> 32));
    return c[position++ & 3];
  }
};

template <class State, class Reference>
void checkSequences(const char *name, Reference &reference) {
  struct Place {
    u64 subsequences, offset;
  };
  for (Place place : {Place{0, 1}, Place{1, 0}, Place{1ull << 40 | 12345, 1ull << 50 | 77}}) {
    DeviceArray<u32> out(threads * drawn);
    draw<State><<<2, threads / 2>>>(out, place.subsequences, place.offset);
    auto got = out.host();
    for (int t = 0; t < threads; ++t) {
      reference.start(t * place.subsequences, t * place.offset);
      for (int i = 0; i < drawn; ++i)
        expectEqual(name, t * drawn + i, got[drawn * t + i], reference.next());
    }
  }
  /* A skip is as many draws, from any place in a block of numbers. */
  for (int n = 0; n < 40; ++n) {
    State drawing, skipping;
    curand_init(seed, 3, n / 2, &drawing);
    skipping = drawing;
    for (int i = 0; i < n; ++i)
      curand(&drawing);
    skipahead(u64(n), &skipping);
    expectEqual("skip", n, curand(&skipping), curand(&drawing));
    skipahead_sequence(u64(n), &skipping);
    skipahead_sequence(u64(n), &drawing);
    expectEqual("skip of a sequence", n, curand(&skipping), curand(&drawing));
  }
}

void checkKnownNumbers() {
  u32 vectors[3][4] = {
      {0, 0, 0, 0}, {~0u, ~0u, ~0u, ~0u}, {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}};
  uint2 keys[3] = {{0, 0}, {~0u, ~0u}, {0xa4093822, 0x299f31d0}};
  u32 results[3][4] = {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
                       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
                       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};
  for (int i = 0; i < 3; ++i) {
    uint4 c = {vectors[i][0], vectors[i][1], vectors[i][2], vectors[i][3]};
    c = curand_Philox4x32_10(c, keys[i]);
    u32 got[4] = {c.x, c.y, c.z, c.w};
    for (int word = 0; word < 4; ++word)
      expectEqual("vector of Philox", 4 * i + word, got[word], results[i][word]);
  }

  curandState xorwow;
  curandStateMRG32k3a mrg;
  curandStatePhilox4_32_10 philox;
  curand_init(1234, 5, 0, &xorwow);
  curand_init(1234, 5, 0, &mrg);
  curand_init(1234, 5, 0, &philox);
  for (u32 wanted : {0xde75663fu, 0x8051a417u, 0x36ce116cu, 0x615a80aau, 0x51410e03u})
    expectEqual("XORWOW", 0, curand(&xorwow), wanted);
  for (u32 wanted : {0x4df33f46u, 0xa9d0589eu, 0x2164ebe9u, 0x6932a3f4u, 0x469dd3a1u})
    expectEqual("MRG32k3a", 0, curand(&mrg), wanted);
  for (u32 wanted : {0xf942741cu, 0xb7a11b7au, 0x8b27a0ccu, 0xbd95acc8u, 0x5c5cf6f4u})
    expectEqual("Philox", 0, curand(&philox), wanted);
  curand_init(0, 0, 0, &mrg);
  expectEqual("MRG32k3a's seed 0", 0, mrg.s1[0], 12345);
}

/// Four numbers at once, wherever a block begins.
void checkFours() {
  for (u64 offset = 0; offset < 8; ++offset) {
    curandStatePhilox4_32_10 four, one;
    curand_init(seed, 9, offset, &four);
    one = four;
    for (int i = 0; i < 3; ++i) {
      uint4 x = curand4(&four);
      for (u32 word : {x.x, x.y, x.z, x.w})
        expectEqual("four", long(offset), word, curand(&one));
    }
  }
  curandStatePhilox4_32_10 state;
  curand_init(seed, ~0ull, 0, &state);
  skipahead(~0ull, &state);
  skipahead(~0ull, &state);
  skipahead(~0ull, &state);
  skipahead(~0ull, &state);
  skipahead(4, &state);
  expect(state.ctr.x == 0 && state.ctr.y == 0 && state.ctr.z == 0 && state.ctr.w == 0, "carry", 0,
         state.ctr.z, 0);
}

template <class State, class Word>
__global__ void drawSobol(Word *out, const Word *directions, Word constant, Word offset) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  Word own[8 * sizeof(Word)];
  for (int i = 0; i < int(8 * sizeof(Word)); ++i)
    own[i] = directions[i];
  State state;
  if constexpr (std::is_same_v<State, curandStateSobol32_t> ||
                std::is_same_v<State, curandStateSobol64_t>)
    curand_init(own, Word(offset + thread), &state);
  else
    curand_init(own, constant, Word(offset + thread), &state);
  Word first = curand(&state);
  out[2 * thread] = first;
  skipahead(Word(5), &state);
  out[2 * thread + 1] = curand(&state);
}

/// Number n is the sum of the direction numbers of the bits of n's Gray code.
template <class State, class Word> void checkSobol(const char *name, Word constant) {
  std::vector<Word> directions;
  for (u64 i = 0, word = seed; i < 8 * sizeof(Word); ++i) {
    word = word * 6364136223846793005 + 1442695040888963407;
    directions.push_back(Word(word >> 20));
  }
  auto number = [&](Word n) {
    Word sum = constant;
    for (unsigned bit = 0; bit < 8 * sizeof(Word); ++bit)
      if ((n ^ n >> 1) >> bit & 1)
        sum ^= directions[bit];
    return sum;
  };
  DeviceArray<Word> deviceDirections(directions);
  for (Word offset : {Word(0), Word(123456789), Word(0) - Word(40)}) {
    DeviceArray<Word> out(2 * threads);
    drawSobol<State><<<2, threads / 2>>>(
        static_cast<Word *>(out), static_cast<const Word *>(deviceDirections), constant, offset);
    auto got = out.host();
    for (int t = 0; t < threads; ++t) {
      expectEqual(name, t, got[2 * t], number(Word(offset + t)));
      expectEqual(name, t, got[2 * t + 1], number(Word(offset + t + 6)));
    }
  }
}

constexpr int mtgpRounds = 5;

__global__ void drawMtgp(u32 *out, curandStateMtgp32 *states) {
  int threads = blockDim.x * blockDim.y;
  int thread = threadIdx.y * blockDim.x + threadIdx.x;
  for (int round = 0; round < mtgpRounds; ++round)
    out[(blockIdx.x * mtgpRounds + round) * threads + thread] = curand(&states[blockIdx.x]);
}
__global__ void drawMtgpSpecific(u32 *bits, float *singles, curandStateMtgp32 *states) {
  bits[threadIdx.x] = curand_mtgp32_specific(states, threadIdx.x, blockDim.x);
  singles[threadIdx.x] = curand_mtgp32_single(states);
  singles[blockDim.x + threadIdx.x] =
      curand_mtgp32_single_specific(states, threadIdx.x, blockDim.x);
}

/// Any parameters show whether the recurrence is computed as the paper defines it.
std::vector<mtgp32_params_fast_t> mtgpParameters() {
  std::vector<mtgp32_params_fast_t> all(CURAND_NUM_MTGP32_PARAMS);
  u32 random = 1;
  auto next = [&] { return random = random * 1664525 + 1013904223; };
  for (auto &one : all) {
    one.mexp = 11213;
    one.pos = 1 + int(next() >> 16) % 94;
    one.sh1 = 1 + int(next() >> 16) % 30;
    one.sh2 = 1 + int(next() >> 16) % 30;
    one.mask = 0xfff80000;
    for (int i = 0; i < 16; ++i) {
      one.tbl[i] = next();
      one.tmp_tbl[i] = next();
      one.flt_tmp_tbl[i] = one.tmp_tbl[i] >> 9 | 0x3f800000;
    }
  }
  return all;
}

/// All words of one generator in their order, and the number of each.
struct MtgpReference {
  const mtgp32_params_fast_t &p;
  std::vector<u32> words;
  MtgpReference(const mtgp32_params_fast_t &p, u32 seed) : p(p), words(351) {
    u32 hidden = p.tbl[4] ^ p.tbl[8] << 16, sum = hidden + (hidden >> 16);
    sum += sum >> 8;
    words[0] = seed;
    for (int i = 1; i < 351; ++i)
      words[i] = (i == 1 ? hidden : (sum & 0xff) * 0x1010101) ^
                 (1812433253 * (words[i - 1] ^ words[i - 1] >> 30) + i);
  }
  u32 select = 0;
  u32 next() {
    size_t n = words.size() - 351;
    u32 x = (words[n] & p.mask) ^ words[n + 1];
    x ^= x << p.sh1;
    u32 y = x ^ words[n + p.pos] >> p.sh2;
    words.push_back(y ^ p.tbl[y & 15]);
    u32 t = words[n + p.pos - 1];
    t ^= t >> 16;
    select = (t ^ t >> 8) & 15;
    return words.back() ^ p.tmp_tbl[select];
  }
};

void checkMtgp() {
  auto parameters = mtgpParameters();
  DeviceArray<mtgp32_kernel_params_t> constants(1);
  const int blocks = 3;
  DeviceArray<curandStateMtgp32> states(blocks);
  auto make = [&] {
    expectEqual("constants", 0, curandMakeMTGP32Constants(parameters.data(), constants), 0);
    expectEqual("states", 0,
                curandMakeMTGP32KernelState(states, parameters.data(), constants, blocks, seed), 0);
  };
  for (dim3 block : {dim3(256), dim3(32, 2)}) {
    make();
    int threads = block.x * block.y;
    DeviceArray<u32> out(blocks * mtgpRounds * threads);
    drawMtgp<<<blocks, block>>>(out, states);
    auto got = out.host();
    for (int b = 0; b < blocks; ++b) {
      MtgpReference reference(parameters[b], u32(seed ^ seed >> 32) + b + 1);
      for (int i = 0; i < mtgpRounds * threads; ++i)
        expectEqual("MTGP32", i, got[b * mtgpRounds * threads + i], reference.next());
    }
  }
  make();
  const int count = 64;
  DeviceArray<u32> bits(count);
  DeviceArray<float> singles(2 * count);
  drawMtgpSpecific<<<1, count>>>(bits, singles, states);
  auto gotBits = bits.host();
  auto gotSingles = singles.host();
  MtgpReference reference(parameters[0], u32(seed ^ seed >> 32) + 1);
  for (int i = 0; i < count; ++i)
    expectEqual("specific", i, gotBits[i], reference.next());
  for (int i = 0; i < 2 * count; ++i) {
    u32 word = reference.next() >> 9 | 0x3f800000;
    expectEqual("single", i, gotSingles[i], __builtin_bit_cast(float, word) - 1);
  }
  expectEqual("too many states", 0,
              curandMakeMTGP32KernelState(states, parameters.data(), constants, 201, 1),
              CURAND_STATUS_OUT_OF_RANGE);
}

int main() {
  XorwowReference xorwow;
  checkSequences<curandState>("XORWOW", xorwow);
  MrgReference mrg;
  checkSequences<curandStateMRG32k3a>("MRG32k3a", mrg);
  PhiloxReference philox;
  checkSequences<curandStatePhilox4_32_10>("Philox", philox);
  /* Sequences of MRG32k3a are 2^51 subsequences apart. */
  curandStateMRG32k3a a, b;
  curand_init(seed, 1ull << 51, 0, &a);
  curand_init(seed, 0, 0, &b);
  skipahead_sequence(1ull, &b);
  expectEqual("MRG32k3a's sequence", 0, curand(&a), curand(&b));
  checkKnownNumbers();
  checkFours();
  checkSobol<curandStateSobol32_t, u32>("Sobol of 32 bits", 0);
  checkSobol<curandStateScrambledSobol32_t, u32>("scrambled Sobol of 32 bits", 0x9876543);
  checkSobol<curandStateSobol64_t, u64>("Sobol of 64 bits", 0);
  checkSobol<curandStateScrambledSobol64_t, u64>("scrambled Sobol of 64 bits", seed);
  checkMtgp();
  return verdict("random_generators");
}
