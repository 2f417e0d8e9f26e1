// The documents, joined by kernel.

import { baseName, interval, plural, shortName, time } from './format';
import type {
  Choice,
  DatabaseDocument,
  Document,
  Envelope,
  ExplainedKernel,
  ExplanationDocument,
  Image,
  Key,
  Limits,
  LimitsDocument,
  Measurement,
  ReportDocument,
  ReportKernel,
  TuningClass,
  TuningDocument,
} from './schema';

/** A kernel in a built file. */
export interface Built {
  document: ReportDocument;
  image: Image;
  kernel: ReportKernel;
}

/** A class of launches in a tuning run. */
export interface Run {
  kernel: Kernel;
  program: Program;
  entry: TuningClass;
  /** Launches of the program that the samples stand for, and what they took at the original and at the choice. */
  launches: number;
  beforeUs: number;
  afterUs: number;
}

/** What is known of a kernel at one time, on one device. */
export interface Past {
  key: Key;
  choice: Choice;
  from: string;
}

export interface Kernel {
  index: number;
  name: string;
  short: string;
  source: string;
  hashes: Set<string>;
  built: Built[];
  explained: ExplainedKernel[];
  runs: Run[];
  past: Past[];
  excluded: { alternative: string; reason: string; device: string }[];
  notTuned: { class: string; reason: string }[];
  notTried: { class: string; device: string; alternatives: string[]; budget: number }[];
}

export interface Program {
  title: string;
  from: string;
  /** Choices of a database, in place of a tuning run. */
  isStored: boolean;
  document: TuningDocument;
  runs: Run[];
}

export interface Model {
  envelope: Envelope;
  help: Map<string, string>;
  kernels: Kernel[];
  programs: Program[];
  limits: Limits[];
}

const isReport = (each: Document): each is ReportDocument => 'schema' in each && each.schema === 'regrain-report';
const isTuning = (each: Document): each is TuningDocument => 'schema' in each && each.schema === 'regrain-tuning';
const isLimits = (each: Document): each is LimitsDocument => 'schema' in each && each.schema === 'regrain-limits';
const isExplanation = (each: Document): each is ExplanationDocument =>
  'schema' in each && each.schema === 'regrain-explanation';
const isDatabase = (each: Document): each is DatabaseDocument => 'regrain_tuning' in each;

/** Finds the kernel that an entry is about: by its content, otherwise by name and source. */
class Kernels {
  readonly all: Kernel[] = [];

  find(name: string, hash: string | null | undefined, file: string | null): Kernel {
    const source = file ? baseName(file) : '';
    const named = this.all.filter((each) => each.name === name);
    const found =
      (hash && named.find((each) => each.hashes.has(hash))) ||
      named.find((each) => source === '' || each.source === '' || each.source === source);
    const kernel = found || this.add(name);
    kernel.source ||= source;
    if (hash) kernel.hashes.add(hash);
    return kernel;
  }

  private add(name: string): Kernel {
    const kernel: Kernel = {
      index: this.all.length,
      name,
      short: shortName(name),
      source: '',
      hashes: new Set(),
      built: [],
      explained: [],
      runs: [],
      past: [],
      excluded: [],
      notTuned: [],
      notTried: [],
    };
    this.all.push(kernel);
    return kernel;
  }
}

/**
 * What a launch takes at the grain that runs: by the gain, which is that of all launches of the class. The median of
 * the grain's own times may be of fewer of them.
 */
export const nowUs = (entry: Choice) =>
  entry.alternative === 'original' ? entry.original_us : entry.original_us / entry.gain;

const launchTime = /a launch takes ([\d.e+-]+) s\b/;

/** A reason with its time in the units of the page. */
export const inUnits = (reason: string) =>
  reason.replace(launchTime, (_, seconds) => `a launch takes ${time(Number(seconds) * 1e6)}`);

export interface Untuned {
  kernel: Kernel;
  us: number;
}

/** The longest launch of each kernel that was not tuned for its length: only the reason tells it. */
export function untunedOf(model: Model): Untuned[] {
  const all = model.kernels.map((kernel) => ({
    kernel,
    us: Math.max(0, ...kernel.notTuned.map((each) => Number(each.reason.match(launchTime)?.[1] ?? 0) * 1e6)),
  }));
  return all.filter((each) => each.us > 0).sort((a, b) => b.us - a.us);
}

export const isTimed = (each: Measurement) => each.pairs > 0 && each.candidate_us > 0;

/** As leastPairs of runtime/tuning/statistics.h: fewer have no interval, and the report extends their range to 1. */
const leastPairs = 6;

export const hasInterval = (all: Measurement[]) => all.filter(isTimed).every((each) => each.pairs >= leastPairs);

/** The interval of a gain that was measured so. */
export const intervalWords = (all: Measurement[], low: number, high: number) =>
  hasInterval(all) ? interval(low, high) : `${plural(Math.min(...all.filter(isTimed).map((each) => each.pairs)), 'pair')}, too few for an interval`;

/** How many launches the class had, as far as the samples tell. */
function launchesOf(entry: TuningClass): number {
  const weights = new Map<number, number>();
  for (const each of entry.measurements) {
    if (each.outcome === 'surveyed') return each.weight ?? 1;
    weights.set(each.launch, Math.max(weights.get(each.launch) ?? 0, each.weight ?? 1));
  }
  const sum = [...weights.values()].reduce((all, each) => all + each, 0);
  return Math.max(sum, entry.launches, 1);
}

function addRun(program: Program, kernel: Kernel, entry: TuningClass): void {
  const launches = launchesOf(entry);
  // A survey has timed the program's own launches; sampled ones run on memory that was copied just before.
  const surveyed = entry.measurements.find((each) => each.outcome === 'surveyed');
  const beforeUs = launches * (surveyed?.original_us ?? entry.original_us);
  // The gain is made of pairs of runs side by side, and steadier than the quotient of the medians.
  const run: Run = {
    kernel,
    program,
    entry,
    launches,
    beforeUs,
    afterUs: entry.alternative === 'original' ? beforeUs : beforeUs / entry.gain,
  };
  program.runs.push(run);
  kernel.runs.push(run);
}

const noRun: Omit<TuningDocument, 'command'> = {
  schema: 'regrain-tuning',
  session: '',
  mode: '',
  budget_seconds: 0,
  seconds: 0,
  gave_up: null,
  nothing_tuned: null,
  restarts: 0,
  interrupted: false,
  exit_code: 0,
  classes: [],
  not_tuned: [],
  excluded: [],
};

function addTuning(kernels: Kernels, document: TuningDocument, from: string): Program {
  const command = document.command.map((each, i) => (i === 0 ? baseName(each) : each)).join(' ');
  const program: Program = { title: command, from, isStored: false, document, runs: [] };
  for (const entry of document.classes) {
    const kernel = kernels.find(entry.kernel, entry.hash, null);
    addRun(program, kernel, entry);
    kernel.past.push({ key: entry, choice: entry, from });
  }
  program.runs.sort((a, b) => b.beforeUs - a.beforeUs);
  for (const each of document.not_tuned) kernels.find(each.kernel, each.hash, null).notTuned.push(each);
  for (const each of document.not_tried ?? []) {
    kernels.find(each.kernel, each.hash, null).notTried.push({ ...each, budget: each.budget_for_all_seconds });
  }
  for (const each of document.excluded) kernels.find(each.kernel, each.hash, null).excluded.push(each);
  return program;
}

function addDatabase(kernels: Kernels, document: DatabaseDocument, from: string): Program {
  const program: Program = {
    title: baseName(from),
    from,
    isStored: true,
    document: { ...noRun, command: [from] },
    runs: [],
  };
  for (const each of document.kernels) {
    const kernel = kernels.find(each.name, each.hash, null);
    for (const choice of each.choices) {
      const isKnown = kernel.past.some(
        (past) =>
          past.key.hash === each.hash &&
          past.key.device === each.device &&
          past.choice.class === choice.class &&
          past.choice.when === choice.when,
      );
      if (isKnown) continue;
      kernel.past.push({ key: each, choice, from });
      addRun(program, kernel, {
        ...each,
        ...choice,
        kernel: each.name,
        original_code: null,
        chosen_code: null,
        measurements: (each.measurements ?? []).filter((one) => one.class === choice.class),
      });
    }
    for (const exclusion of each.exclusions) {
      if (
        !kernel.excluded.some((known) => known.alternative === exclusion.alternative && known.device === each.device)
      ) {
        kernel.excluded.push({ ...exclusion, device: each.device });
      }
    }
  }
  program.runs.sort((a, b) => b.beforeUs - a.beforeUs);
  return program;
}

export function makeModel(envelope: Envelope): Model {
  const kernels = new Kernels();
  const programs: Program[] = [];
  const limits: Limits[] = [];
  // Built files come first: they tell the sources, by which kernels of one name are told apart.
  for (const { document } of envelope.documents) {
    if (!isReport(document)) continue;
    for (const image of document.images) {
      for (const kernel of image.kernels) {
        kernels.find(kernel.name, kernel.hash, kernel.file ?? image.source).built.push({ document, image, kernel });
      }
    }
  }
  for (const { name, document } of envelope.documents) {
    if (isTuning(document)) programs.push(addTuning(kernels, document, name));
    if (isLimits(document)) limits.push(...document.devices);
    if (isExplanation(document)) {
      for (const file of document.files) {
        for (const each of file.kernels) kernels.find(each.name, null, each.file ?? file.file).explained.push(each);
      }
    }
  }
  for (const { name, document } of envelope.documents)
    if (isDatabase(document)) programs.push(addDatabase(kernels, document, name));
  for (const kernel of kernels.all) {
    kernel.runs.sort((a, b) => Number(a.program.isStored) - Number(b.program.isStored) || b.beforeUs - a.beforeUs);
    kernel.past.sort((a, b) => a.choice.when.localeCompare(b.choice.when));
  }
  return {
    envelope,
    help: new Map(envelope.keys.map((each) => [each.name, each.help])),
    kernels: kernels.all,
    programs: programs.filter((each) => !each.isStored || each.runs.length > 0),
    limits,
  };
}
