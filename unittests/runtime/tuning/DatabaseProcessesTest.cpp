//===- tuning/DatabaseProcessesTest.cpp - Concurrent processes ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/tuning/DatabaseParts.h"

#include <chrono>
#include <csignal>
#include <random>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace regrain;

namespace {

const TunedKernel kernel = kernelWith("abc");

/// Starts a process whose exit status is the result of `body`; it reports a
/// failure of its own on stderr.
pid_t startProcess(const std::function<int()> &body) {
  pid_t child = ::fork();
  if (child == 0)
    ::_exit(body());
  return child;
}

int statusOf(pid_t child) {
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return status;
}

/// Returns 0 if there is no error.
template <typename Value> int report(const OrError<Value> &result) {
  if (!result)
    std::fprintf(stderr, "process %d: %s\n", ::getpid(), result.error().c_str());
  return result ? 0 : 1;
}

class DatabaseProcesses : public DatabaseTest {
protected:
  /// Opens it in a process of its own, without expectations.
  std::unique_ptr<Database> openQuietly(Database::Access access) {
    OrError<std::unique_ptr<Database>> database = openOrError(access);
    return report(database) == 0 ? std::move(*database) : nullptr;
  }

  int putMany(int process, int count) {
    auto database = openQuietly(Database::Access::ReadWrite);
    if (!database)
      return 1;
    for (int i = 0; i < count; ++i)
      if (int failed = report(
              database->put(choiceOf(kernel, std::to_string(process) + "/" + std::to_string(i)))))
        return failed;
    return 0;
  }
};

TEST_F(DatabaseProcesses, ManyWriters_LoseNothing) {
  constexpr int writers = 6, changes = 300;
  std::vector<pid_t> children;
  for (int writer = 0; writer < writers; ++writer)
    children.push_back(startProcess([&] { return putMany(writer, changes); }));
  // A normal run beside them sees complete changes or reports that the file is
  // locked.
  size_t most = 0;
  for (int round = 0; round < 50; ++round) {
    OrError<std::unique_ptr<Database>> database = openOrError(Database::Access::ReadOnly);
    OrError<std::vector<Choice>> found;
    if (!database)
      found = tl::unexpected(database.error());
    else if (*database)
      found = (*database)->choices(kernel, false);
    if (!found) {
      EXPECT_NE(found.error().find("another process holds the file"), std::string::npos)
          << found.error();
      continue;
    }
    EXPECT_GE(found->size(), most);
    most = std::max(most, found->size());
  }
  for (pid_t child : children)
    EXPECT_EQ(statusOf(child), 0);
  auto database = openToRead();
  EXPECT_EQ(choicesIn(*database).size(), size_t{writers * changes});
  expectSound(*database);
}

TEST_F(DatabaseProcesses, ManyBegin_OneFile) {
  for (int round = 0; round < 10; ++round) {
    std::vector<pid_t> children;
    for (int writer = 0; writer < 8; ++writer)
      children.push_back(startProcess([&] { return putMany(writer, 1); }));
    for (pid_t child : children)
      EXPECT_EQ(statusOf(child), 0);
    EXPECT_EQ(choicesIn(*openToRead()).size(), 8u);
    EXPECT_EQ(contents().size(), 1u);
    std::filesystem::remove(path);
  }
}

TEST_F(DatabaseProcesses, ManyFindTheDamage_OneSetsItAside) {
  for (int round = 1; round <= 10; ++round) {
    write("tuning.db", std::string(10'000, 'x'));
    std::vector<pid_t> children;
    for (int writer = 0; writer < 8; ++writer)
      children.push_back(startProcess([&] { return putMany(writer, 1); }));
    for (pid_t child : children)
      EXPECT_EQ(statusOf(child), 0);
    EXPECT_EQ(choicesIn(*openToRead()).size(), 8u);
    EXPECT_EQ(contents().size(), static_cast<size_t>(round) + 1);
  }
}

TEST_F(DatabaseProcesses, KilledWriter_LeavesWholeChanges) {
  std::mt19937 random(11);
  size_t before = 0;
  for (int round = 0; round < 40; ++round) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    pid_t child = startProcess([&] {
      auto database = openQuietly(Database::Access::ReadWrite);
      for (int i = 0; database; ++i) {
        std::string name = std::to_string(round) + "/" + std::to_string(i);
        OrError<void> done = database->atomically([&] {
          for (const char *half : {"a", "b"})
            if (OrError<void> put = database->put(choiceOf(kernel, name + half)); !put)
              return put;
          return OrError<void>();
        });
        if (report(done) || (i == 0 && ::write(ends[1], "1", 1) != 1))
          break;
      }
      return 1;
    });
    ::close(ends[1]);
    // However slow the machine is, one change is whole before the time begins.
    char byte;
    EXPECT_EQ(::read(ends[0], &byte, 1), 1) << "the writer ended before it wrote";
    ::close(ends[0]);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 15'000));
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    EXPECT_TRUE(WIFSIGNALED(statusOf(child)));
    auto database = openToWrite();
    ASSERT_NE(database, nullptr);
    EXPECT_EQ(notice, "");
    expectSound(*database);
    size_t count = choicesIn(*database).size();
    EXPECT_EQ(count % 2, 0u) << "half a change";
    EXPECT_GE(count, before + 2);
    before = count;
  }
}

/// The change is so large that a part of it is in the file when the writer
/// dies.
TEST_F(DatabaseProcesses, KilledInACommit_IsUndoneByTheNextWriter) {
  ASSERT_EQ(errorOf(openToWrite()->put(choiceOf(kernel, "a"))), "");
  pid_t child = startProcess([&] {
    auto database = openQuietly(Database::Access::ReadWrite);
    Choice large = choiceOf(kernel, "");
    large.verdict.assign(1 << 20, 'x');
    OrError<void> done = database->atomically([&] {
      for (int i = 0; i < 8; ++i) {
        large.launchClass = std::to_string(i);
        if (OrError<void> put = database->put(large); !put)
          return put;
      }
      ::kill(::getpid(), SIGKILL);
      return OrError<void>();
    });
    return report(done);
  });
  EXPECT_TRUE(WIFSIGNALED(statusOf(child)));
  auto before = contents();
  ASSERT_EQ(before.size(), 2u) << "nothing had reached the file";
  EXPECT_EQ(refusal(Database::Access::ReadOnly),
            "tuning database '" + path.string() +
                "': a process was killed while it changed the file; the next regrain tune or "
                "regrain db that writes to it undoes the change");
  EXPECT_EQ(contents(), before);
  auto database = openToWrite();
  EXPECT_EQ(notice, "");
  EXPECT_EQ(choicesIn(*database), std::vector{choiceOf(kernel, "a")});
  expectSound(*database);
  EXPECT_EQ(contents().size(), 1u);
}

TEST_F(DatabaseProcesses, ForkedProcess_LeavesTheConnectionAlone) {
  auto database = openToWrite();
  ASSERT_EQ(errorOf(database->put(choiceOf(kernel, "a"))), "");
  std::string forked =
      "tuning database '" + path.string() + "': it was opened before this process was forked";
  pid_t child = startProcess([&] {
    bool allFail = errorOf(database->put(choiceOf(kernel, "b"))) == forked &&
                   errorOf(database->choices(kernel, false)) == forked &&
                   errorOf(database->atomically([] { return OrError<void>(); })) == forked;
    database.reset();
    auto own = openQuietly(Database::Access::ReadWrite);
    return allFail && own && !report(own->put(choiceOf(kernel, "c"))) ? 0 : 1;
  });
  EXPECT_EQ(statusOf(child), 0);
  EXPECT_EQ(errorOf(database->put(choiceOf(kernel, "d"))), "");
  EXPECT_EQ(choicesIn(*database).size(), 3u);
}

TEST_F(DatabaseProcesses, ForkedProcess_DoesNotUndoWhatIsUnderWay) {
  auto database = openToWrite();
  OrError<void> done = database->atomically([&] {
    OrError<void> put = database->put(choiceOf(kernel, "a"));
    pid_t child = startProcess([&] {
      database.reset();
      return 0;
    });
    EXPECT_EQ(statusOf(child), 0);
    EXPECT_EQ(contents().count("tuning.db-journal"), 1u) << "the child has ended the transaction";
    return put;
  });
  EXPECT_EQ(errorOf(done), "");
  EXPECT_EQ(choicesIn(*openToRead()).size(), 1u);
}

/// Writes until there is no space, then continues: the next change fails, too, and
/// earlier changes stay readable.
int writeUntilFull(const std::string &path, const std::string &reason) {
  OrError<std::unique_ptr<Database>> opened =
      Database::open(path, Database::Access::ReadWrite).database;
  if (!opened)
    return report(opened);
  Database &database = **opened;
  Choice choice = choiceOf(kernel, "");
  choice.verdict.assign(2000, 'x');
  size_t written = 0;
  OrError<void> put;
  for (; put && written < 1000; ++written) {
    choice.launchClass = std::to_string(written);
    put = database.put(choice);
  }
  std::string error = errorOf(put);
  bool says = error.starts_with("tuning database '" + path + "': ") &&
              error.find(reason) != std::string::npos;
  if (!says || written < 5) {
    std::fprintf(stderr, "after %zu changes: '%s'\n", written, error.c_str());
    return 2;
  }
  choice.launchClass = "again";
  OrError<std::vector<Choice>> found = database.choices(kernel, false);
  if (database.put(choice) || report(found))
    return 3;
  OrError<DatabaseCondition> condition = database.condition();
  if (found->size() != written - 1 || report(condition) || !condition->faults.empty())
    return 4;
  return 0;
}

TEST_F(DatabaseProcesses, LimitOnFiles_IsAnErrorAndNothingHalfWritten) {
  pid_t child = startProcess([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit limit = {150'000, 150'000};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0)
      return 9;
    return writeUntilFull(path, "File too large");
  });
  EXPECT_EQ(statusOf(child), 0);
  auto database = openToWrite();
  EXPECT_EQ(notice, "");
  size_t written = choicesIn(*database).size();
  EXPECT_GE(written, 5u);
  expectSound(*database);
  EXPECT_EQ(errorOf(database->put(choiceOf(kernel, "with room"))), "");
  EXPECT_EQ(choicesIn(*database).size(), written + 1);
}

TEST_F(DatabaseProcesses, FullDisk_IsAnErrorAndNothingHalfWritten) {
  constexpr int notPermitted = 77;
  pid_t child = startProcess([&] {
    if ((::unshare(CLONE_NEWNS) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) ||
        ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("none", folder.c_str(), "tmpfs", 0, "size=200k") != 0)
      return notPermitted;
    return writeUntilFull(path, "the disk is full; nothing was changed");
  });
  int status = statusOf(child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == notPermitted)
    GTEST_SKIP() << "this process may not mount a small file system";
  EXPECT_EQ(status, 0);
}

TEST_F(DatabaseProcesses, NoRoomToBegin_IsAnError) {
  pid_t child = startProcess([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit limit = {3000, 3000};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0)
      return 9;
    std::string error = errorOf(openOrError(Database::Access::ReadWrite));
    bool isNamed = error.starts_with("tuning database '" + path.string() + "'");
    return isNamed && notice.empty() ? 0 : 1;
  });
  EXPECT_EQ(statusOf(child), 0);
  EXPECT_EQ(refusal(Database::Access::ReadOnly), "");
  EXPECT_EQ(errorOf(openToWrite()->put(choiceOf(kernel, "a"))), "");
}

} // namespace
