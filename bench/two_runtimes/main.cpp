//===- main.cpp - Two libraries, each with its own runtime ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers, streams and events of each library are used by the other one. Prints a line that begins
// with PASS or FAIL for each combination; the exit code is 1 after a failure.
//
//===----------------------------------------------------------------------===//
#include <cstdio>

struct CUstream_st;
struct CUevent_st;

#define DECLARE(PART)                                                          \
  int PART##_allocate(int **values, int count);                                \
  int PART##_release(int *values);                                             \
  int PART##_makeStream(CUstream_st **stream);                                 \
  int PART##_destroyStream(CUstream_st *stream);                               \
  int PART##_makeEvent(CUevent_st **event);                                    \
  int PART##_destroyEvent(CUevent_st *event);                                  \
  int PART##_record(CUevent_st *event, CUstream_st *stream);                   \
  int PART##_await(CUstream_st *stream, CUevent_st *event);                    \
  int PART##_add(int *values, int count, int value, CUstream_st *stream);      \
  int PART##_expect(const int *values, int count, int value, CUstream_st *s);  \
  int PART##_countLaunches(int *count);
extern "C" {
DECLARE(foreign)
DECLARE(own)
}

#define FUNCTIONS(PART)                                                        \
  {                                                                            \
    #PART, PART##_allocate, PART##_release, PART##_makeStream,                 \
        PART##_destroyStream, PART##_makeEvent, PART##_destroyEvent,           \
        PART##_record, PART##_await, PART##_add, PART##_expect,                \
        PART##_countLaunches                                                   \
  }

struct Part {
  const char *name;
  int (*allocate)(int **, int);
  int (*release)(int *);
  int (*makeStream)(CUstream_st **);
  int (*destroyStream)(CUstream_st *);
  int (*makeEvent)(CUevent_st **);
  int (*destroyEvent)(CUevent_st *);
  int (*record)(CUevent_st *, CUstream_st *);
  int (*await)(CUstream_st *, CUevent_st *);
  int (*add)(int *, int, int, CUstream_st *);
  int (*expect)(const int *, int, int, CUstream_st *);
  int (*countLaunches)(int *);
};

static const Part parts[] = {FUNCTIONS(foreign), FUNCTIONS(own)};

/// Returns the first status that is not 0.
static int exchange(const Part &memory, const Part &streams, const Part &user) {
  constexpr int count = 1000003;
  int *values = nullptr;
  CUstream_st *first = nullptr, *second = nullptr;
  CUevent_st *event = nullptr;
  const Part &other = &user == &parts[0] ? parts[1] : parts[0];
  int status = memory.allocate(&values, count);
  auto then = [&](int next) { status = status ? status : next; };
  then(streams.makeStream(&first));
  then(user.makeStream(&second));
  then(other.makeEvent(&event));
  then(user.add(values, count, 3, first));
  then(other.add(values, count, 4, first));
  then(user.record(event, first));
  then(other.await(second, event));
  then(other.add(values, count, 5, second));
  then(user.expect(values, count, 12, second));
  then(other.destroyEvent(event));
  then(other.destroyStream(second));
  then(user.destroyStream(first));
  then(user.release(values));
  return status;
}

int main() {
  bool isRight = true;
  auto report = [&](int status, const char *a, const char *b, const char *c) {
    isRight = isRight && status == 0;
    std::printf("%s memory of %s, stream of %s, used by %s: status %d\n",
                status ? "FAIL" : "PASS", a, b, c, status);
  };
  for (const Part &memory : parts)
    for (const Part &streams : parts)
      for (const Part &user : parts)
        report(exchange(memory, streams, user), memory.name, streams.name, user.name);
  for (const Part &part : parts) {
    int launches = -1;
    int status = part.countLaunches(&launches);
    // Each exchange launches three times, one or two of them from each library.
    bool isCounted = status == 0 && launches == 12;
    isRight = isRight && isCounted;
    std::printf("%s launches of %s: %d, status %d\n", isCounted ? "PASS" : "FAIL", part.name,
                launches, status);
  }
  return isRight ? 0 : 1;
}
