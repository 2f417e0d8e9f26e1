//===- entry.cpp - The entry of the tuning library ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/session.h"

#include "runtime/tuning/profiler_ranges.h"
#include "runtime/tuning/say.h"
#include "runtime/tuning/trace_file.h"

#include <cstdlib>
#include <unistd.h>

using namespace regrain;

static Tuning *startSession(const std::string &path, Gate &gate, std::string &reason) {
  OrError<TuneRequest> request = parseTuneRequest(std::getenv("REGRAIN_TUNE"));
  if (!request) {
    reason = "REGRAIN_TUNE: " + request.error();
    return nullptr;
  }
  auto [file, notice] = Database::open(path, Database::Access::ReadWrite);
  if (!notice.empty())
    sayTuning(notice);
  if (!file) {
    reason = file.error();
    return nullptr;
  }
  static Session *session =
      new Session(*request, std::move(*file), NoteFile(path, request->session), gate);
  session->show(makeProfilerRanges());
  if (std::string why; request->writesTrace) {
    session->show(makeTraceFile(traceEventsPath(path, request->session), why));
    if (!why.empty())
      sayTuning("the trace lacks this process: " + why);
  }
  static const pid_t owner = getpid();
  // This handler runs before the destruction of the runtime's own data, because it is
  // registered later. A forked child has no conclusions to draw, and a thread of its
  // parent may have held locks.
  std::atexit([] {
    if (getpid() == owner)
      session->conclude();
  });
  return session;
}

__attribute__((visibility("default"))) Tuning *regrainTuning(uint32_t interfaceVersion, Gate &gate,
                                                             std::string &reason) {
  if (interfaceVersion != tuningInterfaceVersion) {
    reason = "libregrain-tuning belongs to another version of Regrain";
    return nullptr;
  }
  OrError<std::string> path = Database::defaultPath();
  if (!path || path->empty()) {
    reason = path ? "REGRAIN_DB=off" : path.error();
    return nullptr;
  }
  const char *tune = std::getenv("REGRAIN_TUNE");
  if (tune && *tune)
    return startSession(*path, gate, reason);
  return new Reader(*path);
}
