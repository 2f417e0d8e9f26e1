//===- PassingConsumer.h - Diagnostics on their way to another ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/Basic/Diagnostic.h"
#include <memory>

namespace regrain {

/// A consumer that passes on all diagnostics to another one, which it owns. Those that are derived
/// from it decide in HandleDiagnostic what they keep or add.
class PassingConsumer : public clang::DiagnosticConsumer {
public:
  explicit PassingConsumer(std::unique_ptr<clang::DiagnosticConsumer> consumer)
      : consumer(std::move(consumer)) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &diagnostic) override {
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    consumer->HandleDiagnostic(level, diagnostic);
  }

  void clear() override {
    DiagnosticConsumer::clear();
    consumer->clear();
  }
  void BeginSourceFile(const clang::LangOptions &language,
                       const clang::Preprocessor *preprocessor) override {
    consumer->BeginSourceFile(language, preprocessor);
  }
  void EndSourceFile() override { consumer->EndSourceFile(); }
  void finish() override { consumer->finish(); }
  bool IncludeInDiagnosticCounts() const override { return consumer->IncludeInDiagnosticCounts(); }

private:
  std::unique_ptr<clang::DiagnosticConsumer> consumer;
};

} // namespace regrain
