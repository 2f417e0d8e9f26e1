//===- ReviewRuns.cpp - Runs of the program for a review ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Tune/Supervisor.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>

namespace regrain::tune {

/// A run for the review is killed if it takes longer than this many surveyed runs and seconds.
constexpr double mostSurveyedRuns = 3, mostSecondsMore = 2;

static std::string secondsOf(double seconds) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f s", seconds);
  return text;
}

/// A run that was not tuned to its end has not shown what the program does at the choices.
bool Supervisor::mayReview(const RunEnd &end) const {
  return plan.surveys && !outcome.runs.empty() && outcome.runs.back().name == "tuned run" &&
         outcome.gaveUp.empty() && end.blame.candidates.empty() && end.brokenByTuning.empty() &&
         end.ending.lastSignal() == 0 && !outcome.interrupted && !output.isGone() &&
         input.canRepeat();
}

double Supervisor::surveyedSeconds() const {
  const ProgramRun &survey = outcome.runs.front();
  return survey.end - survey.begin;
}

/// Puts back originals in place of choices that are slower in whole runs of the program.
void Supervisor::review(const RunEnd &end) {
  OrError<std::vector<Choice>> choices = database.allChoices();
  OrError<std::vector<Measurement>> measurements = database.measurements(plan.session);
  if (!choices || !measurements) {
    outcome.notReviewed = choices ? measurements.error() : choices.error();
    return;
  }
  Review review(*choices, *measurements);
  outcome.reviewed = review.size();
  compare(review, end);
  OrError<void> stored = database.atomically([&] {
    OrError<void> done;
    for (const Choice &original : review.replacements())
      if (done)
        done = database.put(original);
    return done;
  });
  if (!stored)
    outcome.unstored = stored.error();
}

/// Runs the program as long as that is of use, and as the budget pays for it.
void Supervisor::compare(Review &review, const RunEnd &end) {
  for (size_t runs = 0; review.next() != Review::Next::Nothing; ++runs) {
    double left = budgetLeft();
    if (left < surveyedSeconds()) {
      if (runs == 0 || review.undecided())
        outcome.notReviewed = "a run takes " + secondsOf(surveyedSeconds()) + ", and " +
                              secondsOf(left) + " of the budget are left";
      return;
    }
    OrError<std::vector<Measurement>> found = runForReview(review.next(), end);
    if (!found) {
      outcome.notReviewed = found.error();
      return;
    }
    review.add(*found);
  }
}

/// Starts the program without its output. Returns 0 or an errno.
int Supervisor::startSilently(process::Child &child, std::string_view mode) {
  process::StartOptions options;
  options.output = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  options.errors = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  return start(child, std::move(options), mode);
}

/// Runs the program. Returns what was measured; an error if the run differs from
/// the tuned one.
OrError<std::vector<Measurement>> Supervisor::runForReview(Review::Next at, const RunEnd &tuned) {
  bool isAtChoices = at == Review::Next::Choices;
  std::string what = isAtChoices ? "choices" : "originals";
  OrError<std::vector<Measurement>> before = database.measurements(plan.session);
  Clock::time_point begin = Clock::now();
  auto seconds =
      std::chrono::duration<double>(mostSurveyedRuns * surveyedSeconds() + mostSecondsMore);
  killAt = begin + std::chrono::duration_cast<Clock::duration>(seconds);
  process::Child child;
  if (int error = startSilently(child, isAtChoices ? "review" : "survey"))
    return tl::unexpected(std::string("the program cannot be started again: ") +
                          std::strerror(error));
  RunEnd end;
  attend(child, /*isTuned=*/false);
  end.ending = child.reap();
  input.close();
  bool isTooLong = Clock::now() >= *killAt;
  killAt.reset();
  noteRun("review of the " + what, begin, end);
  lost += outcome.runs.back().end - outcome.runs.back().begin;
  heedSignals();
  if (outcome.interrupted)
    return tl::unexpected(std::string("it was interrupted"));
  if (isTooLong)
    return tl::unexpected("a run at the " + what + " took longer than " +
                          secondsOf(seconds.count()));
  if (end.ending.exitCode() != tuned.ending.exitCode())
    return tl::unexpected("the program ended with exit code " +
                          std::to_string(end.ending.exitCode()) + " in place of " +
                          std::to_string(tuned.ending.exitCode()) + " in a run at the " + what);
  OrError<std::vector<Measurement>> after = database.measurements(plan.session);
  if (before && after)
    after->erase(after->begin(),
                 after->begin() + ptrdiff_t(std::min(before->size(), after->size())));
  return before ? after : before;
}

} // namespace regrain::tune
