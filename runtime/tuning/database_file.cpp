//===- database_file.cpp - Calls, locks and transactions ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/database_file.h"

namespace regrain {

std::unique_ptr<Database> Database::open(const std::string &path, Access access,
                                         DatabaseError &error, std::string &notice) {
  error = {};
  notice.clear();
  OpenedFile file =
      access == Access::ReadOnly ? openToRead(path, error) : openToWrite(path, error, notice);
  if (!file.connection)
    return nullptr;
  return std::make_unique<DatabaseFile>(std::move(file), access);
}

DatabaseError DatabaseFile::unusable() const {
  return connection->isForked()
             ? connection->failure("it was opened before this process was forked off")
             : DatabaseError{};
}

DatabaseError DatabaseFile::once(DatabaseError error) {
  bool isRepeated = error && access == Access::ReadOnly && !said.insert(error.text).second;
  return isRepeated ? DatabaseError{} : std::move(error);
}

DatabaseError DatabaseFile::read(const Body &body) {
  // This check precedes the lock: a thread that held it may not exist in a
  // forked process.
  if (DatabaseError error = unusable())
    return error;
  std::lock_guard lock(inUse);
  DatabaseError error = body();
  if (!error)
    Connection::noteReadable();
  return once(std::move(error));
}

DatabaseError DatabaseFile::changeAlone(const Body &body) {
  if (DatabaseError error = connection->failure(connection->run("BEGIN IMMEDIATE")))
    return error;
  isInTransaction = true;
  firstOfTransaction = {};
  DatabaseError error = body();
  if (firstOfTransaction)
    error = firstOfTransaction;
  if (!error)
    error = connection->failure(connection->run("COMMIT"));
  isInTransaction = false;
  // The first error tells what went wrong; after a failed rollback, the journal
  // undoes the changes.
  if (error && !sqlite3_get_autocommit(connection->get()))
    connection->run("ROLLBACK");
  return error;
}

DatabaseError DatabaseFile::change(const Body &body) {
  if (DatabaseError error = unusable())
    return error;
  std::lock_guard lock(inUse);
  if (access == Access::ReadOnly)
    return connection->failure("it is open for reading alone");
  if (!isInTransaction)
    return changeAlone(body);
  // SQLite may have ended the transaction with the error: no change may follow.
  if (!firstOfTransaction)
    firstOfTransaction = body();
  return firstOfTransaction;
}

DatabaseError DatabaseFile::atomically(const std::function<DatabaseError()> &changes) {
  if (DatabaseError error = unusable())
    return error;
  std::lock_guard lock(inUse);
  if (access == Access::ReadOnly)
    return connection->failure("it is open for reading alone");
  if (isInTransaction)
    return connection->failure("a transaction is under way");
  return changeAlone(changes);
}

} // namespace regrain
