//===- database_file.cpp - Calls, locks and transactions ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/database_file.h"

namespace regrain {

Database::Opened Database::open(const std::string &path, Access access) {
  WritableFile opened =
      access == Access::ReadOnly ? WritableFile{openToRead(path), {}} : openToWrite(path);
  if (!opened.file)
    return {tl::unexpected(opened.file.error()), opened.notice};
  if (!opened.file->connection)
    return {nullptr, opened.notice};
  return {std::make_unique<DatabaseFile>(std::move(*opened.file), access), opened.notice};
}

OrError<void> DatabaseFile::checkProcess() const {
  if (connection->isForked())
    return connection->failure("it was opened before this process was forked");
  return {};
}

bool DatabaseFile::isRepeated(const std::string &error) {
  return access == Access::ReadOnly && !said.insert(error).second;
}

OrError<void> DatabaseFile::changeAlone(const Change &body) {
  if (int code = connection->run("BEGIN IMMEDIATE"))
    return connection->failure(code);
  isInTransaction = true;
  firstOfTransaction = OrError<void>();
  OrError<void> done = body();
  if (!firstOfTransaction)
    done = firstOfTransaction;
  if (done)
    done = connection->outcome(connection->run("COMMIT"));
  isInTransaction = false;
  // The first error tells what went wrong; after a failed rollback, the journal
  // undoes the changes.
  if (!done && !sqlite3_get_autocommit(connection->get()))
    connection->run("ROLLBACK");
  return done;
}

OrError<void> DatabaseFile::change(const Change &body) {
  if (OrError<void> usable = checkProcess(); !usable)
    return usable;
  std::lock_guard lock(inUse);
  if (access == Access::ReadOnly)
    return connection->failure("it is open for reading only");
  if (!isInTransaction)
    return changeAlone(body);
  // SQLite may have ended the transaction with the error: no change may follow.
  if (firstOfTransaction)
    firstOfTransaction = body();
  return firstOfTransaction;
}

OrError<void> DatabaseFile::atomically(const std::function<OrError<void>()> &changes) {
  if (OrError<void> usable = checkProcess(); !usable)
    return usable;
  std::lock_guard lock(inUse);
  if (access == Access::ReadOnly)
    return connection->failure("it is open for reading only");
  if (isInTransaction)
    return connection->failure("a transaction is under way");
  return changeAlone(changes);
}

} // namespace regrain
