// All kernels by time, with their gains and what bounds them.

import { boundsOf } from './bound';
import { h, note, table } from './dom';
import { gain, percent, plural, time } from './format';
import { kernelLink } from './links';
import { nowUs, untunedOf, type Kernel, type Model, type Run, type Untuned } from './model';

interface Row {
  kernel: Kernel;
  /** The runs of the present; none if the kernel was not tuned. */
  runs: Run[];
  untunedUs: number;
  beforeUs: number;
  afterUs: number;
}

function rowOf(kernel: Kernel, untuned: Untuned[]): Row {
  const tuned = kernel.runs.filter((each) => !each.program.isStored);
  const runs = tuned.length ? tuned : kernel.runs;
  const untunedUs = untuned.find((each) => each.kernel === kernel)?.us ?? 0;
  const sum = (of: 'beforeUs' | 'afterUs') => runs.reduce((all, each) => all + each[of], 0);
  return { kernel, runs, untunedUs, beforeUs: sum('beforeUs'), afterUs: sum('afterUs') };
}

const longestLaunch = (row: Row) => Math.max(row.untunedUs, ...row.runs.map((each) => nowUs(each.entry)));

function verdictOf(model: Model, { runs }: Row): string {
  if (!runs.length) return '–';
  const bounds = boundsOf(model, runs);
  return bounds
    .map(({ verdict, certainty, classes, share }) => {
      const words = certainty === 'not known' ? verdict : `${verdict} (${certainty})`;
      return bounds.length === 1 ? words : `${words} in ${classes} of ${runs.length} classes, ${percent(share)} of the time`;
    })
    .join('; ');
}

export function kernelsPage(model: Model): HTMLElement {
  const untuned = untunedOf(model);
  const rows = model.kernels
    .map((each) => rowOf(each, untuned))
    .sort((a, b) => Math.max(b.afterUs, b.untunedUs) - Math.max(a.afterUs, a.untunedUs));
  return h(
    'div',
    {},
    h('h2', { tabindex: -1 }, 'Kernels'),
    table(
      'All kernels, the slowest now first; of those that were not tuned, by their longest launch if it is told',
      [
        {
          title: 'Kernel',
          head: true,
          cell: (each: Row) => [kernelLink(each.kernel), h('small', { class: 'block' }, each.kernel.source)],
        },
        { title: 'All launches before', number: true, cell: (each: Row) => (each.runs.length ? time(each.beforeUs) : '–') },
        { title: 'Now', number: true, cell: (each: Row) => (each.runs.length ? time(each.afterUs) : 'not tuned') },
        { title: 'Gain', number: true, cell: (each: Row) => (each.runs.length ? gain(each.beforeUs / each.afterUs) : '–') },
        {
          title: 'Longest launch now',
          number: true,
          cell: (each: Row) => (longestLaunch(each) > 0 ? time(longestLaunch(each)) : '–'),
        },
        { title: 'Bound by', cell: (each: Row) => verdictOf(model, each) },
        { title: 'Tuned', cell: (each: Row) => plural(each.runs.length, 'class', 'classes') },
      ],
      rows,
    ),
    note('Times now follow from those of the original and the gains, which are medians of pairs.'),
  );
}
