// The words of the page, for those who see a report for the first time.

import { h } from './dom';
import { stateMeanings, stateNames, type State } from './fates';
import type { Model } from './model';

type Word = [string, string];

const general: Word[] = [
  ['kernel', 'a function that runs in many threads; a group of threads is a block, and 32 threads of it are a warp'],
  ['original', 'the kernel as it is written'],
  [
    'grain',
    'how much of the program’s work one thread and one block do, and how: block.x=4 joins four blocks, thread.y=2 two threads',
  ],
  ['control', 'the original, compiled by the route of the grains: tells what the route alone changes'],
  ['gain', 'the time of the original divided by that of another grain; the figures behind it are its 95 % interval'],
  [
    'faster, no grain is measurably faster',
    'a grain is chosen only if it is faster beyond the noise and fresh pairs at the end confirm it; an interval above 1 alone is not enough',
  ],
  ['pairs', 'how often the original and the grain ran one after the other; the gain is the median of their quotients'],
  ['launch 0, 1, ...', 'the launches of the kernel that were sampled, by their number in the run'],
  [
    'the launches for which the samples stand',
    'tuning samples some launches of a class; each stands for a number of launches that are like it',
  ],
  ['measured, modelled', 'a figure of the run, or one that the compiler works out from the code'],
];

const classes: Word[] = [
  ['class of launches', 'launches of a kernel with like sizes; each class has its own choice'],
  ['256, 16x16', 'the threads of a block'],
  ['waves=16, waves=1/4', 'how often the blocks fill the device’s multiprocessors, or a CPU’s cores; rounded up to a power of two'],
  ['grid=*x16x1', 'the blocks in y and z; a star is any number'],
  ['integers=64:64:4', 'the integer arguments of the launch, in their order, rounded'],
  ['cluster=8x1x1', 'the blocks of a cluster; left out where it is one'],
  ['shared, align', 'bytes of dynamic shared memory, and the alignment of pointers; left out where they are usual'],
];

const pieces: Word[] = [
  ['x4 contiguous', 'the threads that are joined are neighbours; without it they are as far apart as the block is wide'],
  ['for.block, for.grid', 'the code is for launches with this block or grid alone'],
  ['for.arg0=4n, for.arg0=64', 'the code is for launches whose integer argument 0 is a multiple of 4, or is 64'],
  ['for.pointers=8', 'the code is for launches whose pointers are aligned to 8 bytes'],
  ['for.aliases=none', 'the code is for launches whose pointers lead to different allocations'],
];

const list = (words: Word[]) =>
  h(
    'dl',
    {},
    words.map(([word, meaning]) => [h('dt', {}, word), h('dd', {}, meaning)]),
  );

/** The page of words: the keys of grains are explained by the compiler's own table. */
export function wordsPage(model: Model): HTMLElement {
  const keys = [...model.help].map(([name, help]): Word => [name, help.replace(/`/g, '')]);
  const states = (Object.keys(stateNames) as State[]).map((each): Word => [stateNames[each], stateMeanings[each]]);
  return h(
    'div',
    { class: 'words' },
    h('h2', { tabindex: -1 }, 'What the words mean'),
    list(general),
    h('h3', {}, 'What became of a grain'),
    list(states),
    h('h3', {}, 'A class of launches: 16x16 waves=64 grid=*x16x1 integers=64:64'),
    list(classes),
    h('h3', {}, 'The pieces of a grain'),
    list([...pieces, ...keys.filter(([name]) => name !== 'for')]),
  );
}
