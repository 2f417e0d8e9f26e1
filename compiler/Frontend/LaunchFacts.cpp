//===- LaunchFacts.cpp - Launches as the source shows them ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/LaunchFacts.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;

namespace regrain {
namespace {

/// Returns the variable that `expression` names, or of which it names a member; else null.
const VarDecl *variableIn(const Expr *expression) {
  expression = expression->IgnoreParenImpCasts();
  while (auto *member = dyn_cast<MemberExpr>(expression))
    expression = member->getBase()->IgnoreParenImpCasts();
  auto *reference = dyn_cast<DeclRefExpr>(expression);
  return reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
}

/// Collects launches, and variables that do not keep their initial values.
class Collector : public RecursiveASTVisitor<Collector> {
public:
  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *call) {
    if (!call->isInstantiationDependent())
      launches.push_back(call);
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *operation) {
    if (operation->isAssignmentOp() && !isFirstValue(*operation))
      markChanged(operation->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *operation) {
    if (operation->isIncrementDecrementOp() || operation->getOpcode() == UO_AddrOf)
      markChanged(operation->getSubExpr());
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *call) {
    if (call->isAssignmentOp())
      markChanged(call->getArg(0));
    return true;
  }

  std::vector<const CUDAKernelCallExpr *> launches;
  llvm::DenseSet<const VarDecl *> changed;
  llvm::DenseMap<const VarDecl *, const Expr *> firstValues; ///< values of variables that are
                                                             ///< declared without one

private:
  /// Returns whether this is the only assignment so far to a variable that is declared without a
  /// value.
  bool isFirstValue(const BinaryOperator &assignment) {
    auto *reference = dyn_cast<DeclRefExpr>(assignment.getLHS()->IgnoreParens());
    auto *variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
    return assignment.getOpcode() == BO_Assign && variable && variable->isLocalVarDecl() &&
           !variable->hasInit() && firstValues.try_emplace(variable, assignment.getRHS()).second;
  }

  void markChanged(const Expr *place) {
    if (const VarDecl *variable = variableIn(place))
      changed.insert(variable);
  }
};

class Evaluator {
public:
  Evaluator(const ASTContext &context, const Collector &variables)
      : context(context), variables(variables) {}

  std::optional<int64_t> integer(const Expr *expression) const;
  std::optional<Factors> size(const Expr *expression) const;

private:
  std::optional<int64_t> combine(const BinaryOperator &operation) const;
  const Expr *initialValue(const Expr *expression) const;

  const ASTContext &context;
  const Collector &variables;
};

/// Returns the first value of a variable that keeps it; null if that is not known.
const Expr *Evaluator::initialValue(const Expr *expression) const {
  auto *reference = dyn_cast<DeclRefExpr>(expression);
  auto *variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  if (!variable || isa<ParmVarDecl>(variable) || variables.changed.contains(variable))
    return nullptr;
  const Expr *initial = variable->getAnyInitializer();
  return initial ? initial : variables.firstValues.lookup(variable);
}

std::optional<int64_t> Evaluator::combine(const BinaryOperator &operation) const {
  std::optional<int64_t> left = integer(operation.getLHS()), right = integer(operation.getRHS());
  int64_t result;
  if (!left || !right)
    return std::nullopt;
  switch (operation.getOpcode()) {
  case BO_Add:
    return llvm::AddOverflow(*left, *right, result) ? std::nullopt : std::optional(result);
  case BO_Sub:
    return llvm::SubOverflow(*left, *right, result) ? std::nullopt : std::optional(result);
  case BO_Mul:
    return llvm::MulOverflow(*left, *right, result) ? std::nullopt : std::optional(result);
  case BO_Div:
    return *right > 0 ? std::optional(*left / *right) : std::nullopt;
  case BO_Rem:
    return *right > 0 ? std::optional(*left % *right) : std::nullopt;
  default:
    return std::nullopt;
  }
}

std::optional<int64_t> Evaluator::integer(const Expr *expression) const {
  if (!expression || expression->isValueDependent() ||
      !expression->getType()->isIntegralOrEnumerationType())
    return std::nullopt;
  Expr::EvalResult result;
  if (expression->EvaluateAsInt(result, context)) {
    const llvm::APSInt &value = result.Val.getInt();
    return value.isRepresentableByInt64() ? std::optional(value.getExtValue()) : std::nullopt;
  }
  const Expr *plain = expression->IgnoreParenCasts();
  if (auto *operation = dyn_cast<BinaryOperator>(plain))
    return combine(*operation);
  const Expr *initial = initialValue(plain);
  return initial ? integer(initial) : std::nullopt;
}

/// Evaluates a dim3: constructed from integers, copied from another, or a variable.
std::optional<Factors> Evaluator::size(const Expr *expression) const {
  expression = expression->IgnoreUnlessSpelledInSource();
  if (expression->getType()->isIntegralOrEnumerationType()) {
    std::optional<int64_t> width = integer(expression);
    if (!width || *width < 1 || !llvm::isUInt<32>(*width))
      return std::nullopt;
    return Factors{uint32_t(*width), 1, 1};
  }
  if (const Expr *initial = initialValue(expression))
    return size(initial);
  if (auto *cast = dyn_cast<ExplicitCastExpr>(expression))
    return size(cast->getSubExpr());
  auto *construct = dyn_cast<CXXConstructExpr>(expression);
  if (!construct)
    return std::nullopt;
  if (construct->getNumArgs() == 1 && !construct->getArg(0)->getType()->isIntegerType())
    return size(construct->getArg(0));
  Factors extents = {1, 1, 1};
  for (auto [extent, argument] : llvm::zip(extents, construct->arguments())) {
    if (isa<CXXDefaultArgExpr>(argument))
      continue;
    std::optional<int64_t> value = integer(argument);
    if (!value || *value < 1 || !llvm::isUInt<32>(*value))
      return std::nullopt;
    extent = uint32_t(*value);
  }
  return extents;
}

SeenLaunch read(const CUDAKernelCallExpr &call, const Evaluator &evaluator,
                const SourceManager &sources) {
  SeenLaunch launch;
  PresumedLoc place = sources.getPresumedLoc(sources.getExpansionLoc(call.getBeginLoc()));
  if (place.isValid()) {
    launch.file = place.getFilename();
    launch.line = place.getLine();
  }
  launch.known.grid = evaluator.size(call.getConfig()->getArg(0));
  launch.known.block = evaluator.size(call.getConfig()->getArg(1));
  for (auto [number, argument] : llvm::enumerate(call.arguments()))
    if (std::optional<int64_t> value = evaluator.integer(argument))
      launch.known.arguments[number] = *value;
  return launch;
}

} // namespace

std::map<std::string, std::vector<SeenLaunch>>
findLaunches(ASTContext &context, llvm::function_ref<std::string(const FunctionDecl &)> symbolOf) {
  Collector collector;
  for (Decl *declaration : context.getTranslationUnitDecl()->decls())
    if (!context.getSourceManager().isInSystemHeader(declaration->getLocation()))
      collector.TraverseDecl(declaration);
  Evaluator evaluator(context, collector);
  std::map<std::string, std::vector<SeenLaunch>> launches;
  for (const CUDAKernelCallExpr *call : collector.launches) {
    const FunctionDecl *kernel = call->getDirectCallee();
    if (!kernel || !kernel->hasBody())
      continue;
    SeenLaunch launch = read(*call, evaluator, context.getSourceManager());
    std::vector<SeenLaunch> &seen = launches[symbolOf(*kernel)];
    if (llvm::none_of(seen, [&](const SeenLaunch &other) { return other.known == launch.known; }))
      seen.push_back(std::move(launch));
  }
  return launches;
}

} // namespace regrain
