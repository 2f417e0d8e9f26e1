// How the search orders the pages that it finds: decisions come after the pages for users. Otherwise as Sphinx does it.
var Scorer = {
  score: ([document, title, anchor, description, score]) =>
    document.startsWith("decisions/") ? score / 100 : score,
  objNameMatch: 11, objPartialMatch: 6, objPrio: {0: 15, 1: 5, 2: -5}, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};
