// The first page: the answers that most people look for, and each program's kernels by time.

import { h, longTable, note, table, type Child, type Column } from './dom';
import { fatesOf, verdictWords } from './fates';
import { gain, interval, percent, plural, shortClass, shortName, time } from './format';
import { gainCell, spread } from './intervals';
import { card, grainText, kernelLink } from './links';
import { inUnits, nowUs, untunedOf, type Kernel, type Model, type Program, type Run } from './model';
import { questions } from './questions';
import type { Choice } from './schema';
import { boundOf, boundsOf } from './bound';
import { evidenceOf, verdictsOf } from './bounds';
import { deviceKind, deviceWords, devicesOf } from './device';
import { gainReasons, nearlyAsGood } from './why';

/** The runs that tell the present: tuning runs, or what a database has stored if there is none. */
function allRuns(model: Model): Run[] {
  const tuned = model.programs.filter((each) => !each.isStored);
  return (tuned.length ? tuned : model.programs).flatMap((each) => each.runs);
}

/** A kernel's runs of the present, and what they take together. */
interface Total {
  kernel: Kernel;
  runs: Run[];
  beforeUs: number;
  afterUs: number;
}

function totalsOf(model: Model): Total[] {
  const totals = new Map<Kernel, Total>();
  for (const run of allRuns(model)) {
    const { kernel } = run;
    const total = totals.get(kernel) ?? { kernel, runs: [], beforeUs: 0, afterUs: 0 };
    total.runs.push(run);
    total.beforeUs += run.beforeUs;
    total.afterUs += run.afterUs;
    totals.set(kernel, total);
  }
  return [...totals.values()];
}

const sum = <Item>(items: Item[], of: (item: Item) => number) => items.reduce((all, each) => all + of(each), 0);

const most = <Item>(items: Item[], of: (item: Item) => number): Item | undefined =>
  [...items].sort((a, b) => of(b) - of(a))[0];

/** Times after follow from the gains, so that both are of the same launches. */
const afterNote = (entries: Choice[]): Child =>
  entries.some((each) => each.alternative !== 'original') &&
  note('The gain is the median of pairs of runs side by side; the time after is that of the original divided by it.');

/** "7 classes", and how many more were not tuned. */
function classesOf({ kernel, runs }: Total): string {
  const left = kernel.notTuned.filter((each) => each.class).length;
  const words = plural(runs.length, 'class', 'classes');
  return left ? `${words} (${left} more ${left === 1 ? 'was' : 'were'} not tuned)` : words;
}

/** On what the times were measured, and what was compiled without being run. */
function whereMeasured(model: Model): Child {
  const devices = devicesOf(model);
  if (!devices.length) return false;
  const kinds = devices.map((each) => deviceKind(model, each));
  const others = new Set(
    model.kernels
      .flatMap((each) => each.built.flatMap(({ image }) => image.targets))
      .filter((each) => each.kind !== 'cpu')
      .map((each) => each.arch),
  );
  return h(
    'p',
    { class: 'where' },
    h('strong', {}, `Times were measured on ${devices.map((each) => deviceWords(model, each)).join('; ')}.`),
    kinds.every((each) => each === 'CPU') &&
      ` They say nothing of a GPU.${others.size ? ` Code for ${[...others].join(', ')} was compiled, but not run.` : ''}`,
  );
}

const ofProgram = (run: Run) => h('p', {}, 'of ', h('code', {}, run.program.title));

function gainedMost(model: Model): HTMLElement {
  const changed = totalsOf(model).filter(({ runs }) => runs.some((each) => each.entry.alternative !== 'original'));
  const total = most(changed, (each) => each.beforeUs / each.afterUs);
  const best = most(
    (total?.runs ?? []).filter((each) => each.entry.alternative !== 'original'),
    (each) => each.beforeUs - each.afterUs,
  );
  if (!total || !best)
    return card(
      'Gained most',
      h(
        'p',
        {},
        model.programs.length
          ? 'No kernel runs another grain than the original.'
          : 'No tuning run is among the inputs (regrain tune --json).',
      ),
    );
  const { entry } = best;
  const ofOne = interval(entry.gain_low, entry.gain_high);
  const isAlone = total.runs.length === 1;
  return card(
    'Gained most',
    h(
      'p',
      { class: 'big' },
      kernelLink(best.kernel),
      ' ',
      h('strong', {}, gain(isAlone ? entry.gain : total.beforeUs / total.afterUs)),
      h('small', {}, isAlone ? ` (${ofOne}) in ${classesOf(total)}` : ` in ${classesOf(total)}`),
    ),
    ofProgram(best),
    !isAlone &&
      h('p', {}, `The launches of these together: ${time(total.beforeUs)} became ${time(total.afterUs)}. Most is saved in the class ${shortClass(entry.class)}:`),
    h(
      'p',
      {},
      `${time(entry.original_us)} became ${time(nowUs(entry))} for a launch, with `,
      grainText(entry.alternative),
      !isAlone && `, ${gain(entry.gain)} (${ofOne})`,
    ),
    afterNote([best.entry]),
    nearlyAsGood(best),
    h('h4', {}, 'What differs in the code (not a proved cause)'),
    h(
      'ul',
      {},
      gainReasons(model, best).map((each) => h('li', {}, each)),
    ),
    h('p', {}, kernelLink(best.kernel, 'code', 'Code side by side')),
  );
}

/** Kernels that have no time but that of one launch, if that is longer than a launch of the slowest one. */
function longerUntuned(model: Model, run: Run): Child {
  const longer = untunedOf(model).filter((each) => each.us > nowUs(run.entry));
  if (!longer.length) return false;
  return h(
    'p',
    { class: 'missing' },
    'Not tuned, and longer for one launch: ',
    longer.map((each, i) => [i > 0 && ', ', kernelLink(each.kernel), ` ${time(each.us)}`]),
    '. How many launches they have is not told.',
  );
}

function slowest(model: Model): HTMLElement {
  const total = most(totalsOf(model), (each) => each.afterUs);
  const run = most(total?.runs ?? [], (each) => each.afterUs);
  if (!total || !run) return card('Slowest now', h('p', {}, 'No tuning run is among the inputs.'));
  const bound = boundOf(model, run);
  return card(
    'Slowest now',
    h(
      'p',
      { class: 'big' },
      kernelLink(run.kernel),
      ' ',
      h('strong', {}, time(total.afterUs)),
      h(
        'small',
        {},
        ` in the ${plural(sum(total.runs, (each) => each.launches), 'launch', 'launches')} for which the samples of ${classesOf(total)} stand; ${time(nowUs(run.entry))} for one`,
        total.runs.length > 1 && ` of the class ${shortClass(run.entry.class)}, which takes most of it`,
      ),
    ),
    ofProgram(run),
    longerUntuned(model, run),
    verdictsOf(boundsOf(model, total.runs), total.runs.length),
    total.runs.length > 1 && h('p', {}, 'In the class that takes most:'),
    evidenceOf(bound),
    h('p', {}, kernelLink(run.kernel, 'bounds', 'Roofline and occupancy')),
  );
}

function programTable(program: Program): Child {
  const before = program.runs.reduce((all, each) => all + each.beforeUs, 0);
  const scale = Math.max(2, ...program.runs.map((each) => each.entry.gain_high).filter((each) => each < 64));
  const columns: Column<Run>[] = [
    {
      title: 'Kernel',
      head: true,
      cell: (run) => [kernelLink(run.kernel, 'grains', undefined, run), h('small', { class: 'block' }, shortClass(run.entry.class))],
    },
    { title: 'Before', number: true, cell: (run) => time(run.entry.original_us) },
    { title: 'After', number: true, cell: (run) => time(nowUs(run.entry)) },
    { title: 'Gain', number: true, cell: ({ entry }) => gainCell(entry) },
    { title: 'Interval', cell: (run) => spread(run.entry.gain, run.entry.gain_low, run.entry.gain_high, scale) },
    { title: 'Part of time', number: true, cell: (run) => percent(run.beforeUs / before) },
    { title: 'Saved of all', number: true, cell: (run) => percent((run.beforeUs - run.afterUs) / before) },
    { title: 'Grain', cell: (run) => grainText(run.entry.alternative) },
    { title: 'Verdict', cell: (run) => [verdictWords(run.entry), h('small', { class: 'block' }, run.entry.verified)] },
  ];
  return [
    longTable('Kernels by time at the original; times are of one launch', columns, program.runs, 10),
    afterNote(program.runs.map((each) => each.entry)),
  ];
}

/** A row for all classes of a kernel that have the same reason. */
function notTuned(entries: Program['document']['not_tuned']): HTMLElement {
  const groups = new Map<string, typeof entries>();
  for (const each of entries) {
    const key = [each.kernel, each.reason].join('\n');
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return table(
    'Not tuned',
    [
      { title: 'Kernel', head: true, cell: ([first]) => shortName(first.kernel) },
      { title: 'Reason', cell: ([first]) => inUnits(first.reason) },
      {
        title: 'Launches',
        cell: (all) => [
          all.some((each) => !each.class) ? 'all' : plural(all.length, 'class', 'classes'),
          h(
            'small',
            { class: 'block' },
            all
              .slice(0, 2)
              .map((each) => shortClass(each.class))
              .join('; '),
            all.length > 2 && ' …',
          ),
        ],
      },
    ],
    [...groups.values()],
  );
}

const timeOf = (program: Program, of: 'beforeUs' | 'afterUs') => program.runs.reduce((all, each) => all + each[of], 0);

/** The program that gained most comes first; those without a time come last. */
function byGain(model: Model): Program[] {
  const ratio = (each: Program) => (each.runs.length ? timeOf(each, 'beforeUs') / timeOf(each, 'afterUs') : 0);
  return [...model.programs].sort((a, b) => ratio(b) - ratio(a));
}

const idOf = (program: Program) => `program-${program.title.replace(/[^\w]+/g, '-')}-${program.from.replace(/[^\w]+/g, '-')}`;

function programLink(program: Program): HTMLElement {
  const go = (event: Event) => {
    event.preventDefault();
    document.getElementById(idOf(program))!.scrollIntoView();
    document.getElementById(idOf(program))!.focus({ preventScroll: true });
  };
  return h('a', { href: '#/', click: go }, h('code', {}, program.title));
}

/** The page of a suite begins with its programs. */
function allPrograms(model: Model): HTMLElement | false {
  const programs = byGain(model).filter((each) => each.runs.length > 0);
  if (programs.length < 3) return false;
  const best = (program: Program) =>
    [...program.runs].sort((a, b) => b.beforeUs - b.afterUs - (a.beforeUs - a.afterUs))[0];
  return h(
    'section',
    { class: 'program' },
    h('h3', {}, 'Programs'),
    table<Program>(
      'Time in kernels of each program',
      [
        { title: 'Program', head: true, cell: programLink },
        { title: 'Before', number: true, cell: (each) => time(timeOf(each, 'beforeUs')) },
        { title: 'After', number: true, cell: (each) => time(timeOf(each, 'afterUs')) },
        { title: 'Gain', number: true, cell: (each) => gain(timeOf(each, 'beforeUs') / timeOf(each, 'afterUs')) },
        {
          title: 'Most saved in',
          cell: (each) => (best(each).entry.alternative === 'original' ? '–' : kernelLink(best(each).kernel)),
        },
      ],
      programs,
    ),
  );
}

/** What the saved time is of the whole run. */
function wholeTime(seconds: number | null | undefined, savedUs: number): string {
  if (!seconds) return 'The program’s time outside of kernels is in no report (regrain tune --survey).';
  const whole = seconds * 1e6;
  return `The whole run took ${time(whole)} at the originals; without what is saved it takes ${time(whole - savedUs)}, ${gain(whole / (whole - savedUs))}, if nothing ran beside the kernels.`;
}

function programSection(program: Program): HTMLElement {
  const { document } = program;
  const before = timeOf(program, 'beforeUs');
  const after = timeOf(program, 'afterUs');
  const devices = [...new Set(program.runs.map((each) => each.entry.device))].join(', ');
  const warnings = [
    document.nothing_tuned,
    document.gave_up,
    document.interrupted && 'A signal ended the run.',
    document.restarts > 0 && `The program was started again ${plural(document.restarts, 'time')}.`,
  ].filter((each): each is string => !!each);
  return h(
    'section',
    { class: 'program' },
    h('h3', { id: idOf(program), tabindex: -1 }, program.isStored && 'Stored choices of ', h('code', {}, program.title)),
    before > 0 &&
      h(
        'p',
        {},
        'Time in kernels: ',
        h('strong', {}, `${time(before)} became ${time(after)}, ${gain(before / after)}`),
        ` (${program.isStored ? 'the launches that were sampled' : document.survey ? 'all launches, surveyed' : 'the launches for which the samples stand'}; on ${devices}). `,
        wholeTime(document.surveyed_seconds, before - after),
      ),
    warnings.map((each) => h('p', { class: 'missing' }, each)),
    program.runs.length > 0 && programTable(program),
    document.not_tuned.length > 0 && notTuned(document.not_tuned),
  );
}

function otherKernels(model: Model): HTMLElement | false {
  const others = model.kernels.filter((each) => each.runs.length === 0);
  if (!others.length) return false;
  const count = (kernel: Kernel, state: string) =>
    fatesOf(kernel, undefined).filter((each) => each.state === state).length;
  return h(
    'section',
    { class: 'program' },
    h('h3', {}, 'Kernels without a tuning run'),
    table(
      'Grains by what became of them',
      [
        {
          title: 'Kernel',
          head: true,
          cell: (each: Kernel) => [kernelLink(each), h('small', { class: 'block' }, each.source)],
        },
        { title: 'Compiled or legal', number: true, cell: (each: Kernel) => count(each, 'unmeasured') },
        { title: 'Pruned', number: true, cell: (each: Kernel) => count(each, 'pruned') },
        { title: 'Refused', number: true, cell: (each: Kernel) => count(each, 'refused') },
        { title: 'Stored choices', number: true, cell: (each: Kernel) => each.past.length },
      ],
      others,
    ),
  );
}

export function overview(model: Model): HTMLElement {
  return h(
    'div',
    {},
    h('h2', { tabindex: -1 }, 'Overview'),
    whereMeasured(model),
    h('div', { class: 'cards' }, gainedMost(model), questions(model), slowest(model)),
    allPrograms(model),
    byGain(model).map(programSection),
    otherKernels(model),
  );
}
