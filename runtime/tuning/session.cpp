//===- session.cpp - Tuning inside a running program ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/session.h"

#include "runtime/core/error_text.h"
#include "runtime/tuning/in_place_tuner.h"
#include "runtime/tuning/replay_tuner.h"
#include "runtime/tuning/say.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <unistd.h>
#include <utility>

namespace regrain {
namespace {

/// The program's pending work may delay one sample by this fraction of the remaining
/// budget, or by this time if it is longer.
constexpr double patientShare = 0.1;
constexpr std::chrono::milliseconds leastPatience(3000);

} // namespace

/// The file is opened for each kernel's first launch and closed again, so that a
/// process that forks shares nothing with its child.
OrError<Reader::Known> Reader::read(const TunedKernel &key, const std::string &kernelName) const {
  OrError<std::unique_ptr<Database>> file =
      Database::open(path, Database::Access::ReadOnly).database;
  if (!file)
    return tl::unexpected(file.error());
  if (!*file || key.hash.empty())
    return Known();
  OrError<std::vector<Choice>> found = (*file)->choices(key, /*withImported=*/false);
  if (!found || !found->empty())
    return found.map([](std::vector<Choice> &choices) { return Known{std::move(choices)}; });
  return (*file)->staleChoices(key, kernelName).map([](const std::vector<Choice> &stale) {
    return Known{{}, !stale.empty()};
  });
}

std::vector<TunedChoice> Reader::choices(TunableKernel &kernel) {
  std::lock_guard lock(reading);
  std::string kernelName = kernel.entry().name()->str();
  OrError<Known> known = read(keyOf(kernel), kernelName);
  static std::set<std::string> said;
  if (!known) {
    if (said.insert(known.error()).second)
      sayTuning("the tuning database is not used: " + known.error());
    return {};
  }
  if (known->isStale)
    sayTuning(
        "the tuned choices for " + kernelName +
        " are not used: its code, the way it is generated, the compiler, the driver or the device "
        "has changed; 'regrain tune' measures again");
  std::vector<TunedChoice> choices;
  for (const Choice &choice : known->choices)
    if (auto launchClass = parseLaunchClass(choice.launchClass))
      choices.push_back({*launchClass, choice.alternative, choice.originalMicroseconds,
                         choice.chosenMicroseconds});
  return choices;
}

double Session::secondsLeft() const {
  std::chrono::duration<double> now = {};
  if (sampling)
    now = std::chrono::steady_clock::now() - *sampling;
  return request.budgetSeconds - spentSeconds - now.count();
}

Session::Session(TuneRequest request, std::unique_ptr<Database> file, NoteFile unstored, Gate &gate)
    : request(std::move(request)), file(std::move(file)), gate(gate),
      unstored(std::move(unstored)) {
  if (this->request.mode != TuneRequest::Mode::Replay)
    return;
  OrError<std::vector<Measurement>> earlier = this->file->measurements(this->request.session);
  if (earlier)
    survey = Survey(*earlier);
  else
    note(tl::unexpected(earlier.error()));
}

/// Surveyed classes that have not been launched yet claim their whole part.
BudgetState Session::budgetState() const {
  BudgetState state = {request.budgetSeconds, secondsLeft(), survey.unmetSeconds()};
  for (const auto &[launches, tuner] : classes)
    state.program += tuner->account().program;
  if (survey.empty())
    return state;
  state.leastShare = leastShareOf(survey.size());
  for (double seconds : survey.unmetClasses())
    state.claims += claimOf({seconds, 0, true}, state);
  for (const auto &[launches, tuner] : classes)
    if (ClassAccount account = tuner->account(); account.isSurveyed && tuner->mayBeSampled())
      state.claims += claimOf(account, state);
  return state;
}

std::chrono::milliseconds Session::patience() const {
  return std::max(leastPatience,
                  std::chrono::milliseconds(int64_t(1000 * patientShare * secondsLeft())));
}

cudaError_t Session::beginSample(TunableKernel &kernel, std::string &whyNot) {
  using std::chrono::steady_clock;
  sampling = steady_clock::now();
  std::chrono::milliseconds patient = patience();
  std::string time = std::to_string(patient.count() / 1000) + " s";
  isGateClosed = gate.close(*sampling + patient);
  if (!isGateClosed) {
    whyNot = "another thread stayed in a CUDA call for " + time;
    return cudaSuccess;
  }
  std::optional<cudaError_t> idle = kernel.waitForDevice(*sampling + patient);
  if (!idle) {
    whyNot = "earlier work on the device did not end within " + time;
    openGate();
    return cudaSuccess;
  }
  if (*idle == cudaSuccess)
    kept.clear();
  return *idle;
}

void Session::openGate() {
  if (std::exchange(isGateClosed, false))
    gate.open();
}

void Session::endSample() {
  openGate();
  spentSeconds = request.budgetSeconds - secondsLeft();
  sampling.reset();
  shown.count("budget left", secondsLeft());
}

void Session::note(const OrError<void> &done) {
  if (done || std::exchange(hasSaidError, true))
    return;
  if (!unstored.write(done.error()))
    sayTuning("measurements cannot be stored: " + done.error());
}

void Session::giveUp(const std::string &reason) {
  sayTuning(reason + "; the device cannot be used any more");
  std::fflush(nullptr);
  _exit(gaveUpExitCode);
}

void Session::startWithout(const std::string &reason) {
  sayTuning(reason);
  std::fflush(nullptr);
  _exit(withoutTuningExitCode);
}

void Session::decline(TunableKernel &kernel, const std::string &reason) {
  Turn turn(*this);
  Measurement measurement;
  measurement.kernel = keyOf(kernel);
  measurement.kernelName = kernel.entry().name()->str();
  measurement.alternative = "original";
  measurement.session = request.session;
  measurement.outcome = "not tuned: " + reason;
  shown.mark("original: " + measurement.outcome, {{"kernel", measurement.kernelName}});
  note(file->add(measurement));
}

std::unique_ptr<ClassTuner> Session::makeTuner(TunableKernel &kernel,
                                               const LaunchClass &launchClass) {
  if (request.mode == TuneRequest::Mode::Survey)
    return std::make_unique<SurveyTuner>(*this, kernel, launchClass, SurveyTuner::At::Originals);
  if (request.mode == TuneRequest::Mode::Review)
    return std::make_unique<SurveyTuner>(*this, kernel, launchClass, SurveyTuner::At::Choices);
  if (request.mode == TuneRequest::Mode::InPlace)
    return std::make_unique<InPlaceTuner>(*this, kernel, launchClass, request.mayRunUnverified);
  return std::make_unique<ReplayTuner>(*this, kernel, launchClass);
}

cudaError_t Session::launch(TunableKernel &kernel, const LaunchShape &program, void **arguments,
                            cudaStream_t stream) {
  Turn turn(*this);
  LaunchClass launchClass = kernel.classOf(program, arguments);
  bool isCapturing = false;
  cudaError_t asked = kernel.findCapture(stream, isCapturing);
  if (isCapturing) {
    if (capturedClasses.insert({&kernel, launchClass}).second)
      ClassJournal(*this, kernel, launchClass)
          .add("original", 0,
               asked == cudaSuccess
                   ? "not tuned: it was launched during a graph capture"
                   : "not tuned: whether its stream captures is not known: asking failed with " +
                         numberAndName(asked));
    return kernel.launchOriginal(program, arguments, stream);
  }
  std::unique_ptr<ClassTuner> &tuner = classes[{&kernel, launchClass}];
  if (!tuner)
    tuner = makeTuner(kernel, launchClass);
  return tuner->launch(program, arguments, stream);
}

void Session::forget(TunableKernel &kernel) {
  Turn turn(*this);
  std::erase_if(capturedClasses, [&](auto &entry) { return entry.first == &kernel; });
  std::erase_if(classes, [&](auto &entry) {
    if (entry.first.first != &kernel)
      return false;
    entry.second->conclude();
    return true;
  });
}

void Session::conclude() {
  Turn turn(*this);
  for (auto &[kernel, tuner] : classes)
    tuner->conclude();
  classes.clear();
}

} // namespace regrain
