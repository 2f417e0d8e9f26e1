//===- entry.cpp - The entry of the tuning library ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/session.h"

#include "runtime/tuning/say.h"

#include <cstdlib>
#include <unistd.h>

using namespace regrain;

static Tuning *startSession(const std::string &path, Gate &gate, std::string &reason) {
  std::optional<TuneRequest> request = parseTuneRequest(std::getenv("REGRAIN_TUNE"), reason);
  if (!request) {
    reason = "REGRAIN_TUNE: " + reason;
    return nullptr;
  }
  DatabaseError error;
  std::string notice;
  std::unique_ptr<Database> file = Database::open(path, Database::Access::ReadWrite, error, notice);
  if (!notice.empty())
    sayTuning(notice);
  if (!file) {
    reason = error.text;
    return nullptr;
  }
  static Session *session = new Session(std::move(*request), std::move(file), gate);
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
    reason = "libregrain-tuning is of another version of Regrain";
    return nullptr;
  }
  DatabaseError noPlace;
  std::string path = Database::defaultPath(noPlace);
  if (path.empty()) {
    reason = noPlace ? noPlace.text : "REGRAIN_DB=off";
    return nullptr;
  }
  const char *tune = std::getenv("REGRAIN_TUNE");
  if (tune && *tune)
    return startSession(path, gate, reason);
  return new Reader(path);
}
