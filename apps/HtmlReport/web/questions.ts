// Why a grain is not used: a form that answers in place.

import { h } from './dom';
import { fatesOf, sentenceOf, stateNames, type Fate, type State } from './fates';
import { gain, plural, shortClass, time } from './format';
import { explain } from './grain';
import { card, kernelLink } from './links';
import type { Kernel, Model } from './model';

interface Refused {
  kernel: Kernel;
  fates: Fate[];
}

/** What people ask for comes first. */
const order: State[] = [
  'refused',
  'excluded',
  'inapplicable',
  'off-target',
  'pruned',
  'timed-out',
  'dropped',
  'not-tried',
  'unmeasured',
  'measured',
  'chosen',
];

/** What became of the grain in the other classes of launches, if not the same. */
function elsewhere(kernel: Kernel, fate: Fate): string {
  const [first, ...others] = kernel.runs.filter((each) => each.program === kernel.runs[0].program);
  if (!others.length) return '';
  const states = others.map((run) => fatesOf(kernel, run).find((each) => each.id === fate.id)?.state ?? 'unmeasured');
  const counts = [...new Set(states)].map(
    (state) => `${stateNames[state]} in ${states.filter((each) => each === state).length}`,
  );
  return ` This is for the class ${shortClass(first.entry.class)}. ${plural(others.length, 'other class', 'other classes')}: ${counts.join(', ')}.`;
}

const fatesFirst = (kernel: Kernel) => fatesOf(kernel, kernel.runs[0]);

function answerTo(fate: Fate): string {
  const measured = fate.us !== undefined ? `${time(fate.us)}, ${gain(fate.gain!)}. ` : '';
  const text = sentenceOf(fate);
  return `${measured}${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function form(model: Model, kernels: Kernel[], first: Kernel | undefined): HTMLElement {
  const answer = h('p', { class: 'answer', role: 'status' });
  const grainList = h('select', { id: 'ask-grain' });
  const kernelList = h(
    'select',
    { id: 'ask-kernel' },
    kernels.map((each) => h('option', { selected: each === first }, each.short)),
  );
  const fates = () => fatesFirst(kernels[kernelList.selectedIndex]);
  const meaning = h('ul', {});
  const say = () => {
    const fate = fates().find((each) => each.id === grainList.value);
    answer.textContent = fate ? answerTo(fate) + elsewhere(kernels[kernelList.selectedIndex], fate) : '';
    const sentences = fate && fate.id !== 'original' ? explain(fate.id, model.help) : [];
    meaning.replaceChildren(...sentences.map((each) => h('li', {}, each)));
  };
  const fill = () => {
    const sorted = [...fates()].sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
    grainList.replaceChildren(...sorted.map((each) => h('option', { value: each.id }, `${each.id} – ${stateNames[each.state]}`)));
    say();
  };
  kernelList.addEventListener('change', fill);
  grainList.addEventListener('change', say);
  fill();
  return h(
    'div',
    { class: 'form' },
    h('label', { for: 'ask-kernel' }, 'Kernel'),
    kernelList,
    h('label', { for: 'ask-grain' }, 'Grain'),
    grainList,
    answer,
    h('div', { class: 'answer-words' }, meaning),
  );
}

function reasonsOf({ kernel, fates }: Refused): HTMLElement[] {
  return [...new Set(fates.map((each) => each.reason))].map((reason) => {
    const count = fates.filter((each) => each.reason === reason).length;
    return h('li', {}, kernelLink(kernel, 'grains'), ` (${count}): ${reason}`);
  });
}

export function questions(model: Model): HTMLElement {
  const kernels = model.kernels.filter((each) => fatesFirst(each).length > 0);
  const refused: Refused[] = kernels
    .map((kernel) => ({ kernel, fates: fatesFirst(kernel).filter((each) => each.state === 'refused') }))
    .filter((each) => each.fates.length);
  const count = refused.reduce((all, each) => all + each.fates.length, 0);
  const all = kernels.flatMap(fatesFirst);
  const others = (['inapplicable', 'off-target', 'excluded', 'pruned', 'dropped', 'not-tried', 'unmeasured'] as State[])
    .map((state) => [all.filter((each) => each.state === state).length, stateNames[state]] as const)
    .filter(([number]) => number > 0)
    .map(([number, name]) => `${number} ${name}`);
  const words = [
    count
      ? `${plural(count, 'grain')} of ${plural(refused.length, 'kernel')} refused`
      : 'No refused grain is among the inputs (regrain explain --json)',
    ...others,
  ].join(', ');
  return card(
    'Why not another grain?',
    h('p', {}, `${plural(kernels.length, 'kernel')}: ${words}. Choose a kernel and a grain:`),
    kernels.length > 0 && form(model, kernels, refused[0]?.kernel),
    count > 0 &&
      h('details', {}, h('summary', {}, 'All reasons for refusals'), h('ul', {}, refused.flatMap(reasonsOf))),
  );
}
