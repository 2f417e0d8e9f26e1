//===- fault.cpp - Faults of kernels --------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/fault.h"

#include "runtime/plugins/cpu/sanitizers.h"

#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <deque>
#include <mutex>
#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <utility>

namespace regrain::cpu {
namespace {

constexpr size_t faultStackBytes = 64 << 10;
/// Code accesses the stack from this far below the stack pointer upwards.
constexpr uintptr_t belowStackPointer = 4 << 10;

/// The handler reads it, also in threads that have never run a kernel. In this model an
/// access allocates nothing.
[[gnu::tls_model("initial-exec")]] thread_local FaultPoint *expected = nullptr;

using Action = struct sigaction;

bool isSame(const Action &left, const Action &right) {
  return left.sa_sigaction == right.sa_sigaction && left.sa_flags == right.sa_flags &&
         std::memcmp(&left.sa_mask, &right.sa_mask, sizeof(sigset_t)) == 0;
}

/// A signal whose handler is replaced, and the handlers of the program.
struct Caught {
  int number;
  std::atomic<const Action *> first = nullptr; ///< at the first launch
  std::atomic<const Action *> last = nullptr;  ///< at the latest launch
};

/// Lives as long as the process: a signal may come at any time.
class Handlers {
public:
  static Handlers &get() {
    static auto *handlers = new Handlers;
    return *handlers;
  }

  void install();
  const Caught &caught(int number) const;

private:
  const Action *keep(const Action &action);

  std::mutex mutex;
  std::array<Caught, 4> signals = {{{SIGSEGV}, {SIGBUS}, {SIGFPE}, {SIGILL}}};
  std::deque<Action> kept; ///< its elements do not move
};

/// The fields of a signal's information that the kernel leaves empty. A handler of the
/// program that hands the signal on to the one that it has replaced, which may be this
/// one, hands on the mark.
uint64_t &markOf(siginfo_t &info) {
  return reinterpret_cast<uint64_t *>(&info)[sizeof(siginfo_t) / sizeof(uint64_t) - 1];
}
constexpr uint64_t handedOn = 0x5245475241494e21;

bool isRaisedByInstruction(const siginfo_t &info) { return info.si_code > 0; }

/// A large frame may begin far below the stack; what lies between the frame's begin and the stack
/// is the overflow. An access through a wrong pointer misses it, unless little of the stack is
/// left.
bool isOverflow(uintptr_t address, uintptr_t stackPointer, uintptr_t stackBegin) {
  return address < stackBegin && address >= stackPointer - belowStackPointer;
}

Fault readFault(int number, const siginfo_t &info, const ucontext_t &context,
                uintptr_t stackBegin) {
  auto stackPointer = uintptr_t(context.uc_mcontext.gregs[REG_RSP]);
  auto address = uintptr_t(info.si_addr);
  Fault fault = {Fault::Kind::Access, address, uintptr_t(context.uc_mcontext.gregs[REG_RIP])};
  if (number == SIGFPE)
    fault.kind = Fault::Kind::Arithmetic;
  else if (number == SIGILL)
    fault.kind = Fault::Kind::Instruction;
  else if (info.si_code == SI_KERNEL)
    fault.address.reset();
  else if (isOverflow(address, stackPointer, stackBegin))
    fault.kind = Fault::Kind::StackOverflow;
  return fault;
}

/// The effect is that of no handler: an instruction that faults is executed again.
void takeDefault(int number, const siginfo_t &info) {
  std::signal(number, SIG_DFL);
  if (!isRaisedByInstruction(info))
    std::raise(number);
}

void callProgram(const Action &action, int number, siginfo_t *info, void *context) {
  bool isDefault = !(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_DFL;
  bool isIgnored = !(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_IGN;
  if (isIgnored && !isRaisedByInstruction(*info))
    return;
  if (isDefault || isIgnored)
    return takeDefault(number, *info);
  if (action.sa_flags & SA_RESETHAND)
    std::signal(number, SIG_DFL);
  sigset_t blocked = action.sa_mask, before;
  if (!(action.sa_flags & SA_NODEFER))
    sigaddset(&blocked, number);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  if (action.sa_flags & SA_SIGINFO)
    action.sa_sigaction(number, info, context);
  else
    action.sa_handler(number);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void onSignal(int number, siginfo_t *info, void *context) {
  if (isRaisedByInstruction(*info))
    if (FaultPoint *point = std::exchange(expected, nullptr)) {
      point->fault =
          readFault(number, *info, *static_cast<ucontext_t *>(context), point->stackBegin);
      // The mask of signals is unchanged (SA_NODEFER), so it needs not be restored.
      std::longjmp(point->exit, 1);
    }
  const Caught &caught = Handlers::get().caught(number);
  bool isReturned = markOf(*info) == handedOn;
  markOf(*info) = handedOn;
  callProgram(isReturned ? *caught.first : *caught.last, number, info, context);
}

const Caught &Handlers::caught(int number) const {
  size_t index = 0;
  while (signals[index].number != number)
    ++index;
  return signals[index];
}

const Action *Handlers::keep(const Action &action) {
  for (const Action &known : kept)
    if (isSame(known, action))
      return &known;
  return &kept.emplace_back(action);
}

void Handlers::install() {
  if (SanitizerCalls::get().isThere)
    return;
  Action own = {};
  own.sa_sigaction = onSignal;
  own.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&own.sa_mask);
  std::lock_guard lock(mutex);
  for (Caught &signal : signals) {
    Action present = {};
    if (sigaction(signal.number, nullptr, &present) != 0 ||
        ((present.sa_flags & SA_SIGINFO) && present.sa_sigaction == onSignal))
      continue;
    signal.last = keep(present);
    if (!signal.first)
      signal.first = signal.last.load();
    sigaction(signal.number, &own, nullptr);
  }
}

} // namespace

void expectFaults(FaultPoint *point) { expected = point; }

NoFaults::NoFaults() : point(std::exchange(expected, nullptr)) {}

NoFaults::~NoFaults() { expected = point; }

FaultStack::FaultStack() {
  stack_t present = {};
  if (sigaltstack(nullptr, &present) != 0 || !(present.ss_flags & SS_DISABLE))
    return;
  memory =
      mmap(nullptr, faultStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    memory = nullptr;
    return;
  }
  stack_t own = {};
  own.ss_sp = memory;
  own.ss_size = faultStackBytes;
  sigaltstack(&own, nullptr);
}

FaultStack::~FaultStack() {
  stack_t present = {};
  if (!memory)
    return;
  if (sigaltstack(nullptr, &present) == 0 && present.ss_sp == memory) {
    present.ss_flags = SS_DISABLE;
    sigaltstack(&present, nullptr);
  }
  munmap(memory, faultStackBytes);
}

void catchFaults() { Handlers::get().install(); }

cudaError_t errorOf(const Fault &fault) {
  switch (fault.kind) {
  case Fault::Kind::Access:
    return cudaErrorIllegalAddress;
  case Fault::Kind::StackOverflow:
    return cudaErrorHardwareStackError;
  case Fault::Kind::Arithmetic:
  case Fault::Kind::Instruction:
    return cudaErrorLaunchFailure;
  }
  __builtin_unreachable();
}

std::string describe(const Fault &fault) {
  switch (fault.kind) {
  case Fault::Kind::Access: {
    if (!fault.address)
      return "an access to an address that is not valid or not aligned";
    char address[32];
    std::snprintf(address, sizeof address, "%#zx", *fault.address);
    return std::string("an access to the address ") + (*fault.address ? address : "0") +
           ", which is not valid";
  }
  case Fault::Kind::StackOverflow:
    return "the stack is exhausted";
  case Fault::Kind::Arithmetic:
    return "an integer division by zero, or with a quotient that is too large";
  case Fault::Kind::Instruction:
    return "the end of a path that the program may not take";
  }
  __builtin_unreachable();
}

} // namespace regrain::cpu
